"""Evaluation of sampled deals in chunks until the deadline, and ranking of the results."""

from collections.abc import Callable, Sequence

from jasstisch.bots.searching.budget import Candidate, Deadline
from jasstisch.search import flat_monte_carlo
from jasstisch.search.sampling.determinization import Deals

CHUNK_SIZE = 4
"""The number of deals evaluated between two checks of the deadline."""


def run_batches(deals: Deals, study: Callable[[Deals], None], deadline: Deadline) -> None:
    """Evaluates deals chunk by chunk, until all are done or the deadline has passed."""
    for start in range(0, len(deals), CHUNK_SIZE):
        study(deals[start : start + CHUNK_SIZE])
        if deadline.has_passed():
            break


def rank_candidates(results: Sequence[tuple[str, flat_monte_carlo.Sums]]) -> list[Candidate]:
    """The tried actions by their mean value, best first; ties keep their order."""
    candidates = [
        Candidate(
            action,
            float(sums[flat_monte_carlo.UTILITY] / sums[flat_monte_carlo.TRIALS]),
            float(sums[flat_monte_carlo.METRIC] / sums[flat_monte_carlo.TRIALS]),
            int(sums[flat_monte_carlo.TRIALS]),
        )
        for action, sums in results
        if sums[flat_monte_carlo.TRIALS]
    ]
    return sorted(candidates, key=lambda one: -one.value)
