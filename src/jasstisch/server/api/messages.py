"""Every message the table server speaks, as typed structs.

Three groups: what a client sends over the WebSocket (`ClientMessage`), what the server sends
back (`ServerMessage`), and the bodies of the REST calls. Unknown fields, wrong types and values
beyond the stated limits are refused on the way in. `python -m jasstisch.server.api.json_schema`
prints one JSON schema of all of it, from which the browser's types and `docs/protocol.md` are
made. What views hold the games declare themselves; here they are plain objects, as computer
players take them.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from jasstisch.table.chat_phrases import Phrase
from jasstisch.table.events import DEFAULT_STAND_IN
from jasstisch.table.replay import Replay, ReplayStep
from jasstisch.table.room import (
    Card,
    CardRefusal,
    EntryRequest,
    EventInfo,
    FairDealState,
    OptionValue,
    Room,
    SeatInfo,
    Turn,
    TutorialHint,
    UndoRequest,
)

__all__ = [
    "FACE_COUNT",
    "PROTOCOL",
    "Ack",
    "Act",
    "ActionTexts",
    "AnalysedDecision",
    "AnalysisProgress",
    "AnalysisState",
    "AnswerEntryRequest",
    "AnswerSwap",
    "AnswerUndo",
    "AssignSeat",
    "CandidateAction",
    "CardRefusal",
    "ClaimRest",
    "ClientMessage",
    "Close",
    "CodeInput",
    "CommitContributions",
    "CreatedTable",
    "Device",
    "Emblem",
    "EntryRequest",
    "ErrorBody",
    "ErrorCode",
    "ErrorMessage",
    "Event",
    "EventInfo",
    "Example",
    "ExtendTime",
    "FairDealState",
    "ForgetDevice",
    "GameInfo",
    "GameTexts",
    "HintReply",
    "Identity",
    "IssuedCode",
    "JoinCodeTarget",
    "MatchAnalysis",
    "NewTable",
    "OpenContribution",
    "OptionInfo",
    "OptionTexts",
    "OptionValue",
    "Phrase",
    "Ping",
    "Pong",
    "Presence",
    "PublicSeat",
    "PublicTable",
    "PublicTables",
    "Ready",
    "Remove",
    "Replay",
    "ReplayStep",
    "Report",
    "RequestHint",
    "ResumeControl",
    "ResumeMatch",
    "RevokeLink",
    "Room",
    "SeatInfo",
    "SendChat",
    "SendPhrase",
    "ServerMessage",
    "SetChatPolicy",
    "SetEntryPolicy",
    "SetPublished",
    "SetStartPolicy",
    "Sit",
    "SiteConfig",
    "SkipPause",
    "Snapshot",
    "Stand",
    "Start",
    "Swap",
    "TakeOverFor",
    "Turn",
    "TutorialHint",
    "Undo",
    "UndoRequest",
    "Unwatch",
    "Watch",
    "Welcome",
    "WithdrawSwap",
    "WithdrawUndo",
]

PROTOCOL = 1
"""The number of this protocol; raised by a change that an older client cannot read."""

TableId = Annotated[str, Meta(min_length=16, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
Seat = Annotated[int, Meta(ge=0, le=15)]
Seq = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Version = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Nickname = Annotated[str, Meta(min_length=1, max_length=64)]
HexDigest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
FACE_COUNT = 24
"""So many faces may be chosen."""

Face = Annotated[int, Meta(ge=0, le=FACE_COUNT)]
ActionText = Annotated[str, Meta(min_length=1, max_length=200)]

ErrorCode = Literal[
    "bad_message",
    "too_large",
    "too_fast",
    "unknown_table",
    "no_identity",
    "not_seated",
    "not_host",
    "no_entry",
    "seat_taken",
    "no_swap",
    "no_undo",
    "no_rest",
    "illegal_action",
    "not_fair",
    "no_writing",
    "wrong_phase",
    "bad_code",
    "bad_name",
    "bad_text",
    "bad_option",
    "forbidden_origin",
    "limit",
    "not_ready",
    "busy",
    "not_found",
    "banned",
    "damaged",
    "internal",
]
"""What was wrong, for programs; `message` says it to people."""


# --- what a client sends ---------------------------------------------------------------------


class ClientBase(Struct, tag_field="type", forbid_unknown_fields=True, frozen=True):
    """A request. `seq` is the client's own number; the `ack` or `error` repeats it."""

    seq: Seq


