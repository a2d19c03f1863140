"""The events of a table: the entries of its log.

These structs are stored permanently: a field may be added with a default, but never change its
meaning. With `omit_defaults` a new field is written only where its value is not the default, so
that an older version can read all other events. A person is identified only by the SHA-256 of their
token. Events contain full packs: the log is for the store and is never sent to a reader.
"""

from typing import Any, Literal

from msgspec import Struct

from jasstisch.table.chat_phrases import Phrase

EVENT_VERSION = 7
"""The version of these events. Raise it with every change that an older program cannot read or
would misread: a new kind, a new field, another allowed value. A store shared by several servers
keeps the highest version with each table's log, and a server with a lower version leaves that table
alone. A SQLite file needs a new schema version for it too: see `MAX_EVENT_VERSION` in
`jasstisch.storage.sqlite.event_store`."""

DEFAULT_STAND_IN = "greedy"
"""The default stand-in bot."""


class _EventBase(Struct, tag_field="kind", forbid_unknown_fields=True, frozen=True):
    pass


class TableCreated(_EventBase, tag="created", frozen=True):
    """The table was created.

    Attributes:
        table: its id.
        game: name of the game.
        options: every option with its effective value.
        seats: for each seat the name of its bot, None for an open seat.
        thinking_time: seconds a person has for a turn, None for no limit.
        pause: milliseconds before a bot's move.
        guided: whether the first round of the first match is the tutorial of the game.
        hints: whether a player on turn may ask for a hint from a strong bot.
        stand_in: the bot for open seats and for people who are away or have left.
        host: the person who created the table, None where that is not known.
        match_time: seconds a person has for all turns of a match together, None for no limit.
        starters: who may start the match: everybody who is seated, or only the host.
        seed: the seed of the secrets for verifiable deals of the first match, as in `MatchStarted`:
            the table can announce them before it begins. None where they are not announced.
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
    seed: str | None = None


class SeatTaken(_EventBase, tag="sat", frozen=True, omit_defaults=True):
    """A person took a seat with a nickname and a face, which is a number; 0 for none.

    `program`: a program plays there on the person's behalf, by its own declaration.
    """

    seat: int
    person: str
    name: str
    face: int = 0
    program: bool = False


class SeatLeft(_EventBase, tag="stood", frozen=True):
    """The person of a seat left it; during a match a bot plays on."""

    seat: int


class SwapOffered(_EventBase, tag="offered", frozen=True):
    """The person of a seat asked the person of another seat to swap; this is their only offer."""

    seat: int
    other: int


class SwapDeclined(_EventBase, tag="declined", frozen=True):
    """The person of a seat declined to swap; the offer of the other seat has ended."""

    seat: int
    other: int


class SwapWithdrawn(_EventBase, tag="withdrew", frozen=True):
    """The person of a seat withdrew their swap offer."""

    seat: int


class SeatsSwapped(_EventBase, tag="swapped", frozen=True):
    """The person of a seat swapped seats with the occupant of another one.

    With `characters` a bot takes its name and appearance along; in older logs these stayed with the
    seat.
    """

    seat: int
    other: int
    characters: bool = False


class SeatSnapshot(Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """The occupant of a seat before the first match.

    Attributes:
        person: the person, None for a bot or an open seat.
        name: the person's nickname.
        bot: the bot that holds the seat.
        moves: the number of things the seat has done.
        asks: the seat of the person whom this one asks to swap.
        patient: whether the person has three times the thinking time.
        face: the person's face.
        character: see `SeatInfo`; None for that of the seat's own number.
        program: whether a program plays for the person.
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
    """The settings of the host.

    Attributes:
        host: the person who is the host, None where nobody has sat down yet.
        absent_host: the host whose rights have passed to `host` until they are back in the lobby.
        entry: who may take a seat.
        starters: who may start the match.
        key: the key that people who have not sat here need besides the table's id; None for none.
        asked: the number of entry requests so far.
        requests: the entry requests that await an answer.
        removed: people whom the host has removed; they need the host's consent to sit down again.
        writing: whether people may write chat lines.
        published: whether the table is in the public list.
        delayed: whether spectators see the table with a delay of one trick.
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
    absent_host: str | None = None


class LobbyCompacted(_EventBase, tag="gathered", frozen=True):
    """A snapshot of the seats before the first match, which replaces the events before it.

    At a table that does not start, people may come and go many times. The events between the
    creation and this one may be deleted.

    Attributes:
        version: the number of events of the table, including this one.
        seats: the occupant of each seat.
        house: the settings of the host.
    """

    version: int
    seats: list[SeatSnapshot]
    house: HostSettings


class MatchStarted(_EventBase, tag="started", frozen=True):
    """The first match began.

    Attributes:
        computers: the bots in the seats that were open.
        seed: the seed of the secrets for verifiable deals, in hexadecimal digits; None where the
            deals cannot be verified.
    """

    computers: dict[int, str]
    seed: str | None = None


class MatchResumed(_EventBase, tag="resumed", frozen=True):
    """The first match began as the continuation of another match.

    Only the course of the other match is kept, but not its identity or its players. Its packs were
    dealt elsewhere, so the deals of this match cannot be verified.

    Attributes:
        computers: the bots in the seats that were open.
        log: the packs and actions taken over, as in a record; at their end a seat is to act.
    """

    computers: dict[int, str]
    log: list[tuple[int | str, str]]


class RematchStarted(_EventBase, tag="rematch", frozen=True):
    """The next match began; see `MatchStarted`."""

    computers: dict[int, str]
    seed: str | None = None


class PackCommitmentsCalled(_EventBase, tag="called", frozen=True):
    """The call of a pack with all its commitments, in the form of `PackCall.to_json`."""

    call: dict[str, Any]


class CommitmentOpeningsClosed(_EventBase, tag="settled", frozen=True):
    """The contributions opened in time in the attempt, in hexadecimal digits by seat."""

    openings: dict[str, str]


class PackDealt(_EventBase, tag="pack", frozen=True):
    """The match received the shuffled pack it awaited (C6)."""

    cards: str


class Acted(_EventBase, tag="acted", frozen=True):
    """A seat carried out an action, by its person or by a bot.

    Attributes:
        seat: the seat.
        action: the action text.
        by: whether the person or the bot acted.
        took: milliseconds of a person's turn, where the match has a total time.
    """

    seat: int
    action: str
    by: Literal["person", "computer"]
    took: int = 0


class RestClaimed(_EventBase, tag="rest_taken", frozen=True):
    """The person of a seat claimed all remaining tricks of the round, whose result is fixed.

    The rest of the round follows as ordinary actions: the claimer's cards that take the tricks, and
    the cards that the table plays for the others.
    """

    seat: int


class UndoRequested(_EventBase, tag="undo_asked", frozen=True):
    """The person of a seat asked to undo their last card; a table has at most one such request."""

    seat: int


class UndoAgreed(_EventBase, tag="undo_agreed", frozen=True):
    """The person of a seat agreed to the undo request."""

    seat: int
    other: int


class UndoDeclined(_EventBase, tag="undo_declined", frozen=True):
    """The person of a seat declined the undo request: the card stays played."""

    seat: int
    other: int


class UndoWithdrawn(_EventBase, tag="undo_withdrawn", frozen=True):
    """The person of a seat withdrew their undo request."""

    seat: int


class UndoExpired(_EventBase, tag="undo_lapsed", frozen=True):
    """The undo request expired without all answers: the card stays played."""

    seat: int


class Undone(_EventBase, tag="undone", frozen=True):
    """The last card of the person of a seat was undone.

    Attributes:
        seat: the seat.
        actions: the number of actions undone: the card, and the actions of bots since.
    """

    seat: int
    actions: int


class Ready(_EventBase, tag="ready", frozen=True):
    """The person of a seat is ready: for the next round, the rematch, or after reading a hint."""

    seat: int


class BotTookOver(_EventBase, tag="away", frozen=True):
    """A bot plays for a seat from now on, until its person is back.

    Attributes:
        seat: the seat.
        by: the seat whose person let the bot take over for a person who is not connected; None
            where the thinking time ran out.
        took: milliseconds of the turn, where the match has a total time.
    """

    seat: int
    by: int | None = None
    took: int = 0


class ReturnRequested(_EventBase, tag="returning", frozen=True):
    """The person of a seat asked to play again, and will be back as soon as that is allowed."""

    seat: int


class ExtendedTimeSet(_EventBase, tag="patience", frozen=True):
    """The host gave the person of a seat three times the thinking time, or the normal one again."""

    seat: int
    patient: bool


class EntryPolicySet(_EventBase, tag="admission", frozen=True):
    """The host decided who may take a seat: anyone with the link, only by consent, or nobody."""

    entry: Literal["link", "host", "nobody"]


class StartPolicySet(_EventBase, tag="starters", frozen=True):
    """The host decided who may start the match: everybody who is seated, or only the host."""

    who: Literal["all", "host"]


class ChatPolicySet(_EventBase, tag="writing", frozen=True):
    """The host decided whether people may write chat lines."""

    allowed: bool


class PublishedSet(_EventBase, tag="published", frozen=True):
    """The host published the table in the public list, or the host or operator removed it."""

    published: bool


class SpectatorDelaySet(_EventBase, tag="delayed", frozen=True):
    """The host decided whether spectators see the table with a delay of one trick."""

    delayed: bool


class LinkRevoked(_EventBase, tag="relinked", frozen=True):
    """The host revoked the link: people who have not sat here need this key besides the id."""

    key: str


class EntryRequested(_EventBase, tag="asked", frozen=True, omit_defaults=True):
    """A person asked to enter, with a nickname and for a seat; this is their only request.

    Attributes:
        number: the number of the request at this table, which identifies it without the person.
        program: see `SeatTaken`.
    """

    number: int
    seat: int
    person: str
    name: str
    face: int = 0
    program: bool = False


class EntryRequestClosed(_EventBase, tag="dismissed", frozen=True):
    """The host declined an entry request, or its author withdrew it."""

    number: int


class PersonRemoved(_EventBase, tag="removed", frozen=True):
    """The host removed the person of a seat; during a match a bot plays on."""

    seat: int


class BotAssigned(_EventBase, tag="given", frozen=True):
    """The host assigned a bot to a seat, or opened the seat (None)."""

    seat: int
    bot: str | None


class HostResigned(_EventBase, tag="resigned", frozen=True):
    """The host was erased: the next person at the table is the host.

    Where nobody else holds a seat, there is no host until a person sits down.
    """


class HostReplaced(_EventBase, tag="host_replaced", frozen=True):
    """The rights of a host who is gone from the lobby passed to a person, or back to the host.

    If `person` already is the host, they stay it although the other comes back.
    """

    person: str | None


class NicknameReplaced(_EventBase, tag="renamed", frozen=True):
    """The operator of the server replaced the nickname of the person who holds or held a seat."""

    seat: int
    name: str


class TableClosed(_EventBase, tag="closed", frozen=True):
    """The host or the operator of the server closed the table; no events follow."""


class PhraseSaid(_EventBase, tag="said", frozen=True):
    """The person of a seat said a predefined phrase."""

    seat: int
    phrase: Phrase


class ChatWritten(_EventBase, tag="wrote", frozen=True):
    """The person of a seat wrote a chat line."""

    seat: int
    text: str


class ControlResumed(_EventBase, tag="back", frozen=True):
    """The person of a seat is back and plays again."""

    seat: int


UndoEvent = UndoRequested | UndoAgreed | UndoDeclined | UndoWithdrawn | UndoExpired | Undone

PersonEvent = Ready | RestClaimed | PhraseSaid | ChatWritten | UndoEvent
"""What the person of a seat does, apart from actions of the match: ready, a claim, a chat message
or an undo."""

PresenceEvent = BotTookOver | ReturnRequested | ControlResumed
"""A bot plays for a person, or the person comes back."""

SettingEvent = (
    EntryPolicySet | StartPolicySet | ChatPolicySet | PublishedSet | SpectatorDelaySet | LinkRevoked
)
"""A decision of the host that concerns no seat."""

HostEvent = (
    SettingEvent
    | ExtendedTimeSet
    | EntryRequested
    | EntryRequestClosed
    | PersonRemoved
    | BotAssigned
    | TableClosed
)
"""A decision of the host, or a request to the host."""

SeatEvent = (
    SeatTaken
    | SeatLeft
    | SwapOffered
    | SwapDeclined
    | SwapWithdrawn
    | SeatsSwapped
    | NicknameReplaced
    | HostResigned
    | HostReplaced
)
"""A change of seats, of a nickname or of the host."""

SeatlessEvent = (
    TableCreated
    | LobbyCompacted
    | MatchStarted
    | MatchResumed
    | RematchStarted
    | PackCommitmentsCalled
    | CommitmentOpeningsClosed
    | SettingEvent
    | EntryRequestClosed
    | HostResigned
    | HostReplaced
    | TableClosed
)
"""The events of which readers learn no seat."""

TwoSeatEvent = SwapOffered | SwapDeclined | SeatsSwapped | UndoAgreed | UndoDeclined
"""The events between two seats."""

Event = (
    TableCreated
    | LobbyCompacted
    | MatchStarted
    | MatchResumed
    | RematchStarted
    | PackCommitmentsCalled
    | CommitmentOpeningsClosed
    | PackDealt
    | Acted
    | PersonEvent
    | PresenceEvent
    | HostEvent
    | SeatEvent
)
