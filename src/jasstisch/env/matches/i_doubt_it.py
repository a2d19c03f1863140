"""The encoding of I Doubt It: claims as sequences of numbers, and the turns of a deal.

With 52 cards in hand there are 287,300 claims, too many to number. So a seat chooses its cards,
ascending, and then the rank that it claims; each claim can be made in exactly one way, and every
sequence leads to a claim. The cards chosen so far are visible in the seat's own observation alone,
until the claim is complete.
"""

from array import array
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine.cards import SUITS, card_set
from jasstisch.engine.errors import GameError, quote
from jasstisch.env.matches.observation_parts import (
    MAX_VALUE,
    NONE,
    PartSpec,
    assign_slices,
    encode_optional,
    standing_values,
)
from jasstisch.games.i_doubt_it import ANSWERS, CLAIM_SIZE, FULL_DECK, IDoubtIt, Turn
from jasstisch.games.i_doubt_it_claims import claim_text
from jasstisch.games.rules import Json

CARDS = len(FULL_DECK.texts)
RANKS = len(FULL_DECK.ranks)
_SUIT_MASK = (1 << RANKS) - 1

CLAIM = CARDS
"""Claiming the first rank, the 2; the others follow in order."""

DOUBT, PASS = range(CLAIM + RANKS, CLAIM + RANKS + 2)

_ACTION_TEXTS = dict(
    enumerate(
        [
            *(f"lay {card}" for card in FULL_DECK.texts),
            *(f"as {rank}" for rank in FULL_DECK.ranks),
            *ANSWERS,
        ]
    )
)
_NO_CARD = bytes(CARDS)
_NO_RANK = bytes(RANKS)
_NO_ANSWER = bytes(len(ANSWERS))

_NO_ACTION = bytes(len(_ACTION_TEXTS))
_ANSWER_MASK = _NO_CARD + _NO_RANK + b"\1" * len(ANSWERS)
_RANK_MASK = _NO_CARD + b"\1" * RANKS + _NO_ANSWER

ROW_SIZE = 9 + 2 * CLAIM_SIZE
"""The number of values that encode a turn."""


@cache
def _mask_to_bytes(ranks: int) -> bytes:
    """A byte for each rank of a set of ranks of a suit."""
    return bytes(ranks >> rank & 1 for rank in range(RANKS))


@cache
def _mask_to_ints(ranks: int) -> bytes:
    """A number for each rank of a set of ranks of a suit."""
    return array("i", list(_mask_to_bytes(ranks))).tobytes()


def _ranks_by_suit(cards: int) -> Iterable[int]:
    """The ranks of a set in each suit."""
    return (cards >> RANKS * suit & _SUIT_MASK for suit in range(len(SUITS)))


class DoubtActionEncoder:
    """The encoder of actions at a table of I Doubt It.

    Attributes:
        texts: all numbers: a card to lay, a rank to claim, an answer.
        count: numbers are below this one.
    """

    def __init__(self) -> None:
        self.texts = dict(_ACTION_TEXTS)
        self.count = len(_ACTION_TEXTS)

    def mask(self, rules: IDoubtIt, seat: int, pending: tuple[int, ...]) -> bytes:
        """A byte for each number, 1 if this seat may choose it now."""
        if seat not in rules.to_act:
            return _NO_ACTION
        if rules.phase == "answer":
            return _ANSWER_MASK
        return _next_cards(rules.hands[seat], rules.cards_due(seat), pending)

    def mask_from_view(self, view: Json, legal: Sequence[str], pending: tuple[int, ...]) -> bytes:
        """The same from the view of the seat and the legal actions of a match."""
        if not legal:
            return _NO_ACTION
        first = legal[0].split()
        if first[0] != "lay":
            return _ANSWER_MASK
        return _next_cards(card_set(FULL_DECK.parse_all(view["hand"])), len(first) - 3, pending)

    def decode(self, number: int, pending: tuple[int, ...]) -> str | None:
        """The claim or answer that this number completes; None for a card of a claim.

        Raises:
            GameError: the number does not exist, or a card or rank is due.
        """
        if number not in _ACTION_TEXTS:
            raise GameError(f"no action of this table is {quote(number)}: see its action mask")
        if number < CLAIM:
            return None
        if number >= DOUBT:
            if pending:
                raise GameError(
                    f"cards are chosen: add a card or a rank, not {_ACTION_TEXTS[number]}"
                )
            return _ACTION_TEXTS[number]
        if not pending:
            raise GameError(
                f"a rank is claimed for cards: choose them before {_ACTION_TEXTS[number]!r}"
            )
        return claim_text(
            [FULL_DECK.texts[card] for card in pending], FULL_DECK.ranks[number - CLAIM]
        )

    def encode(self, action: str) -> Sequence[int]:
        """The cards of a claim, ascending, and its rank; or the number of an answer."""
        words = action.split()
        if words[0] != "lay":
            return (DOUBT + ANSWERS.index(action),)
        cards = sorted(FULL_DECK.parse_all(words[1:-2]))
        return (*cards, CLAIM + FULL_DECK.ranks.index(words[-1]))


