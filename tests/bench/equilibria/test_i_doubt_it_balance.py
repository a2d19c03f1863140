"""Equilibrium play at I Doubt It, and its measurements."""

from random import Random

import numpy as np
import pytest

from bench.equilibria import i_doubt_it_balance
from bench.equilibria.i_doubt_it_balance import RULES, evaluate, learn, truthful_policy
from bench.equilibria.i_doubt_it_kernels import ABLE, CHIPS, CLAIMS_MADE, DOUBTED, MOVED, OUT, TRUE

USUAL = RULES["the usual ones"]


def test_the_truthful_strategy_tells_the_truth_in_every_deal() -> None:
    outcomes = evaluate(USUAL, truthful_policy(0.1), None, Random(1), 200)
    assert outcomes[:, TRUE].sum() == pytest.approx(outcomes[:, ABLE].sum(), rel=0.01)
    assert (outcomes[:, CLAIMS_MADE] <= 48).all()
    assert outcomes[:, OUT].mean() > 0.8


def test_if_everything_is_doubted_nobody_goes_out() -> None:
    outcomes = evaluate(USUAL, truthful_policy(1 - 1e-9), None, Random(1), 200)
    assert (outcomes[:, DOUBTED] == outcomes[:, CLAIMS_MADE]).all()
    assert (outcomes[:, CLAIMS_MADE] == 48).all()
    assert not outcomes[:, OUT].any()


def test_a_lower_limit_ends_the_deal_sooner() -> None:
    outcomes = evaluate(RULES["`max_turns=20`"], truthful_policy(0.9), None, Random(1), 50)
    assert outcomes[:, CLAIMS_MADE].max() == 20


def test_playing_like_the_others_gains_nothing() -> None:
    same = truthful_policy(0.1)
    outcomes = evaluate(USUAL, same, same, Random(1), 4000)
    assert abs(outcomes[:, CHIPS].mean()) < 1.5
    assert outcomes[:, MOVED].mean() > 10


def test_learning_gains_against_credulous_players() -> None:
    trusting = truthful_policy(0.02)
    rng = Random(1)
    better = learn(USUAL, 12, 300, rng, against=trusting)
    outcomes = evaluate(USUAL, trusting, better, rng, 2000)
    assert outcomes[:, CHIPS].mean() > 1.96 * outcomes[:, CHIPS].std() / np.sqrt(len(outcomes))


def test_the_command_trains_and_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "sys.argv", ["balance", "--rounds", "4", "--deals", "4", "--only", "strict"]
    )
    monkeypatch.setattr(i_doubt_it_balance, "EVALUATION_DEALS", 40)
    assert i_doubt_it_balance.main() == 0
    assert "all doubted | the usual ones | 100 % |" in capsys.readouterr().out
