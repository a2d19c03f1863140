"""A table as a text or a picture, with all hands open: for whoever looks on."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine.errors import GameError, quote
from jasstisch.extras import require
from jasstisch.games.i_doubt_it import IDoubtItView
from jasstisch.games.views import declares_keys
from jasstisch.match.match import Match

__all__ = ["RENDER_FPS", "RENDER_MODES", "Frame", "make_renderer", "render_text"]

RENDER_MODES = ("ansi", "rgb_array")
RENDER_FPS = 2
"""How many pictures a second show a match at a pace that can be followed."""

Frame = str | NDArray[np.uint8] | None
"""A text, a picture, or nothing where no way to render was asked for."""


def make_renderer(mode: str | None) -> Callable[[Match], Frame] | None:
    """What renders a match in one of these ways; None where nothing shall be rendered.

    Raises:
        GameError: there is no such way.
        MissingExtraError: a picture needs the extra `render`.
    """
    if mode is None:
        return None
    if mode == "ansi":
        return render_text
    if mode == "rgb_array":
        require("render", "a picture of a table")
        module: Any = import_module("jasstisch.env.matches.render_image")
        return module.render_image
    allowed = ", ".join(RENDER_MODES)
    raise GameError(f"render_mode is None or one of {allowed}, not {quote(mode)}")


def render_text(match: Match) -> str:
    """The table of a match: each seat with its cards and what it has, the trick or the claim."""
    view = match.view(None)
    lines = [f"{view['game']}, round {view['round']}, {view['phase']}"]
    if match.trump:
        lines[0] += f", trump {match.trump}"
    for seat, (points, standing) in enumerate(zip(view["points"], view["standing"], strict=True)):
        hand = " ".join(match.hand(seat)) or "-"
        marks = "*" if seat in match.to_act else " "
        dealt = " (dealer)" if seat == view["dealer"] else ""
        told = ", ".join(f"{name} {value}" for name, value in standing.items())
        counted = "" if points is None else f"; {points} points"
        lines.append(f"{marks} seat {seat}{dealt}: {hand}{counted}; {told}")
    if match.trick:
        lines.append("trick: " + ", ".join(f"seat {seat} {card}" for seat, card in match.trick))
    if declares_keys(view, IDoubtItView):
        lines.append(f"middle: {view['middle']} cards")
        if view["claim"] is not None:
            claim, laid = view["claim"], match.view(view["claim"]["seat"])["turns"][-1]["laid"]
            told = f"claim: seat {claim['seat']} says {claim['count']} × {claim['rank']}"
            lines.append(f"{told}, and has laid {' '.join(laid)}")
    if match.over:
        lines.append(f"won by {', '.join(f'seat {seat}' for seat in match.winners)}")
    return "\n".join(lines)
