"""What a view holds, as types: the part that is the same in every game.

A game declares the view it gives in its own file: a `TypedDict` made of `CommonView` with its
rounds, its standing and its own keys, named as `view` on its class. The conformance kit holds the
game to it, and the server's messages are described by it. Views are plain JSON: where a tuple is
declared, a list of that form stands.
"""

from collections.abc import Mapping
from functools import cache
from typing import (
    Any,
    Literal,
    TypedDict,
    TypeGuard,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from jasstisch.games.options import Value
from jasstisch.games.rules import REGISTRY, Rules

__all__ = [
    "Card",
    "CommonRound",
    "CommonView",
    "Letter",
    "SeatCard",
    "Trick",
    "declares_keys",
    "round_type",
    "satisfies",
]  # fmt: skip

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


Part = TypeVar("Part")


def declares_keys(view: Mapping[str, Any], part: type[Part]) -> TypeGuard[Part]:
    """Whether the game of a view declares all that is in another view, such as its bids.

    Where it does, the view is one of that type. A game that declares nothing shows none of it,
    whatever it calls its own keys.

    Args:
        view: a view of any game.
        part: the `TypedDict` of a view, of this game or of one it is like.
    """
    declared: object = REGISTRY[view["game"]].view_type
    wanted: object = part
    return _type_declares(declared, wanted)


def round_type(rules: type[Rules]) -> type | None:
    """The type that a game declares of its finished rounds; None where it declares none."""
    if rules.view_type is None:
        return None
    (declared,) = get_args(get_type_hints(rules.view_type)["rounds"])
    return declared if isinstance(declared, type) else None


def satisfies(declared: type | None, part: type) -> bool:
    """Whether one type of finished rounds holds all that another declares, such as bids."""
    return declared is not None and _type_declares(declared, part)


@cache
def _type_declares(declared: object, part: object) -> bool:
    """Whether all that one type holds is in the other, of finished rounds and standings too."""
    if is_typeddict(declared) and is_typeddict(part):
        own = get_type_hints(declared, include_extras=True)
        wanted = get_type_hints(part, include_extras=True)
        return all(key in own and _type_declares(own[key], one) for key, one in wanted.items())
    if get_origin(declared) is get_origin(part) is list:
        return _type_declares(get_args(declared)[0], get_args(part)[0])
    return declared == part
