"""The REST calls about people: identities, other devices, being forgotten, and reports."""

from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import Request, Response, Router, get, post
from litestar.params import Body, Parameter

from jasstisch.server import messages
from jasstisch.server.calls import (
    REFUSED,
    AnyRequest,
    RefusedError,
    address_of,
    check_origin,
    find_for,
    hall_of,
    identify,
    set_cookies,
)
from jasstisch.server.identity import COOKIE, SECURE_COOKIE, Cookie
from jasstisch.server.log import log, short
from jasstisch.server.people import LINK_SECONDS, Holder, device_id
from jasstisch.server.security import under_tls
from jasstisch.store.identities import DAY

__all__ = ["identity_calls"]

TableId = Annotated[str, Parameter(description="The table's id.", max_length=32)]

_ANSWERS = dict.fromkeys((400, 403, 429, 503), REFUSED)


@post("/api/identity", status_code=204, summary="Get an identity", responses=_ANSWERS)
async def get_identity(request: AnyRequest) -> Response[None]:
    """Gives the browser the cookie that is its identity, unless it has one that was given out."""
    check_origin(request)
    response: Response[None] = Response(None, status_code=204)
    await identify(request, response)
    return response


@get("/api/identity", summary="Look at one's identity", responses={503: REFUSED})
async def look_at_identity(request: AnyRequest) -> messages.Identity:
    """One's devices, and whether there is a recovery code; nothing for who has no identity."""
    holder = await _holder(request)
    return messages.Identity([], None) if holder is None else await _told(request, holder)


@post("/api/identity/link", status_code=200, summary="Play on elsewhere", responses=_ANSWERS)
async def link(request: AnyRequest) -> messages.NewCode:
    """A code by which one other device becomes the caller's, within ten minutes."""
    holder = await _somebody(request)
    code = await hall_of(request).people.new_link(holder, address_of(request))
    return messages.NewCode(code, LINK_SECONDS)


@post("/api/identity/recovery", status_code=200, summary="A code to keep", responses=_ANSWERS)
async def recovery(request: AnyRequest) -> messages.NewCode:
    """A code to write down, for who loses the only device; it takes the place of the one before."""
    holder = await _somebody(request)
    return messages.NewCode(await hall_of(request).people.new_recovery(holder), None)


@post("/api/identity/take", status_code=200, summary="Enter a code", responses=_ANSWERS)
async def take(
    request: AnyRequest, data: Annotated[messages.EnteredCode, Body()]
) -> Response[messages.Identity]:
    """Makes this device that of the person whose code it is, in place of whoever it was."""
    check_origin(request)
    scope = request.scope
    holder = await hall_of(request).people.take(
        data.code, scope["headers"], address_of(request), secure=under_tls(scope["scheme"])
    )
    response: Response[messages.Identity] = Response(await _told(request, holder))
    set_cookies(response, holder.cookies)
    return response


@post("/api/identity/forget", status_code=204, summary="Forget a device", responses=_ANSWERS)
async def forget(
    request: AnyRequest, data: Annotated[messages.ForgetDevice, Body()]
) -> Response[None]:
    """Forgets one of the caller's devices; its connections are closed, its seats stay."""
    holder = await _somebody(request)
    if not await hall_of(request).people.forget_device(holder, data.device):
        raise RefusedError("not_found", "you have no such device")
    response: Response[None] = Response(None, status_code=204)
    if data.device == device_id(holder.hash):
        set_cookies(response, _ended(request))
    return response


@post("/api/identity/forget-me", status_code=204, summary="Be forgotten", responses=_ANSWERS)
async def forget_me(request: AnyRequest) -> Response[None]:
    """Forgets every device and code of the caller, and gives his seats up.

    Tables where nobody else has sat are deleted, within moments. In the logs of other tables the
    nickname stays, and the name of nobody: what was played there with others stays true.
    """
    holder = await _somebody(request)
    hall = hall_of(request)
    await hall.people.forget(holder.person)
    hall.forgetting.wake()
    response: Response[None] = Response(None, status_code=204)
    set_cookies(response, _ended(request))
    return response


@post(
    "/api/tables/{table:str}/report",
    status_code=204,
    summary="Report a name",
    responses=_ANSWERS | {404: REFUSED, 409: REFUSED},
)
async def report(
    request: AnyRequest, table: TableId, data: Annotated[messages.Report, Body()]
) -> None:
    """Tells the host of the server, by a line in its log, that a name at a table offends."""
    holder = await _somebody(request)
    hall = hall_of(request)
    room = await (await find_for(request, table)).look()
    if data.seat >= len(room.seats) or room.seats[data.seat].kind != "person":
        raise RefusedError("wrong_phase", "no person sits there")
    hall.people.check_report(holder, address_of(request))
    log.warning("name_reported", table=short(table), seat=data.seat + 1)


def identity_calls() -> Router:
    """All of them."""
    return Router(
        "/",
        route_handlers=[
            get_identity,
            look_at_identity,
            link,
            recovery,
            take,
            forget,
            forget_me,
            report,
        ],
    )


async def _holder(request: AnyRequest) -> Holder | None:
    scope = request.scope
    return await hall_of(request).people.asker(scope["headers"], secure=under_tls(scope["scheme"]))


async def _somebody(request: AnyRequest) -> Holder:
    """Who asks for a change.

    Raises:
        RefusedError: nobody who is known, or a page of another site.
    """
    check_origin(request)
    holder = await _holder(request)
    if holder is None:
        raise RefusedError("no_identity", "you came without an identity: POST /api/identity")
    return holder


async def _told(request: AnyRequest, holder: Holder) -> messages.Identity:
    known = await hall_of(request).people.credentials(holder)
    devices = [
        messages.Device(
            device_id(one.hash), _day(one.made), _day(one.used), one.hash == holder.hash
        )
        for one in known
        if one.kind == "device"
    ]
    made = [_day(one.made) for one in known if one.kind == "recovery"]
    return messages.Identity(devices, made[0] if made else None)


def _day(number: int) -> str:
    return datetime.fromtimestamp(number * DAY, UTC).date().isoformat()


def _ended(request: Request[Any, Any, Any]) -> list[Cookie]:
    """What has a browser drop its cookie."""
    names = [SECURE_COOKIE, COOKIE] if under_tls(request.scope["scheme"]) else [COOKIE]
    return [Cookie(name, "") for name in names]
