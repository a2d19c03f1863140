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

from jasstisch.guides.texts import LANGUAGES
from jasstisch.server import messages
from jasstisch.server.calls import (
    REFUSED,
    AnyRequest,
    Language,
    RefusedError,
    address_of,
    asker,
    check_language,
)
from jasstisch.server.own_matches import OwnMatches, Place

__all__ = ["own_calls"]

MOST_LISTED = 100
"""So many matches are told at a time."""

_ANSWERS = dict.fromkeys((400, 403, 429, 503), REFUSED)

Before = Annotated[
    str | None,
    Parameter(
        description="The `next` of the page before; without it the latest ones.",
        pattern=r"^[0-9]{1,12}\.[A-Za-z0-9_-]{1,64}\.[0-9]{1,7}$",
    ),
]
Listed = Annotated[int, Parameter(description="How many at most.", ge=1, le=MOST_LISTED)]


@get("/api/me/matches", summary="The matches one has played", responses=_ANSWERS | {404: REFUSED})
async def matches(
    request: AnyRequest,
    before: Before = None,
    limit: Listed = 25,
    lang: Language = LANGUAGES[0],
) -> messages.OwnMatches:
    """The matches that the caller has played and that are over, the latest first, by pages.

    Whoever has no identity has played none.
    """
    check_language(lang)
    person = await asker(request)
    if person is None:
        return messages.OwnMatches([], None, 0, whole=True, games=[], given=[])
    place = None if before is None else Place.read(before)
    own = _own_matches(request)
    return await own.page(person, address_of(request), lang, place, limit)


@get(
    "/api/me/export",
    summary="All that is kept of one",
    media_type=MediaType.JSON,
    responses=_ANSWERS,
)
async def export(request: AnyRequest) -> Stream:
    """All that is kept of the caller, as one file: no secret, and nobody else's either."""
    person = await asker(request)
    if person is None:
        raise RefusedError("no_identity", "you came without an identity: nothing is kept of you")
    own = _own_matches(request)
    pieces = await own.everything(person, address_of(request))
    headers = {"content-disposition": 'attachment; filename="jasstisch.json"'}
    return _Bounded(pieces, own.export_seconds, headers)


def own_calls() -> Router:
    """The calls, for the REST application."""
    return Router("", route_handlers=[matches, export])


class _Bounded(Stream):
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


def _own_matches(request: AnyRequest) -> OwnMatches:
    return cast("OwnMatches", request.app.state.own_matches)
