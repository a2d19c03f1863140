"""I Doubt It by imagining what is hidden, and playing each deal imagined to its end.

A view is gone over again in many worlds at once (`search.doubt.worlds`); they agree with all that
is known, and in most of them the others claimed and answered as they well might with such hands.
Each action worth weighing is then tried in these worlds, and the deal played on in the ways of
playing that the others seem to have (`search.doubt.play`). What counts is the share of the match
that the chips make likely. After a few trials the worse half of the actions is dropped, then the
worse half of what is left, and so on.
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
from jasstisch.bots.searching.registry import searcher_for_games
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
"""How many trials of an action go through the same world, by other chances;"""

MIN_WORLDS = 48
"""but no fewer worlds than that."""

MIN_TRIALS = 8
"""How many trials each action has, whatever the clock says,"""

CHUNK_SIZE = 32
"""and how many at a time after that."""

END_SPREAD_CHIPS = 4.0
"""How many chips make a great difference at the end of a match,"""

DEAL_SPREAD_CHIPS = 18.0
"""and how many more for each deal to come, in the way that chance adds up."""

HORIZON_ROUNDS = 4
"""How many claims of each player are played before the rest of a deal is foreseen."""

PRUNE_STANDARD_ERRORS = 4.0
"""By how many standard errors an action is better that need not be tried any more."""


@searcher_for_games("i-doubt-it")
def evaluate_actions(
    view: View, legal: Sequence[str], rng: Random, effort: SearchBudget
) -> list[Candidate]:
    """The answers, or those lays that are worth weighing, by the share of the match to expect."""
    watch = effort.start_deadline()
    worlds = draw_worlds(
        view, rng, max(effort.worlds // TRIALS_PER_WORLD, min(effort.worlds, MIN_WORLDS))
    )
    actions = answer_actions(legal) if view["claim"] else candidate_lays(view, legal)
    trial = ActionRace(view, worlds, list(actions.values()), effort.worlds)
    trial.run(rng.getrandbits(62), watch)
    candidates = [trial.candidate(number, text) for number, text in enumerate(actions)]
    return [candidates[number] for number in trial.ranking()]


def draw_worlds(view: View, rng: Random, count: int) -> Worlds:
    """So many deals as they may stand now.

    Raises:
        GameError: no deal fits, so that this is no view of I Doubt It.
    """
    known = observe_deal(view)
    worlds = np.zeros((count, STATE_SIZE), np.int64)
    agreed = sample_worlds(
        known.start,
        known.candidate_cards,
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
    """Actions tried in the same worlds with the same chances.

    Args:
        view: the view of who is to act.
        worlds: deals as they may stand.
        actions: the actions as numbers.
        most: how often the best of them are tried.

    Attributes:
        best: the numbers of the actions that are still tried.
        tried: how often each action has been tried.
        outcomes: what came of each trial of each action.
    """

    def __init__(
        self, view: View, worlds: Worlds, actions: Sequence[tuple[int, ...]], most: int
    ) -> None:
        self.worlds = worlds
        self.actions = np.array(actions, np.int64)
        self.horizon = HORIZON_ROUNDS * len(view["players"])
        self.standing = match_standing(view)
        self.max_trials = most
        self.remaining = list(range(len(actions)))
        self.trials = [0] * len(actions)
        self.outcomes = np.zeros((len(actions), most, OUTCOME_SIZE))

    def run(self, seed: int, watch: Deadline) -> None:
        """Tries the best actions as often as may be, the others the less the worse they are."""
        self.run_chunk(MIN_TRIALS, seed)
        upto = self.max_trials // 8
        while not (watch.has_passed() or self.trial_count >= self.max_trials or self.is_decided()):
            if self.trial_count >= upto:
                half = max(2, len(self.remaining) // 2)
                self.remaining = sorted(self.remaining, key=self.mean_share, reverse=True)[:half]
                upto *= 2
            self.run_chunk(CHUNK_SIZE, seed, watch)

    def run_chunk(self, trials: int, seed: int, watch: Deadline | None = None) -> None:
        """Some more trials of each of the best actions, as long as there is time."""
        first = self.trial_count
        last = min(first + trials, self.max_trials)
        for number in self.remaining:
            if watch and watch.has_passed():
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
        """How often all of the best actions have been tried."""
        return min(self.trials[number] for number in self.remaining)

    def mean_share(self, number: int) -> float:
        """The mean share of the match."""
        return float(self.outcomes[number, : self.trials[number], MATCH_SHARE].mean())

    def is_decided(self) -> bool:
        """Whether one is left, or after a few trials one of two is better beyond doubt."""
        if len(self.remaining) != 2 or self.trial_count <= MIN_TRIALS:
            return len(self.remaining) == 1
        one, other = self.outcomes[self.remaining, : self.trial_count, MATCH_SHARE]
        error = float((one - other).std()) / math.sqrt(self.trial_count)
        return abs(float((one - other).mean())) >= PRUNE_STANDARD_ERRORS * error

    def ranking(self) -> list[int]:
        """The numbers of all actions, those tried to the last first, and of these the best."""
        numbers = range(len(self.actions))
        return sorted(
            numbers, key=lambda number: (number not in self.remaining, -self.mean_share(number))
        )

    def candidate(self, number: int, text: str) -> Candidate:
        """What has been found out about an action."""
        tried = self.trials[number]
        chips = float(self.outcomes[number, :tried, CHIPS].mean())
        return Candidate(text, self.mean_share(number), chips, tried)


def match_standing(view: View) -> NDArray[np.float64]:
    """The chips of each seat from earlier deals, and how many the rest of the match may shift."""
    chips = [float(one["chips"]) for one in view["standing"]]
    left = view["options"]["rounds"] - len(view["rounds"]) - 1
    return np.array([*chips, END_SPREAD_CHIPS + DEAL_SPREAD_CHIPS * math.sqrt(max(0, left))])
