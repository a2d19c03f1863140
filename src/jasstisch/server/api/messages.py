"""The messages over the WebSocket, as typed structs.

There are two groups: the messages that a client sends (`ClientMessage`), and the messages that the
server sends (`ServerMessage`). Unknown fields, wrong types and values beyond the stated limits are
rejected on input. `python -m jasstisch.server.api.json_schema` prints one JSON Schema of these
messages and of the bodies of REST (`bodies`), from which the browser's types and
`docs/protocol.md` are generated. The games declare the content of their views; here, views are
plain objects, as bots receive them.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from jasstisch.table.chat_phrases import Phrase
from jasstisch.table.client_state import (
    CardRefusal,
    EntryRequest,
    EventInfo,
    FairDealState,
    OptionValue,
    RoomInfo,
    SeatInfo,
    Turn,
    TutorialHint,
    UndoRequest,
)
from jasstisch.table.replay import Replay, ReplayStep

__all__ = [
    "FACE_COUNT",
    "PROTOCOL",
    "Ack",
    "Act",
    "AnswerEntryRequest",
    "AnswerSwap",
    "AnswerUndo",
    "AssignBot",
    "CardRefusal",
    "ClaimRest",
    "ClientMessage",
    "CloseTable",
    "CommitContributions",
    "EntryRequest",
    "ErrorCode",
    "ErrorMessage",
    "Event",
    "EventInfo",
    "ExtendTime",
    "FairDealState",
    "HintReply",
    "LetBotTakeOver",
    "OpenContribution",
    "OptionValue",
    "Phrase",
    "Ping",
    "Pong",
    "Presence",
    "Ready",
    "RemovePerson",
    "Replay",
    "ReplayStep",
    "RequestHint",
    "ResumeControl",
    "RevokeLink",
    "RoomInfo",
    "SeatInfo",
    "SendChat",
    "SendPhrase",
    "ServerMessage",
    "SetChatPolicy",
    "SetEntryPolicy",
    "SetPublished",
    "SetStartPolicy",
    "Settled",
    "Sit",
    "SkipPause",
    "Snapshot",
    "Stand",
    "StartMatch",
    "SwapSeats",
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
"""The version of this protocol; a change that older clients cannot read increments it."""

_TableId = Annotated[str, Meta(min_length=16, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
_SessionId = Annotated[str, Meta(min_length=16, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
Seat = Annotated[int, Meta(ge=0, le=15)]
_Seq = Annotated[int, Meta(ge=0, le=2**53 - 1)]
_Version = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Nickname = Annotated[str, Meta(min_length=1, max_length=64)]
_HexDigest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
FACE_COUNT = 24
"""The number of available faces."""

Face = Annotated[int, Meta(ge=0, le=FACE_COUNT)]
_ActionText = Annotated[str, Meta(min_length=1, max_length=200)]

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
    "last_device",
    "banned",
    "damaged",
    "internal",
]
"""The codes of errors, for programs; `message` explains the error to people."""


# --- client messages -------------------------------------------------------------------------


class ClientBase(Struct, tag_field="type", forbid_unknown_fields=True, frozen=True):
    """A request. `seq` is the client's own number; the `ack` or `error` repeats it."""

    seq: _Seq


class Watch(ClientBase, tag="watch", frozen=True):
    """Subscribe to a table and, after a lost connection, get the missed events.

    With `since`, the version the client has, and `seat`, the seat it had then, the server sends the
    missed `event` messages one by one, if they are few and still kept. Otherwise (another seat, too
    long ago, after a restart), and without `since`, it sends one `snapshot`. Then the `ack`
    follows. If the host has renewed the link, a person who has not sat at the table must give the
    `key` of the new link.

    `session` is a random text that a client keeps for all its connections, with numbers `seq` that
    only grow. The table then refuses what still arrives on an earlier connection of the session,
    and a `settled` before the `ack` says how far its requests have been handled.
    """

    table: _TableId
    since: _Version | None = None
    seat: Seat | None = None
    key: Annotated[str, Meta(max_length=32)] | None = None
    session: _SessionId | None = None


