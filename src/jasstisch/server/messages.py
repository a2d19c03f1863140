"""Every message the table server speaks, as typed structs.

Three groups: what a client sends over the WebSocket (`ClientMessage`), what the server sends
back (`ServerMessage`), and the bodies of the REST calls. Unknown fields, wrong types and values
beyond the stated limits are refused on the way in. `python -m jasstisch.server.schema` prints
one JSON schema of all of it, from which the browser's types and `docs/protocol.md` are made.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from jasstisch.table.events import STAND_IN
from jasstisch.table.room import Card, Happened, Hint, OptionValue, Refused, Room, SeatInfo, Turn

__all__ = [
    "PROTOCOL",
    "Ack",
    "Act",
    "ActionWords",
    "Advice",
    "Answer",
    "AskHint",
    "Back",
    "ClientMessage",
    "CreatedTable",
    "Drawing",
    "ErrorBody",
    "ErrorCode",
    "ErrorMessage",
    "Event",
    "Example",
    "GameInfo",
    "GameWords",
    "Happened",
    "Hint",
    "Molotov",
    "NewTable",
    "OptionInfo",
    "OptionValue",
    "OptionWords",
    "Ping",
    "Pong",
    "Presence",
    "Ready",
    "Refused",
    "Room",
    "Round",
    "SeatInfo",
    "ServerMessage",
    "Sit",
    "Snapshot",
    "Stand",
    "Standing",
    "Start",
    "Swap",
    "Trick",
    "Turn",
    "Unwatch",
    "View",
    "Watch",
    "Welcome",
    "Withdraw",
]

PROTOCOL = 1
"""The number of this protocol; raised by a change that an older client cannot read."""

TableId = Annotated[str, Meta(min_length=16, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
Seat = Annotated[int, Meta(ge=0, le=15)]
Seq = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Version = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Nickname = Annotated[str, Meta(min_length=1, max_length=64)]
ActionText = Annotated[str, Meta(min_length=1, max_length=200)]
Suit = Literal["C", "D", "H", "S"]

ErrorCode = Literal[
    "bad_message",
    "too_large",
    "too_fast",
    "unknown_table",
    "no_identity",
    "not_seated",
    "seat_taken",
    "no_swap",
    "illegal_action",
    "wrong_phase",
    "bad_name",
    "bad_option",
    "forbidden_origin",
    "limit",
    "not_ready",
    "busy",
    "not_found",
    "internal",
]
"""What was wrong, for programs; `message` says it to people."""

Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
Said = Literal["stay", "drop", "blind"]
MatchPhase = str
"""`draw` and `deal` await those packs, `play` a card; `over` ends the match; a game has others."""


# --- what a client sends ---------------------------------------------------------------------


class ClientBase(Struct, tag_field="type", forbid_unknown_fields=True, frozen=True):
    """A request. `seq` is the client's own number; the `ack` or `error` repeats it."""

    seq: Seq


class Watch(ClientBase, tag="watch", frozen=True):
    """Follow a table and, after a lost connection, get what was missed.

    With `since` the version the client has and `seat` the seat it had then, the server sends the
    missed `event` messages one by one; when that is impossible (another seat, another match),
    and without `since`, one `snapshot`. Then the `ack`. A person who was away is back.
    """

    table: TableId
    since: Version | None = None
    seat: Seat | None = None


class Unwatch(ClientBase, tag="unwatch", frozen=True):
    """Stop following a table. A seat there is kept."""

    table: TableId


class Sit(ClientBase, tag="sit", frozen=True):
    """Take a free seat under a nickname; the answer is a fresh `snapshot`, then the `ack`.

    Before the start whoever sits already moves there and keeps his nickname.
    """

    table: TableId
    seat: Seat
    name: Nickname


class Stand(ClientBase, tag="stand", frozen=True):
    """Give the seat up; during a match the computer plays on for it."""

    table: TableId


class Swap(ClientBase, tag="swap", frozen=True):
    """Swap seats with whoever holds this one, before the start: a computer gives way at once.

    A person is asked and answers. Whoever asks somebody else no longer asks the one before.
    """

    table: TableId
    seat: Seat


class Answer(ClientBase, tag="answer", frozen=True):
    """Accept or decline to swap seats with the person on this one, who has asked for it."""

    table: TableId
    seat: Seat
    accept: bool


