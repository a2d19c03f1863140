"""Records and the rounds of each game conform to their declared types."""

import random
import re

import pytest

import jasstisch as jt
from jasstisch.games.differenzler import DifferenzlerRound
from jasstisch.games.handjass import HandjassRound
from jasstisch.games.molotov import MolotovRound
from jasstisch.games.rules import REGISTRY
from jasstisch.games.views import CommonRound
from jasstisch.match.record import Record
from jasstisch.testing.view_type_checks import type_mismatches
from tests.rules import match_builders


@pytest.mark.parametrize("game", jt.games())
def test_record_conforms_to_its_declared_type(game: str) -> None:
    match = jt.Match(jt.game(game, **match_builders.SHORT[game]))
    assert list(type_mismatches(match.record(), Record, "record")) == []
    match_builders.finish(match, random.Random(3))
    match.about = {"event": "Clubabend"}
    assert list(type_mismatches(match.record(), Record, "record")) == []


def test_rounds_of_returns_the_rounds_with_their_declared_type() -> None:
    match = jt.Match(jt.game("differenzler", rounds=4))
    match_builders.finish(match, random.Random(3))
    (first, *_) = match.typed_rounds(DifferenzlerRound)
    assert first["bids"] == match.rounds[0]["bids"]
    assert match.typed_rounds(CommonRound)[0]["points"] == match.rounds[0]["points"]
    # Offenbach declares the same type of rounds as Molotov.
    assert jt.Match(jt.game("offenbach")).typed_rounds(MolotovRound) == []


def test_rounds_of_refuses_the_round_type_of_another_game() -> None:
    match = jt.Match(jt.game("molotov"))
    text = "the rounds of molotov are MolotovRound, not HandjassRound"
    with pytest.raises(jt.GameError, match=re.escape(text)):
        match.typed_rounds(HandjassRound)


def test_rounds_of_refuses_a_game_without_a_declared_round_type(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = jt.Match(jt.game("molotov"))
    monkeypatch.setattr(REGISTRY["molotov"], "view_type", None)
    text = "the rounds of molotov have no declared type, not MolotovRound"
    with pytest.raises(jt.GameError, match=text):
        match.typed_rounds(MolotovRound)
