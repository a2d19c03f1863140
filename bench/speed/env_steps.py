"""Measures the steps per second of the PettingZoo environment and of a naive wrapper of `Match`.

One core plays at random: observe, choose among the actions of the mask, step. The wrapper
(`bench.speed.baseline_env`) is the reference for speed and offers less: no standing, no points, and
no features of single games. I Doubt It has too many claims for such a wrapper. Examples:

    python -m bench.speed.env_steps --write
    python -m bench.speed.env_steps jass schieber --seconds 1
"""

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import jasstisch as jt
from bench.figures_page import Section, figures_parser, print_section
from bench.speed.baseline_env import BaselineEnv
from jasstisch.bench.measurement import (
    REPEATS,
    Benchmark,
    Measurement,
    MetricUnit,
    Work,
    measure_repeatedly,
)
from jasstisch.env import pettingzoo
from jasstisch.games.trick_taking import TrickTaking

MIN_STEPS_PER_S = 30_000
"""The target: steps per second of each trick-taking game."""

STEPS_PER_CHECK = 500
"""Steps between two readings of the clock."""

STEPS_PER_S = MetricUnit("steps/s")


def steps(make: Callable[[], Any]) -> Callable[[], Work]:
    """Takes random steps in an environment, match after match."""

    def begin() -> Work:
        table, chance = make(), Random(1)
        table.reset(seed=1)

        def play() -> float:
            for _ in range(STEPS_PER_CHECK):
                agent = table.agent_selection
                if table.terminations[agent]:
                    table.reset()
                    agent = table.agent_selection
                mask = table.observe(agent)["action_mask"].tobytes()
                number = -1
                for _ in range(1 + int(chance.random() * mask.count(1))):
                    number = mask.index(1, number + 1)
                table.step(number)
            return STEPS_PER_CHECK

        return play

    return begin


def measure(make: Callable[[], Any], seconds: float) -> Measurement:
    """Returns the steps per second of an environment."""
    return measure_repeatedly(
        Benchmark("steps", "steps by chance", STEPS_PER_S, steps(make)), seconds
    )


def row(name: str, seconds: float) -> list[str]:
    """Returns the row of one game."""
    ours = measure(lambda: pettingzoo.env(name), seconds)
    low, high = ours.spread
    cells = [
        name,
        STEPS_PER_S.format(ours.median),
        f"{STEPS_PER_S.format(low)} – {STEPS_PER_S.format(high)}",
    ]
    if not issubclass(jt.game(name).rules, TrickTaking):
        return [*cells, "", "", ""]
    plain = measure(lambda: BaselineEnv(jt.game(name)), seconds)
    ratio = STEPS_PER_S.ratio(ours.median, plain.median)
    verdict = "met" if STEPS_PER_S.meets(ours.median, MIN_STEPS_PER_S) else "not met"
    return [
        *cells,
        f"≥ {MIN_STEPS_PER_S:,}: {verdict}",
        STEPS_PER_S.format(plain.median),
        f"{ratio:.1f} ×",
    ]


def main() -> int:
    """Measures, prints the table, and saves it if requested."""
    parser = figures_parser("bench.speed.env_steps", __doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", help="all if none is named")
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each figure (3)")
    arguments = parser.parse_args()
    for name in arguments.games:
        if name not in jt.games():
            parser.error(f"the games are {', '.join(jt.games())}, not {name!r}")
    rows = []
    for name in arguments.games or jt.games():
        print(f"· {name}", file=sys.stderr, flush=True)
        rows.append(row(name, arguments.seconds))
    words = "" if arguments.seconds == 3.0 else f" --seconds {arguments.seconds:g}"
    section = Section(
        " ".join(["python -m bench.speed.env_steps", *arguments.games]) + words,
        ["game", "steps/s", "spread", "bar", "plain wrapper", "ours is"],
        rows,
        [f"Median and range of {REPEATS} repeats."],
    )
    print_section("environments", section, keep=arguments.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
