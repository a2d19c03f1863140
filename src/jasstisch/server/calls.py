"""What all REST calls share: refusals, where a call comes from, and who makes it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, cast

from litestar import Request, Response
from litestar.datastructures import Cookie as ToSet
from litestar.openapi import ResponseSpec
from litestar.params import Parameter

from jasstisch.guides.texts import LANGUAGES
from jasstisch.server import messages
from jasstisch.server.identity import TABLE_KEY
from jasstisch.server.security import under_tls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jasstisch.server.front import Front
    from jasstisch.server.guesses import Guesses
    from jasstisch.server.hall import Hall
    from jasstisch.server.hosted import Hosted
    from jasstisch.server.identity import Cookie
    from jasstisch.server.incidents import Incidents

__all__ = [
    "DAMAGED",
    "REFUSED",
    "AnyRequest",
    "Language",
    "Means",
    "Number",
    "RefusedError",
    "TableId",
    "address_of",
    "asker",
    "check_language",
    "check_origin",
    "find_for",
    "hall_of",
    "identify",
    "means_of",
    "set_cookies",
]

AnyRequest = Request[Any, Any, Any]

TableId = Annotated[str, Parameter(description="The table's id.")]
Number = Annotated[int, Parameter(description="Which match of the table, from 1.", ge=1, le=10**6)]
Language = Annotated[str, Parameter(description="Such as `en`.", max_length=8)]

REFUSED = ResponseSpec(
    messages.ErrorBody, description="Refused, with the reason.", generate_examples=False
)


DAMAGED = "this table is damaged and cannot be opened; the host of this server reads why in its log"
"""What is told of a table whose log cannot be read, now or later."""


class RefusedError(Exception):
    """A call that is answered by an error body."""

    def __init__(self, code: messages.ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: messages.ErrorCode = code


@dataclass(frozen=True, slots=True)
class Means:
    """What the calls need besides the tables.

    Attributes:
        front: how the server is reached.
        guesses: finds tables for people.
        incidents: where refusals are noted.
        house: what the host has chosen for the page.
    """

    front: "Front"
    guesses: "Guesses"
    incidents: "Incidents"
    house: messages.House


def means_of(request: AnyRequest) -> Means:
    """What the calls need besides the tables."""
    return cast("Means", request.app.state.means)


def hall_of(request: AnyRequest) -> "Hall":
    """The tables of the server that is called."""
    return cast("Hall", request.app.state.hall)


def address_of(request: AnyRequest) -> str:
    """Where a call comes from, for what is counted by addresses."""
    return request.client.host if request.client else ""


def check_origin(request: AnyRequest) -> None:
    """Lets no page of another site change anything.

    Raises:
        RefusedError: the call comes from one.
    """
    means = means_of(request)
    wrong = means.front.wrong_origin(request.scope["headers"])
    if wrong is not None:
        means.incidents.note("request_refused", "origin", address_of(request))
        raise RefusedError("forbidden_origin", wrong)


def check_language(lang: str) -> None:
    """Makes sure that there are texts in a language.

    Raises:
        RefusedError: there are none.
    """
    if lang not in LANGUAGES:
        there_is = ", ".join(LANGUAGES)
        raise RefusedError("not_found", f"no texts in this language; there is {there_is}")


async def find_for(request: AnyRequest, table: str, match: int | None = None) -> "Hosted":
    """A table, for a caller who may know of it by its id and the key of its link, and of a match.

    Raises:
        UnknownTableError: there is none, or the caller has an old link.
        TooManyGuessesError: the caller has guessed too often.
        BusyError: too many tables are in memory.
        StoreError: it cannot be read.
    """
    person = await asker(request)
    key = request.headers.get(TABLE_KEY)
    guesses, address = means_of(request).guesses, address_of(request)
    return await guesses.find_for(person, table, key, address, match)


async def asker(request: AnyRequest) -> str | None:
    """Who calls, where he is known.

    Raises:
        StoreError: that cannot be told now.
    """
    scope = request.scope
    people = hall_of(request).people
    holder = await people.asker(scope["headers"], secure=under_tls(scope["scheme"]))
    return holder.person if holder else None


async def identify(request: AnyRequest, response: Response[Any]) -> str:
    """Who calls; a caller without an identity gets one along with the answer.

    Raises:
        RefusedError: too many have got one.
    """
    scope = request.scope
    holder = await hall_of(request).people.identify(
        scope["headers"], address_of(request), secure=under_tls(scope["scheme"])
    )
    set_cookies(response, holder.cookies)
    return holder.person


def set_cookies(response: Response[Any], cookies: "Iterable[Cookie]") -> None:
    """Has an answer set these cookies."""
    for one in cookies:
        response.set_cookie(
            ToSet(
                one.name,
                path="/",
                value=one.token,
                max_age=one.seconds,
                secure=one.secure,
                httponly=True,
                samesite="strict",
            )
        )
