"""What every store of identities promises: which secrets lead to which person.

A person is known to tables by a name that says nothing, the SHA-256 of a token. Whoever shows a
secret that leads there is that person: a token in a cookie, a code to play on from another device,
a code that was written down. Of secrets only the SHA-256 is kept, and found by it: there is nothing
to compare whose time could tell anything.
"""

from typing import Literal, Protocol

from msgspec import Struct

__all__ = [
    "DEVICE_RETENTION_DAYS",
    "SECONDS_PER_DAY",
    "Ban",
    "Credential",
    "CredentialKind",
    "IdentityStore",
]

SECONDS_PER_DAY = 24 * 3600
"""Seconds of a day."""

DEVICE_RETENTION_DAYS = 400
"""So long after its last use a device of somebody who has sat at a table is known: as long as
browsers keep a cookie."""

CredentialKind = Literal["device", "link", "recovery"]
"""A token of a device; a code for another device, good once; a code to write down."""


class Credential(Struct, frozen=True):
    """A secret that leads to a person.

    Attributes:
        hash: the SHA-256 of the secret, in 64 hexadecimal digits.
        person: whom it leads to.
        kind: what it is.
        made: the day it was made, counted from 1970.
        used: the day it was last used; no finer time is kept.
        expires: seconds since 1970 until which it is good; None for as long as it is kept.
    """

    hash: str
    person: str
    kind: CredentialKind
    made: int
    used: int
    expires: float | None


class Ban(Struct, frozen=True):
    """Somebody whom the operator of the server keeps out.

    Attributes:
        person: whom; nothing that leads to him is good meanwhile.
        since: seconds since 1970.
        until: the same; None for good.
        reason: why, as the person is told.
    """

    person: str
    since: float
    until: float | None
    reason: str


class IdentityStore(Protocol):
    """Credentials, and at which tables' logs people stand. Every method may raise `StoreError`.

    Once a change returns it survives a crash. Who stands in the log of a table has more to lose
    than others: his devices are good for `KEPT_DAYS` after their last use and his recovery code
    until it is replaced, whatever `expires` was asked for.
    """

    async def add(self, credential: Credential) -> None:
        """Adds a credential; of a link or a recovery code it replaces the one before."""

    async def find(self, hashed: str, now: float) -> Credential | None:
        """The credential of this hash, if it is good at that time."""

    async def renew(self, hashed: str, used: int, expires: float) -> None:
        """Notes that a device was used on a day, and until when it is good thereby."""

    async def redeem(self, code: str, device: Credential, now: float) -> Credential | None:
        """Adds a device of the person to whom a code leads; a link is used up by it.

        Args:
            code: the hash of a link or a recovery code.
            device: the device; its person does not count.
            now: seconds since 1970.

        Returns:
            The device as it was added; None for a code that is not good.
        """

    async def credentials_of(self, person: str, now: float) -> list[Credential]:
        """All good credentials of a person, those used last first."""

    async def remove(self, person: str, hashed: str) -> bool:
        """Removes a credential of a person; whether there was one."""

    async def begin_erasure(self, person: str) -> None:
        """Removes all credentials of a person, and marks him as one whose tables are to be left.

        A ban of his goes too: nothing leads there any more.
        """

    async def pending_erasures(self, most: int) -> list[str]:
        """People who are marked so."""

    async def tables_of(self, person: str, most: int) -> list[str]:
        """Tables in whose logs a person stands."""

    async def mark_erased(self, person: str, table: str | None) -> None:
        """Notes that a table of a forgotten person is done with; None: that all are."""

    async def ban(self, ban: Ban) -> None:
        """Keeps a ban, in place of an earlier one of the same person."""

    async def unban(self, person: str) -> bool:
        """Ends a ban; whether there was one."""

    async def bans(self, now: float) -> list[Ban]:
        """All bans that hold at that time, those that hold since the longest first."""

    async def find_people(self, prefix: str, most: int) -> list[str]:
        """People whose hashes begin so: who has a credential, stands in a log or is banned."""

    async def delete_expired(self, now: float, most: int) -> int:
        """Removes credentials that are good no longer; how many, at most so many at once."""

    async def count(self) -> int:
        """How many credentials there are."""