class Withdraw(ClientBase, tag="withdraw", frozen=True):
    """Ask no longer to swap seats."""

    table: TableId


class Start(ClientBase, tag="start", frozen=True):
    """Begin the match; computers take the seats still open."""

    table: TableId


class Act(ClientBase, tag="act", frozen=True):
    """Do an action of the game, in its text form: `play JC`, `bid 42`."""

    table: TableId
    action: ActionText


class Ready(ClientBase, tag="ready", frozen=True):
    """Ask to go on: for the next round, for a rematch, or past a hint with `wait` once read."""

    table: TableId


class Back(ClientBase, tag="back", frozen=True):
    """Take the seat back from the computer after having been away."""

    table: TableId


class AskHint(ClientBase, tag="hint", frozen=True):
    """Ask what a strong player would do now; an `advice` comes, to you alone, and then the `ack`.

    Only whose turn it is may ask, and only at a table with `hints`. Nothing else happens.
    """

    table: TableId


class Ping(ClientBase, tag="ping", frozen=True):
    """Ask whether the connection lives; answered by `pong`."""


ClientMessage = (
    Watch
    | Unwatch
    | Sit
    | Stand
    | Swap
    | Answer
    | Withdraw
    | Start
    | Act
    | Ready
    | Back
    | AskHint
    | Ping
)


# --- a table and its match, as one reader may know them --------------------------------------


class Trick(Struct, forbid_unknown_fields=True, frozen=True):
    """A complete trick: `cards` in order of play, beginning with the leader's."""

    leader: int
    cards: list[Card]
    winner: int


class Molotov(Struct, forbid_unknown_fields=True, frozen=True):
    """A run in one trick (MV4), written to its winner; `trick` counts from 1."""

    seat: int
    cards: list[Card]
    points: int
    trick: int


class Meld(Struct, forbid_unknown_fields=True, frozen=True):
    """A run or four of Weis and what it counts (JS7)."""

    cards: list[Card]
    points: int


class Announced(Struct, forbid_unknown_fields=True, frozen=True):
    """Weis announced: the points of the seat's best meld (JS7, SC3)."""

    seat: int
    points: int


class WeisShown(Struct, forbid_unknown_fields=True, frozen=True):
    """The melds shown after the first trick by the holder of the best Weis, or his side (JS7, SC3).

    `seat` is that of the holder; his own melds come first.
    """

    seat: int
    melds: list[Meld]


class Claim(Struct, forbid_unknown_fields=True, frozen=True):
    """The claim being answered: `count` cards said to be of one `rank` (ID2)."""

    seat: int
    rank: Rank
    count: int


class LayTurn(Struct, forbid_unknown_fields=True, frozen=True):
    """One turn of I Doubt It, as the reader may know it (ID2 - ID5).

    `count` 0: the turn passed by itself. `drawn` and `laid` are null where the reader may not see
    them; `laid` is in the order on the pile. `truth` is null unless somebody doubted; `taker` took
    `taken` cards.
    """

    seat: int
    drew: int
    drawn: list[Card] | None
    rank: Rank | None
    count: int
    laid: list[Card] | None
    passed: list[int]
    doubter: int | None
    truth: bool | None
    taker: int | None
    taken: int


class Round(Struct, forbid_unknown_fields=True, frozen=True):
    """A finished round. What only some games have is left out in the others."""

    dealer: int
    trump: Suit | None
    tricks: list[Trick]
    points: list[int]
    marks: list[str]
    bids: list[int] | UnsetType = UNSET
    difference: list[int] | UnsetType = UNSET
    molotovs: list[Molotov] | UnsetType = UNSET
    draw: list[list[tuple[int, Card]]] | UnsetType = UNSET
    playing: list[int] | UnsetType = UNSET
    blind: int | UnsetType | None = UNSET
    robbed: int | UnsetType | None = UNSET
    weis: list[int] | UnsetType = UNSET
    stoeck: list[int] | UnsetType = UNSET
    contract: str | UnsetType = UNSET
    line: str | UnsetType = UNSET
    by: int | UnsetType = UNSET
    pushed: bool | UnsetType = UNSET
    factor: int | UnsetType = UNSET
    match: int | UnsetType | None = UNSET
    claims: int | UnsetType = UNSET
    chips: list[int] | UnsetType = UNSET
    left: list[int] | UnsetType = UNSET


