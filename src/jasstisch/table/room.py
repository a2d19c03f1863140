"""What readers are told of a table: the room, whose turn it is, and what has just happened.

A reader is a seat, or a spectator. These structs travel to clients as they are; everything in them
may be seen by the reader they are made for.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

__all__ = [
    "Card",
    "CardRefusal",
    "EntryRequest",
    "EventInfo",
    "EventKind",
    "FairDealState",
    "OptionValue",
    "PackPurpose",
    "Room",
    "RoomPhase",
    "SeatInfo",
    "TableDelta",
    "Turn",
    "TutorialHint",
    "UndoRequest",
]

Card = Annotated[str, Meta(pattern="^[2-9TJQKA][CDHS]$")]
OptionValue = int | str | None

RoomPhase = Literal["open", "playing", "between", "over", "closed"]
"""Before the start; a round is on; a round is over and the next waits for `ready`; match over; the
host has closed the table."""

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
    "renamed",
    "said",
    "wrote",
    "closed",
]
"""What can happen at a table."""

PackPurpose = str
"""What a shuffled pack is for (C6): the draw for deal, the deal, or the phase that awaits it."""


class SeatInfo(Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """Who holds a seat.

    `bot` is the computer player of a computer's seat; `left`: it plays there for somebody who
    stood up, under his `name`, so that the seat may be taken; `away`: the computer plays for the
    person until he is back; `ready`: the person asked for the next round or the rematch; `asks`:
    the seat of the person whom this one asks to swap seats before the start, null for none;
    `returning`: the person wants to go on and will be back after the trick, or in the next round
    where he has let three turns pass (`lapses` counts them in this match); `patient`: he has three
    times the thinking time; `face`: the one that the person has chosen, by its number from 1, and 0
    for none; `character`: what a computer is called and looks like follows from the table and this
    number, which it takes along when seats are swapped, null for people; `program`: the person has
    a program of his own play, which says so; left out where that is not so, for readers who know
    nothing of programs yet.
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
    """Somebody who asks the host to be let in: the number to answer by, the seat, the nickname.

    `program`: it is a program that would play there; left out as in `SeatInfo`.
    """

    number: int
    seat: int
    name: str
    program: bool | UnsetType = UNSET


class UndoRequest(Struct, forbid_unknown_fields=True, frozen=True):
    """Somebody asks to take his last card back: his seat, and those whose answer is awaited."""

    seat: int
    awaited: list[int]


class FairDealState(Struct, forbid_unknown_fields=True, frozen=True):
    """How the match is dealt, so that anybody can check it; see docs/fair-deals.md.

    `announcement` binds the server to its secrets before the first pack. Commitments are taken for
    `next_pack` and the two after it. While openings are awaited `call` names all commitments and
    `asked` the seats that are to open now. `void` is the last attempt that failed for the last
    pack called, also once that is decided.
    """

    announcement: dict[str, Any]
    next_pack: int
    call: dict[str, Any] | None
    void: dict[str, Any] | None
    asked: list[int]


class Room(Struct, forbid_unknown_fields=True, frozen=True):
    """What everybody at a table may know of it, the match itself apart.

    `thinking_time` in seconds, null for none; `pause` in milliseconds before a computer's move;
    `number` counts the matches from 1 (0 before the first); `wins` per seat over these matches;
    `guided`: the first round is the guided one of the game, for whoever holds seat 0; `hints`:
    whoever has the turn may ask for a hint; `stand_in`: the computer player that takes the seats
    still open at the start, and plays for people who are away or have left; `sides`: who plays with
    whom, the seats of each side; a side of one seat plays alone; `host`: the seat of the host, null
    while he has none; `entry`: who may take a seat, everybody with the link, whom the host lets in,
    or nobody; `requests`: those who ask to be let in; `starters`: who may begin the match; `key`:
    what the link needs besides the table's id; `match_time`: seconds for all turns of a match
    together, null for no limit, and `used`: those that each seat has used; `fair`: how the match is
    dealt, null where one has to take the server's word; `writing`: people may say something in
    their own words, besides the phrases; `published`: the table stands in the list that everybody
    sees, and whoever comes from there needs no key; `delayed`: who only watches sees the table as
    it was before the trick that is being played, or the claim that is being answered; `undo`:
    who asks to take his last card back, null while nobody does; until that is settled computers
    wait and no clock runs; `resumed`: how many steps of the match were taken over from another one,
    which somebody plays on from there, 0 for none.
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
    """Why a card in hand may not be played now: the rule's clause and a reason for programs."""

    clause: str
    reason: str


class Turn(Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """It is the reader's turn. Null in a message when it is not.

    `legal` holds the texts of what he may do; `more` says that only the first are listed.
    `refused` maps each card in hand that may not be played to the reason. `seconds` is the
    thinking time left, null for no limit. `rest`: the reader can take all tricks that are
    left, whatever the others hold and play, and then everything comes to the same: he may do so at
    once.
    """

    legal: list[str]
    more: bool
    refused: dict[str, CardRefusal]
    seconds: float | None = None
    rest: bool = False


class TutorialHint(Struct, forbid_unknown_fields=True, frozen=True):
    """What the coach of a guided round says to the learner now.

    `id` names the text and `values` stand in its gaps: a gap named `card…` holds a card, `cards…`
    cards separated by spaces, `suit…` a suit, `ranks…` a rank, `seat…` a seat, any other a number.
    `suggest` is an action the coach would do; nobody has to. `wait`: the computers wait until the
    learner sends `ready`.
    """

    id: str
    values: dict[str, int | str]
    suggest: str | None
    wait: bool


class EventInfo(Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """What happened, as this reader may see it.

    `seat` is whose; `action` the action done (`bid` alone where the number is hidden from the
    reader) and `by` who did it; `pack` what a shuffled pack was for; `other` the second seat of a
    swap, asked for, declined or done, or who asks for his last card; `words` the phrase that was
    said, or what was written.
    """

    kind: EventKind
    seat: int | None = None
    action: str | None = None
    by: Literal["person", "computer"] | None = None
    pack: PackPurpose | None = None
    other: int | None = None
    words: str | None = None


class TableDelta(Struct, frozen=True, gc=False):
    """What one event changed for one reader.

    `room` and `set` hold the new values of the keys of room and view that changed, `last` the
    new last item of a list of the view and `append` the items that joined its end; `hint` is what
    the coach says to him now; `undoable`: he may ask to take his last card back.
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
