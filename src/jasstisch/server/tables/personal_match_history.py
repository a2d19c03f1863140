"""A person's finished matches: visible to that person alone, computed off the event loop.

The results of a table's matches are stored. A request reads only those of a person's tables that
have changed since the last request. If there are many, it reads a part of them, and the client asks
again for the others.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Container, Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from time import monotonic

import msgspec
from msgspec import Struct

from jasstisch.games.metrics import ScoreMetric
from jasstisch.games.rules import REGISTRY
from jasstisch.server.api import bodies, unit_text
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ApiError, ServerBusyError
from jasstisch.server.identity import stream_export
from jasstisch.server.net import rate_limit_key
from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.server.tables.match_results import (
    MatchResult,
    TableResults,
    attach_analysis,
    compute_results,
    decode_results,
)
from jasstisch.storage import CorruptionError, StoredResults, StoreError
from jasstisch.storage.leases import NewerEventsError

_BATCH_SIZE = 500
"""How many tables' results are fetched in one batch."""

_TIME_BUDGET_S = 1.0
"""How long one request reads tables, in seconds; the client asks again for the others."""

_MAX_POINTS_PER_UNIT = 500
"""How many matches of a unit are listed in chronological order; older ones are omitted."""

_MAX_REMEMBERED_DAMAGED = 10_000
"""How many damaged tables are remembered, so that they are not read again and again."""


