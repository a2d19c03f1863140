"""Contests: who plays whom, and reports from constructed boards."""

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.arena import contest
from jasstisch.arena.contests import Challenge, FixedTable, RoundRobin
from jasstisch.arena.duplicate_boards import BoardResult, BotScore, MoveTiming, winners
from jasstisch.bots import View

MOLOTOV = jt.game("molotov")
TRIO = jt.game("differenzler", players=3)


class NamedBot:
    """A bot of which only the name matters."""

    def __init__(self, name: str) -> None:
        self.name = name

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        return legal[0]


A, B, C = map(NamedBot, "abc")

Figures = Mapping[str, float]


def board(number: int, *line_ups: Figures, wins: Sequence[Figures] = ()) -> BoardResult:
    """A deal in which each bot has this figure, and moved once in 2 ms."""
    showings = tuple(
        {name: BotScore(figure, won.get(name, 0.0)) for name, figure in figures.items()}
        for figures, won in zip(line_ups, wins or [{}] * len(line_ups), strict=True)
    )
    names = {name for figures in line_ups for name in figures}
    paces = {name: MoveTiming(1, 0.002, 0.002) for name in names}
    return BoardResult(number, showings, tuple({} for _ in line_ups), paces)


def by_name(report: dict[str, Any]) -> dict[str, Any]:
    """The entries of a report by bot."""
    return {one["name"]: one for one in report["bots"]}


def test_as_many_bots_as_seats_make_a_table() -> None:
    who = contest(MOLOTOV, [A, B, B, B])
    assert isinstance(who, FixedTable)
    assert who.line_ups == (("a", "b", "b", "b"),)
    assert who.tables_per_deal == 4


def test_one_bot_against_another_meets_it_on_all_other_seats() -> None:
    who = contest(MOLOTOV, [A], against=B)
    assert isinstance(who, Challenge)
    assert who.line_ups == (("a", "b", "b", "b"), ("b", "b", "b", "b"))
    assert who.baseline == "b"
    assert who.tables_per_deal == 5


def test_several_bots_take_the_same_seat_in_turn_with_an_optional_baseline() -> None:
    who = contest(TRIO, [A, B], against=C, baseline=B)
    assert who.line_ups == (("a", "c", "c"), ("b", "c", "c"))
    assert isinstance(who, Challenge)
    assert who.baseline == "b"


def test_with_a_baseline_the_first_bot_is_compared_and_the_others_fill_the_seats() -> None:
    who = contest(TRIO, [A, B, C], baseline=C)
    assert who.line_ups == (("a", "b", "c"), ("b", "c", "c"))


def test_more_or_fewer_bots_than_seats_make_a_round_robin() -> None:
    for who in (contest(MOLOTOV, [A, B]), contest(TRIO, [A, B, C], round_robin=True)):
        assert isinstance(who, RoundRobin)
    assert contest(TRIO, [A, B]).line_ups == (
        ("a", "a", "a"),
        ("a", "b", "b"),
        ("a", "a", "b"),
        ("b", "b", "b"),
    )


def test_for_two_players_both_orders_of_a_pair_are_one_table() -> None:
    two = jt.game("jass", players=2)
    assert contest(two, [A, B], round_robin=True).line_ups == (("a", "a"), ("a", "b"), ("b", "b"))


@pytest.mark.parametrize(
    ("bots", "words", "said"),
    [
        ([], {}, "too few bots: name one for each of the 4 seats"),
        (["greedy"], {}, "too few bots: name one for each of the 4 seats, or two or more"),
        ([], {"against": "greedy"}, "too few bots: 0, where 1 or more are needed"),
        (["deep"], {"against": "greedy"}, "unknown bot 'deep'; the bots are "),
        (["greedy"], {"against": "deep"}, "unknown bot 'deep'; the bots are "),
        (["greedy", "greedy"], {}, "greedy is named twice"),
        (["greedy", "greedy"], {"against": "random"}, "greedy is named twice"),
        (["greedy"], {"baseline": "random"}, "4 seats need 4 bots, not 1: the one to compare"),
        (["greedy", "random"], {"round_robin": True, "against": "random"}, "has no opponent"),
        ([A, NamedBot("a")], {}, "two different bots are called 'a'"),
        (["greedy"], {"against": NamedBot("greedy")}, "two different bots are called 'greedy'"),
        ([NamedBot("greedy")], {"against": "greedy"}, "two different bots are called 'greedy'"),
    ],
)
def test_invalid_contests_are_refused_with_the_valid_numbers(
    bots: list[str | NamedBot], words: dict[str, Any], said: str
) -> None:
    with pytest.raises(jt.GameError) as refused:
        contest(MOLOTOV, bots, **words)
    assert said in str(refused.value)


