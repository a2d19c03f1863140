"""What a game declares on its class: its sides, its metric, and how its cards count."""

from __future__ import annotations

import random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.engine import melds
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.metrics import ScoreMetric, round_scores
from jasstisch.games.molotow import MolotowView
from jasstisch.games.views import CommonView, declares_keys
from tests.rules import match_builders


def finished_rounds(name: str, players: int) -> list[dict[str, Any]]:
    """The rounds of a match of random play."""
    match = jt.Match(jt.game(name, players=players))
    match_builders.finish(match, random.Random(f"{name} {players}"))
    return match.rounds


@pytest.mark.parametrize(("name", "players"), match_builders.ALL_KINDS)
def test_only_contract_games_have_partners__CT1(name: str, players: int) -> None:
    """Opposite seats are partners at Schieber and Coiffeur; elsewhere everybody plays alone."""
    alone = tuple((seat,) for seat in range(players))
    expected = ((0, 2), (1, 3)) if name in match_builders.CONTRACT_GAMES else alone
    assert jt.game(name, players=players).sides == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("coiffeur", lambda done: [int(mark) for mark in done["marks"]]),
        ("differenzler", lambda done: list(map(distance, done["points"], done["bids"]))),
        ("i-doubt-it", lambda done: done["chips"]),
        ("jass", lambda done: [mark.count("|") for mark in done["marks"]]),
        ("molotov", lambda done: done["points"]),
        ("molotow", lambda done: [int(mark) for mark in done["marks"]]),
        ("offenbach", lambda done: done["points"]),
        ("schieber", lambda done: [int(mark) for mark in done["marks"]]),
    ],
)
def test_the_metric_of_a_round_by_game__DF6_ID6_JS9_MV6_MW4_SC5_CO4(
    name: str, expected: Any
) -> None:
    """Points or marks: differences, chips, strokes, sticks, points times a factor."""
    figure = jt.game(name).metric
    for players in match_builders.PLAYERS[name]:
        for done in finished_rounds(name, players):
            assert list(figure.of_round(done)) == expected(done)


def distance(points: int, bid: int) -> int:
    """How far points lie from a bid (DF6)."""
    return max(points, bid) - min(points, bid)


def test_i_doubt_it_has_extra_statistics_of_a_deal__ID6() -> None:
    """Whether somebody went out, and the number of claims."""
    remarks = jt.game("i-doubt-it").metric.extra_statistics
    told = [
        {name: remark({"left": left, "claims": 7}) for name, remark in remarks.items()}
        for left in ([0, 3, 9], [1, 3, 8])
    ]
    assert told == [{"out": 1.0, "claims": 7.0}, {"out": 0.0, "claims": 7.0}]


def test_gain_depends_on_whether_high_is_good() -> None:
    high = ScoreMetric("points", "points", True, round_scores, min_significant=1.0)
    low = ScoreMetric("points", "points", False, round_scores, min_significant=1.0)
    assert high.gain(5, 3) == low.gain(3, 5) == 2
    assert high.gain(3, 5) == low.gain(5, 3) == -2


def test_rounded_gain_is_the_difference_of_the_rounded_figures() -> None:
    """2.34 and 0.26 are shown as 2.3 and 0.3: their difference is then 2.0, not 2.1."""
    points = ScoreMetric("points", "points", True, round_scores, min_significant=1.0)
    assert (points.rounded(2.34), points.rounded(0.26)) == (2.3, 0.3)
    assert points.rounded_gain(2.34, 0.26) == 2.0


def test_formatted_differences_have_fixed_digits_and_zero_has_no_sign() -> None:
    figure = ScoreMetric("strokes", "strokes", True, round_scores, min_significant=0.01, digits=2)
    assert figure.resolution == pytest.approx(0.01)
    assert [figure.format_difference(one) for one in (1.234, -1.2, -0.001)] == [
        "1.23",
        "-1.20",
        "0.00",
    ]


