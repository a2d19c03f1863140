import json
import tomllib
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from jasstisch.bench import competitors, engine_benchmarks, measurement, suite
from jasstisch.bench.measurement import Benchmark, Measurement, MetricUnit, measure_repeatedly
from jasstisch.cli.commands import bench
from tests.cli.screen_player import run_cli, scripted_answers

ROOT = Path(__file__).parents[3]
RATE = MetricUnit("rounds/s")
TIME = MetricUnit("ms", units_per_second=1e3)
QUICK = tuple(
    one for one in engine_benchmarks.ENGINE_BENCHMARKS if one.name in {"match", "playouts"}
)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduces the benchmark to a moment."""
    monkeypatch.setattr(bench, "run_benchmarks", partial(suite.run_benchmarks, own=QUICK))


@pytest.mark.usefixtures("quick")
def test_bench_prints_each_figure_with_unit_and_target() -> None:
    status, printed, errors = run_cli(["bench", "--seconds", "0.05"], scripted_answers())
    assert (status, errors) == (0, "")
    assert "rounds/s  Match: packs, bids, plays, scoring, log" in printed
    assert "(bar: 1,000,000)" in " ".join(printed.split())


@pytest.mark.usefixtures("quick")
def test_json_is_one_object() -> None:
    _, printed, _ = run_cli(["bench", "--seconds", "0.05", "--json"], scripted_answers())
    figures = json.loads(printed)
    assert [one["name"] for one in figures["figures"]] == ["match", "playouts"]
    for one in figures["figures"]:
        assert 0 < one["low"] <= one["median"] <= one["high"]
    assert figures["figures"][1]["bar"] == 1_000_000
    assert figures["machine"]["cores"] >= 1


@pytest.mark.usefixtures("quick")
def test_an_installed_peer_is_compared_and_a_missing_one_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Our own `Match` stands in for the peer, so its speed is about equal."""
    stand_in = Benchmark(
        "match", "the same again", engine_benchmarks._ROUNDS, engine_benchmarks._match_rounds
    )
    peer = competitors.Peer("Stand-in", "rich", (competitors.PeerBenchmark(stand_in, "match"),))
    broken = Benchmark("broken", "nothing", engine_benchmarks._ROUNDS, fail_to_import)
    others = (
        competitors.Peer("Nowhere", "no-such-package-of-ours", ()),
        competitors.Peer("Broken", "rich", (competitors.PeerBenchmark(broken, "match"),)),
    )
    monkeypatch.setattr(suite, "PEERS", (peer, *others))
    _, printed, _ = run_cli(["bench", "--seconds", "0.05"], scripted_answers())
    assert "Stand-in" in printed
    assert "times as fast" in " ".join(printed.split())
    assert "Not compared with Nowhere: not installed." in printed
    _, printed, _ = run_cli(["bench", "--seconds", "0.05", "--json"], scripted_answers())
    told = json.loads(printed)
    assert told["absent"] == {"Nowhere": "not installed", "Broken": "cannot be loaded: no library"}
    assert told["peers"][0]["against"] == "match"
    assert 0.2 < told["peers"][0]["ratio"] < 5


def fail_to_import() -> measurement.Work:
    raise ImportError("no library")


def test_pyschieber_benchmark_plays_whole_rounds() -> None:
    work = competitors._pyschieber_rounds()
    assert work() == competitors._BATCH


def test_comparisons_are_between_measures_of_the_same_unit() -> None:
    units = {one.name: one.unit for one in engine_benchmarks.ENGINE_BENCHMARKS}
    for peer in competitors.PEERS:
        for comparison in peer.benchmarks:
            assert units[comparison.engine_benchmark_name] == comparison.benchmark.unit, (
                comparison.benchmark.name
            )


def test_make_bench_installs_every_peer() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    asked = " ".join(groups["bench"] + groups["bench-sources"]).replace("_", "-")
    assert [
        one.package for one in competitors.PEERS if one.package and one.package not in asked
    ] == []


def test_copying_a_match_is_compared_with_deepcopy() -> None:
    """Both copy the same match in one run; the ratio is printed whatever it is."""
    result = suite.run_benchmarks(
        0.05, own=[one for one in engine_benchmarks.ENGINE_BENCHMARKS if one.name == "copy"]
    )
    (compared,) = [one for one in result.peer_results if one.peer == "Python"]
    assert compared.engine_benchmark.name == "copy"
    assert compared.version.startswith("3.")
    assert len(engine_benchmarks.mid_match().rounds) == 2
    assert compared.ratio > 0


@pytest.mark.parametrize(
    ("unit", "done", "seconds", "figure"),
    [
        (RATE, 30, 2.0, 15.0),
        (TIME, 4, 0.2, 50.0),
        (engine_benchmarks._MICROSECONDS, 1000, 0.5, 500.0),
    ],
)
def test_a_figure_is_a_rate_or_a_duration(
    unit: MetricUnit, done: float, seconds: float, figure: float
) -> None:
    assert unit.value(done, seconds) == pytest.approx(figure)


def test_a_ratio_above_one_is_faster_and_targets_respect_the_direction() -> None:
    assert RATE.ratio(200, 100) == 2
    assert TIME.ratio(5, 20) == 4
    assert RATE.meets(100, 100)
    assert not RATE.meets(99, 100)
    assert TIME.meets(5, 5)
    assert not TIME.meets(5.1, 5)


def test_a_figure_is_the_median_of_its_repeats_with_their_spread() -> None:
    figure = Measurement((5.0, 1.0, 3.0))
    assert (figure.median, figure.spread) == (3.0, (1.0, 5.0))


def test_setup_and_warm_up_are_not_measured() -> None:
    """The clock ticks with the work: 10 for setup, 100 for the first run, 1 afterwards."""
    clock = SimpleNamespace(now=0.0, first=True)

    def begin() -> Any:
        clock.now += 10

        def work() -> float:
            clock.now += 100 if clock.first else 1
            clock.first = False
            return 2

        return work

    figure = measure_repeatedly(
        Benchmark("x", "x", RATE, begin, clock=lambda: clock.now), seconds=7.0
    )
    assert figure.values == (2.0,) * measurement.REPEATS


def test_plain_and_compiled_rules_distribute_all_points() -> None:
    points = engine_benchmarks._one_round(Random(3))
    assert sum(points) == 157
    hands = [0b111111111 << 9 * seat for seat in range(4)]
    assert sum(engine_benchmarks._plain_round(hands, 2, Random(3).random)) == 157


@pytest.mark.outside
@pytest.mark.parametrize("name", [one.name for one in engine_benchmarks.ENGINE_BENCHMARKS])
def test_each_benchmark_of_the_engine_runs(name: str) -> None:
    (chosen,) = (one for one in engine_benchmarks.ENGINE_BENCHMARKS if one.name == name)
    assert chosen.setup()() > 0
