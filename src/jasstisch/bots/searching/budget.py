"""How hard a searching player thinks, and what it has found out about an action.

The effort is counted in worlds and cards played out, so that equal seeds give equal moves on fast
and slow machines. The clock only stops a search that would go beyond its limit, and only then does
a move depend on the machine; it counts the time that the thinking thread itself has had, so that a
busy machine makes players hardly weaker.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import thread_time
from typing import Self

__all__ = ["ADVICE", "CLUB", "MASTER", "Candidate", "Deadline", "SearchBudget"]

Clock = Callable[[], float]
"""Tells a time in seconds."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """What a player spends on one move.

    Attributes:
        name: the player's name.
        worlds: how many deals of the hidden cards are imagined at most.
        plays: how many cards are played in all playouts together, and asked after in deals that
            are sifted, which takes as long; 0 for no end of them.
        limit: seconds of computing after which the search gives its answer, done or not. What it
            is about is finished first, so this is less than a move may take.
        sifting: of how many deals one is kept, for being likely by what has been played.
        solved: with how many cards left, or fewer, a deal is solved instead of played out.
        sides: of the cards, so many are played out where partners play, where one takes longer.
        clock: tells the time.
    """

    name: str
    worlds: int
    plays: int
    limit: float
    sifting: int = 1
    solved: int = 0
    sides: float = 1.0
    clock: Clock = thread_time

    def scaled(self, share: float) -> Self:
        """The same with such a share of the cards played out."""
        return replace(self, plays=int(share * self.plays))

    def resample_cost(self, played: int) -> int:
        """How many cards are asked after for each deal that is kept, when so many were played."""
        return self.sifting * played if self.sifting > 1 else 0

    def deal_count(self, actions: int, to_come: int, asked: int = 0) -> int:
        """In how many deals each action is tried.

        Args:
            actions: how many come into question.
            to_come: how many cards are still to be played in the round.
            asked: how many cards played are asked after for each deal, to tell how likely it is.
        """
        if not self.plays:
            return self.worlds
        for_one = actions * to_come + asked
        return max(1, min(self.worlds, self.plays // max(1, for_one)))

    def start_deadline(self) -> "Deadline":
        """A watch that runs from now on."""
        return Deadline(self.clock, self.clock() + self.limit)


@dataclass(frozen=True, slots=True)
class Deadline:
    """Says when the time for a move is over.

    Attributes:
        clock: tells the time.
        end: the time at which it is over.
    """

    clock: Clock
    end: float

    def earlier_by(self, seconds: float) -> "Deadline":
        """A watch that leaves so much of the time for something else."""
        return Deadline(self.clock, self.end - seconds)

    def has_passed(self) -> bool:
        """Whether the time is over; a search looks now and then and then stops."""
        return self.clock() >= self.end


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action and what may be expected of it.

    Attributes:
        action: its text.
        value: what the match is then worth to the player; higher is better.
        figure: the player's own figure of this round in the unit of the game: round score, sticks,
            difference, strokes or chips.
        trials: how many times it was played out or visited; 0 where there was no choice.
    """

    action: str
    value: float
    figure: float
    trials: int


CLUB = SearchBudget("club", worlds=64, plays=8_000, limit=0.014)
MASTER = SearchBudget(
    "master",
    worlds=1_536,
    plays=180_000,
    limit=0.130,
    sifting=3,
    sides=0.5,
)

ADVICE = replace(MASTER, name="advice", solved=2)
"""How `master` thinks for somebody else: no stronger, but what it says of the last two tricks is
exact in every deal imagined."""
