"""What lies on the table and stands on the slate, as tables for a terminal.

Everything is read from views and from finished rounds, which are public. No game is named here: a
column is there when the view or the round has what it shows, so that a further game of tricks needs
nothing but its own words for marks.
"""

from collections.abc import Collection, Sequence
from typing import Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from jasstisch import tricks
from jasstisch.cards import JASS, SUITS
from jasstisch.cli.faces import Faces
from jasstisch.cli.seats import Seats
from jasstisch.games.rules import Json

__all__ = [
    "cards_in_hand",
    "flow",
    "hand_line",
    "match_sheet",
    "round_sheet",
    "table_now",
    "trick_line",
]

STANDINGS = {"strokes": "Slate", "net": "Net", "difference": "Total"}
"""What a standing is called, by the key that holds it."""

MARKS = {"strokes": "Mark", "net": "Sticks", "difference": "Added"}
"""What the marks of a round are called, by the key of the standing they go into."""


LABEL = 10
"""Columns of the label before things that stand side by side."""

GAP = "  "


def grid(*columns: str, title: str | None = None) -> Table:
    """An airy table without lines; names and strokes begin, numbers end in line."""
    table = Table(
        box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", title=title,
        title_style="dim", title_justify="left",
    )  # fmt: skip
    for number, name in enumerate(columns):
        table.add_column(
            name,
            justify="right" if number and name != STANDINGS["strokes"] else "left",
            overflow="ellipsis",
        )
    return table


# The table, in the middle of a round.


def table_now(view: Json, seats: Seats, faces: Faces) -> Table:
    """The trick in order of play, with the bids, points and standing of each player."""
    plays, bids = view["phase"] == "play", "bids" in view
    table = grid(
        "", *["Card", ""] * plays, *["Bid"] * bids, *["Points"] * plays, standing_name(view)
    )
    if plays:
        table.columns[1].min_width, table.columns[2].min_width = faces.widest, 1
    played = dict(view["trick"])
    best = winning(view["trick"], view["trump"])
    first = next(iter(played), view["to_act"][0]) if plays else view["dealer"] + 1
    for step in range(len(seats)):
        seat = (first + step) % len(seats)
        card = faces.card(played[seat]) if seat in played else Text("·", "dim")
        cells: list[str | Text] = [seats[seat]]
        cells += [card, "←" if seat == best else ""] if plays else []
        cells += [bid_text(view, seat)] if bids else []
        cells += [known(view["points"][seat])] if plays else []
        cells += [standing_text(view["standing"][seat])]
        table.add_row(*cells, style="bold" if seat == view["seat"] else "")
    return table


def winning(trick: Sequence[Sequence[Any]], trump: str | None) -> int | None:
    """The seat that takes the trick so far (C7)."""
    suit = SUITS.index(trump) if trump else -1
    best: int | None = None
    winner: int | None = None
    for seat, text in trick:
        card = JASS.numbers[text]
        if best is None or tricks.beats(card, best, suit):
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


def cards_in_hand(
    hand: Sequence[str], playable: Collection[str] | None, faces: Faces, width: int
) -> Text:
    """The hand by suits, each card over its number; what may not be played now is in brackets.

    Args:
        hand: the cards in order.
        playable: those that may be played now; None prints no numbers.
        faces: the deck they are drawn with.
        width: columns there are; suits go onto a further line as a whole.
    """
    blocks = [suit_block(hand, suit, playable, faces) for suit in SUITS]
    lines: list[list[Text]] = []
    for block in filter(None, blocks):
        if not lines or lines[-1][0].cell_len + block[0].cell_len > width:
            lines.append(block)
        else:
            lines[-1] = [one + other for one, other in zip(lines[-1], block, strict=True)]
    shown = [line for group in lines for line in group if line.plain.strip()]
    for line in shown:
        line.rstrip()
    return Text("\n").join(shown)


def suit_block(
    hand: Sequence[str], suit: str, playable: Collection[str] | None, faces: Faces
) -> list[Text]:
    """The cards of one suit: its name where it has no sign, the cards, their numbers."""
    cards = [(number, card) for number, card in enumerate(hand, start=1) if card[1] == suit]
    if not cards:
        return []
    sign = faces.signs.get(suit, "")
    names, faced, numbers = Text(), Text(), Text()
    for number, card in cards:
        open_ = playable is None or card in playable
        faced.append(f" {faces.rank(card)}{sign}".ljust(6), faces.colours[suit] if open_ else "dim")
        if playable is not None:
            numbers.append(f" {number}".ljust(6) if open_ else f"({number})".ljust(6), "dim")
    if not sign:
        names.append(f" {faces.names[suit]}", faces.colours[suit])
    width = max(len(names), len(faced)) + 2
    return [line + " " * (width - len(line)) for line in (names, faced, numbers)]


def hand_line(name: str, hand: Sequence[str], seats: Seats, faces: Faces, width: int) -> Text:
    """A player's hand by suits, in one line where there is room."""
    suits = [[card for card in hand if card[1] == suit] for suit in SUITS]
    label = name + " " * (max(map(cell_len, seats.names)) + 2 - cell_len(name))
    return flow(label, [suit_line(cards, faces) for cards in suits if cards], width)


