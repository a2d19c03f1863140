"""Who is who: gives out tokens and codes, knows them again, and forgets them when asked to.

What is kept lies in the store of identities. Nobody here knows a token or a code for longer than
its request takes.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from jasstisch.server.api import COOKIE_NAME, SECURE_COOKIE_NAME
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ApiError
from jasstisch.server.identity import base32_codes
from jasstisch.server.identity.tokens import (
    PresentedToken,
    SetCookie,
    extract_token,
    hash_token,
    new_token,
)
from jasstisch.server.limits import UNCOUNTED
from jasstisch.server.net import rate_limit_key
from jasstisch.server.observability import describe_exception, log
from jasstisch.storage import Ban, CorruptionError, Credential, CredentialKind
from jasstisch.storage.identities import SECONDS_PER_DAY

__all__ = ["LINK_CODE_LIFETIME_S", "AuthenticatedPerson", "IdentityService", "device_id"]

LINK_CODE_LIFETIME_S = 600
"""How long a code for another device is good."""

REDEEM_BURST, REDEEM_PER_MINUTE = 10, 1
TOTAL_REDEEM_PER_MINUTE = 120
LINK_CODES_PER_MINUTE, LINK_CODES_AT_ADDRESS_PER_MINUTE = 100, 20
"""How many codes one address may try at once and in the long run, all addresses together those for
other devices, and how many of these there are in a minute: what `codes.LINK` reckons with. No
address alone can use up what is there for all."""

CODE_BURST, CODES_PER_MINUTE = 10, 2
"""How many codes a person may ask for at once and in the long run."""

REPORT_BURST, REPORTS_PER_HOUR = 5, 5
"""How many reports a person, or an address, may make at once and in the long run."""

MAX_DEVICES = 20
"""Devices of one person."""

DEVICE_REVOKED = "this device has been forgotten"
"""Why the connections of a device end that is known no longer."""

BATCH_SIZE = 200
"""So many expired credentials go in one step."""

Headers = Iterable[tuple[bytes, bytes]]


class AuthenticatedPerson(NamedTuple):
    """Somebody who has shown a token that is good.

    Attributes:
        person: who it is, as tables know him.
        hash: the hash of the token.
        cookies: what the browser is to be told with the answer.
    """

    person: str
    hash: str
    cookies: tuple[SetCookie, ...] = ()


def device_id(hashed: str) -> str:
    """How a person's device is called towards that person: it tells nothing of the token."""
    return sha256(f"device {hashed}".encode()).hexdigest()[:16]


class _DeviceConnection:
    """A connection of a device, while it is entered.

    Args:
        there: how the connections of each device are closed.
        hashed: the hash of the device's token.
        close: closes this one.
    """

    __slots__ = ("_close", "_connections", "_device_hash")

    def __init__(
        self,
        there: dict[str, tuple[Callable[[str], None], ...]],
        hashed: str,
        close: Callable[[str], None],
    ) -> None:
        self._connections = there
        self._device_hash = hashed
        self._close = close

    def __enter__(self) -> None:
        self._connections[self._device_hash] = (
            *self._connections.get(self._device_hash, ()),
            self._close,
        )

    def __exit__(self, *_: object) -> None:
        its = tuple(one for one in self._connections[self._device_hash] if one != self._close)
        if its:
            self._connections[self._device_hash] = its
        else:
            del self._connections[self._device_hash]