def _next_cards(hand: int, due: int, pending: tuple[int, ...]) -> bytes:
    """The cards that may be chosen next: higher than the last, with enough higher cards left."""
    more = due - len(pending)
    if not more:
        return _RANK_MASK
    left = hand >> pending[-1] + 1 << pending[-1] + 1 if pending else hand
    for _ in range(more - 1):
        left ^= 1 << left.bit_length() - 1
    return b"".join(map(_mask_to_bytes, _ranks_by_suit(left))) + _NO_RANK + _NO_ANSWER


class TurnHistory:
    """The turns of a deal as each seat may know them, updated as the deal proceeds.

    A turn is final once another has followed.
    """

    def __init__(self, players: int) -> None:
        self._players = players
        self.standing: list[int] = []
        self.start_round([])

    def start_round(self, standing: Iterable[Json]) -> None:
        """Starts a deal with this standing."""
        self.standing = standing_values(standing)
        self._told = 0
        self._rows = [array("i") for _ in range(self._players)]

    def on_action(self, _rules: IDoubtIt, _seat: int, _done: str) -> None:
        """Does nothing: the rules record the turns themselves."""

    def copy(self) -> "TurnHistory":
        """An independent copy of the turns."""
        made = TurnHistory(self._players)
        made.standing, made._told = self.standing, self._told
        made._rows = [rows[:] for rows in self._rows]
        return made

    def rows(self, turns: Sequence[Turn], seat: int) -> "array[int]":
        """The turns of this deal as a seat may know them, without skipped turns."""
        settled = len(turns) - 1
        while self._told < settled:
            turn = turns[self._told]
            for reader, rows in enumerate(self._rows):
                rows.extend(_encode_turn(turn, reader))
            self._told += 1
        rows = self._rows[seat]
        return rows + array("i", _encode_turn(turns[-1], seat)) if turns else rows