class Cursor(Struct, frozen=True, order=True):
    """The position of a match in a person's history; later matches compare greater.

    Attributes:
        ended_at: when the match ended, in seconds since 1970.
        table: the id of its table.
        match_number: the number of the match at the table.
    """

    ended_at: int
    table: str
    match_number: int

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Parses the text of a cursor: three parts, of which the first and the last are numbers."""
        ended, table, match = text.split(".")
        return cls(int(ended), table, int(match))

    def __str__(self) -> str:
        return f"{self.ended_at}.{self.table}.{self.match_number}"


class _FinishedMatch(Struct, frozen=True):
    """A finished match and the seat that the person had."""

    place: Cursor
    game: str
    seat: int
    result: MatchResult


class _PersonResults(Struct, frozen=True):
    """The known results of a person's tables.

    Attributes:
        person: the person.
        results: the results of the matches, by table.
        unread: the number of tables whose results are not known yet.
        whole: whether these are all of the person's tables.
    """

    person: str
    results: dict[str, TableResults]
    unread: int
    whole: bool

    def finished_matches(self) -> Iterator[_FinishedMatch]:
        """The matches that the person has played."""
        for table, found in self.results.items():
            for result in found.matches:
                if self.person in result.seats:
                    place = Cursor(result.ended, table, result.number)
                    yield _FinishedMatch(place, found.game, result.seats[self.person], result)


class _ConcurrencyLimit:
    """Limits how many requests are served at once, in total and for each address.

    Args:
        what: what the requests are for, for the error text.
        per_address: the limit for each address.
        limit: the limit in total.
    """

    def __init__(self, what: str, per_address: int, limit: int) -> None:
        self._what = what
        self._per_address = per_address
        self._most = limit
        self._in_use: Counter[str] = Counter()

    def acquire(self, address: str) -> ExitStack:
        """Acquires a slot, held until the returned stack is closed.

        Raises:
            ApiError: too many requests from this address are being served.
            ServerBusyError: too many requests are being served.
        """
        counted = rate_limit_key(address)
        if self._in_use[counted] >= self._per_address:
            most = self._per_address
            raise ApiError("too_fast", f"at most {most} {self._what} at a time, please")
        if self._in_use.total() >= self._most:
            raise ServerBusyError(f"too many {self._what} are being made; try again in a minute")
        self._in_use[counted] += 1
        slot = ExitStack()
        slot.callback(self._release, counted)
        return slot

    def _release(self, counted: str) -> None:
        self._in_use[counted] -= 1
        self._in_use += Counter()  # drops the addresses whose count is zero


class PersonalMatchHistory:
    """Builds the match history of people, and the export of all data stored about them.

    Args:
        context: the store and the limits.
    """

    def __init__(self, context: ServerContext) -> None:
        limits = context.limits
        self._context = context
        self._store = context.store
        self._limits = limits
        self._lock = asyncio.Lock()
        self._list_slots = _ConcurrencyLimit(
            "lists of matches", limits.match_lists_per_address, limits.match_lists_waiting
        )
        self._export_slots = _ConcurrencyLimit(
            "files of all that is kept", limits.exports_per_address, limits.exports_under_way
        )
        self._damaged: set[str] = set()
        rate = limits.match_lists_per_minute / 60
        self._rates = context.shared_usage.create_buckets(
            "match_lists", rate, limits.match_lists_per_minute, context.now
        )

    async def page(
        self, person: str, address: str, lang: str, before: Cursor | None, limit: int
    ) -> bodies.MatchHistoryPage:
        """One page of the matches that a person has finished, latest first.

        Args:
            person: the person.
            address: the address of the client.
            lang: the language of the unit names.
            before: the last match of the previous page; None for the first page.
            limit: the maximum number of matches.

        Raises:
            ApiError: the person asks too often, or too many requests from this address wait.
            ServerBusyError: too many requests wait.
            StoreError: the matches cannot be read.
        """
        self._check_rate(person, address)
        with self._list_slots.acquire(address):
            async with self._lock:
                found = await self._load_results(person)
            return await asyncio.to_thread(_build_page, found, lang, before, limit)

    @property
    def export_timeout_s(self) -> float:
        """The maximum duration of an export, in seconds."""
        return self._limits.export_seconds

    async def export_personal_data(self, person: str, address: str) -> AsyncIterator[bytes]:
        """Streams all data stored about a person, as the pieces of one JSON text.

        A slow download does not block the person's match history, and it ends after the time limit
        in `export_timeout_s`.

        Raises:
            ApiError: the person asks too often, or too many exports from this address are running.
            ServerBusyError: too many exports are running.
        """
        self._check_rate(person, address)
        slot = self._export_slots.acquire(address)
        # Releases the slot even if the first piece is never requested.
        asyncio.get_running_loop().call_later(self._limits.export_seconds, slot.close)
        return self._stream_export(person, slot)

    async def _stream_export(self, person: str, slot: ExitStack) -> AsyncIterator[bytes]:
        with slot:
            pieces = stream_export(self._store, person, self._store.now())
            while True:
                # Let other requests proceed while this connection accepts the data.
                async with self._lock:
                    piece = await anext(pieces, None)
                if piece is None:
                    return
                yield piece

    def _check_rate(self, person: str, address: str) -> None:
        context, limits, now = self._context, self._limits, self._context.now()
        if not self._rates.try_take(person, now):
            context.alerts.report("limit_hit", "match_lists", address)
            most = limits.match_lists_per_minute
            raise ApiError("too_fast", f"at most {most} lists of matches a minute, please")

    async def _load_results(self, person: str) -> _PersonResults:
        tables = await self._tables_of(person)
        known = await asyncio.to_thread(_decode_all, tables)
        unread = await self._compute_missing(tables, known)
        whole = len(tables) < self._limits.max_history_tables
        return _PersonResults(person, known, unread, whole)

    async def _tables_of(self, person: str) -> list[StoredResults]:
        """A person's tables, most recently changed first."""
        found: list[StoredResults] = []
        while len(found) < self._limits.max_history_tables:
            most = min(_BATCH_SIZE, self._limits.max_history_tables - len(found))
            some = await self._store.results_of_person(person, most, len(found))
            found += some
            if len(some) < most:
                break
        return found

    async def _compute_missing(
        self, tables: Iterable[StoredResults], known: dict[str, TableResults]
    ) -> int:
        """Computes missing results within the time budget; returns how many tables remain."""
        until = monotonic() + _TIME_BUDGET_S
        unread = [
            one.table for one in tables if one.table not in known and one.table not in self._damaged
        ]
        for done, table in enumerate(unread):
            if monotonic() > until:
                return len(unread) - done
            found = await self._compute(table)
            if found is not None:
                known[table] = found
        return 0

    async def _compute(self, table: str) -> TableResults | None:
        """The results of a table's matches; None if they cannot be computed."""
        try:
            rewrites = await self._store.count_rewrites(table)
            events, times = await self._store.load(table), await self._store.event_times(table)
            if not events:  # deleted since it was listed
                return None
            found = await asyncio.to_thread(compute_results, events, times)
            analysed = await self._store.analysis_checksums(table)
            await self._add_analysis(table, found, analysed)
        except NewerEventsError:
            return None
        except (CorruptionError, ValueError) as error:
            log.error(
                "table_damaged",
                table=short_id(table),
                **{"cause": "damaged", **describe_exception(error)},
            )
            if len(self._damaged) < _MAX_REMEMBERED_DAMAGED:
                self._damaged.add(table)
            return None
        body = msgspec.json.encode(found)
        try:
            analyses = sum(analysed.values())
            await self._store.save_results(table, found.version, analyses, body, rewrites)
        except StoreError as error:
            # The results are complete but could not be stored; the next request computes them
            # again.
            log.error("results_not_kept", table=short_id(table), **describe_exception(error))
        return found

    async def _add_analysis(
        self, table: str, found: TableResults, analysed: Container[int]
    ) -> None:
        for result in found.matches:
            if result.number not in analysed:
                continue
            try:
                body = await self._store.analysis(table, result.number)
            except CorruptionError as error:
                log.error("analysis_damaged", table=short_id(table), **describe_exception(error))
                continue
            if body is not None:
                await asyncio.to_thread(attach_analysis, result, body)


