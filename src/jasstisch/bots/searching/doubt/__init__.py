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

from jasstisch.bots import View
from jasstisch.bots.searching.doubt.candidates import answers, asked
from jasstisch.bots.searching.doubt.seen import seen
from jasstisch.bots.searching.doubt.ways import OWN, WAYS_OF_PLAYING
from jasstisch.bots.searching.effort import Candidate, Effort, Watch
from jasstisch.bots.searching.register import thinks
from jasstisch.errors import GameError
from jasstisch.search.chance import stream
from jasstisch.search.doubt.deal import FEES, WAYS, WIDTH
from jasstisch.search.doubt.playouts import CHIPS, OUTCOME, SHARE, try_out
from jasstisch.search.doubt.worlds import Worlds, sample

__all__ = ["imagine", "weigh"]

REUSED = 4
"""How many trials of an action go through the same world, by other chances;"""

FEWEST_WORLDS = 48
"""but no fewer worlds than that."""

FIRST = 8
"""How many trials each action has, whatever the clock says,"""

CHUNK = 32
"""and how many at a time after that."""

SETTLED = 4.0
"""How many chips make a great difference at the end of a match,"""

SPREAD = 18.0
"""and how many more for each deal to come, in the way that chance adds up."""

ROUNDS = 4
"""How many claims of each player are played before the rest of a deal is foreseen."""

CERTAIN = 4.0
"""By how many standard errors an action is better that need not be tried any more."""


@thinks("i-doubt-it")
def weigh(view: View, legal: Sequence[str], rng: Random, effort: Effort) -> list[Candidate]:
    """The answers, or those lays that are worth weighing, by the share of the match to expect."""
    watch = effort.watch()
    worlds = imagine(view, rng, max(effort.worlds // REUSED, min(effort.worlds, FEWEST_WORLDS)))
    actions = answers(legal) if view["claim"] else asked(view, legal)
    trial = Trial(view, worlds, list(actions.values()), effort.worlds)
    trial.run(rng.getrandbits(62), watch)
    candidates = [trial.candidate(number, text) for number, text in enumerate(actions)]
    return [candidates[number] for number in trial.ranking()]


def imagine(view: View, rng: Random, count: int) -> Worlds:
    """So many deals as they may stand now.

    Raises:
        GameError: no deal fits, so that this is no view of I Doubt It.
    """
    known = seen(view)
    worlds = np.zeros((count, WIDTH), np.int64)
    agreed = sample(
        known.start, known.maybe, known.events, known.facts, WAYS_OF_PLAYING, worlds, stream(rng)
    )
    if not agreed:
        raise GameError("no deal of the cards agrees with this view of i-doubt-it")
    worlds[:, FEES : FEES + len(view["points"])] = view["points"]
    worlds[:, WAYS + view["seat"]] = OWN
    return worlds


class Trial:
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
        self.horizon = ROUNDS * len(view["players"])
        self.standing = standing(view)
        self.most = most
        self.best = list(range(len(actions)))
        self.tried = [0] * len(actions)
        self.outcomes = np.zeros((len(actions), most, OUTCOME))

    def run(self, seed: int, watch: Watch) -> None:
        """Tries the best actions as often as may be, the others the less the worse they are."""
        self.go_through(FIRST, seed)
        upto = self.most // 8
        while not (watch.is_over() or self.done >= self.most or self.decided()):
            if self.done >= upto:
                half = max(2, len(self.best) // 2)
                self.best = sorted(self.best, key=self.value, reverse=True)[:half]
                upto *= 2
            self.go_through(CHUNK, seed, watch)

    def go_through(self, trials: int, seed: int, watch: Watch | None = None) -> None:
        """Some more trials of each of the best actions, as long as there is time."""
        first = self.done
        last = min(first + trials, self.most)
        for number in self.best:
            if watch and watch.is_over():
                return
            try_out(
                self.worlds,
                (first, last, self.horizon, seed),
                self.actions[number],
                WAYS_OF_PLAYING,
                self.standing,
                self.outcomes[number],
            )
            self.tried[number] = last

    @property
    def done(self) -> int:
        """How often all of the best actions have been tried."""
        return min(self.tried[number] for number in self.best)

    def value(self, number: int) -> float:
        """The mean share of the match."""
        return float(self.outcomes[number, : self.tried[number], SHARE].mean())

    def decided(self) -> bool:
        """Whether one is left, or after a few trials one of two is better beyond doubt."""
        if len(self.best) != 2 or self.done <= FIRST:
            return len(self.best) == 1
        one, other = self.outcomes[self.best, : self.done, SHARE]
        error = float((one - other).std()) / math.sqrt(self.done)
        return abs(float((one - other).mean())) >= CERTAIN * error

    def ranking(self) -> list[int]:
        """The numbers of all actions, those tried to the last first, and of these the best."""
        numbers = range(len(self.actions))
        return sorted(numbers, key=lambda number: (number not in self.best, -self.value(number)))

    def candidate(self, number: int, text: str) -> Candidate:
        """What has been found out about an action."""
        tried = self.tried[number]
        chips = float(self.outcomes[number, :tried, CHIPS].mean())
        return Candidate(text, self.value(number), chips, tried)


def standing(view: View) -> NDArray[np.float64]:
    """The chips of each seat from earlier deals, and how many the rest of the match may shift."""
    chips = [float(one["chips"]) for one in view["standing"]]
    left = view["options"]["rounds"] - len(view["rounds"]) - 1
    return np.array([*chips, SETTLED + SPREAD * math.sqrt(max(0, left))])