class Watch(ClientBase, tag="watch", frozen=True):
    """Follow a table and, after a lost connection, get what was missed.

    With `since` the version the client has and `seat` the seat it had then, the server sends the
    missed `event` messages one by one, if they are few and still kept; otherwise (another seat,
    too long ago, after a restart), and without `since`, one `snapshot`. Then the `ack`. Where the
    host has renewed the link, who has not sat at the table gives the `key` of the new one.
    """

    table: TableId
    since: Version | None = None
    seat: Seat | None = None
    key: Annotated[str, Meta(max_length=32)] | None = None


class Unwatch(ClientBase, tag="unwatch", frozen=True):
    """Stop following a table. A seat there is kept."""

    table: TableId


class Sit(ClientBase, tag="sit", frozen=True, omit_defaults=True):
    """Take a free seat under a nickname; the answer is a fresh `snapshot`, then the `ack`.

    Before the start whoever sits already moves there and keeps his nickname. A name that somebody
    at the table has gets a number. Where the host lets people in, this asks him, and the seat comes
    when he has agreed. `face`: the number of the face that is shown beside the name, 0 for none.
    `program`: a program plays here, and no person; everybody sees it. A program says so. It answers
    for its seat as a person does; but it is not asked for a card that somebody takes back, gives
    its seat up to whoever wants to swap, does not become the host, and does not by itself go on to
    the next round where people sit.
    """

    table: TableId
    seat: Seat
    name: Nickname
    face: Face = 0
    program: bool = False


class Stand(ClientBase, tag="stand", frozen=True):
    """Give the seat up; during a match the computer plays on for it."""

    table: TableId


class Swap(ClientBase, tag="swap", frozen=True):
    """Swap seats with whoever holds this one, before the start: a computer gives way at once.

    A person is asked and answers. Whoever asks somebody else no longer asks the one before.
    """

    table: TableId
    seat: Seat


class AnswerSwap(ClientBase, tag="answer", frozen=True):
    """Accept or decline to swap seats with the person on this one, who has asked for it."""

    table: TableId
    seat: Seat
    accept: bool


class WithdrawSwap(ClientBase, tag="withdraw", frozen=True):
    """Ask no longer to swap seats."""

    table: TableId


class Start(ClientBase, tag="start", frozen=True):
    """Begin the match; computers take the seats still open. The host may, and whom he lets."""

    table: TableId


class Act(ClientBase, tag="act", frozen=True):
    """Do an action of the game, in its text form: `play JC`, `bid 42`."""

    table: TableId
    action: ActionText


class ClaimRest(ClientBase, tag="take_rest", frozen=True):
    """Take all tricks that are left of the round at once, where they are yours (`rest` of a turn).

    The cards are laid as actions like others: yours in an order that takes every trick, and for the
    others the lowest that they may play, by which everything comes to the same as by any other.
    None of them is taken back.
    """

    table: TableId


class Undo(ClientBase, tag="undo", frozen=True):
    """Take one's last card back (`undoable`), by consent of all other people who are there.

    Where there are none it is done at once, and what computers have played since goes back with it.
    The others are asked (`undo` of the room) and answer with `answer_undo`; whoever plays on has
    declined. Three times in a round may be asked, and only for a card that was played to a trick,
    before another person has played and before the next pack: bids, claims and what was said stand.
    """

    table: TableId


class AnswerUndo(ClientBase, tag="answer_undo", frozen=True):
    """Agree that the one who asks takes his last card back, or decline; within 20 seconds."""

    table: TableId
    accept: bool


class WithdrawUndo(ClientBase, tag="withdraw_undo", frozen=True):
    """Ask no longer to take one's last card back."""

    table: TableId


class Ready(ClientBase, tag="ready", frozen=True):
    """Ask to go on: for the next round, for a rematch, or past a hint with `wait` once read."""

    table: TableId


class ResumeControl(ClientBase, tag="back", frozen=True):
    """Go on oneself after the computer has played for one.

    This comes true between two tricks, or between two turns where there are none; for who has let
    three turns of the match pass, at the end of the round. Nothing else takes a seat back.
    """

    table: TableId


class TakeOverFor(ClientBase, tag="cover", frozen=True):
    """Have the computer play for somebody who has not been connected for a while (`missing`)."""

    table: TableId
    seat: Seat


