"""The routes of the personal page: the caller's match history and the export of their data."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from jasstisch.i18n.templates import LANGUAGES
from jasstisch.server.api import bodies
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    Language,
    check_language,
    find_caller,
    get_client_address,
    get_services,
)
from jasstisch.server.http.routing import Endpoint, get
from jasstisch.server.tables import Cursor

_MAX_PAGE_SIZE = 100
"""The maximum number of matches on a page."""

_ERRORS = (400, 403, 429, 503)

_PageCursor = Annotated[
    Annotated[str, Meta(pattern=r"^[0-9]{1,12}\.[A-Za-z0-9_-]{1,64}\.[0-9]{1,7}$")] | None,
    Meta(description="The `next` of the page before; without it the latest ones."),
]
_PageSize = Annotated[int, Meta(description="How many at most.", ge=1, le=_MAX_PAGE_SIZE)]


@get(
    "/api/me/matches",
    summary="The matches one has played",
    errors=(*_ERRORS, 404),
)
async def list_matches(
    request: Request,
    before: _PageCursor = None,
    limit: _PageSize = 25,
    lang: Language = LANGUAGES[0],
) -> bodies.MatchHistoryPage:
    """The caller's finished matches, latest first, in pages.

    The list is empty for a caller without an identity.
    """
    check_language(lang)
    person = await find_caller(request)
    if person is None:
        return bodies.MatchHistoryPage([], None, 0, whole=True, games=[], given=[])
    place = None if before is None else Cursor.parse(before)
    own = get_services(request).match_history
    return await own.page(person, get_client_address(request), lang, place, limit)


@get(
    "/api/me/export",
    summary="All that is kept of one",
    response=dict[str, Any],
    errors=_ERRORS,
)
async def export_data(request: Request) -> StreamingResponse:
    """All data stored about the caller, as one file, without secrets and other people's data."""
    person = await find_caller(request)
    if person is None:
        raise ApiError("no_identity", "you came without an identity: nothing is kept of you")
    own = get_services(request).match_history
    pieces = await own.export_personal_data(person, get_client_address(request))
    headers = {"content-disposition": 'attachment; filename="jasstisch.json"'}
    return _TimeLimitedStream(pieces, own.export_timeout_s, headers)


def me_routes() -> list[Endpoint]:
    """The routes of the personal page."""
    return [list_matches, export_data]


class _TimeLimitedStream(StreamingResponse):
    """A streamed JSON text that is cut off after a time limit."""

    media_type = "application/json"

    def __init__(
        self, pieces: AsyncIterator[bytes], seconds: float, headers: dict[str, str]
    ) -> None:
        super().__init__(pieces, headers=headers)
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the response, no longer than the time limit."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                await super().__call__(scope, receive, send)
