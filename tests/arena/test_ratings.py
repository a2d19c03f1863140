"""The ladder: input files, ratings and the page."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch import arena, extras
from jasstisch.arena.ranking_files import DealRanking, UnreadableEntry, read_rankings_dir
from jasstisch.arena.ratings import RatedBot, rate, ratings_by_game
from jasstisch.arena.ratings_page import (
    _DARK,
    _LIGHT,
    draw_ratings,
    render_page,
    write_ratings_page,
)
from tests.support.example_counts import examples

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GAME = dict(jt.game("molotov", players=4).options)


def line(number: int, *showings: Mapping[str, float], day: str | None = None) -> dict[str, Any]:
    """A line of a file of boards."""
    told: dict[str, Any] = {
        "number": number,
        "showings": [{name: [figure, 0.5] for name, figure in one.items()} for one in showings],
        "remarks": [{} for _ in showings],
        "paces": {},
    }
    return told if day is None else told | {"played": day}


def write_boards(
    path: Path, who: Sequence[Sequence[str]], lines: Sequence[Any], **more: object
) -> Path:
    """Writes a file of boards, as the arena does."""
    head = {
        "format": "jasstisch-boards/1",
        "game": "molotov",
        "options": GAME,
        "line_ups": who,
        "seed": 1,
        "matches": False,
        "clock": True,
    }
    path.write_text("".join(f"{json.dumps(one)}\n" for one in (head | more, *lines)))
    return path


def write_contest(path: Path, strengths: Mapping[str, float], deals: int, seed: int) -> None:
    """Writes a contest of simulated bots: points from strength and luck."""
    rng, names = Random(seed), sorted(strengths)
    lines = [
        line(number, {name: round(40 - strengths[name] + rng.gauss(0, 8)) for name in names})
        for number in range(deals)
    ]
    write_boards(path, [names], lines, seed=seed)


def names(rows: Sequence[RatedBot]) -> list[str]:
    return [one.name for one in rows]


def test_bots_are_ranked_by_strength(tmp_path: Path) -> None:
    """Including bots that never met each other, but met the same bots."""
    write_contest(tmp_path / "a.jsonl", {"weak": 0, "usual": 4}, 450, 1)
    write_contest(tmp_path / "b.jsonl", {"usual": 4, "good": 8}, 450, 2)
    write_contest(tmp_path / "c.jsonl", {"good": 8, "best": 12, "usual": 4, "new": 6}, 300, 3)
    rankings, unread = read_rankings_dir(tmp_path)
    rows = ratings_by_game(rankings)["molotov"]
    assert unread == []
    assert names(rows) == ["best", "good", "new", "usual", "weak"]
    assert [one.deals for one in rows] == [300, 750, 300, 1200, 450]
    for better, worse in pairwise(rows):
        assert better.strength - worse.strength > 1


def test_the_metric_decides_whether_low_is_good(tmp_path: Path) -> None:
    many, few = {"many": 60.0, "few": 20.0}, [["few", "many", "many", "many"]]
    write_boards(tmp_path / "molotov.jsonl", few, [line(0, many)])
    options = dict(jt.game("molotow").options)
    write_boards(tmp_path / "sticks.jsonl", few, [line(0, many)], game="molotow", options=options)
    found = ratings_by_game(read_rankings_dir(tmp_path)[0])
    assert names(found["molotov"]) == ["few", "many"]
    assert names(found["molotow"]) == ["many", "few"]


def test_partners_are_rated_as_one_bot(tmp_path: Path) -> None:
    session = arena.ContestRun(arena.contest(jt.game("schieber"), ["greedy", "random"]), 12)
    with arena.open_checkpoint(session, tmp_path / "schieber.jsonl") as book:
        for boards in session.play():
            book.add(boards)
    (rows,) = ratings_by_game(read_rankings_dir(tmp_path)[0]).values()
    assert names(rows) == ["greedy", "random"]
    assert {one.deals for one in rows} == {12}
    assert all(one.last is not None for one in rows)


def test_more_deals_reduce_the_uncertainty(tmp_path: Path) -> None:
    doubts = []
    for deals in (20, 80, 320):
        write_contest(tmp_path / "a.jsonl", {"one": 2, "two": 0}, deals, 1)
        (rows,) = ratings_by_game(read_rankings_dir(tmp_path)[0]).values()
        doubts.append(rows[0].ci95)
        assert all(one.rating < one.strength - one.ci95 for one in rows)
    # Halved by four times as many, once more is known than before the first.
    assert doubts[0] > 1.5 * doubts[1] > 2.25 * doubts[2]


def test_equal_bots_get_equal_ratings() -> None:
    ties = [DealRanking("g", f"{one}", {"a": 1, "b": 1}, f"{one}", None) for one in range(50)]
    one, other = rate(ties)
    assert one.strength == pytest.approx(25)
    assert (one.strength, one.ci95) == (other.strength, other.ci95)


@settings(
    max_examples=examples(25, 8),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    deals=st.lists(
        st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9), min_size=2), min_size=1
    ),
    order=st.randoms(use_true_random=False),
)
def test_ratings_do_not_depend_on_the_order_of_deals(
    deals: list[dict[str, int]], order: Random, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nor on the names of files, or on which file holds a deal."""
    found = []
    for _ in range(2):
        folder = tmp_path_factory.mktemp("files")
        mixed = order.sample(list(enumerate(deals)), len(deals))
        called = order.sample(range(100), len(deals))
        for (number, figures), name in zip(mixed, called, strict=True):
            path = folder / f"{name}.jsonl"
            write_boards(path, [sorted(figures)], [line(number, figures)])
            if order.random() < 0.3:
                (folder / f"copy-{name}.jsonl").write_bytes(path.read_bytes())
        found.append(ratings_by_game(read_rankings_dir(folder)[0]))
    assert found[0] == found[1]