@pytest.mark.parametrize("name", ["differenzler", "jass", "schieber", "coiffeur"])
def test_other_games_have_no_bombs_and_no_rule_for_eights(name: str) -> None:
    game = jt.game(name)
    rules: Any = game.rules
    assert rules.molotov_points_rule(game.options) == melds.NO_BOMBS
    assert rules.are_eights_counted(game.options) is False


@pytest.mark.parametrize("name", ["molotov", "offenbach"])
@pytest.mark.parametrize(
    ("long_runs", "bombs"), [("fifty", melds.BOMBS_FIFTY), ("weis", melds.BOMBS_AS_WEIS)]
)
def test_an_option_selects_the_molotov_points_rule__MV4_MV5(
    name: str, long_runs: str, bombs: int
) -> None:
    game = jt.game(name, long_runs=long_runs)
    rules: Any = game.rules
    assert rules.molotov_points_rule(game.options) == bombs


@pytest.mark.parametrize("no_trump", ["eights", "plain", "annul"])
def test_eights_count_without_trump_at_molotow_and_by_option_at_molotov__MV7_MW3(
    no_trump: str,
) -> None:
    """Molotow has no option for it, and no bombs."""
    molotov, molotow = jt.game("molotov", no_trump=no_trump), jt.game("molotow")
    rules: Any = molotov.rules
    assert rules.are_eights_counted(molotov.options) == (no_trump == "eights")
    rules = molotow.rules
    assert rules.are_eights_counted(molotow.options) is True
    assert rules.molotov_points_rule(molotow.options) == melds.NO_BOMBS


@pytest.mark.parametrize(
    ("figure", "reason"),
    [
        (ScoreMetric("points", "points", True, round_scores, min_significant=1.0), "scores"),
        (ScoreMetric("points", "points", False, round_scores, min_significant=1.0), "points"),
        (
            ScoreMetric(
                "points",
                "points",
                True,
                round_scores,
                min_significant=1.0,
                custom_gain_reason_id="lead",
            ),
            "lead",
        ),
    ],
)
def test_reason_id_follows_from_the_direction_unless_one_is_given(
    figure: ScoreMetric, reason: str
) -> None:
    assert figure.gain_reason_id == reason


def test_score_weight_is_the_factor_of_the_contract__SC5_CO1() -> None:
    """Of the contract in force or about to be announced; 1 without factors and for a push."""
    hands = match_builders.random_hands(4, random.Random(1))
    molotow = match_builders.start("molotow", hands).view(0)
    assert jt.game("molotow").rules.score_weight(molotow, molotow["hand"][0]) == 1
    for name, say, factor in (("schieber", "trump S", 2), ("coiffeur", "joker 8 tops", 8)):
        options = {"multipliers": "french"} if name == "schieber" else {}
        match = match_builders.start(name, hands, dealer=3, **options)
        weight = match.game.rules.score_weight
        assert [weight(match.view(0), one) for one in ("push", say)] == [1, factor]
        match.act(0, say)
        assert weight(match.view(0), match.legal(0)[0]) == factor


def test_declares_keys_is_true_only_for_views_with_all_keys() -> None:
    """Views of Differenzler and Molotow have keys of their own; the common keys are in others."""
    views = {name: jt.Match(jt.game(name)).view(None) for name in jt.games()}
    assert {name for name, view in views.items() if declares_keys(view, DifferenzlerView)} == {
        "differenzler"
    }
    assert {name for name, view in views.items() if declares_keys(view, MolotowView)} == {
        "molotow"
    }, "its rounds and its standing are its own, and nothing else"
    assert declares_keys(views["coiffeur"], CommonView)
    assert declares_keys(views["molotov"], CommonView)


def test_every_standing_has_the_standing_key_of_its_metric() -> None:
    """Without that key the terminal shows the whole standing."""
    for name in jt.games():
        figure = jt.game(name).metric
        (first, *_) = jt.Match(jt.game(name)).standing
        assert figure.standing_key in first