def suit_line(cards: Sequence[str], faces: Faces) -> Text:
    """Cards of one suit side by side; a suit without a sign is named once."""
    suit = cards[0][1]
    if suit in faces.signs:
        return Text(" ").join([faces.card(card) for card in cards])
    ranks = " ".join([faces.rank(card) for card in cards])
    return Text(f"{faces.names[suit]} {ranks}", faces.colours[suit])


def trick_line(number: int, trick: Json, seats: Seats, faces: Faces, width: int) -> Text:
    """A complete trick in order of play, and who takes it."""
    parts = []
    for step, card in enumerate(trick["cards"]):
        seat = (trick["leader"] + step) % len(seats)
        name = Text(f"{seats[seat]} ", "bold" if seat == trick["winner"] else "")
        parts.append(name.append_text(faces.card(card)))
    taken = Text(f"→ {seats[trick['winner']]}")
    column = max(map(cell_len, seats.names)) + 1 + faces.widest
    if LABEL + len(parts) * (column + len(GAP)) + taken.cell_len <= width:
        for part in parts:
            part.pad_right(column - part.cell_len)
    return flow(f"Trick {number}", [*parts, taken], width)


def flow(label: str, parts: Sequence[Text], width: int, gap: str = GAP) -> Text:
    """Parts side by side after a label, going on below one another, none of them torn apart."""
    label = label.ljust(LABEL)
    lines = [Text.assemble((label, "dim"))]
    for part in parts:
        line = lines[-1]
        begun = len(line) > len(label)
        if begun and line.cell_len + len(gap) + part.cell_len > width:
            lines.append(Text(" " * len(label)) + part)
        else:
            line.append(gap if begun else "").append_text(part)
    return Text("\n").join(lines)


# The slate.


def standing_name(view: Json) -> str:
    """What the standing of this game is called."""
    return STANDINGS[standing_key(view["standing"][0])]


def standing_key(standing: Json) -> str:
    """Which of the figures of a standing decides the match."""
    return next(key for key in STANDINGS if key in standing)


def standing_text(standing: Json) -> str:
    """What a player has gathered: strokes as written, sticks net of potatoes, differences."""
    figure = standing[standing_key(standing)]
    if "net" in standing:
        return f"{figure:+d}" if figure else "0"
    return str(figure) if figure != "" else "·"


def round_sheet(finished: Json, standing: Sequence[Json], seats: Seats) -> Table:
    """One finished round: what each player bid, took and got, and where he stands now."""
    key = standing_key(standing[0])
    has_bids, has_molotovs = "bids" in finished, bool(finished.get("molotovs"))
    columns = ["Bid"] * has_bids + ["Points"] + ["Molotovs"] * has_molotovs
    columns += ["Difference"] * has_bids
    shows_marks = not has_bids or finished["marks"] != [str(one) for one in finished["difference"]]
    table = grid("", *columns, *[MARKS[key]] * shows_marks, STANDINGS[key])
    for seat in range(len(seats)):
        cells = [str(finished["bids"][seat])] if has_bids else []
        cells += [str(finished["points"][seat])]
        cells += [str(bombs(finished, seat) or "·")] if has_molotovs else []
        cells += [str(finished["difference"][seat])] if has_bids else []
        cells += [finished["marks"][seat]] if shows_marks else []
        cells += [standing_text(standing[seat])]
        table.add_row(seats[seat], *cells, style="bold" if seat == seats.own else "")
    return table


def bombs(finished: Json, seat: int) -> int:
    """The points a seat got for molotovs in a round (MV4)."""
    points: int = sum(one["points"] for one in finished["molotovs"] if one["seat"] == seat)
    return points


def match_sheet(rounds: Sequence[Json], standing: Sequence[Json], seats: Seats) -> Table:
    """Every finished round of every player, and the standing below them."""
    with_bids = bool(rounds) and "bids" in rounds[0]
    key = standing_key(standing[0])
    title = "bid, points, difference" if with_bids else f"points, {MARKS[key].lower()}"
    table = grid("Round", *seats.names, title=title)
    for number, finished in enumerate(rounds, start=1):
        cells = [round_cell(finished, seat) for seat in range(len(seats))]
        table.add_row(str(number), *cells)
    for name, texts in totals(standing).items():
        table.add_row(name, *texts, style="bold")
    return table


def round_cell(finished: Json, seat: int) -> str:
    """One round of one player in few signs."""
    points, mark = finished["points"][seat], finished["marks"][seat]
    if "bids" in finished:
        return f"{finished['bids'][seat]:>3} {points:>3} {mark:>3}"
    return f"{points:>3} {mark:>2}"


def totals(standing: Sequence[Json]) -> dict[str, list[str]]:
    """The last lines of a match sheet."""
    lines = {}
    if "net" in standing[0]:
        lines["Sticks"] = [str(one["sticks"]) for one in standing]
        lines["Potatoes"] = [str(one["potatoes"]) for one in standing]
    lines[STANDINGS[standing_key(standing[0])]] = [standing_text(one) for one in standing]
    return lines