class Unwatch(ClientBase, tag="unwatch", frozen=True):
    """Unsubscribe from a table. A seat there is kept."""

    table: _TableId


class Sit(ClientBase, tag="sit", frozen=True, omit_defaults=True):
    """Take a free seat under a nickname; the answer is a new `snapshot`, then the `ack`.

    Before the start, a person who already has a seat moves there and keeps their nickname. A name
    that is taken at the table gets a number. If the host admits people, this sends the host a
    request, and the seat follows when they agree. `face`: the number of the face that is shown
    beside the name, 0 for none. `program`: a program plays here instead of a person, which
    everybody sees; programs must set it. A program has the duties of a person in its seat, but it
    is not asked for consent to an undo, gives its seat up to anyone who wants to swap, does not
    become the host, and does not start the next round by itself where people sit.
    """

    table: _TableId
    seat: Seat
    name: Nickname
    face: Face = 0
    program: bool = False


class Stand(ClientBase, tag="stand", frozen=True):
    """Give the seat up; during a match a bot plays on for it."""

    table: _TableId


class SwapSeats(ClientBase, tag="swap", frozen=True):
    """Swap seats with the player in this one, before the start; a bot gives way at once.

    A person is asked and answers. A new request replaces the previous one.
    """

    table: _TableId
    seat: Seat


class AnswerSwap(ClientBase, tag="answer", frozen=True):
    """Accept or decline to swap seats with the person on this one, who has asked for it."""

    table: _TableId
    seat: Seat
    accept: bool


class WithdrawSwap(ClientBase, tag="withdraw", frozen=True):
    """Withdraw the request to swap seats."""

    table: _TableId


class StartMatch(ClientBase, tag="start", frozen=True):
    """Start the match; bots take the open seats. The host may, and others if the host allows it."""

    table: _TableId


class Act(ClientBase, tag="act", frozen=True):
    """Do an action of the game, in its text form: `play JC`, `bid 42`.

    `weis`: announce Weis with the card wherever that is possible, as people at a table do.
    """

    table: _TableId
    action: _ActionText
    weis: bool = False


class ClaimRest(ClientBase, tag="take_rest", frozen=True):
    """Claim all remaining tricks of the round, if they are yours (`rest` of a turn).

    The cards are played as ordinary actions: yours in an order that takes every trick, and for the
    others the lowest legal ones; any other order would give the same result. None of these cards
    can be taken back.
    """

    table: _TableId


class Undo(ClientBase, tag="undo", frozen=True):
    """Take your last card back (`undoable`), with the consent of all other people present.

    Without others it is done at once, and the bots' cards since then are taken back too. The others
    are asked (`undo` of the room) and answer with `answer_undo`; a person who plays on declines. It
    may be asked three times in a round, and only for a card that was played to a trick, before
    another person has played and before the next deal: bids, claims and announcements stand.
    """

    table: _TableId


class AnswerUndo(ClientBase, tag="answer_undo", frozen=True):
    """Agree that the person who asks takes their last card back, or decline; within 20 seconds."""

    table: _TableId
    accept: bool


class WithdrawUndo(ClientBase, tag="withdraw_undo", frozen=True):
    """Withdraw the request to take your last card back."""

    table: _TableId


class Ready(ClientBase, tag="ready", frozen=True):
    """Ask to continue: with the next round, a rematch, or after a hint with `wait` once read."""

    table: _TableId


class ResumeControl(ClientBase, tag="back", frozen=True):
    """Take over your seat again after a bot has played for you.

    This takes effect between two tricks, or between two turns if there are none; after three missed
    turns in the match, at the end of the round. There is no other way to take a seat back.
    """

    table: _TableId


class LetBotTakeOver(ClientBase, tag="cover", frozen=True):
    """Have a bot play for a person who has been disconnected for a while (`missing`)."""

    table: _TableId
    seat: Seat


class SendPhrase(ClientBase, tag="say", frozen=True):
    """Send one of the phrases to all at the table; everybody reads it in their own language."""

    table: _TableId
    phrase: Phrase


