"""The identity service: issues tokens and codes, authenticates people, and erases them on request.

The data is in the identity store. The service holds a token or a code in memory only for the
duration of its request.
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

LINK_CODE_LIFETIME_S = 600
"""How long a link code for another device is valid, in seconds."""

_REDEEM_BURST, _REDEEM_PER_MINUTE = 10, 1
_TOTAL_REDEEM_PER_MINUTE = 120
_LINK_CODES_PER_MINUTE, _LINK_CODES_AT_ADDRESS_PER_MINUTE = 100, 20
"""The rate limits for codes: attempts to redeem one, for each address (burst and sustained rate);
attempts with link codes in total; and new link codes, in total and for each address.
`base32_codes.LINK_CODE_LENGTH` is based on them. One address alone cannot use up a total."""

_CODE_BURST, _CODES_PER_MINUTE = 10, 2
"""The rate limit for creating codes, for each person: burst and sustained rate."""

_REPORT_BURST, _REPORTS_PER_HOUR = 5, 5
"""The rate limit for reports, for each person and each address: burst and sustained rate."""

_MAX_DEVICES = 20
"""The maximum number of devices of one person."""

_DEVICE_REVOKED = "this device has been forgotten"
"""The reason with which the connections of a revoked device are closed."""

_BATCH_SIZE = 200
"""How many expired credentials are deleted in one batch."""

_Headers = Iterable[tuple[bytes, bytes]]


class AuthenticatedPerson(NamedTuple):
    """A person who has presented a valid token.

    Attributes:
        person: the person's id, as tables know it.
        token_hash: the hash of the token.
        cookies_to_set: the cookies to set with the response.
    """

    person: str
    token_hash: str
    cookies_to_set: tuple[SetCookie, ...] = ()


def device_id(hashed: str) -> str:
    """The id of a person's device as the person sees it; it reveals nothing about the token."""
    return sha256(f"device {hashed}".encode()).hexdigest()[:16]


