"""Who is who: gives out tokens and codes, knows them again, and forgets them when asked to.

What is kept lies in the store of identities. Nobody here knows a token or a code for longer than
its request takes.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from jasstisch.server import codes
from jasstisch.server.addresses import caller
from jasstisch.server.calls import RefusedError
from jasstisch.server.gate import NO_PLACE
from jasstisch.server.identity import (
    COOKIE,
    SECURE_COOKIE,
    Cookie,
    Shown,
    new_token,
    person,
    shown_token,
)
from jasstisch.server.log import failure, log
from jasstisch.server.services import Services
from jasstisch.store import Ban, Credential, DamagedError, Kind
from jasstisch.store.identities import DAY

__all__ = ["LINK_SECONDS", "Holder", "People", "device_id"]

LINK_SECONDS = 600
"""How long a code for another device is good."""

TRIES, TRIES_PER_MINUTE = 10, 1
ALL_TRIES_PER_MINUTE = 120
LINKS_PER_MINUTE, LINKS_AT_ADDRESS_PER_MINUTE = 100, 20
"""How many codes one address may try at once and in the long run, all addresses together those for
other devices, and how many of these there are in a minute: what `codes.LINK` reckons with. No
address alone can use up what is there for all."""

CODES, CODES_PER_MINUTE = 10, 2
"""How many codes a person may ask for at once and in the long run."""

REPORTS, REPORTS_PER_HOUR = 5, 5
"""How many reports a person, or an address, may make at once and in the long run."""

MOST_DEVICES = 20
"""Devices of one person."""

FORGOTTEN = "this device has been forgotten"
"""Why the connections of a device end that is known no longer."""

AT_A_TIME = 200
"""So many expired credentials go in one step."""

Headers = Iterable[tuple[bytes, bytes]]


class Holder(NamedTuple):
    """Somebody who has shown a token that is good.

    Attributes:
        person: who it is, as tables know him.
        hash: the hash of the token.
        cookies: what the browser is to be told with the answer.
    """

    person: str
    hash: str
    cookies: tuple[Cookie, ...] = ()


def device_id(hashed: str) -> str:
    """How a person's device is called towards that person: it tells nothing of the token."""
    return sha256(f"device {hashed}".encode()).hexdigest()[:16]


class _There:
    """A connection of a device, while it is entered.

    Args:
        there: how the connections of each device are closed.
        hashed: the hash of the device's token.
        close: closes this one.
    """

    __slots__ = ("_close", "_hashed", "_there")

    def __init__(
        self,
        there: dict[str, tuple[Callable[[str], None], ...]],
        hashed: str,
        close: Callable[[str], None],
    ) -> None:
        self._there = there
        self._hashed = hashed
        self._close = close

    def __enter__(self) -> None:
        self._there[self._hashed] = (*self._there.get(self._hashed, ()), self._close)

    def __exit__(self, *_: object) -> None:
        its = tuple(one for one in self._there[self._hashed] if one != self._close)
        if its:
            self._there[self._hashed] = its
        else:
            del self._there[self._hashed]


