"""What can happen at a table: the entries of its log.

These structs are stored for good, so a field may be added with a default but never change its
meaning. A person is known here only by the SHA-256 of his token. Packs stand here in full: the log
is for the store and never leaves it towards a reader.
"""

from typing import Literal

from msgspec import Struct

__all__ = [
    "STAND_IN",
    "Acted",
    "Away",
    "Back",
    "Created",
    "Declined",
    "Event",
    "Gathered",
    "Held",
    "Offered",
    "Pack",
    "Ready",
    "Rematch",
    "Sat",
    "Started",
    "Stood",
    "Swapped",
    "Withdrew",
]


STAND_IN = "greedy"
"""The stand-in where nobody has chosen another."""


class _Entry(Struct, tag_field="kind", forbid_unknown_fields=True, frozen=True):
    pass


class Created(_Entry, tag="created", frozen=True):
    """The table was made.

    Attributes:
        table: its id.
        game: name of the game.
        options: every option with its effective value.
        seats: for each seat the name of its computer player, None for an open seat.
        thinking_time: seconds a person has, None for no limit.
        pause: milliseconds before a computer's move.
        guided: the first round of the first match is the guided one of the game.
        hints: whoever has the turn may ask what a strong player would do.
        stand_in: the computer player for open seats and for people who are away or have left.
        host: the person who made the table, None where that is not known.
    """

    table: str
    game: str
    options: dict[str, int | str | None]
    seats: list[str | None]
    thinking_time: int | None
    pause: int
    guided: bool = False
    hints: bool = False
    stand_in: str = STAND_IN
    host: str | None = None


class Sat(_Entry, tag="sat", frozen=True):
    """A person took a seat under a nickname."""

    seat: int
    person: str
    name: str


class Stood(_Entry, tag="stood", frozen=True):
    """The person of a seat left it; during a match the computer plays on."""

    seat: int


class Offered(_Entry, tag="offered", frozen=True):
    """The person of a seat asked the person of another one to swap seats; it is his one offer."""

    seat: int
    other: int


class Declined(_Entry, tag="declined", frozen=True):
    """The person of a seat stays where he is; the offer of the other one has ended."""

    seat: int
    other: int


class Withdrew(_Entry, tag="withdrew", frozen=True):
    """The person of a seat no longer asks to swap."""

    seat: int


class Swapped(_Entry, tag="swapped", frozen=True):
    """The person of a seat went to another one, and whoever held that came to his."""

    seat: int
    other: int


class Held(Struct, forbid_unknown_fields=True, frozen=True):
    """Who holds a seat before the first match.

    Attributes:
        person: who it is, None for a computer or nobody.
        name: that person's nickname.
        bot: the computer player that holds it.
        moves: how often the seat has done something.
        asks: the seat of the person whom this one asks to swap.
    """

    person: str | None
    name: str
    bot: str | None
    moves: int
    asks: int | None


class Gathered(_Entry, tag="gathered", frozen=True):
    """How the seats are held before the first match, in place of all that led there.

    People come and go at a table that does not begin. Of what cancels out nothing needs to be kept:
    the events between the creation and this one may be forgotten.

    Attributes:
        version: how many events the table has seen, this one included.
        seats: who holds each seat.
    """

    version: int
    seats: list[Held]


class Started(_Entry, tag="started", frozen=True):
    """The first match began, with these computer players in the seats that were open."""

    computers: dict[int, str]


class Rematch(_Entry, tag="rematch", frozen=True):
    """The next match began, with these computer players in the seats that were open."""

    computers: dict[int, str]


class Pack(_Entry, tag="pack", frozen=True):
    """The match received the shuffled pack it awaited (C6)."""

    cards: str


class Acted(_Entry, tag="acted", frozen=True):
    """A seat did an action, through its person or through the computer."""

    seat: int
    action: str
    by: Literal["person", "computer"]


class Ready(_Entry, tag="ready", frozen=True):
    """The person of a seat asked to go on: the next round, the rematch, a hint that was read."""

    seat: int


class Away(_Entry, tag="away", frozen=True):
    """The thinking time of a seat ran out; the computer plays for it until its person is back."""

    seat: int


class Back(_Entry, tag="back", frozen=True):
    """The person of a seat is back and plays himself again."""

    seat: int


Event = (
    Created
    | Sat
    | Stood
    | Offered
    | Declined
    | Withdrew
    | Swapped
    | Gathered
    | Started
    | Rematch
    | Pack
    | Acted
    | Ready
    | Away
    | Back
)
