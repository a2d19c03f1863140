"""The core must not assume tricks, a trump, 36 cards, four players, or that each plays alone.

The game here has none of them: two to eight players in two parties turn up cards of a pack of 52.
All players show one of their two cards at the same time; the party with more red ones wins.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.engine.cards import Deck, card_set
from jasstisch.engine.errors import IllegalAction, Refusal
from jasstisch.games.options import Whole
from jasstisch.games.rules import COMMON_OPTIONS, REGISTRY, Game, Json, Rules

PACK = Deck("23456789TJQKA")


class RedAndBlack(Rules):
    """A match of this game."""

    options = (Whole("players", 6, low=2, high=8), *COMMON_OPTIONS)
    deck = PACK

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.hands = [0] * self.players
        self.shown: list[int | None] = [None] * self.players

    def deal(self, pack: Sequence[int]) -> None:
        self.hands = [card_set(pack[2 * seat : 2 * seat + 2]) for seat in range(self.players)]
        self.phase, self.pack = "show", ()
        self.to_act = tuple(range(self.players))

    def legal(self, seat: int) -> Sequence[str]:
        held = self.deck.texts_of(self.hands[seat]) if seat in self.to_act else []
        return [f"show {card}" for card in held]

    def refusal(self, seat: int, action: str) -> Refusal | None:
        if action in self.legal(seat):
            return None
        return self.turn_refusal(seat) or Refusal("", "unknown", "show one of your cards")

    def act(self, seat: int, action: str) -> str:
        if refusal := self.refusal(seat, action):
            raise IllegalAction(action, refusal, self.legal(seat))
        self.shown[seat] = self.deck.parse(action.removeprefix("show "))
        self.to_act = tuple(other for other in self.to_act if other != seat)
        if not self.to_act:
            red = [self.deck.suit(card or 0) in {1, 2} for card in self.shown]
            even, odd = sum(red[0::2]), sum(red[1::2])
            self.rounds.append({"red": [even, odd]})
            self.finish([s for s in range(self.players) if (s % 2 == 0) == (even > odd)])
        return action

    def hand(self, seat: int) -> int:
        return self.hands[seat]

    def standing(self) -> list[Json]:
        return [{"party": seat % 2} for seat in range(self.players)]

    def table_view(self, seat: int | None) -> Json:
        return {"has_shown": [card is not None for card in self.shown]}


@pytest.fixture
def red_and_black() -> Iterator[str]:
    """The name of the game, which is registered only while the test runs."""
    RedAndBlack.name = "red-and-black"
    REGISTRY[RedAndBlack.name] = RedAndBlack
    yield RedAndBlack.name
    del REGISTRY[RedAndBlack.name]


@pytest.mark.parametrize("players", [2, 6, 8])
def test_game_without_tricks_can_be_played_and_replayed(red_and_black: str, players: int) -> None:
    """It has a draw for deal and parties, shows no trick or trump, and its record replays."""
    match = jt.Match(jt.game(red_and_black, players=players))
    rng = random.Random(players)
    assert len(match.pack) == 52
    while not match.over:
        assert match.trick == []
        assert match.trump is None
        assert not match.trick_in_progress
        if match.needs_pack:
            match.deal(rng.sample(match.pack, 52))
            continue
        seat = rng.choice(match.to_act)
        with pytest.raises(jt.IllegalAction):
            match.act(seat, "play JC")
        match.act(seat, rng.choice(match.legal(seat)))
        assert match.describe_last_action(None) == match.record()["log"][-1][1]
    assert match.view(None)["draw"] is not None
    assert len(match.winners) == players // 2
    record: Any = json.loads(json.dumps(match.record()))
    again = jt.Match.from_record(record)
    assert again.view(0) == match.view(0)
    assert again.record() == match.record()


def test_game_without_sides_and_metric_has_one_side_per_seat_and_no_metric(
    red_and_black: str,
) -> None:
    """Asking for the metric by which rounds are measured raises an error."""
    game = jt.game(red_and_black, players=3)
    assert game.sides == ((0,), (1,), (2,))
    with pytest.raises(
        jt.GameError, match="red-and-black has no metric by which rounds are compared"
    ):
        game.metric  # noqa: B018 - reading the property raises
