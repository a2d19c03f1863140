"""The REST calls about people: identities, other devices, being forgotten, and reports."""

from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import Request, Response, Router, get, post
from litestar.params import Body, Parameter

from jasstisch.server.api import COOKIE_NAME, SECURE_COOKIE_NAME, messages
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    ERROR_RESPONSE,
    AnyRequest,
    check_origin,
    ensure_identity,
    find_authorized_table,
    get_client_address,
    get_registry,
    set_cookies,
)
from jasstisch.server.identity import (
    LINK_CODE_LIFETIME_S,
    AuthenticatedPerson,
    SetCookie,
    device_id,
)
from jasstisch.server.net import is_https
from jasstisch.server.observability import log, short_id
from jasstisch.storage.identities import SECONDS_PER_DAY

__all__ = ["identity_routes"]

TableId = Annotated[str, Parameter(description="The table's id.", max_length=32)]

_ERROR_RESPONSES = dict.fromkeys((400, 403, 429, 503), ERROR_RESPONSE)


@post("/api/identity", status_code=204, summary="Get an identity", responses=_ERROR_RESPONSES)
async def create_identity(request: AnyRequest) -> Response[None]:
    """Gives the browser the cookie that is its identity, unless it has one that was given out."""
    check_origin(request)
    response: Response[None] = Response(None, status_code=204)
    await ensure_identity(request, response)
    return response


@get("/api/identity", summary="Look at one's identity", responses={503: ERROR_RESPONSE})
async def get_identity_info(request: AnyRequest) -> messages.Identity:
    """One's devices, and whether there is a recovery code; nothing for who has no identity."""
    holder = await _authenticate(request)
    return messages.Identity([], None) if holder is None else await _identity_info(request, holder)


@post(
    "/api/identity/link", status_code=200, summary="Play on elsewhere", responses=_ERROR_RESPONSES
)
async def create_link_code(request: AnyRequest) -> messages.IssuedCode:
    """A code by which one other device becomes the caller's, within ten minutes."""
    holder = await _require_person(request)
    code = await get_registry(request).identity_service.create_link_code(
        holder, get_client_address(request)
    )
    return messages.IssuedCode(code, LINK_CODE_LIFETIME_S)


@post(
    "/api/identity/recovery", status_code=200, summary="A code to keep", responses=_ERROR_RESPONSES
)
async def create_recovery_code(request: AnyRequest) -> messages.IssuedCode:
    """A code to write down, for who loses the only device; it takes the place of the one before."""
    holder = await _require_person(request)
    return messages.IssuedCode(
        await get_registry(request).identity_service.create_recovery_code(holder), None
    )


@post("/api/identity/take", status_code=200, summary="Enter a code", responses=_ERROR_RESPONSES)
async def redeem_code(
    request: AnyRequest, data: Annotated[messages.CodeInput, Body()]
) -> Response[messages.Identity]:
    """Makes this device that of the person whose code it is, in place of whoever it was."""
    check_origin(request)
    scope = request.scope
    holder = await get_registry(request).identity_service.redeem(
        data.code, scope["headers"], get_client_address(request), secure=is_https(scope["scheme"])
    )
    response: Response[messages.Identity] = Response(await _identity_info(request, holder))
    set_cookies(response, holder.cookies)
    return response


@post(
    "/api/identity/forget", status_code=204, summary="Forget a device", responses=_ERROR_RESPONSES
)
async def revoke_device(
    request: AnyRequest, data: Annotated[messages.ForgetDevice, Body()]
) -> Response[None]:
    """Forgets one of the caller's devices; its connections are closed, its seats stay."""
    holder = await _require_person(request)
    if not await get_registry(request).identity_service.revoke_device(holder, data.device):
        raise ApiError("not_found", "you have no such device")
    response: Response[None] = Response(None, status_code=204)
    if data.device == device_id(holder.hash):
        set_cookies(response, _clear_cookies(request))
    return response


@post(
    "/api/identity/forget-me", status_code=204, summary="Be forgotten", responses=_ERROR_RESPONSES
)
async def erase_me(request: AnyRequest) -> Response[None]:
    """Forgets every device and code of the caller, and gives his seats up.

    Tables where nobody else has sat are deleted, within moments. In the logs of other tables the
    nickname stays, and the name of nobody: what was played there with others stays true.
    """
    holder = await _require_person(request)
    hall = get_registry(request)
    await hall.identity_service.erase(holder.person)
    response: Response[None] = Response(None, status_code=204)
    set_cookies(response, _clear_cookies(request))
    return response


@post(
    "/api/tables/{table:str}/report",
    status_code=204,
    summary="Report a name",
    responses=_ERROR_RESPONSES | {404: ERROR_RESPONSE, 409: ERROR_RESPONSE},
)
async def report_nickname(
    request: AnyRequest, table: TableId, data: Annotated[messages.Report, Body()]
) -> None:
    """Tells the host of the server, by a line in its log, that a name at a table offends."""
    holder = await _require_person(request)
    hall = get_registry(request)
    room = await (await find_authorized_table(request, table)).get_room()
    if data.seat >= len(room.seats) or room.seats[data.seat].kind != "person":
        raise ApiError("wrong_phase", "no person sits there")
    hall.identity_service.check_report_limit(holder, get_client_address(request))
    log.warning("name_reported", table=short_id(table), seat=data.seat + 1)


def identity_routes() -> Router:
    """All of them."""
    return Router(
        "/",
        route_handlers=[
            create_identity,
            get_identity_info,
            create_link_code,
            create_recovery_code,
            redeem_code,
            revoke_device,
            erase_me,
            report_nickname,
        ],
    )


async def _authenticate(request: AnyRequest) -> AuthenticatedPerson | None:
    scope = request.scope
    return await get_registry(request).identity_service.peek_identity(
        scope["headers"], secure=is_https(scope["scheme"])
    )


async def _require_person(request: AnyRequest) -> AuthenticatedPerson:
    """Who asks for a change.

    Raises:
        RefusedError: nobody who is known, or a page of another site.
    """
    check_origin(request)
    holder = await _authenticate(request)
    if holder is None:
        raise ApiError("no_identity", "you came without an identity: POST /api/identity")
    return holder


async def _identity_info(request: AnyRequest, holder: AuthenticatedPerson) -> messages.Identity:
    known = await get_registry(request).identity_service.credentials(holder)
    devices = [
        messages.Device(
            device_id(one.hash),
            _format_day(one.made),
            _format_day(one.used),
            one.hash == holder.hash,
        )
        for one in known
        if one.kind == "device"
    ]
    made = [_format_day(one.made) for one in known if one.kind == "recovery"]
    return messages.Identity(devices, made[0] if made else None)


def _format_day(number: int) -> str:
    return datetime.fromtimestamp(number * SECONDS_PER_DAY, UTC).date().isoformat()


def _clear_cookies(request: Request[Any, Any, Any]) -> list[SetCookie]:
    """What has a browser drop its cookie."""
    names = (
        [SECURE_COOKIE_NAME, COOKIE_NAME] if is_https(request.scope["scheme"]) else [COOKIE_NAME]
    )
    return [SetCookie(name, "") for name in names]
