"""Search for I Doubt It: sampled worlds and rollouts to the end of the deal.

This package decides which actions are evaluated, in which worlds, and by which utility. A particle
filter (`search.games.i_doubt_it.particle_filter`) samples worlds that agree with all that the seat
knows; in most of them the other seats claimed and answered as they plausibly would with such hands.
Each candidate action is tried in these worlds, and the deal is rolled out with the policies that
the other seats seem to follow (`search.games.i_doubt_it.policy`). The utility is the expected share
of the match for these chips. Successive halving drops the worse half of the actions again and
again.

It does not decide what is legal, and the compiled kernels are elsewhere. Begin with
`evaluate_actions`, then `observation`.
"""

import math
from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.api import View
from jasstisch.bots.searching.budget import Candidate, Deadline, SearchBudget
from jasstisch.bots.searching.i_doubt_it.candidates import answer_actions, candidate_lays
from jasstisch.bots.searching.i_doubt_it.observation import observe_deal
from jasstisch.bots.searching.i_doubt_it.policies import OWN_POLICY, POLICY_TABLE
from jasstisch.bots.searching.registry import register_searcher
from jasstisch.engine.errors import GameError
from jasstisch.search.games.i_doubt_it.deal_state import NET_CHIPS, POLICIES, STATE_SIZE
from jasstisch.search.games.i_doubt_it.particle_filter import Worlds, sample_worlds
from jasstisch.search.games.i_doubt_it.rollouts import (
    CHIPS,
    MATCH_SHARE,
    OUTCOME_SIZE,
    evaluate_action,
)
from jasstisch.search.jit.prng import new_stream

__all__ = ["draw_worlds", "evaluate_actions"]

TRIALS_PER_WORLD = 4
"""The number of trials of an action in the same world, with different random numbers."""

MIN_WORLDS = 48
"""The minimum number of worlds, unless the budget has fewer."""

MIN_TRIALS = 8
"""The number of trials of each action, whatever the clock says."""

CHUNK_SIZE = 32
"""The number of trials in each later chunk."""

END_SPREAD_CHIPS = 4.0
"""The spread of the final chips at the end of a match, in chips: the scale of its utility."""

DEAL_SPREAD_CHIPS = 18.0
"""The additional spread for deals to come, times the square root of their number."""

HORIZON_ROUNDS = 4
"""The number of claims of each player that a rollout plays before it estimates the outcome."""

PRUNE_STANDARD_ERRORS = 4.0
"""The lead in standard errors at which the better of two actions is chosen early."""


