"""What can be asked of a table. A person is the SHA-256 of his token, as in the events."""

from dataclasses import dataclass

__all__ = [
    "Act",
    "Answer",
    "Command",
    "Compute",
    "Proceed",
    "Return",
    "Sit",
    "Stand",
    "Start",
    "Swap",
    "TimeUp",
    "Withdraw",
]


@dataclass(frozen=True, slots=True)
class Sit:
    """A person wants a free seat under a nickname; one who is seated keeps his own."""

    person: str
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Stand:
    """A person gives his seat up."""

    person: str


@dataclass(frozen=True, slots=True)
class Swap:
    """A seated person wants to swap seats with whoever holds another one."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A seated person says yes or no to whoever has asked him from a seat to swap."""

    person: str
    seat: int
    accept: bool


@dataclass(frozen=True, slots=True)
class Withdraw:
    """A seated person no longer asks to swap."""

    person: str


@dataclass(frozen=True, slots=True)
class Start:
    """A seated person wants the match to begin."""

    person: str


@dataclass(frozen=True, slots=True)
class Act:
    """A seated person does an action of the game."""

    person: str
    action: str


@dataclass(frozen=True, slots=True)
class Compute:
    """The computer does an action for a seat it plays."""

    seat: int
    action: str


@dataclass(frozen=True, slots=True)
class Proceed:
    """A seated person is ready for the next round or the rematch."""

    person: str


@dataclass(frozen=True, slots=True)
class Return:
    """A seated person shows that he is there; nothing happens unless he was away."""

    person: str


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The thinking time of a seat has run out."""

    seat: int


Command = Sit | Stand | Swap | Answer | Withdraw | Start | Act | Compute | Proceed | Return | TimeUp