class People:
    """Everybody whom a server knows.

    Args:
        services: the store and the limits.
    """

    def __init__(self, services: Services) -> None:
        limits = services.limits
        now, buckets = services.now, services.shared.buckets
        self._services = services
        self._store = services.store.identities
        self._there: dict[str, tuple[Callable[[str], None], ...]] = {}
        self._heed: Callable[[str], None] | None = None
        self._count = 0
        self._bans: dict[str, Ban] = {}
        given = limits.new_identities_per_minute
        self._given = buckets("new_identities", given / 60, given, now)
        self._tries = buckets("code_tries", TRIES_PER_MINUTE / 60, TRIES, now)
        most = ALL_TRIES_PER_MINUTE
        self._all_tries = buckets("all_code_tries", most / 60, most, now)
        self._links = buckets("links", LINKS_PER_MINUTE / 60, LINKS_PER_MINUTE, now)
        most = LINKS_AT_ADDRESS_PER_MINUTE
        self._links_at = buckets("links_at_address", most / 60, most, now)
        self._codes = buckets("codes", CODES_PER_MINUTE / 60, CODES, now)
        self._reports = buckets("reports", REPORTS_PER_HOUR / 3600, REPORTS, now)

    async def open(self) -> None:
        """Counts whom it knows, and reads who is kept out."""
        try:
            self._count = await self._store.count()
            await self.read_bans()
        except DamagedError as error:
            # Who can be found is known all the same.
            log.error("people_not_read", **failure(error))

    def heed(self, forgotten: Callable[[str], None]) -> None:
        """Has somebody told, by its hash, of each device that is forgotten here."""
        self._heed = forgotten

    async def expire(self) -> bool:
        """Drops some of what is good no longer; whether there may be more."""
        more = await self._store.expire(self._now(), AT_A_TIME) == AT_A_TIME
        await self.read_bans()
        before = self._count
        counted = await self._store.count()
        # Who has become known meanwhile may not be among them.
        self._count += counted - before
        return more

    # Knowing somebody again.

    async def asker(self, headers: Headers, *, secure: bool) -> Holder | None:
        """Who sends a request whose answer sets no cookie; None as for `holder`.

        Nothing is noted: the first use of a day is the one whose answer renews the cookie.

        Raises:
            RefusedError: whoever it is is kept out.
            StoreError: that cannot be told now.
        """
        shown = shown_token(headers, secure=secure)
        known = await self._found(shown)
        return None if known is None else Holder(known.person, known.hash)

    async def _found(self, shown: Shown | None) -> Credential | None:
        known = None if shown is None else await self._store.find(person(shown.token), self._now())
        if known is None or known.kind != "device":
            return None
        self._check_let_in(known.person)
        return known

    async def holder(self, headers: Headers, *, secure: bool) -> Holder | None:
        """Who sends a request; None for somebody without a token that was given out.

        The token's last use is noted and its cookie renewed, once a day: set what it says.

        Raises:
            RefusedError: whoever it is is kept out.
            StoreError: that cannot be told now.
        """
        shown = shown_token(headers, secure=secure)
        known = await self._found(shown)
        if shown is None or known is None:
            return None
        cookies: tuple[Cookie, ...] = ()
        if known.used < self._today():
            await self._store.renew(known.hash, self._today(), self._unseated_until())
            cookies = (_cookie(shown.token, secure=secure),)
        if shown.stale:
            cookies = (_cookie(shown.token, secure=secure), Cookie(COOKIE, ""))
        return Holder(known.person, known.hash, cookies)

    async def identify(self, headers: Headers, address: str, *, secure: bool) -> Holder:
        """Who sends a request; somebody new gets a token.

        Raises:
            RefusedError: so many have got one at this address, or in all.
            StoreError: it could not be kept.
        """
        known = await self.holder(headers, secure=secure)
        if known is not None:
            return known
        limits, now = self._services.limits, self._services.now()
        if not self._given.of(caller(address), now).take(now):
            self._note("new_identities_per_minute", address)
            most = limits.new_identities_per_minute
            raise RefusedError("too_fast", f"at most {most} new people a minute from an address")
        if self._count >= limits.identities:
            self._note("identities", address)
            raise RefusedError("busy", "this server knows as many people as it may")
        token = new_token()
        await self._store.add(self._credential(person(token), person(token), "device"))
        self._count += 1
        return Holder(person(token), person(token), (_cookie(token, secure=secure),))

    def attending(
        self, headers: Headers, close: Callable[[str], None], *, secure: bool
    ) -> AbstractContextManager[None]:
        """Has a connection closed when its device is forgotten; enter before asking who it is.

        Args:
            headers: of the handshake.
            close: closes it, for a reason.
            secure: whether it came under TLS.
        """
        shown = shown_token(headers, secure=secure)
        return NO_PLACE if shown is None else _There(self._there, person(shown.token), close)

    # Other devices.

    async def credentials(self, holder: Holder) -> list[Credential]:
        """All that leads to a person."""
        return await self._store.of(holder.person, self._now())

    async def new_link(self, holder: Holder, address: str) -> str:
        """A code by which another device becomes this person's, once and soon.

        Args:
            holder: the person.
            address: where he calls from.

        Raises:
            RefusedError: too many are asked for.
        """
        self._check_codes(holder)
        now = self._services.now()
        if not (
            self._links_at.of(caller(address), now).take(now) and self._links.of("", now).take(now)
        ):
            self._note("links", address)
            raise RefusedError("too_fast", "too many ask for codes; try again in a minute")
        return await self._new_code(holder, "link", codes.LINK, self._now() + LINK_SECONDS)

    async def new_recovery(self, holder: Holder) -> str:
        """A code to write down, in place of the one before.

        Raises:
            RefusedError: too many are asked for.
        """
        self._check_codes(holder)
        return await self._new_code(holder, "recovery", codes.RECOVERY, self._unseated_until())

    async def take(self, text: str, headers: Headers, address: str, *, secure: bool) -> Holder:
        """Makes a device that of the person to whom a code leads.

        Whoever it was before it is no longer, and nobody has that token any more.

        Raises:
            RefusedError: the code is not good, or too many have been tried.
        """
        before = await self.asker(headers, secure=secure)
        code = codes.typed_code(text)
        self._check_tries(code, address)
        found = None if code is None else await self._store.find(codes.code_hash(code), self._now())
        if code is None or found is None or found.kind == "device":
            raise RefusedError("bad_code", "this code is not good, or no longer")
        self._check_let_in(found.person)
        known = await self._store.of(found.person, self._now())
        if sum(one.kind == "device" for one in known) >= MOST_DEVICES:
            raise RefusedError("limit", f"at most {MOST_DEVICES} devices; forget one first")
        token = new_token()
        device = self._credential(person(token), found.person, "device")
        if await self._store.redeem(codes.code_hash(code), device, self._now()) is None:
            raise RefusedError("bad_code", "this code is not good, or no longer")
        self._count += 1
        log.info("device_added", by=found.kind)
        if before is not None:
            await self._drop(before.person, before.hash)
        cookies = [_cookie(token, secure=secure)]
        if secure:
            cookies.append(Cookie(COOKIE, ""))
        return Holder(found.person, device.hash, tuple(cookies))

    # Forgetting.

    async def forget_device(self, holder: Holder, device: str) -> bool:
        """Forgets one of a person's devices and ends its connections; whether there is such a one.

        Args:
            holder: the person.
            device: the device's id.
        """
        for one in await self.credentials(holder):
            if one.kind == "device" and device_id(one.hash) == device:
                return await self._drop(holder.person, one.hash)
        return False

    async def forget(self, who: str) -> None:
        """Forgets all that leads to a person, and ends the person's connections.

        The tables are left later, in small steps (`Forgetting`).
        """
        known = await self._store.of(who, self._now())
        await self._store.forget(who)
        self._bans.pop(who, None)
        log.info("person_forgotten")
        for one in known:
            self._close(one.hash, FORGOTTEN)

    # Keeping somebody out.

    async def ban(self, ban: Ban) -> None:
        """Keeps a person out from now on, and ends the person's connections."""
        await self._store.ban(ban)
        await self._shut_out(ban)
        self._tell_others(ban.person)
        log.info("person_banned", until=ban.until)

    async def unban(self, who: str) -> bool:
        """Lets a person in again; whether that one was kept out."""
        gone = await self._store.unban(who)
        self._bans.pop(who, None)
        self._tell_others(who)
        return gone

    async def bans(self) -> list[Ban]:
        """Who is kept out."""
        return await self._store.bans(self._now())

    async def read_bans(self) -> None:
        """Takes in who is kept out by now, which another server of this store may have decided."""
        now = {ban.person: ban for ban in await self.bans()}
        new = [ban for who, ban in now.items() if who not in self._bans]
        self._bans = now
        for ban in new:
            await self._shut_out(ban)

    async def _shut_out(self, ban: Ban) -> None:
        self._bans[ban.person] = ban
        for one in await self._store.of(ban.person, self._now()):
            self._close(one.hash, _kept_out(ban))

    def _check_let_in(self, who: str) -> None:
        """Refuses whoever is kept out.

        Raises:
            RefusedError: that one is; the message says until when, and why.
        """
        ban = self._bans.get(who)
        if ban is None:
            return
        if ban.until is not None and ban.until <= self._now():
            del self._bans[who]
            return
        raise RefusedError("banned", _kept_out(ban))

    async def _drop(self, who: str, hashed: str) -> bool:
        gone = await self._store.remove(who, hashed)
        self._close(hashed, FORGOTTEN)
        return gone

    def _close(self, hashed: str, reason: str) -> None:
        self.end_connections(hashed, reason)
        self._tell_others(hashed)

    def _tell_others(self, hashed: str) -> None:
        """Has other nodes end the connections of a device, and read again who is kept out."""
        if self._heed is not None:
            self._heed(hashed)

    def end_connections(self, hashed: str, reason: str = FORGOTTEN) -> None:
        """Ends the connections of a device that may come in no longer, here or at another node."""
        for close in list(self._there.get(hashed, ())):
            close(reason)

    def check_report(self, holder: Holder, address: str) -> None:
        """Counts a report.

        Raises:
            RefusedError: there have been many.
        """
        now = self._services.now()
        for who in (holder.person, caller(address)):
            if not self._reports.of(who, now).take(now):
                raise RefusedError("too_fast", "you have reported enough for now")

    # What is given out.

    def _check_tries(self, code: str | None, address: str) -> None:
        """Counts a code that is tried; long ones nobody guesses, so they have no limit in all."""
        now = self._services.now()
        short = code is not None and len(code) == codes.LINK
        allowed = self._tries.of(caller(address), now).take(now)
        if not allowed or (short and not self._all_tries.of("", now).take(now)):
            self._note("code_tries", address)
            raise RefusedError("too_fast", "too many codes were tried; wait a few minutes")

    def _check_codes(self, holder: Holder) -> None:
        now = self._services.now()
        if not self._codes.of(holder.person, now).take(now):
            self._note("codes")
            raise RefusedError("too_fast", "you have asked for many codes; wait a minute")

    def _note(self, limit: str, address: str = "") -> None:
        self._services.incidents.note("limit_hit", limit, address)

    async def _new_code(self, holder: Holder, kind: Kind, letters: int, until: float) -> str:
        code = codes.new_code(letters)
        one = self._credential(codes.code_hash(code), holder.person, kind, until)
        await self._store.add(one)
        return codes.grouped(code)

    def _credential(
        self, hashed: str, who: str, kind: Kind, until: float | None = None
    ) -> Credential:
        until = self._unseated_until() if until is None else until
        return Credential(hashed, who, kind, self._today(), self._today(), until)

    def _now(self) -> float:
        """Seconds since 1970, by the clock that all servers of the store share."""
        return self._services.store.now()

    def _today(self) -> int:
        return int(self._now()) // DAY

    def _unseated_until(self) -> float:
        """Until when what leads to somebody who has sat at no table is good."""
        return self._now() + self._services.limits.keep_unseated_days * DAY


def _kept_out(ban: Ban) -> str:
    """What a person is told who is kept out."""
    until = "for good"
    if ban.until is not None:
        until = f"until {datetime.fromtimestamp(ban.until, UTC):%Y-%m-%d %H:%M} UTC"
    return f"the host of this server keeps you out {until}: {ban.reason}"


def _cookie(token: str, *, secure: bool) -> Cookie:
    return Cookie(SECURE_COOKIE if secure else COOKIE, token)
