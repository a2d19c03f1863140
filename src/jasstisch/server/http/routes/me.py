"""The REST calls of the personal page: what the caller has played, and all that is kept of him."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any, cast

from litestar import Litestar, MediaType, Router, get
from litestar.params import Parameter
from litestar.response import Stream
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from jasstisch.i18n.templates import LANGUAGES
from jasstisch.server.api import messages
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    ERROR_RESPONSE,
    AnyRequest,
    Language,
    check_language,
    find_caller,
    get_client_address,
)
from jasstisch.server.tables import Cursor, MatchHistory

__all__ = ["me_routes"]

MAX_PAGE_SIZE = 100
"""So many matches are told at a time."""

_ERROR_RESPONSES = dict.fromkeys((400, 403, 429, 503), ERROR_RESPONSE)

PageCursor = Annotated[
    str | None,
    Parameter(
        description="The `next` of the page before; without it the latest ones.",
        pattern=r"^[0-9]{1,12}\.[A-Za-z0-9_-]{1,64}\.[0-9]{1,7}$",
    ),
]
PageSize = Annotated[int, Parameter(description="How many at most.", ge=1, le=MAX_PAGE_SIZE)]


@get(
    "/api/me/matches",
    summary="The matches one has played",
    responses=_ERROR_RESPONSES | {404: ERROR_RESPONSE},
)
async def list_matches(
    request: AnyRequest,
    before: PageCursor = None,
    limit: PageSize = 25,
    lang: Language = LANGUAGES[0],
) -> messages.MatchHistoryPage:
    """The matches that the caller has played and that are over, the latest first, by pages.

    Whoever has no identity has played none.
    """
    check_language(lang)
    person = await find_caller(request)
    if person is None:
        return messages.MatchHistoryPage([], None, 0, whole=True, games=[], given=[])
    place = None if before is None else Cursor.parse(before)
    own = _get_match_history(request)
    return await own.page(person, get_client_address(request), lang, place, limit)


@get(
    "/api/me/export",
    summary="All that is kept of one",
    media_type=MediaType.JSON,
    responses=_ERROR_RESPONSES,
)
async def export_data(request: AnyRequest) -> Stream:
    """All that is kept of the caller, as one file: no secret, and nobody else's either."""
    person = await find_caller(request)
    if person is None:
        raise ApiError("no_identity", "you came without an identity: nothing is kept of you")
    own = _get_match_history(request)
    pieces = await own.export_all(person, get_client_address(request))
    headers = {"content-disposition": 'attachment; filename="jasstisch.json"'}
    return _TimeLimitedStream(pieces, own.export_timeout_s, headers)


def me_routes() -> Router:
    """The calls, for the REST application."""
    return Router("", route_handlers=[list_matches, export_data])


class _TimeLimitedStream(Stream):
    """A JSON text in pieces that breaks off after some time, though nobody has fetched it all."""

    def __init__(
        self, pieces: AsyncIterator[bytes], seconds: float, headers: dict[str, str]
    ) -> None:
        super().__init__(pieces, media_type=MediaType.JSON, headers=headers)
        self._seconds = seconds

    def to_asgi_response(
        self,
        app: Litestar | None,
        request: AnyRequest,
        **given: Any,  # noqa: ANN401 - what litestar hands on
    ) -> ASGIResponse:
        """The response, which writes to its connection no longer than that."""
        whole = super().to_asgi_response(app, request, **given)

        async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._seconds):
                    await whole(scope, receive, send)

        return cast("ASGIResponse", bounded)


def _get_match_history(request: AnyRequest) -> MatchHistory:
    return cast("MatchHistory", request.app.state.own_matches)
