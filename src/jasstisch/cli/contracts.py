"""How the terminal tells of games of two sides: what was announced, points by side, the slate.

Everything is read from views, from finished rounds and from what the game's class says of itself:
its sides, and the lines that may be announced with their factors.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jasstisch import rulebook, tricks
from jasstisch.bots import View
from jasstisch.cli.faces import Faces
from jasstisch.cli.grids import grid
from jasstisch.cli.seats import YOU, Seats
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
NOW = {tricks.TOPS: "tops", tricks.BOTTOMS: "bottoms"}


def contracted(game: str) -> bool:
    """Whether a contract is announced in a game (CT2)."""
    return issubclass(REGISTRY[game], Contracted)


def lines_of(view: View) -> tuple[Line, ...]:
    """What may be announced at this table, in the order of the slate."""
    game = Game(view["game"], view["options"])
    return game.rules.lines(game) if issubclass(game.rules, Contracted) else ()


def called(game: str, text: str, faces: Faces) -> Text:
    """What an announcement or a line of the slate is called: `♠ spades trump`."""
    said = rulebook.words(game).contract(text)
    return Text().join(faces.piece(*piece) for piece in said) if said else Text(text)


def with_factor(game: str, text: str, factor: int, faces: Faces) -> Text:
    """The same with its factor, where that is more than 1 and not said already."""
    what = called(game, text, faces)
    return what if factor == 1 or "×" in what.plain else what.append(f" ×{factor}", "bold")


# What is announced (CT2).


def announcement_told(after: View, seat: int, action: str, seats: Seats, faces: Faces) -> Text:
    """Somebody has announced or pushed, and who leads then."""
    who = seats.does(seat, "push" if action == PUSH else "announce")
    if seats.is_partner(seat):
        who = f"Your partner {who}"
    if action == PUSH:
        return Text(f"{who}.")
    what = with_factor(after["game"], action, after["factor"], faces)
    leads = seats.does(after["to_act"][0], "lead")
    return Text.assemble(f"{who} ", what, f". {leads}.")


def announced(table: Round, game: str, seats: Seats, faces: Faces) -> Text:
    """What is played and who announced it, from a view or a finished round."""
    text = table["line"] if slated(game) else table["contract"]
    what = with_factor(game, text, table["factor"], faces)
    seat = table["by"]
    by = "you" if seats[seat] == YOU else "your partner" if seats.is_partner(seat) else seats[seat]
    return Text.assemble(what, f", announced by {by}{' after a push' * table['pushed']}")


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
            yield f"{seats.does(side, 'get')} {weis} points for Weis."
        if table["stoeck"][seat] and not before["stoeck"][seat]:
            points = table["stoeck"][seat]
            yield Text.assemble(("Stöck! ", "bold"), f"{seats.does(side, 'get')} {points} points.")


# Points by side.


def sides_now(view: View, seats: Seats) -> Table:
    """What each side has in this round and in all, and how many lines it has still to play."""
    columns: list[tuple[str, list[str | Text]]] = []
    first = [side[0] for side in seats.sides]
    if view["phase"] == "play":
        columns.append(("This round", [str(view["points"][seat]) for seat in first]))
        columns += parts(view, first)
    columns.append(("Total", [str(view["standing"][seat]["points"]) for seat in first]))
    if view["phase"] != "play":
        columns += lines_open(view, first)
    return by_side(columns, seats)


def lines_open(view: View, first: Sequence[int]) -> list[tuple[str, list[str | Text]]]:
    """How many lines each side has still to play, where it ticks them off (CO1)."""
    if not slated(view["game"]):
        return []
    lines = len(lines_of(view))
    left = [lines - len(view["standing"][seat]["lines"]) for seat in first]
    return [("Lines open", [f"{number} of {lines}" for number in left])]


def round_of_sides(view: View, seats: Seats) -> Table:
    """What each side took in the last round, what of it was Weis and Stöck, and what it writes."""
    finished, standing = view["rounds"][-1], view["standing"]
    first = [side[0] for side in seats.sides]
    columns: list[tuple[str, list[str | Text]]] = [
        ("Points", [str(finished["points"][seat]) for seat in first]),
        *parts(finished, first),
        ("Written", [finished["marks"][seat] for seat in first]),
        ("Total", [str(standing[seat]["points"]) for seat in first]),
        *lines_open(view, first),
    ]
    return by_side(columns, seats)


def parts(table: Round, first: Sequence[int]) -> list[tuple[str, list[str | Text]]]:
    """The columns of Weis and Stöck, where there are any; they are among the points."""
    return [
        (name, [str(table[key][seat]) if table[key][seat] else NONE for seat in first])
        for name, key in (("Weis", "weis"), ("Stöck", "stoeck"))
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
        yield Text.assemble(("Match! ", "bold"), f"{seats.does(side, 'take')} all nine tricks.")


# The slate.


def slated(game: str) -> bool:
    """Whether each side ticks lines off in a game (CO1)."""
    rules = REGISTRY[game]
    return issubclass(rules, Contracted) and rules.lines_cross_out


def contracts_sheet(view: View, seats: Seats, faces: Faces) -> Table:
    """The slate: the lines with what each side has written, or every round; the total below."""
    first = [side[0] for side in seats.sides]
    standing, game = view["standing"], view["game"]
    names = [seats.all(side).replace(" and ", " and\n") for side in seats.sides]
    if slated(game):
        table = grid("Line", "Factor", *names, title="points written")
        for line in lines_of(view):
            cells = [standing[seat]["lines"].get(line.text, "open") for seat in first]
            said = [Text("open", "dim") if cell == "open" else str(cell) for cell in cells]
            table.add_row(called(game, line.text, faces), f"×{line.factor}", *said)
    else:
        table = grid("Round", "", *names, title="points, written")
        table.columns[1].justify = "left"
        for number, finished in enumerate(view["rounds"], start=1):
            what = with_factor(game, finished["contract"], finished["factor"], faces)
            by = f" · {seats[finished['by']]}{', pushed' * finished['pushed']}"
            cells = [f"{finished['points'][seat]} {finished['marks'][seat]:>5}" for seat in first]
            table.add_row(str(number), what.append(by), *cells)
    total = [str(standing[seat]["points"]) for seat in first]
    table.add_row("Total", "", *total, style="bold")
    return table