def _decode_all(tables: Iterable[StoredResults]) -> dict[str, TableResults]:
    """The stored results that can be decoded."""
    found = ((one.table, decode_results(one.body)) for one in tables if one.body is not None)
    return {table: results for table, results in found if results is not None}


def _build_page(
    found: _PersonResults, lang: str, before: Cursor | None, limit: int
) -> bodies.MatchHistoryPage:
    own = sorted(found.finished_matches(), key=lambda one: one.place, reverse=True)
    later = [one for one in own if before is None or one.place < before]
    listed = later[:limit]
    first = before is None
    # Decisions taken over from another match were not this person's.
    counted = [one for one in own if not one.result.resumed]
    return bodies.MatchHistoryPage(
        matches=[_played_match(one) for one in listed],
        next=str(listed[-1].place) if len(later) > len(listed) else None,
        unread=found.unread,
        whole=found.whole,
        games=_results_by_game(counted, lang) if first else None,
        given=_mistakes_by_unit(counted, lang) if first else None,
    )


def _played_match(own: _FinishedMatch) -> bodies.PlayedMatch:
    result, seat = own.result, own.seat
    return bodies.PlayedMatch(
        table=own.place.table,
        match=own.place.match_number,
        game=own.game,
        ended=_format_time(result.ended),
        players=result.players,
        seat=seat,
        winners=result.winners,
        sides=_sides(own.game, len(result.players)),
        standing=result.standing,
        lost=None if result.lost is None else result.lost[seat],
        decisions=None if result.decisions is None else result.decisions[seat],
        resumed=result.resumed,
        characters=result.characters,
    )


def _results_by_game(own: Iterable[_FinishedMatch], lang: str) -> list[bodies.GameResults]:
    """A person's results in each game, most played game first."""
    games: dict[str, list[_FinishedMatch]] = defaultdict(list)
    for one in own:
        games[one.game].append(one)
    by_number = sorted(games.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_game_results(game, some, lang) for game, some in by_number]


def _game_results(game: str, own: Sequence[_FinishedMatch], lang: str) -> bodies.GameResults:
    figure = _score_metric(game)
    counted = [one for one in own if one.result.figures is not None]
    rounds = sum(one.result.rounds for one in counted)
    total = sum(one.result.figures[one.seat] for one in counted if one.result.figures is not None)
    return bodies.GameResults(
        game=game,
        matches=len(own),
        won=sum(one.seat in one.result.winners for one in own),
        mean=None if figure is None or not rounds else round(total / rounds, figure.digits),
        unit_text="" if figure is None else unit_text(lang, figure.unit),
        digits=0 if figure is None else figure.digits,
        high_is_good=figure is None or figure.higher_is_better,
    )


def _mistakes_by_unit(own: Sequence[_FinishedMatch], lang: str) -> list[bodies.MistakesByUnit]:
    """What a person's mistakes have cost in the analysed matches, by unit and in order of time."""
    units: dict[str, list[_FinishedMatch]] = defaultdict(list)
    for one in own:
        figure = _score_metric(one.game)
        if figure is not None and one.result.decisions and one.result.decisions[one.seat]:
            units[figure.unit].append(one)
    return [
        bodies.MistakesByUnit(
            unit=unit,
            unit_text=unit_text(lang, unit),
            digits=max(figure.digits for one in some if (figure := _score_metric(one.game))),
            matches=[_match_mistakes(one) for one in reversed(some[:_MAX_POINTS_PER_UNIT])],
        )
        for unit, some in sorted(units.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _match_mistakes(own: _FinishedMatch) -> bodies.MatchMistakes:
    place, result = own.place, own.result
    assert result.lost is not None
    assert result.decisions is not None
    return bodies.MatchMistakes(
        table=place.table,
        match=place.match_number,
        game=own.game,
        ended=_format_time(result.ended),
        lost=result.lost[own.seat],
        decisions=result.decisions[own.seat],
    )


def _sides(game: str, players: int) -> list[list[int]]:
    """The seats of each side; in most games every player is a side."""
    sides = REGISTRY[game].sides if game in REGISTRY else ()
    return [list(one) for one in sides] or [[seat] for seat in range(players)]


def _score_metric(game: str) -> ScoreMetric | None:
    return REGISTRY[game].metric if game in REGISTRY else None


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
