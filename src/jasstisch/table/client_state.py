"""The structs that readers receive of a table: the room, the turn, the last event and the delta.

A reader is a seat, or a spectator. These structs are sent to clients unchanged; the reader they are
made for may see everything in them.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Card = Annotated[str, Meta(pattern="^[2-9TJQKA][CDHS]$")]
OptionValue = int | str | None

RoomPhase = Literal["open", "playing", "between", "over", "closed"]
"""Before the start; in a round; between rounds, until the next is `ready`; after the match; closed
by the host."""

EventKind = Literal[
    "created",
    "sat",
    "stood",
    "offered",
    "declined",
    "withdrew",
    "swapped",
    "gathered",
    "started",
    "called",
    "settled",
    "pack",
    "acted",
    "rest_taken",
    "undo_asked",
    "undo_agreed",
    "undo_declined",
    "undo_withdrawn",
    "undo_lapsed",
    "undone",
    "ready",
    "away",
    "returning",
    "back",
    "rematch",
    "patience",
    "admission",
    "starters",
    "writing",
    "published",
    "delayed",
    "relinked",
    "asked",
    "dismissed",
    "removed",
    "given",
    "resigned",
    "host_replaced",
    "renamed",
    "said",
    "wrote",
    "closed",
]
"""The kind of an event."""

PackPurpose = str
"""The purpose of a shuffled pack (C6): the draw for deal, the deal, or the phase that awaits it."""


class SeatInfo(Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """The occupant of a seat.

    `bot` is the bot of a bot's seat; `left`: it plays for a person who has left, under their
    `name`, so that the seat may be taken; `away`: a bot plays for the person until they are back;
    `ready`: the person is ready for the next round or the rematch; `asks`: the seat of the person
    whom this one asks to swap seats before the start, null for none; `returning`: the person asked
    to play again and will be back after the trick, or in the next round where they have missed
    three turns (`lapses` counts them in this match); `patient`: the person has three times the
    thinking time; `face`: the face that the person has chosen, by its number from 1, 0 for none;
    `character`: the name and appearance of a bot follow from the table and this number, which it
    takes along when seats are swapped, null for people; `program`: a program plays for the person,
    by its own declaration. It is left out where it is false, for older clients.
    """

    kind: Literal["person", "computer", "open"]
    name: str
    bot: str | None
    left: bool
    away: bool
    ready: bool
    asks: int | None
    returning: bool = False
    patient: bool = False
    lapses: int = 0
    face: int = 0
    character: int | None = None
    program: bool | UnsetType = UNSET


class EntryRequest(Struct, forbid_unknown_fields=True, frozen=True):
    """A request to the host to enter: its number for the answer, the seat and the nickname.

    `program`: a program would play there; left out where false, as in `SeatInfo`.
    """

    number: int
    seat: int
    name: str
    program: bool | UnsetType = UNSET


class UndoRequest(Struct, forbid_unknown_fields=True, frozen=True):
    """A request to undo a card: the seat that asks, and the seats whose answers are awaited."""

    seat: int
    awaited: list[int]


class FairDealState(Struct, forbid_unknown_fields=True, frozen=True):
    """The state of the verifiable deals of the match; see docs/fair-deals.md.

    `announcement` commits the server to its secrets before the first pack. Commitments are accepted
    for `next_pack` and the two after it. While openings are awaited, `call` holds all commitments
    and `asked` the seats that are to open now. `void` is the last void attempt at the last pack
    called, also after that pack is decided.
    """

    announcement: dict[str, Any]
    next_pack: int
    call: dict[str, Any] | None
    void: dict[str, Any] | None
    asked: list[int]


class RoomInfo(Struct, forbid_unknown_fields=True, frozen=True):
    """The public information about a table, except the match itself.

    `thinking_time` in seconds, null for none; `pause` in milliseconds before a bot's move; `number`
    counts the matches from 1 (0 before the first); `wins` per seat over these matches; `guided`:
    the first round is the tutorial of the game, for the person on seat 0; `hints`: a player on turn
    may ask for a hint; `stand_in`: the bot that takes the seats still open at the start, and plays
    for people who are away or have left; `sides`: the seats of each side, where a side of one seat
    plays alone; `host`: the seat of the host, null while the host has none; `entry`: who may take a
    seat, everybody with the link, only people whom the host accepts, or nobody; `requests`: the
    entry requests; `starters`: who may start the match; `key`: the key that the link needs besides
    the table's id; `match_time`: seconds for all turns of a match together, null for no limit, and
    `used`: the seconds that each seat has used; `fair`: the state of the verifiable deals, null
    where the deals cannot be verified, and before the first match the announcement of it;
    `writing`: people may write chat lines, besides the phrases; `published`: the table is in the
    public list, and people who come from there need no key; `delayed`: spectators see the table as
    it was before the trick that is being played, or the claim that is being answered; `undo`: the
    request to undo a card, null for none; until it is settled bots wait and no clock runs;
    `resumed`: the number of steps of the match that were taken over from another match, which this
    one continues, 0 for none.
    """

    table: str
    game: str
    options: dict[str, OptionValue]
    phase: RoomPhase
    seats: list[SeatInfo]
    thinking_time: int | None
    pause: int
    number: int
    wins: list[int]
    guided: bool
    hints: bool
    stand_in: str
    sides: list[list[int]]
    host: int | None
    entry: Literal["link", "host", "nobody"]
    starters: Literal["all", "host"]
    key: str | None
    requests: list[EntryRequest]
    match_time: int | None
    used: list[int]
    fair: FairDealState | None
    writing: bool = False
    published: bool = False
    delayed: bool = False
    undo: UndoRequest | None = None
    resumed: int = 0


class CardRefusal(Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """Why a card in hand may not be played now: the clause and a reason for programs."""

    clause: str
    reason: str


class Turn(Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """The turn of the reader. Null in a message when it is not the reader's turn.

    `legal` holds the texts of the legal actions; `more` says that only the first are listed.
    `refused` maps each card in hand that may not be played to the reason. `seconds` is the thinking
    time left, null for no limit. `rest`: the reader is sure to take all remaining tricks, and the
    result is fixed, so the reader may claim them at once.
    """

    legal: list[str]
    more: bool
    refused: dict[str, CardRefusal]
    seconds: float | None = None
    rest: bool = False


class TutorialHint(Struct, forbid_unknown_fields=True, frozen=True):
    """The present hint of a tutorial to the learner.

    `id` names the text and `values` fill its placeholders: one named `card…` is a card, `cards…`
    are cards separated by spaces, `suit…` is a suit, `ranks…` a rank, `seat…` a seat, any other a
    number. `suggest` is a suggested action, which the learner may ignore. `wait`: the bots wait
    until the learner sends `ready`.
    """

    id: str
    values: dict[str, int | str]
    suggest: str | None
    wait: bool


class EventInfo(Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """An event, as far as this reader may see it.

    `seat` is its seat; `action` the action carried out (`bid` alone where the number is hidden from
    the reader) and `by` whether a person or a bot did it; `pack` the purpose of a shuffled pack;
    `other` the second seat of a swap that was asked for, declined or done, or the seat that asks to
    undo its last card; `words` the phrase that was said, or the chat line.
    """

    kind: EventKind
    seat: int | None = None
    action: str | None = None
    by: Literal["person", "computer"] | None = None
    pack: PackPurpose | None = None
    other: int | None = None
    words: str | None = None


def is_card_action(action: str) -> bool:
    """Whether an action plays or lays cards; all others are said."""
    return action.startswith(("play ", "lay "))


class TableDelta(Struct, frozen=True, gc=False):
    """The changes of one event for one reader.

    `room` and `set` hold the new values of the changed keys of room and view, `last` the new last
    item of a list of the view and `append` the items appended to it; `hint` is the reader's present
    tutorial hint; `undoable`: the reader may ask to undo their last card.
    """

    version: int
    event: EventInfo
    room: dict[str, Any]
    set: dict[str, Any]
    last: dict[str, Any]
    append: dict[str, list[Any]]
    turn: Turn | None
    hint: TutorialHint | None = None
    undoable: bool = False
