"""The simulated evening: as many tables as asked for, and needs that follow from the costs."""

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
def test_the_busiest_minute_has_about_the_tables_that_were_asked_for(peak: int) -> None:
    evening = EveningProfile(peak)
    load = peak_load(evening, seed=1)
    assert load.tables == pytest.approx(peak, rel=0.15)
    assert load.moves == pytest.approx(load.tables / evening.move_seconds, rel=0.1)


def test_every_table_that_is_opened_is_open_for_a_while_and_closed_again() -> None:
    evening = EveningProfile(200, hours=8.0, minutes=10.0)
    steps = list(open_tables(evening, random.Random(2)))
    assert all(count >= 0 for count, _ in steps)
    assert sum(opened for _, opened in steps) > 5 * 200
    assert steps[-1][0] < 50


@given(load=LOADS, lost=st.integers(0, 3))
def test_nothing_is_planned_to_be_busier_than_it_may_be(load: PeakLoad, lost: int) -> None:
    found = {need.part: need for need in requirements(EveningProfile(1), load, COSTS, lost)}
    nodes = found["node, a core each"]
    assert nodes.many > lost
    assert nodes.one <= MAX_UTILISATION * (nodes.many - lost) + 1e-9
    for part in ("Postgres", "NATS"):
        assert found[part].one <= MAX_UTILISATION * max(1, found[part].many) + 1e-9


@given(load=LOADS)
def test_dearer_moves_never_take_fewer_nodes(load: PeakLoad) -> None:
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


def test_the_part_that_is_nearest_to_its_end_comes_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--peak", "2000", "--appends", "300", "--nodes-lost", "0"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| 2,000")]
    assert rows[0].split("|")[2].strip() == "Postgres"
    assert len(rows) == 3


def test_numbers_that_are_none_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--move-us", "0"], ["--peak", "-1"], ["--hours", "inf"], ["--people", "x"]):
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 2
    assert "a number above 0" in capsys.readouterr().err
