"""How the terminal tells of games of two sides: what was announced, points by side, the slate.

Everything is read from views, from finished rounds and from what the game's class says of itself:
its sides, and the lines that may be announced with their factors.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jasstisch import tricks
from jasstisch.bots import View
from jasstisch.cli.faces import Faces
from jasstisch.cli.grids import grid
from jasstisch.cli.seats import Seats
from jasstisch.cli.speech import Speech
from jasstisch.games.contracts import CONTRACTS, PUSH, Contracted, Line
from jasstisch.games.rules import REGISTRY, Game

__all__ = [
    "announced",
    "announcement_told",
    "called",
    "contracted",
    "contracts_sheet",
    "lines_of",
    "pushed",
    "round_of_sides",
    "round_told",
    "sides_now",
    "slated",
    "this_trick",
    "weis_told",
]

Round = Mapping[str, Any]
"""A finished round, or a view of the one in progress: what both say of it."""

NONE = Text("·", "dim")
NOW = {tricks.TOPS: "contract.tops", tricks.BOTTOMS: "contract.bottoms"}


def contracted(game: str) -> bool:
    """Whether a contract is announced in a game (CT2)."""
    return issubclass(REGISTRY[game], Contracted)


def lines_of(view: View) -> tuple[Line, ...]:
    """What may be announced at this table, in the order of the slate."""
    game = Game(view["game"], view["options"])
    return game.rules.lines(game) if issubclass(game.rules, Contracted) else ()


def called(game: str, text: str, faces: Faces) -> Text:
    """What an announcement or a line of the slate is called: `♠ spades trump`."""
    said = faces.speech.words(game).contract(text)
    return Text().join(faces.piece(*piece) for piece in said) if said else Text(text)


def with_factor(game: str, text: str, factor: int, faces: Faces) -> Text:
    """The same with its factor, where that is more than 1 and not said already."""
    what = called(game, text, faces)
    return what if factor == 1 or "×" in what.plain else what.append(f" ×{factor}", "bold")


# What is announced (CT2).


def announcement_told(after: View, seat: int, action: str, seats: Seats, faces: Faces) -> Text:
    """Somebody has announced or pushed, and who leads then."""
    speech, who = seats.speech, seats.who(seat)
    if action == PUSH:
        told = speech("contract.pushes", who=who)
    else:
        what = with_factor(after["game"], action, after["factor"], faces)
        leads = speech("news.leads", who=seats.who(after["to_act"][0]))
        told = speech("contract.announces", who=who, what=what, leads=leads)
    return speech("news.your_partner", what=told) if seats.is_partner(seat) else told


def announced(table: Round, game: str, seats: Seats, faces: Faces) -> Text:
    """What is played and who announced it, from a view or a finished round."""
    text = table["line"] if slated(game) else table["contract"]
    what = with_factor(game, text, table["factor"], faces)
    seat = table["by"]
    by = "by_you" if seat in seats.you else "by_partner" if seats.is_partner(seat) else "by"
    what.append_text(seats.speech(f"contract.{by}", name=seats[seat]))
    return what.append_text(seats.speech("contract.after_push")) if table["pushed"] else what


def this_trick(view: View) -> str | None:
    """Which way the trick in progress is ranked, where tops and bottoms take turns (CT4)."""
    rankings = CONTRACTS[view["contract"]].rankings
    return None if len(set(rankings)) == 1 else NOW[rankings[len(view["tricks"])]]


def pushed(view: View) -> list[int]:
    """The seats that have pushed in this round, in order."""
    players = len(view["players"])
    order = [(view["dealer"] + 1 + step) % players for step in range(players)]
    return order[: view["pushes"]]


# Weis and Stöck of a side (SC3, SC4).


def weis_told(before: View, table: Round, seats: Seats) -> Iterator[RenderableType]:
    """What Weis and Stöck have brought a side."""
    for side in seats.sides:
        seat = side[0]
        weis = table["weis"][seat]
        if weis and not before["weis"][seat]:
            yield seats.speech("news.weis_of_side", who=seats.who(side), n=weis)
        if table["stoeck"][seat] and not before["stoeck"][seat]:
            speech, points = seats.speech, table["stoeck"][seat]
            yield Text.assemble(
                (speech.plain("news.stoeck"), "bold"),
                speech("news.points", who=seats.who(side), n=points),
            )


# Points by side.


def sides_now(view: View, seats: Seats) -> Table:
    """What each side has in this round and in all, and how many lines it has still to play."""
    speech = seats.speech
    columns: list[tuple[str, list[str | Text]]] = []
    first = [side[0] for side in seats.sides]
    if view["phase"] == "play":
        columns.append(
            (speech.plain("contract.this_round"), [str(view["points"][seat]) for seat in first])
        )
        columns += parts(view, first, speech)
    total = [str(view["standing"][seat]["points"]) for seat in first]
    columns.append((speech.plain("contract.total"), [*total]))
    if view["phase"] != "play":
        columns += lines_open(view, first, speech)
    return by_side(columns, seats)


def lines_open(
    view: View, first: Sequence[int], speech: Speech
) -> list[tuple[str, list[str | Text]]]:
    """How many lines each side has still to play, where it ticks them off (CO1)."""
    if not slated(view["game"]):
        return []
    lines = len(lines_of(view))
    left = [lines - len(view["standing"][seat]["lines"]) for seat in first]
    cells = [speech("contract.of", n=number, total=lines) for number in left]
    return [(speech.plain("contract.lines_open"), [*cells])]


def round_of_sides(view: View, seats: Seats) -> Table:
    """What each side took in the last round, what of it was Weis and Stöck, and what it writes."""
    finished, standing = view["rounds"][-1], view["standing"]
    first = [side[0] for side in seats.sides]
    called = seats.speech.plain
    columns: list[tuple[str, list[str | Text]]] = [
        (called("contract.points"), [str(finished["points"][seat]) for seat in first]),
        *parts(finished, first, seats.speech),
        (called("contract.written"), [finished["marks"][seat] for seat in first]),
        (called("contract.total"), [str(standing[seat]["points"]) for seat in first]),
        *lines_open(view, first, seats.speech),
    ]
    return by_side(columns, seats)


def parts(table: Round, first: Sequence[int], speech: Speech) -> list[tuple[str, list[str | Text]]]:
    """The columns of Weis and Stöck, where there are any; they are among the points."""
    return [
        (
            speech.plain(f"table.{key}"),
            [str(table[key][seat]) if table[key][seat] else NONE for seat in first],
        )
        for key in ("weis", "stoeck")
        if any(table[key])
    ]


def by_side(columns: Sequence[tuple[str, list[str | Text]]], seats: Seats) -> Table:
    """A row for each side."""
    table = grid("", *[name for name, _ in columns])
    for row, side in enumerate(seats.sides):
        cells = [cells[row] for _, cells in columns]
        table.add_row(seats.all(side), *cells, style="bold" if seats.own in side else "")
    return table


def round_told(finished: Round, seats: Seats) -> Iterator[RenderableType]:
    """A match, and why a side writes nothing (CT6, CO4)."""
    if finished["match"] is not None:
        side = seats.side_of(finished["match"])
        yield Text.assemble(
            (seats.speech.plain("contract.match"), "bold"),
            seats.speech("contract.all_tricks", who=seats.who(side)),
        )


# The slate.


def slated(game: str) -> bool:
    """Whether each side ticks lines off in a game (CO1)."""
    rules = REGISTRY[game]
    return issubclass(rules, Contracted) and rules.lines_cross_out


def contracts_sheet(view: View, seats: Seats, faces: Faces) -> Table:
    """The slate: the lines with what each side has written, or every round; the total below."""
    first = [side[0] for side in seats.sides]
    standing, game = view["standing"], view["game"]
    speech = seats.speech
    both = f" {speech.plain('word.and')} "
    names = [seats.all(side).replace(both, f"{both[:-1]}\n") for side in seats.sides]
    if slated(game):
        head = (speech.plain("contract.line"), speech.plain("contract.factor"))
        table = grid(*head, *names, title=speech.plain("contract.points_written"))
        for line in lines_of(view):
            cells = [standing[seat]["lines"].get(line.text) for seat in first]
            none = Text(speech.plain("contract.open"), "dim")
            said = [none if cell is None else str(cell) for cell in cells]
            table.add_row(called(game, line.text, faces), f"×{line.factor}", *said)
    else:
        title = speech.plain("contract.points_and_written")
        table = grid(speech.plain("contract.round"), "", *names, title=title)
        table.columns[1].justify = "left"
        for number, finished in enumerate(view["rounds"], start=1):
            what = with_factor(game, finished["contract"], finished["factor"], faces)
            told = speech.plain("contract.pushed") if finished["pushed"] else ""
            by = f" · {seats[finished['by']]}{told}"
            cells = [f"{finished['points'][seat]} {finished['marks'][seat]:>5}" for seat in first]
            table.add_row(str(number), what.append(by), *cells)
    total = [str(standing[seat]["points"]) for seat in first]
    table.add_row(speech.plain("contract.total"), "", *total, style="bold")
    return table
