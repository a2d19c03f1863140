"""A table as a picture, with all hands open, drawn with the project's own cards.

Shapes and cards are SVG, each drawn once and kept. `npm run decks:package` in web/ has written the
cards into `decks`. Games with a pack of 36 have the Swiss ones, others the French ones.
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

from jasstisch.cards import JASS
from jasstisch.games.contracts import ContractView
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.i_doubt_it import IDoubtItView
from jasstisch.games.jass import JassView
from jasstisch.games.rules import Json
from jasstisch.games.views import shows
from jasstisch.match import Match

__all__ = ["HEIGHT", "WIDTH", "picture"]

WIDTH, HEIGHT = 1200, 800
BAR = 44
MARGIN = 14
LABEL = 46
GAP = 5

CARD = (66, 103)
PLAYED = (82, 128)
WIDEST_STEP, NARROWEST_STEP = 46, 16
"""How far apart the cards of a hand lie: where they would lie closer, it has several rows."""
ROW_STEP = 42

CENTRE = (WIDTH // 2, 408)
REACH = (135, 84)
"""How far from the centre the cards of a trick lie."""

MAT, MAT_LIGHT, DARK = "#1f6f4c", "#2a8059", "#123d2a"
PLATE, ACTING, WON = "#0f3a27", "#c8161d", "#f2c230"
SIDES = ("#f2c230", "#6fb7ff")
INK, SOFT, BLACK = "#ffffff", "#d3e8db", "#1b1f1d"

Size = tuple[int, int]


class Place(NamedTuple):
    """Where a seat is on the picture.

    Attributes:
        angle: in which direction from the centre, in degrees, 0 to the right and 90 down.
        across: the middle of its hand.
        down: 0 where its hand begins at the top, 1 where it ends at the bottom, between them .5.
        width: of the widest row of its hand.
    """

    angle: float
    across: int
    down: float
    width: int


BOTTOM, TOP = Place(90, 600, 1, 860), Place(270, 600, 0, 560)
RIGHT, LEFT = Place(0, 1026, 0.5, 310), Place(180, 174, 0.5, 310)
ABOVE = (Place(318, 1000, 0, 360), Place(270, 600, 0, 360), Place(222, 200, 0, 360))
BELOW = (Place(138, 200, 1, 360), Place(90, 600, 1, 360), Place(42, 1000, 1, 360))
PLACES: dict[int, tuple[Place, ...]] = {
    2: (BOTTOM, TOP),
    3: (BOTTOM, RIGHT, LEFT),
    4: (BOTTOM, RIGHT, TOP, LEFT),
    5: (BOTTOM, RIGHT, ABOVE[0], ABOVE[2], LEFT),
    6: (BOTTOM, RIGHT, *ABOVE, LEFT),
    7: (BELOW[0], BELOW[2], RIGHT, *ABOVE, LEFT),
    8: (BELOW[1], BELOW[2], RIGHT, *ABOVE, LEFT, BELOW[0]),
}
"""The places by the number of players, seat by seat as play goes round to the right."""


def picture(match: Match) -> NDArray[np.uint8]:
    """The table of a match as an array of pixels: rows, columns, and red, green, blue.

    Returns:
        An array of its own of shape `(HEIGHT, WIDTH, 3)`.
    """
    return np.array(Drawing(match).drawn())


class Drawing:
    """A picture that is being drawn."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._view = match.view(None)
        self._deck = "swiss" if match.game.rules.deck is JASS else "french"
        self._places = places(match)
        self._image = Image.new("RGB", (WIDTH, HEIGHT))

    def drawn(self) -> Image.Image:
        """The whole picture."""
        hands = [self._match.hand(seat) for seat in range(len(self._places))]
        laid = [layout(place, len(hand)) for place, hand in zip(self._places, hands, strict=True)]
        labels = [label_of(place, spots) for place, spots in zip(self._places, laid, strict=True)]
        self._image.paste(drawing(mat(), (WIDTH, HEIGHT)))
        for hand, spots in zip(hands, laid, strict=True):
            for card, spot in zip(hand, spots, strict=True):
                self._put(card, spot, CARD)
        self._middle()
        for seat, box in enumerate(labels):
            self._label(seat, box)
        self._title()
        return self._image

    def _put(self, card: str, spot: tuple[int, int], size: Size) -> None:
        """A card with its upper left corner there; `back` for its back."""
        path = "back.svg" if card == "back" else f"{self._deck}/{card}.svg"
        self._paste(drawing(written(path), size), spot)

    def _paste(self, image: Image.Image, spot: tuple[int, int]) -> None:
        self._image.paste(image, spot, image)

    def _text(self, spot: tuple[int, int], text: str, size: int, ink: str, anchor: str) -> None:
        draw = ImageDraw.Draw(self._image)
        draw.text(spot, text, fill=ink, font=font(size), anchor=anchor)

    # What is said of the match and of each seat.

    def _title(self) -> None:
        view = self._view
        won = " and ".join(f"seat {seat}" for seat in self._match.winners)
        now = f"won by {won or 'nobody'}" if view["over"] else view["phase"]
        told = f"{view['game']}    round {view['round']}    {now}"
        self._text((MARGIN, BAR // 2), told, 20, INK, "lm")
        right = WIDTH - MARGIN
        if view["trump"] is not None:
            self._paste(drawing(sign(self._deck, view["trump"]), (30, 30)), (right - 30, 7))
            right -= 38
        self._text((right, BAR // 2), self._played_how(), 20, INK, "rm")

    def _played_how(self) -> str:
        """The contract or the trump of this round, in words."""
        view = self._view
        if shows(view, ContractView) and view["contract"] is not None and view["trump"] is None:
            return str(view["contract"])
        return "trump" if view["trump"] else ""

    def _colour(self, seat: int) -> str:
        if seat in self._match.winners:
            return WON
        return ACTING if seat in self._match.to_act else PLATE

    def _label(self, seat: int, box: tuple[int, int, int, int]) -> None:
        left, top, width, height = box
        self._paste(drawing(plate(width, self._colour(seat)), (width, height)), (left, top))
        ink, soft = (BLACK, BLACK) if seat in self._match.winners else (INK, INK)
        if self._colour(seat) == PLATE:
            soft = SOFT
        name = f"seat {seat}"
        begin = left + 12
        for side, seats in enumerate(self._match.game.rules.sides):
            if seat in seats:
                ball = drawing(dot(SIDES[side % 2]), (12, 12))
                self._paste(ball, (begin, top + 8))
                begin += 18
        self._text((begin, top + 14), name, 18, ink, "lm")
        if seat == self._view["dealer"]:
            self._text((left + width - 12, top + 14), "dealer", 14, soft, "rm")
        told = "  ·  ".join(self._told_of(seat))
        size = next((one for one in (14, 13, 12, 11) if font(one).getlength(told) < width - 24), 10)
        self._text((left + 12, top + 34), told, size, soft, "lm")

    def _told_of(self, seat: int) -> list[str]:
        """What a seat has in this round and in the match."""
        view = self._match.view(seat)
        told = []
        if view["points"][seat] is not None and not view["over"]:
            told.append(f"this round {view['points'][seat]}")
        if shows(view, DifferenzlerView) and view["bids"][seat] is not None:
            told.append(f"bid {view['bids'][seat]}")
        if shows(view, JassView) and view["said"][seat] is not None:
            told.append(str(view["said"][seat]))
        standing: Json = self._match.standing[seat]
        decides = self._match.game.rules.figure
        key = decides.standing if decides is not None else ""
        shown = {key: standing[key]} if type(standing.get(key)) is int else standing
        told += [f"{name} {value}" for name, value in shown.items() if type(value) is int]
        return told

    # What lies on the table.

    def _middle(self) -> None:
        view = self._view
        width, height = PLAYED
        for seat, card in self._match.trick:
            angle = radians(self._places[seat].angle)
            across = CENTRE[0] + REACH[0] * cos(angle) - width / 2
            down = CENTRE[1] + REACH[1] * sin(angle) - height / 2
            self._put(card, (round(across), round(down)), PLAYED)
        if shows(view, JassView) and view["turned"] is not None and not self._match.trick:
            self._put(view["turned"], (CENTRE[0] - width // 2, CENTRE[1] - height // 2), PLAYED)
            self._below("turned")
        if shows(view, IDoubtItView):
            self._claim(view)

    def _claim(self, view: IDoubtItView) -> None:
        """The pile in the middle, and the cards of the claim with what is said of them."""
        width, height = PLAYED
        top, claim = CENTRE[1] - height // 2 - 12, view["claim"]
        left = CENTRE[0] - width // 2 - (110 if claim and view["middle"] else 0)
        for card in range(min(view["middle"], 4)):
            self._put("back", (left + 3 * card, top - 2 * card), PLAYED)
        if view["middle"]:
            told = f"{view['middle']} in the middle"
            self._text((left + width // 2, top + height + 18), told, 16, SOFT, "mm")
            left += width + 50
        if claim is None:
            return
        laid = self._match.view(claim["seat"])["turns"][-1]["laid"]
        left -= 0 if view["middle"] else 22 * (len(laid) - 1)
        for place, card in enumerate(laid):
            self._put(card, (left + 44 * place, top), PLAYED)
        told = f"seat {claim['seat']} lays {claim['count']} as {claim['rank']}"
        middle = left + (44 * (len(laid) - 1) + width) // 2
        self._text((middle, top + height + 18), told, 16, INK, "mm")

    def _below(self, told: str) -> None:
        spot = (CENTRE[0], CENTRE[1] + PLAYED[1] // 2 + 18)
        self._text(spot, told, 16, SOFT, "mm")


# Where things lie.


def places(match: Match) -> Sequence[Place]:
    """Where each seat is: the next one to play sits to the right of seat 0, or to its left."""
    around = PLACES[match.game.players]
    if match.game.options["direction"] == "anticlockwise":
        return around
    return (around[0], *reversed(around[1:]))


def layout(place: Place, count: int) -> list[tuple[int, int]]:
    """The upper left corners of the cards of a hand, in as many rows as they need."""
    width, height = CARD
    per_row = 1 + (place.width - width) // NARROWEST_STEP
    rows = max(-(-count // per_row), 1)
    each = -(-count // rows)
    step = min(WIDEST_STEP, (place.width - width) / max(each - 1, 1))
    tall = height + (rows - 1) * ROW_STEP
    begin, end = BAR + MARGIN + LABEL + GAP, HEIGHT - MARGIN - tall
    top = round(begin + place.down * (end - begin))
    spots = []
    for card in range(count):
        row, column = divmod(card, each)
        in_row = min(each, count - row * each)
        left = place.across - (width + (in_row - 1) * step) / 2
        spots.append((round(left + column * step), top + row * ROW_STEP))
    return spots


def label_of(place: Place, spots: Sequence[tuple[int, int]]) -> tuple[int, int, int, int]:
    """Where the label above a hand stands, and its size."""
    width = min(place.width, 310)
    top = min((down for _, down in spots), default=layout(place, 1)[0][1])
    return (place.across - width // 2, top - LABEL - GAP, width, LABEL)


# What is drawn as SVG.


def mat() -> str:
    """The empty table."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f'<defs><radialGradient id="mat"><stop offset="0" stop-color="{MAT_LIGHT}"/>'
        f'<stop offset="1" stop-color="{MAT}"/></radialGradient></defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#mat)"/>'
        f'<rect width="{WIDTH}" height="{BAR}" fill="{DARK}"/></svg>'
    )


def plate(width: int, colour: str) -> str:
    """What a label stands on."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{LABEL}">'
        f'<rect width="{width}" height="{LABEL}" rx="10" fill="{colour}"/></svg>'
    )


def dot(colour: str) -> str:
    """The sign of a side."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 12" width="12" height="12">'
        f'<circle cx="6" cy="6" r="6" fill="{colour}"/></svg>'
    )


@cache
def written(path: str) -> str:
    """The text of a card."""
    return (files(__package__) / "decks" / path).read_text(encoding="utf-8")


@cache
def sign(deck: str, suit: str) -> str:
    """The sign of a suit, as on a card of it."""
    found = search(r'<symbol id="suit[^"]*"[^>]*>(.*?)</symbol>', written(f"{deck}/7{suit}.svg"))
    assert found is not None
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 112 112" width="30" height="30">'
        f'<circle cx="50" cy="50" r="55" fill="#fffefa"/>'
        f'<g transform="translate(15 15) scale(.7)">{found[1]}</g></svg>'
    )


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """The typeface that comes with Pillow, so that a picture is the same everywhere."""
    loaded = ImageFont.load_default(size)
    assert isinstance(loaded, ImageFont.FreeTypeFont)
    return loaded


@cache
def drawing(svg: str, size: Size) -> Image.Image:
    """A drawing as pixels, kept for the next picture."""
    width, height = size
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True)
    return Image.open(BytesIO(bytes(png))).convert("RGBA")
