"""What a view holds, as types: the part that is the same in every game.

A game declares the view it gives in its own file: a `TypedDict` made of `CommonView` with its
rounds, its standing and its own keys, named as `view` on its class. The conformance kit holds the
game to it, and the server's messages are described by it. Views are plain JSON: where a tuple is
declared, a list of that form stands.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from jasstisch.games.options import Value
from jasstisch.games.rules import REGISTRY

__all__ = ["Card", "CommonRound", "CommonView", "Letter", "SeatCard", "Trick", "shows"]

Card = str
"""A card in its text form, such as `JC`."""

Letter = Literal["C", "D", "H", "S"]
"""A suit, as its letter."""

SeatCard = tuple[int, Card]
"""A seat and its card."""


class Trick(TypedDict):
    """A complete trick: `cards` in order of play, beginning with the leader's."""

    leader: int
    cards: list[Card]
    winner: int


class CommonRound(TypedDict):
    """A finished round, as far as it is the same in every game; marks are as on the slate."""

    dealer: int
    trump: Letter | None
    tricks: list[Trick]
    points: list[int]
    marks: list[str]


class CommonView(TypedDict):
    """What every view holds besides the finished rounds and the standing.

    What the reader may not know is null. `tricks` are those of the round in progress, `trick` the
    one on the table (empty once complete); both are empty between rounds. The phases `draw` and
    `deal` await those packs, `play` awaits a card; `over` ends the match; a game has others.
    """

    game: str
    options: dict[str, Value]
    players: list[str]
    seat: int | None
    phase: str
    round: int
    dealer: int | None
    draw: list[SeatCard] | None
    to_act: list[int]
    needs_pack: bool
    hand: list[Card] | None
    hand_sizes: list[int]
    trick: list[SeatCard]
    last_trick: Trick | None
    tricks: list[Trick]
    trump: Letter | None
    points: list[int | None]
    over: bool
    winners: list[int]


def shows(view: Mapping[str, Any], part: type) -> bool:
    """Whether the game of a view declares all that is in another view, such as its bids.

    Args:
        view: a view of any game.
        part: the `TypedDict` of a view, of this game or of one it is like.
    """
    declared = REGISTRY[view["game"]].view
    return declared is not None and _keys(part) <= _keys(declared)


def _keys(declared: type) -> frozenset[str]:
    keys: frozenset[str] = getattr(declared, "__required_keys__", frozenset())
    return keys
