"""The columns of decisions say what the rows say, with types, and what else their players saw."""

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import jasstisch as jt
from jasstisch import data
from jasstisch.data import columns
from jasstisch.engine.cards import JASS
from jasstisch.match.decisions import COLUMNS, rows
from tests.match.test_record_schema import begun
from tests.rules import match_builders


def taken(named: Iterable[tuple[str | None, jt.Match]]) -> list[dict[str, Any]]:
    """All rows of some matches, as objects."""
    return [row for batch in data.from_matches(named) for row in batch.to_pylist()]


def played(name: str, seed: int, **options: Any) -> jt.Match:
    """A whole match by chance."""
    match = jt.Match(jt.game(name, **options))
    match_builders.finish(match, random.Random(seed))
    return match


def as_text(row: dict[str, Any]) -> dict[str, Any]:
    """A row as `decisions.rows` has it."""
    told = {name: row[name] for name in COLUMNS}
    told["table"] = " ".join(f"{one['seat']}:{one['card']}" for one in row["table"])
    told["hand"] = " ".join(row["hand"])
    told["legal"] = None if row["legal"] is None else " | ".join(row["legal"])
    told["won"] = None if row["won"] is None else int(row["won"])
    return told


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_rows_are_those_of_the_table_as_text(name: str) -> None:
    going_on = begun(name, 5, 40)
    match = going_on if name == "i-doubt-it" else played(name, 3)
    wanted = [{"file": "one", **row} for row in rows(match)] + [
        {"file": None, **row} for row in rows(going_on)
    ]
    made = taken([("one", match), (None, going_on)])
    assert [{"file": row["file"], **as_text(row)} for row in made] == wanted
    assert {row["game"] for row in made} == {name}
    firsts = [row["match"] for row in made]
    assert firsts == sorted(firsts)
    assert set(firsts) == {1, 2}


SEEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("differenzler", {"bids": "open", "show_points": "all"}),
    ("schieber", {}),
    ("coiffeur", {}),
    ("jass", {"players": 4}),
    ("molotow", {}),
)


@pytest.mark.parametrize(("name", "options"), SEEN)
def test_a_row_says_what_its_player_saw(name: str, options: dict[str, Any]) -> None:
    match = played(name, 4, **options)
    made = iter(taken([(None, match)]))
    again = jt.Match(match.game)
    before: list[Any] = []
    for who, what in match.record()["log"]:
        if who == "pack":
            again.deal(what)
            before = []
            continue
        row, view = next(made), again.view(who)
        assert [[one["seat"], one["card"]] for one in row["played"]] == before
        assert row["played"][len(before) - len(view["trick"]) :] == row["table"]
        assert row["all_points"] == view["points"]
        assert row["bids"] == view.get("bids")
        assert [row["announcer"], row["factor"], row["pushes"]] == [
            view.get(key) for key in ("by", "factor", "pushes")
        ]
        assert row["playing"] == view.get("playing")
        key = match.game.metric.standing_key
        told = [one[key] for one in view["standing"]]
        assert row["standing"] == (None if isinstance(told[0], str) else told)
        if what.startswith("play "):
            before.append([who, what.split()[1]])
        again.act(who, what)


@pytest.mark.parametrize("name", ["molotov", "schieber", "i-doubt-it"])
def test_a_reward_is_the_figure_of_the_round_and_more_is_better(name: str) -> None:
    match = begun(name, 1, 20) if name == "i-doubt-it" else played(name, 1)
    figure = match.game.metric
    for row in taken([(None, match)]):
        if row["round"] > len(match.rounds):
            assert row["reward"] is None
            continue
        own = figure.of_round(match.rounds[row["round"] - 1])[row["seat"]]
        assert row["reward"] == (own if figure.higher_is_better else -own)


def test_what_a_game_calls_as_others_do_is_not_taken_for_theirs(elster: str) -> None:
    made = taken([(None, played(elster, 1))])
    assert {row["phase"] for row in made} == {"bid", "play"}
    for row in made:
        assert [row[key] for key in ("bids", "announcer", "factor", "pushes", "playing")] == (
            [None] * 5
        )
        assert row["reward"] == row["round_points"]


def test_a_game_without_a_figure_has_no_rewards(
    elster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(elster, 1)
    monkeypatch.setattr(match.game.rules, "metric", None)
    assert {row["reward"] for row in taken([(None, match)])} == {None}


def test_batches_end_with_a_deal_and_hold_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "BATCH_ROWS", 50)
    matches = [played("molotow", seed) for seed in range(2)]
    batches = list(data.from_matches((None, match) for match in matches))
    assert {batch.num_rows for batch in batches[:-1]} == {72}
    whole = pa.Table.from_batches(batches)
    assert whole.schema == data.SCHEMA
    assert whole.num_rows == sum(1 for match in matches for _ in rows(match))


def test_names_that_no_file_can_have_are_mended() -> None:
    match = begun("molotow", 1, 4)
    match.rename(match.to_act[0], "\ud800x")
    for seat in range(4):
        match.rename(seat, "\ud800x")
    assert {row["player"] for row in taken([(None, match)])} == {"?x"}


def test_null_is_not_the_empty_list() -> None:
    lists = columns._ListColumn(pa.list_(pa.int8()))
    cell = [1, 2]
    for one in (cell, None, []):
        lists.append(one)
    cell.append(3)
    assert lists.array().to_pylist() == [[1, 2], None, []]
    assert lists.array().type == pa.list_(pa.int8())


def test_planes_are_one_column_of_booleans_for_each_card_or_action() -> None:
    (batch,) = data.from_matches([(None, begun("molotow", 2, 30))])
    cards = JASS.texts
    held = data.multi_hot(batch["hand"], cards)
    assert held.shape == (batch.num_rows, 36)
    for row, one in zip(batch.to_pylist(), held, strict=True):
        assert set(row["hand"]) == {cards[place] for place in np.flatnonzero(one)}
    played_before = data.multi_hot(batch["played"], cards)
    assert played_before.sum(axis=1).tolist() == list(range(batch.num_rows))
    plays = [f"play {card}" for card in cards]
    chosen = data.multi_hot(batch["choice"], plays)
    assert (chosen.sum(axis=1) == 1).all()
    legal = data.multi_hot(batch["legal"], plays)
    assert legal.sum(axis=1).tolist() == batch["legal_count"].to_pylist()
    assert (legal & chosen == chosen).all()
    table = pa.Table.from_batches([batch, batch])
    assert (data.multi_hot(table["hand"], cards) == np.concatenate([held, held])).all()
