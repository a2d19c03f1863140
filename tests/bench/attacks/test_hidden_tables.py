"""The table of whether the time of a refusal reveals that a table exists."""

from pathlib import Path

import pytest

from bench.attacks import hidden_tables
from jasstisch.server.tables import lookup


async def test_hidden_tables_in_every_state_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden_tables, "EVENTS", 20)
    monkeypatch.setattr(lookup, "_REFUSAL_STEP_S", 1e-4)
    found = await hidden_tables.measure_refusals(tmp_path / "tables.sqlite3", 2)
    assert [(state, len(hidden), len(none)) for state, (hidden, none) in found.items()] == [
        (state, 2, 2) for state in hidden_tables.STATES
    ]


def test_each_state_is_a_row_beside_ids_that_do_not_exist() -> None:
    section = hidden_tables.section(
        ["--requests", "2", "--write"], {"in memory": ([0.05, 0.05], [0.1, 0.1])}
    )
    assert section.command == "python -m bench.attacks.hidden_tables --requests 2"
    (row,) = section.rows
    assert row == ["in memory", "2", "50.0", "50.0", "100.0", "100.0", "1.00", "1.36"]
    assert section.markdown()