def test_a_table_compares_its_bots_on_the_same_deals() -> None:
    """Differences 20 30 40: mean 30, standard error 10/√3; low is good, so a is better."""
    boards = [
        board(0, {"a": 30, "b": 50}),
        board(1, {"a": 10, "b": 40}),
        board(2, {"a": 20, "b": 60}),
    ]
    report = contest(MOLOTOV, [A, B, B, B]).report(boards)
    assert [one["name"] for one in report["bots"]] == ["a", "b", "b", "b"]
    assert by_name(report)["a"]["mean"] == 20
    assert by_name(report)["a"]["ci95"] == round(1.96 * 10 / math.sqrt(3), 3)
    assert by_name(report)["a"]["ms_per_move"] == 2
    (compared,) = report["compared"]
    assert (compared["bot"], compared["than"], compared["better_by"]) == ("a", "b", 30)
    assert compared["ci95"] == round(1.96 * 10 / math.sqrt(3), 3)
    assert compared["percent"] == 60


def test_a_challenge_compares_two_line_ups_on_the_same_deals() -> None:
    """Always 5 points better in the same seat, however good the cards were."""
    boards = [
        board(number, {"a": luck - 5, "b": luck}, {"b": luck})
        for number, luck in enumerate([10, 90, 50])
    ]
    report = contest(MOLOTOV, [A], against=B).report(boards)
    assert {name: one["mean"] for name, one in by_name(report).items()} == {"a": 45, "b": 50}
    (compared,) = report["compared"]
    assert (compared["better_by"], compared["ci95"], compared["percent"]) == (5, 0, 10)


def test_the_percentage_has_its_own_interval() -> None:
    """Means 3 and 4: a quarter better; what is beyond three quarters of b is ±1, over 4."""
    boards = [board(0, {"a": 4, "b": 4}, {"b": 4}), board(1, {"a": 2, "b": 4}, {"b": 4})]
    (compared,) = contest(MOLOTOV, [A], against=B).report(boards)["compared"]
    assert compared["percent"] == 25
    assert compared["percent_ci95"] == pytest.approx(100 * 1.96 / 4)


def test_metrics_with_negative_values_are_compared_without_a_percentage() -> None:
    boards = [board(0, {"a": 1, "b": -1}), board(1, {"a": 2, "b": 0})]
    (compared,) = contest(jt.game("molotow"), [A, B, B, B]).report(boards)["compared"]
    assert compared["better_by"] == 2
    assert "percent" not in compared


def test_wins_are_compared_too() -> None:
    boards = [
        board(0, {"a": 1, "b": 2}, wins=[{"a": 1.0, "b": 0.0}]),
        board(1, {"a": 1, "b": 2}, wins=[{"a": 0.5, "b": 0.25}]),
    ]
    report = contest(MOLOTOV, [A, B, B, B]).report(boards)
    assert by_name(report)["a"]["wins"] == 0.75
    assert report["compared"][0]["wins_by"] == 0.625


def test_jass_reports_the_share_of_all_strokes() -> None:
    """One of a and three of b: 3 of 6 strokes in both deals together; shares that vary."""
    boards = [board(0, {"a": 2, "b": 0}), board(1, {"a": 1, "b": 1})]
    told = by_name(contest(jt.game("jass"), [A, B, B, B]).report(boards))
    assert told["a"]["share"] == 0.5
    assert told["b"]["share"] == 0.5
    assert told["a"]["share_ci95"] == round(1.96 * 1 / 3, 3)
    assert "share" not in by_name(contest(MOLOTOV, [A, B, B, B]).report(boards))["a"]


def test_without_strokes_there_is_no_share() -> None:
    boards = [board(0, {"a": 0, "b": 0}), board(1, {"a": 0, "b": 0})]
    assert "share" not in by_name(contest(jt.game("jass"), [A, B, B, B]).report(boards))["a"]


def test_a_round_robin_ranks_by_the_mean_lead() -> None:
    """Among three b, a is better by 6; among three a, b is worse by 2: rated at half of 8."""
    boards = [
        board(
            number,
            {"a": luck},  # four a
            {"a": luck - 6, "b": luck},  # a among three b
            {"a": luck, "b": luck + 2},  # b among three a
            {"b": luck},  # four b
        )
        for number, luck in enumerate([20, 60])
    ]
    report = contest(MOLOTOV, [B, A], round_robin=True)
    assert report.line_ups[0] == ("b",) * 4
    ranked_report = report.report(
        [
            BoardResult(
                one.number,
                (one.scores[3], one.scores[2], one.scores[1], one.scores[0]),
                one.extra_metrics,
                one.timings,
            )
            for one in boards
        ]
    )
    first, second = ranked_report["ranking"]
    assert (first["name"], first["rating"], first["ci95"]) == ("a", 4, 0)
    assert (first["lead"], first["lead_ci95"]) == (8, 0)
    assert (second["name"], second["rating"]) == ("b", -4)
    assert "lead" not in second
    gains = {(one["bot"], one["than"]): one["better_by"] for one in ranked_report["compared"]}
    assert gains == {("a", "b"): 6, ("b", "a"): -2}
    assert {name: one["mean"] for name, one in by_name(ranked_report).items()} == {
        "a": 34,
        "b": 42,
    }


def test_every_game_has_a_metric() -> None:
    assert all(jt.game(name).metric.unit for name in jt.games())


def test_the_best_figure_wins_a_deal_and_ties_share_it() -> None:
    assert winners([3, 1, 1, 5], high_is_good=False) == [1, 2]
    assert winners([3, 1, 1, 5], high_is_good=True) == [3]
    assert winners([4, 4, 4], high_is_good=True) == []
