"""Boards: the same deal played several times, independently of other deals and of timing."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

import jasstisch as jt
from jasstisch.arena import BotError
from jasstisch.arena.duplicate_boards import (
    BoardResult,
    BotScore,
    ContestTask,
    MoveTiming,
    play_deals,
    seatings,
)
from jasstisch.bots import View

MOLOTOV = jt.game("molotov")


@dataclass
class RecordingBot:
    """A bot that plays its first legal card and records its views."""

    name: str = "watcher"
    seen: list[tuple[int, tuple[str, ...], int, float]] = field(default_factory=list)

    def act(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        if len(view["hand"]) == 9:
            entry = (view["seat"], tuple(view["hand"]), view["dealer"], rng.random())
            self.seen.append(entry)
        return legal[0]


class IllegalBot:
    """A bot whose action is never legal."""

    name = "cheat"

    def act(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        return "play everything"


def test_a_line_up_is_seated_once_in_each_distinct_order() -> None:
    assert seatings(("a", "b", "b")) == [("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a")]
    assert len(seatings(("a", "b", "c", "d"))) == 24
    assert seatings(("a", "a", "a")) == [("a", "a", "a")]


def test_seatings_and_line_ups_share_cards_dealer_and_random_numbers() -> None:
    bot = RecordingBot()
    line_ups = (("watcher", "random", "random", "random"), ("watcher",) * 4)
    play_deals(ContestTask(MOLOTOV, line_ups, 5, bot_objects={"watcher": bot}), [3])
    *_, one, two, three, four = bot.seen
    alone, among_its_like = bot.seen[-8:-4], [one, two, three, four]
    assert sorted(alone) == sorted(among_its_like)
    assert len({dealer for _, _, dealer, _ in alone}) == 1


def test_different_deals_and_seeds_have_different_cards() -> None:
    bot = RecordingBot()
    line_ups = (("watcher",) * 4,)
    for seed in (1, 2):
        play_deals(ContestTask(MOLOTOV, line_ups, seed, bot_objects={"watcher": bot}), [0, 1])
    assert len({(seat, hand) for seat, hand, _, _ in bot.seen[-16:]}) == 16


def test_a_board_depends_on_its_number_alone() -> None:
    task = ContestTask(MOLOTOV, (("greedy", "random", "random", "random"),), seed=1)
    assert play_deals(task, range(6))[4:] == [*play_deals(task, [4]), *play_deals(task, [5])]


def test_timing_is_no_part_of_a_board() -> None:
    showings = ({"a": BotScore(1.0, 0.0)},)
    slow, fast = {"a": MoveTiming(1, 9.0, 9.0)}, {"a": MoveTiming(1, 0.1, 0.1)}
    assert BoardResult(0, showings, ({},), slow) == BoardResult(0, showings, ({},), fast)
    assert BoardResult(0, showings, ({},), slow) != BoardResult(1, showings, ({},), slow)


def test_move_times_count_every_move_and_keep_the_slowest() -> None:
    task = ContestTask(MOLOTOV, (("greedy", "random", "random", "random"),), seed=1)
    (board,) = play_deals(task, [0])
    assert board.timings["greedy"].moves == 4 * 9
    assert board.timings["random"].moves == 4 * 27
    assert board.timings["greedy"].seconds >= board.timings["greedy"].slowest > 0
    assert MoveTiming(1, 2.0, 2.0) + MoveTiming(3, 3.0, 1.5) == MoveTiming(4, 5.0, 2.0)


def test_the_metric_of_a_deal_of_molotov_is_its_points() -> None:
    """At each of the four tables at least 157 points are taken, by one greedy and three random."""
    task = ContestTask(MOLOTOV, (("greedy", "random", "random", "random"),), seed=1)
    for board in play_deals(task, range(5)):
        (showings,) = board.scores
        assert showings["greedy"].metric_value + 3 * showings["random"].metric_value >= 157


def test_every_table_of_a_deal_has_a_winner() -> None:
    task = ContestTask(MOLOTOV, (("greedy", "random", "random", "random"),), seed=1)
    for board in play_deals(task, range(5)):
        (showings,) = board.scores
        assert showings["greedy"].win_rate + 3 * showings["random"].win_rate >= 1


def test_whole_matches_are_won_by_their_rules() -> None:
    """All but one win a match of Jass (JS10); figures are means over its rounds."""
    game = jt.game("jass", target=5)
    task = ContestTask(
        game, (("greedy", "random", "random", "random"),), seed=1, plays_whole_matches=True
    )
    (board,) = play_deals(task, [0])
    (showings,) = board.scores
    assert showings["greedy"].win_rate + 3 * showings["random"].win_rate == pytest.approx(3)
    assert showings["greedy"].metric_value + 3 * showings["random"].metric_value <= 2


def test_i_doubt_it_reports_how_deals_ended() -> None:
    task = ContestTask(jt.game("i-doubt-it", players=2, max_turns=20), (("greedy",) * 2,), seed=1)
    (board,) = play_deals(task, [0])
    (said,) = board.extra_metrics
    assert said["out"] in {0, 1}
    assert 1 <= said["claims"] <= 20


def test_a_failing_bot_is_named_with_the_deal() -> None:
    cheating = ContestTask(MOLOTOV, (("cheat",) * 4,), seed=7, bot_objects={"cheat": IllegalBot()})
    with pytest.raises(BotError, match=r"cheat failed in deal 0 .* IllegalAction: 'play every"):
        play_deals(cheating, [2])


def test_a_bot_is_warmed_up_once_per_game_and_not_timed() -> None:
    bot = RecordingBot("warm")
    task = ContestTask(
        MOLOTOV, (("warm", "random", "random", "random"),), 1, bot_objects={"warm": bot}
    )
    (board,) = play_deals(task, [0])
    assert board.timings["warm"].moves == 36
    first = len(bot.seen)
    play_deals(task, [0])
    assert (first, len(bot.seen)) == (5, 9)


class OtherRecordingBot(RecordingBot):
    """Another kind of bot."""


def test_another_bot_of_the_same_name_has_its_own_warm_up() -> None:
    for bot in (RecordingBot("twin"), OtherRecordingBot("twin")):
        line_up = (("twin", "random", "random", "random"),)
        play_deals(ContestTask(MOLOTOV, line_up, 1, bot_objects={"twin": bot}), [0])
        assert len(bot.seen) == 5, "one deal to warm up, and one in four seatings"