class SendChat(ClientBase, tag="write", frozen=True):
    """Send a chat message, one line of plain text, to all at the table, if the host allows it."""

    table: _TableId
    text: Annotated[str, Meta(min_length=1, max_length=560)]


class SetEntryPolicy(ClientBase, tag="admit", frozen=True):
    """As the host: set who may take a seat: all with the link, people you admit, or nobody."""

    table: _TableId
    entry: Literal["link", "host", "nobody"]


class AnswerEntryRequest(ClientBase, tag="let_in", frozen=True):
    """As the host: answer a request to be admitted (`requests` of the room)."""

    table: _TableId
    number: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    accept: bool


class RevokeLink(ClientBase, tag="relink", frozen=True):
    """As the host: renew the link; people who never sat here need the new one."""

    table: _TableId


class SetStartPolicy(ClientBase, tag="let_start", frozen=True):
    """As the host: set who may start the match: everybody with a seat or only the host."""

    table: _TableId
    who: Literal["all", "host"]


class SetChatPolicy(ClientBase, tag="let_write", frozen=True):
    """As the host: allow or forbid chat messages in people's own words (`write`)."""

    table: _TableId
    allowed: bool


class SetPublished(ClientBase, tag="publish", frozen=True):
    """As the host: publish the table in the public list, or remove it (`published`)."""

    table: _TableId
    published: bool


class SetSpectatorDelay(ClientBase, tag="delay", frozen=True):
    """As the host: set whether spectators see the table one trick late (`delayed`)."""

    table: _TableId
    delayed: bool


class ExtendTime(ClientBase, tag="give_patience", frozen=True):
    """As the host: give a person three times the thinking time, or the usual one again."""

    table: _TableId
    seat: Seat
    patient: bool


class RemovePerson(ClientBase, tag="remove", frozen=True):
    """As the host: remove a person from their seat, before a match or between two rounds."""

    table: _TableId
    seat: Seat


class AssignBot(ClientBase, tag="give", frozen=True):
    """As the host: assign a seat without a person to a bot, or open it (null)."""

    table: _TableId
    seat: Seat
    bot: Annotated[str, Meta(max_length=40)] | None


class CloseTable(ClientBase, tag="close", frozen=True):
    """As the host: close the table permanently."""

    table: _TableId


class CommitContributions(ClientBase, tag="commit", frozen=True):
    """Commit in advance to your contribution to the next deal (`fair.next_pack` of the room).

    It contains one commitment for each possible attempt, as many as the table has seats, each 64
    hexadecimal digits; see docs/fair-deals.md. A later message replaces an earlier one.
    """

    table: _TableId
    pack: _Version
    commitments: Annotated[list[_HexDigest], Meta(max_length=16)]


class OpenContribution(ClientBase, tag="open", frozen=True):
    """Open your commitment for the current attempt (`fair.asked`)."""

    table: _TableId
    pack: _Version
    attempt: Annotated[int, Meta(ge=1, le=16)]
    opening: _HexDigest


class RequestHint(ClientBase, tag="hint", frozen=True):
    """Ask what a strong player would do now; an `advice` comes, to you alone, and then the `ack`.

    Only the player whose turn it is may ask, and only at a table with `hints`. It has no other
    effect.
    """

    table: _TableId


class SkipPause(ClientBase, tag="hurry", frozen=True):
    """Skip the pause before a bot's move that gives people time to look.

    It is for a person at a table where no other person plays. With `to_end`, the pauses are skipped
    until the round is over, if no person at the table has any decision left in it, for example
    after dropping out; others may then be watching with you. It does not change how long a bot
    computes, and has no other effect.
    """

    table: _TableId
    to_end: bool = False


class Ping(ClientBase, tag="ping", frozen=True):
    """Check whether the connection is alive; answered by `pong`."""


ClientMessage = (
    Watch
    | Unwatch
    | Sit
    | Stand
    | SwapSeats
    | AnswerSwap
    | WithdrawSwap
    | StartMatch
    | Act
    | ClaimRest
    | Undo
    | AnswerUndo
    | WithdrawUndo
    | Ready
    | ResumeControl
    | LetBotTakeOver
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
    | RemovePerson
    | AssignBot
    | CloseTable
    | CommitContributions
    | OpenContribution
    | RequestHint
    | SkipPause
    | Ping
)