class IdentityService:
    """Everybody whom a server knows.

    Args:
        services: the store and the limits.
    """

    def __init__(self, services: ServerContext) -> None:
        limits = services.limits
        now, buckets = services.now, services.shared_usage.buckets
        self._context = services
        self._store = services.store.identities
        self._connections: dict[str, tuple[Callable[[str], None], ...]] = {}
        self._on_revoked: Callable[[str], None] | None = None
        self._on_erasure: Callable[[], None] | None = None
        self._count = 0
        self._bans: dict[str, Ban] = {}
        given = limits.new_identities_per_minute
        self._new_identity_rates = buckets("new_identities", given / 60, given, now)
        self._redeem_rates = buckets("code_tries", REDEEM_PER_MINUTE / 60, REDEEM_BURST, now)
        most = TOTAL_REDEEM_PER_MINUTE
        self._total_redeem_rate = buckets("all_code_tries", most / 60, most, now)
        self._total_link_code_rate = buckets(
            "links", LINK_CODES_PER_MINUTE / 60, LINK_CODES_PER_MINUTE, now
        )
        most = LINK_CODES_AT_ADDRESS_PER_MINUTE
        self._link_code_rates = buckets("links_at_address", most / 60, most, now)
        self._code_rates = buckets("codes", CODES_PER_MINUTE / 60, CODE_BURST, now)
        self._report_rates = buckets("reports", REPORTS_PER_HOUR / 3600, REPORT_BURST, now)

    async def open(self) -> None:
        """Counts whom it knows, and reads who is kept out."""
        try:
            self._count = await self._store.count()
            await self.refresh_bans()
        except CorruptionError as error:
            # Who can be found is known all the same.
            log.error("people_not_read", **describe_exception(error))

    def on_device_revoked(self, forgotten: Callable[[str], None]) -> None:
        """Has somebody told, by its hash, of each device that is forgotten here."""
        self._on_revoked = forgotten

    def on_erasure(self, begun: Callable[[], None]) -> None:
        """Has somebody told of each person who is to be forgotten, and still has tables."""
        self._on_erasure = begun

    async def purge_expired(self) -> bool:
        """Drops some of what is good no longer; whether there may be more."""
        more = await self._store.delete_expired(self._now(), BATCH_SIZE) == BATCH_SIZE
        await self.refresh_bans()
        before = self._count
        counted = await self._store.count()
        # Who has become known meanwhile may not be among them.
        self._count += counted - before
        return more

    # Knowing somebody again.

    async def peek_identity(self, headers: Headers, *, secure: bool) -> AuthenticatedPerson | None:
        """Who sends a request whose answer sets no cookie; None as for `holder`.

        Nothing is noted: the first use of a day is the one whose answer renews the cookie.

        Raises:
            ApiError: whoever it is is kept out.
            StoreError: that cannot be told now.
        """
        shown = extract_token(headers, secure=secure)
        known = await self._find_credential(shown)
        return None if known is None else AuthenticatedPerson(known.person, known.hash)

    async def _find_credential(self, shown: PresentedToken | None) -> Credential | None:
        known = (
            None if shown is None else await self._store.find(hash_token(shown.token), self._now())
        )
        if known is None or known.kind != "device":
            return None
        self._check_not_banned(known.person)
        return known

    async def authenticate(self, headers: Headers, *, secure: bool) -> AuthenticatedPerson | None:
        """Who sends a request; None for somebody without a token that was given out.

        The token's last use is noted and its cookie renewed, once a day: set what it says.

        Raises:
            ApiError: whoever it is is kept out.
            StoreError: that cannot be told now.
        """
        shown = extract_token(headers, secure=secure)
        known = await self._find_credential(shown)
        if shown is None or known is None:
            return None
        cookies: tuple[SetCookie, ...] = ()
        if known.used < self._today():
            await self._store.renew(known.hash, self._today(), self._unseated_expiry())
            cookies = (_set_cookie(shown.token, secure=secure),)
        if shown.stale:
            cookies = (_set_cookie(shown.token, secure=secure), SetCookie(COOKIE_NAME, ""))
        return AuthenticatedPerson(known.person, known.hash, cookies)

    async def ensure_identity(
        self, headers: Headers, address: str, *, secure: bool
    ) -> AuthenticatedPerson:
        """Who sends a request; somebody new gets a token.

        Raises:
            ApiError: so many have got one at this address, or in all.
            StoreError: it could not be kept.
        """
        known = await self.authenticate(headers, secure=secure)
        if known is not None:
            return known
        limits, now = self._context.limits, self._context.now()
        if not self._new_identity_rates.bucket_for(rate_limit_key(address), now).try_take(now):
            self._report_limit("new_identities_per_minute", address)
            most = limits.new_identities_per_minute
            raise ApiError("too_fast", f"at most {most} new people a minute from an address")
        if self._count >= limits.identities:
            self._report_limit("identities", address)
            raise ApiError("busy", "this server knows as many people as it may")
        token = new_token()
        await self._store.add(self._new_credential(hash_token(token), hash_token(token), "device"))
        self._count += 1
        return AuthenticatedPerson(
            hash_token(token), hash_token(token), (_set_cookie(token, secure=secure),)
        )

    def track_connection(
        self, headers: Headers, close: Callable[[str], None], *, secure: bool
    ) -> AbstractContextManager[None]:
        """Has a connection closed when its device is forgotten; enter before asking who it is.

        Args:
            headers: of the handshake.
            close: closes it, for a reason.
            secure: whether it came under TLS.
        """
        shown = extract_token(headers, secure=secure)
        return (
            UNCOUNTED
            if shown is None
            else _DeviceConnection(self._connections, hash_token(shown.token), close)
        )

    # Other devices.

    async def credentials(self, holder: AuthenticatedPerson) -> list[Credential]:
        """All that leads to a person."""
        return await self._store.credentials_of(holder.person, self._now())

    async def create_link_code(self, holder: AuthenticatedPerson, address: str) -> str:
        """A code by which another device becomes this person's, once and soon.

        Args:
            holder: the person.
            address: where he calls from.

        Raises:
            ApiError: too many are asked for.
        """
        self._check_code_rate(holder)
        now = self._context.now()
        if not (
            self._link_code_rates.bucket_for(rate_limit_key(address), now).try_take(now)
            and self._total_link_code_rate.bucket_for("", now).try_take(now)
        ):
            self._report_limit("links", address)
            raise ApiError("too_fast", "too many ask for codes; try again in a minute")
        return await self._issue_code(
            holder, "link", base32_codes.LINK_CODE_LENGTH, self._now() + LINK_CODE_LIFETIME_S
        )

    async def create_recovery_code(self, holder: AuthenticatedPerson) -> str:
        """A code to write down, in place of the one before.

        Raises:
            ApiError: too many are asked for.
        """
        self._check_code_rate(holder)
        return await self._issue_code(
            holder, "recovery", base32_codes.RECOVERY_CODE_LENGTH, self._unseated_expiry()
        )

    async def redeem(
        self, text: str, headers: Headers, address: str, *, secure: bool
    ) -> AuthenticatedPerson:
        """Makes a device that of the person to whom a code leads.

        Whoever it was before it is no longer, and nobody has that token any more.

        Raises:
            ApiError: the code is not good, or too many have been tried.
        """
        before = await self.peek_identity(headers, secure=secure)
        code = base32_codes.parse_code(text)
        self._check_redeem_rate(code, address)
        found = (
            None
            if code is None
            else await self._store.find(base32_codes.hash_code(code), self._now())
        )
        if code is None or found is None or found.kind == "device":
            raise ApiError("bad_code", "this code is not good, or no longer")
        self._check_not_banned(found.person)
        known = await self._store.credentials_of(found.person, self._now())
        if sum(one.kind == "device" for one in known) >= MAX_DEVICES:
            raise ApiError("limit", f"at most {MAX_DEVICES} devices; forget one first")
        token = new_token()
        device = self._new_credential(hash_token(token), found.person, "device")
        if await self._store.redeem(base32_codes.hash_code(code), device, self._now()) is None:
            raise ApiError("bad_code", "this code is not good, or no longer")
        self._count += 1
        log.info("device_added", by=found.kind)
        if before is not None:
            await self._revoke(before.person, before.hash)
        cookies = [_set_cookie(token, secure=secure)]
        if secure:
            cookies.append(SetCookie(COOKIE_NAME, ""))
        return AuthenticatedPerson(found.person, device.hash, tuple(cookies))

    # Forgetting.

    async def revoke_device(self, holder: AuthenticatedPerson, device: str) -> bool:
        """Forgets one of a person's devices and ends its connections; whether there is such a one.

        Args:
            holder: the person.
            device: the device's id.
        """
        for one in await self.credentials(holder):
            if one.kind == "device" and device_id(one.hash) == device:
                return await self._revoke(holder.person, one.hash)
        return False

    async def erase(self, who: str) -> None:
        """Forgets all that leads to a person, and ends the person's connections.

        The tables are left later, in small steps (`ErasureJob`).
        """
        known = await self._store.credentials_of(who, self._now())
        await self._store.begin_erasure(who)
        self._bans.pop(who, None)
        log.info("person_forgotten")
        for one in known:
            self._close_connections(one.hash, DEVICE_REVOKED)
        if self._on_erasure is not None:
            self._on_erasure()

    # Keeping somebody out.

    async def ban(self, ban: Ban) -> None:
        """Keeps a person out from now on, and ends the person's connections."""
        await self._store.ban(ban)
        await self._enforce_ban(ban)
        self._notify_nodes(ban.person)
        log.info("person_banned", until=ban.until)

    async def unban(self, who: str) -> bool:
        """Lets a person in again; whether that one was kept out."""
        gone = await self._store.unban(who)
        self._bans.pop(who, None)
        self._notify_nodes(who)
        return gone

    async def bans(self) -> list[Ban]:
        """Who is kept out."""
        return await self._store.bans(self._now())

    async def refresh_bans(self) -> None:
        """Takes in who is kept out by now, which another server of this store may have decided."""
        now = {ban.person: ban for ban in await self.bans()}
        new = [ban for who, ban in now.items() if who not in self._bans]
        self._bans = now
        for ban in new:
            await self._enforce_ban(ban)

    async def _enforce_ban(self, ban: Ban) -> None:
        self._bans[ban.person] = ban
        for one in await self._store.credentials_of(ban.person, self._now()):
            self._close_connections(one.hash, _ban_message(ban))

    def _check_not_banned(self, who: str) -> None:
        """Refuses whoever is kept out.

        Raises:
            ApiError: that one is; the message says until when, and why.
        """
        ban = self._bans.get(who)
        if ban is None:
            return
        if ban.until is not None and ban.until <= self._now():
            del self._bans[who]
            return
        raise ApiError("banned", _ban_message(ban))

    async def _revoke(self, who: str, hashed: str) -> bool:
        gone = await self._store.remove(who, hashed)
        self._close_connections(hashed, DEVICE_REVOKED)
        return gone

    def _close_connections(self, hashed: str, reason: str) -> None:
        self.end_connections(hashed, reason)
        self._notify_nodes(hashed)

    def _notify_nodes(self, hashed: str) -> None:
        """Has other nodes end the connections of a device, and read again who is kept out."""
        if self._on_revoked is not None:
            self._on_revoked(hashed)

    def end_connections(self, hashed: str, reason: str = DEVICE_REVOKED) -> None:
        """Ends the connections of a device that may come in no longer, here or at another node."""
        for close in list(self._connections.get(hashed, ())):
            close(reason)

    def check_report_limit(self, holder: AuthenticatedPerson, address: str) -> None:
        """Counts a report.

        Raises:
            ApiError: there have been many.
        """
        now = self._context.now()
        for who in (holder.person, rate_limit_key(address)):
            if not self._report_rates.bucket_for(who, now).try_take(now):
                raise ApiError("too_fast", "you have reported enough for now")

    # What is given out.

    def _check_redeem_rate(self, code: str | None, address: str) -> None:
        """Counts a code that is tried; long ones nobody guesses, so they have no limit in all."""
        now = self._context.now()
        short = code is not None and len(code) == base32_codes.LINK_CODE_LENGTH
        allowed = self._redeem_rates.bucket_for(rate_limit_key(address), now).try_take(now)
        if not allowed or (short and not self._total_redeem_rate.bucket_for("", now).try_take(now)):
            self._report_limit("code_tries", address)
            raise ApiError("too_fast", "too many codes were tried; wait a few minutes")

    def _check_code_rate(self, holder: AuthenticatedPerson) -> None:
        now = self._context.now()
        if not self._code_rates.bucket_for(holder.person, now).try_take(now):
            self._report_limit("codes")
            raise ApiError("too_fast", "you have asked for many codes; wait a minute")

    def _report_limit(self, limit: str, address: str = "") -> None:
        self._context.alerts.report("limit_hit", limit, address)

    async def _issue_code(
        self, holder: AuthenticatedPerson, kind: CredentialKind, letters: int, until: float
    ) -> str:
        code = base32_codes.new_code(letters)
        one = self._new_credential(base32_codes.hash_code(code), holder.person, kind, until)
        await self._store.add(one)
        return base32_codes.format_code(code)

    def _new_credential(
        self, hashed: str, who: str, kind: CredentialKind, until: float | None = None
    ) -> Credential:
        until = self._unseated_expiry() if until is None else until
        return Credential(hashed, who, kind, self._today(), self._today(), until)

    def _now(self) -> float:
        """Seconds since 1970, by the clock that all servers of the store share."""
        return self._context.store.now()

    def _today(self) -> int:
        return int(self._now()) // SECONDS_PER_DAY

    def _unseated_expiry(self) -> float:
        """Until when what leads to somebody who has sat at no table is good."""
        return self._now() + self._context.limits.keep_unseated_days * SECONDS_PER_DAY


def _ban_message(ban: Ban) -> str:
    """What a person is told who is kept out."""
    until = "for good"
    if ban.until is not None:
        until = f"until {datetime.fromtimestamp(ban.until, UTC):%Y-%m-%d %H:%M} UTC"
    return f"the host of this server keeps you out {until}: {ban.reason}"


def _set_cookie(token: str, *, secure: bool) -> SetCookie:
    return SetCookie(SECURE_COOKIE_NAME if secure else COOKIE_NAME, token)
