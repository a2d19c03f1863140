"""The table of how long people wait for bots."""

from argparse import Namespace
from typing import Any

import pytest

from bench.load import bot_latency


def test_waits_are_reported_as_median_99th_percentile_and_maximum() -> None:
    waits = [number / 1000 for number in range(101)]
    assert bot_latency.percentiles(waits[::-1]) == {"p50": 50.0, "p99": 99.0, "max": 100.0}
    assert bot_latency.percentiles([]) == {}


@pytest.mark.parametrize(("longest", "verdict"), [(1000.0, "met"), (1000.1, "not met")])
def test_the_longest_wait_is_compared_with_the_target(longest: float, verdict: str) -> None:
    arguments = Namespace(game="differenzler", players=4, bot="club", tables=50, pause=0)
    figures: dict[str, Any] = {"p50": 300.0, "p99": 450.0}
    found = {
        "moves_per_second": 160.0,
        "wait": figures | {"max": longest},
        "loop_late": figures | {"max": 2000.0},
    }
    words = ["--bot", "club", "--burn", "10", "--write"]
    section = bot_latency.section(arguments, words, found)
    assert section.command == "python -m bench.load.bot_latency --bot club --burn 10"
    (row,) = section.rows
    assert row[:4] == ["differenzler", "50", "3 club", "160.0"]
    assert row[-1] == f"≤ 1,000: {verdict}"
    assert section.markdown()
