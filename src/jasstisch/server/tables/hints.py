"""Hints for the people at a table: worked out beside the table, each once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jasstisch.server.context import HINT_BOT, ServerContext
from jasstisch.server.observability import log
from jasstisch.server.workers import BillingKey, TaskFailedError
from jasstisch.table import State, TableError

if TYPE_CHECKING:
    from jasstisch.analysis import Hint

__all__ = ["ComputedHint", "HintService"]

DecisionId = tuple[int, int]
"""A decision of a seat: the number of the match, and how often the seat had done something."""


@dataclass(frozen=True, slots=True)
class ComputedHint:
    """A hint that has been worked out.

    Attributes:
        person: who asked.
        seat: the seat he held.
        occasion: the decision it is for.
        hint: what a strong player would do; None when that could not be told.
    """

    person: str
    seat: int
    decision: DecisionId
    hint: "Hint | None"

    def is_current(self, state: State) -> bool:
        """Whether the one who asked still has that decision to make."""
        match = state.match
        mine = state.seat_of(self.person) == self.seat
        due = match is not None and self.seat in match.to_act
        return mine and due and _decision_id(state, self.seat) == self.decision


class HintService:
    """Gives hints at one table, one at a time to each person.

    Args:
        account: who is charged for the hints.
        services: where hints are worked out.
    """

    def __init__(self, account: BillingKey, services: ServerContext) -> None:
        self._billing_key = account
        self._context = services
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._cache: dict[int, ComputedHint] = {}

    def request(
        self, state: State, person: str, tell: Callable[[ComputedHint], Awaitable[None]]
    ) -> None:
        """Has a hint worked out for the decision a person has to make, and told.

        Asked again for the same decision, it is told again without another thought.

        Raises:
            TableError: the table gives no hints, it is not the person's turn, or he waits for a
                hint already, or they are not ready yet.
        """
        match, seat = state.match, state.seat_of(person)
        if seat is None:
            raise TableError("not_seated", "you hold no seat at this table; sit down first")
        if not state.created.hints:
            raise TableError("wrong_phase", "this table was made without hints")
        if match is None or seat not in match.to_act:
            raise TableError("wrong_phase", "hints are for whoever has the turn")
        if not state.is_present(seat):
            raise TableError(
                "wrong_phase", "the computer plays for you; say back to go on yourself"
            )
        if not self._context.warmup.is_ready(HINT_BOT, match.game.name):
            raise TableError("not_ready", "hints are being made ready; ask again in a minute")
        if person in self._tasks:
            raise TableError("limit", "one hint at a time, please")
        occasion = _decision_id(state, seat)
        known = self._cache.get(seat)
        view, legal = match.view(seat), match.legal(seat)

        async def advise() -> None:
            try:
                if known is not None and known.decision == occasion and known.person == person:
                    advised = known
                else:
                    hint = await self._compute(view, legal)
                    advised = ComputedHint(person, seat, occasion, hint)
                if advised.hint is not None:
                    self._cache[seat] = advised
            finally:
                del self._tasks[person]
            await tell(advised)

        self._tasks[person] = asyncio.create_task(advise())

    def close(self) -> None:
        """Gives up what is being worked out."""
        for task in self._tasks.values():
            task.cancel()

    async def _compute(self, view: dict[str, Any], legal: Sequence[str]) -> "Hint | None":
        try:
            return await self._context.compute_hint(self._billing_key, view, legal)
        except TaskFailedError as error:
            log.error("hint_failed", game=view["game"], **error.details)
            return None


def _decision_id(state: State, seat: int) -> DecisionId:
    return state.match_number, state.seats[seat].action_count
