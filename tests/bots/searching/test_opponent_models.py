"""Opponent models: plays show whether a player uses heuristics or searches."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

import jasstisch as jt
from jasstisch.bots import bot
from jasstisch.bots.searching import opponent_models
from jasstisch.bots.searching.root_state import RootState
from jasstisch.bots.searching.trick_games import rollout_config
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.nets import policy


def before_the_last_trick(game: str, player: str, seed: int) -> jt.Match:
    """A round of four equal bots, each with one card left."""
    match, rng = jt.Match(jt.game(game)), random.Random(seed)
    while True:
        if match.needs_pack:
            match.deal(rng.sample(match.pack, len(match.pack)))
            continue
        seat = match.to_act[0]
        view = match.view(seat)
        if view["phase"] == "play" and max(view["hand_sizes"]) == 1:
            return match
        match.act(seat, bot(player).act(view, match.legal(seat), rng))


def mean_posterior(match: jt.Match) -> NDArray[np.float64]:
    """The mean probability of each policy for the other seats."""
    seat = match.to_act[0]
    view, chance = match.view(seat), new_stream(random.Random(1))
    root = RootState(view)
    deals = root.sample_initial_deals(opponent_models._POSTERIOR_DEALS, chance)
    shares = opponent_models.model_posterior(deals, root, rollout_config(view), chance)
    assert shares.sum(axis=1) == pytest.approx(1)
    others: NDArray[np.float64] = np.delete(shares[:4], seat, axis=0)
    return np.asarray(others.mean(axis=0))


@pytest.mark.parametrize("game", ["differenzler", "molotov", "molotow"])
def test_greedy_is_distinguished_from_a_searching_bot(game: str) -> None:
    greedy, club = (
        np.mean(
            [mean_posterior(before_the_last_trick(game, player, seed)) for seed in range(6)], axis=0
        )
        for player in ("greedy", "club")
    )
    assert greedy[policy.HEURISTIC] > 0.6
    assert greedy[policy.HEURISTIC] > club[policy.HEURISTIC] + 0.15
    assert club[policy.SEARCH] > greedy[policy.SEARCH] + 0.15


def test_all_policies_are_equally_likely_before_the_first_card() -> None:
    match, rng = jt.Match(jt.game("molotov")), random.Random(1)
    while match.needs_pack:
        match.deal(rng.sample(match.pack, 36))
    assert mean_posterior(match) == pytest.approx(1 / len(policy.POLICY_NAMES))