def test_a_deal_in_two_files_counts_once_with_the_later_date(
    tmp_path: Path,
) -> None:
    showings = {"a": 30.0, "b": 40.0}
    for name, day in (("one", "2026-11-02"), ("two", "2026-11-20"), ("old", None)):
        write_boards(tmp_path / f"{name}.jsonl", [["a", "b"]], [line(0, showings, day=day)])
    (ranking,) = read_rankings_dir(tmp_path)[0]
    assert (dict(ranking.ranks), ranking.day) == ({"a": 1, "b": 2}, "2026-11-20")
    assert rate([ranking])[0].last == "2026-11-20"


def test_a_line_up_of_one_bot_is_not_rated(tmp_path: Path) -> None:
    line_ups = [["a", "a"], ["a", "b"]]
    write_boards(tmp_path / "a.jsonl", line_ups, [line(0, {"a": 40.0}, {"a": 30.0, "b": 50.0})])
    (ranking,) = read_rankings_dir(tmp_path)[0]
    assert dict(ranking.ranks) == {"a": 1, "b": 2}


GOOD = line(0, {"a": 1.0, "b": 2.0})


@pytest.mark.parametrize(
    ("lines", "head", "where", "reason"),
    [
        ([GOOD], {"format": "jasstisch-record/1"}, "bad.jsonl", "its format is 'jasstisch-rec"),
        ([GOOD], {"game": "poker"}, "bad.jsonl", "unknown game 'poker'"),
        ([GOOD], {"options": []}, "bad.jsonl", "its first line does not say what was played"),
        ([GOOD], {"options": {"players": 9}}, "bad.jsonl", "players is"),
        ([GOOD], {"line_ups": [["a", 1]]}, "bad.jsonl", "these are no line-ups"),
        ([GOOD], {"seed": "1"}, "bad.jsonl", "its first line does not say which deals"),
        ([["no", "object"]], {}, "bad.jsonl, line 2", "is no file of boards: it has"),
        ([{"number": 0}], {}, "bad.jsonl, line 2", "a line holds no board"),
        ([GOOD, line(1)], {}, "bad.jsonl, line 3", "its board is not of this contest"),
        ([line(1, {"a": 1.0, "c": 2.0})], {}, "bad.jsonl, line 2", "tells of other bots than a, b"),
        ([line(1, {"a": 1.0, "b": float("nan")})], {}, "bad.jsonl, line 2", "is nan, which is no"),
        ([line(1, {"a": 1.0, "b": 10**400})], {}, "bad.jsonl, line 2", "which is no figure"),
        ([GOOD], {"line_ups": [["a", "\ud800"]]}, "bad.jsonl", "these are no line-ups"),
        ([GOOD], {"line_ups": [["a", "\x1b]0;b"]]}, "bad.jsonl", "these are no line-ups"),
        ([GOOD], {"line_ups": [["a", ""]]}, "bad.jsonl", "these are no line-ups"),
        ([GOOD | {"played": "\x1b]0;x"}], {}, "bad.jsonl, line 2", "'\\x1b]0;x', which is no day"),
        ([GOOD | {"played": "zzz"}], {}, "bad.jsonl, line 2", "played on 'zzz', which is no day"),
        ([GOOD | {"played": "20261126"}], {}, "bad.jsonl, line 2", "which is no day"),
        ([GOOD | {"played": 20261126}], {}, "bad.jsonl, line 2", "which is no day"),
        ([GOOD | {"played": "2026-02-30"}], {}, "bad.jsonl, line 2", "which is no day"),
    ],
)
def test_unreadable_files_are_named_and_the_rest_rated(
    tmp_path: Path, lines: list[Any], head: dict[str, Any], where: str, reason: str
) -> None:
    write_boards(tmp_path / "bad.jsonl", [["a", "b"]], lines, **head)
    write_boards(tmp_path / "good.jsonl", [["a", "c"]], [line(7, {"a": 3.0, "c": 2.0})])
    rankings, unread = read_rankings_dir(tmp_path)
    assert [one.where for one in unread] == [where]
    assert reason in unread[0].reason
    assert str(tmp_path) not in unread[0].reason
    assert {"a": 2, "c": 1} in [dict(one.ranks) for one in rankings]


