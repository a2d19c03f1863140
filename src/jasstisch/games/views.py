"""The types of views: the part that is the same in every game.

Each game declares the type of its views in its own file: a `TypedDict` that extends `CommonView`
with its rounds, its standing and its own keys, named by `view_type` on its class. The conformance
tests check views against it, and the server's message schemas include it. Views are plain JSON:
where a tuple is declared, the view holds a list of that form.
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
    """The part of a finished round that is the same in every game; marks are as on the slate."""

    dealer: int
    trump: Letter | None
    tricks: list[Trick]
    points: list[int]
    marks: list[str]


class CommonView(TypedDict):
    """The keys of every view beside the finished rounds and the standing.

    Values that the reader may not know are null. `tricks` are the complete tricks of the round in
    progress, `trick` is the trick in progress (empty once complete); both are empty between rounds.
    The phases `draw` and `deal` await a pack for that purpose, `play` awaits a card, and `over` is
    the end of the match; a game has further phases.
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


_Part = TypeVar("_Part")


def declares_keys(view: Mapping[str, Any], part: type[_Part]) -> TypeGuard[_Part]:
    """Whether the game of a view declares all keys of another view type, such as bids.

    Where it does, the view is narrowed to that type. A game without a declared view type never
    matches, whatever keys its views have.

    Args:
        view: a view of any game.
        part: the `TypedDict` of a view, of this game or of a similar one.
    """
    declared: object = REGISTRY[view["game"]].view_type
    wanted: object = part
    return _type_declares(declared, wanted)


def round_type(rules: type[Rules]) -> type | None:
    """The declared type of a game's finished rounds; None where the game declares none."""
    if rules.view_type is None:
        return None
    (declared,) = get_args(get_type_hints(rules.view_type)["rounds"])
    return declared if isinstance(declared, type) else None


def round_type_declares(declared: type | None, part: type) -> bool:
    """Whether one type of finished rounds has all keys that another declares, such as bids."""
    return declared is not None and _type_declares(declared, part)


@cache
def _type_declares(declared: object, part: object) -> bool:
    """Whether one type declares all of another, including finished rounds and standings."""
    if is_typeddict(declared) and is_typeddict(part):
        own = get_type_hints(declared, include_extras=True)
        wanted = get_type_hints(part, include_extras=True)
        return all(key in own and _type_declares(own[key], one) for key, one in wanted.items())
    if get_origin(declared) is get_origin(part) is list:
        return _type_declares(get_args(declared)[0], get_args(part)[0])
    return declared == part