@register_searcher("i-doubt-it")
def evaluate_actions(
    view: View, legal: Sequence[str], rng: Random, budget: SearchBudget
) -> list[Candidate]:
    """Evaluates the answers, or the candidate lays, by the expected share of the match."""
    deadline = budget.start_deadline()
    worlds = draw_worlds(
        view, rng, max(budget.max_deals // TRIALS_PER_WORLD, min(budget.max_deals, MIN_WORLDS))
    )
    actions = answer_actions(legal) if view["claim"] else candidate_lays(view, legal)
    trial = ActionRace(view, worlds, list(actions.values()), budget.max_deals)
    trial.run(rng.getrandbits(62), deadline)
    candidates = [trial.candidate(number, text) for number, text in enumerate(actions)]
    return [candidates[number] for number in trial.ranking()]


def draw_worlds(view: View, rng: Random, count: int) -> Worlds:
    """Samples this number of possible current deals.

    Raises:
        GameError: no deal is consistent with the view, so it is not a view of I Doubt It.
    """
    known = observe_deal(view)
    worlds = np.zeros((count, STATE_SIZE), np.int64)
    agreed = sample_worlds(
        known.initial_deal,
        known.possible_own_ranks,
        known.events,
        known.facts,
        POLICY_TABLE,
        worlds,
        new_stream(rng),
    )
    if not agreed:
        raise GameError("no deal of the cards agrees with this view of i-doubt-it")
    worlds[:, NET_CHIPS : NET_CHIPS + len(view["points"])] = view["points"]
    worlds[:, POLICIES + view["seat"]] = OWN_POLICY
    return worlds


class ActionRace:
    """Successive halving: actions are tried in the same worlds with common random numbers.

    Args:
        view: the view of the seat to act.
        worlds: the sampled deals.
        actions: the actions as numbers.
        max_trials: the maximum number of trials of an action.

    Attributes:
        remaining: the numbers of the actions that are still tried.
        trials: the number of trials of each action.
        outcomes: the outcome of each trial of each action.
    """

    def __init__(
        self, view: View, worlds: Worlds, actions: Sequence[tuple[int, ...]], max_trials: int
    ) -> None:
        self.worlds = worlds
        self.actions = np.array(actions, np.int64)
        self.horizon = HORIZON_ROUNDS * len(view["players"])
        self.standing = match_standing(view)
        self.max_trials = max_trials
        self.remaining = list(range(len(actions)))
        self.trials = [0] * len(actions)
        self.outcomes = np.zeros((len(actions), max_trials, OUTCOME_SIZE))

    def run(self, seed: int, deadline: Deadline) -> None:
        """Tries the actions within budget and deadline; worse actions get fewer trials."""
        self.run_chunk(MIN_TRIALS, seed)
        upto = self.max_trials // 8
        while not (
            deadline.has_passed() or self.trial_count >= self.max_trials or self.is_decided()
        ):
            if self.trial_count >= upto:
                half = max(2, len(self.remaining) // 2)
                self.remaining = sorted(self.remaining, key=self.mean_share, reverse=True)[:half]
                upto *= 2
            self.run_chunk(CHUNK_SIZE, seed, deadline)

    def run_chunk(self, trials: int, seed: int, deadline: Deadline | None = None) -> None:
        """Runs some more trials of each remaining action, until the deadline."""
        first = self.trial_count
        last = min(first + trials, self.max_trials)
        for number in self.remaining:
            if deadline and deadline.has_passed():
                return
            evaluate_action(
                self.worlds,
                (first, last, self.horizon, seed),
                self.actions[number],
                POLICY_TABLE,
                self.standing,
                self.outcomes[number],
            )
            self.trials[number] = last

    @property
    def trial_count(self) -> int:
        """The number of trials that all remaining actions have had."""
        return min(self.trials[number] for number in self.remaining)

    def mean_share(self, number: int) -> float:
        """The mean share of the match."""
        return float(self.outcomes[number, : self.trials[number], MATCH_SHARE].mean())

    def is_decided(self) -> bool:
        """Whether one action remains, or one of two is better by a clear margin."""
        if len(self.remaining) != 2 or self.trial_count <= MIN_TRIALS:
            return len(self.remaining) == 1
        one, other = self.outcomes[self.remaining, : self.trial_count, MATCH_SHARE]
        error = float((one - other).std()) / math.sqrt(self.trial_count)
        return abs(float((one - other).mean())) >= PRUNE_STANDARD_ERRORS * error

    def ranking(self) -> list[int]:
        """The numbers of all actions by value, the remaining actions first."""
        numbers = range(len(self.actions))
        return sorted(
            numbers, key=lambda number: (number not in self.remaining, -self.mean_share(number))
        )

    def candidate(self, number: int, text: str) -> Candidate:
        """The result for one action."""
        tried = self.trials[number]
        chips = float(self.outcomes[number, :tried, CHIPS].mean())
        return Candidate(text, self.mean_share(number), chips, tried)


def match_standing(view: View) -> NDArray[np.float64]:
    """The chips of each seat from earlier deals, and the spread of the rest of the match."""
    chips = [float(one["chips"]) for one in view["standing"]]
    left = view["options"]["rounds"] - len(view["rounds"]) - 1
    return np.array([*chips, END_SPREAD_CHIPS + DEAL_SPREAD_CHIPS * math.sqrt(max(0, left))])
