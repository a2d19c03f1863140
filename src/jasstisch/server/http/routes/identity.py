"""The routes for identities: devices, codes, erasure and reports."""

from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request

from jasstisch.server.api import COOKIE_NAME, SECURE_COOKIE_NAME, bodies
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    LINK_KEY,
    ensure_identity,
    find_authorized_table,
    get_client_address,
    get_registry,
    set_cookies,
)
from jasstisch.server.http.routing import Endpoint, get, post
from jasstisch.server.identity import (
    LINK_CODE_LIFETIME_S,
    AuthenticatedPerson,
    SetCookie,
    device_id,
)
from jasstisch.server.net import is_https
from jasstisch.server.observability import log, short_id
from jasstisch.storage.identities import SECONDS_PER_DAY

_TableId = Annotated[str, Meta(description="The table's id.", max_length=32)]

_ERRORS = (400, 403, 429, 503)


@post("/api/identity", status=204, summary="Get an identity", errors=_ERRORS)
async def create_identity(request: Request) -> None:
    """Issues the cookie with the browser's identity, unless it has a valid one."""
    await ensure_identity(request)


@get("/api/identity", summary="Look at one's identity", errors=(503,))
async def get_identity_info(request: Request) -> bodies.IdentityInfo:
    """The caller's devices, and whether there is a recovery code; empty without an identity."""
    holder = await _authenticate(request)
    return (
        bodies.IdentityInfo([], None, _grace_days(request))
        if holder is None
        else await _identity_info(request, holder)
    )


@post("/api/identity/link", summary="Play on elsewhere", errors=_ERRORS)
async def create_link_code(request: Request) -> bodies.IssuedCode:
    """Creates a code that adds another device to the caller, once and within ten minutes."""
    holder = await _require_person(request)
    code = await get_registry(request).identity_service.create_link_code(
        holder, get_client_address(request)
    )
    return bodies.IssuedCode(code, LINK_CODE_LIFETIME_S)


@post("/api/identity/recovery", summary="A code to keep", errors=_ERRORS)
async def create_recovery_code(request: Request) -> bodies.IssuedCode:
    """Creates a recovery code for the loss of all devices; it replaces the previous one."""
    holder = await _require_person(request)
    return bodies.IssuedCode(
        await get_registry(request).identity_service.create_recovery_code(holder), None
    )


@post("/api/identity/take", summary="Enter a code", errors=(*_ERRORS, 409))
async def redeem_code(request: Request, data: bodies.RedeemCode) -> bodies.IdentityInfo:
    """Assigns this device to the person who owns the code, in place of its previous identity.

    If nothing else leads to the previous person, who has been at tables, this needs `give_up`.
    """
    scope = request.scope
    holder = await get_registry(request).identity_service.redeem(
        data.code,
        scope["headers"],
        get_client_address(request),
        secure=is_https(scope["scheme"]),
        give_up=data.give_up,
    )
    set_cookies(request, holder.cookies_to_set)
    return await _identity_info(request, holder)


@post("/api/identity/forget", status=204, summary="Forget a device", errors=(*_ERRORS, 409))
async def revoke_device(request: Request, data: bodies.ForgetDevice) -> None:
    """Revokes one of the caller's devices: its connections are closed, its codes end.

    The person keeps the seats. If nothing else leads to the person, who has been at tables, this
    needs `give_up`.
    """
    holder = await _require_person(request)
    identities = get_registry(request).identity_service
    if not await identities.revoke_device(holder, data.device, give_up=data.give_up):
        raise ApiError("not_found", "you have no such device")
    if data.device == device_id(holder.token_hash):
        set_cookies(request, _clear_cookies(request))


@post("/api/identity/forget-me", status=204, summary="Be forgotten", errors=_ERRORS)
async def erase_me(request: Request) -> None:
    """Erases the caller: revokes all devices and codes, and gives up their seats.

    Tables where nobody else has sat are deleted, within moments. The logs of other tables keep the
    nickname, without a link to a person, so that they still describe what was played.
    """
    holder = await _require_person(request)
    registry = get_registry(request)
    await registry.identity_service.erase(holder.person)
    set_cookies(request, _clear_cookies(request))


@post(
    "/api/tables/{table}/report",
    status=204,
    summary="Report a name",
    errors=(*_ERRORS, 404, 409),
    headers=(LINK_KEY,),
)
async def report_nickname(request: Request, table: _TableId, data: bodies.NicknameReport) -> None:
    """Reports an offensive nickname at a table to the operator, by a line in the log."""
    holder = await _require_person(request)
    registry = get_registry(request)
    room = await (await find_authorized_table(request, table)).get_room()
    if data.seat >= len(room.seats) or room.seats[data.seat].kind != "person":
        raise ApiError("wrong_phase", "no person sits there")
    registry.identity_service.check_report_limit(holder, get_client_address(request))
    log.warning("name_reported", table=short_id(table), seat=data.seat + 1)


def identity_routes() -> list[Endpoint]:
    """The routes for identities."""
    return [
        create_identity,
        get_identity_info,
        create_link_code,
        create_recovery_code,
        redeem_code,
        revoke_device,
        erase_me,
        report_nickname,
    ]


async def _authenticate(request: Request) -> AuthenticatedPerson | None:
    scope = request.scope
    return await get_registry(request).identity_service.peek_identity(
        scope["headers"], secure=is_https(scope["scheme"])
    )


async def _require_person(request: Request) -> AuthenticatedPerson:
    """The person who requests a change.

    Raises:
        ApiError: the caller has no identity.
    """
    holder = await _authenticate(request)
    if holder is None:
        raise ApiError("no_identity", "you came without an identity: POST /api/identity")
    return holder


async def _identity_info(request: Request, holder: AuthenticatedPerson) -> bodies.IdentityInfo:
    known = await get_registry(request).identity_service.credentials(holder)
    recovery = next((one for one in known if one.kind == "recovery"), None)
    devices = [
        bodies.Device(
            device_id(one.hash),
            _format_day(one.created_day),
            _format_day(one.last_used_day),
            here=one.hash == holder.token_hash,
            recovery=recovery is not None and recovery.ends_with(one.hash),
        )
        for one in known
        if one.kind == "device"
    ]
    made = None if recovery is None else _format_day(recovery.created_day)
    return bodies.IdentityInfo(devices, made, _grace_days(request))


def _grace_days(request: Request) -> int:
    return get_registry(request).context.limits.keep_abandoned_days


def _format_day(number: int) -> str:
    return datetime.fromtimestamp(number * SECONDS_PER_DAY, UTC).date().isoformat()


def _clear_cookies(request: Request) -> list[SetCookie]:
    """Cookies that make the browser delete the caller's cookie."""
    names = (
        [SECURE_COOKIE_NAME, COOKIE_NAME] if is_https(request.scope["scheme"]) else [COOKIE_NAME]
    )
    return [SetCookie(name, "") for name in names]
