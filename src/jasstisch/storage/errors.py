"""The errors of a store."""

from jasstisch.storage.failure_causes import FailureCause, classify_failure


class StoreError(Exception):
    """An operation of the store failed; except for `OutcomeUnknownError`, nothing was stored.

    Args:
        text: the message: what failed.
        cause: the cause, where it is known and there is no chained exception.
    """

    def __init__(self, text: str = "", cause: FailureCause | None = None) -> None:
        super().__init__(text)
        self._cause = cause

    @property
    def cause(self) -> FailureCause | None:
        """The cause of the failure, as far as error codes and types tell it."""
        return self._cause or (self.__cause__ and classify_failure(self.__cause__)) or None


class OutcomeUnknownError(StoreError):
    """The outcome of a write is unknown; callers must read the store to find out."""


class ConflictError(StoreError):
    """Another writer has already written these versions of the table."""


class CorruptionError(StoreError):
    """Stored data differ from what was written; the message names no cards.

    Args:
        text: the problem found.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text, "damaged")
