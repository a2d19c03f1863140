"""The table in progress and the slate, as tables for a terminal.

Everything is read from views and their finished rounds. No game is named here: a column appears if
the game declares its key. A standing whose deciding figure is not declared is shown completely,
with its own keys as labels.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rich.table import Table
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.contract_view import (
    contract_summary,
    has_contracts,
    seats_that_pushed,
    trick_ranking_text,
)
from jasstisch.cli.ui.hand_view import card_count_text
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.text_tables import borderless_table
from jasstisch.cli.ui.translator import Translator
from jasstisch.cli.ui.view_features import (
    has_bids,
    has_claims,
    has_drop_out,
    has_molotovs,
    has_tie_draws,
    playing_seats,
)
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS
from jasstisch.games.contracts import CONTRACTS
from jasstisch.games.rules import REGISTRY
from jasstisch.games.views import declares_keys
from jasstisch.games.weis import WeisView

_Columns = list[tuple[str, list[str | Text]]]
"""Columns by name, each with a cell for every seat."""


# The table during a round.


def round_status_line(view: View, seats: PlayerNames, card_style: CardStyle) -> Text:
    """Returns the state of the round and its trump or contract; empty before a bid."""
    speech = seats.translator
    parts: list[Text] = []
    if has_claims(view):
        number, max_turns = view["claims"] + (not view["claim"]), view["options"]["max_turns"]
        parts.append(_dim(speech("table.claim_of", n=number, most=str(max_turns))))
        middle = card_count_text(view["middle"], speech)
        parts.append(speech("table.in_middle", cards=middle))
    elif view["phase"] == "play":
        number = len(view["tricks"]) + 1
        total = number - 1 + len(view["hand"])
        parts.append(_dim(speech("table.trick_of", n=number, total=total)))
    if has_contracts(view["game"]):
        parts.extend(_contract_parts(view, seats, card_style))
    elif view["trump"] and view["phase"] != "bid":
        trump = speech("table.trump", suit=card_style.suit_text(view["trump"]))
        parts.append(trump if parts else capitalize(trump))
    elif view["phase"] == "play":
        parts.append(speech("table.no_trump"))
    parts.extend(_turned_card_and_blind(view, seats, card_style))
    return Text(" · ").join(parts)


def _dim(text: Text) -> Text:
    """Returns the text in a dim style."""
    return Text(text.plain, "dim")


def capitalize(text: Text) -> Text:
    """Returns the text with an initial capital."""
    return Text.assemble(text.plain[:1].upper(), text[1:])


def _turned_card_and_blind(view: View, seats: PlayerNames, card_style: CardStyle) -> Iterator[Text]:
    """Yields the card turned for trump while it is on the table, and the blind (JS3, JS4)."""
    if not has_drop_out(view):
        return
    if view["turned"] and not view["tricks"]:
        yield seats.translator("table.lies", card=card_style.card_text(view["turned"]))
    if view["blind_open"]:
        yield seats.translator("table.blind_free")
    elif view["blind"] is not None:
        yield seats.translator("table.blind_taken", who=seats.subject(view["blind"]))


def _contract_parts(view: View, seats: PlayerNames, card_style: CardStyle) -> Iterator[Text]:
    """Yields the phase or the contract, and the ranking of this trick (CT2, CT4)."""
    if view["contract"] is None:
        yield Text(seats.translator.game_texts(view["game"]).phases.get(view["phase"], ""))
    elif view["phase"] == "play":
        yield contract_summary(view, view["game"], seats, card_style)
        way = trick_ranking_text(view)
        if way is not None:
            yield seats.translator("contract.this_trick", way=seats.translator(way))


def current_round_table(view: View, seats: PlayerNames, card_style: CardStyle) -> Table:
    """Returns the trick, the declarations and the standing of each player, in order of play."""
    speech = seats.translator
    columns: _Columns = [
        *_trick_columns(view, card_style),
        *_declaration_columns(view, speech),
        *(_announced_weis_columns(view, speech) if seats.sides else _points_columns(view, speech)),
        *([] if seats.sides else _standing_columns(view, speech)),
        *_claim_columns(view, card_style),
        *_partner_columns(seats),
    ]
    table = borderless_table(
        "", *[name for name, _ in columns], text_columns=_text_columns(view["game"], speech)
    )
    if view["phase"] == "play":
        table.columns[1].min_width, table.columns[2].min_width = card_style.max_card_width, 1
    first = _first_seat(view)
    for step in range(len(seats)):
        seat = (first + step) % len(seats)
        row = [cells[seat] for _, cells in columns]
        table.add_row(seats[seat], *row, style="bold" if seat == view["seat"] else "")
    return table


def _text_columns(game: str, translator: Translator) -> set[str]:
    """Returns the names of columns that hold no numbers."""
    return {
        translator.plain("table.says"),
        translator.plain("table.claim"),
        _standing_label(game, "strokes", translator),
    }


def _first_seat(view: View) -> int:
    """Returns the seat of the first row: who leads, claims or speaks first."""
    first: int
    if view["phase"] == "play":
        first = view["trick"][0][0] if view["trick"] else view["to_act"][0]
    elif has_claims(view):
        first = view["claim"]["seat"] if view["claim"] else view["to_act"][0]
    elif view["dealer"] is None:
        first = view["to_act"][0]
    else:
        first = view["dealer"] + 1
    return first


def _absence_reason(view: View, seat: int, place: int | None = None) -> str | None:
    """Returns why a seat does not play in this round, or in the finished one at an index.

    The reason is the name of a text.
    """
    if seat in playing_seats(view, place) or not has_drop_out(view):
        return None
    return "table.safe" if view["standing"][seat]["safe"] else "table.dropped"


def _trick_columns(view: View, card_style: CardStyle) -> _Columns:
    """Returns the card of each seat, with a mark at the winning one."""
    if view["phase"] != "play":
        return []
    played = dict(view["trick"])
    best = _trick_winner(view["trick"], _trick_ranking(view))
    absent = [_absence_reason(view, seat) for seat in range(len(view["players"]))]
    speech = card_style.translator
    cards = [
        card_style.card_text(played[seat])
        if seat in played
        else Text(speech.plain(reason) if reason else "·", "dim")
        for seat, reason in enumerate(absent)
    ]
    return [
        (speech.plain("table.card"), [*cards]),
        ("", ["←" if seat == best else "" for seat in range(len(cards))]),
    ]


def _declaration_columns(view: View, translator: Translator) -> _Columns:
    """Returns the declarations before the play: bids, or who stays and drops (DF3, JS4)."""
    if has_bids(view):
        bids = [_bid_text(view, seat, translator) for seat in range(len(view["bids"]))]
        return [(translator.plain("table.bid"), [*bids])]
    if view["phase"] == "announce" and has_contracts(view["game"]):
        said, pushes = seats_that_pushed(view), translator.plain("table.pushes")
        says = [pushes if seat in said else "·" for seat in range(len(view["players"]))]
        return [(translator.plain("table.says"), [*says])]
    if view["phase"] != "answer" or not has_drop_out(view):
        return []
    says = [
        translator.plain("table.safe" if one["safe"] else f"table.said_{said}")
        if one["safe"] or said
        else "·"
        for said, one in zip(view["said"], view["standing"], strict=True)
    ]
    return [(translator.plain("table.says"), [*says])]


def _points_columns(view: View, translator: Translator) -> _Columns:
    """Returns the running points with those from melds, or the cards left in hands."""
    if has_claims(view):
        sizes = [str(size) for size in view["hand_sizes"]]
        cards: _Columns = [(translator.plain("table.cards"), [*sizes])]
        chips = [_format_signed(chips or 0) for chips in view["points"]]
        changes: _Columns = [(translator.plain("table.this_deal"), [*chips])]
        return cards + changes * any(view["points"])
    if view["phase"] != "play":
        return []
    points = [_number_or_dot(points) for points in view["points"]]
    columns: _Columns = [(translator.plain("table.points"), [*points])]
    if declares_keys(view, WeisView):
        columns += _non_empty_columns(
            {"weis": _weis_by_seat(view), "stoeck": view["stoeck"]}, translator
        )
    return columns


def _non_empty_columns(
    figures: Mapping[str, Sequence[int | str]], translator: Translator
) -> _Columns:
    """Returns the columns in which some player has a value."""
    return [
        (translator.plain(f"table.{name}"), [str(one or "·") for one in column])
        for name, column in figures.items()
        if any(column)
    ]


def _announced_weis_columns(view: View, translator: Translator) -> _Columns:
    """Returns the Weis announced in the first trick, compared when it is complete (SC3)."""
    if view["phase"] != "play" or not declares_keys(view, WeisView) or view["weis_shown"]:
        return []
    return (
        _non_empty_columns({"weis": _weis_by_seat(view)}, translator) if view["announced"] else []
    )


def _partner_columns(seats: PlayerNames) -> _Columns:
    """Returns the column that marks the partners of the reader."""
    partner = seats.translator.plain("word.partner")
    cells = [Text(partner * seats.is_partner(seat), "dim") for seat in range(len(seats))]
    return [("", [*cells])] if any(cell.plain for cell in cells) else []


def _weis_by_seat(view: WeisView) -> list[int | str]:
    """Returns the scored Weis of each seat; an announced one has a question mark."""
    figures: list[int | str] = [*view["weis"]]
    if not view["weis_shown"]:
        for one in view["announced"]:
            figures[one["seat"]] = f"{one['points']}?"
    return figures


def _claim_columns(view: View, card_style: CardStyle) -> _Columns:
    """Returns the claim that is being answered, and who has passed (ID3)."""
    claim = view["claim"] if has_claims(view) else None
    if not claim:
        return []
    passed, passes = view["turns"][-1]["passed"], card_style.translator.plain("table.passes")
    cells: list[str | Text] = [
        passes if seat in passed else Text("·", "dim") for seat in range(len(view["players"]))
    ]
    cells[claim["seat"]] = card_style.count_text(claim["rank"], claim["count"])
    return [(card_style.translator.plain("table.claim"), cells)]


def _trick_ranking(view: View) -> int:
    """Returns the ranking of the trick in progress, as `tricks` numbers it (C2, CT4)."""
    if has_contracts(view["game"]):
        return CONTRACTS[view["contract"]].rankings[len(view["tricks"])]
    return SUITS.index(view["trump"]) if view["trump"] else tricks.PLAIN


def _trick_winner(trick: Sequence[Sequence[Any]], ranking: int) -> int | None:
    """Returns the seat that is winning the trick (C7, CT4)."""
    best: int | None = None
    winner: int | None = None
    for seat, text in trick:
        card = JASS.numbers[text]
        if best is None or tricks.beats(card, best, ranking):
            best, winner = card, seat
    return winner


def _bid_text(view: View, seat: int, translator: Translator) -> str:
    """Returns a bid if it is public, else whether there is one."""
    bid = view["bids"][seat]
    if bid is not None:
        return str(bid)
    return translator.plain("table.secret") if view["has_bid"][seat] else "·"


def _number_or_dot(number: int | None) -> str:
    """Returns a number, or a dot if it is hidden."""
    return "·" if number is None else str(number)


# Slate.


def _standing_columns(view: View, translator: Translator) -> _Columns:
    """Returns the standing: the deciding figure, or all figures if none is declared."""
    game, standing = view["game"], view["standing"]
    figure = REGISTRY[game].metric
    if figure is not None and figure.standing_key:
        write = (
            partial(_format_json, translator=translator)
            if figure.is_non_negative
            else _format_signed
        )
        name = _standing_label(game, figure.standing_key, translator)
        return [(name, [write(one[figure.standing_key]) for one in standing])]
    return [
        (
            _standing_label(game, name, translator),
            [_format_json(one.get(name), translator) for one in standing],
        )
        for name in standing[0]
    ]


def _standing_label(game: str, key: str, translator: Translator) -> str:
    """Returns the label of a figure; without one `hand_points` becomes `Hand points`."""
    return translator.game_texts(game).columns.get(key) or key.replace("_", " ").capitalize()


def _format_json(value: object, translator: Translator) -> str:
    """Formats a JSON value compactly."""
    if value is None or value in ("", [], {}):
        return "·"
    match value:
        case bool():
            return translator.plain("word.true" if value else "word.false")
        case list():
            return " ".join(_format_json(one, translator) for one in value)
        case dict():
            return ", ".join(
                f"{name} {_format_json(one, translator)}" for name, one in value.items()
            )
        case _:
            return str(value)


def _format_signed(number: int) -> str:
    """Formats a number of sticks or chips with its sign: `+3`, `-1`, `0`."""
    return f"{number:+d}" if number else "0"


def round_result_table(view: View, seats: PlayerNames) -> Table:
    """Returns the last round: bids, points and marks of each player, and the standing."""
    speech = seats.translator
    columns = [*_result_columns(view, speech), *_standing_columns(view, speech)]
    table = borderless_table(
        "", *[name for name, _ in columns], text_columns=_text_columns(view["game"], speech)
    )
    for seat in range(len(seats)):
        row = [cells[seat] for _, cells in columns]
        table.add_row(seats[seat], *row, style="bold" if seat == seats.own else "")
    return table


def _result_columns(view: View, translator: Translator) -> _Columns:
    """Returns bids and points of each player in the last round, their parts, and the marks."""
    finished, seats = view["rounds"][-1], range(len(view["players"]))
    marks: _Columns = [(_standing_label(view["game"], "marks", translator), [*finished["marks"]])]
    if has_claims(view):
        left = [str(number) for number in view["rounds"][-1]["left"]]
        return [(translator.plain("table.cards_left"), [*left]), *marks]
    absent = [_absence_reason(view, seat, -1) for seat in seats]
    took = [
        translator.plain(reason) if reason else str(finished["points"][seat])
        for seat, reason in zip(seats, absent, strict=True)
    ]
    points: _Columns = [(translator.plain("table.points"), [*took])]
    if has_bids(view):
        last = view["rounds"][-1]
        missed = [str(number) for number in last["difference"]]
        bids: _Columns = [(translator.plain("table.bid"), [str(bid) for bid in last["bids"]])]
        return [
            *bids,
            *points,
            (translator.plain("table.difference"), [*missed]),
            *(marks if last["marks"] != missed else []),
        ]
    return [*points, *_non_empty_columns(_points_breakdown(view), translator), *marks]


def _points_breakdown(view: View) -> dict[str, list[int]]:
    """Returns the points of each player from molotovs, Weis and Stöck (MV4, JS7, JS8)."""
    if has_molotovs(view):
        bombs = view["rounds"][-1]["molotovs"]
        brought = [
            sum(one["points"] for one in bombs if one["seat"] == seat)
            for seat in range(len(view["players"]))
        ]
        return {"molotovs": brought}
    if has_drop_out(view):
        return {"weis": view["rounds"][-1]["weis"], "stoeck": view["rounds"][-1]["stoeck"]}
    return {}


def match_table(view: View, seats: PlayerNames) -> Table:
    """Returns every finished round of every player, with the standing below."""
    speech = seats.translator
    marks = _standing_label(view["game"], "marks", speech)
    if speech.language != "de":  # German capitalises nouns
        marks = marks.lower()
    title = speech.plain("table.points_and_marks", marks=marks)
    if has_bids(view):
        title = speech.plain("table.bids_points")
    if has_claims(view):
        title = speech.plain("table.chips")
    table = borderless_table(speech.plain("table.round"), *seats.names, title=title)
    for place in range(len(view["rounds"])):
        cells = [_round_cell(view, place, seat) for seat in range(len(seats))]
        table.add_row(str(place + 1), *cells)
    for name, texts in _total_rows(view, speech):
        table.add_row(name, *texts, style="bold")
    return table


def _round_cell(view: View, place: int, seat: int) -> str:
    """Returns one round of one player in a few characters."""
    finished = view["rounds"][place]
    points, mark = str(finished["points"][seat]), str(finished["marks"][seat])
    if has_claims(view):
        return mark
    if has_bids(view):
        return f"{view['rounds'][place]['bids'][seat]:>3} {points:>3} {mark:>3}"
    return f"{points if seat in playing_seats(view, place) else '·':>3} {mark:>2}"


def _total_rows(view: View, translator: Translator) -> _Columns:
    """Returns the last rows of the match table."""
    lines = _standing_columns(view, translator)
    if not has_tie_draws(view):
        return lines
    given: _Columns = [
        (
            _standing_label(view["game"], name, translator),
            [str(one[name]) for one in view["standing"]],
        )
        for name in ("sticks", "potatoes")
    ]
    return given + lines
