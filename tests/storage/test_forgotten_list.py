"""The list of the forgotten: what is written is read again, whatever a crash does to it."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jasstisch.storage import StoreError, forgotten_list
from jasstisch.storage.forgotten_list import Forgotten, ForgottenList, listed_hash, read_forgotten

ANNA, RETO, TABLE = "a" * 64, "b" * 64, "OlinfNs0Ss"
DAY_S = 24 * 3600
NOVEMBER = 1_795_000_000.0
"""2026-11-18."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "forgotten"


def clock(*times: float) -> Callable[[], float]:
    """A clock that shows these times, the last of them for ever."""
    left = list(times)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def opened(folder: Path, *times: float) -> ForgottenList:
    return ForgottenList(folder, 400, clock(*(times or (NOVEMBER,))))


def read(folder: Path) -> Forgotten:
    found = read_forgotten(folder)
    assert found is not None
    return found


def add(
    writer: ForgottenList, kind: forgotten_list.Kind, value: str, until: float | None = None
) -> None:
    writer.add_lines([writer.line(kind, value, until, NOVEMBER)])


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_everything_that_is_listed_is_read(folder: Path) -> None:
    assert read_forgotten(folder) is None
    writer = opened(folder, NOVEMBER)
    add(writer, "person", ANNA)
    add(writer, "credential", ANNA)
    add(writer, "ban", ANNA, NOVEMBER + DAY_S)
    add(writer, "ban", RETO, NOVEMBER)
    add(writer, "ban", RETO)
    add(writer, "unban", ANNA)
    add(writer, "link", TABLE)
    writer.close()
    assert read(folder) == Forgotten(
        NOVEMBER,
        {listed_hash("person", ANNA)},
        {listed_hash("credential", ANNA)},
        {listed_hash("ban", ANNA): None, listed_hash("ban", RETO): (NOVEMBER, None)},
        {listed_hash("link", TABLE): NOVEMBER},
    )


def test_a_list_shows_nobody_and_nothing_to_whoever_does_not_know_them_already(
    folder: Path,
) -> None:
    writer = opened(folder)
    for kind in ("person", "credential", "ban", "link"):
        add(writer, kind, ANNA)
    text = b"".join(one.read_bytes() for one in files(folder))
    assert ANNA.encode() not in text
    hashes = {listed_hash(kind, ANNA) for kind in ("person", "credential", "ban", "link")}
    assert len(hashes) == 4
    assert all(one.stat().st_mode & 0o077 == 0 for one in (folder, *files(folder)))


def test_a_line_is_on_the_disk_before_it_counts_as_added(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = opened(folder)
    add(writer, "person", ANNA)
    synced: list[bytes] = []
    fsync = os.fsync
    path = files(folder)[-1]

    def fsync_and_note(file: int) -> None:
        fsync(file)
        synced.append(path.read_bytes())

    monkeypatch.setattr(os, "fsync", fsync_and_note)
    add(writer, "person", RETO)
    assert listed_hash("person", RETO).encode() in synced[-1]


def test_a_list_begins_when_its_first_file_was_made(folder: Path) -> None:
    opened(folder, NOVEMBER).close()
    add(opened(folder, NOVEMBER + 5 * DAY_S), "person", ANNA)
    assert read(folder).begins == NOVEMBER


def test_each_month_and_each_process_has_its_file_and_old_months_go(folder: Path) -> None:
    writer = opened(folder, NOVEMBER)
    add(writer, "person", ANNA)
    other = opened(folder, NOVEMBER)
    add(other, "person", RETO)
    assert [one.name[:7] for one in files(folder)] == ["2026-11"] * 2
    add(opened(folder, NOVEMBER + 20 * DAY_S), "credential", ANNA)
    assert [one.name[:7] for one in files(folder)] == ["2026-11"] * 2 + ["2026-12"]
    assert read(folder).persons == {listed_hash("person", ANNA), listed_hash("person", RETO)}
    same = opened(folder, NOVEMBER, NOVEMBER + 390 * DAY_S, NOVEMBER + 450 * DAY_S)
    add(same, "credential", RETO)
    add(same, "credential", RETO)
    add(same, "credential", RETO)
    months = [one.name[:7] for one in files(folder)]
    assert months == ["2026-12", "2027-12", "2028-02"]


def test_a_line_that_a_crash_has_torn_is_no_damage(folder: Path) -> None:
    add(opened(folder), "person", ANNA)
    (path,) = files(folder)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        found = read_forgotten(folder)
        assert found is None or (not found.persons and not found.damage)


def test_after_a_failed_write_the_next_line_goes_to_another_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = opened(folder)
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, line: write(file, line[:20]))
    with pytest.raises(StoreError, match="cannot be written: no space left") as told:
        add(writer, "person", ANNA)
    assert told.value.cause == "disk_full"
    monkeypatch.undo()
    add(writer, "person", RETO)
    found = read(folder)
    assert found.persons == {listed_hash("person", RETO)}
    assert not found.damage


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"list of the forgotten in .*file/list cannot be written"):
        opened(tmp_path / "file" / "list")


def test_a_damaged_line_is_named_and_the_others_count(folder: Path) -> None:
    writer = opened(folder)
    for person in (ANNA, RETO, "c" * 64):
        add(writer, "person", person)
    (path,) = files(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b" person ", b" unban ")
    path.write_bytes(b"".join(lines))
    found = read(folder)
    assert found.persons == {listed_hash("person", ANNA), listed_hash("person", "c" * 64)}
    assert found.damage == [f"{path}, line 3"]


def test_an_endless_line_is_one_damaged_line(folder: Path) -> None:
    writer = opened(folder)
    add(writer, "person", ANNA)
    (path,) = files(folder)
    with path.open("ab") as file:
        file.write(b"x" * 100_000 + b"\n")
    add(writer, "person", RETO)
    found = read(folder)
    assert found.damage == [f"{path}, line 3"]
    assert len(found.persons) == 2


LINES = st.lists(
    st.tuples(st.sampled_from(["person", "credential"]), st.text("0123456789abcdef", min_size=1)),
    max_size=6,
)


@given(LINES, st.data())
def test_whatever_happens_to_a_file_no_intact_line_is_lost_and_none_is_made_up(
    lines: list[tuple[forgotten_list.Kind, str]], data: st.DataObject
) -> None:
    texts = [
        forgotten_list._line(NOVEMBER, kind, listed_hash(kind, value), None).encode()
        for kind, value in lines
    ]
    whole = b"".join(texts)
    at = data.draw(st.integers(0, len(whole)))
    length = data.draw(st.integers(0, len(whole) - at))
    damaged = whole[:at] + data.draw(st.binary(max_size=400)) + whole[at + length :]
    damage: list[str] = []
    with NamedTemporaryFile() as file:
        file.write(damaged)
        file.flush()
        found = [one["text"] for one in forgotten_list._read_file(Path(file.name), damage)]
    kept = set(damaged.splitlines(keepends=True)) & set(texts)
    assert {text[:-10] for text in kept} <= set(found) <= {text[:-10] for text in texts}
    # A short rest without an end counts as torn.
    rest = len(damaged.rsplit(b"\n", 1)[-1])
    assert len(found) + len(damage) == damaged.count(b"\n") + (rest >= 256)
