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

from jasstisch.games.figures import Figure
from jasstisch.games.rules import REGISTRY
from jasstisch.server import messages
from jasstisch.server.addresses import caller
from jasstisch.server.calls import RefusedError
from jasstisch.server.dossier import dossier_pieces
from jasstisch.server.hall import BusyError
from jasstisch.server.log import failure, log, short
from jasstisch.server.reason_texts import unit_text
from jasstisch.server.results import MatchResult, TableResults, judged, read, results
from jasstisch.server.services import Services
from jasstisch.store import DamagedError, KeptResults, StoreError
from jasstisch.store.leases import TooNewError

__all__ = ["OwnMatches", "Place"]

AT_A_TIME = 500
"""The results of so many tables are fetched at one go."""

SECONDS = 1.0
"""So long tables are read for one call; whoever has more of them asks again."""

MOST_POINTS = 500
"""So many matches of a unit, the latest ones, are told in the order of time."""

MOST_DAMAGED = 10_000
"""So many damaged tables are remembered, so that nobody has them read again and again."""


class Place(Struct, frozen=True, order=True):
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
    def read(cls, text: str) -> "Place":
        """A place as it was told: three parts, of which the first and the last are numbers."""
        ended, table, match = text.split(".")
        return cls(int(ended), table, int(match))

    def __str__(self) -> str:
        return f"{self.ended}.{self.table}.{self.match}"


class _Own(Struct, frozen=True):
    """A match that somebody has finished, and which seat he held."""

    place: Place
    game: str
    seat: int
    result: MatchResult


class _Found(Struct, frozen=True):
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

    def own(self) -> Iterator[_Own]:
        """The matches that he has played."""
        for table, found in self.results.items():
            for result in found.matches:
                if self.person in result.seats:
                    place = Place(result.ended, table, result.number)
                    yield _Own(place, found.game, result.seats[self.person], result)


class _Slots:
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
        self._taken: Counter[str] = Counter()

    def take(self, address: str) -> ExitStack:
        """A slot, held until it is closed.

        Raises:
            RefusedError: too many from there are being served.
            BusyError: too many are being served.
        """
        counted = caller(address)
        if self._taken[counted] >= self._per_address:
            most = self._per_address
            raise RefusedError("too_fast", f"at most {most} {self._what} at a time, please")
        if self._taken.total() >= self._most:
            raise BusyError(f"too many {self._what} are being made; try again in a minute")
        self._taken[counted] += 1
        slot = ExitStack()
        slot.callback(self._free, counted)
        return slot

    def _free(self, counted: str) -> None:
        self._taken[counted] -= 1
        self._taken += Counter()  # without those of whom none is served


class OwnMatches:
    """Makes the lists of what people have played, and the files of all that is kept of them.

    Args:
        services: the store and the limits.
    """

    def __init__(self, services: Services) -> None:
        limits = services.limits
        self._services = services
        self._store = services.store
        self._limits = limits
        self._turn = asyncio.Lock()
        self._lists = _Slots(
            "lists of matches", limits.match_lists_per_address, limits.match_lists_waiting
        )
        self._exports = _Slots(
            "files of all that is kept", limits.exports_per_address, limits.exports_under_way
        )
        self._damaged: set[str] = set()
        rate = limits.match_lists_per_minute / 60
        self._asked = services.shared.buckets(
            "match_lists", rate, limits.match_lists_per_minute, services.now
        )

    async def page(
        self, person: str, address: str, lang: str, before: Place | None, most: int
    ) -> messages.OwnMatches:
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
        self._check(person, address)
        with self._lists.take(address):
            async with self._turn:
                found = await self._found(person)
            return await asyncio.to_thread(_page, found, lang, before, most)

    @property
    def export_seconds(self) -> float:
        """After how long a file of all that is kept of somebody ends."""
        return self._limits.export_seconds

    async def everything(self, person: str, address: str) -> AsyncIterator[bytes]:
        """All that is kept of somebody, as the pieces of one JSON text.

        Whoever fetches them slowly keeps nobody from his list, and is in nobody's way for long:
        `export_seconds`.

        Raises:
            RefusedError: he asks too often, or too many from there fetch theirs.
            BusyError: too many fetch theirs.
        """
        self._check(person, address)
        slot = self._exports.take(address)
        # Also where nobody ever asks for the first piece.
        asyncio.get_running_loop().call_later(self._limits.export_seconds, slot.close)
        return self._pieces(person, slot)

    async def _pieces(self, person: str, slot: ExitStack) -> AsyncIterator[bytes]:
        with slot:
            pieces = dossier_pieces(self._store, person, self._store.now())
            while True:
                # Others have their turn while this one's connection takes what it gets.
                async with self._turn:
                    piece = await anext(pieces, None)
                if piece is None:
                    return
                yield piece

    def _check(self, person: str, address: str) -> None:
        services, limits, now = self._services, self._limits, self._services.now()
        if not self._asked.of(person, now).take(now):
            services.incidents.note("limit_hit", "match_lists", address)
            most = limits.match_lists_per_minute
            raise RefusedError("too_fast", f"at most {most} lists of matches a minute, please")

    async def _found(self, person: str) -> _Found:
        tables = await self._tables(person)
        known = await asyncio.to_thread(_decoded, tables)
        unread = await self._read_on(tables, known)
        whole = len(tables) < self._limits.listed_tables
        return _Found(person, known, unread, whole)

    async def _tables(self, person: str) -> list[KeptResults]:
        """The tables of somebody, those touched last first."""
        found: list[KeptResults] = []
        while len(found) < self._limits.listed_tables:
            most = min(AT_A_TIME, self._limits.listed_tables - len(found))
            some = await self._store.results_of(person, most, len(found))
            found += some
            if len(some) < most:
                break
        return found

    async def _read_on(self, tables: Iterable[KeptResults], known: dict[str, TableResults]) -> int:
        """Reads tables of which nothing is known, for a while; how many are left."""
        until = monotonic() + SECONDS
        unread = [
            one.table for one in tables if one.table not in known and one.table not in self._damaged
        ]
        for done, table in enumerate(unread):
            if monotonic() > until:
                return len(unread) - done
            found = await self._read(table)
            if found is not None:
                known[table] = found
        return 0

    async def _read(self, table: str) -> TableResults | None:
        """What has come of the matches of a table; None where it cannot be told."""
        try:
            events, times = await self._store.load(table), await self._store.times(table)
            if not events:  # deleted since it was listed
                return None
            found = await asyncio.to_thread(results, events, times)
            analysed = await self._store.analysed(table)
            await self._judge(table, found, analysed)
        except TooNewError:
            return None
        except (DamagedError, ValueError) as error:
            log.error("table_damaged", table=short(table), **{"cause": "damaged", **failure(error)})
            if len(self._damaged) < MOST_DAMAGED:
                self._damaged.add(table)
            return None
        body = msgspec.json.encode(found)
        try:
            await self._store.keep_results(table, found.version, sum(analysed.values()), body)
        except StoreError as error:
            # It has all been read; the next one reads it once more.
            log.error("results_not_kept", table=short(table), **failure(error))
        return found

    async def _judge(self, table: str, found: TableResults, analysed: Container[int]) -> None:
        for result in found.matches:
            if result.number not in analysed:
                continue
            try:
                body = await self._store.analysis(table, result.number)
            except DamagedError as error:
                log.error("analysis_damaged", table=short(table), **failure(error))
                continue
            if body is not None:
                await asyncio.to_thread(judged, result, body)


