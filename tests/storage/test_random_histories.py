"""Model-based test: after any operations, a store holds what plain lists would hold."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jasstisch.storage import ConflictError, EventStore
from jasstisch.storage.migration import migrate
from jasstisch.table import Progress
from jasstisch.table.events import (
    Event,
    HostSettings,
    LobbyCompacted,
    SeatLeft,
    SeatSnapshot,
    SeatTaken,
)
from tests.storage.store_kinds import PostgresKind, SqliteKind, StoreKind
from tests.support import postgres_server as running
from tests.support.example_counts import examples

PEOPLE = ("anna", "beat", "çelik 🂡")
FINISHED: tuple[Progress, ...] = ("nothing", "round", "match")


@dataclass(frozen=True)
class Append:
    """Appends events; `amiss` is the error in the writer's version."""

    table: int
    amiss: int
    events: list[Event | Literal["gathered"]]
    finished: Progress | None


@dataclass(frozen=True)
class Delete:
    table: int


@dataclass(frozen=True)
class Note:
    table: int
    finished: Progress


@dataclass
class Model:
    """The expected content of a table."""

    log: dict[int, Event] = field(default_factory=dict)
    finished: Progress | None = None
    deleted: bool = False

    @property
    def version(self) -> int:
        return max(self.log, default=0)


tables = st.integers(0, 2)
finished = st.none() | st.sampled_from(FINISHED)
happenings: st.SearchStrategy[Event | Literal["gathered"]] = st.one_of(
    st.builds(SeatLeft, st.integers(0, 3)),
    st.builds(SeatTaken, st.integers(0, 3), st.sampled_from(PEOPLE), st.text("aé🂡\0", max_size=3)),
    st.just("gathered"),
)
appends = st.builds(
    Append,
    tables,
    st.sampled_from([0, 0, 0, 0, -1, 1]),
    st.lists(happenings, min_size=1, max_size=4),
    finished,
)
steps = st.one_of(
    st.lists(appends, min_size=1, max_size=4),
    appends.map(lambda one: [one]),
    st.builds(Delete, tables),
    st.builds(Note, tables, st.sampled_from(FINISHED)),
)


class History:
    """Runs the same steps on a store and on plain lists.

    Args:
        store: what is tried.
        number: keeps the names of this run apart from those of others.
    """

    def __init__(self, store: EventStore, number: int) -> None:
        self.store = store
        self.number = number
        self.kept = {table: Model() for table in range(3)}
        self.met: dict[int, set[str]] = {table: set() for table in range(3)}

    def name(self, table: int) -> str:
        return f"{self.number}-{table}"

    def person(self, name: str) -> str:
        return f"{self.number}-{name}"

    async def do(self, step: list[Append] | Delete | Note) -> None:
        match step:
            case Delete(table):
                kept = self.kept[table]
                there = bool(kept.log) and not kept.deleted
                assert await self.store.delete(self.name(table)) is there
                kept.deleted = kept.deleted or there
            case Note(table, finished):
                await self.store.set_progress(self.name(table), finished)
                self.kept[table].finished = self.kept[table].finished or finished
                if not self.kept[table].log:
                    self.kept[table].finished = None
            case _:
                await self.append(step)

    async def append(self, asked: list[Append]) -> None:
        """Appends to several tables concurrently, in the given order."""
        expected: list[bool] = []
        calls: list[Awaitable[None]] = []
        for one in asked:
            kept = self.kept[one.table]
            after = max(0, kept.version + one.amiss)
            good = after == kept.version and not kept.deleted
            if kept.deleted and not after:
                continue  # whether its events have gone already is nobody's business
            events = [
                self.event(event, version)
                for version, event in enumerate(one.events, start=after + 1)
            ]
            expected.append(good)
            calls.append(self.store.append(self.name(one.table), after, events, one.finished))
            if good:
                self.keep(kept, after, events, one.finished)
                self.met[one.table] |= {
                    event.person for event in events if isinstance(event, SeatTaken)
                }
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert [outcome is None for outcome in outcomes] == expected
        assert all(outcome is None or isinstance(outcome, ConflictError) for outcome in outcomes)

    def event(self, event: Event | Literal["gathered"], version: int) -> Event:
        match event:
            case "gathered":
                held = SeatSnapshot(None, "", None, 0, None)
                return LobbyCompacted(version, [held], HostSettings(None))
            case SeatTaken(seat, person, name):
                return SeatTaken(seat, self.person(person), name)
            case _:
                return event

    @staticmethod
    def keep(kept: Model, after: int, events: list[Event], finished: Progress | None) -> None:
        gathered = 0
        for version, event in enumerate(events, start=after + 1):
            kept.log[version] = event
            if isinstance(event, LobbyCompacted):
                gathered = version
        for version in [one for one in kept.log if 1 < one < gathered]:
            del kept.log[version]
        kept.finished = finished or kept.finished

    async def compare(self, store: EventStore) -> None:
        """Compares a store with the lists."""
        alive = {table: one for table, one in self.kept.items() if one.log and not one.deleted}
        for table, kept in self.kept.items():
            log = [kept.log[version] for version in sorted(kept.log)] if table in alive else []
            assert await store.load(self.name(table)) == log
        for what in (None, *FINISHED):
            left = set(await store.idle_tables(what, 1e12, 100_000))
            mine = {self.name(table) for table in self.kept}
            assert left & mine == {self.name(one) for one in alive if alive[one].finished == what}
        listed = [
            (one.table, one.progress)
            for one in await store.list_tables(f"{self.number}-", 3)
            if one.table.startswith(f"{self.number}-")
        ]
        assert listed == [(self.name(one), alive[one].finished) for one in sorted(alive)]
        for person in PEOPLE:
            found = await store.identity_store.tables_of(self.person(person), 9)
            stands = {one for one in alive if self.person(person) in self.met[one]}
            assert set(found) == {self.name(one) for one in stands}


def kinds(folder: Path, name: str) -> tuple[StoreKind, str, StoreKind, str]:
    """A store of a kind and one of the other kind, with their URLs."""
    (folder / "file").mkdir()
    file, base = (
        SqliteKind(folder / "file" / "tables.sqlite3"),
        PostgresKind(running.postgres_server()),
    )
    here, there = (file, f"sqlite:{file.path}"), (base, base.url)
    return (*here, *there) if name == "sqlite" else (*there, *here)


@pytest.mark.outside
@pytest.mark.parametrize("name", ["sqlite", "postgres"])
def test_stores_and_moved_stores_equal_plain_lists_after_any_operations(
    tmp_path: Path, name: str
) -> None:
    kind, text, other, other_text = kinds(tmp_path, name)
    histories: list[History] = []
    numbers = count()
    with asyncio.Runner() as runner:
        store = runner.run(kind.open())

        @settings(max_examples=examples(35, 10), suppress_health_check=[HealthCheck.too_slow])
        @given(st.lists(steps, max_size=12))
        def run(happens: list[list[Append] | Delete | Note]) -> None:
            runner.run(go(happens))

        async def go(happens: list[list[Append] | Delete | Note]) -> None:
            histories.append(History(store, next(numbers)))
            if isinstance(kind, PostgresKind):
                await store.renew_node()  # type: ignore[attr-defined] # it has leases
            for step in happens:
                await histories[-1].do(step)
            await histories[-1].compare(store)

        async def carry() -> None:
            await store.close()
            moved = await migrate(text, other_text, lambda *_: None)
            carried = await other.open()
            assert await carried.count_tables() == moved.table_count
            for history in histories:
                await history.compare(carried)
            await carried.close()

        run()
        runner.run(carry())
