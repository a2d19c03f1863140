"""The ladder plot: the strength of each bot of a report against its time per move.

Up is stronger, whether high or low figures are better. Time has a logarithmic scale, and so do
figures with a wide range. Each bot is a point with its 95 % interval and a label. A grey step line
shows the best strength within a time limit. Equal reports give equal files. Drawing requires
matplotlib, an optional extra, which is imported when a plot is drawn.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jasstisch.engine.errors import GameError, shorten
from jasstisch.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FORMATS = (".png", ".svg")

INK, SOFT, STEP, FAINT, GREEN = "#20241f", "#62675f", "#c3c8bf", "#e3e6e0", "#1d6b4c"
"""Colours: text, secondary text, step line, grid, highlight."""

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "svg.hashsalt": "jasstisch",
}
_SIZE_IN = (7.2, 4.6)
_DPI = 200
_MIN_MS = 0.001
"""The resolution of the clock in milliseconds."""

_NAME_BELOW, _VALUE_BELOW, _LABEL_HIGH = 13, 25, 28
"""Offsets in points of the two lines of a label, and its height."""

_NAME_WIDE, _VALUE_WIDE = 7.0, 4.8
"""Maximum width in points of a character of either line."""

_LOG_SCALE_RATIO = 8
"""The ratio of largest to smallest figure from which a logarithmic scale is used."""


@dataclass(frozen=True, slots=True)
class _Point:
    """A bot in the plot.

    Attributes:
        name: the bot.
        ms: its mean time per move in milliseconds.
        strength: its figure, or its rating in a pool.
        ci95: half the width of the 95 % interval of the strength.
    """

    name: str
    ms: float
    strength: float
    ci95: float


def check_drawable(path: Path) -> None:
    """Checks in advance that a plot can be drawn.

    Raises:
        GameError: the file format is not supported.
        MissingExtraError: matplotlib is not installed.
    """
    if path.suffix.lower() not in _FORMATS:
        raise GameError(f"a picture is a file {' or '.join(_FORMATS)}, not {shorten(path.name)!r}")
    require("plot", "a picture")


def draw_plot(report: Mapping[str, Any], path: Path) -> None:
    """Draws the plot of a report to a PNG or SVG file.

    Raises:
        GameError: the file format is not supported.
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    check_drawable(path)
    with new_figure(path, _SIZE_IN, STYLE) as figure:
        figure.subplots_adjust(left=0.075, right=0.985, top=0.8, bottom=0.13)
        _draw_axes(figure.add_subplot(), list(_plot_points(report)), report)
        figure.text(0.02, 0.935, _plot_title(report), size=13, weight="bold")
        figure.text(0.02, 0.885, _plot_subtitle(report), size=9, color=SOFT)
        figure.text(0.02, 0.825, _axis_label(report), size=9, color=SOFT)


@contextmanager
def new_figure(
    path: Path, inches: tuple[float, float], style: Mapping[str, object]
) -> Iterator["Figure"]:
    """Yields an empty figure, and writes it after the body; equal drawings give equal files.

    Args:
        path: a PNG or SVG file.
        inches: width and height.
        style: rcParams of matplotlib for the drawing.

    Raises:
        OSError: the file cannot be written.
    """
    with import_module("matplotlib").rc_context(style):
        figure: Figure = import_module("matplotlib.figure").Figure(inches, dpi=_DPI)
        yield figure
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
        figure.savefig(path, metadata=metadata)


def _plot_points(report: Mapping[str, Any]) -> Iterator[_Point]:
    """Yields the bots of a report: with their ratings in a pool, else with their figures."""
    rated = {one["name"]: one for one in report.get("ranking", [])}
    for name, one in {one["name"]: one for one in report["bots"]}.items():
        strength = rated[name]["rating"] if rated else one["mean"]
        ci95 = rated[name]["ci95"] if rated else one["ci95"]
        yield _Point(name, max(one["ms_per_move"], _MIN_MS), strength, ci95)


def _draw_axes(axes: "Axes", shown: Sequence[_Point], report: Mapping[str, Any]) -> None:
    """Draws the axes with everything on them."""
    up = report["high_is_good"] or "ranking" in report
    _set_scales(axes, shown, up=up)
    frontier = list(_pareto_front(shown, up=up))
    axes.step(
        [rung.ms for rung in frontier] + [axes.get_xlim()[1]],
        [rung.strength for rung in frontier] + [frontier[-1].strength],
        where="post",
        color=STEP,
        linewidth=2,
        zorder=1,
    )
    axes.errorbar(
        [rung.ms for rung in shown],
        [rung.strength for rung in shown],
        [rung.ci95 for rung in shown],
        fmt="o",
        color=GREEN,
        markersize=5.5,
        elinewidth=1.6,
        capsize=3,
        zorder=3,
    )
    _draw_labels(axes, shown)


