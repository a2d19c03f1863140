"""What all REST calls share: refusals, where a call comes from, and who makes it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, cast

from litestar import Request, Response
from litestar.datastructures import Cookie as ToSet
from litestar.openapi import ResponseSpec
from litestar.params import Parameter

from jasstisch.i18n.templates import LANGUAGES
from jasstisch.server.api import LINK_KEY_HEADER, messages
from jasstisch.server.errors import ApiError
from jasstisch.server.net import is_https

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jasstisch.server.identity import SetCookie
    from jasstisch.server.net import OriginPolicy
    from jasstisch.server.observability import AlertLog
    from jasstisch.server.tables import TableHandle, TableLookup, TableRegistry

__all__ = [
    "ERROR_RESPONSE",
    "AnyRequest",
    "ApiContext",
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
    "set_cookies",
]

AnyRequest = Request[Any, Any, Any]

TableId = Annotated[str, Parameter(description="The table's id.")]
MatchNumber = Annotated[
    int, Parameter(description="Which match of the table, from 1.", ge=1, le=10**6)
]
Language = Annotated[str, Parameter(description="Such as `en`.", max_length=8)]

ERROR_RESPONSE = ResponseSpec(
    messages.ErrorBody, description="Refused, with the reason.", generate_examples=False
)


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


def get_api_context(request: AnyRequest) -> ApiContext:
    """What the calls need besides the tables."""
    return cast("ApiContext", request.app.state.means)


def get_registry(request: AnyRequest) -> "TableRegistry":
    """The tables of the server that is called."""
    return cast("TableRegistry", request.app.state.hall)


def get_client_address(request: AnyRequest) -> str:
    """Where a call comes from, for what is counted by addresses."""
    return request.client.host if request.client else ""


def check_origin(request: AnyRequest) -> None:
    """Lets no page of another site change anything.

    Raises:
        RefusedError: the call comes from one.
    """
    means = get_api_context(request)
    wrong = means.origins.origin_error(request.scope["headers"])
    if wrong is not None:
        means.alerts.report("request_refused", "origin", get_client_address(request))
        raise ApiError("forbidden_origin", wrong)


def check_language(lang: str) -> None:
    """Makes sure that there are texts in a language.

    Raises:
        RefusedError: there are none.
    """
    if lang not in LANGUAGES:
        there_is = ", ".join(LANGUAGES)
        raise ApiError("not_found", f"no texts in this language; there is {there_is}")


async def find_authorized_table(
    request: AnyRequest, table: str, match: int | None = None
) -> "TableHandle":
    """A table, for a caller who may know of it by its id and the key of its link, and of a match.

    Raises:
        UnknownTableError: there is none, or the caller has an old link.
        TooManyGuessesError: the caller has guessed too often.
        BusyError: too many tables are in memory.
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


async def ensure_identity(request: AnyRequest, response: Response[Any]) -> str:
    """Who calls; a caller without an identity gets one along with the answer.

    Raises:
        RefusedError: too many have got one.
    """
    scope = request.scope
    holder = await get_registry(request).identity_service.ensure_identity(
        scope["headers"], get_client_address(request), secure=is_https(scope["scheme"])
    )
    set_cookies(response, holder.cookies)
    return holder.person


def set_cookies(response: Response[Any], cookies: "Iterable[SetCookie]") -> None:
    """Has an answer set these cookies."""
    for one in cookies:
        response.set_cookie(
            ToSet(
                one.name,
                path="/",
                value=one.token,
                max_age=one.max_age,
                secure=one.secure,
                httponly=True,
                samesite="strict",
            )
        )
