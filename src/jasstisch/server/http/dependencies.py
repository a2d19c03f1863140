"""What the REST routes share: the services, where a request comes from, and who sends it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, cast

from msgspec import Meta
from starlette.requests import Request

from jasstisch.i18n.templates import LANGUAGES
from jasstisch.server.api import LINK_KEY_HEADER, messages, openapi
from jasstisch.server.errors import ApiError
from jasstisch.server.net import is_https

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jasstisch.server.http.localization import LocalizedTexts
    from jasstisch.server.http.table_creation_limit import TableCreationLimit
    from jasstisch.server.identity import SetCookie
    from jasstisch.server.net import OriginPolicy
    from jasstisch.server.observability import AlertLog
    from jasstisch.server.tables import (
        MatchHistory,
        PublicTableIndex,
        ReplayService,
        TableHandle,
        TableLookup,
        TableRegistry,
    )

__all__ = [
    "LINK_KEY",
    "AnyRequest",
    "ApiContext",
    "ApiServices",
    "Language",
    "MatchNumber",
    "TableId",
    "check_language",
    "check_origin",
    "ensure_identity",
    "find_authorized_table",
    "find_caller",
    "get_api_context",
    "get_client_address",
    "get_registry",
    "get_response_cookies",
    "get_services",
    "set_cookies",
]

AnyRequest = Request

TableId = Annotated[str, Meta(description="The table's id.")]
MatchNumber = Annotated[int, Meta(description="Which match of the table, from 1.", ge=1, le=10**6)]
Language = Annotated[str, Meta(description="Such as `en`.", max_length=8)]

LINK_KEY = openapi.Parameter(
    LINK_KEY_HEADER,
    "header",
    Annotated[str, Meta(description="The key of the table's link, where the link was renewed.")],
    default=None,
)
"""The header that `find_authorized_table` reads."""


@dataclass(frozen=True, slots=True)
class ApiContext:
    """What the calls need besides the tables.

    Attributes:
        front: how the server is reached.
        guesses: finds tables for people.
        incidents: where refusals are noted.
        house: what the host has chosen for the page.
    """

    origins: "OriginPolicy"
    lookup: "TableLookup"
    alerts: "AlertLog"
    site_config: messages.SiteConfig


@dataclass(frozen=True, slots=True)
class ApiServices:
    """What the routes call.

    Attributes:
        registry: the tables.
        context: what is needed besides.
        creation_limit: keeps any one address from making tables without end.
        public_tables: the published tables.
        texts: the words for the games, and the rule sheets.
        replays: makes the replays.
        match_history: what people have played.
    """

    registry: "TableRegistry"
    context: ApiContext
    creation_limit: "TableCreationLimit"
    public_tables: "PublicTableIndex"
    texts: "LocalizedTexts"
    replays: "ReplayService"
    match_history: "MatchHistory"


def get_services(request: AnyRequest) -> ApiServices:
    """What the routes call."""
    return cast("ApiServices", request.app.services)


def get_api_context(request: AnyRequest) -> ApiContext:
    """What the routes need besides the tables."""
    return get_services(request).context


def get_registry(request: AnyRequest) -> "TableRegistry":
    """The tables of the server that is called."""
    return get_services(request).registry


def get_client_address(request: AnyRequest) -> str:
    """Where a call comes from, for what is counted by addresses."""
    return request.client.host if request.client else ""


def check_origin(request: AnyRequest) -> None:
    """Lets no page of another site change anything.

    Raises:
        ApiError: the call comes from one.
    """
    means = get_api_context(request)
    wrong = means.origins.origin_error(request.scope["headers"])
    if wrong is not None:
        means.alerts.report("request_refused", "origin", get_client_address(request))
        raise ApiError("forbidden_origin", wrong)


def check_language(lang: str) -> None:
    """Makes sure that there are texts in a language.

    Raises:
        ApiError: there are none.
    """
    if lang not in LANGUAGES:
        there_is = ", ".join(LANGUAGES)
        raise ApiError("not_found", f"no texts in this language; there is {there_is}")


async def find_authorized_table(
    request: AnyRequest, table: str, match: int | None = None
) -> "TableHandle":
    """A table, for a caller who may know of it by its id and the key of its link, and of a match.

    Raises:
        TableNotFoundError: there is none, or the caller has an old link.
        EnumerationLimitError: the caller has guessed too often.
        ServerBusyError: too many tables are in memory.
        StoreError: it cannot be read.
    """
    person = await find_caller(request)
    key = request.headers.get(LINK_KEY_HEADER)
    guesses, address = get_api_context(request).lookup, get_client_address(request)
    return await guesses.find_authorized(person, table, key, address, match)


async def find_caller(request: AnyRequest) -> str | None:
    """Who calls, where he is known.

    Raises:
        StoreError: that cannot be told now.
    """
    scope = request.scope
    people = get_registry(request).identity_service
    holder = await people.peek_identity(scope["headers"], secure=is_https(scope["scheme"]))
    return holder.person if holder else None


async def ensure_identity(request: AnyRequest) -> str:
    """Who calls; a caller without an identity gets one along with the answer.

    Raises:
        ApiError: too many have got one.
    """
    scope = request.scope
    holder = await get_registry(request).identity_service.ensure_identity(
        scope["headers"], get_client_address(request), secure=is_https(scope["scheme"])
    )
    set_cookies(request, holder.cookies)
    return holder.person


def set_cookies(request: AnyRequest, cookies: "Iterable[SetCookie]") -> None:
    """Has the response to a request set these cookies, if the request succeeds."""
    request.scope["jasstisch.cookies"] = [*get_response_cookies(request), *cookies]


def get_response_cookies(request: AnyRequest) -> "list[SetCookie]":
    """The cookies that the response to a request sets."""
    return cast("list[SetCookie]", request.scope.get("jasstisch.cookies", []))
