"""A server that lies over real connections: the running one, with other messages."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from jasstisch.server.api import messages
from jasstisch.server.errors import ApiError, TableNotFoundError
from jasstisch.server.identity.service import IdentityService
from jasstisch.server.tables import broadcaster
from jasstisch.server.tables.handle import TableHandle
from jasstisch.server.tables.lookup import TableLookup, Visitor

Room = dict[str, Any]


class LyingServer:
    """Changes the messages to everybody at a table, from a moment on.

    Attributes:
        lie: what it does to each room, or the changes to it, that it tells; None while honest.
        twist: what it does to each whole message that tells of a room; None while honest.
        told: the types of the messages in which it has lied.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lie: Callable[[Room], object] | None = None
        self.twist: Callable[[dict[str, Any]], object] | None = None
        self.told: list[str] = []
        self._is_gone = False
        self._bans_all = False
        self._honest_text = broadcaster.encode_message
        monkeypatch.setattr(broadcaster, "encode_message", self._encode)
        honest_find = TableLookup.find

        async def find(
            lookup: TableLookup, table: str, visitor: Visitor, match: int | None = None
        ) -> TableHandle:
            if self._is_gone:
                raise TableNotFoundError(table)
            return await honest_find(lookup, table, visitor, match)

        monkeypatch.setattr(TableLookup, "find", find)
        monkeypatch.setattr(IdentityService, "_check_not_banned", self._check_not_banned)

    def forget_tables(self) -> None:
        """Knows no table any more, also not for those who play there."""
        self._is_gone = True

    def ban_everybody(self) -> None:
        """Answers nobody any more who has an identity, once they connect anew."""
        self._bans_all = True

    def _check_not_banned(self, _: str) -> None:
        if self._bans_all:
            raise ApiError("banned", "you are banned")

    def _encode(self, message: messages.ServerMessage) -> bytes:
        text = self._honest_text(message)
        plain = json.loads(text)
        if self._is_gone:
            gone = "there is no such table"
            return self._honest_text(
                messages.ErrorMessage("unknown_table", gone, table=plain["table"])
            )
        if "room" not in plain:
            return text
        if self.lie is not None:
            self.lie(plain["room"])
        if self.twist is not None:
            self.twist(plain)
        lie = json.dumps(plain).encode()
        if json.loads(text) != plain:
            self.told.append(plain["type"])
        return lie
