"""The speed tables: targets, ratios and missing peers."""

from dataclasses import replace

import pytest

from bench.peers.speed_report import engine_section, peer_section
from jasstisch.bench.engine_benchmarks import ENGINE_BENCHMARKS
from jasstisch.bench.machine import Machine, this_machine
from jasstisch.bench.measurement import Benchmark, Measurement
from jasstisch.bench.suite import BenchmarkRun, EngineResult, PeerResult

PLAYOUTS = next(one for one in ENGINE_BENCHMARKS if one.name == "playouts")
WORLD = next(one for one in ENGINE_BENCHMARKS if one.name == "world")
MACHINE = Machine("A processor", 2, 8, "Linux x86_64", "3.11.7")


def run_of(*own: tuple[Benchmark, float]) -> BenchmarkRun:
    """A run with these figures, each measured to 10 % both ways."""
    figures = [
        EngineResult(one, Measurement((0.9 * value, value, 1.1 * value))) for one, value in own
    ]
    return BenchmarkRun(MACHINE, tuple(figures), (), {})


def test_each_figure_is_listed_with_its_target_and_verdict() -> None:
    result = run_of((PLAYOUTS, 2_000_000.0), (WORLD, 2.5))
    rows = engine_section(result, "make bench").rows
    assert rows[0][1:5] == ["2,000,000", "1,800,000 – 2,200,000", "rounds/s", "≥ 1,000,000: met"]
    assert rows[1][1:5] == ["2.50", "2.25 – 2.75", "µs", "≤ 2.00: not met"]
    assert "289,000" in rows[0][5]


@pytest.mark.parametrize(("load", "said"), [(0.9, "was 0.9 on 2 cores."), (5.5, "had to share")])
def test_a_busy_machine_is_reported(
    load: float, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (load, 0.0, 0.0))
    assert said in engine_section(run_of((WORLD, 1.0)), "make bench").notes[0]


def test_peers_are_listed_with_their_ratio_and_missing_ones_below() -> None:
    slow = replace(PLAYOUTS, title="rounds of something else")
    compared = PeerResult("Other", "1.0", slow, Measurement((4.0, 5.0, 6.0)), PLAYOUTS, 12.34)
    result = BenchmarkRun(MACHINE, (), (compared,), {"Nowhere": "not installed"})
    section = peer_section(result, "make bench")
    assert section.rows == [
        [
            *("Other 1.0", "rounds of something else", "5.00", "4.00 – 6.00", "rounds/s"),
            *(PLAYOUTS.title, "12.3 ×"),
        ]
    ]
    assert section.notes == ["Not measured: Nowhere, not installed."]
    assert section.markdown().count("\n|") == 2


def test_the_machine_is_described_by_cpu_and_versions() -> None:
    assert str(MACHINE).startswith("A processor, 2 cores, 8 GB, Linux x86_64, ")
    here = this_machine()
    assert here.processor
    assert here.cores >= 1
