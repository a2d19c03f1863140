"""The encoding of observations in games of tricks.

Names and meaning are those of a batch's observation (docs/batch-environment.md), with sets expanded
to a 0 or 1 for each card. Observations are encoded from the rules during training, and from a view
when a policy plays at a table or in the arena: a test proves that both are identical. So they
contain nothing that is not in the view.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS
from jasstisch.env.matches.game_features import CARDS, card_mask, features_for
from jasstisch.env.matches.observation_parts import (
    MAX_VALUE,
    NONE,
    PartSpec,
    assign_slices,
    encode_optional,
    standing_values,
)
from jasstisch.games.handjass import HandjassView
from jasstisch.games.rules import Json
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.views import declares_keys

_MASK_TO_INTS = tuple(
    array("i", [ranks >> rank & 1 for rank in range(tricks.RANKS)]).tobytes()
    for ranks in range(1 << tricks.RANKS)
)
"""For each set of ranks of a suit, a number for each rank, 1 if it is in the set."""


class TrickHistory:
    """The history of a round, updated with each action.

    Attributes:
        board: a flag for each card that each seat has played and for each that it has captured,
            then seat and card of each play in order.
        standing: the totals of each seat before this round.
    """

    def __init__(self, players: int, deck: int) -> None:
        self._taken = players * CARDS
        self._plays = 2 * self._taken
        self._empty = array("i", [0] * self._plays + [NONE] * 2 * deck)
        self._points: list[int] = []
        self.start_round([])

    def start_round(self, standing: Iterable[Mapping[str, Any]]) -> None:
        """Starts a round with this standing."""
        self.board = self._empty[:]
        self._end = self._plays
        self._counted: tuple[int, ...] = ()
        self.standing = standing_values(standing)

    def on_play(self, seat: int, card: int) -> None:
        """Records a card played by a seat."""
        board, end = self.board, self._end
        board[seat * CARDS + card] = 1
        board[end], board[end + 1] = seat, card
        self._end = end + 2

    def on_trick(self, winner: int, cards: Iterable[int]) -> None:
        """Records a trick taken by a seat."""
        for card in cards:
            self.board[self._taken + winner * CARDS + card] = 1

    def on_action(self, rules: TrickTaking, seat: int, done: str) -> None:
        """Records an action of a seat, in its text form."""
        if done.startswith("play "):
            self.on_play(seat, JASS.numbers[done[5:7]])
            if not rules.trick and rules.history:
                _, cards, winner = rules.history[-1]
                self.on_trick(winner, cards)

    def copy(self) -> Self:
        """An independent copy of the history."""
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        made.board = self.board[:]
        return made

    def points(self, rules: TrickTaking) -> list[int]:
        """The points of all seats, recomputed only if they may have changed."""
        counted = (len(rules.history), rules.value_ranking, *rules.extra)
        if counted != self._counted:
            self._counted, self._points = counted, rules.points()
        return self._points


class TrickObservationEncoder:
    """The encoder of observations of matches of one game.

    Args:
        rules: the rules of a game of tricks.

    Attributes:
        parts: the parts of an observation, in order.
        size: the total size.
    """

    def __init__(self, rules: TrickTaking) -> None:
        self._players = rules.players
        self._deck = len(rules.whole_pack)
        self._features = features_for(rules)
        # The options decide whose points a seat may see.
        self._shows_points = [
            [points is not None for points in rules.visible_points(seat)]
            for seat in range(self._players)
        ]
        figures_of_seat = len(standing_values(rules.standing()[:1]))
        common = _common_parts(self._players, self._deck, figures_of_seat)
        cards: list[PartSpec] = [
            *((name, (CARDS,), (0, 1)) for name in ("hand", *self._features.card_set_names)),
            ("played", (self._players, CARDS), (0, 1)),
            ("taken", (self._players, CARDS), (0, 1)),
            ("history", (self._deck, 2), (NONE, CARDS - 1)),
        ]
        taken = {name for name, *_ in (*common, *cards)}
        own = [
            (f"own_{name}" if name in taken else name, shape, bounds)
            for name, shape, bounds in self._features.numeric_parts
        ]
        self.parts = assign_slices([*common, *own, *cards])
        self.size = self.parts[-1].array_slice.stop

    def new_history(self) -> TrickHistory:
        """The empty history of a round that is about to start."""
        return TrickHistory(self._players, self._deck)

    def encode_from_rules(
        self, rules: TrickTaking, seat: int, history: TrickHistory, pending: tuple[int, ...]
    ) -> NDArray[np.int32]:
        """The observation of a seat, from the rules.

        Args:
            rules: the rules object, with the state of the match.
            seat: the observing seat.
            history: the history of this round.
            pending: whether the seat has announced Weis and owes the card.
        """
        melding = bool(pending)
        trick, to_act, valued = rules.trick, rules.to_act, rules.value_ranking
        own, own_sets = self._features.values_from_rules(rules, seat, announces_weis=melding)
        points, shows = history.points(rules), self._shows_points[seat]
        numbers = [
            seat,
            to_act[0] if to_act else NONE,
            encode_optional(rules.dealer),
            valued if tricks.TRUMP_CARDS[valued] else NONE,
            rules.leader if rules.phase == "play" else NONE,
            rules.round_number,
            melding,
            *trick,
            *(NONE,) * (self._players - len(trick)),
            *map(int.bit_count, rules.hands),
            *(points if all(shows) else map(_visible_points, points, shows)),
            *history.standing,
            *own,
        ]
        return _encode(numbers, (rules.hands[seat], *own_sets), history)

    def encode_from_view(self, view: Json, pending: tuple[int, ...] = ()) -> NDArray[np.int32]:
        """The observation of a seat, from its view; identical to that of `encode_from_rules`.

        Args:
            view: `match.view(seat)` of this game with the same options.
            pending: whether the seat has announced Weis and owes the card.
        """
        melding = bool(pending)
        history = self._history_from_view(view)
        own, own_sets = self._features.values_from_view(view, announces_weis=melding)
        numbers = [
            view["seat"],
            view["to_act"][0] if view["to_act"] else NONE,
            encode_optional(view["dealer"]),
            SUITS.index(view["trump"]) if view["trump"] else NONE,
            _leader(view),
            view["round"],
            melding,
            *(JASS.numbers[card] for _, card in view["trick"]),
            *(NONE,) * (self._players - len(view["trick"])),
            *view["hand_sizes"],
            *map(encode_optional, view["points"]),
            *history.standing,
            *own,
        ]
        return _encode(numbers, (card_mask(view["hand"]), *own_sets), history)

    def _history_from_view(self, view: Json) -> TrickHistory:
        """The history of the round, from a view."""
        history = self.new_history()
        history.start_round(view["standing"])
        for trick in view["tricks"]:
            cards = [JASS.numbers[card] for card in trick["cards"]]
            for seat, card in zip(_seat_order(view, trick["leader"]), cards, strict=True):
                history.on_play(seat, card)
            history.on_trick(trick["winner"], cards)
        for seat, text in view["trick"]:
            history.on_play(seat, JASS.numbers[text])
        return history


def _visible_points(points: int, shown: bool) -> int:
    return points if shown else NONE


def _common_parts(players: int, deck: int, figures_of_seat: int) -> list[PartSpec]:
    """The parts that every game has."""
    seats, by_seat = (NONE, players - 1), (players,)
    return [
        ("seat", (), (0, players - 1)),
        ("turn", (), seats),
        ("dealer", (), seats),
        ("trump", (), (NONE, len(SUITS) - 1)),
        ("leader", (), seats),
        ("round", (), (1, MAX_VALUE)),
        ("melding", (), (0, 1)),
        ("trick", by_seat, (NONE, CARDS - 1)),
        ("hand_sizes", by_seat, (0, deck)),
        ("points", by_seat, (NONE, MAX_VALUE)),
        ("standing", (players, figures_of_seat), (-MAX_VALUE, MAX_VALUE)),
    ]


def _encode(
    numbers: Sequence[int], sets: Iterable[int], history: TrickHistory
) -> NDArray[np.int32]:
    """Encodes the array of an observation."""
    pieces: list[bytes | array[int]] = [array("i", numbers)]
    for cards in sets:
        pieces += (
            _MASK_TO_INTS[cards & 511],
            _MASK_TO_INTS[cards >> 9 & 511],
            _MASK_TO_INTS[cards >> 18 & 511],
            _MASK_TO_INTS[cards >> 27],
        )
    pieces.append(history.board)
    return np.frombuffer(bytearray().join(pieces), np.int32)


def _leader(view: Json) -> int:
    """The leader of the trick in progress."""
    if view["phase"] != "play":
        return NONE
    leader: int = view["trick"][0][0] if view["trick"] else view["to_act"][0]
    return leader


def _seat_order(view: Json, leader: int) -> list[int]:
    """The seats of this round in order of play, starting with the leader of a trick."""
    players = len(view["hand_sizes"])
    playing: Sequence[int] = (
        view["playing"] if declares_keys(view, HandjassView) else range(players)
    )
    seats = [(leader + step) % players for step in range(players)]
    return [seat for seat in seats if seat in playing]
