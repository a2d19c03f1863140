"""What lies on the table and stands on the slate, as tables for a terminal.

Everything is read from views and the finished rounds in them. No game is named here: a column is
there where the game declares what it shows, and a standing of which the game does not say what
decides is shown whole, under its own names.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from jasstisch import rulebook, tricks
from jasstisch.bots import View
from jasstisch.cards import JASS, SUITS
from jasstisch.cli.contracts import announced, contracted, pushed, this_trick
from jasstisch.cli.faces import Faces
from jasstisch.cli.grids import grid
from jasstisch.cli.hands import in_words
from jasstisch.cli.seats import Seats
from jasstisch.cli.views import (
    answers_claims,
    bids_told,
    draws_ties,
    may_drop,
    playing,
    throws_bombs,
)
from jasstisch.games.contracts import CONTRACTS
from jasstisch.games.rules import REGISTRY
from jasstisch.games.views import shows
from jasstisch.games.weis import WeisView

__all__ = ["match_sheet", "round_sheet", "table_now", "table_title"]

SAID = {"stay": "stays", "drop": "drops", "blind": "takes the blind"}
"""What a seat has said before the play, at the table (JS4)."""


Columns = list[tuple[str, list[str | Text]]]
"""Columns by their name, each with a cell for every seat."""


# The table, in the middle of a round.


def table_title(view: View, seats: Seats, faces: Faces) -> Text:
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
    parts.extend(parts_on_the_table(view, seats, faces))
    return Text(" · ").join(parts)


def parts_on_the_table(view: View, seats: Seats, faces: Faces) -> Iterator[Text]:
    """The card turned for trump while it lies there, and where the blind is (JS3, JS4)."""
    if not may_drop(view):
        return
    if view["turned"] and not view["tricks"]:
        yield Text.assemble(faces.card(view["turned"]), " lies on the table")
    if view["blind_open"]:
        yield Text("the blind may be taken")
    elif view["blind"] is not None:
        yield Text(f"{seats.does(view['blind'], 'have')} the blind")


def contract_parts(view: View, seats: Seats, faces: Faces) -> Iterator[Text]:
    """What is asked or played, and which way this trick goes (CT2, CT4)."""
    if view["contract"] is None:
        yield Text(rulebook.words(view["game"]).phases.get(view["phase"], ""))
    elif view["phase"] == "play":
        yield announced(view, view["game"], seats, faces)
        way = this_trick(view)
        if way is not None:
            yield Text(f"this trick {way}")


def table_now(view: View, seats: Seats, faces: Faces) -> Table:
    """What lies, what was said and how each player stands, in order of play."""
    columns: Columns = [
        *trick_columns(view, faces),
        *spoken_columns(view),
        *(announced_columns(view) if seats.sides else figure_columns(view)),
        *([] if seats.sides else standing_columns(view)),
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


def first_row(view: View) -> int:
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


def away(view: View, seat: int, place: int | None = None) -> str | None:
    """Why a seat does not play in this round, or did not in the finished one at a place."""
    if seat in playing(view, place) or not may_drop(view):
        return None
    return "safe" if view["standing"][seat]["safe"] else "dropped"


def trick_columns(view: View, faces: Faces) -> Columns:
    """The card each seat has played, and a sign at the one that takes the trick so far."""
    if view["phase"] != "play":
        return []
    played = dict(view["trick"])
    best = winning(view["trick"], ranking(view))
    absent = [away(view, seat) for seat in range(len(view["players"]))]
    cards = [
        faces.card(played[seat]) if seat in played else Text(reason or "·", "dim")
        for seat, reason in enumerate(absent)
    ]
    return [("Card", [*cards]), ("", ["←" if seat == best else "" for seat in range(len(cards))])]


def spoken_columns(view: View) -> Columns:
    """What was said before the play: bids, or who stays and who drops (DF3, JS4)."""
    if bids_told(view):
        return [("Bid", [bid_text(view, seat) for seat in range(len(view["bids"]))])]
    if view["phase"] == "announce" and contracted(view["game"]):
        said = pushed(view)
        says = ["pushes" if seat in said else "·" for seat in range(len(view["players"]))]
        return [("Says", [*says])]
    if view["phase"] != "answer" or not may_drop(view):
        return []
    says = [
        "safe" if one["safe"] else SAID[said] if said else "·"
        for said, one in zip(view["said"], view["standing"], strict=True)
    ]
    return [("Says", [*says])]


def figure_columns(view: View) -> Columns:
    """Running points with what of them melds brought, or cards left in the hands."""
    if answers_claims(view):
        cards: Columns = [("Cards", [str(size) for size in view["hand_sizes"]])]
        changes: Columns = [("This deal", [signed(chips or 0) for chips in view["points"]])]
        return cards + changes * any(view["points"])
    if view["phase"] != "play":
        return []
    columns: Columns = [("Points", [known(points) for points in view["points"]])]
    if shows(view, WeisView):
        columns += some_columns({"Weis": weis_now(view), "Stöck": view["stoeck"]})
    return columns


def some_columns(figures: Mapping[str, Sequence[int | str]]) -> Columns:
    """Those columns in which anybody has anything."""
    return [
        (name, [str(one or "·") for one in column])
        for name, column in figures.items()
        if any(column)
    ]


def announced_columns(view: View) -> Columns:
    """The Weis announced in the first trick, which are compared when it is complete (SC3)."""
    if view["phase"] != "play" or not shows(view, WeisView) or view["weis_shown"]:
        return []
    return some_columns({"Weis": weis_now(view)}) if view["announced"] else []


def partner_columns(seats: Seats) -> Columns:
    """Who plays on the side of the reader."""
    cells = [Text("partner" * seats.is_partner(seat), "dim") for seat in range(len(seats))]
    return [("", [*cells])] if any(cell.plain for cell in cells) else []


def weis_now(view: WeisView) -> list[int | str]:
    """For each seat the Weis scored, or announced and, with a question mark, not yet compared."""
    figures: list[int | str] = [*view["weis"]]
    if not view["weis_shown"]:
        for one in view["announced"]:
            figures[one["seat"]] = f"{one['points']}?"
    return figures


def claim_columns(view: View, faces: Faces) -> Columns:
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


def ranking(view: View) -> int:
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


def bid_text(view: View, seat: int) -> str:
    """A bid that may be seen, or whether there is one."""
    bid = view["bids"][seat]
    if bid is not None:
        return str(bid)
    return "secret" if view["has_bid"][seat] else "·"


def known(number: int | None) -> str:
    """A number, or a dot where it may not be seen."""
    return "·" if number is None else str(number)


# The slate.


def standing_columns(view: View) -> Columns:
    """What each player has gathered: the figure that decides, or all where none is said to."""
    game, standing = view["game"], view["standing"]
    figure = REGISTRY[game].figure
    if figure is not None and figure.standing:
        write = plain if figure.positive else signed
        name = called(game, figure.standing)
        return [(name, [write(one[figure.standing]) for one in standing])]
    return [
        (called(game, name), [plain(one.get(name)) for one in standing]) for name in standing[0]
    ]


def called(game: str, key: str) -> str:
    """What a figure is called in a game; without words `hand_points` is `Hand points`."""
    return rulebook.words(game).columns.get(key) or key.replace("_", " ").capitalize()


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


def round_sheet(view: View, seats: Seats) -> Table:
    """The last round: what each player bid, took and got, and where he stands now."""
    columns = [*result_columns(view), *standing_columns(view)]
    table = grid("", *[name for name, _ in columns])
    for seat in range(len(seats)):
        row = [cells[seat] for _, cells in columns]
        table.add_row(seats[seat], *row, style="bold" if seat == seats.own else "")
    return table


def result_columns(view: View) -> Columns:
    """What each player bid and took in the last round, of what his points are made, his mark."""
    finished, seats = view["rounds"][-1], range(len(view["players"]))
    marks: Columns = [(called(view["game"], "marks"), [*finished["marks"]])]
    if answers_claims(view):
        return [("Cards left", [str(number) for number in view["rounds"][-1]["left"]]), *marks]
    took = [away(view, seat, -1) or str(finished["points"][seat]) for seat in seats]
    points: Columns = [("Points", [*took])]
    if bids_told(view):
        last = view["rounds"][-1]
        missed = [str(number) for number in last["difference"]]
        bids: Columns = [("Bid", [str(bid) for bid in last["bids"]])]
        return [
            *bids,
            *points,
            ("Difference", [*missed]),
            *(marks if last["marks"] != missed else []),
        ]
    return [*points, *some_columns(parts_of_points(view)), *marks]


def parts_of_points(view: View) -> dict[str, list[int]]:
    """What molotovs, Weis and Stöck have brought each player in the last round (MV4, JS7, JS8)."""
    if throws_bombs(view):
        bombs = view["rounds"][-1]["molotovs"]
        brought = [
            sum(one["points"] for one in bombs if one["seat"] == seat)
            for seat in range(len(view["players"]))
        ]
        return {"Molotovs": brought}
    if may_drop(view):
        return {"Weis": view["rounds"][-1]["weis"], "Stöck": view["rounds"][-1]["stoeck"]}
    return {}


def match_sheet(view: View, seats: Seats) -> Table:
    """Every finished round of every player, and the standing below them."""
    title = f"points, {called(view['game'], 'marks').lower()}"
    if bids_told(view):
        title = "bid, points, difference"
    if answers_claims(view):
        title = "chips won and paid"
    table = grid("Round", *seats.names, title=title)
    for place in range(len(view["rounds"])):
        cells = [round_cell(view, place, seat) for seat in range(len(seats))]
        table.add_row(str(place + 1), *cells)
    for name, texts in totals(view):
        table.add_row(name, *texts, style="bold")
    return table


def round_cell(view: View, place: int, seat: int) -> str:
    """One round of one player in few signs."""
    finished = view["rounds"][place]
    points, mark = str(finished["points"][seat]), str(finished["marks"][seat])
    if answers_claims(view):
        return mark
    if bids_told(view):
        return f"{view['rounds'][place]['bids'][seat]:>3} {points:>3} {mark:>3}"
    return f"{points if seat in playing(view, place) else '·':>3} {mark:>2}"


def totals(view: View) -> Columns:
    """The last lines of a match sheet."""
    lines = standing_columns(view)
    if not draws_ties(view):
        return lines
    given: Columns = [
        (called(view["game"], "sticks"), [str(one["sticks"]) for one in view["standing"]]),
        (called(view["game"], "potatoes"), [str(one["potatoes"]) for one in view["standing"]]),
    ]
    return given + lines
