"""Third-party games: hints and analysis from their metric alone, without explainers."""

from __future__ import annotations

import random

import pytest

import jasstisch as jt
from jasstisch.analysis import analyse, hint
from jasstisch.analysis.decision_points import check_analysable
from jasstisch.analysis.explainers import explainer_of
from jasstisch.bots.searching.budget import SearchBudget
from jasstisch.bots.searching.root_state import RootState
from jasstisch.cli.game.analysis_report import AnalysisRenderer
from jasstisch.cli.ui.card_style import STYLES
from jasstisch.engine.cards import SUITS
from jasstisch.engine.errors import GameError
from jasstisch.games.metrics import ScoreMetric, round_scores
from jasstisch.games.rules import REGISTRY
from jasstisch.server.workers.tasks import games_with_hints
from tests.analysis.test_round_analysis import played
from tests.rules import match_builders

QUICK = SearchBudget("hint", max_deals=8, max_cards_played=0, time_limit_s=float("inf"))
CLOSE = {"close", "close_cards", "close_other"}
PLAIN = {"only", "alike", "equal", "equal_cards", "match", "match_cost", *CLOSE}
"""The reasons that need nothing but figures."""


@pytest.fixture(params=[False, True], ids=["low", "high"])
def measured(
    ramsch: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """A third-party game with a metric."""
    figure = ScoreMetric("goats", "goats", request.param, round_scores, min_significant=1.0)
    monkeypatch.setattr(REGISTRY[ramsch], "metric", figure)
    return ramsch, "scores" if request.param else "points"


def test_the_outcome_of_an_action_is_the_reason(measured: tuple[str, str]) -> None:
    name, points = measured
    rng, told = random.Random(3), set()
    match = jt.Match(jt.game(name))
    for _ in range(20):
        if not match.needs_pack:
            (seat,) = match.to_act
            told.add(hint(match.view(seat), match.legal(seat), rng, QUICK).reason)
        match_builders.step(match, rng)
    assert points in told
    assert told <= {points, *PLAIN}


def test_a_round_is_analysed_in_its_unit(measured: tuple[str, str]) -> None:
    name, points = measured
    analysis = analyse(played(name), 1, effort=QUICK)
    assert analysis.unit == "goats"
    assert any(one.mistake for one in analysis.decisions)
    assert {one.reason for one in analysis.decisions} <= {points, f"{points}_cost", *PLAIN}


def test_hints_are_available_with_a_metric(measured: tuple[str, str]) -> None:
    assert games_with_hints([measured[0], "molotow"]) == (measured[0], "molotow")


def test_without_a_metric_there_is_neither_hint_nor_analysis(ramsch: str) -> None:
    assert games_with_hints([ramsch, "molotow"]) == ("molotow",)
    with pytest.raises(GameError, match=f"no analysis of {ramsch}, which has no metric"):
        check_analysable(played(ramsch), None, None)


def test_a_game_without_explainers_has_no_arguments(ramsch: str) -> None:
    assert explainer_of(ramsch)({"game": ramsch}, "play 7C", "play 7C") == ()


def test_view_keys_shared_with_other_games_are_not_interpreted(elster: str) -> None:
    """The views have the keys of all other games; the search reads the tricks alone."""
    match = played(elster)
    rng = random.Random(1)
    while match.view(None)["phase"] != "play":
        match_builders.step(match, rng)
    (seat,) = match.to_act
    view = match.view(seat)
    assert {"bids", "contract", "playing", "shown", "turned"} <= view.keys()
    situation = RootState(view)
    assert list(situation.position.playing) == [0, 1, 2, 3]
    assert situation.position.rankings == (SUITS.index(view["trump"]),)
    assert not situation.bids
    assert hint(view, match.legal(seat), rng, QUICK).action in match.legal(seat)
    found = analyse(match, 1, effort=QUICK)
    assert {one.reason for one in found.decisions} <= {"scores", "scores_cost", *PLAIN}
    language = AnalysisRenderer(found, match, "en", STYLES["french"], 100).lines()
    assert all("claim" not in str(line) for line in language)
