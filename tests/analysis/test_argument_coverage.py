"""Costly decisions have an argument of their game, and no argument contradicts the figures.

Rounds of the recorded matches of all games are analysed, with little effort or with random values.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch.analysis import Analysis, Decision, analyse, metric_of, reason_texts
from jasstisch.analysis import round_analysis as under_test
from jasstisch.bots.searching.budget import SearchBudget
from jasstisch.i18n.templates import render
from tests.analysis.search_stubs import random_search
from tests.rules import match_builders
from tests.support.example_counts import examples

RECORDS = Path(__file__).parent.parent / "records"
QUICK = SearchBudget("analysis", max_deals=8, max_cards_played=0, time_limit_s=float("inf"))

MUCH = {"points": 2.0, "chips": 2.0, "sticks": 0.2, "strokes": 0.2}
"""Losses above this need an argument, in the unit of the game."""

EQUIVALENT = {"alike", "equal", "equal_cards"}
NO_REASON = EQUIVALENT | {"only", "close", "close_cards", "close_other", "match"}
"""Reasons that say nothing about the action that was chosen."""


def recorded(game: str, few: int) -> Iterator[jt.Match]:
    """Some matches of a game from the records."""
    files = sorted(RECORDS.glob(f"{game}-[0-9]*.jass.json"))[:few]
    assert files
    for file in files:
        yield jt.Match.from_record(json.loads(file.read_text(encoding="utf-8")))


def check(analyses: Iterable[Analysis], *, grounded: bool = True) -> None:
    """Each costly decision has a reason, and the reasons agree with the figures."""
    for analysis in analyses:
        for one in analysis.decisions:
            said = one.reason, one.values, [(it.action, it.figure) for it in one.candidates]
            if grounded and one.loss > MUCH[analysis.unit] and not may_be_equivalent(one):
                assert one.reason not in NO_REASON, said
                assert one.reason != f"{metric_of(analysis.game).gain_reason_id}_cost", said
            check_figures(one, analysis)
            list(render(reason_texts("en")[one.reason], one.values))


def may_be_equivalent(one: Decision) -> bool:
    """Whether the played and the best lay at I Doubt It may be equivalent."""
    if not one.played.startswith("lay"):
        return False
    (*cards, _, rank), (*others, _, other) = one.played.split()[1:], one.best.split()[1:]
    true, so = (
        all(card[0] == it for card in some) for some, it in ((cards, rank), (others, other))
    )
    return true == so and (true or rank == other or not one.mistake)


def check_figures(one: Decision, analysis: Analysis) -> None:
    """Checks that the figures add up."""
    measured = metric_of(analysis.game)
    figures = {it.action: it.figure for it in one.candidates}
    assert all(float(measured.format_difference(figure)) == figure for figure in figures.values())
    cost = measured.gain(figures[one.best], figures[one.played])
    assert one.loss == pytest.approx(cost)
    told = set(figures.values())
    if one.reason == "alike":
        assert len(told) == 1
    if one.reason == "equal_cards":
        card = one.values["card2"]
        same = [figure for action, figure in figures.items() if action.split()[1] == card]
        assert figures[one.played] in same
    if one.reason == "equal":
        assert list(figures.values()).count(figures[one.played]) > 1
    if one.reason == "match_cost":
        assert one.loss <= 0
    if one.reason == measured.gain_reason_id:
        others = [figure for action, figure in figures.items() if action != one.played]
        gain = min(measured.gain(figures[one.played], other) for other in others)
        assert float(str(one.values["gain"])) == pytest.approx(gain)
        assert gain > 0


@pytest.mark.parametrize("game", match_builders.ALL_GAMES)
def test_costly_decisions_have_an_argument_of_their_game(game: str) -> None:
    """Searched as in an analysis, with fewer deals."""
    check(analyse(match, 1, effort=QUICK) for match in recorded(game, examples(3, 1)))


@pytest.mark.parametrize("game", match_builders.ALL_GAMES)
def test_arguments_never_contradict_the_figures(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions get random values and effects."""
    monkeypatch.setattr(under_test, "evaluate_actions", random_search)
    check(
        (
            analyse(match, 1, seed=seed)
            for match in recorded(game, examples(5, 2))
            for seed in range(examples(3, 1))
        ),
        grounded=False,
    )


@pytest.mark.parametrize("game", ["schieber", "molotow"])
def test_decisions_are_sorted_by_cost(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "evaluate_actions", random_search)
    (match,) = recorded(game, 1)
    analysis = analyse(match)
    told = [max(0.0, one.loss) for one in analysis.mistakes_by_cost]
    assert told == sorted(told, reverse=True)
    assert len(set(told)) > 3
    assert all(one.mistake for one in analysis.mistakes_by_cost)
    assert len(told) == sum(one.mistake for one in analysis.decisions)