class DoubtObservationEncoder:
    """The encoder of observations of matches of I Doubt It.

    Args:
        rules: the rules of this game.

    Attributes:
        parts: the parts of an observation, in order.
        size: the total size.
    """

    def __init__(self, rules: IDoubtIt) -> None:
        self._players = players = rules.players
        longest = rules.game.options["max_turns"]
        assert isinstance(longest, int)
        seats, by_seat, rank = (NONE, players - 1), (players,), (NONE, RANKS - 1)
        pieces: list[PartSpec] = [
            ("seat", (), (0, players - 1)),
            ("turn", (), seats),
            ("dealer", (), seats),
            ("round", (), (1, MAX_VALUE)),
            ("claims", (), (0, longest)),
            ("middle", (), (0, CARDS)),
            ("claimer", (), seats),
            ("claimed", (), rank),
            ("claim_cards", (), (0, CLAIM_SIZE)),
            ("hand_sizes", by_seat, (0, CARDS)),
            ("points", by_seat, (-MAX_VALUE, MAX_VALUE)),
            ("standing", (players, 1), (-MAX_VALUE, MAX_VALUE)),
            ("hand", (CARDS,), (0, 1)),
            ("chosen", (CARDS,), (0, 1)),
            ("history", (longest, ROW_SIZE), (NONE, CARDS)),
        ]
        self.parts = assign_slices(pieces)
        self.size = self.parts[-1].array_slice.stop
        self._empty = array("i", [NONE] * (longest * ROW_SIZE)).tobytes()

    def new_history(self) -> TurnHistory:
        """The empty turns of a deal that is about to start."""
        return TurnHistory(self._players)

    def encode_from_rules(
        self, rules: IDoubtIt, seat: int, history: TurnHistory, pending: tuple[int, ...]
    ) -> NDArray[np.int32]:
        """The observation of a seat, from the rules.

        Args:
            rules: the rules object, with the state of the match.
            seat: the observing seat.
            history: the turns of this deal.
            pending: the cards that the seat has chosen for its claim.
        """
        turns, claim = rules.turns, (NONE, NONE, 0)
        if rules.phase == "answer":
            turn = turns[-1]
            claim = (turn.seat, FULL_DECK.ranks.index(turn.rank or ""), len(turn.laid))
        numbers = [
            seat,
            rules.to_act[0] if rules.to_act else NONE,
            encode_optional(rules.dealer),
            rules.round_number,
            rules.claims,
            len(rules.middle),
            *claim,
            *map(int.bit_count, rules.hands),
            *rules.fees,
            *history.standing,
        ]
        return self._encode(numbers, rules.hands[seat], pending, history.rows(turns, seat))

    def encode_from_view(self, view: Json, pending: tuple[int, ...] = ()) -> NDArray[np.int32]:
        """The observation of a seat, from its view; identical to that of `encode_from_rules`.

        Args:
            view: `match.view(seat)` of this game with the same options.
            pending: the cards that the seat has chosen for its claim.
        """
        claim = view["claim"]
        numbers = [
            view["seat"],
            view["to_act"][0] if view["to_act"] else NONE,
            encode_optional(view["dealer"]),
            view["round"],
            view["claims"],
            view["middle"],
            *(
                (NONE, NONE, 0)
                if claim is None
                else (claim["seat"], FULL_DECK.ranks.index(claim["rank"]), claim["count"])
            ),
            *view["hand_sizes"],
            *view["points"],
            *standing_values(view["standing"]),
        ]
        rows = array("i")
        for turn in view["turns"]:
            rows.extend(_encode_turn_of_view(turn))
        return self._encode(numbers, card_set(FULL_DECK.parse_all(view["hand"])), pending, rows)

    def _encode(
        self, numbers: list[int], hand: int, pending: tuple[int, ...], rows: "array[int]"
    ) -> NDArray[np.int32]:
        encoded = rows.tobytes()
        pieces: list[bytes | array[int]] = [
            array("i", numbers),
            *map(_mask_to_ints, _ranks_by_suit(hand)),
            *map(_mask_to_ints, _ranks_by_suit(card_set(pending))),
            encoded,
            self._empty[len(encoded) :],
        ]
        return np.frombuffer(bytearray().join(pieces), np.int32)


def _encode_turn(turn: Turn, reader: int) -> list[int]:
    """Encodes a turn as a seat may know it; skipped turns are empty (ID3 - ID5)."""
    if not turn.laid and not turn.drawn:
        return []
    own, up = turn.seat == reader, turn.truth is not None
    return [
        turn.seat,
        len(turn.drawn),
        *_encode_cards(turn.drawn if own else ()),
        FULL_DECK.ranks.index(turn.rank) if turn.rank else NONE,
        len(turn.laid),
        *_encode_cards(turn.laid if own or up else ()),
        len(turn.passed_seats),
        encode_optional(turn.doubter),
        encode_optional(turn.truth),
        encode_optional(turn.taker),
        turn.taken_count,
    ]


def _encode_turn_of_view(turn: Json) -> list[int]:
    """The same from a view."""
    if not turn["count"] and not turn["drew"]:
        return []
    return [
        turn["seat"],
        turn["drew"],
        *_encode_cards(FULL_DECK.parse_all(turn["drawn"] or ())),
        FULL_DECK.ranks.index(turn["rank"]) if turn["rank"] else NONE,
        turn["count"],
        *_encode_cards(FULL_DECK.parse_all(turn["laid"] or ())),
        len(turn["passed"]),
        encode_optional(turn["doubter"]),
        encode_optional(turn["truth"]),
        encode_optional(turn["taker"]),
        turn["taken"],
    ]


def _encode_cards(cards: Sequence[int]) -> list[int]:
    """Encodes up to three cards of a turn with a fixed number of values."""
    return [*cards, *(NONE,) * (CLAIM_SIZE - len(cards))]
