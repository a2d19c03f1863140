"""The games of tricks: which card to play and what to bid, found by playing rounds to their end."""

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from jasstisch.bots import View
from jasstisch.bots.searching.effort import Candidate, Effort, Watch
from jasstisch.bots.searching.register import thinks
from jasstisch.bots.searching.situation import Situation
from jasstisch.bots.searching.stakes import stakes
from jasstisch.cards import JASS, card_set
from jasstisch.search import bids, flat, policy
from jasstisch.search.chance import Stream, stream
from jasstisch.search.deals import Deals, guess_bids, proceed
from jasstisch.search.rounds import HANDS, TRUMP

__all__ = ["weigh"]

NET = {game: game for game in ("differenzler", "molotov", "molotow")} | {"offenbach": "molotov"}
"""The net that plays the rounds of each game to their end."""

CHUNK = 8
"""How many deals are gone through between two looks at the watch."""

SPREAD = 12.0
"""How far secret bids are thought to lie from the glance at a hand, at most."""

STEPS = (-15, -12, -9, -6, -4, -2, 0, 2, 4, 6, 9, 12, 15)
"""The bids tried, as seen from the glance at one's hand."""


@thinks(*NET)
def weigh(view: View, legal: Sequence[str], rng: Random, effort: Effort) -> list[Candidate]:
    """What each card that may be played leads to, or each bid that comes into question."""
    watch = effort.watch()
    chance = stream(rng)
    situation = Situation(view)
    deals = imagine(situation, view, effort.worlds, chance)
    ways = flat.Ways(policy.net(NET[view["game"]]), policy.work(), stakes(view))
    if view["phase"] == "bid":
        return weigh_bids(situation, deals, ways, chance, watch)
    cards = [JASS.numbers[play[-2:]] for play in legal]
    chosen = card_set(cards)

    def study(part: Deals, sums: flat.Sums) -> None:
        flat.try_cards(part, chosen, ways, chance, sums)

    sums = go_through(deals, study, flat.no_sums(), watch)
    return best_first([(play, sums[card]) for play, card in zip(legal, cards, strict=True)])


def weigh_bids(
    situation: Situation, deals: Deals, ways: flat.Ways, chance: Stream, watch: Watch
) -> list[Candidate]:
    """What the bids around the glance at one's hand lead to."""
    seat = situation.seat
    hand, trump = int(situation.opening[HANDS + seat]), int(situation.opening[TRUMP])
    middle = bids.glance(hand, trump, bids.weights(), np.zeros(bids.FEATURES))
    tried = np.array(sorted({min(max(round(middle) + step, 0), bids.MOST) for step in STEPS}))

    def study(part: Deals, sums: flat.Sums) -> None:
        flat.try_bids(part, seat, tried, ways, chance, sums)

    sums = go_through(deals, study, flat.no_sums(len(tried)), watch)
    return best_first([(f"bid {bid}", row) for bid, row in zip(tried, sums, strict=True)])


def imagine(situation: Situation, view: View, count: int, chance: Stream) -> Deals:
    """So many rounds as they may stand now."""
    deals = situation.openings(count, chance)
    secret = [seat for seat, bid in enumerate(view.get("bids", ())) if bid is None]
    if secret:
        guess_bids(deals, np.array(secret), bids.weights(), SPREAD, chance)
    proceed(deals, situation.plays)
    return deals


def go_through(
    deals: Deals, study: Callable[[Deals, flat.Sums], None], sums: flat.Sums, watch: Watch
) -> flat.Sums:
    """Studies deal after deal, as long as there is time."""
    for start in range(0, len(deals), CHUNK):
        study(deals[start : start + CHUNK], sums)
        if watch.is_over():
            break
    return sums


def best_first(found: Sequence[tuple[str, flat.Sums]]) -> list[Candidate]:
    """The actions by what they are worth; equals in the order in which they come."""
    candidates = [
        Candidate(
            action,
            float(sums[flat.WORTH] / sums[flat.TRIALS]),
            float(sums[flat.FIGURE] / sums[flat.TRIALS]),
            int(sums[flat.TRIALS]),
        )
        for action, sums in found
    ]
    return sorted(candidates, key=lambda one: -one.value)
