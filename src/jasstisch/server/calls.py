"""What all REST calls share: refusals, where a call comes from, and who makes it."""

from typing import TYPE_CHECKING, Any, cast

from litestar import Request, Response
from litestar.datastructures import Cookie as ToSet
from litestar.openapi import ResponseSpec

from jasstisch.server import messages
from jasstisch.server.identity import under_tls
from jasstisch.server.security import same_origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jasstisch.server.hall import Hall
    from jasstisch.server.identity import Cookie

__all__ = [
    "REFUSED",
    "AnyRequest",
    "RefusedError",
    "address_of",
    "check_origin",
    "hall_of",
    "identify",
    "set_cookies",
]

AnyRequest = Request[Any, Any, Any]

REFUSED = ResponseSpec(
    messages.ErrorBody, description="Refused, with the reason.", generate_examples=False
)


class RefusedError(Exception):
    """A call that is answered by an error body."""

    def __init__(self, code: messages.ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: messages.ErrorCode = code


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
    if not same_origin(request.scope["headers"]):
        raise RefusedError("forbidden_origin", "pages of another site may not call this")


async def identify(request: AnyRequest, response: Response[Any]) -> str:
    """Who calls; a caller without an identity gets one along with the answer.

    Raises:
        RefusedError: too many have got one.
    """
    scope = request.scope
    holder = await hall_of(request).people.identify(
        scope["headers"], address_of(request), secure=under_tls(scope)
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
