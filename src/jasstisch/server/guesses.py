"""Finding tables for people, slowly for those who guess.

The id of a table is the secret of its link. Nobody guesses 128 bits, but whoever tries makes the
store look up each of them. So an address that has asked for too many tables that do not exist waits
before it may ask for another one that is not in memory.
"""

import re

from jasstisch.server.addresses import caller
from jasstisch.server.hall import Hall, UnknownTableError
from jasstisch.server.hosted import Hosted
from jasstisch.server.incidents import Incidents

__all__ = ["Guesses", "TooManyGuessesError"]

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{16,32}")


class TooManyGuessesError(Exception):
    """An address has asked for too many tables that do not exist."""


class Guesses:
    """Finds tables, and counts the ids that name none.

    Args:
        hall: the tables.
        incidents: where guessing is noted.
    """

    def __init__(self, hall: Hall, incidents: Incidents) -> None:
        most = hall.services.limits.unknown_tables_per_minute
        self._hall = hall
        self._incidents = incidents
        self._most = most
        services = hall.services
        self._buckets = services.shared.buckets("unknown_tables", most / 60, most, services.now)

    async def find(self, table: str, address: str) -> Hosted:
        """The table of this id; see `Hall.find`.

        Args:
            table: what may be an id.
            address: who asks.

        Raises:
            TooManyGuessesError: this address has guessed too often.
            UnknownTableError: there is none.
            BusyError: too many tables are in memory, or in use at this address.
            StoreError: it cannot be read.
        """
        live = self._hall.known(table)
        if live is not None:
            return live
        if TABLE_ID.fullmatch(table) is None:
            raise UnknownTableError(table)
        now = self._hall.services.now
        counted = caller(address)
        bucket = self._buckets.of(counted, now())
        if not bucket.allows(now()):
            self._incidents.note("limit_hit", "unknown_tables_per_minute", address)
            text = f"at most {self._most} tables a minute that do not exist, please"
            raise TooManyGuessesError(text)
        try:
            return await self._hall.find(table, counted)
        except UnknownTableError:
            # Only now: whoever comes back to tables that exist is never slowed down. Many guesses
            # at once are all counted, and owed.
            bucket.charge(now())
            raise

    async def find_for(
        self,
        person: str | None,
        table: str,
        key: str | None,
        address: str,
        match: int | None = None,
    ) -> Hosted:
        """The table of this id, for somebody who may know of it; see `find`.

        Args:
            person: who asks; None for somebody without an identity.
            table: what may be an id.
            key: what his link has besides, if anything.
            address: where he calls from.
            match: which match of it he wants to know of as well.

        Raises:
            UnknownTableError: there is none, or the host has renewed its link since, or published
                it, but not that match.
        """
        live = await self.find(table, address)
        if not await live.admits(person, key, match):
            raise UnknownTableError(table)
        return live