class SendPhrase(ClientBase, tag="say", frozen=True):
    """Say something to all at the table, by one of the phrases; each reads it in his language."""

    table: TableId
    phrase: Phrase


class SendChat(ClientBase, tag="write", frozen=True):
    """Say something in one's own words, on one line of plain text; where the host allows it."""

    table: TableId
    text: Annotated[str, Meta(min_length=1, max_length=560)]


class SetEntryPolicy(ClientBase, tag="admit", frozen=True):
    """As the host: who may take a seat, everybody with the link, whom he lets in, or nobody."""

    table: TableId
    entry: Literal["link", "host", "nobody"]


class AnswerEntryRequest(ClientBase, tag="let_in", frozen=True):
    """As the host: answer a request to be let in (`requests` of the room)."""

    table: TableId
    number: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    accept: bool


class RevokeLink(ClientBase, tag="relink", frozen=True):
    """As the host: renew the link; who has not sat at the table needs the new one from now on."""

    table: TableId


class SetStartPolicy(ClientBase, tag="let_start", frozen=True):
    """As the host: who may begin the match, everybody who is seated or the host alone."""

    table: TableId
    who: Literal["all", "host"]


class SetChatPolicy(ClientBase, tag="let_write", frozen=True):
    """As the host: whether people may say something in their own words (`write`)."""

    table: TableId
    allowed: bool


class SetPublished(ClientBase, tag="publish", frozen=True):
    """As the host: whether the table stands in the list that everybody sees (`published`)."""

    table: TableId
    published: bool


class SetSpectatorDelay(ClientBase, tag="delay", frozen=True):
    """As the host: whether those who only watch see the table a trick late (`delayed`)."""

    table: TableId
    delayed: bool


class ExtendTime(ClientBase, tag="give_patience", frozen=True):
    """As the host: give somebody three times the thinking time, or the usual one again."""

    table: TableId
    seat: Seat
    patient: bool


class Remove(ClientBase, tag="remove", frozen=True):
    """As the host: take a seat away from its person, before a match or between two rounds."""

    table: TableId
    seat: Seat


class AssignSeat(ClientBase, tag="give", frozen=True):
    """As the host: give a seat that no person holds to a computer player, or open it (null)."""

    table: TableId
    seat: Seat
    bot: Annotated[str, Meta(max_length=40)] | None


class Close(ClientBase, tag="close", frozen=True):
    """As the host: close the table for good."""

    table: TableId


class CommitContributions(ClientBase, tag="commit", frozen=True):
    """Commit oneself ahead to what one adds to the chance of a pack (`fair.next_pack` of the room).

    One commitment for each attempt there may be, as many as the table has seats, each 64
    hexadecimal digits; see docs/fair-deals.md. A later one takes the place of an earlier one.
    """

    table: TableId
    pack: Version
    commitments: Annotated[list[HexDigest], Meta(max_length=16)]


class OpenContribution(ClientBase, tag="open", frozen=True):
    """Open what one has committed oneself to, for the attempt under way (`fair.asked`)."""

    table: TableId
    pack: Version
    attempt: Annotated[int, Meta(ge=1, le=16)]
    opening: HexDigest


class RequestHint(ClientBase, tag="hint", frozen=True):
    """Ask what a strong player would do now; an `advice` comes, to you alone, and then the `ack`.

    Only whose turn it is may ask, and only at a table with `hints`. Nothing else happens.
    """

    table: TableId


class SkipPause(ClientBase, tag="hurry", frozen=True):
    """Have the computer that is to move do so at once, where people would be given time to look.

    For who sits at the table where no other person plays himself. With `to_end` the pauses are left
    out until the round is over, where no person at the table has anything to do in it any more, as
    who has dropped out; others may watch with you then. How long a computer thinks is as ever, and
    nothing else happens.
    """

    table: TableId
    to_end: bool = False


class Ping(ClientBase, tag="ping", frozen=True):
    """Ask whether the connection lives; answered by `pong`."""


ClientMessage = (
    Watch
    | Unwatch
    | Sit
    | Stand
    | Swap
    | AnswerSwap
    | WithdrawSwap
    | Start
    | Act
    | ClaimRest
    | Undo
    | AnswerUndo
    | WithdrawUndo
    | Ready
    | ResumeControl
    | TakeOverFor
    | SendPhrase
    | SendChat
    | SetEntryPolicy
    | AnswerEntryRequest
    | RevokeLink
    | SetStartPolicy
    | SetChatPolicy
    | SetPublished
    | SetSpectatorDelay
    | ExtendTime
    | Remove
    | AssignSeat
    | Close
    | CommitContributions
    | OpenContribution
    | RequestHint
    | SkipPause
    | Ping
)


