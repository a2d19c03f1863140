"""What can be asked of a table. A person is the SHA-256 of his token, as in the events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jasstisch.table.chat_phrases import Phrase

__all__ = [
    "Act",
    "AdminClose",
    "AdminCommand",
    "AdminRemoveNickname",
    "AdminUnpublish",
    "AnswerEntryRequest",
    "AnswerSwap",
    "AnswerUndo",
    "AssignSeat",
    "BotAct",
    "CallFirstPack",
    "ChatCommand",
    "ClaimRest",
    "CloseOpenings",
    "CloseTable",
    "Command",
    "DealCommand",
    "ErasePerson",
    "ExpireUndo",
    "HostCommand",
    "ReadyUp",
    "RemovePerson",
    "RequestSwap",
    "RequestUndo",
    "ResumeControl",
    "ResumeMatch",
    "RevokeLink",
    "SayPhrase",
    "SeatCommand",
    "SetChatPolicy",
    "SetEntryPolicy",
    "SetExtendedTime",
    "SetPublished",
    "SetSpectatorDelay",
    "SetStartPolicy",
    "Sit",
    "Stand",
    "StartMatch",
    "TakeOverFor",
    "TimeUp",
    "UndoCommand",
    "WithdrawSwap",
    "WithdrawUndo",
    "WriteChat",
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
class RequestSwap:
    """A seated person wants to swap seats with whoever holds another one."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class AnswerSwap:
    """A seated person says yes or no to whoever has asked him from a seat to swap."""

    person: str
    seat: int
    accept: bool


@dataclass(frozen=True, slots=True)
class WithdrawSwap:
    """A seated person no longer asks to swap."""

    person: str


@dataclass(frozen=True, slots=True)
class StartMatch:
    """A seated person wants the match to begin."""

    person: str


@dataclass(frozen=True, slots=True)
class ResumeMatch:
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
class BotAct:
    """The computer does an action for a seat it plays."""

    seat: int
    action: str


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """A seated person takes all tricks that are left, after so many milliseconds of his turn."""

    person: str
    took: int = 0


@dataclass(frozen=True, slots=True)
class RequestUndo:
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
class ExpireUndo:
    """No more answers are waited for to the question whether a card may be taken back."""


@dataclass(frozen=True, slots=True)
class ReadyUp:
    """A seated person is ready for the next round or the rematch."""

    person: str


@dataclass(frozen=True, slots=True)
class ResumeControl:
    """A seated person for whom the computer plays wants to go on himself."""

    person: str


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The thinking time of a seat has run out, after so many milliseconds."""

    seat: int
    took: int = 0


@dataclass(frozen=True, slots=True)
class CallFirstPack:
    """No more commitments are waited for: the first pack of the match may be called."""


@dataclass(frozen=True, slots=True)
class CloseOpenings:
    """No more openings are waited for: these were opened in time, by seat."""

    openings: Mapping[int, bytes]


@dataclass(frozen=True, slots=True)
class TakeOverFor:
    """A seated person has the computer play for another one, who is not there."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class SayPhrase:
    """A seated person says something that has a name."""

    person: str
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class WriteChat:
    """A seated person says something in his own words, which may be shown as they are."""

    person: str
    text: str


@dataclass(frozen=True, slots=True)
class ErasePerson:
    """A person is to be known no longer: he gives up his seat, and being the host."""

    person: str


@dataclass(frozen=True, slots=True)
class SetEntryPolicy:
    """The host decides who may take a seat."""

    person: str
    entry: Literal["link", "host", "nobody"]


@dataclass(frozen=True, slots=True)
class AnswerEntryRequest:
    """The host says yes or no to a request to be let in."""

    person: str
    number: int
    accept: bool


@dataclass(frozen=True, slots=True)
class RevokeLink:
    """The host wants another link: this key is needed from now on."""

    person: str
    key: str


@dataclass(frozen=True, slots=True)
class SetStartPolicy:
    """The host decides who may begin the match."""

    person: str
    who: Literal["all", "host"]


@dataclass(frozen=True, slots=True)
class SetChatPolicy:
    """The host decides whether people may write in their own words, besides the phrases."""

    person: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class SetPublished:
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
class SetSpectatorDelay:
    """The host decides whether those who only watch see the table a trick late."""

    person: str
    delayed: bool


@dataclass(frozen=True, slots=True)
class SetExtendedTime:
    """The host gives a seat three times the thinking time, or the usual one again."""

    person: str
    seat: int
    patient: bool


@dataclass(frozen=True, slots=True)
class RemovePerson:
    """The host takes a seat away from its person."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class AssignSeat:
    """The host gives a seat that no person holds to a computer player, or opens it (None)."""

    person: str
    seat: int
    bot: str | None


@dataclass(frozen=True, slots=True)
class CloseTable:
    """The host closes the table."""

    person: str


@dataclass(frozen=True, slots=True)
class AdminClose:
    """The operator of the server closes the table."""


@dataclass(frozen=True, slots=True)
class AdminRemoveNickname:
    """The operator of the server takes the nickname of a seat away."""

    seat: int


@dataclass(frozen=True, slots=True)
class AdminUnpublish:
    """The operator of the server takes the table off the list that everybody sees.

    Attributes:
        key: what is needed from now on.
    """

    key: str


SeatCommand = Stand | RequestSwap | AnswerSwap | WithdrawSwap
"""What people ask about the seats they hold."""

UndoCommand = RequestUndo | AnswerUndo | WithdrawUndo
"""What people ask and answer about a card that is to be taken back."""

ChatCommand = SayPhrase | WriteChat
"""What people say to each other."""

HostCommand = (
    SetEntryPolicy
    | AnswerEntryRequest
    | RevokeLink
    | SetStartPolicy
    | SetChatPolicy
    | SetPublished
    | SetSpectatorDelay
    | SetExtendedTime
    | RemovePerson
    | AssignSeat
    | CloseTable
)
"""What is the host's alone."""

AdminCommand = ErasePerson | AdminClose | AdminRemoveNickname | AdminUnpublish
"""What the server does to a table, whoever its host is."""

DealCommand = CallFirstPack | CloseOpenings
"""What ends the waiting for people's part in a pack."""

Command = (
    Sit
    | SeatCommand
    | StartMatch
    | ResumeMatch
    | Act
    | BotAct
    | ClaimRest
    | UndoCommand
    | ExpireUndo
    | ReadyUp
    | ResumeControl
    | TimeUp
    | TakeOverFor
    | ChatCommand
    | DealCommand
    | AdminCommand
    | HostCommand
)
