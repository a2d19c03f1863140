"""What a seat may know of a match, as one array of numbers.

Names and meaning are those of a batch's observation (docs/batch-environment.md), sets spread to a 0
or 1 for each card. An observation is made of the rules while players are trained, and of a view
where they play at a table or in the arena: both ways give the same, which a test proves. So nothing
is in it that is not in the view.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from jasstisch import tricks
from jasstisch.cards import JASS, SUITS
from jasstisch.env.matches.own import CARDS, cards_of, own_of
from jasstisch.env.matches.parts import MOST, NONE, Piece, figures, numbered, placed
from jasstisch.games.jass import JassView
from jasstisch.games.rules import Json
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.views import shows

__all__ = ["TrickSeeing", "TrickStory"]

SPREAD = tuple(
    array("i", [ranks >> rank & 1 for rank in range(tricks.RANKS)]).tobytes()
    for ranks in range(1 << tricks.RANKS)
)
"""For each set of ranks of a suit a number for each rank, 1 where it is in the set."""


class TrickStory:
    """How a round has gone, kept as it goes on.

    Attributes:
        board: a flag for each card that each seat has played and for each that it has captured,
            then seat and card of each play in order.
        standing: what each seat has gathered before this round.
    """

    def __init__(self, players: int, deck: int) -> None:
        self._taken = players * CARDS
        self._plays = 2 * self._taken
        self._empty = array("i", [0] * self._plays + [NONE] * 2 * deck)
        self._points: list[int] = []
        self.begin([])

    def begin(self, standing: Iterable[Mapping[str, Any]]) -> None:
        """A round begins, with this standing."""
        self.board = self._empty[:]
        self._end = self._plays
        self._counted: tuple[int, ...] = ()
        self.standing = figures(standing)

    def play(self, seat: int, card: int) -> None:
        """A seat has played a card."""
        board, end = self.board, self._end
        board[seat * CARDS + card] = 1
        board[end], board[end + 1] = seat, card
        self._end = end + 2

    def take(self, winner: int, cards: Iterable[int]) -> None:
        """A seat has taken a trick."""
        for card in cards:
            self.board[self._taken + winner * CARDS + card] = 1

    def follow(self, rules: TrickTaking, seat: int, number: int) -> None:
        """A seat has done this."""
        if number < CARDS:
            self.play(seat, number)
            if not rules.trick and rules.history:
                _, cards, winner = rules.history[-1]
                self.take(winner, cards)

    def copy(self) -> Self:
        """The story so far, once more."""
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        made.board = self.board[:]
        return made

    def points(self, rules: TrickTaking) -> list[int]:
        """The points of all seats, counted only where they may have changed since."""
        counted = (len(rules.history), rules.valued, *rules.extra)
        if counted != self._counted:
            self._counted, self._points = counted, rules.points()
        return self._points


class TrickSeeing:
    """How matches of one game are seen.

    Args:
        rules: of a game of tricks.

    Attributes:
        parts: what an observation holds, in order.
        size: how many numbers that are.
    """

    def __init__(self, rules: TrickTaking) -> None:
        self._players = rules.players
        self._deck = len(rules.whole_pack)
        self._own = own_of(rules)
        # Whose points a seat may see is settled by the options.
        self._shows = [
            [points is not None for points in rules.visible_points(seat)]
            for seat in range(self._players)
        ]
        figures_of_seat = len(figures(rules.standing()[:1]))
        self.parts = placed(
            [
                *_common(self._players, self._deck, figures_of_seat),
                *self._own.pieces,
                *((name, (CARDS,), (0, 1)) for name in ("hand", *self._own.sets)),
                ("played", (self._players, CARDS), (0, 1)),
                ("taken", (self._players, CARDS), (0, 1)),
                ("history", (self._deck, 2), (NONE, CARDS - 1)),
            ]
        )
        self.size = self.parts[-1].where.stop

    def story(self) -> TrickStory:
        """How a round has gone that is about to begin."""
        return TrickStory(self._players, self._deck)

    def of_rules(
        self, rules: TrickTaking, seat: int, story: TrickStory, begun: tuple[int, ...]
    ) -> NDArray[np.int32]:
        """What a seat may know, from the rules themselves.

        Args:
            rules: the match as it stands.
            seat: who looks.
            story: how this round has gone.
            begun: whether the seat has announced Weis and owes the card.
        """
        melding = bool(begun)
        trick, to_act, valued = rules.trick, rules.to_act, rules.valued
        own, own_sets = self._own.of_rules(rules, seat, melding=melding)
        points, shows = story.points(rules), self._shows[seat]
        numbers = [
            seat,
            to_act[0] if to_act else NONE,
            numbered(rules.dealer),
            valued if tricks.TRUMP_CARDS[valued] else NONE,
            rules.leader if rules.phase == "play" else NONE,
            rules.round_number,
            melding,
            *trick,
            *(NONE,) * (self._players - len(trick)),
            *map(int.bit_count, rules.hands),
            *(points if all(shows) else map(_if_shown, points, shows)),
            *story.standing,
            *own,
        ]
        return _written(numbers, (rules.hands[seat], *own_sets), story)

    def of_view(self, view: Json, begun: tuple[int, ...] = ()) -> NDArray[np.int32]:
        """What a seat may know, from its view: the same as `of_rules`.

        Args:
            view: `match.view(seat)` of this game with the same options.
            begun: whether the seat has announced Weis and owes the card.
        """
        melding = bool(begun)
        story = self._story_of(view)
        own, own_sets = self._own.of_view(view, melding=melding)
        numbers = [
            view["seat"],
            view["to_act"][0] if view["to_act"] else NONE,
            numbered(view["dealer"]),
            SUITS.index(view["trump"]) if view["trump"] else NONE,
            _leader(view),
            view["round"],
            melding,
            *(JASS.numbers[card] for _, card in view["trick"]),
            *(NONE,) * (self._players - len(view["trick"])),
            *view["hand_sizes"],
            *map(numbered, view["points"]),
            *story.standing,
            *own,
        ]
        return _written(numbers, (cards_of(view["hand"]), *own_sets), story)

    def _story_of(self, view: Json) -> TrickStory:
        """How the round has gone by this view."""
        story = self.story()
        story.begin(view["standing"])
        for trick in view["tricks"]:
            cards = [JASS.numbers[card] for card in trick["cards"]]
            for seat, card in zip(_order(view, trick["leader"]), cards, strict=True):
                story.play(seat, card)
            story.take(trick["winner"], cards)
        for seat, text in view["trick"]:
            story.play(seat, JASS.numbers[text])
        return story


def _if_shown(points: int, shown: bool) -> int:
    return points if shown else NONE


def _common(players: int, deck: int, figures_of_seat: int) -> list[Piece]:
    """The numbers that every game has."""
    seats, by_seat = (NONE, players - 1), (players,)
    return [
        ("seat", (), (0, players - 1)),
        ("turn", (), seats),
        ("dealer", (), seats),
        ("trump", (), (NONE, len(SUITS) - 1)),
        ("leader", (), seats),
        ("round", (), (1, MOST)),
        ("melding", (), (0, 1)),
        ("trick", by_seat, (NONE, CARDS - 1)),
        ("hand_sizes", by_seat, (0, deck)),
        ("points", by_seat, (NONE, MOST)),
        ("standing", (players, figures_of_seat), (-MOST, MOST)),
    ]


def _written(numbers: Sequence[int], sets: Iterable[int], story: TrickStory) -> NDArray[np.int32]:
    """The array of an observation."""
    pieces: list[bytes | array[int]] = [array("i", numbers)]
    for cards in sets:
        pieces += (
            SPREAD[cards & 511],
            SPREAD[cards >> 9 & 511],
            SPREAD[cards >> 18 & 511],
            SPREAD[cards >> 27],
        )
    pieces.append(story.board)
    return np.frombuffer(bytearray().join(pieces), np.int32)


def _leader(view: Json) -> int:
    """Who leads or has led the trick."""
    if view["phase"] != "play":
        return NONE
    leader: int = view["trick"][0][0] if view["trick"] else view["to_act"][0]
    return leader


def _order(view: Json, leader: int) -> list[int]:
    """The seats of this round in order of play, from the leader of a trick."""
    players = len(view["hand_sizes"])
    playing: Sequence[int] = view["playing"] if shows(view, JassView) else range(players)
    seats = [(leader + step) % players for step in range(players)]
    return [seat for seat in seats if seat in playing]