# --- what the server sends -------------------------------------------------------------------


class ServerBase(Struct, tag_field="type", forbid_unknown_fields=True, frozen=True):
    """Something the server sends."""


class Welcome(ServerBase, tag="welcome", frozen=True):
    """The first message on a connection that is let in.

    `identity`: the connection came with a cookie.
    """

    protocol: int
    identity: bool


class Ack(ServerBase, tag="ack", frozen=True):
    """The request `seq` is done and will survive a crash; all it caused was sent before this."""

    seq: int
    table: str | None = None
    version: int | None = None


class ErrorMessage(ServerBase, tag="error", frozen=True):
    """A request was refused and has changed nothing.

    `seq` and `table` are null where the message was too broken to tell. As the first message it
    says why there is no room for the connection, which is then closed. For `illegal_action`
    `clause`, `reason` and `legal` say which rule forbids it and what may be done instead. Of
    a request answered by `busy` it may be that nobody knows whether it was done: the message then
    says so, and what has been done was told before it, or is told later.
    """

    code: ErrorCode
    message: str
    seq: int | None = None
    table: str | None = None
    clause: str | None = None
    reason: str | None = None
    legal: list[str] = []


class Snapshot(ServerBase, tag="snapshot", frozen=True):
    """The whole table as the reader may see it, at `version`.

    `view` is what the reader's game declares of it, told apart by `game`, and whatever it is in a
    game that declares nothing; null before a match. `host`: the reader is the host of the table,
    with a seat or without. `request`: the number by which he asks for a seat (`requests` of the
    room). `moved`: what has just given the reader his seat or taken it, or had him ask for one or
    ask no longer, where this is why the snapshot comes. `undoable`: the reader may ask to take his
    last card back.
    """

    table: str
    version: int
    seat: int | None
    room: Room
    view: dict[str, Any] | None
    turn: Turn | None
    hint: TutorialHint | None = None
    host: bool = False
    request: int | None = None
    moved: EventInfo | None = None
    undoable: bool = False


class Event(ServerBase, tag="event", frozen=True):
    """One event took the table to `version`: what happened and what it changed for this reader.

    `room` and `set` hold the new values of the keys of `room` and `view` that changed; `last` the
    new last item of a list of the view, and `append` the items that joined its end, where the rest
    of the list stayed as it was. `undoable`: the reader may ask to take his last card back.
    Versions have no gaps: a client that sees one watches again with `since`.
    """

    table: str
    version: int
    event: EventInfo
    room: dict[str, Any]
    set: dict[str, Any]
    last: dict[str, Any]
    append: dict[str, list[Any]]
    turn: Turn | None
    hint: TutorialHint | None = None
    undoable: bool = False


class Presence(ServerBase, tag="presence", frozen=True):
    """Which seats' people have a connection open now; not versioned, never stored.

    It comes when it changes, at most twice a second. `preparing` are the seats that a computer
    player plays, or would, which is not ready yet: the server makes it ready and it then plays.
    `spectators` is the number of connections that follow the table without a seat. `missing` are
    the seats whose people have had no connection for a while: the others may have the computer play
    for them (`cover`).
    """

    table: str
    connected: list[bool]
    preparing: list[bool]
    spectators: int = 0
    missing: list[bool] = []


class HintReply(ServerBase, tag="advice", frozen=True):
    """What a strong player would do now, as asked by `hint`.

    `action` is one of the legal ones. `reason` names why, and `values` stand in the gaps of its
    text, by the kind of their name as in a `TutorialHint`. It holds until the reader has acted;
    `version` is that of the table when it was given.
    """

    table: str
    version: int
    action: str
    reason: str
    values: dict[str, int | float | str]


class Pong(ServerBase, tag="pong", frozen=True):
    """The answer to `ping`."""

    seq: int


ServerMessage = Welcome | Ack | ErrorMessage | Snapshot | Event | Presence | HintReply | Pong


# --- REST ------------------------------------------------------------------------------------


