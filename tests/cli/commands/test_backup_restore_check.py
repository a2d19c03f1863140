"""The commands `backup`, `restore` and `check`."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jasstisch.cli.ui.progress import Progress
from jasstisch.storage import FolderLock, ForgottenList, SqliteStore
from jasstisch.table.events import SeatLeft, TableCreated
from tests.cli.screen_player import run_cli, scripted_answers
from tests.storage.store_kinds import execute_raw

HOST = "a" * 64


async def fill(path: Path) -> None:
    store = SqliteStore(path)
    for name in ("first-of-two", "second-of-two"):
        await store.append(
            name, 0, [TableCreated(name, "molotov", {"players": 3}, [None] * 3, None, 0, host=HOST)]
        )
    await store.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    found = tmp_path / "data"
    found.mkdir()
    asyncio.run(fill(found / "tables.sqlite3"))
    return found


def test_a_backup_can_be_made_checked_and_restored(data: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "backup.jass", tmp_path / "other"
    status, printed, errors = run_cli(
        ["backup", str(file), "--data", str(data)], scripted_answers()
    )
    assert (status, errors) == (0, "")
    assert printed.startswith(f"{file}: 2 tables, 2 events, ")
    status, printed, errors = run_cli(
        ["backup", str(file), "--data", str(data)], scripted_answers()
    )
    assert (status, printed) == (1, "")
    assert "is there already; --force replaces it" in errors
    assert (
        run_cli(["backup", str(file), "--force", "--data", str(data)], scripted_answers())[0] == 0
    )
    status, printed, _ = run_cli(["restore", str(file), "--data", str(other)], scripted_answers())
    assert (status, printed) == (0, f"{other / 'tables.sqlite3'}: 2 tables, 2 events, checked\n")
    status, _, errors = run_cli(["restore", str(file), "--data", str(other)], scripted_answers())
    assert (status, errors.count("\n")) == (1, 1)
    assert "--force moves them aside" in errors
    status, printed, _ = run_cli(
        ["restore", str(file), "--force", "--data", str(other)], scripted_answers()
    )
    assert status == 0
    assert f"the previous data is now in {other / 'tables.sqlite3'}.before-" in printed


def back_up_and_restore(
    data: Path, tmp_path: Path, change: Callable[[], object], *more: str
) -> tuple[int, str, str]:
    """Backs tables up, lets something happen, and restores the backup in their place."""
    file = tmp_path / "backup.jass"
    run_cli(["backup", str(file), "--data", str(data)], scripted_answers())
    change()
    words = ["restore", str(file), "--force", "--data", str(data), *more]
    return run_cli(words, scripted_answers())


def list_person(folder: Path, now: float) -> None:
    """Lists that the host of the tables was forgotten."""
    listed = ForgottenList(folder, 400, lambda: now)
    listed.add_lines([listed.line("person", HOST)])
    listed.close()


def test_restore_forgets_again_and_says_how_much(data: Path, tmp_path: Path) -> None:
    status, printed, errors = back_up_and_restore(
        data, tmp_path, lambda: list_person(data / "forgotten", 1000.0)
    )
    assert (status, errors) == (0, "")
    assert printed.endswith(
        f"forgotten again, by the list in {data / 'forgotten'}: 1 people, 0 devices and codes, "
        "0 changes of bans, 0 revoked links\n"
    )
    with closing(sqlite3.connect(data / "tables.sqlite3")) as connection:
        assert connection.execute("SELECT person FROM forgotten").fetchall() == [(HOST,)]


def test_restore_says_that_there_is_no_list(data: Path, tmp_path: Path) -> None:
    status, _, errors = back_up_and_restore(data, tmp_path, lambda: None)
    assert status == 0
    assert errors == (
        f"jasstisch: there is no list of the forgotten in {data / 'forgotten'}: whoever was "
        "forgotten or banned since the backup was made is back: forget and ban them again\n"
    )


def test_restore_says_that_the_list_begins_after_the_backup(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    status, printed, errors = back_up_and_restore(
        data, tmp_path, lambda: list_person(folder, 4e9), "--forgotten", str(folder)
    )
    assert status == 0
    assert "1 people" in printed
    assert "the list begins 2096-10-02 07:06 UTC, after the last event of the backup, 20" in errors


def test_restore_names_a_damaged_line_of_the_list(data: Path, tmp_path: Path) -> None:
    def damage() -> None:
        list_person(data / "forgotten", 1000.0)
        (path,) = (data / "forgotten").iterdir()
        path.write_bytes(path.read_bytes().replace(b" person ", b" parson "))

    status, printed, errors = back_up_and_restore(data, tmp_path, damage)
    assert status == 0
    assert "0 people" in printed
    assert ".forgotten, line 2 is damaged: what it listed is back" in errors


def test_the_list_is_where_the_settings_say(data: Path, tmp_path: Path) -> None:
    folder, config = tmp_path / "elsewhere", tmp_path / "jasstisch.toml"
    config.write_text(f'data = "{data}"\nforgotten = "{folder}"\n')
    list_person(folder, 1000.0)
    file = tmp_path / "backup.jass"
    where = ["--config", str(config)]
    run_cli(["backup", str(file), *where], scripted_answers())
    status, printed, _ = run_cli(["restore", str(file), "--force", *where], scripted_answers())
    assert status == 0
    assert f"by the list in {folder}: 1 people" in printed


def test_restore_is_refused_while_a_server_runs(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.jass"
    run_cli(["backup", str(file), "--data", str(data)], scripted_answers())
    with FolderLock(data, "a server"):
        words = ["restore", str(file), "--force", "--data", str(data)]
        status, _, errors = run_cli(words, scripted_answers())
    assert status == 1
    assert f"in use by a server (process {os.getpid()}, since " in errors
    assert "stop it before you restore" in errors


def test_check_reports_damage_without_full_table_ids(data: Path) -> None:
    status, printed, _ = run_cli(["check", "--data", str(data)], scripted_answers())
    assert status == 0
    assert "2 tables, 2 events" in printed
    assert printed.endswith("Nothing is damaged.\n")
    execute_raw(
        data / "tables.sqlite3", ["UPDATE event SET body = x'7b7d' WHERE table_id LIKE 'first%'"]
    )
    status, printed, errors = run_cli(["check", "--data", str(data)], scripted_answers())
    assert (status, errors) == (1, "")
    assert "table first-…: event 1 cannot be read" in printed
    assert "1 table is damaged; the others are not affected" in printed
    assert "first-of-two" not in printed


def test_check_counts_damage_beyond_the_lines_it_prints(data: Path) -> None:
    async def more() -> None:
        store = SqliteStore(data / "tables.sqlite3")
        for number in range(60):
            await store.append(f"bad{number:02}", 0, [SeatLeft(0)])
        await store.close()

    asyncio.run(more())
    _, printed, _ = run_cli(["check", "--data", str(data)], scripted_answers())
    assert "and 10 more\n" in printed
    assert "60 tables are damaged" in printed


@pytest.mark.parametrize("command", [["backup", "x"], ["check"]])
def test_an_empty_store_is_reported_in_one_line(tmp_path: Path, command: list[str]) -> None:
    status, printed, errors = run_cli([*command, "--data", str(tmp_path)], scripted_answers())
    assert (status, printed, errors.count("\n")) == (1, "", 1)
    assert "tables.sqlite3 is missing" in errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([], 2, "name a call: tables, close, unlist, ban"),
        (["fire"], 2, "unknown call 'fire'; the calls are tables, close"),
        (["tables", "--most", "0"], 2, "from 1 to 1000"),
        (["close", "a b"], 2, "the id of a table or at least its first 4 characters"),
        (["unban", "Anna"], 2, "at least 6 hexadecimal digits"),
        (["ban", "0123456789"], 2, "--reason"),
        (["rename", "abcdef", "0"], 2, "from 1 to 64"),
    ],
)
def test_usage_errors_are_one_line(words: list[str], status: int, said: str) -> None:
    got, printed, errors = run_cli(["admin", *words], scripted_answers())
    assert (got, printed, errors.count("\n")) == (status, "", 1)
    assert said in errors


@pytest.mark.parametrize(
    "call", ["tables", "close", "ban", "bans", "unban", "rename", "export", "delete"]
)
def test_every_command_has_help(call: str) -> None:
    status, printed, _ = run_cli(["admin", call, "--help"], scripted_answers())
    assert status == 0
    assert printed.startswith(f"usage: jasstisch admin {call}")


@pytest.mark.skipif(os.name == "nt", reason="needs local sockets")
def test_admin_without_a_running_server_says_so(tmp_path: Path) -> None:
    status, printed, errors = run_cli(
        ["admin", "tables", "--data", str(tmp_path)], scripted_answers()
    )
    assert (status, printed) == (1, "")
    assert errors == f"jasstisch: no server answers at {tmp_path / 'admin.sock'}: is it running?\n"


def test_admin_requires_a_socket_for_a_database_store() -> None:
    words = ["admin", "tables", "--store", "postgresql://anna:geheim@h/d"]
    status, printed, errors = run_cli(words, scripted_answers())
    assert (status, printed, errors.count("\n")) == (1, "", 1)
    assert "--admin PATH" in errors
    assert "geheim" not in errors


@pytest.mark.parametrize("command", [["backup", "x"], ["restore", "x"], ["check"]])
def test_a_store_and_a_data_folder_exclude_each_other(data: Path, command: list[str]) -> None:
    status, printed, errors = run_cli(
        [*command, "--data", "d", "--store", "sqlite:d"], scripted_answers()
    )
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert "give --data or --store, not both" in errors
    status, _, errors = run_cli(
        [*command, "--store", "mysql://anna:geheim@h/d"], scripted_answers()
    )
    assert (status, errors.count("\n")) == (1, 1)
    assert "there is no kind of store called 'mysql'" in errors
    assert "geheim" not in errors
    words = ["check", "--store", f"sqlite:{data / 'tables.sqlite3'}"]
    assert run_cli(words, scripted_answers())[0] == 0


def test_server_settings_select_the_store(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "jasstisch.toml"
    config.write_text(f"data = '{data}'\nport = 9000\n", encoding="utf-8")
    found = f"{data / 'tables.sqlite3'}: 2 tables"
    assert run_cli(["check", "--config", str(config)], scripted_answers())[1].startswith(found)
    monkeypatch.setenv("JASSTISCH_CONFIG", str(config))
    assert run_cli(["check"], scripted_answers())[1].startswith(found)
    # What is named goes before what the settings say.
    assert run_cli(["check", "--data", str(tmp_path / "other")], scripted_answers())[0] == 1
    monkeypatch.delenv("JASSTISCH_CONFIG")
    monkeypatch.setenv("JASSTISCH_STORE", f"sqlite:{data / 'tables.sqlite3'}")
    assert run_cli(["check"], scripted_answers())[1].startswith(found)
    status, _, errors = run_cli(["check", "--config", str(config)], scripted_answers())
    assert (status, errors.count("\n")) == (2, 1)
    assert "the settings name both data and store" in errors


def test_invalid_server_settings_are_reported_before_anything_is_read(tmp_path: Path) -> None:
    config = tmp_path / "jasstisch.toml"
    config.write_text("prot = 9000\n", encoding="utf-8")
    status, printed, errors = run_cli(["backup", "x", "--config", str(config)], scripted_answers())
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert "'prot' is not a setting; similar: port" in errors


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ("admin = '{place}/own.sock'", "no server answers at {place}/own.sock: is it running?"),
        ("data = '{place}'", "no server answers at {place}/admin.sock: is it running?"),
        ("admin = 'off'", "the server has no admin socket: its settings say admin = off"),
    ],
)
def test_admin_finds_the_socket_from_the_settings(chosen: str, told: str, tmp_path: Path) -> None:
    config = tmp_path / "jasstisch.toml"
    config.write_text(chosen.format(place=tmp_path), encoding="utf-8")
    status, _, errors = run_cli(["admin", "tables", "--config", str(config)], scripted_answers())
    assert status != 0
    assert told.format(place=tmp_path) in errors


def test_progress_is_shown_on_terminals_and_only_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("jasstisch.cli.ui.progress.monotonic", lambda: now)
    shown = Progress("Copying")
    told: list[str] = []
    monkeypatch.setattr(shown._console, "_force_terminal", True)
    monkeypatch.setattr(shown._status, "start", lambda: told.append("start"))
    monkeypatch.setattr(shown._status, "update", lambda text: told.append(str(text)))
    shown(0.1)
    now = 2.5
    shown(0.5)
    shown(0.0)
    shown.close()
    assert told == ["start", "Copying 50%", "Copying"]
