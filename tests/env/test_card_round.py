"""A stepped round of cards has the legal cards, turns and points of the match it came from."""

import doctest
from copy import copy, deepcopy
from random import Random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.engine.cards import JASS, card_set
from jasstisch.engine.errors import GameError
from jasstisch.env import CardRound, card_round
from jasstisch.games.rules import REGISTRY
from jasstisch.games.trick_taking import TrickTaking

GAMES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in jt.games() if issubclass(REGISTRY[name], TrickTaking)),
    ("molotov", {"players": 5, "long_runs": "weis"}),
    ("molotov", {"players": 6, "undertrump": "if_void"}),
    ("offenbach", {"players": 3}),
    ("differenzler", {"players": 3, "trump": "bottom"}),
    ("jass", {"players": 2}),
    ("schieber", {"slalom": "on", "target": 3000, "undertrump": "forced"}),
    ("coiffeur", {"lines": "ten", "match_bonus": 0}),
]


def match_in_play(game: str, options: dict[str, Any], chance: Random, cards: int) -> jt.Match:
    """A match in which this many cards of a round have been played, without any Weis."""
    match = jt.Match(jt.game(game, **options))
    while not (match.view(None)["phase"] == "play" and cards_played(match) >= cards):
        if match.needs_pack:
            match.deal(chance.sample(match.pack, len(match.pack)))
        else:
            match.act(match.to_act[0], chance.choice(actions_without_weis(match)))
    return match


def cards_played(match: jt.Match) -> int:
    """The number of cards played in the round in progress."""
    view = match.view(None)
    return sum(len(one["cards"]) for one in view["tricks"]) + len(view["trick"])


def actions_without_weis(match: jt.Match) -> list[str]:
    """The legal actions; nobody drops at Jass, so that a round is played."""
    legal = match.legal(match.to_act[0])
    return [text for text in legal if not text.endswith(" weis") and text != "drop"]


@pytest.mark.parametrize("start", [0, 7])
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_steps_like_the_match_to_the_end_of_the_round(
    game: str, options: dict[str, Any], start: int
) -> None:
    for seed in range(4):
        chance = Random(seed)
        match = match_in_play(game, options, chance, start)
        cards, rounds = CardRound(match), len(match.rounds)
        while len(match.rounds) == rounds and match.to_act:
            (seat,) = match.to_act
            plays = [text for text in match.legal(seat) if text.startswith("play ")]
            legal = [JASS.numbers[text.removesuffix(" weis")[5:]] for text in plays]
            assert cards.seat == seat
            assert cards.legal == card_set(legal)
            assert list(cards.legal_cards()) == sorted(set(legal))
            assert cards.hand(seat) == card_set(JASS.parse_all(match.hand(seat)))
            if match.view(seat).get("stoeck", [0] * 4) == [0] * len(match.players):
                assert cards.points()[seat] == match.view(seat)["points"][seat]
            card = chance.choice(cards.legal_cards())
            match.act(seat, f"play {JASS.texts[card]}")
            assert cards.play(card) == cards.legal
        if match.over and game == "schieber":
            continue  # the match was decided in mid-round
        assert cards.seat is None
        assert not cards.legal
        if len(match.rounds) > rounds and not any(match.rounds[-1].get("stoeck", [])):
            assert cards.points() == match.rounds[-1]["points"]


def test_copies_are_independent() -> None:
    chance = Random(1)
    cards = CardRound(match_in_play("molotow", {}, chance, 5))
    before = cards.points(), cards.legal, cards.seat
    for made in (cards.copy(), copy(cards), deepcopy(cards)):
        while made.legal:
            made.play(chance.choice(made.legal_cards()))
        assert (cards.points(), cards.legal, cards.seat) == before


def test_illegal_card_is_refused_and_changes_nothing() -> None:
    cards = CardRound(match_in_play("differenzler", {}, Random(2), 1))
    before = cards.legal
    absent = next(card for card in range(36) if not cards.legal >> card & 1)
    for card in (absent, -1, 36, 99):
        with pytest.raises(GameError, match=r"may not be played; legal: \d+ \("):
            cards.play(card)
        assert cards.legal == before
    while cards.legal:
        cards.play(cards.legal_cards()[0])
    with pytest.raises(GameError, match="the round is over: no card is due"):
        cards.play(0)


def test_match_without_cards_in_play_is_refused() -> None:
    match = jt.Match(jt.game("differenzler", dealer=0))
    with pytest.raises(GameError, match="not in phase 'deal'"):
        CardRound(match)
    with pytest.raises(GameError):
        CardRound(jt.Match(jt.game("i-doubt-it")))


def test_module_docstring_example_runs() -> None:
    result = doctest.testmod(card_round)
    assert result.attempted > 5
    assert result.failed == 0