class OptionInfo(Struct, forbid_unknown_fields=True, frozen=True):
    """One option of a game: either a list of `values`, or whole numbers from `min` to `max`.

    `default` is the value for the game's usual number of players; null is "not given". Where it
    depends on their number, `defaults` has it for each, the number of players as a text.
    """

    name: str
    default: OptionValue
    values: list[OptionValue] | None = None
    min: int | None = None
    max: int | None = None
    defaults: dict[str, int] | None = None


class GameInfo(Struct, forbid_unknown_fields=True, frozen=True):
    """A game that can be played here and its options, the number of players among them.

    `guided` is the number of seats of its guided first round, null if it has none. `computers` are
    the computer players that know it: our own from the weakest to the strongest, then others;
    `preparing` those of them that are not ready yet, as for a minute after the very first start.
    `hints`: whether there can be a table with hints.
    """

    name: str
    options: list[OptionInfo]
    guided: int | None
    computers: list[str]
    preparing: list[str]
    hints: bool


class SiteConfig(Struct, forbid_unknown_fields=True, frozen=True):
    """What the host of the server has chosen for its page.

    `languages` are those it offers; the first is that of browsers that want none of them.
    `greeting` is a plain text for the start page by language, of at most 300 characters; who reads
    another language is shown the first. It is empty where there is none.
    """

    languages: list[str]
    greeting: dict[str, str]


class OptionTexts(Struct, forbid_unknown_fields=True, frozen=True):
    """The words for an option: what it is called and about, and what its values are called.

    A value is named by its text; one that is not there speaks for itself.
    """

    label: str
    help: str
    values: dict[str, str]


class ActionTexts(Struct, forbid_unknown_fields=True, frozen=True):
    """The words for an action: what it is called, as on a button, and what it means."""

    label: str
    note: str


class Example(Struct, forbid_unknown_fields=True, frozen=True):
    """The example of a rule sheet: the cards of each numbered step of a section, counted from 0.

    `best` is the step whose card takes the trick.
    """

    section: int
    steps: list[list[Card]]
    best: int | None


class Emblem(Struct, forbid_unknown_fields=True, frozen=True):
    """An emblem on a field of 72 by 72: the paths of its white lines and of its red ones."""

    chalk: list[str]
    fire: list[str]


class GameTexts(Struct, forbid_unknown_fields=True, frozen=True):
    """How a game is shown: its words in a language, and what is the same in every language.

    `phases` holds what is asked where somebody chooses among actions. `actions` and `contracts` are
    named by their texts or by a pattern such as `trump {suit}`, whose gaps the words have too;
    `columns` by the key in a round or standing. `order` is its place in the list of games, null for
    the last. `places` names for an option the section of the rule sheet, from 0, that it changes;
    `effects` for one that counts only with certain values of others, these values. `ranks` are
    those of its pack; `sheet`: it has a rule sheet, if only in another language.
    """

    name: str
    about: str
    options: dict[str, OptionTexts]
    phases: dict[str, str]
    actions: dict[str, ActionTexts]
    contracts: dict[str, str]
    columns: dict[str, str]
    order: int | None
    places: dict[str, int]
    effects: dict[str, dict[str, list[OptionValue]]]
    example: Example | None
    emblem: Emblem | None
    ranks: str
    sheet: bool