class Standing(Struct, forbid_unknown_fields=True, frozen=True):
    """How one seat stands in the match; which fields there are depends on the game."""

    strokes: str | UnsetType = UNSET
    tallies: int | UnsetType = UNSET
    sacks: int | UnsetType = UNSET
    sticks: int | UnsetType = UNSET
    potatoes: int | UnsetType = UNSET
    net: int | UnsetType = UNSET
    difference: int | UnsetType = UNSET
    nulls: int | UnsetType = UNSET
    safe: bool | UnsetType = UNSET
    chips: int | UnsetType = UNSET
    side: int | UnsetType = UNSET
    points: int | UnsetType = UNSET
    lines: dict[str, int] | UnsetType = UNSET


class View(Struct, forbid_unknown_fields=True, frozen=True):
    """All that one reader may know of a match, and nothing else.

    What he may not know is null. `tricks` are those of the round in progress, `trick` the one
    on the table (empty once complete); both are empty between rounds. `bids`, `has_bid` and
    `shown` belong to Differenzler, `molotovs` to Molotov and Offenbach Molotov; `playing`, `said`,
    `shown` and what follows it to Jass each for himself, of which Schieber and Coiffeur have all
    that is of Weis and Stöck; `contract`, `line`, `by`, `factor`, `pushes` and `pushed` to these
    two; `middle`, `claim`, `claims` and `turns` to I Doubt It.
    """

    game: str
    options: dict[str, OptionValue]
    players: list[str]
    seat: int | None
    phase: MatchPhase
    round: int
    dealer: int | None
    draw: list[tuple[int, Card]] | None
    to_act: list[int]
    needs_pack: bool
    hand: list[Card] | None
    hand_sizes: list[int]
    trick: list[tuple[int, Card]]
    last_trick: Trick | None
    tricks: list[Trick]
    trump: Suit | None
    points: list[int | None]
    rounds: list[Round]
    standing: list[Standing]
    over: bool
    winners: list[int]
    bids: list[int | None] | UnsetType = UNSET
    has_bid: list[bool] | UnsetType = UNSET
    shown: Card | UnsetType | None = UNSET
    molotovs: list[Molotov] | UnsetType = UNSET
    playing: list[int] | UnsetType = UNSET
    said: list[Said | None] | UnsetType = UNSET
    turned: Card | UnsetType | None = UNSET
    blind: int | UnsetType | None = UNSET
    blind_open: bool | UnsetType = UNSET
    robbed: int | UnsetType | None = UNSET
    melds: list[Meld] | UnsetType = UNSET
    announced: list[Announced] | UnsetType = UNSET
    weis_shown: WeisShown | UnsetType | None = UNSET
    weis: list[int] | UnsetType = UNSET
    stoeck: list[int] | UnsetType = UNSET
    laid_away: list[Card] | UnsetType | None = UNSET
    contract: str | UnsetType | None = UNSET
    line: str | UnsetType | None = UNSET
    by: int | UnsetType | None = UNSET
    factor: int | UnsetType | None = UNSET
    pushes: int | UnsetType = UNSET
    pushed: bool | UnsetType = UNSET
    middle: int | UnsetType = UNSET
    claim: Claim | UnsetType | None = UNSET
    claims: int | UnsetType = UNSET
    turns: list[LayTurn] | UnsetType = UNSET


# --- what the server sends -------------------------------------------------------------------


class ServerBase(Struct, tag_field="type", forbid_unknown_fields=True, frozen=True):
    """Something the server sends."""


class Welcome(ServerBase, tag="welcome", frozen=True):
    """The first message on a connection. `identity`: the connection came with a cookie."""

    protocol: int
    identity: bool


class Ack(ServerBase, tag="ack", frozen=True):
    """The request `seq` is done and will survive a crash; all it caused was sent before this."""

    seq: int
    table: str | None = None
    version: int | None = None


class ErrorMessage(ServerBase, tag="error", frozen=True):
    """A request was refused and has changed nothing.

    `seq` and `table` are null where the message was too broken to tell. For `illegal_action`
    `clause`, `reason` and `legal` say which rule forbids it and what may be done instead.
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

    `view` is a `View`, as a plain dict because computer players take it so; null before a match.
    """

    table: str
    version: int
    seat: int | None
    room: Room
    view: dict[str, Any] | None
    turn: Turn | None
    hint: Hint | None = None


