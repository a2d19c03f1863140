"""The contract of every store: durability, ordering, atomicity and clear errors."""

import asyncio
import sqlite3

import pytest

from jasstisch.storage import (
    ConflictError,
    CorruptionError,
    EventStore,
    FailureCause,
    StoredResults,
    StoredTable,
    StoreError,
)
from jasstisch.storage.event_codec import checksum
from jasstisch.table import AccessRules, Progress
from jasstisch.table.events import (
    Acted,
    EntryRequested,
    Event,
    HostSettings,
    LobbyCompacted,
    PackDealt,
    SeatLeft,
    SeatSnapshot,
    SeatTaken,
)
from tests.storage.store_kinds import StoreKind

SOME: list[Event] = [
    SeatTaken(0, "a" * 64, "Änna 🂡"),
    PackDealt("6C 7C"),
    Acted(0, "play JC", "person"),
]


async def test_appended_events_are_loaded_in_order(store: EventStore) -> None:
    await store.append("one", 0, SOME[:1])
    await store.append("two", 0, [SeatLeft(3)])
    await store.append("one", 1, SOME[1:])
    assert await store.load("one") == SOME
    assert await store.load("two") == [SeatLeft(3)]
    assert await store.load("three") == []
    assert await store.count_tables() == 2


async def test_appended_events_survive_reopening(kind: StoreKind) -> None:
    first = await kind.open()
    await first.append("one", 0, SOME)
    await first.close()
    second = await kind.open()
    assert await second.load("one") == SOME
    await second.close()


@pytest.mark.parametrize("after", [0, 1, 4])
async def test_a_second_writer_gets_a_conflict_and_changes_nothing(
    store: EventStore, after: int
) -> None:
    await store.append("one", 0, SOME)
    with pytest.raises(ConflictError, match="at version 3"):
        await store.append("one", after, [SeatLeft(0)])
    assert await store.load("one") == SOME


async def test_a_conflict_does_not_affect_other_waiting_appends(
    store: EventStore,
) -> None:
    asked = [("a", 0), ("b", 7), ("c", 0), ("a", 0), ("a", 3)]
    outcomes = await asyncio.gather(
        *(store.append(table, after, SOME) for table, after in asked), return_exceptions=True
    )
    kinds = [isinstance(one, ConflictError) for one in outcomes]
    assert kinds == [False, True, False, True, False]
    assert await store.load("a") == SOME * 2
    assert await store.load("b") == []
    assert await store.count_tables() == 2


async def test_a_cancelled_append_does_not_affect_others_in_the_commit(store: EventStore) -> None:
    waiting = asyncio.ensure_future(store.append("one", 0, SOME))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await store.append("two", 0, SOME)
    assert await store.load("one") == SOME


async def test_a_closed_store_refuses_appends(kind: StoreKind) -> None:
    store = await kind.open()
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.append("one", 0, SOME)


async def test_closing_commits_waiting_appends(kind: StoreKind) -> None:
    store = await kind.open()
    waiting = [asyncio.ensure_future(store.append(f"t{one}", 0, SOME)) for one in range(20)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*waiting)
    assert kind.query_number("SELECT count(*) FROM event") == 60


async def test_gaps_and_damaged_entries_are_reported_and_not_skipped(
    kind: StoreKind, store: EventStore
) -> None:
    await store.append("gap", 0, SOME)
    await store.append("bad", 0, SOME)
    kind.execute(
        "DELETE FROM event WHERE table_id = 'gap' AND version = 2",
        f"UPDATE event SET body = CAST('{{}}' AS {kind.blob_type}) "
        "WHERE table_id = 'bad' AND version = 2",
    )
    with pytest.raises(CorruptionError, match="gaps") as caught:
        await store.load("gap")
    assert caught.value.cause == "damaged"
    with pytest.raises(CorruptionError, match="event 2 cannot be read: it is not what was written"):
        await store.load("bad")


async def test_a_moved_event_is_refused(kind: StoreKind, store: EventStore) -> None:
    await store.append("one", 0, SOME)
    kind.execute(
        "UPDATE event SET version = 9 WHERE version = 2",
        "UPDATE event SET version = 2 WHERE version = 3",
        "UPDATE event SET version = 3 WHERE version = 9",
    )
    with pytest.raises(CorruptionError, match="event 2 cannot be read: it is not what was written"):
        await store.load("one")