class NewTable(Struct, forbid_unknown_fields=True, frozen=True):
    """A table to be made: one entry of `seats` per player, in order of play.

    An entry is `me` (at most once), `open`, or a computer player such as `bot:greedy`.
    `thinking_time` in seconds for a card, twice that for a bid and the first card; null for what is
    usual: a minute where two people or more may play, else no limit. `match_time`: seconds for all
    turns of a match together, besides. `pause` in milliseconds before a computer's move;
    `starters`: who may begin the match; `start`: begin at once, computers taking the open seats.
    `face`: of the one who makes it, as in `sit`. `guided`: the first round is the guided one of the
    game; `me` has the first seat, computers have the others, and nothing else is chosen. `hints`:
    whoever has the turn may ask what a strong player would do. `stand_in`: the computer player for
    seats still open at the start, and for people who are away or have left.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[
        list[Annotated[str, Meta(max_length=40)]],
        Meta(min_length=2, max_length=16),
    ]
    options: Annotated[dict[str, OptionValue], Meta(max_length=32)] = {}
    name: Annotated[str, Meta(max_length=64)] = ""
    face: Face = 0
    thinking_time: Annotated[int, Meta(ge=5, le=3600)] | Literal["unlimited"] | None = None
    match_time: Annotated[int, Meta(ge=60, le=6 * 3600)] | None = None
    pause: Annotated[int, Meta(ge=0, le=3000)] = 700
    start: bool = False
    starters: Literal["all", "host"] = "host"
    guided: bool = False
    hints: bool = False
    stand_in: Annotated[str, Meta(max_length=40)] = DEFAULT_STAND_IN


class ResumeMatch(Struct, forbid_unknown_fields=True, frozen=True):
    """Play on from a step of a match that is over, at a new table, against computers.

    `step` counts the steps of the record's `log` that had been done; one goes on with the first
    decision after them. `seat`: where one sits; null for the seat that one had in the match, else
    that of who is to act. `name` and `face` are as in `sit`.
    """

    step: Annotated[int, Meta(ge=0, le=10**6)]
    name: Nickname
    seat: Seat | None = None
    face: Face = 0


class PublicSeat(Struct, frozen=True):
    """A seat of a published table: the nickname and face of a person, or the computer player.

    `program`: as in `SeatInfo`.
    """

    kind: Literal["person", "computer", "open"]
    name: str
    bot: str | None
    face: int
    program: bool = False


class PublicTable(Struct, frozen=True):
    """A table that its host has published. Whoever finds it here needs no key to come in.

    `running`: a match is played, which one may watch; else the table waits for people. `since`:
    seconds since 1970 when it was first published or begun, or came back into the memory of the
    server. `entry`: who may take a seat.
    """

    table: str
    game: str
    options: dict[str, OptionValue]
    running: bool
    since: float
    seats: list[PublicSeat]
    entry: Literal["link", "host", "nobody"]
    thinking_time: int | None


class PublicTables(Struct, forbid_unknown_fields=True, frozen=True):
    """The published tables, newest first: those with free seats, and those that are played at."""

    waiting: list[PublicTable]
    running: list[PublicTable]


class CreatedTable(Struct, forbid_unknown_fields=True, frozen=True):
    """The new table's id, which is also the secret part of its link, and the maker's seat."""

    table: str
    seat: int | None


class Device(Struct, forbid_unknown_fields=True, frozen=True):
    """A device by which somebody is known.

    `made` and `used` are the days it was added and last used, as in 2026-05-31; nothing finer is
    kept, and no address. `here`: it is the one that asks.
    """

    id: str
    made: str
    used: str
    here: bool


class Identity(Struct, forbid_unknown_fields=True, frozen=True):
    """What leads to the caller: his devices, and the day his recovery code was made, if he has one.

    Without an identity there are no devices.
    """

    devices: list[Device]
    recovery: str | None


class IssuedCode(Struct, forbid_unknown_fields=True, frozen=True):
    """A fresh code, in groups, and for how many seconds it is good; null: until it is replaced."""

    code: str
    seconds: int | None


class JoinCodeTarget(Struct, forbid_unknown_fields=True, frozen=True):
    """Where a code for a table leads: its id, and the key that its link has besides, or null."""

    table: str
    key: str | None


class CodeInput(Struct, forbid_unknown_fields=True, frozen=True):
    """A code as somebody typed it: case, spaces and hyphens do not count."""

    code: Annotated[str, Meta(min_length=1, max_length=64)]


class ForgetDevice(Struct, forbid_unknown_fields=True, frozen=True):
    """One of the caller's devices, by its id."""

    device: Annotated[str, Meta(min_length=1, max_length=32)]


class Report(Struct, forbid_unknown_fields=True, frozen=True):
    """The seat of somebody whose name offends."""

    seat: Seat


class AnalysisProgress(Struct, forbid_unknown_fields=True, frozen=True):
    """How much of an analysis is done: rounds of all its rounds, decisions of all its decisions."""

    rounds: int
    of_rounds: int
    decisions: int
    of_decisions: int


class CandidateAction(Struct, forbid_unknown_fields=True, frozen=True):
    """An action that was weighed, and the figure it leads to on average, as it is told."""

    action: str
    figure: float


