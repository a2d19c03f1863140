"""Imitation: a net that is shown somebody's games comes to play like him."""

import numpy as np
import pytest

from jasstisch.search import features, policy, rounds
from jasstisch.search.imitating import Games, imitate
from tests.search.test_policy import dealt, untrained
from tools.imitate import MODELS, played
from tools.nets import RECIPES, Adam


def lowest(seed: int) -> tuple[rounds.Round, list[int]]:
    """A round in which everybody plays the lowest card there is."""
    opening = dealt("molotov", seed)
    state, cards = opening.copy(), []
    while state[rounds.TURN] >= 0:
        legal = int(rounds.legal(state))
        cards.append((legal & -legal).bit_length() - 1)
        rounds.play(state, cards[-1])
    return opening, cards


def games(number: int, shown: int) -> Games:
    found = [lowest(seed) for seed in range(number)]
    openings, plays = [opening for opening, _ in found], [cards for _, cards in found]
    return Games(np.array(openings), np.array(plays), np.full(number, shown))


def test_a_net_learns_to_foretell_what_it_is_shown() -> None:
    seen, net, adam = games(40, 0b1111), untrained(), Adam(features.NET, 0.02)
    paper, found = policy.work(), []
    for _ in range(60):
        change = np.zeros(features.NET, np.float32)
        found.append(imitate(seen, net, change, paper))
        net += adam.step(change.astype(np.float64) / found[-1].plays).astype(np.float32)
    assert found[-1].hits > 0.85 * found[-1].plays > 1.5 * found[0].hits
    assert found[-1].surprise < found[0].surprise / 2


def test_only_the_seats_that_are_shown_are_imitated() -> None:
    paper, change = policy.work(), np.zeros(features.NET, np.float32)
    nobody = imitate(games(3, 0), untrained(), change, paper)
    assert nobody.plays == 0
    assert not change.any()
    half, whole = (imitate(games(3, seats), untrained(), change, paper) for seats in (0b0101, 15))
    assert 0 < half.plays < whole.plays


@pytest.mark.parametrize("game", RECIPES)
@pytest.mark.parametrize("player", MODELS)
def test_each_packaged_net_foretells_best_whom_it_imitates(game: str, player: str) -> None:
    """In rounds that it has not learned from."""
    model, paper, nets = MODELS[player], policy.work(), policy.learned(game)
    shown, change = played(RECIPES[game], model, 20, seed=99), np.zeros_like(nets[0])
    found = {
        manner: imitate(shown, net, change, paper).surprise
        for manner, net in zip(policy.MANNERS, nets, strict=True)
    }
    assert min(found, key=found.__getitem__) == model.manner
