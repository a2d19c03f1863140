"""What can happen at a table: the entries of its log.

These structs are stored for good, so a field may be added with a default but never change its
meaning; by `omit_defaults` a new one is written only where it says something, so that an older
version reads all the rest. A person is known here only by the SHA-256 of his token. Packs stand
here in full: the log is for the store and never leaves it towards a reader.
"""

from typing import Any, Literal

from msgspec import Struct

from jasstisch.table.chat_phrases import Phrase

__all__ = [
    "DEFAULT_STAND_IN",
    "EVENT_VERSION",
    "Acted",
    "BotTookOver",
    "ChatPolicySet",
    "ChatWritten",
    "ControlResumed",
    "EntryPolicySet",
    "EntryRequestClosed",
    "EntryRequested",
    "Event",
    "ExtendedTimeSet",
    "HostResigned",
    "HostSettings",
    "LinkRevoked",
    "LobbyCompacted",
    "MatchResumed",
    "MatchStarted",
    "NicknameReplaced",
    "OpeningsClosed",
    "PackCalled",
    "PackDealt",
    "PersonRemoved",
    "PhraseSaid",
    "PublishedSet",
    "Ready",
    "RematchStarted",
    "RestClaimed",
    "ReturnRequested",
    "SeatAssigned",
    "SeatLeft",
    "SeatSnapshot",
    "SeatTaken",
    "SeatsSwapped",
    "SpectatorDelaySet",
    "StartPolicySet",
    "SwapDeclined",
    "SwapOffered",
    "SwapWithdrawn",
    "TableClosed",
    "TableCreated",
    "UndoAgreed",
    "UndoDeclined",
    "UndoEvent",
    "UndoExpired",
    "UndoRequested",
    "UndoWithdrawn",
    "Undone",
]

EVENT_VERSION = 6
"""The version of these events. Raise it with whatever an older program cannot read or would read
otherwise: a new kind, a new field, another allowed value. A store in which several servers write
keeps the highest one with each table's log, and a server that knows less lets that table be. A file
of tables has a further layout for it: see `EVENTS_HELD` in
`jasstisch.storage.sqlite.event_store`."""

DEFAULT_STAND_IN = "greedy"
"""The stand-in where nobody has chosen another."""


class _EventBase(Struct, tag_field="kind", forbid_unknown_fields=True, frozen=True):
    pass


