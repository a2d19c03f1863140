"""Rendering of a table as text or as an image, with all hands open."""

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

RENDER_MODES = ("ansi", "rgb_array")
RENDER_FPS = 2
"""The frame rate, in images per second, at which people can follow a match."""

Frame = str | NDArray[np.uint8] | None
"""A text, an image, or None without a render mode."""


def make_renderer(mode: str | None) -> Callable[[Match], Frame] | None:
    """The renderer for a mode; None without one.

    Raises:
        GameError: the mode is unknown.
        MissingExtraError: images need the extra `render`.
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
    """The table of a match: each seat with its cards and its score, and the trick or the claim."""
    view = match.view(None)
    lines = [f"{view['game']}, round {view['round']}, {view['phase']}"]
    if match.trump:
        lines[0] += f", trump {match.trump}"
    for seat, (points, standing) in enumerate(zip(view["points"], view["standing"], strict=True)):
        hand = " ".join(match.hand(seat)) or "-"
        marks = "*" if seat in match.to_act else " "
        dealt = " (dealer)" if seat == view["dealer"] else ""
        text = ", ".join(f"{name} {value}" for name, value in standing.items())
        counted = "" if points is None else f"; {points} points"
        lines.append(f"{marks} seat {seat}{dealt}: {hand}{counted}; {text}")
    if match.trick:
        lines.append("trick: " + ", ".join(f"seat {seat} {card}" for seat, card in match.trick))
    if declares_keys(view, IDoubtItView):
        lines.append(f"middle: {view['middle']} cards")
        if view["claim"] is not None:
            claim, laid = view["claim"], match.view(view["claim"]["seat"])["turns"][-1]["laid"]
            text = f"claim: seat {claim['seat']} says {claim['count']} × {claim['rank']}"
            lines.append(f"{text}, and has laid {' '.join(laid)}")
    if match.over:
        lines.append(f"won by {', '.join(f'seat {seat}' for seat in match.winners)}")
    return "\n".join(lines)