class _DeviceConnection:
    """Registers the connection of a device while it is open.

    Args:
        connections: the functions that close each device's connections.
        hashed: the hash of the device's token.
        close: closes this connection.
    """

    __slots__ = ("_close", "_connections", "_device_hash")

    def __init__(
        self,
        connections: dict[str, tuple[Callable[[str], None], ...]],
        hashed: str,
        close: Callable[[str], None],
    ) -> None:
        self._connections = connections
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
    """Manages the identities of a server.

    Args:
        context: the store and the limits.
    """

    def __init__(self, context: ServerContext) -> None:
        limits = context.limits
        now, buckets = context.now, context.shared_usage.create_buckets
        self._context = context
        self._store = context.store.identity_store
        self._connections: dict[str, tuple[Callable[[str], None], ...]] = {}
        self._on_revoked: Callable[[str], None] | None = None
        self._on_erasure: Callable[[], None] | None = None
        self._count = 0
        self._bans: dict[str, Ban] = {}
        given = limits.new_identities_per_minute
        self._new_identity_rates = buckets("new_identities", given / 60, given, now)
        self._redeem_rates = buckets("code_tries", _REDEEM_PER_MINUTE / 60, _REDEEM_BURST, now)
        most = _TOTAL_REDEEM_PER_MINUTE
        self._total_redeem_rate = buckets("all_code_tries", most / 60, most, now)
        self._total_link_code_rate = buckets(
            "links", _LINK_CODES_PER_MINUTE / 60, _LINK_CODES_PER_MINUTE, now
        )
        most = _LINK_CODES_AT_ADDRESS_PER_MINUTE
        self._link_code_rates = buckets("links_at_address", most / 60, most, now)
        self._code_rates = buckets("codes", _CODES_PER_MINUTE / 60, _CODE_BURST, now)
        self._report_rates = buckets("reports", _REPORTS_PER_HOUR / 3600, _REPORT_BURST, now)

    async def open(self) -> None:
        """Counts the identities and loads the bans."""
        try:
            self._count = await self._store.count_credentials()
            await self.refresh_bans()
        except CorruptionError as error:
            # The readable identities are served all the same.
            log.error("people_not_read", **describe_exception(error))

    def add_revocation_listener(self, forgotten: Callable[[str], None]) -> None:
        """Registers a callback for devices revoked here; it gets the hash of the device's token."""
        self._on_revoked = forgotten

    def add_erasure_listener(self, begun: Callable[[], None]) -> None:
        """Registers a callback for each person who is to be erased and still has tables."""
        self._on_erasure = begun

    async def purge_expired(self) -> bool:
        """Deletes some expired credentials, and erases some people who have had none for long.

        Returns:
            Whether there may be more.
        """
        more = await self._store.delete_expired(self._now(), _BATCH_SIZE) == _BATCH_SIZE
        more = await self._erase_abandoned() or more
        await self.refresh_bans()
        before = self._count
        counted = await self._store.count_credentials()
        # An identity created during the query may be missing from its result.
        self._count += counted - before
        return more

    # Authentication.

    async def peek_identity(self, headers: _Headers, *, secure: bool) -> AuthenticatedPerson | None:
        """Authenticates a request whose response sets no cookie; otherwise as `authenticate`.

        Nothing is recorded: the first use of a day must be one whose response renews the cookie.

        Raises:
            ApiError: the person is banned.
            StoreError: the store is unavailable.
        """
        shown = extract_token(headers, secure=secure)
        known = await self._find_credential(shown)
        return None if known is None else AuthenticatedPerson(known.person, known.hash)

    async def _erase_abandoned(self) -> bool:
        """Begins to erase people whom no credential leads to; returns whether there may be more."""
        before = self._now() - self._context.limits.keep_abandoned_days * SECONDS_PER_DAY
        people = await self._store.list_abandoned(before, _BATCH_SIZE)
        for who in people:
            # Another server may have begun it, or a credential leads to the person again.
            if await self._store.begin_erasure_of_abandoned(who, before):
                self._end_person(who)
        return len(people) == _BATCH_SIZE

    async def _find_credential(self, shown: PresentedToken | None) -> Credential | None:
        known = (
            None
            if shown is None
            else await self._store.find_credential(hash_token(shown.token), self._now())
        )
        if known is None or known.kind != "device":
            return None
        self._check_not_banned(known.person)
        return known

    async def authenticate(self, headers: _Headers, *, secure: bool) -> AuthenticatedPerson | None:
        """Authenticates a request; returns None without a valid token.

        Once a day, the use of the token is recorded and its cookie renewed: set the returned
        cookies.

        Raises:
            ApiError: the person is banned.
            StoreError: the store is unavailable.
        """
        shown = extract_token(headers, secure=secure)
        known = await self._find_credential(shown)
        if shown is None or known is None:
            return None
        cookies: tuple[SetCookie, ...] = ()
        if known.last_used_day < self._today():
            await self._store.renew_device(known.hash, self._today(), self._unseated_expiry())
            cookies = (_set_cookie(shown.token, secure=secure),)
        if shown.needs_cookie_rename:
            cookies = (_set_cookie(shown.token, secure=secure), SetCookie(COOKIE_NAME, ""))
        return AuthenticatedPerson(known.person, known.hash, cookies)

    async def ensure_identity(
        self, headers: _Headers, address: str, *, secure: bool
    ) -> AuthenticatedPerson:
        """Authenticates a request, and issues a new identity if there is none.

        Raises:
            ApiError: this address, or all together, have created too many identities, or the person
                is banned.
            StoreError: the identity could not be stored.
        """
        known = await self.authenticate(headers, secure=secure)
        if known is not None:
            return known
        limits, now = self._context.limits, self._context.now()
        if not self._new_identity_rates.try_take(rate_limit_key(address), now):
            self._report_limit("new_identities_per_minute", address)
            most = limits.new_identities_per_minute
            raise ApiError("too_fast", f"at most {most} new people a minute from an address")
        if self._count >= limits.identities:
            self._report_limit("identities", address)
            raise ApiError("busy", "this server knows as many people as it may")
        token = new_token()
        await self._store.add_credential(
            self._new_credential(hash_token(token), hash_token(token), "device")
        )
        self._count += 1
        return AuthenticatedPerson(
            hash_token(token), hash_token(token), (_set_cookie(token, secure=secure),)
        )

    def close_on_revocation(
        self, headers: _Headers, close: Callable[[str], None], *, secure: bool
    ) -> AbstractContextManager[None]:
        """Closes a connection when its device is revoked; enter it before authenticating.

        Args:
            headers: the headers of the handshake.
            close: closes the connection, with a reason.
            secure: whether the connection uses TLS.
        """
        shown = extract_token(headers, secure=secure)
        return (
            UNCOUNTED
            if shown is None
            else _DeviceConnection(self._connections, hash_token(shown.token), close)
        )

    # Other devices.

    async def credentials(self, holder: AuthenticatedPerson) -> list[Credential]:
        """All credentials of a person."""
        return await self._store.credentials_of(holder.person, self._now())

    async def create_link_code(self, holder: AuthenticatedPerson, address: str) -> str:
        """Creates a one-time code that adds another device to this person, valid for a short time.

        Args:
            holder: the person.
            address: the address of the client.

        Raises:
            ApiError: too many codes are requested.
        """
        self._check_code_rate(holder)
        now = self._context.now()
        if not (
            self._link_code_rates.try_take(rate_limit_key(address), now)
            and self._total_link_code_rate.try_take("", now)
        ):
            self._report_limit("links", address)
            raise ApiError("too_fast", "too many ask for codes; try again in a minute")
        return await self._issue_code(
            holder, "link", base32_codes.LINK_CODE_LENGTH, self._now() + LINK_CODE_LIFETIME_S
        )

    async def create_recovery_code(self, holder: AuthenticatedPerson) -> str:
        """Creates a recovery code to write down; it replaces the previous one.

        Raises:
            ApiError: too many codes are requested.
        """
        self._check_code_rate(holder)
        return await self._issue_code(
            holder, "recovery", base32_codes.RECOVERY_CODE_LENGTH, self._unseated_expiry()
        )

    async def redeem(
        self, text: str, headers: _Headers, address: str, *, secure: bool, give_up: bool = False
    ) -> AuthenticatedPerson:
        """Assigns a device to the person who owns a code.

        The previous identity of the device ends, and nobody has its token any more.

        Args:
            text: the code.
            headers: the headers of the request.
            address: the address of the client.
            secure: whether the request uses TLS.
            give_up: whether nothing may lead to the device's previous person any more.

        Raises:
            ApiError: the code is not valid, or too many have been tried, or it needs `give_up`.
        """
        before = await self.peek_identity(headers, secure=secure)
        code = base32_codes.parse_code(text)
        self._check_redeem_rate(code, address)
        found = (
            None
            if code is None
            else await self._store.find_credential(base32_codes.hash_code(code), self._now())
        )
        if code is None or found is None or found.kind == "device":
            raise ApiError("bad_code", "this code is not good, or no longer")
        self._check_not_banned(found.person)
        known = await self._store.credentials_of(found.person, self._now())
        if sum(one.kind == "device" for one in known) >= _MAX_DEVICES:
            raise ApiError("limit", f"at most {_MAX_DEVICES} devices; forget one first")
        if before is not None and before.person != found.person and not give_up:
            await self._check_not_last(before.person, before.token_hash)
        token = new_token()
        device = self._new_credential(hash_token(token), found.person, "device")
        former = None if before is None else before.token_hash
        hashed = base32_codes.hash_code(code)
        if await self._store.redeem(hashed, device, self._now(), former) is None:
            raise ApiError("bad_code", "this code is not good, or no longer")
        self._count += 1
        log.info("device_added", by=found.kind)
        if former is not None:
            self._close_connections(former, _DEVICE_REVOKED)
        cookies = [_set_cookie(token, secure=secure)]
        if secure:
            cookies.append(SetCookie(COOKIE_NAME, ""))
        return AuthenticatedPerson(found.person, device.hash, tuple(cookies))

    # Revocation and erasure.

    async def revoke_device(
        self, holder: AuthenticatedPerson, device: str, *, give_up: bool = False
    ) -> bool:
        """Revokes one of a person's devices and closes its connections; returns whether it existed.

        The codes that it made end too, see `IdentityStore.forget_device`.

        Args:
            holder: the person.
            device: the device's id.
            give_up: whether nothing may lead to the person any more.

        Raises:
            ApiError: it needs `give_up`.
        """
        for one in await self.credentials(holder):
            if one.kind == "device" and device_id(one.hash) == device:
                if not give_up:
                    await self._check_not_last(holder.person, one.hash)
                gone = await self._store.forget_device(holder.person, one.hash, self._now())
                self._close_connections(one.hash, _DEVICE_REVOKED)
                return gone
        return False

    async def _check_not_last(self, who: str, device: str) -> None:
        """Refuses to leave the seats of a person to nobody.

        A code for another device is valid for minutes only, so it does not count.

        Args:
            who: the person.
            device: the hash of a device that they are about to lose.

        Raises:
            ApiError: nothing else leads to the person, who has been at a table.
        """
        known = await self._store.credentials_of(who, self._now())
        if any(one.kind != "link" and one.hash != device for one in known):
            return
        if await self._store.tables_of(who, 1):
            days = self._context.limits.keep_abandoned_days
            raise ApiError(
                "last_device",
                "no other device and no recovery code leads to you: your seats and matches would "
                f"be lost, and after {days} days you would be erased from all tables; make a "
                "recovery code or add another device first, or send give_up to consent",
            )

    async def erase(self, who: str) -> None:
        """Deletes all credentials of a person and closes the person's connections.

        The person leaves their tables later, in small steps (`ErasureJob`).
        """
        known = await self._store.credentials_of(who, self._now())
        await self._store.begin_erasure(who)
        for one in known:
            self._close_connections(one.hash, _DEVICE_REVOKED)
        self._end_person(who)

    def _end_person(self, who: str) -> None:
        """Ends the ban of a person who is being erased, and has their tables left."""
        self._bans.pop(who, None)
        log.info("person_forgotten")
        if self._on_erasure is not None:
            self._on_erasure()

    # Bans.

    async def ban(self, ban: Ban) -> None:
        """Bans a person from now on, and closes the person's connections."""
        await self._store.ban(ban)
        await self._enforce_ban(ban)
        self._notify_nodes(ban.person)
        log.info("person_banned", until=ban.until)

    async def unban(self, who: str) -> bool:
        """Ends the ban of a person; returns whether the person was banned."""
        gone = await self._store.unban(who)
        self._bans.pop(who, None)
        self._notify_nodes(who)
        return gone

    async def list_bans(self) -> list[Ban]:
        """The bans in force."""
        return await self._store.list_bans(self._now())

    async def refresh_bans(self) -> None:
        """Reloads the bans, which another server of this store may have changed."""
        now = {ban.person: ban for ban in await self.list_bans()}
        new = [ban for who, ban in now.items() if who not in self._bans]
        self._bans = now
        for ban in new:
            await self._enforce_ban(ban)

    async def _enforce_ban(self, ban: Ban) -> None:
        self._bans[ban.person] = ban
        for one in await self._store.credentials_of(ban.person, self._now()):
            self._close_connections(one.hash, _ban_message(ban))

    def _check_not_banned(self, who: str) -> None:
        """Refuses a banned person.

        Raises:
            ApiError: the person is banned; the message says until when, and why.
        """
        ban = self._bans.get(who)
        if ban is None:
            return
        if ban.until is not None and ban.until <= self._now():
            del self._bans[who]
            return
        raise ApiError("banned", _ban_message(ban))

    def _close_connections(self, hashed: str, reason: str) -> None:
        self.end_connections(hashed, reason)
        self._notify_nodes(hashed)

    def _notify_nodes(self, hashed: str) -> None:
        """Has other nodes close the connections of a device and reload the bans."""
        if self._on_revoked is not None:
            self._on_revoked(hashed)

    def end_connections(self, hashed: str, reason: str = _DEVICE_REVOKED) -> None:
        """Closes the connections of a device that was revoked or banned, here or elsewhere."""
        for close in list(self._connections.get(hashed, ())):
            close(reason)

    def check_report_limit(self, holder: AuthenticatedPerson, address: str) -> None:
        """Counts a report against the rate limits.

        Raises:
            ApiError: there have been too many reports.
        """
        now = self._context.now()
        for who in (holder.person, rate_limit_key(address)):
            if not self._report_rates.try_take(who, now):
                raise ApiError("too_fast", "you have reported enough for now")

    # Issuing.

    def _check_redeem_rate(self, code: str | None, address: str) -> None:
        """Counts an attempt to redeem a code; long ones are unguessable and have no total limit."""
        now = self._context.now()
        short = code is not None and len(code) == base32_codes.LINK_CODE_LENGTH
        allowed = self._redeem_rates.try_take(rate_limit_key(address), now)
        if not allowed or (short and not self._total_redeem_rate.try_take("", now)):
            self._report_limit("code_tries", address)
            raise ApiError("too_fast", "too many codes were tried; wait a few minutes")

    def _check_code_rate(self, holder: AuthenticatedPerson) -> None:
        now = self._context.now()
        if not self._code_rates.try_take(holder.person, now):
            self._report_limit("codes")
            raise ApiError("too_fast", "you have asked for many codes; wait a minute")

    def _report_limit(self, limit: str, address: str = "") -> None:
        self._context.alerts.report("limit_hit", limit, address)

    async def _issue_code(
        self, holder: AuthenticatedPerson, kind: CredentialKind, letters: int, until: float
    ) -> str:
        code = base32_codes.new_code(letters)
        hashed, maker = base32_codes.hash_code(code), holder.token_hash
        one = self._new_credential(hashed, holder.person, kind, until, maker)
        if not await self._store.add_credential(one):
            raise ApiError("no_identity", _DEVICE_REVOKED)
        return base32_codes.format_code(code)

    def _new_credential(
        self,
        hashed: str,
        who: str,
        kind: CredentialKind,
        until: float | None = None,
        maker: str | None = None,
    ) -> Credential:
        until = self._unseated_expiry() if until is None else until
        return Credential(hashed, who, kind, self._today(), self._today(), until, maker)

    def _now(self) -> float:
        """Seconds since 1970, on the clock that all servers of the store share."""
        return self._context.store.now()

    def _today(self) -> int:
        return int(self._now()) // SECONDS_PER_DAY

    def _unseated_expiry(self) -> float:
        """The expiry of the credentials of a person who has never sat at a table."""
        return self._now() + self._context.limits.keep_unseated_days * SECONDS_PER_DAY


def _ban_message(ban: Ban) -> str:
    """The message for a banned person."""
    until = "for good"
    if ban.until is not None:
        until = f"until {datetime.fromtimestamp(ban.until, UTC):%Y-%m-%d %H:%M} UTC"
    return f"the host of this server keeps you out {until}: {ban.reason}"


def _set_cookie(token: str, *, secure: bool) -> SetCookie:
    return SetCookie(SECURE_COOKIE_NAME if secure else COOKIE_NAME, token)