async def test_undecodable_events_are_reported_without_their_content(
    kind: StoreKind, store: EventStore
) -> None:
    await store.append("one", 0, SOME)
    kind.execute(
        f'UPDATE event SET sum = NULL, body = CAST(\'{{"kind":"7C"}}\' AS {kind.blob_type})'
        " WHERE version = 2"
    )
    with pytest.raises(CorruptionError, match="an event cannot be decoded") as caught:
        await store.load("one")
    assert "7C" not in str(caught.value)


async def test_events_of_older_programs_are_read_without_a_checksum(
    kind: StoreKind, store: EventStore
) -> None:
    await store.append("one", 0, SOME)
    kind.execute("UPDATE event SET sum = NULL")
    assert await store.load("one") == SOME


async def test_a_table_without_index_entry_or_events_is_damaged(
    kind: StoreKind, store: EventStore
) -> None:
    for name in ("listed", "unlisted"):
        await store.append(name, 0, SOME)
    kind.execute(
        "DELETE FROM event WHERE table_id = 'listed'",
        "DELETE FROM kept WHERE table_id = 'unlisted'",
    )
    with pytest.raises(CorruptionError, match="all its events are missing"):
        await store.load("listed")
    with pytest.raises(CorruptionError, match="missing in the list of tables"):
        await store.load("unlisted")


async def test_tables_are_listed_in_byte_order_of_their_ids(store: EventStore) -> None:
    names = ["B", "_", "a", "-", "Z", "b", "0", "aa"]
    for name in names:
        await store.append(name, 0, SOME, "round" if name == "a" else None)
    await store.append("gone", 0, SOME)
    await store.delete("gone")
    found = await store.list_tables("", 99)
    assert [one.table for one in found] == sorted(names)
    assert [one.progress for one in found if one.table in ("a", "b")] == ["round", None]
    assert await store.list_tables("a", 1) == [StoredTable("aa", found[0].last_event_at, None)]
    assert found[0].last_event_at % 3600 == 0
    assert await store.list_tables("b", 9) == []


class Watcher:
    """Records its calls."""

    def __init__(self) -> None:
        self.commits: list[tuple[float, int]] = []
        self.failures: list[FailureCause | None] = []

    def on_committed(self, seconds: float, changes: int) -> None:
        self.commits.append((seconds, changes))

    def on_commit_failed(self, cause: FailureCause | None) -> None:
        self.failures.append(cause)

    def on_vacuumed(self, seconds: float) -> None:
        """Not recorded."""

    def on_vacuum_failed(self, cause: FailureCause | None) -> None:
        self.failures.append(cause)


async def test_observers_are_told_of_each_commit_and_its_number_of_changes(
    store: EventStore,
) -> None:
    watcher = Watcher()
    store.observe_commits(watcher)
    await asyncio.gather(*(store.append(f"t{number}", 0, SOME) for number in range(20)))
    await store.identity_store.begin_erasure("anna")
    assert sum(changes for _, changes in watcher.commits) == 21
    assert len(watcher.commits) < 21
    assert all(seconds > 0 for seconds, _ in watcher.commits)
    assert watcher.failures == []


async def test_the_unique_constraint_is_the_last_line_of_defence(
    kind: StoreKind, store: EventStore
) -> None:
    await store.append("one", 0, SOME)
    with pytest.raises((AssertionError, sqlite3.IntegrityError), match=r"(?i)unique"):
        kind.execute("INSERT INTO event SELECT * FROM event WHERE version = 3")


async def all_deleted(kind: StoreKind) -> None:
    """Waits until nothing is left of the deleted tables."""
    left = True
    while left:
        left = bool(await asyncio.to_thread(kind.query_number, "SELECT count(*) FROM deleted"))


async def test_a_deleted_table_is_unknown_at_once_and_purged_in_small_steps(
    kind: StoreKind, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind.module, "MAX_DELETES_PER_STEP", 7)
    await store.append("gone", 0, [SeatLeft(0)] * 100)
    await store.append("kept", 0, SOME)
    assert await store.delete("gone") is True
    assert await store.load("gone") == []
    assert await store.count_tables() == 1
    assert await store.delete("gone") is False
    await all_deleted(kind)
    assert await store.load("kept") == SOME
    assert kind.query_number("SELECT count(*) FROM event") == len(SOME)


async def test_appending_to_a_deleted_table_is_refused(store: EventStore) -> None:
    await store.append("gone", 0, SOME)
    await store.delete("gone")
    with pytest.raises(ConflictError):
        await store.append("gone", 3, [SeatLeft(0)])
    assert await store.load("gone") == []


