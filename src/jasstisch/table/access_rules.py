"""Who may see a table, small enough to be stored beside its log.

A server that holds only these rules can refuse somebody without reading the log, whose length would
show in the time of the answer.
"""

from hmac import compare_digest

from msgspec import Struct


class AccessRules(Struct, frozen=True, omit_defaults=True):
    """The rules by which a table admits people; the default ones admit everybody.

    Attributes:
        members: the host, and the people who have sat at the table and were not removed.
        key: the key that everybody else needs besides the table's id; None for none.
        public_from: the first match that everybody may see; None while the table is not published.
    """

    members: frozenset[str] = frozenset()
    key: str | None = None
    public_from: int | None = None

    def admits(self, person: str | None, key: str | None, match: int | None = None) -> bool:
        """Whether a person with this key, or without one, may see the table.

        Everybody may see a published table while it is published, but not the matches that began
        before, although the room shows them the key. The host decides who sits down there.

        Args:
            person: the person; None for a reader without an identity.
            key: the key of the link, if any.
            match: the number of a match that they also want to see.
        """
        if person is not None and person in self.members:
            return True
        if self.public_from is not None:
            return match is None or match >= self.public_from
        return self.key is None or (
            key is not None and compare_digest(key.encode(), self.key.encode())
        )