@pytest.mark.parametrize("depth", [900, 5_000, 200_000])
def test_a_line_of_nested_lists_is_named(tmp_path: Path, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    path = write_boards(tmp_path / "a.jsonl", [["a", "b"]], [GOOD])
    with path.open("a") as file:
        file.write(f'{"[" * depth}\n{deep}\n{{"number": 1, "showings": {deep}}}\n')
    rankings, unread = read_rankings_dir(tmp_path)
    assert len(rankings) == 1
    assert [one.where for one in unread] == [f"a.jsonl, line {line}" for line in (3, 4, 5)]


def test_a_file_name_that_is_not_unicode_is_named_on_the_page(tmp_path: Path) -> None:
    where = os.fsdecode(b"caf\xe9.jsonl, line 2")
    text = write_ratings_page(
        {"molotov": ROWS}, [UnreadableEntry(where, "bad")], tmp_path
    ).read_text(encoding="utf-8")
    assert r"<li>caf\udce9.jsonl, line 2: bad</li>" in text


def test_a_truncated_last_line_is_skipped(tmp_path: Path) -> None:
    path = write_boards(tmp_path / "a.jsonl", [["a", "b"]], [GOOD, line(1, {"a": 1.0, "b": 2.0})])
    path.write_bytes(path.read_bytes()[:-9])
    rankings, unread = read_rankings_dir(tmp_path)
    assert (len(rankings), unread) == (1, [])


ROWS = [
    RatedBot("greedy", 31.4, 1.2, 29.5, 1200, "2026-11-26"),
    RatedBot("a$b<i>", 20.0, 4.0, -13.9, 40, None),
]


def test_the_page_describes_each_bot(tmp_path: Path) -> None:
    index = write_ratings_page(
        {"i-doubt-it": ROWS}, [UnreadableEntry("x.jsonl, line 3", "a <bad> line")], tmp_path
    )
    text = index.read_text(encoding="utf-8")
    assert "<h2>I Doubt It</h2>" in text
    for cell in ("29.5", "31.4 ± 1.2", "1,200", "2026-11-26", "−13.9", "a$b&lt;i&gt;", "–"):
        assert f">{cell}</td>" in text
    assert "<li>x.jsonl, line 3: a &lt;bad&gt; line</li>" in text
    for name in ("i-doubt-it.svg", "i-doubt-it-dark.svg"):
        assert f'"{name}"' in text
        assert (tmp_path / name).stat().st_size > 1000


def test_equal_ladders_give_equal_files(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write_ratings_page({"molotov": ROWS}, [], tmp_path / folder)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    assert "Not read" not in render_page({"molotov": ROWS}, [])


def test_a_picture_follows_the_colour_scheme(tmp_path: Path) -> None:
    for ground in (_LIGHT, _DARK):
        draw_ratings(ROWS, ground, tmp_path / "a.svg")
        text = (tmp_path / "a.svg").read_text(encoding="utf-8")
        assert ground.paper in text
        assert ground.mark in text


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(extras.PACKAGES, "ladder", ("no_such_package",))
    with pytest.raises(extras.MissingExtraError, match=r"a ladder needs .*jasstisch\[ladder\]"):
        rate([DealRanking("g", "1", {"a": 1, "b": 2}, "1", None)])