class AnalysedDecision(Struct, forbid_unknown_fields=True, frozen=True):
    """A choice that a player had, judged by what he could know then.

    `step` is its place in the `log` of the record, from 0; `trick` that of the trick to which a
    card was played, from 1, and 0 for anything else. `alternatives` are the actions weighed to the
    end, the best one first, and the one `played` is among them. `loss` is the difference of the
    figures of both in the unit of the game; it may be below 0 where the `best` is better for the
    match alone. `mistake`: that is more than chance does to the weighing. `reason` and `values` are
    as in a `HintReply`; `text` says the same in words, with French cards.
    """

    round: int
    step: int
    seat: int
    trick: int
    played: str
    best: str
    loss: float
    mistake: bool
    alternatives: list[CandidateAction]
    reason: str
    values: dict[str, int | str]
    text: str = ""


class MatchAnalysis(Struct, forbid_unknown_fields=True, frozen=True):
    """What was best in each decision of a match, and what each choice has cost.

    `unit` is what figures count, by its name and in words; they are told with so many `digits`, and
    the higher one is the better where `high_is_good`. `decisions` stand in the order of the record;
    `dearest` are the places of the mistakes among them, the one that cost most first; `lost` is for
    each seat what its mistakes have cost together.
    """

    game: str
    lang: str
    unit: str
    unit_text: str
    digits: int
    high_is_good: bool
    rounds: list[int]
    decisions: list[AnalysedDecision]
    dearest: list[int]
    lost: list[float]


class AnalysisState(Struct, forbid_unknown_fields=True, frozen=True):
    """How it stands with the analysis of a match of the table, by its number.

    `none`: nobody has asked for it; `running`: it is worked out, and `progress` tells how far it
    is, once that is known; `failed`: it came to nothing and may be asked for again; `ready`: there
    is the `analysis`.
    """

    match: int
    state: Literal["none", "running", "failed", "ready"]
    progress: AnalysisProgress | None
    analysis: MatchAnalysis | None


class PlayedMatch(Struct, forbid_unknown_fields=True, frozen=True):
    """A match that is over, as somebody who has played it is told of it.

    `match` is its number at the table; `ended` when it was over, as in 2026-05-31T20:15:00+00:00;
    `players` are by seats, `seat` is one's own, `winners` are the seats that won, and `sides` those
    who played together. `standing` is what each seat has gathered, null where the game has not said
    by what a match is decided.
    Where the match was analysed, `lost` is what one's own mistakes have cost, in so many
    `decisions`. `resumed`: so many steps were taken over from another match; where there are any,
    the match counts in none of the results.
    `characters` are those of the computers, by seats, as in `SeatInfo`; null where they are the
    numbers of the seats.
    """

    table: str
    match: int
    game: str
    ended: str
    players: list[str]
    seat: int
    winners: list[int]
    sides: list[list[int]]
    standing: list[int | float | str] | None
    lost: float | None
    decisions: int | None
    resumed: int = 0
    characters: list[int] | None = None


class GameResults(Struct, forbid_unknown_fields=True, frozen=True):
    """What somebody has reached in a game: matches, how many of them he won, and a mean.

    `mean` is the figure of the game in a round on average, with so many `digits`, and `unit_text`
    what it counts; the higher one is the better where `high_is_good`. It is null in a game that has
    no figure.
    """

    game: str
    matches: int
    won: int
    mean: float | None
    unit_text: str
    digits: int
    high_is_good: bool


class MatchMistakes(Struct, forbid_unknown_fields=True, frozen=True):
    """What somebody's mistakes have cost in a match; as in a `PlayedMatch`."""

    table: str
    match: int
    game: str
    ended: str
    lost: float
    decisions: int


class MistakesByUnit(Struct, forbid_unknown_fields=True, frozen=True):
    """What somebody's mistakes have cost, in the games that count in a unit.

    `matches` are those that were analysed, the latest 500, in the order of time; their figures have
    so many `digits`.
    """

    unit: str
    unit_text: str
    digits: int
    matches: list[MatchMistakes]


class MatchHistoryPage(Struct, forbid_unknown_fields=True, frozen=True):
    """Some of the matches that the caller has played and that are over, the latest first.

    `next` is what to ask for the following ones with, null where there are none. `unread` tables
    are not among them yet: ask again. `whole`: they are of all tables; else of those alone at which
    something happened last. `games`, that played most first, and `given` are about all matches, not
    only those of this page; they come with the first one and are null with the others.
    """

    matches: list[PlayedMatch]
    next: str | None
    unread: int
    whole: bool
    games: list[GameResults] | None
    given: list[MistakesByUnit] | None


class ErrorBody(Struct, forbid_unknown_fields=True, frozen=True):
    """Why a REST call was refused."""

    code: ErrorCode
    message: str