class TableCreated(_EventBase, tag="created", frozen=True):
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
        match_time: seconds a person has for all turns of a match together, None for no limit.
        starters: who may begin the match: everybody who is seated, or the host alone.
    """

    table: str
    game: str
    options: dict[str, int | str | None]
    seats: list[str | None]
    thinking_time: int | None
    pause: int
    guided: bool = False
    hints: bool = False
    stand_in: str = DEFAULT_STAND_IN
    host: str | None = None
    match_time: int | None = None
    starters: Literal["all", "host"] = "all"


class SeatTaken(_EventBase, tag="sat", frozen=True, omit_defaults=True):
    """A person took a seat under a nickname and with a face, which is a number; 0 for none.

    `program`: whoever it is has a program play there, and says so.
    """

    seat: int
    person: str
    name: str
    face: int = 0
    program: bool = False


class SeatLeft(_EventBase, tag="stood", frozen=True):
    """The person of a seat left it; during a match the computer plays on."""

    seat: int


class SwapOffered(_EventBase, tag="offered", frozen=True):
    """The person of a seat asked the person of another one to swap seats; it is his one offer."""

    seat: int
    other: int


class SwapDeclined(_EventBase, tag="declined", frozen=True):
    """The person of a seat stays where he is; the offer of the other one has ended."""

    seat: int
    other: int


class SwapWithdrawn(_EventBase, tag="withdrew", frozen=True):
    """The person of a seat no longer asks to swap."""

    seat: int


class SeatsSwapped(_EventBase, tag="swapped", frozen=True):
    """The person of a seat went to another one, and whoever held that came to his.

    With `characters` a computer takes along what it is called and looks like; in logs that were
    written earlier that stayed with the seat.
    """

    seat: int
    other: int
    characters: bool = False


class SeatSnapshot(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """Who holds a seat before the first match.

    Attributes:
        person: who it is, None for a computer or nobody.
        name: that person's nickname.
        bot: the computer player that holds it.
        moves: how often the seat has done something.
        asks: the seat of the person whom this one asks to swap.
        patient: whether that person has three times the thinking time.
        face: that person's face.
        character: see `SeatInfo`; None for that of the seat's own number.
        program: whether that person has a program play.
    """

    person: str | None
    name: str
    bot: str | None
    moves: int
    asks: int | None
    patient: bool = False
    face: int = 0
    character: int | None = None
    program: bool = False


class HostSettings(Struct, forbid_unknown_fields=True, frozen=True):
    """What the host has decided.

    Attributes:
        host: the person who is the host, None where nobody has sat down yet.
        entry: who may take a seat.
        starters: who may begin the match.
        key: what is needed besides the table's id by those who have not sat here; None for nothing.
        asked: how many requests to be let in there have been.
        requests: those that wait for an answer.
        removed: people whose seats he has taken away: they sit down again only if he lets them in.
        writing: whether people may say something in their own words.
        published: whether the table stands in the list that everybody sees.
        delayed: whether those who only watch see the table a trick late.
    """

    host: str | None
    entry: Literal["link", "host", "nobody"] = "link"
    starters: Literal["all", "host"] = "all"
    key: str | None = None
    asked: int = 0
    requests: "list[EntryRequested]" = []
    removed: list[str] = []
    writing: bool = False
    published: bool = False
    delayed: bool = False


class LobbyCompacted(_EventBase, tag="gathered", frozen=True):
    """How the seats are held before the first match, in place of all that led there.

    People come and go at a table that does not begin. Of what cancels out nothing needs to be kept:
    the events between the creation and this one may be forgotten.

    Attributes:
        version: how many events the table has seen, this one included.
        seats: who holds each seat.
        house: what the host has decided.
    """

    version: int
    seats: list[SeatSnapshot]
    house: HostSettings


class MatchStarted(_EventBase, tag="started", frozen=True):
    """The first match began.

    Attributes:
        computers: the computer players in the seats that were open.
        seed: of the secrets by which it is dealt, in hexadecimal digits; None where anybody must
            take the server's word for its shuffles.
    """

    computers: dict[int, str]
    seed: str | None = None


class MatchResumed(_EventBase, tag="resumed", frozen=True):
    """The first match began where another one had stood, which somebody plays on for himself.

    Nothing of the other match is kept but its course: not which it was, nor who played it. The
    packs in it were dealt elsewhere, so that the match is not dealt fairly.

    Attributes:
        computers: the computer players in the seats that were open.
        log: its packs and actions until then, as in a record; somebody is to act after them.
    """

    computers: dict[int, str]
    log: list[tuple[int | str, str]]


class RematchStarted(_EventBase, tag="rematch", frozen=True):
    """The next match began; see `Started`."""

    computers: dict[int, str]
    seed: str | None = None


class PackCalled(_EventBase, tag="called", frozen=True):
    """All commitments for a pack are in: the call, as `jasstisch.fairness.Call` writes it."""

    call: dict[str, Any]


class OpeningsClosed(_EventBase, tag="settled", frozen=True):
    """What was opened in time for the attempt under way, in hexadecimal digits by seat."""

    openings: dict[str, str]


class PackDealt(_EventBase, tag="pack", frozen=True):
    """The match received the shuffled pack it awaited (C6)."""

    cards: str


class Acted(_EventBase, tag="acted", frozen=True):
    """A seat did an action, through its person or through the computer.

    Attributes:
        seat: which.
        action: in its text form.
        by: who did it.
        took: milliseconds of a person's turn, where a match has a total.
    """

    seat: int
    action: str
    by: Literal["person", "computer"]
    took: int = 0


class RestClaimed(_EventBase, tag="rest_taken", frozen=True):
    """The person of a seat took all tricks left of the round: whatever is played comes to the same.

    What ends the round follows as actions like others: his cards by which he takes the tricks, and
    those that the table lays for the others.
    """

    seat: int


class UndoRequested(_EventBase, tag="undo_asked", frozen=True):
    """The person of a seat asked to take his last card back; a table has one such question."""

    seat: int


class UndoAgreed(_EventBase, tag="undo_agreed", frozen=True):
    """The person of a seat agreed that the other one takes his last card back."""

    seat: int
    other: int


class UndoDeclined(_EventBase, tag="undo_declined", frozen=True):
    """The person of a seat did not agree: the last card of the other one stays where it is."""

    seat: int
    other: int


class UndoWithdrawn(_EventBase, tag="undo_withdrawn", frozen=True):
    """The person of a seat no longer asks to take his last card back."""

    seat: int


class UndoExpired(_EventBase, tag="undo_lapsed", frozen=True):
    """Not everybody has answered in time: the last card of a seat stays where it is."""

    seat: int


class Undone(_EventBase, tag="undone", frozen=True):
    """The person of a seat took his last card back.

    Attributes:
        seat: whose.
        actions: how many of the match's last actions that undoes: his card, and what computers have
            played since.
    """

    seat: int
    actions: int


class Ready(_EventBase, tag="ready", frozen=True):
    """The person of a seat asked to go on: the next round, the rematch, a hint that was read."""

    seat: int


class BotTookOver(_EventBase, tag="away", frozen=True):
    """From now on the computer plays for a seat, until its person is back.

    Attributes:
        seat: which.
        by: the seat whose person had the computer take over for one who is not connected; None
            where the thinking time ran out.
        took: milliseconds of the turn, where a match has a total.
    """

    seat: int
    by: int | None = None
    took: int = 0


class ReturnRequested(_EventBase, tag="returning", frozen=True):
    """The person of a seat wants to go on, and will be back as soon as he may."""

    seat: int


class ExtendedTimeSet(_EventBase, tag="patience", frozen=True):
    """The host gave the person of a seat three times the thinking time, or the usual one again."""

    seat: int
    patient: bool


class EntryPolicySet(_EventBase, tag="admission", frozen=True):
    """The host decided who may take a seat: whoever has the link, whom he lets in, or nobody."""

    entry: Literal["link", "host", "nobody"]


class StartPolicySet(_EventBase, tag="starters", frozen=True):
    """The host decided who may begin the match: everybody who is seated, or he alone."""

    who: Literal["all", "host"]


class ChatPolicySet(_EventBase, tag="writing", frozen=True):
    """The host decided whether people may say something in their own words."""

    allowed: bool


class PublishedSet(_EventBase, tag="published", frozen=True):
    """The host put the table on the list that everybody sees, or he or the operator took it off."""

    published: bool


class SpectatorDelaySet(_EventBase, tag="delayed", frozen=True):
    """The host decided whether those who only watch see the table a trick late."""

    delayed: bool


class LinkRevoked(_EventBase, tag="relinked", frozen=True):
    """The host renewed the link: who has not sat here needs this key besides the table's id."""

    key: str


