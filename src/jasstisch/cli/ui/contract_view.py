"""Contract games in the terminal: announcements, points by side, and the slate.

Everything is read from views, finished rounds and the class of the game: its sides, and the lines
that can be announced with their factors.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.text_tables import borderless_table
from jasstisch.cli.ui.translator import Translator
from jasstisch.engine import tricks
from jasstisch.games.contracts import CONTRACTS, PUSH, ContractGame, SlateLine
from jasstisch.games.rules import REGISTRY, Game

_Round = Mapping[str, Any]
"""A finished round, or a view of the one in progress: the keys that both have."""

_NO_VALUE = Text("·", "dim")
_DIRECTION_TEXTS = {tricks.TOPS: "contract.tops", tricks.BOTTOMS: "contract.bottoms"}


def has_contracts(game: str) -> bool:
    """Returns whether a game has contracts (CT2)."""
    return issubclass(REGISTRY[game], ContractGame)


def contract_choices(view: View) -> tuple[SlateLine, ...]:
    """Returns the possible announcements at this table, in the order of the slate."""
    game = Game(view["game"], view["options"])
    return game.rules.make_slate_lines(game) if issubclass(game.rules, ContractGame) else ()


def contract_label(game: str, text: str, card_style: CardStyle) -> Text:
    """Returns the label of an announcement or a line of the slate: `♠ spades trump`."""
    said = card_style.translator.game_texts(game).contract_label(text)
    return Text().join(card_style.render_part(*piece) for piece in said) if said else Text(text)


def _label_with_factor(game: str, text: str, factor: int, card_style: CardStyle) -> Text:
    """Returns the label with its factor, if that is above 1 and not in the label."""
    what = contract_label(game, text, card_style)
    return what if factor == 1 or "×" in what.plain else what.append(f" ×{factor}", "bold")


# Announcements (CT2).


def describe_announcement(
    after: View, seat: int, action: str, seats: PlayerNames, card_style: CardStyle
) -> Text:
    """Returns that a player announced or pushed, and who leads."""
    speech, who = seats.translator, seats.subject(seat)
    if action == PUSH:
        text = speech("contract.pushes", who=who)
    else:
        what = _label_with_factor(after["game"], action, after["factor"], card_style)
        leads = speech("news.leads", who=seats.subject(after["to_act"][0]))
        text = speech("contract.announces", who=who, what=what, leads=leads)
    return speech("news.your_partner", what=text) if seats.is_partner(seat) else text


def contract_summary(table: _Round, game: str, seats: PlayerNames, card_style: CardStyle) -> Text:
    """Returns the contract and who announced it, from a view or a finished round."""
    text = table["line"] if plays_each_line_once(game) else table["contract"]
    what = _label_with_factor(game, text, table["factor"], card_style)
    seat = table["by"]
    by = "by_you" if seat in seats.you else "by_partner" if seats.is_partner(seat) else "by"
    what.append_text(seats.translator(f"contract.{by}", name=seats[seat]))
    return what.append_text(seats.translator("contract.after_push")) if table["pushed"] else what


def trick_ranking_text(view: View) -> str | None:
    """Returns the ranking of the trick in progress, where tops and bottoms alternate (CT4)."""
    rankings = CONTRACTS[view["contract"]].rankings
    return None if len(set(rankings)) == 1 else _DIRECTION_TEXTS[rankings[len(view["tricks"])]]


def seats_that_pushed(view: View) -> list[int]:
    """Returns the seats that have pushed in this round, in order."""
    players = len(view["players"])
    order = [(view["dealer"] + 1 + step) % players for step in range(players)]
    return order[: view["pushes"]]


# Weis and Stöck of a side (SC3, SC4).


def describe_weis(before: View, table: _Round, seats: PlayerNames) -> Iterator[RenderableType]:
    """Yields the points of a side from Weis and Stöck."""
    for side in seats.sides:
        seat = side[0]
        weis = table["weis"][seat]
        if weis and not before["weis"][seat]:
            yield seats.translator("news.weis_of_side", who=seats.subject(side), n=weis)
        if table["stoeck"][seat] and not before["stoeck"][seat]:
            speech, points = seats.translator, table["stoeck"][seat]
            yield Text.assemble(
                (speech.plain("news.stoeck"), "bold"),
                speech("news.points", who=seats.subject(side), n=points),
            )


# Points by side.


def side_standing_table(view: View, seats: PlayerNames) -> Table:
    """Returns the points of each side in this round and in total, and its open lines."""
    speech = seats.translator
    columns: list[tuple[str, list[str | Text]]] = []
    first = [side[0] for side in seats.sides]
    if view["phase"] == "play":
        columns.append(
            (speech.plain("contract.this_round"), [str(view["points"][seat]) for seat in first])
        )
        columns += _weis_columns(view, first, speech)
    total = [str(view["standing"][seat]["points"]) for seat in first]
    columns.append((speech.plain("contract.total"), [*total]))
    if view["phase"] != "play":
        columns += _open_lines_columns(view, first, speech)
    return _rows_by_side(columns, seats)


def _open_lines_columns(
    view: View, first: Sequence[int], translator: Translator
) -> list[tuple[str, list[str | Text]]]:
    """Returns the number of open lines of each side, where lines are ticked off (CO1)."""
    if not plays_each_line_once(view["game"]):
        return []
    lines = len(contract_choices(view))
    left = [lines - len(view["standing"][seat]["lines"]) for seat in first]
    cells = [translator("contract.of", n=number, total=lines) for number in left]
    return [(translator.plain("contract.lines_open"), [*cells])]


def side_round_table(view: View, seats: PlayerNames) -> Table:
    """Returns the points of each side in the last round, with Weis and Stöck, and its score."""
    finished, standing = view["rounds"][-1], view["standing"]
    first = [side[0] for side in seats.sides]
    called = seats.translator.plain
    columns: list[tuple[str, list[str | Text]]] = [
        (called("contract.points"), [str(finished["points"][seat]) for seat in first]),
        *_weis_columns(finished, first, seats.translator),
        (called("contract.written"), [finished["marks"][seat] for seat in first]),
        (called("contract.total"), [str(standing[seat]["points"]) for seat in first]),
        *_open_lines_columns(view, first, seats.translator),
    ]
    return _rows_by_side(columns, seats)


def _weis_columns(
    table: _Round, first: Sequence[int], translator: Translator
) -> list[tuple[str, list[str | Text]]]:
    """Returns the columns of Weis and Stöck, if any; the points include them."""
    return [
        (
            translator.plain(f"table.{key}"),
            [str(table[key][seat]) if table[key][seat] else _NO_VALUE for seat in first],
        )
        for key in ("weis", "stoeck")
        if any(table[key])
    ]


def _rows_by_side(columns: Sequence[tuple[str, list[str | Text]]], seats: PlayerNames) -> Table:
    """Adds a row for each side."""
    table = borderless_table("", *[name for name, _ in columns])
    for row, side in enumerate(seats.sides):
        cells = [cells[row] for _, cells in columns]
        table.add_row(seats.join_names(side), *cells, style="bold" if seats.own in side else "")
    return table


def describe_all_tricks_won(finished: _Round, seats: PlayerNames) -> Iterator[RenderableType]:
    """Yields a match, and why a side scores nothing (CT6, CO4)."""
    if finished["match"] is not None:
        side = seats.seats_of_side(finished["match"])
        yield Text.assemble(
            (seats.translator.plain("contract.match"), "bold"),
            seats.translator("contract.all_tricks", who=seats.subject(side)),
        )


# Slate.


def plays_each_line_once(game: str) -> bool:
    """Returns whether each side of a game ticks lines off (CO1)."""
    rules = REGISTRY[game]
    return issubclass(rules, ContractGame) and rules.plays_each_line_once


def contract_slate_table(view: View, seats: PlayerNames, card_style: CardStyle) -> Table:
    """Returns the slate: the lines of each side, or every round, with the total below."""
    first = [side[0] for side in seats.sides]
    standing, game = view["standing"], view["game"]
    speech = seats.translator
    both = f" {speech.plain('word.and')} "
    names = [seats.join_names(side).replace(both, f"{both[:-1]}\n") for side in seats.sides]
    if plays_each_line_once(game):
        head = (speech.plain("contract.line"), speech.plain("contract.factor"))
        table = borderless_table(*head, *names, title=speech.plain("contract.points_written"))
        for line in contract_choices(view):
            cells = [standing[seat]["lines"].get(line.text) for seat in first]
            none = Text(speech.plain("contract.open"), "dim")
            said = [none if cell is None else str(cell) for cell in cells]
            table.add_row(contract_label(game, line.text, card_style), f"×{line.factor}", *said)
    else:
        title = speech.plain("contract.points_and_written")
        table = borderless_table(speech.plain("contract.round"), "", *names, title=title)
        table.columns[1].justify = "left"
        for number, finished in enumerate(view["rounds"], start=1):
            what = _label_with_factor(game, finished["contract"], finished["factor"], card_style)
            pushed = speech.plain("contract.pushed") if finished["pushed"] else ""
            by = f" · {seats[finished['by']]}{pushed}"
            cells = [f"{finished['points'][seat]} {finished['marks'][seat]:>5}" for seat in first]
            table.add_row(str(number), what.append(by), *cells)
    total = [str(standing[seat]["points"]) for seat in first]
    table.add_row(speech.plain("contract.total"), "", *total, style="bold")
    return table
