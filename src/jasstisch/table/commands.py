"""The commands of a table. A person is the SHA-256 of their token, as in the events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jasstisch.table.chat_phrases import Phrase


@dataclass(frozen=True, slots=True)
class Sit:
    """A person takes a free seat with a nickname and a face; a seated person keeps their seat.

    Faces have numbers from 1; 0 is none. `is_program`: a program plays there on a person's behalf,
    by its own declaration. `is_kept`: the seat is kept for the person who left it, so that others
    can only ask the host for it.
    """

    person: str
    seat: int
    name: str
    face: int = 0
    is_program: bool = False
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Stand:
    """A person gives up their seat."""

    person: str


@dataclass(frozen=True, slots=True)
class RequestSwap:
    """A seated person asks to swap seats with the occupant of another seat."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class AnswerSwap:
    """A seated person accepts or declines the swap request from another seat."""

    person: str
    seat: int
    accept: bool


@dataclass(frozen=True, slots=True)
class WithdrawSwap:
    """A seated person withdraws their swap request."""

    person: str


@dataclass(frozen=True, slots=True)
class StartMatch:
    """A seated person starts the match."""

    person: str


@dataclass(frozen=True, slots=True)
class ResumeMatch:
    """A seated person starts a match that continues another one from the end of this log."""

    person: str
    log: Sequence[tuple[int | str, str]]


@dataclass(frozen=True, slots=True)
class Act:
    """A seated person carries out an action of the game.

    `took_ms`: milliseconds of their turn; `weis`: Weis are announced with the card if they can be.
    """

    person: str
    action: str
    took_ms: int = 0
    weis: bool = False


@dataclass(frozen=True, slots=True)
class BotAct:
    """A bot carries out an action for a seat it plays."""

    seat: int
    action: str


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """A seated person claims all remaining tricks; `took_ms`: milliseconds of their turn."""

    person: str
    took_ms: int = 0


@dataclass(frozen=True, slots=True)
class RequestUndo:
    """A seated person asks to undo their last card."""

    person: str


@dataclass(frozen=True, slots=True)
class AnswerUndo:
    """A seated person agrees to an undo request or declines it."""

    person: str
    accept: bool


@dataclass(frozen=True, slots=True)
class WithdrawUndo:
    """A seated person withdraws their undo request."""

    person: str


@dataclass(frozen=True, slots=True)
class ExpireUndo:
    """The time to answer the undo request has run out."""


@dataclass(frozen=True, slots=True)
class ReplaceHost:
    """A person becomes the host before the match, because the host is gone or is back."""

    person: str


@dataclass(frozen=True, slots=True)
class ReadyUp:
    """A seated person is ready for the next round or the rematch."""

    person: str


@dataclass(frozen=True, slots=True)
class ResumeControl:
    """A seated person for whom a bot plays asks to play again."""

    person: str


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The thinking time of a seat has run out; `took_ms` is its length in milliseconds."""

    seat: int
    took_ms: int = 0


@dataclass(frozen=True, slots=True)
class EndCommitmentWait:
    """The wait for commitments is over: the first pack of the match may be called."""


@dataclass(frozen=True, slots=True)
class CloseCommitmentOpenings:
    """The wait for openings is over; these were opened in time, by seat."""

    openings: Mapping[int, bytes]


@dataclass(frozen=True, slots=True)
class LetBotTakeOver:
    """A seated person lets a bot play for another person, who is not connected."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class SayPhrase:
    """A seated person says a predefined phrase."""

    person: str
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class WriteChat:
    """A seated person writes a chat line, which is already sanitized."""

    person: str
    text: str


@dataclass(frozen=True, slots=True)
class ErasePerson:
    """A person is erased: they lose their seat, the role of host and their request for a seat."""

    person: str


@dataclass(frozen=True, slots=True)
class SetEntryPolicy:
    """The host decides who may take a seat."""

    person: str
    entry: Literal["link", "host", "nobody"]


@dataclass(frozen=True, slots=True)
class AnswerEntryRequest:
    """The host accepts or declines an entry request."""

    person: str
    number: int
    accept: bool


@dataclass(frozen=True, slots=True)
class RevokeLink:
    """The host revokes the link: from now on it needs this key."""

    person: str
    new_key: str


@dataclass(frozen=True, slots=True)
class SetStartPolicy:
    """The host decides who may start the match."""

    person: str
    who: Literal["all", "host"]


@dataclass(frozen=True, slots=True)
class SetChatPolicy:
    """The host decides whether people may write chat lines, besides the phrases."""

    person: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class SetPublished:
    """The host publishes the table in the public list or removes it from there.

    Attributes:
        person: the person who gives the command.
        published: whether the table is published.
        link_key: the key that the link needs once the table is no longer published.
    """

    person: str
    published: bool
    link_key: str


@dataclass(frozen=True, slots=True)
class SetSpectatorDelay:
    """The host decides whether spectators see the table with a delay of one trick."""

    person: str
    delayed: bool


@dataclass(frozen=True, slots=True)
class SetExtendedTime:
    """The host gives a seat three times the thinking time, or the normal time again."""

    person: str
    seat: int
    extended: bool


@dataclass(frozen=True, slots=True)
class RemovePerson:
    """The host removes the person of a seat."""

    person: str
    seat: int


@dataclass(frozen=True, slots=True)
class AssignBot:
    """The host assigns a bot to a seat that no person holds, or opens the seat (None)."""

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
    """The operator of the server removes the nickname of a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class AdminUnpublish:
    """The operator of the server removes the table from the public list.

    Attributes:
        new_key: the key that the link needs from now on.
    """

    new_key: str


SeatCommand = Stand | RequestSwap | AnswerSwap | WithdrawSwap
"""The commands of people about their own seats."""

UndoCommand = RequestUndo | AnswerUndo | WithdrawUndo
"""The commands about undoing a card."""

ChatCommand = SayPhrase | WriteChat
"""The chat commands."""

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
    | AssignBot
    | CloseTable
)
"""The commands that only the host may give."""

AdminCommand = ErasePerson | AdminClose | AdminRemoveNickname | AdminUnpublish
"""The commands of the server or its operator, independent of the host."""

DealCommand = EndCommitmentWait | CloseCommitmentOpenings
"""The commands that end the wait for contributions to a pack."""

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
    | ReplaceHost
    | ReadyUp
    | ResumeControl
    | TimeUp
    | LetBotTakeOver
    | ChatCommand
    | DealCommand
    | AdminCommand
    | HostCommand
)
