"""Match history of a person: list, results, evaluation losses and export."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx2
import msgspec
import pytest

from jasstisch.bots import bot
from jasstisch.client import Client, RequestError
from jasstisch.games.rules import REGISTRY
from jasstisch.match.match import Match
from jasstisch.server.api import bodies
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ApiError, ServerBusyError
from jasstisch.server.identity.tokens import hash_token
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.tables.match_results import compute_results
from jasstisch.server.tables.personal_match_history import Cursor, PersonalMatchHistory
from jasstisch.storage import SqliteStore, StoreError
from jasstisch.table import Table, finished_match
from jasstisch.table.commands import AdminRemoveNickname, ReadyUp, RequestSwap, StartMatch
from jasstisch.table.events import Event, TableCreated
from tests.server.analysis_stub import (
    TIMEOUT_S,
    StubAnalyser,
    analysis_path,
    expect_refusal,
    finished_table,
    http_client,
    wait_for_analysis,
)
from tests.server.running_server import OTHER_TOKEN, TOKEN, running_server
from tests.storage.store_kinds import execute_raw
from tests.table.table_driver import SHORT_OPTIONS, TableDriver, new_table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

pytestmark = pytest.mark.outside

ANNA, RETO = "a" * 64, "b" * 64


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> StubAnalyser:
    """Evaluates decisions in place of the server."""
    found = StubAnalyser()
    monkeypatch.setattr("jasstisch.server.workers.tasks.analyse_decision", found.analyse)
    return found


def told(answer: httpx2.Response) -> bodies.MatchHistoryPage:
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=bodies.MatchHistoryPage)


async def all_matches(web: httpx2.AsyncClient, **asked: Any) -> bodies.MatchHistoryPage:
    """All matches, once every table has been read."""
    while (found := told(await web.get("/api/me/matches", params=asked))).unread:
        pass
    return found


def played(
    table: str, game: str = "molotov", people: Sequence[str] = (ANNA, RETO), matches: int = 1
) -> TableDriver:
    """A table at which so many matches have been played."""
    seats: list[str | None] = [None] * len(people)
    created = new_table(
        game, [*seats, *["random"] * (4 - len(people))], **SHORT_OPTIONS[game]
    ).state.creation_event
    assert isinstance(created, TableCreated)
    host = TableDriver(
        Table(msgspec.structs.replace(created, table=table)), seed=sum(table.encode())
    )
    host.seat_people(*people)
    host.execute(StartMatch(people[0]))
    for number in range(1, matches + 1):
        host.play_until("over")
        if number < matches:
            for one in people:
                host.execute(ReadyUp(one))
    return host


async def keep(store: SqliteStore, table: str, events: list[Event]) -> None:
    await store.append(table, 0, events, "match")


async def listed(
    store: SqliteStore, who: str = ANNA, before: str | None = None, most: int = 100, **limits: int
) -> bodies.MatchHistoryPage:
    own = PersonalMatchHistory(ServerContext(store, Limits(**limits)))
    place = None if before is None else Cursor.parse(before)
    return await own.page(who, "127.0.0.1", "en", place, most)


@pytest.fixture
async def store(tmp_path: Path) -> Any:
    opened = SqliteStore(tmp_path / "tables.sqlite3")
    yield opened
    await opened.close()


def test_bots_keep_their_names_after_seat_swaps() -> None:
    host = TableDriver(
        new_table("molotov", [None, "random", "random", "random"], **SHORT_OPTIONS["molotov"])
    )
    host.seat_people(ANNA)
    host.execute(RequestSwap(ANNA, 3), StartMatch(ANNA))
    host.play_until("over")
    [match] = compute_results(host.log, {}).matches
    assert (match.seats, match.characters) == ({ANNA: 3}, [3, 1, 2, 0])


async def test_a_finished_match_is_listed_for_its_players(tmp_path: Path) -> None:
    async with (
        running_server(tmp_path) as url,
        http_client(url) as anna,
        http_client(url, OTHER_TOKEN) as reto,
    ):
        assert told(await anna.get("/api/me/matches")).matches == []
        before = datetime.now(UTC).replace(microsecond=0)
        table = await finished_table(url)
        record = (await anna.get(f"/api/tables/{table}/record")).json()
        found = told(await anna.get("/api/me/matches"))
        (match,) = found.matches
        assert (match.table, match.match, match.game, match.seat) == (table, 1, "molotow", 0)
        assert match.players == record["players"]
        assert match.winners == record["result"]["winners"]
        assert match.sides == [[0], [1], [2], [3]]
        assert match.standing == [one["net"] for one in record["result"]["standing"]]
        assert before <= datetime.fromisoformat(match.ended) <= datetime.now(UTC)
        assert (match.lost, match.decisions, found.given) == (None, None, [])
        assert (found.next, found.unread, found.whole) == (None, 0, True)
        assert told(await reto.get("/api/me/matches")).matches == []


async def test_an_unknown_person_has_no_matches(url: str) -> None:
    async with http_client(url, None) as nobody:
        found = told(await nobody.get("/api/me/matches"))
        assert (found.matches, found.games, found.given) == ([], [], [])
        expect_refusal(await nobody.get("/api/me/export"), 400, "no_identity")


async def test_an_invalid_cursor_is_refused(url: str) -> None:
    async with http_client(url) as anna:
        for wrong in ({"before": "x"}, {"before": "1..1"}, {"limit": 0}, {"limit": 101}):
            expect_refusal(await anna.get("/api/me/matches", params=wrong), 400, "bad_message")
        expect_refusal(await anna.get("/api/me/matches", params={"lang": "rm"}), 404, "not_found")


async def test_pages_list_each_match_once_latest_first(store: SqliteStore) -> None:
    for number, table in enumerate(("first", "second", "third")):
        await keep(store, table, played(table, matches=2).log)
        later = f"at = at + {number * 1000}"
        execute_raw(store._path, [f"UPDATE event SET {later} WHERE table_id = '{table}'"])
    whole = await listed(store)
    assert [(one.table, one.match) for one in whole.matches] == [
        ("third", 2), ("third", 1), ("second", 2), ("second", 1), ("first", 2), ("first", 1),
    ]  # fmt: skip
    assert whole.games is not None
    pages, before = [], None
    while True:
        page = await listed(store, before=before, most=2)
        pages.append(page.matches)
        if before is not None:
            assert (page.games, page.given) == (None, None)
        if page.next is None:
            break
        before = page.next
    assert [len(page) for page in pages] == [2, 2, 2]
    assert [one for page in pages for one in page] == whole.matches


@pytest.mark.parametrize("game", sorted(SHORT_OPTIONS))
async def test_results_equal_those_of_the_records(store: SqliteStore, game: str) -> None:
    host = played("one", game, matches=2)
    await keep(store, "one", host.log)
    records = [one.record for number in (1, 2) if (one := finished_match(host.log, number))]
    page = await listed(store)
    assert [one.winners for one in page.matches] == [
        one["result"]["winners"] for one in reversed(records)
    ]
    sides = [list(one) for one in host.table.state.match.game.sides]  # type: ignore[union-attr]
    assert [one.sides for one in page.matches] == [sides, sides]
    (found,) = page.games or []
    figure = REGISTRY[game].metric
    assert figure is not None
    rounds = [one for record in records for one in Match.from_record(record).rounds]
    mean = sum(figure.of_round(one)[0] for one in rounds) / len(rounds)
    assert (found.game, found.matches) == (game, 2)
    assert found.won == sum(0 in Match.from_record(one).winners for one in records)
    assert found.mean == round(mean, figure.digits)
    assert found.high_is_good == figure.higher_is_better


async def test_losses_are_listed_once_the_match_is_analysed(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        assert told(await anna.get("/api/me/matches")).given == []
        await anna.post(analysis_path(table))
        analysis = await wait_for_analysis(anna, analysis_path(table))
        found = told(await anna.get("/api/me/matches", params={"lang": "de"}))
        (match,) = found.matches
        own = [one for one in analysis.decisions if one.seat == 0]
        assert (match.lost, match.decisions) == (analysis.lost[0], len(own))
        (given,) = found.given or []
        assert (given.unit, given.unit_text) == ("sticks", "Striche")
        assert [(one.table, one.lost) for one in given.matches] == [(table, analysis.lost[0])]


async def test_a_table_is_read_again_only_after_new_events(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    load = store.load

    async def counted(table: str) -> list[Event]:
        read.append(table)
        return await load(table)

    monkeypatch.setattr(store, "load", counted)
    hosts = {name: played(name) for name in ("one", "two")}
    for name, host in hosts.items():
        await keep(store, name, host.log)
    first = await listed(store)
    assert sorted(read) == ["one", "two"]
    assert await listed(store) == first
    assert await listed(store, RETO) != first
    assert sorted(read) == ["one", "two"]
    before = len(hosts["two"].log)
    for one in (ANNA, RETO):
        hosts["two"].execute(ReadyUp(one))
    hosts["two"].play_until("over")
    await store.append("two", before, hosts["two"].log[before:], "match")
    assert len((await listed(store)).matches) == 3
    assert read[2:] == ["two"]


async def test_results_are_returned_even_if_they_cannot_be_stored(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise StoreError("the disk is full")

    await keep(store, "one", played("one").log)
    monkeypatch.setattr(store, "save_results", full)
    found = await listed(store)
    assert ([one.table for one in found.matches], found.unread) == (["one"], 0)


async def test_removed_nicknames_stay_removed(store: SqliteStore) -> None:
    host = played("one", matches=2)
    host.execute(AdminRemoveNickname(1))
    await keep(store, "one", host.log)
    (last, first) = (await listed(store)).matches
    for found, number in ((first, 1), (last, 2)):
        match = finished_match(host.log, number)
        assert match is not None
        assert found.players == match.record["players"]
        assert RETO.upper() not in found.players
    pieces = PersonalMatchHistory(ServerContext(store)).export_personal_data(ANNA, "127.0.0.1")
    kept = b"".join([one async for one in await pieces])
    assert RETO.upper() not in kept.decode()


async def test_damaged_tables_are_skipped(
    store: SqliteStore, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        await keep(store, name, played(name).log)
    execute_raw(store._path, ["DELETE FROM event WHERE table_id = 'one' AND version = 5"])
    own = PersonalMatchHistory(ServerContext(store))
    for _ in range(2):
        page = await own.page(ANNA, "127.0.0.1", "en", None, 9)
        assert ([one.table for one in page.matches], page.unread) == (["two"], 0)
    assert capsys.readouterr().out.count("table_damaged") == 1


async def test_tables_are_read_in_batches(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two", "three"):
        await keep(store, name, played(name).log)
    monkeypatch.setattr("jasstisch.server.tables.personal_match_history._TIME_BUDGET_S", -1.0)
    assert ((await listed(store)).unread, (await listed(store)).matches) == (3, [])
    clock = iter(range(100))
    monkeypatch.setattr(
        "jasstisch.server.tables.personal_match_history.monotonic", lambda: float(next(clock))
    )
    monkeypatch.setattr("jasstisch.server.tables.personal_match_history._TIME_BUDGET_S", 2.5)
    page = await listed(store)
    assert (len(page.matches), page.unread) == (2, 1)
    page = await listed(store)
    assert (len(page.matches), page.unread) == (3, 0)
    page = await listed(store, max_history_tables=2)
    assert (len(page.matches), page.unread, page.whole) == (2, 0, False)


async def test_lists_are_rate_limited_by_person_and_address(store: SqliteStore) -> None:
    services = ServerContext(store, Limits(match_lists_per_minute=2))
    own = PersonalMatchHistory(services)
    for _ in range(2):
        await own.page(ANNA, "127.0.0.1", "en", None, 9)
    with pytest.raises(ApiError, match="at most 2 lists of matches a minute"):
        await own.page(ANNA, "127.0.0.1", "en", None, 9)
    await own.page(RETO, "127.0.0.1", "en", None, 9)

    own = PersonalMatchHistory(
        ServerContext(store, Limits(match_lists_per_address=1, match_lists_waiting=2))
    )
    outcomes = await asyncio.gather(
        *(
            own.page(ANNA, address, "en", None, 9)
            for address in ("10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3")
        ),
        return_exceptions=True,
    )
    kinds = [type(one) for one in outcomes]
    assert kinds == [
        bodies.MatchHistoryPage,
        ApiError,
        bodies.MatchHistoryPage,
        ServerBusyError,
    ]
    await own.page(ANNA, "10.0.0.3", "en", None, 9)


async def test_the_export_is_one_file(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        tables = {await finished_table(url) for _ in range(2)}
        answer = await anna.get("/api/me/export")
        assert answer.headers["content-disposition"] == 'attachment; filename="jasstisch.json"'
        found = json.loads(answer.content)
        assert (found["format"], found["person"]) == ("jasstisch-person/1", hash_token(TOKEN))
        assert {one["table"] for one in found["tables"]} == tables
        for one in found["tables"]:
            Match.from_record(one["matches"][0]["record"])


async def test_a_slow_export_download_does_not_block_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def much(*_: object) -> AsyncIterator[bytes]:
        while True:
            yield b" " * 2**20

    limits = Limits(
        exports_per_address=1, match_lists_per_address=1, match_lists_waiting=1, export_seconds=2.0
    )
    async with running_server(tmp_path, limits=limits) as url, http_client(url) as anna:
        await finished_table(url)
        with monkeypatch.context() as patched:
            patched.setattr("jasstisch.server.tables.personal_match_history.stream_export", much)
            reader, writer = await asyncio.open_connection("127.0.0.1", httpx2.URL(url).port)
            cookie = "; ".join(f"{name}={value}" for name, value in anna.cookies.items())
            writer.write(
                f"GET /api/me/export HTTP/1.1\r\nhost: x\r\ncookie: {cookie}\r\n\r\n".encode()
            )
            assert b"200" in await reader.readline()
        expect_refusal(await anna.get("/api/me/export"), 429, "too_fast")
        assert len((await all_matches(anna)).matches) == 1
        await asyncio.sleep(limits.export_seconds)
        assert (await anna.get("/api/me/export")).status_code == 200
        assert not (await reader.read()).endswith(b"0\r\n\r\n")  # it has broken off
        writer.close()


async def test_an_export_holds_one_slot_until_it_ends(
    store: SqliteStore,
) -> None:
    limits = Limits(exports_per_address=1, exports_under_way=2, export_seconds=0.2)
    own = PersonalMatchHistory(ServerContext(store, limits))
    pieces = await own.export_personal_data(ANNA, "10.0.0.1")
    with pytest.raises(ApiError, match="at most 1 files"):
        await own.export_personal_data(ANNA, "10.0.0.1")
    await own.export_personal_data(ANNA, "10.0.0.2")  # which nobody fetches
    with pytest.raises(ServerBusyError):
        await own.export_personal_data(ANNA, "10.0.0.3")
    assert [piece async for piece in pieces]
    await own.export_personal_data(ANNA, "10.0.0.1")
    await asyncio.sleep(0.3)
    await own.export_personal_data(ANNA, "10.0.0.2")


async def test_the_record_of_an_earlier_match_is_available(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        first = (await anna.get(f"/api/tables/{table}/record")).json()
        at = f"/api/tables/{table}/matches"
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as client:
            watched = await client.watch(table)
            await watched.declare_ready()
            assert (await anna.get(f"{at}/1/record")).json() == first
            expect_refusal(await anna.get(f"{at}/2/record"), 409, "wrong_phase")
            expect_refusal(await anna.get(f"{at}/3/record"), 404, "not_found")
            await watched.play(bot("random"))
        second = (await anna.get(f"{at}/2/record")).json()
        assert second == (await anna.get(f"/api/tables/{table}/record")).json() != first


async def test_the_client_lists_matches_replays_records_and_analyses(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    async with (
        running_server(tmp_path) as url,
        Client(url, token=TOKEN, patience=TIMEOUT_S) as anna,
    ):
        assert (await anna.matches()).matches == []
        tables = [await finished_table(url) for _ in range(2)]
        first = await anna.matches(limit=1)
        assert first.next is not None
        rest = await anna.matches(first.next, lang="it")
        assert {one.table for one in (*first.matches, *rest.matches)} == set(tables)
        table = tables[0]
        replay = await anna.replay(table, 1)
        assert (replay.seat, len(replay.steps)) == (0, len((await anna.record(table))["log"]))
        assert (await anna.replay(table, 1, seat=2)).seat == 2
        assert await anna.record(table, match=1) == await anna.record(table)
        with pytest.raises(RequestError, match="not_found"):
            await anna.record(table, match=2)
        assert (await anna.analysis(table, 1)).state == "none"
        state = await anna.analyse(table, 1, "fr")
        while state.analysis is None:
            await asyncio.sleep(0.05)
            state = await anna.analysis(table, 1, "fr")
        assert (state.match, state.analysis.lang) == (1, "fr")
