"""Lets a dishonest server try for as long as is wanted, against each implementation of a device.

    python -m bench.attacks.fair_deals --minutes 60
    python -m bench.attacks.fair_deals --minutes 5 --browser

The devices draw the same random bytes and must answer alike. `--browser` runs the page's own in
Chromium, whose path is in CHROMIUM, instead of Node.
"""

import argparse
import time

from hypothesis import HealthCheck, Phase, settings

from bench.attacks.fair_deals.devices import DeviceComparison, PythonDevice, TypeScriptDevice
from bench.attacks.fair_deals.dishonest_server import SEATS, TABLE
from bench.attacks.fair_deals.state_machine import search
from jasstisch.cli.arguments import int_range

EXAMPLES = 500
"""How many plays are tried between two looks at the clock."""

HOW = settings(
    max_examples=EXAMPLES,
    stateful_step_count=30,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.shrink],
)


def main() -> int:
    """The program; it fails with the shortest way in which the server has succeeded."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--minutes", type=int_range(1, 24 * 60), default=60)
    parser.add_argument("--browser", action="store_true", help="in Chromium, not in Node")
    arguments = parser.parse_args()
    until = time.monotonic() + 60 * arguments.minutes
    plays = 0
    python = PythonDevice(TABLE, SEATS)
    with TypeScriptDevice(TABLE, SEATS, browser=arguments.browser) as typescript:
        while time.monotonic() < until:
            search(lambda: DeviceComparison(python, typescript), HOW)
            plays += EXAMPLES
    print(f"The server has found nothing in {plays:,} plays.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