class Event(ServerBase, tag="event", frozen=True):
    """One event took the table to `version`: what happened and what it changed for this reader.

    `room` and `set` hold the new values of the keys of `room` and `view` that changed; `last` the
    new last item of a list of the view, and `append` the items that joined its end, where the rest
    of the list stayed as it was.
    Versions have no gaps: a client that sees one watches again with `since`.
    """

    table: str
    version: int
    event: Happened
    room: dict[str, Any]
    set: dict[str, Any]
    last: dict[str, Any]
    append: dict[str, list[Any]]
    turn: Turn | None
    hint: Hint | None = None


class Presence(ServerBase, tag="presence", frozen=True):
    """Which seats' people have a connection open now; not versioned, never stored.

    `preparing` are the seats that a computer player plays, or would, which is not ready yet: the
    server makes it ready and it then plays.
    """

    table: str
    connected: list[bool]
    preparing: list[bool]


class Advice(ServerBase, tag="advice", frozen=True):
    """What a strong player would do now, as asked by `hint`.

    `action` is one of the legal ones. `reason` names why, and `values` stand in the gaps of its
    text, by the kind of their name as in a `Hint`. It holds until the reader has acted; `version`
    is that of the table when it was given.
    """

    table: str
    version: int
    action: str
    reason: str
    values: dict[str, int | float | str]


class Pong(ServerBase, tag="pong", frozen=True):
    """The answer to `ping`."""

    seq: int


ServerMessage = Welcome | Ack | ErrorMessage | Snapshot | Event | Presence | Advice | Pong


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


class OptionWords(Struct, forbid_unknown_fields=True, frozen=True):
    """The words for an option: what it is called and about, and what its values are called.

    A value is named by its text; one that is not there speaks for itself.
    """

    label: str
    help: str
    values: dict[str, str]


class ActionWords(Struct, forbid_unknown_fields=True, frozen=True):
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


class Drawing(Struct, forbid_unknown_fields=True, frozen=True):
    """An emblem on a field of 72 by 72: the paths of its white lines and of its red ones."""

    chalk: list[str]
    fire: list[str]


class GameWords(Struct, forbid_unknown_fields=True, frozen=True):
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
    options: dict[str, OptionWords]
    phases: dict[str, str]
    actions: dict[str, ActionWords]
    contracts: dict[str, str]
    columns: dict[str, str]
    order: int | None
    places: dict[str, int]
    effects: dict[str, dict[str, list[OptionValue]]]
    example: Example | None
    emblem: Drawing | None
    ranks: str
    sheet: bool


class NewTable(Struct, forbid_unknown_fields=True, frozen=True):
    """A table to be made: one entry of `seats` per player, in order of play.

    An entry is `me` (at most once), `open`, or a computer player such as `bot:greedy`.
    `thinking_time` in seconds, null for none; `pause` in milliseconds before a computer's move;
    `start`: begin at once, computers taking the open seats. `guided`: the first round is the guided
    one of the game; `me` has the first seat, computers have the others, and nothing else is chosen.
    `hints`: whoever has the turn may ask what a strong player would do. `stand_in`: the computer
    player for seats still open at the start, and for people who are away or have left.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[
        list[Annotated[str, Meta(max_length=40)]],
        Meta(min_length=2, max_length=16),
    ]
    options: Annotated[dict[str, OptionValue], Meta(max_length=32)] = {}
    name: Annotated[str, Meta(max_length=64)] = ""
    thinking_time: Annotated[int, Meta(ge=5, le=3600)] | None = None
    pause: Annotated[int, Meta(ge=0, le=3000)] = 700
    start: bool = False
    guided: bool = False
    hints: bool = False
    stand_in: Annotated[str, Meta(max_length=40)] = STAND_IN


class CreatedTable(Struct, forbid_unknown_fields=True, frozen=True):
    """The new table's id, which is also the secret part of its link, and the maker's seat."""

    table: str
    seat: int | None


class ErrorBody(Struct, forbid_unknown_fields=True, frozen=True):
    """Why a REST call was refused."""

    code: ErrorCode
    message: str
