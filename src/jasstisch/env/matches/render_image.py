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

__all__ = ["HEIGHT", "WIDTH", "render_image"]

WIDTH, HEIGHT = 1200, 800
TITLE_BAR_HEIGHT = 44
MARGIN = 14
LABEL_HEIGHT = 46
LABEL_GAP = 5

CARD_SIZE = (66, 103)
PLAYED_CARD_SIZE = (82, 128)
MAX_CARD_STEP, MIN_CARD_STEP = 46, 16
"""The range of the distance between cards of a hand; a larger hand has several rows."""
ROW_STEP = 42

CENTRE = (WIDTH // 2, 408)
TRICK_OFFSET, TRICK_OFFSET_MANY = (135, 84), (185, 98)
"""The offset of the cards of a trick from the centre, and the same with five or six players."""

MAT, MAT_LIGHT, DARK = "#1f6f4c", "#2a8059", "#123d2a"
PLATE, ACTING, WON = "#0f3a27", "#c8161d", "#f2c230"
SIDES = ("#f2c230", "#6fb7ff")
INK, SECONDARY_INK, BLACK = "#ffffff", "#d3e8db", "#1b1f1d"

ImageSize = tuple[int, int]


class SeatArea(NamedTuple):
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


BOTTOM, TOP = SeatArea(90, 600, 1, 860), SeatArea(270, 600, 0, 560)
RIGHT, LEFT = SeatArea(0, 1026, 0.5, 310), SeatArea(180, 174, 0.5, 310)
ABOVE = (SeatArea(318, 1000, 0, 360), SeatArea(270, 600, 0, 360), SeatArea(222, 200, 0, 360))
BELOW = (SeatArea(138, 200, 1, 360), SeatArea(90, 600, 1, 360), SeatArea(42, 1000, 1, 360))
SEAT_AREAS: dict[int, tuple[SeatArea, ...]] = {
    2: (BOTTOM, TOP),
    3: (BOTTOM, RIGHT, LEFT),
    4: (BOTTOM, RIGHT, TOP, LEFT),
    5: (BOTTOM, RIGHT, ABOVE[0], ABOVE[2], LEFT),
    6: (BOTTOM, RIGHT, *ABOVE, LEFT),
    7: (BELOW[0], BELOW[2], RIGHT, *ABOVE, LEFT),
    8: (BELOW[1], BELOW[2], RIGHT, *ABOVE, LEFT, BELOW[0]),
}
"""The areas by the number of players, seat by seat in order of play to the right."""


def render_image(match: Match) -> NDArray[np.uint8]:
    """Renders the table of a match as an array of pixels: rows, columns, and red, green, blue.

    Returns:
        A new array of shape `(HEIGHT, WIDTH, 3)`.
    """
    return np.array(TableImage(match).render())


class TableImage:
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
            hand_layout(place, len(hand))
            for place, hand in zip(self._seat_areas, hands, strict=True)
        ]
        labels = [
            label_box(place, spots) for place, spots in zip(self._seat_areas, laid, strict=True)
        ]
        self._image.paste(rasterize(table_background(), (WIDTH, HEIGHT)))
        for hand, spots in zip(hands, laid, strict=True):
            for card, spot in zip(hand, spots, strict=True):
                self._draw_card(card, spot, CARD_SIZE)
        self._draw_middle()
        for seat, box in enumerate(labels):
            self._draw_label(seat, box)
        self._draw_title()
        return self._image

    def _draw_card(self, card: str, spot: tuple[int, int], size: ImageSize) -> None:
        """Draws a card with its upper left corner at a point; `back` for its back."""
        path = "back.svg" if card == "back" else f"{self._deck}/{card}.svg"
        self._paste(rasterize(read_svg(path), size), spot)

    def _paste(self, image: Image.Image, spot: tuple[int, int]) -> None:
        self._image.paste(image, spot, image)

    def _draw_text(
        self, spot: tuple[int, int], text: str, size: int, ink: str, anchor: str
    ) -> None:
        draw = ImageDraw.Draw(self._image)
        draw.text(spot, text, fill=ink, font=font(size), anchor=anchor)

    # Labels.

    def _draw_title(self) -> None:
        view = self._view
        won = " and ".join(f"seat {seat}" for seat in self._match.winners)
        now = f"won by {won or 'nobody'}" if view["over"] else view["phase"]
        text = f"{view['game']}    round {view['round']}    {now}"
        self._draw_text((MARGIN, TITLE_BAR_HEIGHT // 2), text, 20, INK, "lm")
        right = WIDTH - MARGIN
        if view["trump"] is not None:
            self._paste(
                rasterize(suit_symbol(self._deck, view["trump"]), (30, 30)), (right - 30, 7)
            )
            right -= 38
        self._draw_text((right, TITLE_BAR_HEIGHT // 2), self._contract_text(), 20, INK, "rm")

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
            return WON
        return ACTING if seat in self._match.to_act else PLATE

    def _draw_label(self, seat: int, box: tuple[int, int, int, int]) -> None:
        left, top, width, height = box
        self._paste(
            rasterize(label_background(width, self._seat_colour(seat)), (width, height)),
            (left, top),
        )
        ink, soft = (BLACK, BLACK) if seat in self._match.winners else (INK, INK)
        if self._seat_colour(seat) == PLATE:
            soft = SECONDARY_INK
        name = f"seat {seat}"
        begin = left + 12
        for side, seats in enumerate(self._match.game.rules.sides):
            if seat in seats:
                ball = rasterize(side_marker(SIDES[side % 2]), (12, 12))
                self._paste(ball, (begin, top + 8))
                begin += 18
        self._draw_text((begin, top + 14), name, 18, ink, "lm")
        if seat == self._view["dealer"]:
            self._draw_text((left + width - 12, top + 14), "dealer", 14, soft, "rm")
        text = "  ·  ".join(self._label_text(seat))
        size = next((one for one in (14, 13, 12, 11) if font(one).getlength(text) < width - 24), 10)
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
        width, height = PLAYED_CARD_SIZE
        wide, tall = TRICK_OFFSET if len(self._seat_areas) <= 4 else TRICK_OFFSET_MANY
        for seat, card in self._match.trick:
            angle = radians(self._seat_areas[seat].angle)
            across = CENTRE[0] + wide * cos(angle) - width / 2
            down = CENTRE[1] + tall * sin(angle) - height / 2
            self._draw_card(card, (round(across), round(down)), PLAYED_CARD_SIZE)
        if (
            declares_keys(view, HandjassView)
            and view["turned"] is not None
            and not self._match.trick
        ):
            self._draw_card(
                view["turned"], (CENTRE[0] - width // 2, CENTRE[1] - height // 2), PLAYED_CARD_SIZE
            )
            self._draw_caption("turned")
        if declares_keys(view, IDoubtItView):
            self._draw_claim(view)

    def _draw_claim(self, view: IDoubtItView) -> None:
        """Draws the pile in the middle, and the cards of the claim with its text."""
        width, height = PLAYED_CARD_SIZE
        top, claim = CENTRE[1] - height // 2 - 12, view["claim"]
        left = CENTRE[0] - width // 2 - (110 if claim and view["middle"] else 0)
        for card in range(min(view["middle"], 4)):
            self._draw_card("back", (left + 3 * card, top - 2 * card), PLAYED_CARD_SIZE)
        if view["middle"]:
            text = f"{view['middle']} in the middle"
            self._draw_text((left + width // 2, top + height + 18), text, 16, SECONDARY_INK, "mm")
            left += width + 50
        if claim is None:
            return
        laid = self._match.view(claim["seat"])["turns"][-1]["laid"]
        left -= 0 if view["middle"] else 22 * (len(laid) - 1)
        for place, card in enumerate(laid):
            self._draw_card(card, (left + 44 * place, top), PLAYED_CARD_SIZE)
        text = f"seat {claim['seat']} lays {claim['count']} as {claim['rank']}"
        middle = left + (44 * (len(laid) - 1) + width) // 2
        self._draw_text((middle, top + height + 18), text, 16, INK, "mm")

    def _draw_caption(self, text: str) -> None:
        spot = (CENTRE[0], CENTRE[1] + PLAYED_CARD_SIZE[1] // 2 + 18)
        self._draw_text(spot, text, 16, SECONDARY_INK, "mm")


# Layout.


def seat_areas(match: Match) -> Sequence[SeatArea]:
    """The area of each seat: the next in order of play sits to the right of seat 0, or left."""
    around = SEAT_AREAS[match.game.players]
    if match.game.options["direction"] == "anticlockwise":
        return around
    return (around[0], *reversed(around[1:]))


def hand_layout(place: SeatArea, count: int) -> list[tuple[int, int]]:
    """The upper left corners of the cards of a hand, in as many rows as needed."""
    width, height = CARD_SIZE
    per_row = 1 + (place.width - width) // MIN_CARD_STEP
    rows = max(-(-count // per_row), 1)
    each = -(-count // rows)
    step = min(MAX_CARD_STEP, (place.width - width) / max(each - 1, 1))
    tall = height + (rows - 1) * ROW_STEP
    begin, end = TITLE_BAR_HEIGHT + MARGIN + LABEL_HEIGHT + LABEL_GAP, HEIGHT - MARGIN - tall
    top = round(begin + place.down * (end - begin))
    spots = []
    for card in range(count):
        row, column = divmod(card, each)
        in_row = min(each, count - row * each)
        left = place.across - (width + (in_row - 1) * step) / 2
        spots.append((round(left + column * step), top + row * ROW_STEP))
    return spots


def label_box(place: SeatArea, spots: Sequence[tuple[int, int]]) -> tuple[int, int, int, int]:
    """The position of the label above a hand, and its size."""
    width = min(place.width, 310)
    top = min((down for _, down in spots), default=hand_layout(place, 1)[0][1])
    return (place.across - width // 2, top - LABEL_HEIGHT - LABEL_GAP, width, LABEL_HEIGHT)


# SVG.


def table_background() -> str:
    """The empty table."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f'<defs><radialGradient id="mat"><stop offset="0" stop-color="{MAT_LIGHT}"/>'
        f'<stop offset="1" stop-color="{MAT}"/></radialGradient></defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#mat)"/>'
        f'<rect width="{WIDTH}" height="{TITLE_BAR_HEIGHT}" fill="{DARK}"/></svg>'
    )


def label_background(width: int, colour: str) -> str:
    """The background of a label."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{LABEL_HEIGHT}">'
        f'<rect width="{width}" height="{LABEL_HEIGHT}" rx="10" fill="{colour}"/></svg>'
    )


def side_marker(colour: str) -> str:
    """The marker of a side."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 12" width="12" height="12">'
        f'<circle cx="6" cy="6" r="6" fill="{colour}"/></svg>'
    )


@cache
def read_svg(path: str) -> str:
    """Reads an SVG file of a card."""
    return (files(__package__) / "decks" / path).read_text(encoding="utf-8")


@cache
def suit_symbol(deck: str, suit: str) -> str:
    """The symbol of a suit, extracted from a card."""
    found = search(r'<symbol id="suit[^"]*"[^>]*>(.*?)</symbol>', read_svg(f"{deck}/7{suit}.svg"))
    assert found is not None
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 112 112" width="30" height="30">'
        f'<circle cx="50" cy="50" r="55" fill="#fffefa"/>'
        f'<g transform="translate(15 15) scale(.7)">{found[1]}</g></svg>'
    )


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """The typeface that comes with Pillow, so that images are the same everywhere."""
    loaded = ImageFont.load_default(size)
    assert isinstance(loaded, ImageFont.FreeTypeFont)
    return loaded


@cache
def rasterize(svg: str, size: ImageSize) -> Image.Image:
    """Rasterizes an SVG; the result is cached."""
    width, height = size
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True)
    return Image.open(BytesIO(bytes(png))).convert("RGBA")
