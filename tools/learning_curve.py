"""Draws the learning curves of the trainings kept: `python -m tools.learning_curve FILE`.

Each game has a panel, and each training of it in build/training (`python -m tools.train_policy`) a
line: the gain of the learning net against the rounds played. Both are means over parts of the
training; each part is longer than the previous one by a constant factor. The same figures are
printed as a table. Equal trainings give equal plots; drawing requires matplotlib.
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

from jasstisch.arena.strength_plot import (
    FAINT,
    GREEN,
    INK,
    SOFT,
    STEP,
    STYLE,
    check_drawable,
    game_title,
    new_figure,
)
from jasstisch.engine.errors import GameError
from jasstisch.extras import MissingExtraError
from jasstisch.games import scoring_kinds
from jasstisch.search.nets import policy_training
from tools.train_policy import ROUNDS_PER_STEP
from tools.training_checkpoint import TRAININGS_DIR, Training, TrainingFileError, load_training
from tools.training_recipes import RECIPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GainMetric:
    """The meaning of a gain in a game.

    Attributes:
        figure: its unit.
        unit: how many of that unit are a gain of 1; negative where less is better.
    """

    figure: str
    unit: float


GAIN_METRICS = {
    scoring_kinds.BY_DIFFERENCE: GainMetric(
        "points of difference", -policy_training.DIFFERENCE_UNIT
    ),
    scoring_kinds.BY_PLACE: GainMetric("points of a round", -policy_training.POINTS_UNIT),
    scoring_kinds.BY_STICKS: GainMetric("sticks of a round", 1.0),
    scoring_kinds.BY_STROKES: GainMetric("strokes of a round", 1.0),
    scoring_kinds.BY_SIDE: GainMetric("points ahead in a round", policy_training.SIDES_UNIT),
}
"""The gain metrics by the aim of a game."""

MIN_PART_STEPS = 100
"""Steps of the first part."""

PART_GROWTH = 1.15
"""The ratio of the ends of two successive parts."""

HEADLINE = "What the nets reach that learn by play"
SUBTITLE = "among themselves and rules of thumb · means over parts of a training · up is stronger"

COLUMNS = 2
PANEL_WIDTH_IN, PANEL_HEIGHT_IN, HEADER_HEIGHT_IN = 3.6, 2.7, 0.75
"""The size of a panel and the height of the header in inches."""

RECIPE_COLOUR, OTHER_COLOUR = GREEN, INK
"""The colours of a training of full length, and of any other."""


def load_trainings(folder: Path) -> Mapping[str, Sequence[Training]]:
    """Returns the trainings in a folder by game, the shortest first.

    Raises:
        TrainingFileError: a file holds no training.
    """
    found: dict[str, list[Training]] = {}
    for file in sorted(folder.glob("*.npz")):
        run = load_training(file)
        if run.game not in RECIPES:
            raise TrainingFileError(f"{file} is of a game without a recipe: {run.game}")
        if run.gains:
            found.setdefault(run.game, []).append(run)
    return {
        game: sorted(of_it, key=lambda run: (run.steps, run.seed)) for game, of_it in found.items()
    }


def curve(run: Training) -> tuple[Floats, Floats]:
    """Returns the rounds played at the end of each part of a training, and its mean gains."""
    ends = [0, min(MIN_PART_STEPS, len(run.gains))]
    while ends[-1] < len(run.gains):
        further = max(ends[-1] + 1, round(ends[-1] * PART_GROWTH))
        # A short remainder belongs to the previous part.
        ends.append(further if further * PART_GROWTH <= len(run.gains) else len(run.gains))
    unit = GAIN_METRICS[RECIPES[run.game].aim].unit
    reached = [unit * float(np.mean(run.gains[start:end])) for start, end in pairwise(ends)]
    return ROUNDS_PER_STEP * np.array(ends[1:], dtype=np.float64), np.array(reached)


def draw_curves(found: Mapping[str, Sequence[Training]], path: Path) -> None:
    """Draws the curves of all trainings into a PNG or SVG file.

    Raises:
        GameError: the file has another format.
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    check_drawable(path)
    columns = min(COLUMNS, len(found))
    lines = -(-len(found) // columns)
    size = (PANEL_WIDTH_IN * columns, PANEL_HEIGHT_IN * lines + HEADER_HEIGHT_IN)
    with new_figure(path, size, {**STYLE, "font.size": 8.5}) as figure:
        for number, (game, of_it) in enumerate(found.items(), 1):
            draw_panel(figure.add_subplot(lines, columns, number), game, of_it)
        figure.tight_layout(rect=(0, 0, 1, 1 - HEADER_HEIGHT_IN / size[1]), h_pad=1.5)
        figure.text(0.02, 1 - 0.26 / size[1], HEADLINE, size=11, weight="bold")
        figure.text(0.02, 1 - 0.46 / size[1], SUBTITLE, size=8.5, color=SOFT)


def draw_panel(axes: "Axes", game: str, of_it: Sequence[Training]) -> None:
    """Draws the trainings of one game."""
    measure = GAIN_METRICS[RECIPES[game].aim]
    for run in of_it:
        by_recipe = run.steps == RECIPES[game].steps
        name = f"{total_rounds(run)} rounds" + (", the recipe" if by_recipe else "")
        axes.plot(
            *curve(run),
            color=RECIPE_COLOUR if by_recipe else OTHER_COLOUR,
            linewidth=1.6,
            label=name,
        )
    axes.set_xscale("log")
    axes.set_title(game_title(game), size=10, weight="bold", loc="left")
    axes.set_xlabel("rounds played")
    axes.set_ylabel(measure.figure)
    axes.xaxis.set_major_formatter(lambda rounds, _: format_count(rounds))
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


def total_rounds(run: Training) -> str:
    """Returns the total number of rounds of a training."""
    return format_count(ROUNDS_PER_STEP * run.steps)


def format_count(rounds: float) -> str:
    """Formats a number of rounds: `6,400`, `770 k`, `13 M`."""
    if rounds < 10_000:
        return f"{rounds:,.0f}"
    thousands = rounds / 1_000
    return f"{thousands:.3g} k" if thousands < 1_000 else f"{thousands / 1_000:.3g} M"


def format_table(found: Mapping[str, Sequence[Training]]) -> str:
    """Returns a table with the duration, first and last gain of each training."""
    return "\n".join(format_row(run) for of_it in found.values() for run in of_it)


def format_row(run: Training) -> str:
    """Returns the row of a training."""
    _, reached = curve(run)
    figure, hours = GAIN_METRICS[RECIPES[run.game].aim].figure, run.seconds / 3600
    told = f"{run.game:13} {total_rounds(run):>7} rounds, seed {run.seed}: {hours:.2f} hours"
    over = "" if run.is_finished else f", {len(run.gains)} of {run.steps} steps taken"
    return f"{told}, {reached[0]:.2f} to {reached[-1]:.2f} {figure}{over}"


def main() -> int:
    """Draws the trainings and prints their durations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("picture", type=Path, help="a file .svg or .png")
    picture = parser.parse_args().picture
    try:
        found = load_trainings(TRAININGS_DIR)
        if not found:
            parser.error(
                f"there is no training in {TRAININGS_DIR}; python -m tools.train_policy makes one"
            )
        draw_curves(found, picture)
    except (TrainingFileError, GameError, MissingExtraError, OSError) as problem:
        parser.error(str(problem))
    print(format_table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
