"""The rate limits at one table, for what affects the others: seat changes, chat, skipped pauses.

The limits hold for each person at a table. Seat changes are also limited for all people there
together. `jasstisch.server.limits` limits what one address may request of the whole server.
"""

from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.limits import KeyedBuckets, TokenBucket
from jasstisch.server.tables.handle import TableMessage
from jasstisch.table import TableError

_SEAT_MESSAGES = (
    messages.Sit,
    messages.Stand,
    messages.SwapSeats,
    messages.AnswerSwap,
    messages.WithdrawSwap,
)
"""The messages that move people between seats; they are rate-limited."""

_PUBLISH_BURST, _PUBLISHED_PER_MINUTE = 10, 2
"""The rate limit for publishing or unpublishing a table, for each person: burst and sustained."""


class TableRateLimits:
    """The rate limits of one table.

    Args:
        context: the limits, the clock and the alerts of the server.
    """

    __slots__ = (
        "_chat_rates",
        "_context",
        "_publish_rates",
        "_seat_change_rates",
        "_skip_rates",
        "_table_seat_change_rate",
    )

    def __init__(self, context: ServerContext) -> None:
        limits = context.limits
        self._context = context
        self._publish_rates = KeyedBuckets(_PUBLISHED_PER_MINUTE / 60, _PUBLISH_BURST)
        self._seat_change_rates = KeyedBuckets(limits.seatings_per_minute / 60, limits.seatings)
        each_second = limits.table_seat_changes_per_minute / 60
        self._table_seat_change_rate = TokenBucket(
            each_second, limits.table_seat_change_burst, context.now()
        )
        self._chat_rates = KeyedBuckets(limits.talk_per_minute / 60, limits.talk)
        self._skip_rates = KeyedBuckets(limits.hurries_per_minute / 60, limits.hurries)

    def check_seat_or_publish(self, person: str, message: TableMessage) -> None:
        """Limits how often a person changes seats or publishes the table.

        Raises:
            TableError: this person has done so too often, or all people together have changed seats
                too often.
        """
        if isinstance(message, _SEAT_MESSAGES):
            self._check_seat_change(person, message)
        elif isinstance(message, messages.SetPublished):
            text = "you have published the table often enough; wait a minute"
            self._take(self._publish_rates, person, "publishings", TableError("limit", text))

    def _check_seat_change(self, person: str, message: TableMessage) -> None:
        text = "you have changed seats often enough; wait a minute"
        self._take(self._seat_change_rates, person, "seatings", TableError("limit", text))
        # Identities are free, so one visitor can appear as many persons. Giving up a seat, or
        # withdrawing a request that has been counted, is always allowed.
        gives_up = isinstance(message, messages.Stand | messages.WithdrawSwap)
        if not gives_up and not self._table_seat_change_rate.try_take(self._context.now()):
            self._context.alerts.report("limit_hit", "table_seatings")
            raise TableError("limit", "seats have changed often enough here; wait a minute")

    def check_chat(self, person: str) -> None:
        """Limits how often a person sends chat messages.

        Raises:
            TableError: this person has sent too many messages.
        """
        text = "you have said enough for the moment; wait a little"
        self._take(self._chat_rates, person, "talk", TableError("too_fast", text))

    def check_pause_skip(self, person: str) -> None:
        """Limits how often a person skips pauses.

        Raises:
            TableError: this person has skipped too many pauses.
        """
        text = "you have hurried the computers enough; wait a little"
        self._take(self._skip_rates, person, "hurries", TableError("too_fast", text))

    def _take(self, rates: KeyedBuckets, person: str, limit: str, refusal: TableError) -> None:
        """Takes a token of a person's bucket; reports and raises where there is none."""
        now = self._context.now()
        if not rates.bucket_for(person, now).try_take(now):
            self._context.alerts.report("limit_hit", limit)
            raise refusal