def _set_scales(axes: "Axes", shown: Sequence[_Point], *, up: bool) -> None:
    """Sets the scales: time to the right, strength upwards, with room for the labels."""
    axes.set_xscale("log")
    fastest, slowest = min(rung.ms for rung in shown), max(rung.ms for rung in shown)
    span = max(slowest / fastest, 10)
    axes.set_xlim(fastest / span**0.06, slowest * span**0.36)
    axes.set_xlabel("processor time for a move")
    axes.xaxis.set_major_formatter(lambda ms, _: _format_duration(ms))
    low = min(rung.strength - rung.ci95 for rung in shown)
    high = max(rung.strength + rung.ci95 for rung in shown)
    if low > 0 and high / low > _LOG_SCALE_RATIO:
        axes.set_yscale("log")
        locators = import_module("matplotlib.ticker")
        axes.yaxis.set_major_locator(locators.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(lambda figure, _: f"{figure:g}")
        weak, strong = (high / low) ** 0.16, (high / low) ** 0.06
        axes.set_ylim(*((low / weak, high * strong) if up else (high * weak, low / strong)))
    else:
        room = (high - low) or 1
        weak, strong = 0.16 * room, 0.06 * room
        axes.set_ylim(*((low - weak, high + strong) if up else (high + weak, low - strong)))
    axes.yaxis.grid(visible=True, color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.minorticks_off()
    axes.tick_params(length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(STEP)


def _pareto_front(shown: Sequence[_Point], *, up: bool) -> Iterator[_Point]:
    """Yields the bots that are stronger than every faster one, the fastest first."""
    sign = 1 if up else -1
    best = -math.inf
    for rung in sorted(shown, key=lambda rung: (rung.ms, -sign * rung.strength)):
        if sign * rung.strength > best:
            best = sign * rung.strength
            yield rung


def _draw_labels(axes: "Axes", shown: Sequence[_Point]) -> None:
    """Draws the name and the figure of each bot below and right of its point, without overlaps."""
    points = 72 / axes.figure.dpi
    halo = [import_module("matplotlib.patheffects").withStroke(linewidth=3, foreground="white")]
    taken: list[tuple[float, float, float]] = []
    places = [axes.transData.transform((rung.ms, rung.strength)) * points for rung in shown]
    for rung, (x, y) in sorted(zip(shown, places, strict=True), key=lambda one: -one[1][1]):
        end = x + max(_NAME_WIDE * len(rung.name), _VALUE_WIDE * len(_point_label(rung)))
        at = _label_position(x, end, y, taken)
        taken.append((x, end, at))
        for text, below, size, weight, color in (
            (rung.name, _NAME_BELOW, 10, "bold", INK),
            (_point_label(rung), _VALUE_BELOW, 8.5, "normal", SOFT),
        ):
            axes.annotate(
                text,
                (rung.ms, rung.strength),
                (7, at - y - below),
                textcoords="offset points",
                annotation_clip=False,
                size=size,
                weight=weight,
                color=color,
                path_effects=halo,
                zorder=4,
            )


def _label_position(
    x: float, end: float, y: float, taken: Sequence[tuple[float, float, float]]
) -> float:
    """Returns the highest free position from y down for a label from x to its end."""
    meeting = [at for other, ending, at in taken if other < end and x < ending]
    for at in sorted(meeting, reverse=True):
        if abs(at - y) < _LABEL_HIGH:
            y = at - _LABEL_HIGH
    return y


def _point_label(rung: _Point) -> str:
    """Returns the figure of a bot with its interval and its time."""
    places = _decimals(rung.ci95)
    figure = f"{rung.strength:.{places}f} ± {rung.ci95:.{places}f}".replace("-", "−")
    return f"{figure}, {_format_duration(rung.ms)}"


def _decimals(ci95: float) -> int:
    """Returns the number of decimals that shows two digits of an interval."""
    return max(0, 1 - math.floor(math.log10(ci95))) if ci95 else 2


def _format_duration(ms: float) -> str:
    """Formats a time: `3 µs`, `0.2 ms`, `120 ms`, `2 s`."""
    if ms < 0.1:
        return f"{1000 * ms:.2g} µs"
    return f"{ms:.2g} ms" if ms < 99.5 else f"{ms:.0f} ms" if ms < 999.5 else f"{ms / 1000:.2g} s"


def game_title(game: str) -> str:
    """Returns the title of a game."""
    return " ".join(game.split("-")).title()


def _plot_title(report: Mapping[str, Any]) -> str:
    """Returns the title of the plot."""
    return f"{game_title(report['game'])}: strength against time for a move"


def _plot_subtitle(report: Mapping[str, Any]) -> str:
    """Returns the conditions of the measurement in one line."""
    what = "matches" if report["matches"] else "deals"
    if "company" in report:
        company: Counter[str] = Counter(report["company"])
        others = " and ".join(f"{chairs} × {name}" for name, chairs in company.items())
        who = f"In the same chair against {others}"
    elif "ranking" in report:
        who = "Each alone among the like of every other"
    else:
        who = "At one table in every seating"
    return f"{who} · the same {report['deals']:,} {what}, seed {report['seed']} · 95 % intervals"


def _axis_label(report: Mapping[str, Any]) -> str:
    """Returns the label of the axis of strength."""
    if "ranking" in report:
        return f"Rating, {report['unit']} a round better than the others; up is stronger"
    good = "" if report["high_is_good"] else ", lower is better"
    return f"Mean {report['figure']}{good}; up is stronger"
