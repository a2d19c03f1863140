"""The error with which a table refuses a command."""

from collections.abc import Sequence
from typing import Literal

RefusalCode = Literal[
    "not_seated",
    "not_host",
    "no_entry",
    "seat_taken",
    "no_swap",
    "no_undo",
    "no_rest",
    "illegal_action",
    "not_fair",
    "no_writing",
    "wrong_phase",
    "bad_name",
    "bad_text",
    "bad_option",
    "limit",
    "too_fast",
    "not_ready",
]
"""The reason why a command was refused, for programs."""


class TableError(ValueError):
    """A table refuses a command; nothing has changed.

    The message is meant for the person who gave the command and may name cards of their own hand:
    show it to nobody else and log only the code.

    Attributes:
        code: the reason for programs.
        clause: the clause of the rules that forbids an action, else None.
        reason: the engine's reason code for an action, else None.
        legal: the legal actions, where an action was refused.
    """

    def __init__(
        self,
        code: RefusalCode,
        message: str,
        *,
        clause: str | None = None,
        reason: str | None = None,
        legal: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.code: RefusalCode = code
        self.clause = clause
        self.reason = reason
        self.legal = list(legal)


def no_such_seat(seat: int, seats: int) -> TableError:
    """The error for a seat number that a table with this many seats does not have."""
    return TableError("bad_option", f"no seat {seat}; the seats are 0 to {seats - 1}")
