"""I Doubt It by imagining what is hidden, and playing each deal imagined to its end.

A view is gone over again in many worlds at once (`search.doubt_worlds`); they agree with all that
is known, and in most of them the others claimed and answered as they well might with such hands.
Each action worth weighing is then tried in these worlds, and the deal played on in the ways of
playing that the others seem to have (`search.doubt_play`). What counts is the share of the match
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
from jasstisch.search.doubt import FEES, WAYS, WIDTH
from jasstisch.search.doubt_playouts import CHIPS, RESULTS, SHARE, SQUARES, TRIALS, try_out
from jasstisch.search.doubt_worlds import Worlds, sample

__all__ = ["imagine", "weigh"]

REUSED = 2
"""How many trials of an action go through the same world, by other chances."""

CHUNK = 32
"""How many trials of an action are made before a look at the clock."""

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
    worlds = imagine(view, rng, effort.worlds // REUSED)
    actions = answers(legal) if view["claim"] else asked(view, legal)
    trial = Trial(view, worlds, list(actions.values()), rng.getrandbits(62))
    trial.run(effort.worlds, watch)
    candidates = [trial.candidate(number, text) for number, text in enumerate(actions)]
    return sorted(candidates, key=lambda one: (-one.trials, -one.value))


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
        seed: of all chance.
    """

    def __init__(
        self, view: View, worlds: Worlds, actions: Sequence[tuple[int, ...]], seed: int
    ) -> None:
        self.worlds = worlds
        self.actions = np.array(actions, np.int64)
        self.seed = seed
        self.horizon = ROUNDS * len(view["players"])
        self.standing = standing(view)
        self.results = np.zeros((len(actions), RESULTS))

    def run(self, trials: int, watch: Watch) -> None:
        """Tries the best actions so often, the others the less the worse they are."""
        best = list(range(len(self.actions)))
        self.go_through(best, CHUNK // 4)
        upto = trials // 8
        while not watch.is_over() and len(best) > 1:
            while self.done(best) < upto and not watch.is_over() and not self.decided(best):
                self.go_through(best, CHUNK)
            if self.done(best) >= trials or self.decided(best):
                break
            best = sorted(best, key=self.value, reverse=True)[: max(2, len(best) // 2)]
            upto *= 2

    def go_through(self, numbers: Sequence[int], trials: int) -> None:
        """Some more trials of each of these actions."""
        first = self.done(numbers)
        span = (first, first + trials, self.horizon, self.seed)
        for number in numbers:
            try_out(
                self.worlds,
                span,
                self.actions[number],
                WAYS_OF_PLAYING,
                self.standing,
                self.results[number],
            )

    def done(self, numbers: Sequence[int]) -> int:
        """How many trials these actions have had."""
        return int(self.results[numbers[0], TRIALS])

    def value(self, number: int) -> float:
        """The mean share of the match."""
        return float(self.results[number, SHARE] / self.results[number, TRIALS])

    def decided(self, numbers: Sequence[int]) -> bool:
        """Whether one of two actions is better beyond doubt."""
        if len(numbers) > 2:
            return False
        one, other = (self.value(number) for number in numbers)
        done = self.done(numbers)
        squares = float(self.results[list(numbers), SQUARES].sum()) / done
        variance = max(0.0, squares - one * one - other * other)
        return abs(one - other) > CERTAIN * math.sqrt(variance / done)

    def candidate(self, number: int, text: str) -> Candidate:
        """What has been found out about an action."""
        result = self.results[number]
        chips = float(result[CHIPS] / result[TRIALS])
        return Candidate(text, self.value(number), chips, int(result[TRIALS]))


def standing(view: View) -> NDArray[np.float64]:
    """The chips of each seat from earlier deals, and how many the rest of the match may shift."""
    chips = [float(one["chips"]) for one in view["standing"]]
    left = view["options"]["rounds"] - len(view["rounds"]) - 1
    return np.array([*chips, SETTLED + SPREAD * math.sqrt(max(0, left))])
