"""Going through imagined deals while there is time, and what the sums then say."""

from collections.abc import Callable, Sequence
from math import ceil

import numpy as np

from jasstisch.bots.searching.effort import Candidate, Watch
from jasstisch.cards import card_set, members
from jasstisch.search import flat
from jasstisch.search.deals import Deals

__all__ = ["CHUNK", "best_first", "best_of", "go_through", "levelled", "shared_out"]

CHUNK = 4
"""How many deals are gone through between two looks at the watch."""


def go_through(deals: Deals, study: Callable[[Deals], None], watch: Watch) -> None:
    """Studies deal after deal, some at a time, to the last or as long as there is time."""
    for start in range(0, len(deals), CHUNK):
        study(deals[start : start + CHUNK])
        if watch.is_over():
            break


def best_first(found: Sequence[tuple[str, flat.Sums]]) -> list[Candidate]:
    """The actions that were tried by what they are worth; equals stay in their order."""
    candidates = [
        Candidate(
            action,
            float(sums[flat.WORTH] / sums[flat.TRIALS]),
            float(sums[flat.FIGURE] / sums[flat.TRIALS]),
            int(sums[flat.TRIALS]),
        )
        for action, sums in found
        if sums[flat.TRIALS]
    ]
    return sorted(candidates, key=lambda one: -one.value)


def shared_out(deals: Deals, left: Sequence[int]) -> list[Deals]:
    """The deals of each stage of a search in which so many cards are left: all cost alike."""
    shares = np.cumsum([1 / number for number in left])
    ends = [ceil(len(deals) * share / shares[-1]) for share in shares]
    return [deals[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def best_of(sums: flat.Sums, cards: int, number: int) -> int:
    """The set of so many cards of a set that brought most so far; equals in their order."""
    tried = [card for card in members(cards) if sums[card, flat.TRIALS]]
    ranked = sorted(tried, key=lambda card: -sums[card, flat.WORTH] / sums[card, flat.TRIALS])
    return card_set(ranked[:number])


def levelled(sums: flat.Sums, earlier: flat.Sums, cards: int, best: int) -> None:
    """Takes the luck of later deals into account for cards tried in the earlier ones only.

    Where later deals were better or worse for the best card, they would have been for these.

    Args:
        sums: what was found in the end; that of the cards is changed.
        earlier: what had been found when they were left out.
        cards: the set of them.
        best: the card that is best in the end.
    """
    trials = sums[best, flat.TRIALS], earlier[best, flat.TRIALS]
    for place in (flat.WORTH, flat.FIGURE):
        better = sums[best, place] / trials[0] - earlier[best, place] / trials[1]
        for card in members(cards):
            sums[card, place] += better * sums[card, flat.TRIALS]