class EntryRequested(_EventBase, tag="asked", frozen=True, omit_defaults=True):
    """A person asks the host to be let in, under a nickname and for a seat; it is his one request.

    Attributes:
        number: counts the requests at this table, so that one can be named without the person.
        program: see `Sat`.
    """

    number: int
    seat: int
    person: str
    name: str
    face: int = 0
    program: bool = False


class EntryRequestClosed(_EventBase, tag="dismissed", frozen=True):
    """The host declined a request, or the one who made it took it back."""

    number: int


class PersonRemoved(_EventBase, tag="removed", frozen=True):
    """The host took a seat away from its person; during a match the computer plays on."""

    seat: int


class SeatAssigned(_EventBase, tag="given", frozen=True):
    """The host gave a seat to a computer player, or opened it (None)."""

    seat: int
    bot: str | None


class HostResigned(_EventBase, tag="resigned", frozen=True):
    """The host is to be known no longer: the next person at the table is the host.

    Where nobody else holds a seat there is no host until somebody sits down.
    """


class NicknameReplaced(_EventBase, tag="renamed", frozen=True):
    """The operator of the server gave whoever holds, or held, a seat another nickname."""

    seat: int
    name: str


class TableClosed(_EventBase, tag="closed", frozen=True):
    """The host, or the operator of the server, closed the table; nothing happens here any more."""


class PhraseSaid(_EventBase, tag="said", frozen=True):
    """The person of a seat said something that has a name."""

    seat: int
    phrase: Phrase


class ChatWritten(_EventBase, tag="wrote", frozen=True):
    """The person of a seat said something in his own words."""

    seat: int
    text: str


class ControlResumed(_EventBase, tag="back", frozen=True):
    """The person of a seat is back and plays himself again."""

    seat: int


UndoEvent = UndoRequested | UndoAgreed | UndoDeclined | UndoWithdrawn | UndoExpired | Undone

Event = (
    TableCreated
    | SeatTaken
    | SeatLeft
    | SwapOffered
    | SwapDeclined
    | SwapWithdrawn
    | SeatsSwapped
    | LobbyCompacted
    | MatchStarted
    | MatchResumed
    | RematchStarted
    | PackCalled
    | OpeningsClosed
    | PackDealt
    | Acted
    | RestClaimed
    | UndoEvent
    | Ready
    | BotTookOver
    | ReturnRequested
    | ControlResumed
    | ExtendedTimeSet
    | EntryPolicySet
    | StartPolicySet
    | ChatPolicySet
    | PublishedSet
    | SpectatorDelaySet
    | LinkRevoked
    | EntryRequested
    | EntryRequestClosed
    | PersonRemoved
    | SeatAssigned
    | HostResigned
    | NicknameReplaced
    | PhraseSaid
    | ChatWritten
    | TableClosed
)
