"""Going through imagined deals while there is time, and what the sums then say."""

from collections.abc import Callable, Sequence

from jasstisch.bots.searching.effort import Candidate, Watch
from jasstisch.search import flat
from jasstisch.search.deals import Deals

__all__ = ["CHUNK", "best_first", "go_through"]

CHUNK = 8
"""How many deals are gone through between two looks at the watch."""


def go_through(deals: Deals, passes: int, study: Callable[[Deals], None], watch: Watch) -> None:
    """Studies deal after deal, over and over, so many in all or as long as there is time."""
    done = 0
    while done < passes:
        start = done % len(deals)
        part = deals[start : start + min(CHUNK, passes - done)]
        study(part)
        done += len(part)
        if watch.is_over():
            break


def best_first(found: Sequence[tuple[str, flat.Sums]]) -> list[Candidate]:
    """The actions by how often they were tried, then by what they are worth.

    A tree tries most often what is worth most; what it has left aside it knows little of, and so no
    action is said to be worth more than one that was tried more often. Where all were tried equally
    often their worth decides, and equals stay in the order in which they come.
    """
    tried = [(action, sums) for action, sums in found if sums[flat.TRIALS]]
    tried.sort(key=lambda one: (-one[1][flat.TRIALS], -one[1][flat.WORTH]))
    candidates: list[Candidate] = []
    for action, sums in tried:
        trials = float(sums[flat.TRIALS])
        value = float(sums[flat.WORTH]) / trials
        if candidates:
            value = min(value, candidates[-1].value)
        candidates.append(Candidate(action, value, float(sums[flat.FIGURE]) / trials, int(trials)))
    return candidates
