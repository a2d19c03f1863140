"""What can be asked of a table. A person is the SHA-256 of his token, as in the events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jasstisch.table.phrases import Phrase

__all__ = [
    "Act",
    "Admit",
    "Answer",
    "AnswerUndo",
    "Close",
    "Command",
    "Compute",
    "Cover",
    "Deal",
    "Dealing",
    "Delay",
    "Forget",
    "Give",
    "GivePatience",
    "Hosting",
    "LapseUndo",
    "LetIn",
    "LetStart",
    "LetWrite",
    "Operating",
    "Proceed",
    "Publish",
    "Relink",
    "Remove",
    "Resume",
    "Return",
    "Say",
    "Seating",
    "Settle",
    "Shut",
    "Sit",
    "Stand",
    "Start",
    "Swap",
    "TakeRest",
    "Talking",
    "TimeUp",
    "Undo",
    "Undoing",
    "Unlist",
    "Unname",
    "Withdraw",
    "WithdrawUndo",
    "Write",
]


@dataclass(frozen=True, slots=True)
class Sit:
    """A person wants a free seat under a nickname and with a face; one who is seated keeps his own.

    Faces have numbers from 1; 0 is none. `program`: no person will play there but somebody's
    program, which says so itself.
    """

    person: str
    seat: int
    name: str
    face: int = 0
    program: bool = False


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
class Resume:
    """A seated person wants the match to begin where another one stood after this log."""

    person: str
    log: Sequence[tuple[int | str, str]]


@dataclass(frozen=True, slots=True)
class Act:
    """A seated person does an action of the game, after so many milliseconds of his turn."""

    person: str
    action: str
    took: int = 0


@dataclass(frozen=True, slots=True)
class Compute:
    """The computer does an action for a seat it plays."""

    seat: int
    action: str


@dataclass(frozen=True, slots=True)
class TakeRest:
    """A seated person takes all tricks that are left, after so many milliseconds of his turn."""

    person: str
    took: int = 0


@dataclass(frozen=True, slots=True)
class Undo:
    """A seated person wants to take his last card back."""

    person: str


@dataclass(frozen=True, slots=True)
class AnswerUndo:
    """A seated person says yes or no to whoever wants to take his last card back."""

    person: str
    accept: bool


@dataclass(frozen=True, slots=True)
class WithdrawUndo:
    """A seated person leaves his last card where it is after all."""

    person: str


@dataclass(frozen=True, slots=True)
class LapseUndo:
    """No more answers are waited for to the question whether a card may be taken back."""


@dataclass(frozen=True, slots=True)
class Proceed:
    """A seated person is ready for the next round or the rematch."""

    person: str


@dataclass(frozen=True, slots=True)
class Return:
    """A seated person for whom the computer plays wants to go on himself."""

    person: str


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The thinking time of a seat has run out, after so many milliseconds."""

    seat: int
    took: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """No more commitments are waited for: the first pack of the match may be called."""


@dataclass(frozen=True, slots=True)
class Settle:
    """No more openings are waited for: these were opened in time, by seat."""

    openings: Mapping[int, bytes]


@dataclass(frozen=True, slots=True)
class Cover:
    """A seated person has the computer play for another one, who is not there."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class Say:
    """A seated person says something that has a name."""

    person: str
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class Write:
    """A seated person says something in his own words, which may be shown as they are."""

    person: str
    text: str


@dataclass(frozen=True, slots=True)
class Forget:
    """A person is to be known no longer: he gives up his seat, and being the host."""

    person: str


@dataclass(frozen=True, slots=True)
class Admit:
    """The host decides who may take a seat."""

    person: str
    entry: Literal["link", "host", "nobody"]


@dataclass(frozen=True, slots=True)
class LetIn:
    """The host says yes or no to a request to be let in."""

    person: str
    number: int
    accept: bool


@dataclass(frozen=True, slots=True)
class Relink:
    """The host wants another link: this key is needed from now on."""

    person: str
    key: str


@dataclass(frozen=True, slots=True)
class LetStart:
    """The host decides who may begin the match."""

    person: str
    who: Literal["all", "host"]


@dataclass(frozen=True, slots=True)
class LetWrite:
    """The host decides whether people may write in their own words, besides the phrases."""

    person: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class Publish:
    """The host decides whether the table stands in the list that everybody sees.

    Attributes:
        person: who asks.
        published: whether it does.
        key: what is needed from now on where it no longer does.
    """

    person: str
    published: bool
    key: str


@dataclass(frozen=True, slots=True)
class Delay:
    """The host decides whether those who only watch see the table a trick late."""

    person: str
    delayed: bool


@dataclass(frozen=True, slots=True)
class GivePatience:
    """The host gives a seat three times the thinking time, or the usual one again."""

    person: str
    seat: int
    patient: bool


@dataclass(frozen=True, slots=True)
class Remove:
    """The host takes a seat away from its person."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class Give:
    """The host gives a seat that no person holds to a computer player, or opens it (None)."""

    person: str
    seat: int
    bot: str | None


@dataclass(frozen=True, slots=True)
class Close:
    """The host closes the table."""

    person: str


@dataclass(frozen=True, slots=True)
class Shut:
    """The operator of the server closes the table."""


@dataclass(frozen=True, slots=True)
class Unname:
    """The operator of the server takes the nickname of a seat away."""

    seat: int


@dataclass(frozen=True, slots=True)
class Unlist:
    """The operator of the server takes the table off the list that everybody sees.

    Attributes:
        key: what is needed from now on.
    """

    key: str


Seating = Stand | Swap | Answer | Withdraw
"""What people ask about the seats they hold."""

Undoing = Undo | AnswerUndo | WithdrawUndo
"""What people ask and answer about a card that is to be taken back."""

Talking = Say | Write
"""What people say to each other."""

Hosting = (
    Admit
    | LetIn
    | Relink
    | LetStart
    | LetWrite
    | Publish
    | Delay
    | GivePatience
    | Remove
    | Give
    | Close
)
"""What is the host's alone."""

Operating = Forget | Shut | Unname | Unlist
"""What the server does to a table, whoever its host is."""

Dealing = Deal | Settle
"""What ends the waiting for people's part in a pack."""

Command = (
    Sit
    | Seating
    | Start
    | Resume
    | Act
    | Compute
    | TakeRest
    | Undoing
    | LapseUndo
    | Proceed
    | Return
    | TimeUp
    | Cover
    | Talking
    | Dealing
    | Operating
    | Hosting
)
