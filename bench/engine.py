"""Rounds per second of the engine in plain Python, on one core, as one JSON object.

The figures are those of `jasstisch bench`. Run it on an idle machine:

    python -m bench.engine
"""

import json
import platform
import sys

from jasstisch.bench import OWN, rate

SECONDS = 3.0


def main() -> int:
    """Prints the figures as one JSON object."""
    figures: dict[str, str | int] = {"python": platform.python_version()}
    for name, play in OWN.items():
        figures[f"{name}_rounds_per_second"] = round(rate(play, SECONDS))
    json.dump(figures, sys.stdout, indent=2)
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
