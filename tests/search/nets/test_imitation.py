"""Imitation learning: a net trained on a player's games plays like that player."""

import numpy as np
import pytest

from jasstisch.search.nets import features, policy
from jasstisch.search.nets.imitation import Demonstrations
from jasstisch.search.rounds import round_state
from tests.search.nets.test_policy import dealt, untrained_net
from tools.train_imitation import SPECS, evaluate, generate_rounds
from tools.training_recipes import RECIPES, Adam


def lowest_card_round(seed: int) -> tuple[round_state.Round, list[int]]:
    """A round in which all seats play their lowest legal card."""
    opening = dealt("molotov", seed)
    state, cards = opening.copy(), []
    while state[round_state.TURN] >= 0:
        legal = int(round_state.legal_moves(state))
        cards.append((legal & -legal).bit_length() - 1)
        round_state.play_card(state, cards[-1])
    return opening, cards


def demonstrations(number: int, shown: int) -> Demonstrations:
    found = [lowest_card_round(seed) for seed in range(number)]
    openings, plays = [opening for opening, _ in found], [cards for _, cards in found]
    return Demonstrations(np.array(openings), np.array(plays), np.full(number, shown))


def test_net_learns_to_predict_the_demonstrated_plays() -> None:
    seen, net, adam = demonstrations(40, 0b1111), untrained_net(), Adam(features.NET_SIZE, 0.02)
    found = []
    for _ in range(60):
        stats, change = evaluate(seen, net)
        net += adam.step(change / stats.plays).astype(np.float32)
        found.append(stats)
    assert found[-1].hits > 0.85 * found[-1].plays > 1.5 * found[0].hits
    assert found[-1].cross_entropy < found[0].cross_entropy / 2


def test_only_plays_of_the_shown_seats_are_evaluated() -> None:
    nobody, change = evaluate(demonstrations(3, 0), untrained_net())
    assert nobody.plays == 0
    assert not change.any()
    half, whole = (evaluate(demonstrations(3, seats), untrained_net())[0] for seats in (0b0101, 15))
    assert 0 < half.plays < whole.plays


@pytest.mark.parametrize("game", RECIPES)
@pytest.mark.parametrize("player", SPECS)
def test_packaged_net_predicts_best_the_player_it_imitates(game: str, player: str) -> None:
    """In rounds that it has not learned from."""
    model, nets = SPECS[player], policy.load_nets(game)
    shown = generate_rounds(RECIPES[game], model, 20, seed=99)
    found = {
        name: evaluate(shown, net)[0].cross_entropy
        for name, net in zip(policy.POLICY_NAMES, nets, strict=True)
    }
    assert min(found, key=found.__getitem__) == model.manner
