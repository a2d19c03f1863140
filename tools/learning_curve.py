"""Draws how the trainings kept in build/training went: `python -m tools.learning_curve FILE`.

Each game has a panel, each training of it (`python -m tools.train`) a line: what those who learn
reach, against the rounds they have played, both as means over parts of the training of which each
is longer than the one before by the same factor. A table of the same is printed. Equal trainings
give equal pictures; drawing needs matplotlib.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from jasstisch.arena.picture import (
    FAINT,
    GREEN,
    INK,
    SOFT,
    STEP,
    STYLE,
    check_drawable,
    sheet,
    title,
)
from jasstisch.errors import GameError
from jasstisch.extras import MissingExtraError
from jasstisch.games import scoring
from jasstisch.search import learning
from tools.nets import RECIPES
from tools.runs import RUNS, Run, RunError, read
from tools.train import ROUNDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Measure", "curve", "draw", "main", "runs", "table"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measure:
    """What a gain means in a game.

    Attributes:
        figure: what it is counted in.
        unit: how much of it is a gain of 1; negative where less is better.
    """

    figure: str
    unit: float


MEASURES = {
    scoring.BY_DIFFERENCE: Measure("points of difference", -learning.DIFFERENCE_UNIT),
    scoring.BY_PLACE: Measure("points of a round", -learning.POINTS_UNIT),
    scoring.BY_STICKS: Measure("sticks of a round", 1.0),
    scoring.BY_STROKES: Measure("strokes of a round", 1.0),
    scoring.BY_SIDE: Measure("points ahead in a round", learning.SIDES_UNIT),
}
"""By what a game is played for."""

SHORTEST = 100
"""Steps of the first part that is averaged."""

LONGER = 1.15
"""By how much each part ends later than the one before."""

HEADLINE = "What the nets reach that learn by play"
BELOW_IT = "among themselves and rules of thumb · means over parts of a training · up is stronger"

COLUMNS = 2
WIDE, HIGH, ABOVE = 3.6, 2.7, 0.75
"""Inches of a panel, and of what stands above all."""

BY_RECIPE, OTHER = GREEN, INK
"""The colours of a training as long as its recipe says, and of any other."""


def runs(folder: Path) -> Mapping[str, Sequence[Run]]:
    """The trainings kept in a folder by their game, the shortest first.

    Raises:
        RunError: one of the files holds none.
    """
    found: dict[str, list[Run]] = {}
    for file in sorted(folder.glob("*.npz")):
        run = read(file)
        if run.game not in RECIPES:
            raise RunError(f"{file} is of a game without a recipe: {run.game}")
        if run.gains:
            found.setdefault(run.game, []).append(run)
    return {
        game: sorted(of_it, key=lambda run: (run.steps, run.seed)) for game, of_it in found.items()
    }


def curve(run: Run) -> tuple[Floats, Floats]:
    """Rounds played at the end of each part of a training, and what was reached in that part."""
    ends = [0, min(SHORTEST, len(run.gains))]
    while ends[-1] < len(run.gains):
        further = max(ends[-1] + 1, round(ends[-1] * LONGER))
        # A short rest is counted to the part before it.
        ends.append(further if further * LONGER <= len(run.gains) else len(run.gains))
    unit = MEASURES[RECIPES[run.game].aim].unit
    reached = [unit * float(np.mean(run.gains[start:end])) for start, end in pairwise(ends)]
    return ROUNDS * np.array(ends[1:], dtype=np.float64), np.array(reached)


def draw(found: Mapping[str, Sequence[Run]], path: Path) -> None:
    """Draws the curves of all trainings into a file, PNG or SVG by its name.

    Raises:
        GameError: the file is of another kind.
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    check_drawable(path)
    columns = min(COLUMNS, len(found))
    lines = -(-len(found) // columns)
    size = (WIDE * columns, HIGH * lines + ABOVE)
    with sheet(path, size, {**STYLE, "font.size": 8.5}) as figure:
        for number, (game, of_it) in enumerate(found.items(), 1):
            panel(figure.add_subplot(lines, columns, number), game, of_it)
        figure.tight_layout(rect=(0, 0, 1, 1 - ABOVE / size[1]), h_pad=1.5)
        figure.text(0.02, 1 - 0.26 / size[1], HEADLINE, size=11, weight="bold")
        figure.text(0.02, 1 - 0.46 / size[1], BELOW_IT, size=8.5, color=SOFT)


def panel(axes: "Axes", game: str, of_it: Sequence[Run]) -> None:
    """The trainings of one game."""
    measure = MEASURES[RECIPES[game].aim]
    for run in of_it:
        by_recipe = run.steps == RECIPES[game].steps
        name = f"{rounds_of(run)} rounds" + (", the recipe" if by_recipe else "")
        axes.plot(*curve(run), color=BY_RECIPE if by_recipe else OTHER, linewidth=1.6, label=name)
    axes.set_xscale("log")
    axes.set_title(title(game), size=10, weight="bold", loc="left")
    axes.set_xlabel("rounds played")
    axes.set_ylabel(measure.figure)
    axes.xaxis.set_major_formatter(lambda rounds, _: short(rounds))
    axes.minorticks_off()
    axes.tick_params(length=0)
    axes.yaxis.grid(visible=True, color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    if measure.unit < 0:
        axes.invert_yaxis()
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(STEP)
    axes.legend(frameon=False, fontsize=7.5, labelcolor=SOFT, loc="lower right")


def rounds_of(run: Run) -> str:
    """How many rounds a training takes in all."""
    return short(ROUNDS * run.steps)


def short(rounds: float) -> str:
    """A number of rounds as people say it: `6,400`, `770 k`, `13 M`."""
    if rounds < 10_000:
        return f"{rounds:,.0f}"
    thousands = rounds / 1_000
    return f"{thousands:.3g} k" if thousands < 1_000 else f"{thousands / 1_000:.3g} M"


def table(found: Mapping[str, Sequence[Run]]) -> str:
    """How long each training took, and where it began and ended."""
    return "\n".join(line(run) for of_it in found.values() for run in of_it)


def line(run: Run) -> str:
    """The line of the table for a training."""
    _, reached = curve(run)
    figure, hours = MEASURES[RECIPES[run.game].aim].figure, run.seconds / 3600
    told = f"{run.game:13} {rounds_of(run):>7} rounds, seed {run.seed}: {hours:.2f} hours"
    over = "" if run.is_over else f", {len(run.gains)} of {run.steps} steps taken"
    return f"{told}, {reached[0]:.2f} to {reached[-1]:.2f} {figure}{over}"


def main() -> int:
    """Draws the trainings there are, and prints how long they took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("picture", type=Path, help="a file .svg or .png")
    picture = parser.parse_args().picture
    try:
        found = runs(RUNS)
        if not found:
            parser.error(f"there is no training in {RUNS}; python -m tools.train makes one")
        draw(found, picture)
    except (RunError, GameError, MissingExtraError, OSError) as problem:
        parser.error(str(problem))
    print(table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