def _decoded(tables: Iterable[KeptResults]) -> dict[str, TableResults]:
    """What is kept of tables and can be read."""
    found = ((one.table, read(one.body)) for one in tables if one.body is not None)
    return {table: results for table, results in found if results is not None}


def _page(found: _Found, lang: str, before: Place | None, most: int) -> messages.OwnMatches:
    own = sorted(found.own(), key=lambda one: one.place, reverse=True)
    later = [one for one in own if before is None or one.place < before]
    listed = later[:most]
    first = before is None
    # What was taken over from another match was not his to decide.
    counted = [one for one in own if not one.result.resumed]
    return messages.OwnMatches(
        matches=[_told(one) for one in listed],
        next=str(listed[-1].place) if len(later) > len(listed) else None,
        unread=found.unread,
        whole=found.whole,
        games=_by_game(counted, lang) if first else None,
        given=_given(counted, lang) if first else None,
    )


def _told(own: _Own) -> messages.OwnMatch:
    result, seat = own.result, own.seat
    return messages.OwnMatch(
        table=own.place.table,
        match=own.place.match,
        game=own.game,
        ended=_time(result.ended),
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


def _by_game(own: Iterable[_Own], lang: str) -> list[messages.GameResults]:
    """What somebody has reached in each game, that first which he has played most."""
    games: dict[str, list[_Own]] = defaultdict(list)
    for one in own:
        games[one.game].append(one)
    by_number = sorted(games.items(), key=lambda item: (-len(item[1]), item[0]))
    return [_of_game(game, some, lang) for game, some in by_number]


def _of_game(game: str, own: Sequence[_Own], lang: str) -> messages.GameResults:
    figure = _figure(game)
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
        high_is_good=figure is None or figure.high_is_good,
    )


def _given(own: Sequence[_Own], lang: str) -> list[messages.GivenAway]:
    """What somebody has given away in the matches that were analysed, for each unit by time."""
    units: dict[str, list[_Own]] = defaultdict(list)
    for one in own:
        figure = _figure(one.game)
        if figure is not None and one.result.decisions and one.result.decisions[one.seat]:
            units[figure.unit].append(one)
    return [
        messages.GivenAway(
            unit=unit,
            unit_text=unit_text(lang, unit),
            digits=max(figure.digits for one in some if (figure := _figure(one.game))),
            matches=[_given_in(one) for one in reversed(some[:MOST_POINTS])],
        )
        for unit, some in sorted(units.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _given_in(own: _Own) -> messages.GivenInMatch:
    place, result = own.place, own.result
    assert result.lost is not None
    assert result.decisions is not None
    return messages.GivenInMatch(
        table=place.table,
        match=place.match,
        game=own.game,
        ended=_time(result.ended),
        lost=result.lost[own.seat],
        decisions=result.decisions[own.seat],
    )


def _sides(game: str, players: int) -> list[list[int]]:
    """The seats of each side; everybody alone in most games."""
    sides = REGISTRY[game].sides if game in REGISTRY else ()
    return [list(one) for one in sides] or [[seat] for seat in range(players)]


def _figure(game: str) -> Figure | None:
    return REGISTRY[game].figure if game in REGISTRY else None


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
