"""URLs and paths of stores, as an operator writes them."""

import sys
from pathlib import Path

import pytest

from jasstisch.extras import MissingExtraError
from jasstisch.storage import SqliteStore, StoreError
from jasstisch.storage.store_url import open_store, sqlite_path
from jasstisch.table.events import SeatLeft


async def test_a_folder_and_the_file_in_it_are_one_store(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    for text in (str(folder), f"sqlite:{folder}", f"sqlite:{folder}/tables.sqlite3"):
        store = open_store(text)
        assert isinstance(store, SqliteStore)
        await store.append("t", len(await store.load("t")), [SeatLeft(0)])
        await store.close()
    assert [file.name for file in folder.iterdir()] == ["tables.sqlite3"]
    assert folder.stat().st_mode & 0o077 == 0


def test_an_existing_file_of_any_name_is_a_store(tmp_path: Path) -> None:
    (tmp_path / "copy").touch()
    assert sqlite_path(str(tmp_path / "copy")) == tmp_path / "copy"
    assert sqlite_path(str(tmp_path / "other")) == tmp_path / "other" / "tables.sqlite3"


def test_an_unknown_kind_of_store_is_refused_without_its_password() -> None:
    with pytest.raises(StoreError, match="no kind of store called 'mysql'") as refused:
        open_store("mysql://me:geheim@host/db")
    assert "geheim" not in str(refused.value)


def test_a_folder_that_cannot_be_created_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be used"):
        open_store(str(tmp_path / "file" / "data"))


def test_postgres_requires_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "asyncpg", raising=False)
    monkeypatch.setattr("jasstisch.extras._installed", lambda package: package != "asyncpg")
    with pytest.raises(MissingExtraError, match=r"jasstisch\[cluster\]"):
        open_store("postgresql://host/db")
