"""Hints for the people at a table: worked out beside the table, each once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jasstisch.server.log import log
from jasstisch.server.services import ADVISER, Services
from jasstisch.server.thinkers import Account, ThoughtError
from jasstisch.table import State, TableError

if TYPE_CHECKING:
    from jasstisch.analysis import Hint

__all__ = ["Advised", "Adviser"]

Occasion = tuple[int, int]
"""A decision of a seat: the number of the match, and how often the seat had done something."""


@dataclass(frozen=True, slots=True)
class Advised:
    """A hint that has been worked out.

    Attributes:
        person: who asked.
        seat: the seat he held.
        occasion: the decision it is for.
        hint: what a strong player would do; None when that could not be told.
    """

    person: str
    seat: int
    occasion: Occasion
    hint: "Hint | None"

    def holds(self, state: State) -> bool:
        """Whether the one who asked still has that decision to make."""
        match = state.match
        mine = state.seat_of(self.person) == self.seat
        due = match is not None and self.seat in match.to_act
        return mine and due and _occasion(state, self.seat) == self.occasion


class Adviser:
    """Gives hints at one table, one at a time to each person.

    Args:
        account: who is charged for the hints.
        services: where hints are worked out.
    """

    def __init__(self, account: Account, services: Services) -> None:
        self._account = account
        self._services = services
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._known: dict[int, Advised] = {}

    def ask(self, state: State, person: str, tell: Callable[[Advised], Awaitable[None]]) -> None:
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
        if not self._services.readiness.is_ready(ADVISER, match.game.name):
            raise TableError("not_ready", "hints are being made ready; ask again in a minute")
        if person in self._asked:
            raise TableError("limit", "one hint at a time, please")
        occasion = _occasion(state, seat)
        known = self._known.get(seat)
        view, legal = match.view(seat), match.legal(seat)

        async def advise() -> None:
            try:
                if known is not None and known.occasion == occasion and known.person == person:
                    advised = known
                else:
                    hint = await self._hint(view, legal)
                    advised = Advised(person, seat, occasion, hint)
                if advised.hint is not None:
                    self._known[seat] = advised
            finally:
                del self._asked[person]
            await tell(advised)

        self._asked[person] = asyncio.create_task(advise())

    def close(self) -> None:
        """Gives up what is being worked out."""
        for task in self._asked.values():
            task.cancel()

    async def _hint(self, view: dict[str, Any], legal: Sequence[str]) -> "Hint | None":
        try:
            return await self._services.hint(self._account, view, legal)
        except ThoughtError as error:
            log.error("hint_failed", game=view["game"], **error.details)
            return None


def _occasion(state: State, seat: int) -> Occasion:
    return state.number, state.places[seat].moves
