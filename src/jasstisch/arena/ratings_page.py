"""The page of the open ladder: a plot with intervals and a table for each game.

It is a folder of static files that can be opened directly or put on any web server: `index.html`
and two plots for each game, for light and dark backgrounds. Equal ladders give equal files. Drawing
requires matplotlib.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from jasstisch.arena.ranking_files import UnreadableEntry
from jasstisch.arena.ratings import RatedBot
from jasstisch.arena.strength_plot import game_title, new_figure
from jasstisch.engine.errors import shorten
from jasstisch.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INDEX_FILE = "index.html"

_MAX_NAME_LENGTH = 20
"""Characters of a name in a plot; the table shows the full name."""

_WIDTH_IN = 5.2
"""Width of a plot in inches."""

_ROW_HEIGHT_IN, _MARGINS_IN = 0.36, 0.75
"""Inches for each bot, and for the margins."""

_CHAR_WIDTH_IN = 0.085
"""Maximum width in inches of a character of a name."""


@dataclass(frozen=True, slots=True)
class _Palette:
    """The colours of a plot.

    Attributes:
        paper: the background.
        ink: names.
        soft: numbers and axis labels.
        faint: the grid.
        mark: strengths and their intervals.
    """

    paper: str
    ink: str
    soft: str
    faint: str
    mark: str


_LIGHT = _Palette("#fffefa", "#20241f", "#5c6159", "#e3e6e0", "#1d6b4c")
_DARK = _Palette("#161a17", "#eef1ec", "#a5aca4", "#333a35", "#6fd3a4")
_PALETTES = {"": _LIGHT, "-dark": _DARK}
"""The palettes, by the suffix of the file name."""

_STYLE = {"font.family": "DejaVu Sans", "font.size": 10, "svg.hashsalt": "jasstisch"}

_TABLE_HEADER = (
    '<th>Rank</th><th class="name">Bot</th><th>Rating</th><th>Strength</th><th>Deals</th>'
    "<th>Last played</th>"
)

_CSS = """
:root { color-scheme: light dark;
  --paper: #fffefa; --ink: #20241f; --soft: #5c6159; --line: #d9ddd6; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #161a17; --ink: #eef1ec; --soft: #a5aca4; --line: #3a413c; }
}
body { max-width: 36rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h2 { margin-top: 2.5rem; }
p { color: var(--soft); }
img { display: block; width: 100%; max-width: 36rem; height: auto; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid var(--line); text-align: end;
  white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
.name { min-width: 4.5rem; text-align: start; white-space: normal; overflow-wrap: break-word; }
td.name { font-weight: 600; }
@media (max-width: 30rem) {
  table { font-size: .88rem; }
  th, td { padding-inline: .25rem; }
  th { white-space: normal; }
  /* The picture tells it. */
  :is(th, td):nth-child(4) { display: none; }
}
"""

_INTRO = (
    "All bots that were measured, each game by itself. A bot is rated by what it surely can: its "
    "strength less three standard deviations. Where nothing is known of a bot its strength is 25; "
    "the bars are 95 % intervals."
)


def write_ratings_page(
    found: Mapping[str, Sequence[RatedBot]], unread: Sequence[UnreadableEntry], folder: Path
) -> Path:
    """Writes the page with its plots and returns the path of its index.

    Args:
        found: the ladder of each game.
        unread: unreadable entries, which the page lists.
        folder: the output folder; files of the same names are replaced.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: a file cannot be written.
    """
    require("ladder", "the page of a ladder")
    folder.mkdir(parents=True, exist_ok=True)
    for game, rows in found.items():
        for end, ground in _PALETTES.items():
            draw_ratings(rows, ground, folder / f"{game}{end}.svg")
    index = folder / _INDEX_FILE
    # A file name may not be valid Unicode.
    index.write_text(render_page(found, unread), encoding="utf-8", errors="backslashreplace")
    return index


def render_page(found: Mapping[str, Sequence[RatedBot]], unread: Sequence[UnreadableEntry]) -> str:
    """Returns the page as HTML."""
    sections = "\n".join(_render_section(game, rows) for game, rows in found.items())
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ladder of the bots</title>
<style>{_CSS}</style>
<h1>Ladder of the bots</h1>
<p>{_INTRO}</p>
{sections}
{_render_unreadable(unread)}</html>
"""


def _render_section(game: str, rows: Sequence[RatedBot]) -> str:
    """Returns the section of a game with its plot and its table."""
    name = escape(game_title(game))
    lines = "\n".join(_render_row(place, one) for place, one in enumerate(rows, start=1))
    light, dark = (escape(f"{game}{end}.svg") for end in _PALETTES)
    return f"""<h2>{name}</h2>
<picture><source srcset="{dark}" media="(prefers-color-scheme: dark)">
<img src="{light}" alt="{name}: the strength of each bot with its interval, as in the table">
</picture>
<div class="wide"><table>
<tr>{_TABLE_HEADER}</tr>
{lines}
</table></div>"""


def _render_row(place: int, bot: RatedBot) -> str:
    """Returns the table row of a bot."""
    cells = (f"{bot.rating:.1f}", format_interval(bot), f"{bot.deals:,}", bot.last or "–")
    numbers = "".join(f"<td>{escape(_format_signed(cell))}</td>" for cell in cells)
    return f'<tr><td>{place}</td><td class="name">{escape(bot.name)}</td>{numbers}</tr>'


def format_interval(bot: RatedBot) -> str:
    """Formats the strength of a bot with its interval."""
    return f"{bot.strength:.1f} ± {bot.ci95:.1f}"


def _format_signed(number: str) -> str:
    """Formats a number with a true minus sign."""
    return f"−{number[1:]}" if number.startswith("-") else number


def _render_unreadable(unread: Sequence[UnreadableEntry]) -> str:
    """Returns the section of unreadable entries; empty if there are none."""
    if not unread:
        return ""
    lines = "\n".join(f"<li>{escape(one.where)}: {escape(one.reason)}</li>" for one in unread)
    return f"<h2>Not read</h2>\n<ul>\n{lines}\n</ul>\n"


def draw_ratings(rows: Sequence[RatedBot], palette: _Palette, path: Path) -> None:
    """Draws the ladder of a game to an SVG file.

    Raises:
        OSError: it cannot be written.
    """
    high = _ROW_HEIGHT_IN * len(rows) + _MARGINS_IN
    with new_figure(path, (_WIDTH_IN, high), _STYLE) as figure:
        figure.set_facecolor(palette.paper)
        names = max(len(_short_name(one)) for one in rows)
        left = (_CHAR_WIDTH_IN * names + 0.16) / _WIDTH_IN
        figure.subplots_adjust(left, (_MARGINS_IN - 0.12) / high, 0.8, 1 - 0.12 / high)
        _draw_points(figure.add_subplot(), rows, palette)


def _short_name(bot: RatedBot) -> str:
    """Returns the name of a bot for a plot."""
    return shorten(bot.name, _MAX_NAME_LENGTH)


def _draw_points(axes: "Axes", rows: Sequence[RatedBot], palette: _Palette) -> None:
    """Draws the bots, strongest first: strength, interval, and both as numbers at the side."""
    places = range(len(rows))
    axes.set_facecolor(palette.paper)
    axes.errorbar(
        [one.strength for one in rows],
        places,
        xerr=[one.ci95 for one in rows],
        fmt="o",
        color=palette.mark,
        markersize=6,
        elinewidth=2,
        capsize=3.5,
        zorder=3,
    )
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(places, [_short_name(one) for one in rows], color=palette.ink, parse_math=False)
    for place, one in enumerate(rows):
        axes.annotate(
            _format_signed(format_interval(one)),
            (1.02, place),
            xycoords=("axes fraction", "data"),
            annotation_clip=False,
            va="center",
            color=palette.soft,
            size=9,
        )
    axes.set_xlabel("strength, with its 95 % interval", color=palette.soft, size=9)
    axes.tick_params(length=0, colors=palette.soft)
    axes.tick_params(axis="y", colors=palette.ink)
    axes.xaxis.grid(visible=True, color=palette.faint, linewidth=0.8)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)
