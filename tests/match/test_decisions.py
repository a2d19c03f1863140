"""The decisions of a match as rows: what the player knew, the choice, and the result."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch.match.decisions import COLUMNS, MAX_LISTED, DecisionRow, rows
from jasstisch.testing.view_type_checks import type_mismatches
from tests.match.test_record_schema import begun
from tests.rules import match_builders


def played(name: str, seed: int = 1, **options: Any) -> jt.Match:
    """A finished match, played at random."""
    rng = random.Random(seed)
    match = jt.Match(jt.game(name, **options))
    match_builders.finish(match, rng)
    return match


@given(st.sampled_from(match_builders.ALL_GAMES), st.integers(0, 2**32), st.integers(0, 250))
def test_each_action_has_a_row_with_the_view_of_its_player(
    name: str, seed: int, steps: int
) -> None:
    match = begun(name, seed, steps)
    made = list(rows(match))
    again = jt.Match(match.game, match.players)
    left = iter(made)
    for step, (who, what) in enumerate(match.record()["log"], start=1):
        if who == "pack":
            again.deal(what)
            continue
        row, view, legal = next(left), again.view(who), again.legal(who)
        assert tuple(row) == COLUMNS
        assert list(type_mismatches(row, DecisionRow, "row")) == []
        assert (row["step"], row["seat"], row["choice"]) == (step, who, what)
        assert (row["round"], row["phase"]) == (view["round"], view["phase"])
        assert (row["dealer"], row["trump"]) == (view["dealer"], view["trump"])
        assert row["contract"] == view.get("contract")
        assert row["player"] == match.players[who]
        assert row["hand"].split() == view["hand"]
        assert row["points"] == view["points"][who]
        assert row["table"] == " ".join(f"{seat}:{card}" for seat, card in view["trick"])
        assert row["legal_count"] == len(legal)
        if len(legal) <= MAX_LISTED:
            assert row["legal"] is not None
            assert row["legal"].split(" | ") == list(legal)
        else:
            assert row["legal"] is None
        again.act(who, what)
    assert next(left, None) is None


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_each_row_contains_the_result_of_its_round_and_match(name: str) -> None:
    match = played(name)
    made = list(rows(match))
    assert {row["round"] for row in made} == set(range(1, len(match.rounds) + 1))
    for row in made:
        seat, finished = row["seat"], match.rounds[row["round"] - 1]
        assert row["round_points"] == finished["points"][seat]
        assert row["mark"] == finished["marks"][seat]
        assert row["won"] == (seat in match.winners)
        if row["trick"]:
            assert row["choice"].split()[1] in finished["tricks"][row["trick"] - 1]["cards"]


def test_results_are_null_in_the_rows_of_an_unfinished_round() -> None:
    match = begun("molotow", 3, 20)
    assert not match.over
    for row in rows(match):
        assert (row["round_points"], row["mark"], row["won"]) == (None, None, None)


def test_rows_of_a_void_deal_have_no_round_result__MV7() -> None:
    """It is dealt again, and the next deal belongs to the same round."""
    voided = next(
        match
        for seed in range(2000)
        for match in [played("molotov", seed, players=3, no_trump="annul", target=1)]
        if len(deals(match)) > len(match.rounds)
    )
    made = list(rows(voided))
    last = {row["round"]: row["deal"] for row in made}
    for row in made:
        void = row["deal"] < last[row["round"]]
        assert (row["round_points"] is None) == (row["mark"] is None) == void
    assert max(row["deal"] for row in made) == len(deals(voided)) > max(last)


def deals(match: jt.Match) -> list[str]:
    """The packs that were dealt, without the draw for deal."""
    packs = [what for who, what in match.record()["log"] if who == "pack"]
    return packs[match.game.options["dealer"] is None :]
