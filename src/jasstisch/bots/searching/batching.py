"""Going through imagined deals while there is time, and what the sums then say."""

from collections.abc import Callable, Sequence

from jasstisch.bots.searching.budget import Candidate, Deadline
from jasstisch.search import flat_monte_carlo
from jasstisch.search.sampling.determinization import Deals

__all__ = ["CHUNK_SIZE", "rank_candidates", "run_batches"]

CHUNK_SIZE = 4
"""How many deals are gone through between two looks at the watch."""


def run_batches(deals: Deals, study: Callable[[Deals], None], watch: Deadline) -> None:
    """Studies deal after deal, some at a time, to the last or as long as there is time."""
    for start in range(0, len(deals), CHUNK_SIZE):
        study(deals[start : start + CHUNK_SIZE])
        if watch.has_passed():
            break


def rank_candidates(found: Sequence[tuple[str, flat_monte_carlo.Sums]]) -> list[Candidate]:
    """The actions that were tried by what they are worth; equals stay in their order."""
    candidates = [
        Candidate(
            action,
            float(sums[flat_monte_carlo.UTILITY] / sums[flat_monte_carlo.TRIALS]),
            float(sums[flat_monte_carlo.METRIC] / sums[flat_monte_carlo.TRIALS]),
            int(sums[flat_monte_carlo.TRIALS]),
        )
        for action, sums in found
        if sums[flat_monte_carlo.TRIALS]
    ]
    return sorted(candidates, key=lambda one: -one.value)
