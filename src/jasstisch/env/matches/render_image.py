"""Rendering of a table as an image, with all hands open, with the project's own cards.

Shapes and cards are SVG, each rasterized once and cached. `npm run decks:package` in web/ writes
the cards into `decks`. Games with a pack of 36 use the Swiss deck, other games the French deck.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO
from math import cos, radians, sin
from re import search
from typing import NamedTuple

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from jasstisch.engine.cards import JASS
from jasstisch.games.contracts import ContractView
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.handjass import HandjassView
from jasstisch.games.i_doubt_it import IDoubtItView
from jasstisch.games.rules import Json
from jasstisch.games.views import declares_keys
from jasstisch.match.match import Match

WIDTH, HEIGHT = 1200, 800
_TITLE_BAR_HEIGHT = 44
_MARGIN = 14
_LABEL_HEIGHT = 46
_LABEL_GAP = 5

_CARD_SIZE = (66, 103)
_PLAYED_CARD_SIZE = (82, 128)
_MAX_CARD_STEP, _MIN_CARD_STEP = 46, 16
"""The range of the distance between cards of a hand; a larger hand has several rows."""
_ROW_STEP = 42

_CENTRE = (WIDTH // 2, 408)
_TRICK_OFFSET, _TRICK_OFFSET_MANY = (135, 84), (185, 98)
"""The offset of the cards of a trick from the centre, and the same with five or six players."""

_MAT, _MAT_LIGHT, _DARK = "#1f6f4c", "#2a8059", "#123d2a"
_PLATE, _ACTING, _WON = "#0f3a27", "#c8161d", "#f2c230"
_SIDES = ("#f2c230", "#6fb7ff")
_INK, _SECONDARY_INK, _BLACK = "#ffffff", "#d3e8db", "#1b1f1d"

_ImageSize = tuple[int, int]


class _SeatArea(NamedTuple):
    """The area of a seat in the image.

    Attributes:
        angle: its direction from the centre in degrees, 0 to the right and 90 down.
        across: the horizontal centre of its hand.
        down: 0 if its hand starts at the top, 1 if it ends at the bottom, .5 in the middle.
        width: the width of the widest row of its hand.
    """

    angle: float
    across: int
    down: float
    width: int


_BOTTOM, _TOP = _SeatArea(90, 600, 1, 860), _SeatArea(270, 600, 0, 560)
_RIGHT, _LEFT = _SeatArea(0, 1026, 0.5, 310), _SeatArea(180, 174, 0.5, 310)
_ABOVE = (_SeatArea(318, 1000, 0, 360), _SeatArea(270, 600, 0, 360), _SeatArea(222, 200, 0, 360))
_BELOW = (_SeatArea(138, 200, 1, 360), _SeatArea(90, 600, 1, 360), _SeatArea(42, 1000, 1, 360))
_SEAT_AREAS: dict[int, tuple[_SeatArea, ...]] = {
    2: (_BOTTOM, _TOP),
    3: (_BOTTOM, _RIGHT, _LEFT),
    4: (_BOTTOM, _RIGHT, _TOP, _LEFT),
    5: (_BOTTOM, _RIGHT, _ABOVE[0], _ABOVE[2], _LEFT),
    6: (_BOTTOM, _RIGHT, *_ABOVE, _LEFT),
    7: (_BELOW[0], _BELOW[2], _RIGHT, *_ABOVE, _LEFT),
    8: (_BELOW[1], _BELOW[2], _RIGHT, *_ABOVE, _LEFT, _BELOW[0]),
}
"""The areas by the number of players, seat by seat in order of play to the right."""


def render_image(match: Match) -> NDArray[np.uint8]:
    """Renders the table of a match as an array of pixels: rows, columns, and red, green, blue.

    Returns:
        A new array of shape `(HEIGHT, WIDTH, 3)`.
    """
    return np.array(_TableImage(match).render())


class _TableImage:
    """An image in the making."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._view = match.view(None)
        self._deck = "swiss" if match.game.rules.deck is JASS else "french"
        self._seat_areas = seat_areas(match)
        self._image = Image.new("RGB", (WIDTH, HEIGHT))

    def render(self) -> Image.Image:
        """Draws the whole image."""
        hands = [self._match.hand(seat) for seat in range(len(self._seat_areas))]
        laid = [
            _hand_layout(place, len(hand))
            for place, hand in zip(self._seat_areas, hands, strict=True)
        ]
        labels = [
            _label_box(place, spots) for place, spots in zip(self._seat_areas, laid, strict=True)
        ]
        self._image.paste(_rasterize(_table_background(), (WIDTH, HEIGHT)))
        for hand, spots in zip(hands, laid, strict=True):
            for card, spot in zip(hand, spots, strict=True):
                self._draw_card(card, spot, _CARD_SIZE)
        self._draw_middle()
        for seat, box in enumerate(labels):
            self._draw_label(seat, box)
        self._draw_title()
        return self._image

    def _draw_card(self, card: str, spot: tuple[int, int], size: _ImageSize) -> None:
        """Draws a card with its upper left corner at a point; `back` for its back."""
        path = "back.svg" if card == "back" else f"{self._deck}/{card}.svg"
        self._paste(_rasterize(_read_svg(path), size), spot)

    def _paste(self, image: Image.Image, spot: tuple[int, int]) -> None:
        self._image.paste(image, spot, image)

    def _draw_text(
        self, spot: tuple[int, int], text: str, size: int, ink: str, anchor: str
    ) -> None:
        draw = ImageDraw.Draw(self._image)
        draw.text(spot, text, fill=ink, font=_font(size), anchor=anchor)

    # Labels.

    def _draw_title(self) -> None:
        view = self._view
        won = " and ".join(f"seat {seat}" for seat in self._match.winners)
        now = f"won by {won or 'nobody'}" if view["over"] else view["phase"]
        text = f"{view['game']}    round {view['round']}    {now}"
        self._draw_text((_MARGIN, _TITLE_BAR_HEIGHT // 2), text, 20, _INK, "lm")
        right = WIDTH - _MARGIN
        if view["trump"] is not None:
            self._paste(
                _rasterize(_suit_symbol(self._deck, view["trump"]), (30, 30)), (right - 30, 7)
            )
            right -= 38
        self._draw_text((right, _TITLE_BAR_HEIGHT // 2), self._contract_text(), 20, _INK, "rm")

    def _contract_text(self) -> str:
        """The contract or the trump of this round, as text."""
        view = self._view
        if (
            declares_keys(view, ContractView)
            and view["contract"] is not None
            and view["trump"] is None
        ):
            return str(view["contract"])
        return "trump" if view["trump"] else ""

    def _seat_colour(self, seat: int) -> str:
        if seat in self._match.winners:
            return _WON
        return _ACTING if seat in self._match.to_act else _PLATE

    def _draw_label(self, seat: int, box: tuple[int, int, int, int]) -> None:
        left, top, width, height = box
        self._paste(
            _rasterize(_label_background(width, self._seat_colour(seat)), (width, height)),
            (left, top),
        )
        ink, soft = (_BLACK, _BLACK) if seat in self._match.winners else (_INK, _INK)
        if self._seat_colour(seat) == _PLATE:
            soft = _SECONDARY_INK
        name = f"seat {seat}"
        begin = left + 12
        for side, seats in enumerate(self._match.game.rules.sides):
            if seat in seats:
                ball = _rasterize(_side_marker(_SIDES[side % 2]), (12, 12))
                self._paste(ball, (begin, top + 8))
                begin += 18
        self._draw_text((begin, top + 14), name, 18, ink, "lm")
        if seat == self._view["dealer"]:
            self._draw_text((left + width - 12, top + 14), "dealer", 14, soft, "rm")
        text = "  ·  ".join(self._label_text(seat))
        size = next(
            (one for one in (14, 13, 12, 11) if _font(one).getlength(text) < width - 24), 10
        )
        self._draw_text((left + 12, top + 34), text, size, soft, "lm")

    def _label_text(self, seat: int) -> list[str]:
        """The scores of a seat in this round and in the match."""
        view = self._match.view(seat)
        lines = []
        if view["points"][seat] is not None and not view["over"]:
            lines.append(f"this round {view['points'][seat]}")
        if declares_keys(view, DifferenzlerView) and view["bids"][seat] is not None:
            lines.append(f"bid {view['bids'][seat]}")
        if declares_keys(view, HandjassView) and view["said"][seat] is not None:
            lines.append(str(view["said"][seat]))
        standing: Json = self._match.standing[seat]
        decides = self._match.game.rules.metric
        key = decides.standing_key if decides is not None else ""
        shown = {key: standing[key]} if type(standing.get(key)) is int else standing
        lines += [f"{name} {value}" for name, value in shown.items() if type(value) is int]
        return lines

    # The middle of the table.

    def _draw_middle(self) -> None:
        view = self._view
        width, height = _PLAYED_CARD_SIZE
        wide, tall = _TRICK_OFFSET if len(self._seat_areas) <= 4 else _TRICK_OFFSET_MANY
        for seat, card in self._match.trick:
            angle = radians(self._seat_areas[seat].angle)
            across = _CENTRE[0] + wide * cos(angle) - width / 2
            down = _CENTRE[1] + tall * sin(angle) - height / 2
            self._draw_card(card, (round(across), round(down)), _PLAYED_CARD_SIZE)
        if (
            declares_keys(view, HandjassView)
            and view["turned"] is not None
            and not self._match.trick
        ):
            self._draw_card(
                view["turned"],
                (_CENTRE[0] - width // 2, _CENTRE[1] - height // 2),
                _PLAYED_CARD_SIZE,
            )
            self._draw_caption("turned")
        if declares_keys(view, IDoubtItView):
            self._draw_claim(view)

    def _draw_claim(self, view: IDoubtItView) -> None:
        """Draws the pile in the middle, and the cards of the claim with its text."""
        width, height = _PLAYED_CARD_SIZE
        top, claim = _CENTRE[1] - height // 2 - 12, view["claim"]
        left = _CENTRE[0] - width // 2 - (110 if claim and view["middle"] else 0)
        for card in range(min(view["middle"], 4)):
            self._draw_card("back", (left + 3 * card, top - 2 * card), _PLAYED_CARD_SIZE)
        if view["middle"]:
            text = f"{view['middle']} in the middle"
            self._draw_text((left + width // 2, top + height + 18), text, 16, _SECONDARY_INK, "mm")
            left += width + 50
        if claim is None:
            return
        laid = self._match.view(claim["seat"])["turns"][-1]["laid"]
        left -= 0 if view["middle"] else 22 * (len(laid) - 1)
        for place, card in enumerate(laid):
            self._draw_card(card, (left + 44 * place, top), _PLAYED_CARD_SIZE)
        text = f"seat {claim['seat']} lays {claim['count']} as {claim['rank']}"
        middle = left + (44 * (len(laid) - 1) + width) // 2
        self._draw_text((middle, top + height + 18), text, 16, _INK, "mm")

    def _draw_caption(self, text: str) -> None:
        spot = (_CENTRE[0], _CENTRE[1] + _PLAYED_CARD_SIZE[1] // 2 + 18)
        self._draw_text(spot, text, 16, _SECONDARY_INK, "mm")


# Layout.


def seat_areas(match: Match) -> Sequence[_SeatArea]:
    """The area of each seat: the next in order of play sits to the right of seat 0, or left."""
    around = _SEAT_AREAS[match.game.players]
    if match.game.options["direction"] == "anticlockwise":
        return around
    return (around[0], *reversed(around[1:]))


def _hand_layout(place: _SeatArea, count: int) -> list[tuple[int, int]]:
    """The upper left corners of the cards of a hand, in as many rows as needed."""
    width, height = _CARD_SIZE
    per_row = 1 + (place.width - width) // _MIN_CARD_STEP
    rows = max(-(-count // per_row), 1)
    each = -(-count // rows)
    step = min(_MAX_CARD_STEP, (place.width - width) / max(each - 1, 1))
    tall = height + (rows - 1) * _ROW_STEP
    begin, end = _TITLE_BAR_HEIGHT + _MARGIN + _LABEL_HEIGHT + _LABEL_GAP, HEIGHT - _MARGIN - tall
    top = round(begin + place.down * (end - begin))
    spots = []
    for card in range(count):
        row, column = divmod(card, each)
        in_row = min(each, count - row * each)
        left = place.across - (width + (in_row - 1) * step) / 2
        spots.append((round(left + column * step), top + row * _ROW_STEP))
    return spots


def _label_box(place: _SeatArea, spots: Sequence[tuple[int, int]]) -> tuple[int, int, int, int]:
    """The position of the label above a hand, and its size."""
    width = min(place.width, 310)
    top = min((down for _, down in spots), default=_hand_layout(place, 1)[0][1])
    return (place.across - width // 2, top - _LABEL_HEIGHT - _LABEL_GAP, width, _LABEL_HEIGHT)


# SVG.


def _table_background() -> str:
    """The empty table."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f'<defs><radialGradient id="mat"><stop offset="0" stop-color="{_MAT_LIGHT}"/>'
        f'<stop offset="1" stop-color="{_MAT}"/></radialGradient></defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#mat)"/>'
        f'<rect width="{WIDTH}" height="{_TITLE_BAR_HEIGHT}" fill="{_DARK}"/></svg>'
    )


def _label_background(width: int, colour: str) -> str:
    """The background of a label."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_LABEL_HEIGHT}">'
        f'<rect width="{width}" height="{_LABEL_HEIGHT}" rx="10" fill="{colour}"/></svg>'
    )


def _side_marker(colour: str) -> str:
    """The marker of a side."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 12" width="12" height="12">'
        f'<circle cx="6" cy="6" r="6" fill="{colour}"/></svg>'
    )


@cache
def _read_svg(path: str) -> str:
    """Reads an SVG file of a card."""
    return (files(__package__) / "decks" / path).read_text(encoding="utf-8")


@cache
def _suit_symbol(deck: str, suit: str) -> str:
    """The symbol of a suit, extracted from a card."""
    found = search(r'<symbol id="suit[^"]*"[^>]*>(.*?)</symbol>', _read_svg(f"{deck}/7{suit}.svg"))
    assert found is not None
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 112 112" width="30" height="30">'
        f'<circle cx="50" cy="50" r="55" fill="#fffefa"/>'
        f'<g transform="translate(15 15) scale(.7)">{found[1]}</g></svg>'
    )


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """The typeface that comes with Pillow, so that images are the same everywhere."""
    loaded = ImageFont.load_default(size)
    assert isinstance(loaded, ImageFont.FreeTypeFont)
    return loaded


@cache
def _rasterize(svg: str, size: _ImageSize) -> Image.Image:
    """Rasterizes an SVG; the result is cached."""
    width, height = size
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True)
    return Image.open(BytesIO(bytes(png))).convert("RGBA")
