"""The capacity model: simulated table counts, and needs that follow from costs."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.load.capacity import (
    COSTS,
    MAX_UTILISATION,
    EveningProfile,
    PeakLoad,
    main,
    open_tables,
    peak_load,
    requirements,
)

LOADS = st.builds(
    PeakLoad,
    tables=st.integers(0, 200_000),
    moves=st.floats(0, 100_000),
    arrivals=st.floats(0, 500),
)


@pytest.mark.parametrize("peak", [300, 5000])
def test_the_busiest_minute_has_about_the_requested_number_of_tables(peak: int) -> None:
    evening = EveningProfile(peak)
    load = peak_load(evening, seed=1)
    assert load.tables == pytest.approx(peak, rel=0.15)
    assert load.moves == pytest.approx(load.tables / evening.move_seconds, rel=0.1)


def test_every_opened_table_is_closed_after_a_while() -> None:
    evening = EveningProfile(200, hours=8.0, minutes=10.0)
    steps = list(open_tables(evening, random.Random(2)))
    assert all(count >= 0 for count, _ in steps)
    assert sum(opened for _, opened in steps) > 5 * 200
    assert steps[-1][0] < 50


@given(load=LOADS, lost=st.integers(0, 3))
def test_no_part_is_planned_beyond_its_utilisation_limit(load: PeakLoad, lost: int) -> None:
    found = {need.part: need for need in requirements(EveningProfile(1), load, COSTS, lost)}
    nodes = found["node, a core each"]
    assert nodes.many > lost
    assert nodes.one <= MAX_UTILISATION * (nodes.many - lost) + 1e-9
    for part in ("Postgres", "NATS"):
        assert found[part].one <= MAX_UTILISATION * max(1, found[part].many) + 1e-9


@given(load=LOADS)
def test_higher_costs_per_move_never_need_fewer_nodes(load: PeakLoad) -> None:
    dear = replace(COSTS, move_us=3 * COSTS.move_us)
    few, many = (
        next(
            need.many
            for need in requirements(EveningProfile(1), load, costs, 1)
            if need.part.startswith("node")
        )
        for costs in (COSTS, dear)
    )
    assert few <= many


def test_the_bottleneck_is_listed_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--peak", "2000", "--appends", "300", "--nodes-lost", "0"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| 2,000")]
    assert rows[0].split("|")[2].strip() == "Postgres"
    assert len(rows) == 3


def test_invalid_numbers_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--move-us", "0"], ["--peak", "-1"], ["--hours", "inf"], ["--people", "x"]):
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 2
    assert "a number above 0" in capsys.readouterr().err
