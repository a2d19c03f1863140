"""Figures of several servers and of reconnecting, and the measurement of processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.figures_page import PAGE, section_names
from bench.load import cluster, reconnects, store_appends
from jasstisch.storage import SqliteStore


@pytest.mark.outside
def test_child_processes_are_counted_with_their_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert {os.getpid(), child.pid} <= set(cluster.process_tree(os.getpid()))
        assert list(cluster.process_tree(child.pid)) == [child.pid]
        child.communicate(b"\n")
    assert child.pid not in set(cluster.process_tree(os.getpid()))


def test_figures_are_printed_with_their_commands() -> None:
    row = ["SQLite", "1", *["1.0"] * len(cluster.REPORTED_COLUMNS)]
    nodes = cluster.section(["--tables", "5", "--write"], 5, [row])
    assert nodes.command == "python -m bench.load.cluster --tables 5"
    assert "5 tables" in nodes.markdown()
    back = reconnects.section(["--write"], 1000, (8000.0, [0.5, 1.0, 2.0], 0.0005))
    assert back.command == "python -m bench.load.reconnects"
    assert "8.0 KB each, 8 MB" in back.markdown()
    assert "the last after 2.00 s" in back.markdown()
    assert "500 µs" in back.markdown()


async def test_appended_bytes_per_table_are_read_from_the_store(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite")
    done = await store_appends.count_appends(store, 3, 0.05)
    logs = [await store.load(kept.table) for kept in await store.list_tables("", 10)]
    await store.close()
    assert len(logs) == 3
    assert sum(len(log) - 1 for log in logs) == done


def test_the_page_has_a_place_for_each() -> None:
    assert {"load", "nodes", "returning", "appends"} <= set(
        section_names(PAGE.read_text(encoding="utf-8"))
    )
