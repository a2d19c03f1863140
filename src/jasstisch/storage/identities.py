"""The interface of an identity store: credentials, the people they authenticate, and bans.

Tables know a person by a pseudonymous id, the SHA-256 of a token. A credential authenticates a
person: a token in a cookie, a code to continue on another device, or a recovery code. Only the
SHA-256 of a secret is stored, and it is the key of the look-up, so that no comparison leaks
information by its timing.
"""

from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from jasstisch.storage.forgotten_list import ForgottenList

SECONDS_PER_DAY = 24 * 3600
"""The number of seconds in a day."""

DEVICE_RETENTION_DAYS = 400
"""The days after its last use for which a device of a person who has sat at a table stays valid: as
long as browsers keep a cookie."""

CredentialKind = Literal["device", "link", "recovery"]
"""A token of a device; a single-use code for another device; a recovery code."""


class Credential(Struct, frozen=True):
    """A secret that authenticates a person.

    Attributes:
        hash: the SHA-256 of the secret, in 64 hexadecimal digits.
        person: the person it authenticates.
        kind: its kind.
        created_day: the day of its creation, counted from 1970.
        last_used_day: the day of its last use; no finer time is stored.
        expires: the end of its validity in seconds since 1970; None for no end.
        maker: for a code the hash of the device that made it; None if that is not known, as of
            codes from before it was stored.
    """

    hash: str
    person: str
    kind: CredentialKind
    created_day: int
    last_used_day: int
    expires: float | None
    maker: str | None = None

    def ends_with(self, device: str) -> bool:
        """Whether this is a code that ends when another device has the given one forgotten."""
        return self.kind != "device" and self.maker in (None, device)


class Ban(Struct, frozen=True):
    """A ban of a person by the operator of the server.

    Attributes:
        person: the person; all their credentials are invalid meanwhile.
        since: its beginning in seconds since 1970.
        until: its end in the same unit; None for a permanent ban.
        reason: the reason shown to the person.
    """

    person: str
    since: float
    until: float | None
    reason: str


class IdentityStore(Protocol):
    """Credentials, bans, and the tables whose logs contain a person.

    Every method may raise `StoreError`; one that forgets does so also while that cannot be listed.
    Once a change returns it survives a crash. People in the log of a table have more to lose than
    others: their devices stay valid for `DEVICE_RETENTION_DAYS` after their last use, and their
    recovery code until it is replaced, whatever `expires` says.
    """

    def record_forgetting(self, forgotten: "ForgottenList") -> None:
        """Lists people and credentials that are forgotten, and bans, once that is committed."""

    async def add_credential(self, credential: Credential) -> bool:
        """Adds a credential; a link or recovery code replaces the previous one.

        Returns:
            False if the device that makes a code has been forgotten meanwhile.
        """

    async def find_credential(self, token_hash: str, now: float) -> Credential | None:
        """The credential with this hash, if it is valid at that time."""

    async def renew_device(self, token_hash: str, used: int, expires: float) -> None:
        """Records the day of use of a device, and its new expiry."""

    async def redeem(
        self, code: str, device: Credential, now: float, replaces: str | None = None
    ) -> Credential | None:
        """Adds a device for the person of a code; a link code is consumed.

        Args:
            code: the hash of a link or a recovery code.
            device: the device; its `person` is ignored.
            now: seconds since 1970.
            replaces: the hash under which the same device was known before. It is forgotten as by
                `forget_device`; if it was the same person's, the new one takes over its codes.

        Returns:
            The device as added; None for an invalid code.
        """

    async def credentials_of(self, person: str, now: float) -> list[Credential]:
        """All valid credentials of a person, the last used first."""

    async def forget_device(self, person: str, token_hash: str, now: float) -> bool:
        """Removes a device of a person; returns whether it existed.

        The codes that it made end with it, so that they do not bring it back, and so do codes of an
        unknown maker. Only the codes of a person's last device stay: nobody has forgotten it but
        itself, and nothing else leads back to the person. The devices that a code of it added stay
        too, where the person sees them: one of them may be the one that forgets it.
        """

    async def begin_erasure(self, person: str) -> None:
        """Removes all credentials of a person, and marks the person for erasure from tables.

        A ban is removed too, because no credential leads to the person any more.
        """

    async def list_abandoned(self, before: float, limit: int) -> list[str]:
        """People in the logs of tables whom no credential has led to since before a time.

        They are recorded with the removal of their last credential, and when a log names somebody
        without any.

        Args:
            before: seconds since 1970.
            limit: the maximum number of people.
        """

    async def begin_erasure_of_abandoned(self, person: str, before: float) -> bool:
        """Begins the erasure of somebody whom `list_abandoned` lists, as `begin_erasure` does.

        Returns:
            False if a credential leads to the person again, or another server has begun it.
        """

    async def pending_erasures(self, limit: int) -> list[str]:
        """People marked for erasure."""

    async def tables_of(self, person: str, limit: int) -> list[str]:
        """Tables whose logs contain a person."""

    async def mark_erased(self, person: str, table: str | None) -> None:
        """Records that a person is erased from a table; None: from all tables."""

    async def ban(self, ban: Ban) -> None:
        """Stores a ban, in place of an earlier one of the same person."""

    async def unban(self, person: str) -> bool:
        """Ends a ban; returns whether there was one."""

    async def list_bans(self, now: float) -> list[Ban]:
        """All bans in force at that time, the oldest first."""

    async def find_by_id_prefix(self, prefix: str, limit: int) -> list[str]:
        """People whose ids begin with a prefix: with a credential, in a log, or banned."""

    async def delete_expired(self, now: float, limit: int) -> int:
        """Removes at most this number of expired credentials; returns how many.

        It also lists what has been forgotten and could not be listed yet.
        """

    async def count_credentials(self) -> int:
        """The number of credentials."""