# --- server messages -------------------------------------------------------------------------


class ServerBase(Struct, tag_field="type", forbid_unknown_fields=True, frozen=True):
    """A message from the server."""


class Welcome(ServerBase, tag="welcome", frozen=True):
    """The first message on an accepted connection.

    `identity`: the connection came with a valid cookie.
    """

    protocol: int
    identity: bool


class Ack(ServerBase, tag="ack", frozen=True):
    """The request `seq` is done and survives a crash; all messages it caused were sent before."""

    seq: int
    table: str | None = None
    version: int | None = None


class ErrorMessage(ServerBase, tag="error", frozen=True):
    """A request was refused and has changed nothing.

    `seq` and `table` are null if the message was too malformed to contain them. As the first
    message on a connection, it says why the server has no capacity for it; the connection is then
    closed. For `illegal_action`, `clause`, `reason` and `legal` say which rule forbids the action
    and which are legal. After `busy`, the outcome of the request may be unknown: the message then
    says so, and its effects, if any, were sent before or will be sent later.
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

    `view` is the view that the game declares, with the discriminator `game`, or any object in a
    game that declares none; null before a match. `host`: the reader is the host of the table, with
    or without a seat. `request`: the number of the reader's request for a seat (`requests` of the
    room). `moved`: the event that gave the reader a seat, took it, or made or ended their request
    for one, if that is the reason for the snapshot. `undoable`: the reader may ask to take their
    last card back. `said`: for each seat its last action besides the play of a card since the cards
    were dealt, as far as the reader may know it; null before one, and [] before the first deal.
    `former`: the seat that the reader has left in this match, null for none.
    """

    table: str
    version: int
    seat: int | None
    room: RoomInfo
    view: dict[str, Any] | None
    turn: Turn | None
    hint: TutorialHint | None = None
    host: bool = False
    request: int | None = None
    moved: EventInfo | None = None
    undoable: bool = False
    said: list[str | None] = []
    former: int | None = None


class Event(ServerBase, tag="event", frozen=True):
    """An event took the table to `version`: what happened, and what it changed for this reader.

    `room` and `set` contain the new values of the changed keys of `room` and `view`; `last` the new
    last item of a list of the view, and `append` the items added at its end, if the rest of the
    list is unchanged. `undoable`: the reader may ask to take their last card back. Versions have no
    gaps: a client that detects one sends `watch` again with `since`.
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
    """The seats whose people have a connection open now; not versioned, never stored.

    It is sent on changes, at most twice a second. `preparing` are the seats of bots that are not
    ready yet: the server prepares them, and then they play. `spectators` is the number of
    subscribed connections without a seat. `missing` are the seats whose people have been
    disconnected for a while: the others may have a bot play for them (`cover`). `kept` are the
    seats that are kept for people who have left during the match: others may only ask for them.
    """

    table: str
    connected: list[bool]
    preparing: list[bool]
    spectators: int = 0
    missing: list[bool] = []
    kept: list[bool] = []


class HintReply(ServerBase, tag="advice", frozen=True):
    """What a strong player would do now, as requested by `hint`.

    `action` is a legal action. `reason` is the id of the reason, and `values` fill the placeholders
    of its text, by the kind of their name as in a `TutorialHint`. The hint is valid until the
    reader has acted; `version` is that of the table when the hint was computed.
    """

    table: str
    version: int
    action: str
    reason: str
    values: dict[str, int | float | str]


class Settled(ServerBase, tag="settled", frozen=True):
    """How far the requests of a session have been handled, sent before the `ack` of its `watch`.

    `last` is the last one that was executed or refused. None after it was executed, and none will
    be; the client may send them again. Without this message it is unknown, as after a restart of
    the server or a move to another node: the state of the table tells.
    """

    table: str
    last: int


class Pong(ServerBase, tag="pong", frozen=True):
    """The answer to `ping`."""

    seq: int


ServerMessage = (
    Welcome | Ack | ErrorMessage | Snapshot | Event | Presence | HintReply | Settled | Pong
)
