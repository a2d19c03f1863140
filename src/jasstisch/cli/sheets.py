"""What lies on the table and stands on the slate, as tables for a terminal.

Everything is read from views and from finished rounds, which are public. No game is named here: a
column is there when the view or the round has what it shows, and a standing whose figures have no
words is shown whole, under its own names.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from jasstisch import rulebook, tricks
from jasstisch.cards import JASS, SUITS
from jasstisch.cli.contracts import announced, contracted, pushed, this_trick
from jasstisch.cli.faces import Faces
from jasstisch.cli.grids import grid
from jasstisch.cli.hands import in_words
from jasstisch.cli.seats import Seats
from jasstisch.games.contracts import CONTRACTS
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.i_doubt_it import IDoubtItView
from jasstisch.games.jass import JassView
from jasstisch.games.rules import Json
from jasstisch.games.views import shows

__all__ = [
    "answers_claims",
    "away",
    "bids_told",
    "match_sheet",
    "may_drop",
    "round_sheet",
    "standing_text",
    "table_now",
    "table_title",
]

FIGURES = ("strokes", "net", "difference", "chips")
"""The figures of a standing that decide a match."""

SAID = {"stay": "stays", "drop": "drops", "blind": "takes the blind"}
"""What a seat has said before the play, at the table (JS4)."""


Columns = list[tuple[str, list[str | Text]]]
"""Columns by their name, each with a cell for every seat."""


# What a view tells of.


def answers_claims(view: Json) -> bool:
    """Whether cards are laid under a claim that the others answer."""
    return shows(view, IDoubtItView)


def bids_told(view: Json) -> bool:
    """Whether everybody bids points, of which it is told who has bid and what may be known."""
    return shows(view, DifferenzlerView)


def may_drop(view: Json) -> bool:
    """Whether everybody says before the play if he stays, and may announce Weis with a card."""
    return shows(view, JassView)


# The table, in the middle of a round.


def table_title(view: Json, seats: Seats, faces: Faces) -> Text:
    """How far the round has come and what holds in it; nothing before a bid."""
    parts: list[Text] = []
    if answers_claims(view):
        number, most = view["claims"] + (not view["claim"]), view["options"]["max_turns"]
        parts.append(Text(f"Claim {number} of at most {most}", "dim"))
        parts.append(Text(f"{in_words(view['middle'])} in the middle"))
    elif view["phase"] == "play":
        number = len(view["tricks"]) + 1
        parts.append(Text(f"Trick {number} of {number - 1 + len(view['hand'])}", "dim"))
    if contracted(view["game"]):
        parts.extend(contract_parts(view, seats, faces))
    elif view["trump"] and view["phase"] != "bid":
        trump = "trump " if parts else "Trump "
        parts.append(Text(trump).append_text(faces.suit(view["trump"])))
    elif view["phase"] == "play":
        parts.append(Text("no trump yet"))
    if view.get("turned") and not view["tricks"]:
        parts.append(Text.assemble(faces.card(view["turned"]), " lies on the table"))
    if view.get("blind_open"):
        parts.append(Text("the blind may be taken"))
    elif view.get("blind") is not None:
        parts.append(Text(f"{seats.does(view['blind'], 'have')} the blind"))
    return Text(" · ").join(parts)


def contract_parts(view: Json, seats: Seats, faces: Faces) -> Iterator[Text]:
    """What is asked or played, and which way this trick goes (CT2, CT4)."""
    if view["contract"] is None:
        yield Text(rulebook.words(view["game"]).phases.get(view["phase"], ""))
    elif view["phase"] == "play":
        yield announced(view, view["game"], seats, faces)
        way = this_trick(view)
        if way is not None:
            yield Text(f"this trick {way}")


def table_now(view: Json, seats: Seats, faces: Faces) -> Table:
    """What lies, what was said and how each player stands, in order of play."""
    columns: Columns = [
        *trick_columns(view, faces),
        *spoken_columns(view),
        *(announced_columns(view) if seats.sides else figure_columns(view)),
        *([] if seats.sides else standing_columns(view["standing"], view["game"])),
        *claim_columns(view, faces),
        *partner_columns(seats),
    ]
    table = grid("", *[name for name, _ in columns])
    if view["phase"] == "play":
        table.columns[1].min_width, table.columns[2].min_width = faces.widest, 1
    first = first_row(view)
    for step in range(len(seats)):
        seat = (first + step) % len(seats)
        row = [cells[seat] for _, cells in columns]
        table.add_row(seats[seat], *row, style="bold" if seat == view["seat"] else "")
    return table


def first_row(view: Json) -> int:
    """The seat that stands on top: who leads, claims or speaks first."""
    first: int
    if view["phase"] == "play":
        first = view["trick"][0][0] if view["trick"] else view["to_act"][0]
    elif answers_claims(view):
        first = view["claim"]["seat"] if view["claim"] else view["to_act"][0]
    elif view["dealer"] is None:
        first = view["to_act"][0]
    else:
        first = view["dealer"] + 1
    return first


def away(table: Json, standing: Sequence[Json], seat: int) -> str | None:
    """Why a seat does not play in a round, of which this is a view or the result."""
    if seat in table.get("playing", (seat,)):
        return None
    return "safe" if standing[seat].get("safe") else "dropped"


def trick_columns(view: Json, faces: Faces) -> Columns:
    """The card each seat has played, and a sign at the one that takes the trick so far."""
    if view["phase"] != "play":
        return []
    played = dict(view["trick"])
    best = winning(view["trick"], ranking(view))
    absent = [away(view, view["standing"], seat) for seat in range(len(view["players"]))]
    cards = [
        faces.card(played[seat]) if seat in played else Text(reason or "·", "dim")
        for seat, reason in enumerate(absent)
    ]
    return [("Card", [*cards]), ("", ["←" if seat == best else "" for seat in range(len(cards))])]


def spoken_columns(view: Json) -> Columns:
    """What was said before the play: bids, or who stays and who drops (DF3, JS4)."""
    if bids_told(view):
        return [("Bid", [bid_text(view, seat) for seat in range(len(view["bids"]))])]
    if view["phase"] == "announce" and contracted(view["game"]):
        said = pushed(view)
        says = ["pushes" if seat in said else "·" for seat in range(len(view["players"]))]
        return [("Says", [*says])]
    if view["phase"] != "answer" or not may_drop(view):
        return []
    return [
        (
            "Says",
            ["safe" if safe.get("safe") else SAID.get(said, "·")
            for said, safe in zip(view["said"], view["standing"], strict=True)],
        )
    ]  # fmt: skip


def figure_columns(view: Json) -> Columns:
    """Running points with what of them melds brought, or cards left in the hands."""
    columns: Columns = []
    if answers_claims(view):
        columns = [("Cards", [str(size) for size in view["hand_sizes"]])]
        if any(view["points"]):
            columns.append(("This deal", [signed(chips) for chips in view["points"]]))
    if answers_claims(view) or view["phase"] != "play":
        return columns
    columns = [("Points", [known(points) for points in view["points"]])]
    for name, figures in (("Weis", weis_now(view)), ("Stöck", view.get("stoeck", []))):
        if any(figures):
            columns.append((name, [str(figure or "·") for figure in figures]))
    return columns


def announced_columns(view: Json) -> Columns:
    """The Weis announced in the first trick, which are compared when it is complete (SC3)."""
    if view["phase"] != "play" or view.get("weis_shown") or not view.get("announced"):
        return []
    return [("Weis", [str(figure or "·") for figure in weis_now(view)])]


def partner_columns(seats: Seats) -> Columns:
    """Who plays on the side of the reader."""
    cells = [Text("partner" * seats.is_partner(seat), "dim") for seat in range(len(seats))]
    return [("", [*cells])] if any(cell.plain for cell in cells) else []


def weis_now(view: Json) -> list[int | str]:
    """For each seat the Weis scored, or announced and, with a question mark, not yet compared."""
    figures = list(view.get("weis", []))
    if not view.get("weis_shown"):
        for one in view.get("announced", []):
            figures[one["seat"]] = f"{one['points']}?"
    return figures


def claim_columns(view: Json, faces: Faces) -> Columns:
    """The claim that is being answered, and who has passed (ID3)."""
    claim = view["claim"] if answers_claims(view) else None
    if not claim:
        return []
    passed = view["turns"][-1]["passed"]
    cells: list[str | Text] = [
        "passes" if seat in passed else Text("·", "dim") for seat in range(len(view["players"]))
    ]
    cells[claim["seat"]] = faces.several(claim["rank"], claim["count"])
    return [("Claim", cells)]


def ranking(view: Json) -> int:
    """How the cards of the trick in progress rank, as `tricks` numbers it (C2, CT4)."""
    if contracted(view["game"]):
        return CONTRACTS[view["contract"]].rankings[len(view["tricks"])]
    return SUITS.index(view["trump"]) if view["trump"] else tricks.PLAIN


def winning(trick: Sequence[Sequence[Any]], ranking: int) -> int | None:
    """The seat that takes the trick so far (C7, CT4)."""
    best: int | None = None
    winner: int | None = None
    for seat, text in trick:
        card = JASS.numbers[text]
        if best is None or tricks.beats(card, best, ranking):
            best, winner = card, seat
    return winner


def bid_text(view: Json, seat: int) -> str:
    """A bid that may be seen, or whether there is one."""
    bid = view["bids"][seat]
    if bid is not None:
        return str(bid)
    return "secret" if view["has_bid"][seat] else "·"


def known(number: int | None) -> str:
    """A number, or a dot where it may not be seen."""
    return "·" if number is None else str(number)


# The slate.


def standing_columns(standing: Sequence[Json], game: str) -> Columns:
    """What each player has gathered: the figure that decides, or all where none is known to."""
    key = standing_key(standing[0])
    if key is not None:
        return [(called(game, key), [standing_text(one) for one in standing])]
    return [
        (called(game, name), [plain(one.get(name)) for one in standing]) for name in standing[0]
    ]


def called(game: str, key: str) -> str:
    """What a figure is called in a game; without words `hand_points` is `Hand points`."""
    return rulebook.words(game).columns.get(key) or key.replace("_", " ").capitalize()


def standing_key(standing: Json) -> str | None:
    """Which of the figures of a standing decides the match; None where that is not known."""
    return next((key for key in FIGURES if key in standing), None)


def standing_text(standing: Json) -> str:
    """What a player has gathered: strokes as written, sticks net of potatoes, differences."""
    figure = next(standing[key] for key in FIGURES if key in standing)
    if "net" in standing or "chips" in standing:
        return signed(figure)
    return str(figure) if figure != "" else "·"


def plain(value: object) -> str:
    """A piece of JSON in few signs."""
    if value is None or value in ("", [], {}):
        return "·"
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(map(plain, value))
        case dict():
            return ", ".join(f"{name} {plain(one)}" for name, one in value.items())
        case _:
            return str(value)


def signed(number: int) -> str:
    """A number of sticks or chips with its sign: `+3`, `-1`, `0`."""
    return f"{number:+d}" if number else "0"


def round_sheet(finished: Json, standing: Sequence[Json], seats: Seats, game: str) -> Table:
    """One finished round: what each player bid, took and got, and where he stands now."""
    columns = [*result_columns(finished, standing)]
    if finished["marks"] != [str(one) for one in finished.get("difference", ())]:
        columns.append((called(game, "marks"), finished["marks"]))
    columns.extend(standing_columns(standing, game))
    table = grid("", *[name for name, _ in columns])
    for seat in range(len(seats)):
        row = [cells[seat] for _, cells in columns]
        table.add_row(seats[seat], *row, style="bold" if seat == seats.own else "")
    return table


def result_columns(finished: Json, standing: Sequence[Json]) -> Columns:
    """What each player bid and took in a round, and what its points are made of."""
    if "left" in finished:
        return [("Cards left", [str(number) for number in finished["left"]])]
    points = [
        away(finished, standing, seat) or str(points)
        for seat, points in enumerate(finished["points"])
    ]
    columns: Columns = [("Points", [*points])]
    if with_bids(finished):
        columns.insert(0, ("Bid", [str(bid) for bid in finished["bids"]]))
        columns.append(("Difference", [str(missed) for missed in finished["difference"]]))
    molotovs = [bombs(finished, seat) for seat in range(len(standing))]
    parts = {"Molotovs": molotovs, "Weis": finished.get("weis"), "Stöck": finished.get("stoeck")}
    for name, figures in parts.items():
        if figures and any(figures):
            columns.append((name, [str(figure or "·") for figure in figures]))
    return columns


def with_bids(finished: Json) -> bool:
    """Whether points were bid in a round, and by how many each player missed his bid."""
    return {"bids", "difference"} <= finished.keys()


def bombs(finished: Json, seat: int) -> int:
    """The points a seat got for molotovs in a round (MV4)."""
    bombs = finished.get("molotovs", [])
    points: int = sum(one["points"] for one in bombs if one["seat"] == seat)
    return points


def match_sheet(rounds: Sequence[Json], standing: Sequence[Json], seats: Seats, game: str) -> Table:
    """Every finished round of every player, and the standing below them."""
    title = f"points, {called(game, 'marks').lower()}"
    if rounds and with_bids(rounds[0]):
        title = "bid, points, difference"
    if standing_key(standing[0]) == "chips":
        title = "chips won and paid"
    table = grid("Round", *seats.names, title=title)
    for number, finished in enumerate(rounds, start=1):
        cells = [round_cell(finished, seat) for seat in range(len(seats))]
        table.add_row(str(number), *cells)
    for name, texts in totals(standing, game).items():
        table.add_row(name, *texts, style="bold")
    return table


def round_cell(finished: Json, seat: int) -> str:
    """One round of one player in few signs."""
    points, mark = finished["points"][seat], finished["marks"][seat]
    if "chips" in finished:
        return str(mark)
    if seat not in finished.get("playing", (seat,)):
        points = "·"
    if with_bids(finished):
        return f"{finished['bids'][seat]:>3} {points:>3} {mark:>3}"
    return f"{points:>3} {mark:>2}"


def totals(standing: Sequence[Json], game: str) -> dict[str, list[str]]:
    """The last lines of a match sheet."""
    lines = {}
    if "net" in standing[0]:
        for key in ("sticks", "potatoes"):
            lines[called(game, key)] = [str(one[key]) for one in standing]
    for name, cells in standing_columns(standing, game):
        lines[name] = [str(cell) for cell in cells]
    return lines
