"""What the host of a server may do to it while it runs: the calls, however they come in.

Nothing here knows of sockets. Each call is done as a request of a table or a person would be: a
table that is closed, or a name that is taken away, is an event in its log.
"""

from collections.abc import AsyncIterator
from heapq import nlargest

from jasstisch.server import admin_messages as admin
from jasstisch.server.dossier import dossier
from jasstisch.server.hall import BusyError, Hall, UnknownTableError
from jasstisch.server.identity import new_key
from jasstisch.server.log import log, short
from jasstisch.store import Ban, Kept, StoreError
from jasstisch.table import Room, TableError, commands

__all__ = ["SHOWN", "Administration"]

SHOWN = 10
"""So many digits of a person's hash are shown."""

AT_A_TIME = 500
"""So many tables are listed in one step."""

MOST_LOOKED_AT = 2000
"""So many tables are read at most where only some are wanted."""


class _RefusedError(Exception):
    """It cannot be done; the message is the answer."""


class Administration:
    """The calls of a server's host.

    Args:
        hall: the tables and people.
    """

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._store = hall.services.store

    async def answer(self, call: admin.Call) -> admin.Answer:
        """Does what a call asks for, or says why not."""
        try:
            return await self._do(call)
        except (_RefusedError, TableError, BusyError) as error:
            return admin.Refused(str(error))
        except UnknownTableError:
            return admin.Refused("there is no such table any more")
        except StoreError as error:
            return admin.Refused(f"the store cannot do it: {error}")

    async def _do(self, call: admin.Call) -> admin.Answer:
        match call:
            case admin.ListTables():
                return await self._tables(call)
            case admin.CloseTable(table):
                return await self._close(table)
            case admin.RemoveName(table, seat):
                return await self._remove_name(table, seat)
            case admin.Unlist(table):
                return await self._unlist(table)
            case _:
                return await self._about_people(call)

    async def _about_people(
        self,
        call: admin.BanPerson | admin.Bans | admin.Unban | admin.Export | admin.DeletePerson,
    ) -> admin.Answer:
        match call:
            case admin.BanPerson():
                return await self._ban(call)
            case admin.Bans():
                return await self._bans()
            case admin.Unban(person):
                return await self._unban(person)
            case admin.Export(person):
                who = await self._person(person)
                return admin.Exported(await dossier(self._store, who, self._store.now()))
            case admin.DeletePerson(person):
                return await self._delete(person)

    # Tables.

    async def _tables(self, wanted: admin.ListTables) -> admin.TableList:
        kept = [one async for one in self._every_table()]
        if wanted.live:
            kept = [one for one in kept if self._hall.known(one.table) is not None]
        chosen = wanted.game is not None or wanted.phase is not None
        most = MOST_LOOKED_AT if chosen else wanted.most
        found: list[admin.TableRow] = []
        looked = 0
        for one in nlargest(most, kept, key=lambda kept: kept.touched):
            looked += 1
            row = await self._row(one)
            if row is not None and _fits(row, wanted):
                found.append(row)
            if len(found) == wanted.most:
                break
        return admin.TableList(found, looked, len(kept))

    async def _every_table(self) -> AsyncIterator[Kept]:
        after, more = "", True
        while more:
            some = await self._store.tables(after, AT_A_TIME)
            for one in some:
                yield one
            more = len(some) == AT_A_TIME and some[-1].table > after
            after = some[-1].table if some else after

    async def _row(self, kept: Kept) -> admin.TableRow | None:
        """What is told of a table; None if it has just been deleted."""
        try:
            room, people = await self._looked(kept.table)
        except UnknownTableError:
            return None
        except StoreError:
            return admin.TableRow(kept.table, "", "damaged", False, kept.touched, [])
        seats = [
            admin.SeatRow(seat.kind, seat.name, None if who is None else who[:SHOWN])
            for seat, who in zip(room.seats, people, strict=True)
        ]
        there = self._hall.known(kept.table) is not None
        return admin.TableRow(kept.table, room.game, room.phase, there, kept.touched, seats)

    async def _looked(self, table: str) -> tuple[Room, list[str | None]]:
        """The room of a table and who holds its seats, wherever it is in memory.

        Raises:
            UnknownTableError: there is none.
            StoreError: it cannot be read.
        """
        live = self._hall.here(table)
        if live is not None:
            return live.room, live.people
        # What another node has told anybody stands in the log.
        state = (await self._hall.read(table)).state
        return state.room(), [place.person for place in state.places]

    async def _table(self, named: str) -> str:
        """The id of the one table that is named so.

        Raises:
            _RefusedError: there is none, or several.
        """
        # Ids that begin so follow all texts that are smaller in the last character; "~" is in none.
        before = f"{named[:-1]}{chr(ord(named[-1]) - 1)}~"
        some = await self._store.tables(before, 2)
        found = [one.table for one in some if one.table.startswith(named)]
        if not found:
            raise _RefusedError(f"there is no table {named}")
        if len(found) > 1 and named not in found:
            raise _RefusedError(f"several tables begin with {named}; name more of the id")
        return found[0]

    async def _close(self, named: str) -> admin.Done:
        table = await self._table(named)
        await (await self._hall.find(table)).operate(commands.Shut())
        log.info("admin_closed", table=short(table))
        return admin.Done(f"table {short(table)}… is closed")

    async def _unlist(self, named: str) -> admin.Done:
        table = await self._table(named)
        await (await self._hall.find(table)).operate(commands.Unlist(new_key()))
        log.info("admin_unlisted", table=short(table))
        return admin.Done(f"table {short(table)}… is not in the list of published tables")

    async def _remove_name(self, named: str, seat: int) -> admin.Done:
        table = await self._table(named)
        live = await self._hall.find(table)
        await live.operate(commands.Unname(seat))
        log.info("admin_renamed", table=short(table), seat=seat + 1)
        return admin.Done(
            f"whoever was named at seat {seat + 1} of table {short(table)}… is N. N. now"
        )

    # People.

    async def _person(self, named: str) -> str:
        """The one person who is named so.

        Raises:
            _RefusedError: there is none, or several.
        """
        found = await self._store.identities.people(named, 2)
        if not found:
            raise _RefusedError(f"nobody is known as {named}")
        if len(found) > 1 and named not in found:
            raise _RefusedError(f"several people are known as {named}; name more digits")
        return found[0]

    async def _ban(self, call: admin.BanPerson) -> admin.Done:
        who = await self._meant(call)
        now = self._store.now()
        until = None if call.hours is None else now + call.hours * 3600
        await self._hall.people.ban(Ban(who, now, until, call.reason))
        return admin.Done(f"{who[:SHOWN]} is kept out")

    async def _meant(self, call: admin.BanPerson) -> str:
        """Whom a ban is for.

        Raises:
            _RefusedError: nobody, or it does not say.
        """
        match call:
            case admin.BanPerson(person=str(person), table=None, seat=None):
                return await self._person(person)
            case admin.BanPerson(person=None, table=str(table), seat=int(seat)):
                _, people = await self._looked(await self._table(table))
                who = people[seat] if seat < len(people) else None
                if who is None:
                    raise _RefusedError(f"no person holds seat {seat + 1} there")
                return who
            case _:
                raise _RefusedError("name a person, or a table and a seat")

    async def _bans(self) -> admin.BanList:
        return admin.BanList(
            [
                admin.Banned(ban.person[:SHOWN], ban.since, ban.until, ban.reason)
                for ban in await self._hall.people.bans()
            ]
        )

    async def _unban(self, named: str) -> admin.Done:
        who = await self._person(named)
        if not await self._hall.people.unban(who):
            raise _RefusedError(f"{who[:SHOWN]} is not kept out")
        return admin.Done(f"{who[:SHOWN]} may come in again")

    async def _delete(self, named: str) -> admin.Done:
        who = await self._person(named)
        await self._hall.people.forget(who)
        self._hall.forgetting.wake()
        return admin.Done(
            f"{who[:SHOWN]} is known no longer; the tables are left within moments, and those "
            "where nobody else has sat are deleted"
        )


def _fits(row: admin.TableRow, wanted: admin.ListTables) -> bool:
    return wanted.game in (None, row.game) and wanted.phase in (None, row.phase)