async def test_purging_continues_after_a_restart(
    kind: StoreKind,
) -> None:
    first = await kind.open()
    await first.append("gone", 0, SOME)
    await first.append("kept", 0, SOME)
    await first.close()
    kind.execute("DELETE FROM kept WHERE table_id = 'gone'", "INSERT INTO deleted VALUES ('gone')")
    second = await kind.open()
    assert await second.load("gone") == []
    await second.append("kept", 3, [SeatLeft(0)])
    await all_deleted(kind)
    assert await second.load("kept") == [*SOME, SeatLeft(0)]
    assert kind.query_number("SELECT count(*) FROM event") == 4
    await second.close()


async def test_idle_tables_are_listed_by_progress_oldest_first(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(type(store), "now", lambda _: now)
    tables: list[tuple[str, Progress | None]] = [
        *(("b", "nothing"), ("a", "nothing"), ("c", "round"), ("d", "match"), ("e", None)),
    ]
    for day, (table, finished) in enumerate(tables):
        now = day * 86400.0
        await store.append(table, 0, SOME, finished)
    assert await store.idle_tables("nothing", 10 * 86400.0, 9) == ["b", "a"]
    assert await store.idle_tables("nothing", 10 * 86400.0, 1) == ["b"]
    assert await store.idle_tables("nothing", 86400.0, 9) == ["b"]
    assert await store.idle_tables("round", 10 * 86400.0, 9) == ["c"]
    assert await store.idle_tables("match", 10 * 86400.0, 9) == ["d"]
    assert await store.idle_tables(None, 10 * 86400.0, 9) == ["e"]
    now = 9 * 86400.0
    await store.append("b", 3, [SeatLeft(0)], "round")
    assert await store.idle_tables("nothing", 10 * 86400.0, 9) == ["a"]
    assert await store.idle_tables("round", 10 * 86400.0, 9) == ["c", "b"]
    await store.append("b", 4, [SeatLeft(0)])
    assert await store.idle_tables("round", 10 * 86400.0, 9) == ["c", "b"]


async def test_progress_is_set_only_where_it_was_unknown(store: EventStore) -> None:
    await store.append("old", 0, SOME)
    await store.append("new", 0, SOME, "round")
    await store.set_progress("old", "match")
    await store.set_progress("new", "nothing")
    later = 1e12
    assert await store.idle_tables(None, later, 9) == []
    assert await store.idle_tables("match", later, 9) == ["old"]
    assert await store.idle_tables("round", later, 9) == ["new"]


GATHERED = LobbyCompacted(
    5, [SeatSnapshot("a" * 64, "Anna", None, 1, None)], HostSettings("a" * 64)
)


async def test_replaced_events_are_deleted(store: EventStore) -> None:
    await store.append("one", 0, [*SOME, SeatLeft(0)])
    await store.append("one", 4, [GATHERED, SeatLeft(1)])
    assert await store.load("one") == [SOME[0], GATHERED, SeatLeft(1)]
    await store.append("one", 6, [SeatLeft(2)])
    assert await store.load("one") == [SOME[0], GATHERED, SeatLeft(1), SeatLeft(2)]
    with pytest.raises(ConflictError, match="at version 7"):
        await store.append("one", 4, [SeatLeft(3)])


async def test_an_unexplained_gap_is_reported(kind: StoreKind, store: EventStore) -> None:
    await store.append("one", 0, [*SOME, SeatLeft(0)])
    await store.append("one", 4, [GATHERED, SeatLeft(1), SeatLeft(2)])
    kind.execute("DELETE FROM event WHERE version = 6")
    with pytest.raises(StoreError, match="gaps"):
        await store.load("one")
    kind.execute("DELETE FROM event WHERE version = 5")
    with pytest.raises(StoreError, match="gaps"):
        await store.load("one")


async def test_an_analysis_is_stored_and_deleted_with_its_table(
    kind: StoreKind, store: EventStore
) -> None:
    await store.append("one", 0, SOME)
    await store.append("two", 0, SOME)
    assert (await store.analysis("one", 1), await store.analysis_checksums("one")) == (None, {})
    await store.save_analysis("one", 2, b'{"second":true}')
    await store.save_analysis("one", 1, b'{"first":true}')
    await store.save_analysis("two", 1, b"{}")
    await store.save_analysis("one", 1, b'{"first":"once more"}')
    assert await store.analysis_checksums("one") == {
        1: checksum("one", 1, b'{"first":"once more"}'),
        2: checksum("one", 2, b'{"second":true}'),
    }
    assert await store.analysis("one", 1) == b'{"first":"once more"}'
    assert await store.load("one") == SOME
    assert await store.delete("one")
    assert (await store.analysis("one", 1), await store.analysis_checksums("one")) == (None, {})
    assert kind.query_number("SELECT count(*) FROM analysis") == 1


async def test_no_analysis_is_stored_for_a_deleted_table(
    kind: StoreKind, store: EventStore
) -> None:
    await store.save_analysis("never", 1, b"{}")
    await store.append("one", 0, SOME)
    await store.delete("one")
    await store.save_analysis("one", 1, b"{}")
    assert kind.query_number("SELECT count(*) FROM analysis") == 0


async def test_a_damaged_analysis_is_reported(kind: StoreKind, store: EventStore) -> None:
    await store.append("one", 0, SOME)
    await store.save_analysis("one", 3, b'{"kept":true}')
    kind.execute(f"UPDATE analysis SET body = CAST('other' AS {kind.blob_type})")
    with pytest.raises(CorruptionError, match="the analysis of match 3 is not what was written"):
        await store.analysis("one", 3)
    assert await store.load("one") == SOME


async def test_tables_of_a_person_are_listed_with_results_latest_first(
    kind: StoreKind, store: EventStore
) -> None:
    anna = "a" * 64
    await store.append("old", 0, SOME, "match")
    await store.append("new", 0, SOME, "match")
    await store.append("unknown", 0, SOME)
    await store.append("unfinished", 0, SOME, "round")
    await store.append("others", 0, [SeatTaken(0, "b" * 64, "Reto")], "match")
    kind.execute("UPDATE kept SET touched = touched - 7200 WHERE table_id = 'old'")
    assert await store.results_of_person(anna, 9, 0) == [
        StoredResults("new", None),
        StoredResults("unknown", None),
        StoredResults("old", None),
    ]
    await store.save_results("old", 3, 0, b"{}", 0)
    assert await store.results_of_person(anna, 9, 0) == [
        StoredResults("new", None),
        StoredResults("unknown", None),
        StoredResults("old", b"{}"),
    ]
    assert [one.table for one in await store.results_of_person(anna, 1, 0)] == ["new"]
    assert [one.table for one in await store.results_of_person(anna, 9, 1)] == ["unknown", "old"]


async def test_results_are_valid_for_one_version_of_log_and_analyses(
    store: EventStore,
) -> None:
    async def found() -> bytes | None:
        return (await store.results_of_person("a" * 64, 9, 0))[0].body

    await store.append("one", 0, SOME, "match")
    await store.save_results("one", 2, 0, b"{}", 0)
    assert await found() is None
    await store.save_results("one", 3, 0, b'{"first":true}', 0)
    assert await found() == b'{"first":true}'
    await store.append("one", 3, [SeatLeft(0)], "match")
    assert await found() is None
    await store.save_results("one", 4, 0, b'{"second":true}', 0)
    assert await found() == b'{"second":true}'
    await store.save_analysis("one", 1, b"{}")
    assert await found() is None
    await store.save_results("one", 4, 0, b"{}", 0)
    assert await found() is None
    before = sum((await store.analysis_checksums("one")).values())
    await store.save_results("one", 4, before, b'{"third":true}', 0)
    assert await found() == b'{"third":true}'
    await store.save_analysis("one", 1, b'{"again":true}')
    assert await found() is None
    # Made of the analysis before by somebody who has read it in time, and kept too late.
    await store.save_results("one", 4, before, b'{"third":true}', 0)
    assert await found() is None


async def test_results_are_deleted_with_their_table_and_ignored_once_damaged(
    kind: StoreKind, store: EventStore
) -> None:
    await store.append("one", 0, SOME, "match")
    await store.append("two", 0, SOME, "match")
    for table in ("one", "two", "never"):
        await store.save_results(table, 3, 0, b"{}", 0)
    kind.execute(
        f"UPDATE results SET body = CAST('other' AS {kind.blob_type}) WHERE table_id = 'one'"
    )
    assert await store.results_of_person("a" * 64, 9, 0) == [
        StoredResults("one", None),
        StoredResults("two", b"{}"),
    ]
    await store.delete("one")
    await store.save_results("one", 3, 0, b"{}", 0)
    assert [one.table for one in await store.results_of_person("a" * 64, 9, 0)] == ["two"]
    assert kind.query_number("SELECT count(*) FROM results") == 1


async def test_a_rewritten_log_has_other_events_and_no_results_from_before(
    store: EventStore,
) -> None:
    await store.append("one", 0, SOME, "match", AccessRules(frozenset("a")))
    before = await store.count_rewrites("one")
    await store.save_results("one", 3, 0, b'{"of":"Anna"}', before)
    log = await store.load("one")
    clean: list[Event] = [SeatTaken(0, "gone-1", "N. N."), *log[1:]]
    rules = AccessRules(frozenset(["gone-1"]))
    await store.rewrite("one", log, clean, rules)
    assert await store.load("one") == clean
    assert await store.access_rules("one") == rules
    assert await store.results_of_person("a" * 64, 9, 0) == [StoredResults("one", None)]
    # Computed from the earlier log, and stored too late.
    await store.save_results("one", 3, 0, b'{"of":"Anna"}', before)
    assert await store.results_of_person("a" * 64, 9, 0) == [StoredResults("one", None)]
    await store.save_results("one", 3, 0, b"{}", await store.count_rewrites("one"))
    assert await store.results_of_person("a" * 64, 9, 0) == [StoredResults("one", b"{}")]
    assert await store.count_rewrites("none") == 0


async def test_a_log_that_has_grown_is_not_rewritten(store: EventStore) -> None:
    await store.append("one", 0, SOME)
    log = await store.load("one")
    await store.append("one", 3, [SeatLeft(0)])
    clean = [SeatTaken(0, "gone-1", "N. N."), *log[1:]]
    with pytest.raises(ConflictError):
        await store.rewrite("one", log, clean, AccessRules())
    assert await store.load("one") == [*SOME, SeatLeft(0)]


async def test_access_rules_are_stored_with_the_events_that_change_them(store: EventStore) -> None:
    assert await store.access_rules("one") is None
    rules = AccessRules(frozenset("ab"), "old", 2)
    await store.append("one", 0, SOME, access=rules)
    assert await store.access_rules("one") == rules
    await store.append("one", 3, [SeatLeft(0)])
    assert await store.access_rules("one") == rules
    with pytest.raises(ConflictError):
        await store.append("one", 3, [SeatLeft(0)], access=AccessRules(key="never"))
    assert await store.access_rules("one") == rules
    later = AccessRules(frozenset("b"), "new")
    await store.append("one", 4, [SeatLeft(0)], access=later)
    assert await store.access_rules("one") == later
    assert await store.delete("one")
    assert await store.access_rules("one") is None


async def test_unknown_access_rules_admit_everybody_until_they_are_found_out(
    store: EventStore,
) -> None:
    await store.append("one", 0, SOME)
    await store.append("two", 0, SOME, access=AccessRules(key="known"))
    assert await store.access_rules("one") == AccessRules()
    assert await store.tables_without_access_rules(9) == ["one"]
    assert await store.tables_without_access_rules(0) == []
    await store.set_access_rules("one", 2, AccessRules(key="outdated"))
    await store.set_access_rules("none", 3, AccessRules(key="key"))
    assert await store.tables_without_access_rules(9) == ["one"]
    for table in ("one", "two"):
        await store.set_access_rules(table, 3, AccessRules(key="found"))
    assert await store.access_rules("one") == AccessRules(key="found")
    assert await store.access_rules("two") == AccessRules(key="known")
    assert await store.access_rules("none") is None
    assert await store.tables_without_access_rules(9) == []


async def test_damaged_access_rules_count_as_unknown(kind: StoreKind, store: EventStore) -> None:
    await store.append("one", 0, SOME, access=AccessRules(key="key"))
    kind.execute(f"UPDATE kept SET access = CAST('{{}}' AS {kind.blob_type})")
    assert await store.access_rules("one") == AccessRules()


async def test_who_only_asks_for_a_seat_is_known_in_the_log_too(store: EventStore) -> None:
    await store.append("one", 0, SOME)
    await store.append("one", 3, [EntryRequested(1, 2, "b" * 64, "Reto")])
    assert await store.identity_store.tables_of("b" * 64, 9) == ["one"]


async def test_times_of_events_are_listed_by_version(store: EventStore) -> None:
    before = store.now()
    await store.append("one", 0, SOME)
    await store.append("one", 3, [SeatLeft(0)])
    times = await store.event_times("one")
    assert sorted(times) == [1, 2, 3, 4]
    assert before <= times[1] == times[3] <= times[4] <= store.now()
    assert await store.event_times("two") == {}
    await store.delete("one")
    assert await store.event_times("one") == {}
