"""The matches somebody has finished: made for him alone, off the event loop, one table at a time.

What has come of the matches of a table is kept. So of a person's tables only those are read that
have changed since he last asked; of many at first only some, and he asks again for the others.
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
from jasstisch.server.api import messages, unit_text
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ApiError, ServerBusyError
from jasstisch.server.identity import stream_export
from jasstisch.server.net import rate_limit_key
from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.server.tables.match_results import (
    MatchResult,
    TableResults,
    compute_results,
    decode_results,
    with_analysis,
)
from jasstisch.storage import CorruptionError, StoredResults, StoreError
from jasstisch.storage.leases import NewerEventsError

__all__ = ["Cursor", "MatchHistory"]

BATCH_SIZE = 500
"""The results of so many tables are fetched at one go."""

TIME_BUDGET_S = 1.0
"""So long tables are read for one call; whoever has more of them asks again."""

MAX_POINTS_PER_UNIT = 500
"""So many matches of a unit, the latest ones, are told in the order of time."""

MAX_REMEMBERED_DAMAGED = 10_000
"""So many damaged tables are remembered, so that nobody has them read again and again."""


class Cursor(Struct, frozen=True, order=True):
    """Where a match stands among those of a person: the later one comes later.

    Attributes:
        ended: seconds since 1970.
        table: its table.
        match: which match of the table.
    """

    ended: int
    table: str
    match: int

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """A place as it was told: three parts, of which the first and the last are numbers."""
        ended, table, match = text.split(".")
        return cls(int(ended), table, int(match))

    def __str__(self) -> str:
        return f"{self.ended}.{self.table}.{self.match}"


class _FinishedMatch(Struct, frozen=True):
    """A match that somebody has finished, and which seat he held."""

    place: Cursor
    game: str
    seat: int
    result: MatchResult


class _PersonResults(Struct, frozen=True):
    """What is known of the tables of somebody.

    Attributes:
        person: who.
        results: what has come of the matches, by tables.
        unread: of how many tables it is not known yet.
        whole: whether these are all of his tables.
    """

    person: str
    results: dict[str, TableResults]
    unread: int
    whole: bool

    def finished_matches(self) -> Iterator[_FinishedMatch]:
        """The matches that he has played."""
        for table, found in self.results.items():
            for result in found.matches:
                if self.person in result.seats:
                    place = Cursor(result.ended, table, result.number)
                    yield _FinishedMatch(place, found.game, result.seats[self.person], result)


class _ConcurrencyLimit:
    """How many are served at once, and how many of one address.

    Args:
        what: what they get, for whoever gets nothing.
        per_address: of one address at once.
        most: at once.
    """

    def __init__(self, what: str, per_address: int, most: int) -> None:
        self._what = what
        self._per_address = per_address
        self._most = most
        self._in_use: Counter[str] = Counter()

    def acquire(self, address: str) -> ExitStack:
        """A slot, held until it is closed.

        Raises:
            RefusedError: too many from there are being served.
            BusyError: too many are being served.
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
        self._in_use += Counter()  # without those of whom none is served


class MatchHistory:
    """Makes the lists of what people have played, and the files of all that is kept of them.

    Args:
        services: the store and the limits.
    """

    def __init__(self, services: ServerContext) -> None:
        limits = services.limits
        self._context = services
        self._store = services.store
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
        self._rates = services.shared_usage.buckets(
            "match_lists", rate, limits.match_lists_per_minute, services.now
        )

    async def page(
        self, person: str, address: str, lang: str, before: Cursor | None, most: int
    ) -> messages.MatchHistoryPage:
        """Some of the matches that somebody has finished, the latest first.

        Args:
            person: who.
            address: where he calls from.
            lang: in which language units are named.
            before: the last one that he has; None for the latest ones.
            most: how many of them.

        Raises:
            RefusedError: he asks too often, or too many from there wait for theirs.
            BusyError: too many wait for theirs.
            StoreError: they cannot be read.
        """
        self._check_rate(person, address)
        with self._list_slots.acquire(address):
            async with self._lock:
                found = await self._load_results(person)
            return await asyncio.to_thread(_build_page, found, lang, before, most)

    @property
    def export_timeout_s(self) -> float:
        """After how long a file of all that is kept of somebody ends."""
        return self._limits.export_seconds

    async def export_all(self, person: str, address: str) -> AsyncIterator[bytes]:
        """All that is kept of somebody, as the pieces of one JSON text.

        Whoever fetches them slowly keeps nobody from his list, and is in nobody's way for long:
        `export_seconds`.

        Raises:
            RefusedError: he asks too often, or too many from there fetch theirs.
            BusyError: too many fetch theirs.
        """
        self._check_rate(person, address)
        slot = self._export_slots.acquire(address)
        # Also where nobody ever asks for the first piece.
        asyncio.get_running_loop().call_later(self._limits.export_seconds, slot.close)
        return self._stream_export(person, slot)

    async def _stream_export(self, person: str, slot: ExitStack) -> AsyncIterator[bytes]:
        with slot:
            pieces = stream_export(self._store, person, self._store.now())
            while True:
                # Others have their turn while this one's connection takes what it gets.
                async with self._lock:
                    piece = await anext(pieces, None)
                if piece is None:
                    return
                yield piece

    def _check_rate(self, person: str, address: str) -> None:
        services, limits, now = self._context, self._limits, self._context.now()
        if not self._rates.bucket_for(person, now).try_take(now):
            services.alerts.report("limit_hit", "match_lists", address)
            most = limits.match_lists_per_minute
            raise ApiError("too_fast", f"at most {most} lists of matches a minute, please")

    async def _load_results(self, person: str) -> _PersonResults:
        tables = await self._tables_of(person)
        known = await asyncio.to_thread(_decode_all, tables)
        unread = await self._compute_missing(tables, known)
        whole = len(tables) < self._limits.listed_tables
        return _PersonResults(person, known, unread, whole)

    async def _tables_of(self, person: str) -> list[StoredResults]:
        """The tables of somebody, those touched last first."""
        found: list[StoredResults] = []
        while len(found) < self._limits.listed_tables:
            most = min(BATCH_SIZE, self._limits.listed_tables - len(found))
            some = await self._store.results_for(person, most, len(found))
            found += some
            if len(some) < most:
                break
        return found

    async def _compute_missing(
        self, tables: Iterable[StoredResults], known: dict[str, TableResults]
    ) -> int:
        """Reads tables of which nothing is known, for a while; how many are left."""
        until = monotonic() + TIME_BUDGET_S
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
        """What has come of the matches of a table; None where it cannot be told."""
        try:
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
            if len(self._damaged) < MAX_REMEMBERED_DAMAGED:
                self._damaged.add(table)
            return None
        body = msgspec.json.encode(found)
        try:
            await self._store.save_results(table, found.version, sum(analysed.values()), body)
        except StoreError as error:
            # It has all been read; the next one reads it once more.
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
                await asyncio.to_thread(with_analysis, result, body)


