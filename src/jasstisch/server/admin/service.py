"""Executes the administrative requests of an operator, however they arrive.

The service does not depend on sockets. Each request is executed like a request of a table or a
person: closing a table, or removing a nickname, is an event in the log of the table.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from heapq import nlargest
from typing import Any

from jasstisch.engine.errors import count_seats_from_one
from jasstisch.server.admin import messages as admin
from jasstisch.server.errors import ServerBusyError, TableNotFoundError
from jasstisch.server.identity import export_person, new_link_key
from jasstisch.server.observability import log, short_id
from jasstisch.server.tables import TableRegistry
from jasstisch.storage import Ban, StoredTable, StoreError
from jasstisch.table import RoomInfo, TableError, commands

HASH_DIGITS_SHOWN = 10
"""How many digits of a person's hash are shown."""

_PAGE_SIZE = 500
"""How many tables are listed in one batch."""

_MAX_TABLES_SCANNED = 2000
"""How many tables are examined at most when a filter is given."""


class _RejectedError(Exception):
    """The request is impossible; the message is the answer."""


class AdminService:
    """Executes requests of an operator.

    Args:
        registry: the tables and identities.
    """

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._store = registry.context.store
        self._handlers: dict[type, Callable[[Any], Awaitable[admin.Response]]] = {
            admin.ListTables: self._list_tables,
            admin.CloseTable: self._close_table,
            admin.RemoveNickname: self._remove_nickname,
            admin.UnpublishTable: self._unpublish_table,
            admin.BanPerson: self._ban_person,
            admin.ListBans: self._list_bans,
            admin.UnbanPerson: self._unban_person,
            admin.ExportPerson: self._export_person,
            admin.DeletePerson: self._delete_person,
        }

    async def handle(self, call: admin.Call) -> admin.Response:
        """Executes a request, or rejects it with a reason."""
        try:
            return await self._handlers[type(call)](call)
        except (_RejectedError, ServerBusyError) as error:
            return admin.Rejected(str(error))
        except TableError as error:
            return admin.Rejected(count_seats_from_one(str(error)))
        except TableNotFoundError:
            return admin.Rejected("there is no such table any more")
        except StoreError as error:
            return admin.Rejected(f"the store cannot do it: {error}")

    # Tables.

    async def _list_tables(self, wanted: admin.ListTables) -> admin.TableList:
        kept = [one async for one in self._iter_stored_tables()]
        if wanted.live:
            kept = [one for one in kept if self._registry.peek_table(one.table) is not None]
        chosen = wanted.game is not None or wanted.phase is not None
        most = _MAX_TABLES_SCANNED if chosen else wanted.most
        found: list[admin.TableRow] = []
        looked = 0
        for one in nlargest(most, kept, key=lambda kept: kept.last_event_at):
            looked += 1
            row = await self._table_row(one)
            if row is not None and _matches_filter(row, wanted):
                found.append(row)
            if len(found) == wanted.most:
                break
        return admin.TableList(found, looked, len(kept))

    async def _iter_stored_tables(self) -> AsyncIterator[StoredTable]:
        after, more = "", True
        while more:
            some = await self._store.list_tables(after, _PAGE_SIZE)
            for one in some:
                yield one
            more = len(some) == _PAGE_SIZE and some[-1].table > after
            after = some[-1].table if some else after

    async def _table_row(self, kept: StoredTable) -> admin.TableRow | None:
        """The description of a table; None if it has just been deleted."""
        try:
            room, people = await self._room_and_people(kept.table)
        except TableNotFoundError:
            return None
        except StoreError:
            return admin.TableRow(kept.table, "", "damaged", False, kept.last_event_at, [])
        seats = [
            admin.SeatRow(seat.kind, seat.name, None if who is None else who[:HASH_DIGITS_SHOWN])
            for seat, who in zip(room.seats, people, strict=True)
        ]
        there = self._registry.peek_table(kept.table) is not None
        return admin.TableRow(kept.table, room.game, room.phase, there, kept.last_event_at, seats)

    async def _room_and_people(self, table: str) -> tuple[RoomInfo, list[str | None]]:
        """The room of a table and the person in each seat, wherever the table is in memory.

        Raises:
            TableNotFoundError: the table does not exist.
            StoreError: it cannot be read.
        """
        handle = self._registry.get_local(table)
        if handle is not None:
            return handle.room, handle.person_by_seat
        # A table held by another node is read from its log, which contains everything published.
        state = (await self._registry.read_detached(table)).state
        return state.room(), [place.person for place in state.seats]

    async def _resolve_table(self, named: str) -> str:
        """The id of the one table with a prefix.

        Raises:
            _RejectedError: there is none, or several.
        """
        # Ids with the prefix are greater than all texts whose last character is smaller; "~" occurs
        # in no id.
        before = f"{named[:-1]}{chr(ord(named[-1]) - 1)}~"
        some = await self._store.list_tables(before, 2)
        found = [one.table for one in some if one.table.startswith(named)]
        if not found:
            raise _RejectedError(f"there is no table {named}")
        if len(found) > 1 and named not in found:
            raise _RejectedError(f"several tables begin with {named}; name more of the id")
        return found[0]

    async def _close_table(self, call: admin.CloseTable) -> admin.Ok:
        table = await self._resolve_table(call.table)
        await (await self._registry.get_table(table)).administer(commands.AdminClose())
        log.info("admin_closed", table=short_id(table))
        return admin.Ok(f"table {short_id(table)}… is closed")

    async def _unpublish_table(self, call: admin.UnpublishTable) -> admin.Ok:
        table = await self._resolve_table(call.table)
        await (await self._registry.get_table(table)).administer(
            commands.AdminUnpublish(new_link_key())
        )
        log.info("admin_unlisted", table=short_id(table))
        return admin.Ok(f"table {short_id(table)}… is not in the list of published tables")

    async def _remove_nickname(self, call: admin.RemoveNickname) -> admin.Ok:
        table = await self._resolve_table(call.table)
        handle = await self._registry.get_table(table)
        await handle.administer(commands.AdminRemoveNickname(call.seat))
        log.info("admin_renamed", table=short_id(table), seat=call.seat + 1)
        return admin.Ok(
            f"whoever was named at seat {call.seat + 1} of table {short_id(table)}… is N. N. now"
        )

    # People.

    async def _resolve_person(self, named: str) -> str:
        """The one person with a prefix.

        Raises:
            _RejectedError: there is none, or several.
        """
        found = await self._store.identity_store.find_by_id_prefix(named, 2)
        if not found:
            raise _RejectedError(f"nobody is known as {named}")
        if len(found) > 1 and named not in found:
            raise _RejectedError(f"several people are known as {named}; name more digits")
        return found[0]

    async def _ban_person(self, call: admin.BanPerson) -> admin.Ok:
        who = await self._ban_target(call)
        now = self._store.now()
        until = None if call.hours is None else now + call.hours * 3600
        await self._registry.identity_service.ban(Ban(who, now, until, call.reason))
        return admin.Ok(f"{who[:HASH_DIGITS_SHOWN]} is kept out")

    async def _ban_target(self, call: admin.BanPerson) -> str:
        """The person to ban.

        Raises:
            _RejectedError: there is no such person, or the request names none.
        """
        match call:
            case admin.BanPerson(person=str(person), table=None, seat=None):
                return await self._resolve_person(person)
            case admin.BanPerson(person=None, table=str(table), seat=int(seat)):
                _, people = await self._room_and_people(await self._resolve_table(table))
                who = people[seat] if seat < len(people) else None
                if who is None:
                    raise _RejectedError(f"no person holds seat {seat + 1} there")
                return who
            case _:
                raise _RejectedError("name a person, or a table and a seat")

    async def _list_bans(self, _: admin.ListBans) -> admin.BanList:
        return admin.BanList(
            [
                admin.BanRow(ban.person[:HASH_DIGITS_SHOWN], ban.since, ban.until, ban.reason)
                for ban in await self._registry.identity_service.list_bans()
            ]
        )

    async def _unban_person(self, call: admin.UnbanPerson) -> admin.Ok:
        who = await self._resolve_person(call.person)
        if not await self._registry.identity_service.unban(who):
            raise _RejectedError(f"{who[:HASH_DIGITS_SHOWN]} is not kept out")
        return admin.Ok(f"{who[:HASH_DIGITS_SHOWN]} may come in again")

    async def _export_person(self, call: admin.ExportPerson) -> admin.ExportedData:
        who = await self._resolve_person(call.person)
        return admin.ExportedData(await export_person(self._store, who, self._store.now()))

    async def _delete_person(self, call: admin.DeletePerson) -> admin.Ok:
        who = await self._resolve_person(call.person)
        await self._registry.identity_service.erase(who)
        return admin.Ok(
            f"{who[:HASH_DIGITS_SHOWN]} is known no longer; "
            "the tables are left within moments, and those "
            "where nobody else has sat are deleted"
        )


def _matches_filter(row: admin.TableRow, wanted: admin.ListTables) -> bool:
    return wanted.game in (None, row.game) and wanted.phase in (None, row.phase)
