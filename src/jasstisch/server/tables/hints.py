"""Computes hints for the people at a table, in the background and once per decision."""

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

_DecisionId = tuple[int, int]
"""The identity of a seat's decision: the match number and how many actions the seat has taken."""


@dataclass(frozen=True, slots=True)
class ComputedHint:
    """A computed hint.

    Attributes:
        person: the person who asked for it.
        seat: the person's seat at that time.
        decision: the decision that the hint is for.
        hint: what a strong player would do; None if it could not be computed.
    """

    person: str
    seat: int
    decision: _DecisionId
    hint: "Hint | None"

    def is_current(self, state: State) -> bool:
        """Whether the person still has that decision to make."""
        match = state.match
        mine = state.seats.seat_of(self.person) == self.seat
        due = match is not None and self.seat in match.to_act
        return mine and due and _decision_id(state, self.seat) == self.decision


class HintService:
    """Computes hints at one table, one at a time for each person.

    Args:
        billing_key: the account that pays for the computation.
        context: the workers that compute hints.
    """

    def __init__(self, billing_key: BillingKey, context: ServerContext) -> None:
        self._billing_key = billing_key
        self._context = context
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._cache: dict[int, ComputedHint] = {}

    def request(
        self, state: State, person: str, tell: Callable[[ComputedHint], Awaitable[None]]
    ) -> None:
        """Starts to compute a hint for the decision a person has to make, and passes it to `tell`.

        A second request for the same decision gets the cached hint.

        Raises:
            TableError: the table offers no hints, it is not the person's turn, they already wait
                for a hint, or hints are not ready yet.
        """
        match, seat = state.match, state.seats.seat_of(person)
        if seat is None:
            raise TableError("not_seated", "you hold no seat at this table; sit down first")
        if not state.creation_event.hints:
            raise TableError("wrong_phase", "this table was made without hints")
        if match is None or seat not in match.to_act:
            raise TableError("wrong_phase", "hints are for whoever has the turn")
        if not state.seats[seat].is_present:
            raise TableError(
                "wrong_phase", "the computer plays for you; say back to go on yourself"
            )
        if not self._context.warmup.is_ready(HINT_BOT, match.game.name):
            raise TableError("not_ready", "hints are being made ready; ask again in a minute")
        if person in self._tasks:
            raise TableError("limit", "one hint at a time, please")
        decision = _decision_id(state, seat)
        known = self._cache.get(seat)
        view, legal = match.view(seat), match.legal(seat)

        async def advise() -> None:
            try:
                if known is not None and known.decision == decision and known.person == person:
                    computed = known
                else:
                    hint = await self._compute(view, legal)
                    computed = ComputedHint(person, seat, decision, hint)
                if computed.hint is not None:
                    self._cache[seat] = computed
            finally:
                del self._tasks[person]
            await tell(computed)

        self._tasks[person] = asyncio.create_task(advise())

    def close(self) -> None:
        """Cancels the computations."""
        for task in self._tasks.values():
            task.cancel()

    async def _compute(self, view: dict[str, Any], legal: Sequence[str]) -> "Hint | None":
        try:
            return await self._context.compute_hint(self._billing_key, view, legal)
        except TaskFailedError as error:
            log.error("hint_failed", game=view["game"], **error.details)
            return None


def _decision_id(state: State, seat: int) -> _DecisionId:
    return state.match_number, state.seats[seat].action_count
