"""The speed of environments, and the naive wrapper they are compared with."""

from random import Random

import numpy as np
import pytest

import jasstisch as jt
from bench.speed import env_steps
from bench.speed.baseline_env import BaselineEnv
from tests.rules import match_builders


@pytest.mark.parametrize("name", match_builders.TRICK_GAMES)
def test_the_naive_wrapper_plays_matches_to_their_end(name: str) -> None:
    table, chance = BaselineEnv(jt.game(name)), Random(1)
    table.reset(seed=1)
    earned = dict.fromkeys(table.agents, 0)
    while not any(table.terminations.values()):
        seen = table.observe(table.agent_selection)
        table.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
        for agent, reward in table.rewards.items():
            earned[agent] += reward
    assert table.match.over
    assert any(earned.values())
    assert jt.Match.from_record(table.match.record()).winners == table.match.winners


def test_trick_games_have_a_ratio_and_verdict_and_i_doubt_it_has_steps_alone() -> None:
    cells = env_steps.row("molotow", 0.01)
    assert cells[0] == "molotow"
    assert cells[3].startswith("≥ 30,000: ")
    assert cells[5].endswith(" ×")
    assert env_steps.row("i-doubt-it", 0.01)[3:] == ["", "", ""]
