"""The REST calls of the client, under one identity."""

import asyncio
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPSConnection
from typing import Any, Literal, TypeVar
from urllib.parse import SplitResult, urlencode, urlsplit

import msgspec

from jasstisch.client.errors import RequestError
from jasstisch.client.told_messages import read_room
from jasstisch.server.api import COOKIE_NAME, LINK_KEY_HEADER, SECURE_COOKIE_NAME, bodies, messages
from jasstisch.tutorials import get_tutorial

_HTTP_TIMEOUT_S = 30.0

_T = TypeVar("_T")


class RestClient:
    """The REST interface of a table server, under one identity.

    Args:
        url: the server's address, such as `http://127.0.0.1:8000`.
        token: the identity of an earlier session; without one, or if it is unknown, the server
            assigns a new identity.

    Attributes:
        token: the identity: keep it secret, and store it to return to the same seats.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        parts = _parse_url(url)
        self.token = token
        self._secure = parts.scheme == "https"
        self._host = parts.netloc

    async def games(self) -> list[bodies.GameInfo]:
        """The games of the server, with their options."""
        return await self._call(list[bodies.GameInfo], "GET", "/api/games")

    async def create_table(  # noqa: PLR0913 - one keyword for each part of `NewTable`
        self,
        game: str,
        seats: Sequence[str],
        *,
        name: str = "",
        face: int = 0,
        options: dict[str, int | str | None] | None = None,
        thinking_time: int | Literal["unlimited"] | None = None,
        pause: int = 0,
        start: bool = False,
        hints: bool = False,
        stand_in: str | None = None,
        starters: Literal["all", "host"] = "host",
    ) -> bodies.CreatedTable:
        """Creates a table; see `NewTable` for the meaning of each part.

        Raises:
            RequestError: the server refused.
        """
        new = bodies.NewTable(
            game=game,
            seats=list(seats),
            options=options or {},
            name=name,
            face=face,
            thinking_time=thinking_time,
            pause=pause,
            start=start,
            hints=hints,
            stand_in=stand_in,
            starters=starters,
        )
        return await self.create_table_from(new)

    async def create_table_from(self, new: bodies.NewTable) -> bodies.CreatedTable:
        """Creates a table.

        Raises:
            RequestError: the server refused.
        """
        return await self._call(bodies.CreatedTable, "POST", "/api/tables", new)

    async def create_tutorial_table(
        self, game: str, *, name: str = "", pause: int = 0
    ) -> bodies.CreatedTable:
        """Creates a table that begins with the tutorial of a game for this client.

        Raises:
            RequestError: the server refused.
            GameError: the game has no tutorial.
        """
        players = len(get_tutorial(game).script)
        new = bodies.NewTable(
            game=game,
            seats=["me", *["bot:greedy"] * (players - 1)],
            name=name,
            pause=pause,
            start=True,
            guided=True,
        )
        return await self.create_table_from(new)

    async def get_room(self, table: str, key: str | None = None) -> messages.RoomInfo:
        """The room of a table, for everybody with the link; `key` as in `watch`."""
        return read_room(await self._call(dict[str, Any], "GET", f"/api/tables/{table}", key=key))

    async def record(
        self, table: str, key: str | None = None, *, match: int | None = None
    ) -> dict[str, Any]:
        """The record of a finished match: the last one, or another by its number.

        Args:
            table: the table's id.
            key: as in `watch`.
            match: number of the match at the table, from 1.

        Raises:
            RequestError: the server refused.
        """
        which = "" if match is None else f"/matches/{match}"
        return await self._call(
            dict[str, Any], "GET", f"/api/tables/{table}{which}/record", key=key
        )

    async def replay(
        self, table: str, match: int, seat: int | None = None, key: str | None = None
    ) -> messages.Replay:
        """The replay of a finished match, or of the finished rounds of a match in progress.

        Args:
            table: the table's id.
            match: number of the match at the table, from 1.
            seat: the seat whose view is shown; None for the client's own, the only one allowed
                until the match is over.
            key: as in `watch`.

        Raises:
            RequestError: the server refused.
        """
        query = "" if seat is None else f"?seat={seat}"
        path = f"/api/tables/{table}/matches/{match}/replay{query}"
        return await self._call(messages.Replay, "GET", path, key=key)

    async def create_join_code(self, table: str, key: str | None = None) -> bodies.IssuedCode:
        """Creates a join code for a table, valid for some seconds; `key` as in `watch`.

        Raises:
            RequestError: the table does not exist, or too many codes were created.
        """
        return await self._call(bodies.IssuedCode, "POST", f"/api/tables/{table}/code", key=key)

    async def resolve_join_code(self, code: str) -> bodies.JoinCodeTarget:
        """The table of a join code.

        Raises:
            RequestError: the code is invalid or has expired.
        """
        return await self._call(bodies.JoinCodeTarget, "POST", "/api/codes", bodies.CodeInput(code))

    async def resume_match(
        self,
        table: str,
        match: int,
        step: int,
        *,
        name: str,
        seat: int | None = None,
        face: int = 0,
        key: str | None = None,
    ) -> bodies.CreatedTable:
        """Resumes a finished match from one of its steps, at a new table against bots.

        Args:
            table: the id of the match's table.
            match: number of the match at the table, from 1.
            step: the number of steps of its record to keep.
            name: the nickname to use.
            seat: the seat to take; None for the client's own seat, or else a seat that is to act.
            face: the face to use.
            key: as in `watch`.

        Raises:
            RequestError: the server refused.
        """
        wish = bodies.ResumeMatch(step, name, seat, face)
        path = f"/api/tables/{table}/matches/{match}/resume"
        return await self._call(bodies.CreatedTable, "POST", path, wish, key=key)

    async def analysis(
        self, table: str, match: int, lang: str = "en", key: str | None = None
    ) -> bodies.AnalysisState:
        """The status of the analysis of a match, with the analysis once it is complete.

        Args:
            table: the table's id.
            match: number of the match at the table, from 1.
            lang: the language of its texts.
            key: as in `watch`.

        Raises:
            RequestError: the server refused.
        """
        return await self._analysis("GET", table, match, lang, key)

    async def analyse(
        self, table: str, match: int, lang: str = "en", key: str | None = None
    ) -> bodies.AnalysisState:
        """Requests the analysis of a match, unless it exists; returns the same as `analysis`.

        It takes the server a few seconds for each round: poll `analysis` until it is complete.

        Raises:
            RequestError: the server refused.
        """
        return await self._analysis("POST", table, match, lang, key)

    async def _analysis(
        self, method: str, table: str, match: int, lang: str, key: str | None
    ) -> bodies.AnalysisState:
        path = f"/api/tables/{table}/matches/{match}/analysis?lang={lang}"
        return await self._call(bodies.AnalysisState, method, path, key=key)

    async def matches(
        self, before: str | None = None, limit: int = 25, lang: str = "en"
    ) -> bodies.MatchHistoryPage:
        """The finished matches of this client, the latest first.

        Args:
            before: the `next` of the previous page, to get the page after it.
            limit: the size of the page, up to 100.
            lang: the language of the names of units.

        Raises:
            RequestError: the server refused.
        """
        query = urlencode({"limit": limit, "lang": lang} | ({"before": before} if before else {}))
        return await self._call(bodies.MatchHistoryPage, "GET", f"/api/me/matches?{query}")

    async def _call(
        self,
        answer: type[_T],
        method: str,
        path: str,
        body: msgspec.Struct | None = None,
        key: str | None = None,
    ) -> _T:
        """Sends a request and decodes the answer."""
        sent = None if body is None else msgspec.json.encode(body)
        return msgspec.json.decode(await self._http(method, path, sent, key), type=answer)

    async def _http(
        self, method: str, path: str, body: bytes | None = None, key: str | None = None
    ) -> bytes:
        return await asyncio.to_thread(self._http_blocking, method, path, body, key)

    def _http_blocking(self, method: str, path: str, body: bytes | None, key: str | None) -> bytes:
        kind = HTTPSConnection if self._secure else HTTPConnection
        connection = kind(self._host, timeout=_HTTP_TIMEOUT_S)
        try:
            headers = self._headers("application/json")
            headers |= {} if key is None else {LINK_KEY_HEADER: key}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        if answer.status >= 400:
            raise _error_from_response(answer.status, text)
        for cookie in answer.msg.get_all("set-cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            if name == self._cookie and value:
                self.token = value
        return text

    @property
    def _cookie(self) -> str:
        return SECURE_COOKIE_NAME if self._secure else COOKIE_NAME

    def _headers(self, content: str | None = None) -> dict[str, str]:
        headers = {} if content is None else {"Content-Type": content}
        return (
            headers if self.token is None else headers | {"Cookie": f"{self._cookie}={self.token}"}
        )


def _parse_url(url: str) -> SplitResult:
    """Parses the URL of a server.

    Raises:
        ValueError: the URL is not valid.
    """
    wrong = ValueError(f"a server's address is like http://127.0.0.1:8000, not {url!r}")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
        host.encode("idna")  # as the connection does: no label may be empty or too long
    except ValueError as error:
        raise wrong from error
    if not host or parts.scheme not in ("http", "https"):
        raise wrong
    return parts


def _error_from_response(status: int, text: bytes) -> Exception:
    """The exception for an HTTP error; a table server gives its reason in the body."""
    try:
        return RequestError(msgspec.json.decode(text, type=bodies.ErrorBody))
    except msgspec.MsgspecError:
        return ConnectionError(f"no table server answers there, but HTTP {status}")