def _decode_all(tables: Iterable[StoredResults]) -> dict[str, TableResults]:
    """What is kept of tables and can be read."""
    found = ((one.table, decode_results(one.body)) for one in tables if one.body is not None)
    return {table: results for table, results in found if results is not None}


def _build_page(
    found: _PersonResults, lang: str, before: Cursor | None, most: int
) -> messages.MatchHistoryPage:
    own = sorted(found.finished_matches(), key=lambda one: one.place, reverse=True)
    later = [one for one in own if before is None or one.place < before]
    listed = later[:most]
    first = before is None
    # What was taken over from another match was not his to decide.
    counted = [one for one in own if not one.result.resumed]
    return messages.MatchHistoryPage(
        matches=[_played_match(one) for one in listed],
        next=str(listed[-1].place) if len(later) > len(listed) else None,
        unread=found.unread,
        whole=found.whole,
        games=_results_by_game(counted, lang) if first else None,
        given=_mistakes_by_unit(counted, lang) if first else None,
    )


def _played_match(own: _FinishedMatch) -> messages.PlayedMatch:
    result, seat = own.result, own.seat
    return messages.PlayedMatch(
        table=own.place.table,
        match=own.place.match,
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


def _results_by_game(own: Iterable[_FinishedMatch], lang: str) -> list[messages.GameResults]:
    """What somebody has reached in each game, that first which he has played most."""
    games: dict[str, list[_FinishedMatch]] = defaultdict(list)
    for one in own:
        games[one.game].append(one)
    by_number = sorted(games.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_game_results(game, some, lang) for game, some in by_number]


def _game_results(game: str, own: Sequence[_FinishedMatch], lang: str) -> messages.GameResults:
    figure = _score_metric(game)
    counted = [one for one in own if one.result.figures is not None]
    rounds = sum(one.result.rounds for one in counted)
    total = sum(one.result.figures[one.seat] for one in counted if one.result.figures is not None)
    return messages.GameResults(
        game=game,
        matches=len(own),
        won=sum(one.seat in one.result.winners for one in own),
        mean=None if figure is None or not rounds else round(total / rounds, figure.digits),
        unit_text="" if figure is None else unit_text(lang, figure.unit),
        digits=0 if figure is None else figure.digits,
        high_is_good=figure is None or figure.higher_is_better,
    )


def _mistakes_by_unit(own: Sequence[_FinishedMatch], lang: str) -> list[messages.MistakesByUnit]:
    """What somebody has given away in the matches that were analysed, for each unit by time."""
    units: dict[str, list[_FinishedMatch]] = defaultdict(list)
    for one in own:
        figure = _score_metric(one.game)
        if figure is not None and one.result.decisions and one.result.decisions[one.seat]:
            units[figure.unit].append(one)
    return [
        messages.MistakesByUnit(
            unit=unit,
            unit_text=unit_text(lang, unit),
            digits=max(figure.digits for one in some if (figure := _score_metric(one.game))),
            matches=[_match_mistakes(one) for one in reversed(some[:MAX_POINTS_PER_UNIT])],
        )
        for unit, some in sorted(units.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _match_mistakes(own: _FinishedMatch) -> messages.MatchMistakes:
    place, result = own.place, own.result
    assert result.lost is not None
    assert result.decisions is not None
    return messages.MatchMistakes(
        table=place.table,
        match=place.match,
        game=own.game,
        ended=_format_time(result.ended),
        lost=result.lost[own.seat],
        decisions=result.decisions[own.seat],
    )


def _sides(game: str, players: int) -> list[list[int]]:
    """The seats of each side; everybody alone in most games."""
    sides = REGISTRY[game].sides if game in REGISTRY else ()
    return [list(one) for one in sides] or [[seat] for seat in range(players)]


def _score_metric(game: str) -> ScoreMetric | None:
    return REGISTRY[game].metric if game in REGISTRY else None


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
