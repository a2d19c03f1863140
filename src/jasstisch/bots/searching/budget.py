"""Search budgets of the searching bots, and the result of a search for one action.

A budget counts sampled deals and cards played out, so that equal seeds give equal moves on fast and
slow machines. The clock only stops a search that would exceed its time limit; only then does a move
depend on the machine. The clock measures the CPU time of the searching thread, so that a busy
machine hardly weakens the bots.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import thread_time
from typing import Self

_Clock = Callable[[], float]
"""Returns a time in seconds."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """The resources that a bot may spend on one move.

    Attributes:
        name: the name of the bot.
        max_deals: the maximum number of sampled deals.
        max_cards_played: the maximum number of cards played in all playouts together, including
            cards evaluated to resample deals, which takes as long; 0 for no maximum.
        time_limit_s: CPU seconds after which the search returns its result, complete or not. The
            chunk in progress is finished first, so this is less than a move may take.
        resample_ratio: the resampling ratio: one of so many deals is kept, by the likelihood of the
            plays.
        max_solved_cards: deals with at most so many cards left in a hand are solved instead of
            played out.
        partner_game_cards_factor: the factor on `max_cards_played` in games of two sides, where
            playing a card takes longer.
        clock: the clock.
    """

    name: str
    max_deals: int
    max_cards_played: int
    time_limit_s: float
    resample_ratio: int = 1
    max_solved_cards: int = 0
    partner_game_cards_factor: float = 1.0
    clock: _Clock = thread_time

    def scaled(self, share: float) -> Self:
        """The same budget with a fraction of the cards played out."""
        return replace(self, max_cards_played=int(share * self.max_cards_played))

    def resample_cost(self, played: int) -> int:
        """The number of cards evaluated for each deal that is kept, after `played` cards."""
        return self.resample_ratio * played if self.resample_ratio > 1 else 0

    def deal_count(self, actions: int, to_come: int, asked: int = 0) -> int:
        """The number of deals in which each action is tried.

        Args:
            actions: the number of candidate actions.
            to_come: the number of cards still to be played in the round.
            asked: the number of cards evaluated for each deal to find its likelihood.
        """
        if not self.max_cards_played:
            return self.max_deals
        for_one = actions * to_come + asked
        return max(1, min(self.max_deals, self.max_cards_played // max(1, for_one)))

    def start_deadline(self) -> "Deadline":
        """A deadline at the time limit from now."""
        return Deadline(self.clock, self.clock() + self.time_limit_s)


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time at which a search must stop.

    Attributes:
        clock: the clock.
        end: the time of the deadline on that clock.
    """

    clock: _Clock
    end: float

    def earlier_by(self, seconds: float) -> "Deadline":
        """A deadline that leaves this much time for something else."""
        return Deadline(self.clock, self.end - seconds)

    def has_passed(self) -> bool:
        """Whether the time is over; a search polls this and then stops."""
        return self.clock() >= self.end


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action and its estimated value.

    Attributes:
        action: its text.
        value: the expected utility for the match; higher is better.
        figure: the expected metric of this round in the unit of the game: round score, sticks,
            difference, strokes or chips.
        trials: the number of playouts or visits; 0 where there was no choice.
    """

    action: str
    value: float
    figure: float
    trials: int


CLUB = SearchBudget("club", max_deals=64, max_cards_played=8_000, time_limit_s=0.014)
MASTER = SearchBudget(
    "master",
    max_deals=1_536,
    max_cards_played=180_000,
    time_limit_s=0.130,
    resample_ratio=3,
    partner_game_cards_factor=0.5,
)

ADVICE = replace(MASTER, name="advice", max_solved_cards=2)
"""The budget of `master` for hints and analysis.

It is no stronger, but exact for the last two tricks of every sampled deal.
"""
