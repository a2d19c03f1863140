"""What the REST routes share: the services, the client's address, and its identity."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, cast

from msgspec import Meta
from starlette.requests import Request

from jasstisch.i18n.templates import LANGUAGES
from jasstisch.server.api import LINK_KEY_HEADER, bodies, openapi
from jasstisch.server.errors import ApiError
from jasstisch.server.net import is_https
from jasstisch.server.tables import Visitor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jasstisch.server.http.localized_texts import LocalizedTexts
    from jasstisch.server.http.table_creation_limit import TableCreationLimit
    from jasstisch.server.identity import SetCookie
    from jasstisch.server.net import OriginPolicy
    from jasstisch.server.tables import (
        PersonalMatchHistory,
        PublicTableIndex,
        ReplayService,
        TableHandle,
        TableLookup,
        TableRegistry,
    )

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
class ApiServices:
    """The services that the routes call.

    Attributes:
        registry: the tables.
        origin_policy: the accepted hosts and origins.
        table_lookup: looks up tables for clients.
        page_config: gives the configuration of the page.
        creation_limit: limits how many tables an address creates.
        public_tables: the published tables.
        texts: the texts of the games, and the rule sheets.
        replays: builds the replays.
        match_history: people's finished matches.
    """

    registry: "TableRegistry"
    origin_policy: "OriginPolicy"
    table_lookup: "TableLookup"
    page_config: "Callable[[], bodies.PageConfig]"
    creation_limit: "TableCreationLimit"
    public_tables: "PublicTableIndex"
    texts: "LocalizedTexts"
    replays: "ReplayService"
    match_history: "PersonalMatchHistory"


def get_services(request: Request) -> ApiServices:
    """The services that the routes call."""
    return cast("ApiServices", request.app.services)


def get_registry(request: Request) -> "TableRegistry":
    """The tables of the server."""
    return get_services(request).registry


def get_client_address(request: Request) -> str:
    """The address of the client, for rate limits."""
    return request.client.host if request.client else ""


def check_origin(request: Request) -> None:
    """Rejects a request from a page of another origin.

    Raises:
        ApiError: the request comes from such a page.
    """
    services = get_services(request)
    wrong = services.origin_policy.origin_error(request.scope["headers"])
    if wrong is not None:
        alerts = services.registry.context.alerts
        alerts.report("request_refused", "origin", get_client_address(request))
        raise ApiError("forbidden_origin", wrong)


def check_language(lang: str) -> None:
    """Checks that texts exist in a language.

    Raises:
        ApiError: there are none.
    """
    if lang not in LANGUAGES:
        there_is = ", ".join(LANGUAGES)
        raise ApiError("not_found", f"no texts in this language; there is {there_is}")


async def find_authorized_table(
    request: Request, table: str, match: int | None = None
) -> "TableHandle":
    """A table, if the caller may access it, and a match of it, by its id and its link's key.

    Raises:
        TableNotFoundError: the table does not exist, or the caller has an old link.
        TooManyUnknownTablesError: the caller has requested too many unknown ids.
        ServerBusyError: too many tables are in memory.
        StoreError: the table cannot be read.
    """
    person, key = await find_caller(request), request.headers.get(LINK_KEY_HEADER)
    visitor = Visitor(person, key, get_client_address(request))
    return await get_services(request).table_lookup.find(table, visitor, match)


async def find_caller(request: Request) -> str | None:
    """The person who sends a request; None without an identity.

    Raises:
        StoreError: the store is unavailable.
    """
    scope = request.scope
    people = get_registry(request).identity_service
    holder = await people.peek_identity(scope["headers"], secure=is_https(scope["scheme"]))
    return holder.person if holder else None


async def ensure_identity(request: Request) -> str:
    """The person who sends a request; a caller without an identity gets one with the response.

    Raises:
        ApiError: too many identities have been created.
    """
    scope = request.scope
    holder = await get_registry(request).identity_service.ensure_identity(
        scope["headers"], get_client_address(request), secure=is_https(scope["scheme"])
    )
    set_cookies(request, holder.cookies_to_set)
    return holder.person


def set_cookies(request: Request, cookies: "Iterable[SetCookie]") -> None:
    """Sets cookies with the response to a request, if the request succeeds."""
    request.scope["jasstisch.cookies"] = [*get_response_cookies(request), *cookies]


def get_response_cookies(request: Request) -> "list[SetCookie]":
    """The cookies to set with the response to a request."""
    return cast("list[SetCookie]", request.scope.get("jasstisch.cookies", []))
