"""The games of tricks: which card to play and what to bid, found by playing rounds to their end."""

from collections.abc import Sequence
from random import Random

import numpy as np

from jasstisch.bots import View
from jasstisch.bots.searching import manners
from jasstisch.bots.searching.bidding import STEPS, weigh_bids
from jasstisch.bots.searching.effort import Candidate, Effort, Watch
from jasstisch.bots.searching.passes import best_first, go_through
from jasstisch.bots.searching.register import otherwise, thinks
from jasstisch.bots.searching.situation import Situation, rules_of
from jasstisch.bots.searching.stakes import stakes
from jasstisch.cards import JASS, card_set
from jasstisch.games.trick_taking import CARD_OF
from jasstisch.search import endgame, flat, policy
from jasstisch.search.chance import Stream, stream
from jasstisch.search.deals import Deals, keep_likely, proceed, weigh_plays
from jasstisch.search.rounds import HANDS, TURN

__all__ = [
    "LARGE_CHUNK",
    "imagine",
    "number_of_deals",
    "try_cards",
    "ways_of",
    "weigh",
    "weigh_by",
    "weigh_cards",
]

LARGE_CHUNK = 64
"""How many deals are weighed by the plays seen between two looks at the watch."""

TRUST = 0.5
"""How far, from 0 to 1, one believes that deals in which the plays seen are likely are likelier.

The nets are surer of what others play than they should be. Held against the true hands and bids in
games of `greedy` and of `club`, deals kept with this trust told most of both.
"""


@thinks("differenzler")
def weigh_with_bids(
    view: View, legal: Sequence[str], rng: Random, effort: Effort
) -> list[Candidate]:
    """What each bid that comes into question leads to, or each card that may be played."""
    return weigh_by(ways_of(view), view, legal, rng, effort)


@otherwise
def weigh(view: View, legal: Sequence[str], rng: Random, effort: Effort) -> list[Candidate]:
    """What each card that may be played leads to; of any other action nothing is known."""
    if any(action not in CARD_OF for action in legal):
        return [Candidate(action, 0.0, 0.0, 0) for action in rng.sample(legal, len(legal))]
    return weigh_by(ways_of(view), view, legal, rng, effort)


def weigh_by(
    ways: flat.Ways, view: View, legal: Sequence[str], rng: Random, effort: Effort
) -> list[Candidate]:
    """The same where rounds are played to their end in some ways of one's own."""
    watch = effort.watch()
    chance = stream(rng)
    situation = Situation(view)
    number = number_of_deals(view, legal, situation, effort)
    deals = imagine(situation, number, effort, ways, chance, watch)
    if view["phase"] == "bid":
        return weigh_bids(situation, legal, deals, ways, chance, watch)
    return weigh_cards(deals, legal, ways, chance, effort, watch)


def number_of_deals(view: View, legal: Sequence[str], situation: Situation, effort: Effort) -> int:
    """In how many deals the cards open to a seat are tried, or the bids that come into question."""
    actions = len(STEPS) if view["phase"] == "bid" else len(legal)
    return effort.deals(actions, sum(view["hand_sizes"]), effort.asked(len(situation.plays)))


def ways_of(view: View) -> flat.Ways:
    """How rounds of this game are finished, and what they are worth in its match."""
    return flat.Ways(policy.nets(rules_of(view).nets), policy.work(), stakes(view))


def weigh_cards(
    deals: Deals,
    legal: Sequence[str],
    ways: flat.Ways,
    chance: Stream,
    effort: Effort,
    watch: Watch,
) -> list[Candidate]:
    """What each card leads to in rounds as they may stand."""
    cards = [JASS.numbers[play[-2:]] for play in legal]
    sums = try_cards(deals, card_set(cards), ways, chance, effort, watch)
    return best_first([(play, sums[card]) for play, card in zip(legal, cards, strict=True)])


def try_cards(
    deals: Deals, cards: int, ways: flat.Ways, chance: Stream, effort: Effort, watch: Watch
) -> flat.Sums:
    """What each card leads to in every deal: played out, or solved where few cards are left."""
    sums = flat.no_sums()
    held = int(deals[0, HANDS + deals[0, TURN]]).bit_count()
    if held <= effort.solved:
        ending = endgame.new_ending(deals.shape[1])
        go_through(
            deals,
            lambda part: endgame.solve_cards(part, cards, ending, ways.stakes, sums),
            watch,
        )
    else:
        go_through(deals, lambda part: flat.try_cards(part, cards, ways, chance, sums), watch)
    return sums


def imagine(
    situation: Situation,
    number: int,
    effort: Effort,
    ways: flat.Ways,
    chance: Stream,
    watch: Watch,
) -> Deals:
    """So many rounds as they may stand now."""
    # Chance makes all plays alike: without nets no deal is likelier than another.
    sifting = effort.sifting if len(situation.plays) and len(ways.nets) else 1
    deals = situation.openings(number * sifting, chance)
    manners.give(deals, situation, ways, chance)
    if sifting > 1:
        return sift(deals, number, situation, ways, chance, watch)
    proceed(deals, situation.plays)
    return deals


def sift(
    deals: Deals,
    number: int,
    situation: Situation,
    ways: flat.Ways,
    chance: Stream,
    watch: Watch,
) -> Deals:
    """So many of the deals as they may have begun: those that make likely what was played since."""
    found = np.zeros(len(deals))
    for start in range(0, len(deals), LARGE_CHUNK):
        part = slice(start, start + LARGE_CHUNK)
        weigh_plays(
            deals[part], situation.seat, situation.plays, ways.nets, ways.paper, found[part]
        )
        if watch.is_over():
            break
    if not found.any():  # a hand of trumps alone may undertrump (C9): too rare to be imagined
        found[: start + LARGE_CHUNK] = 1.0
    kept = np.empty((number, deals.shape[1]), dtype=np.int64)
    keep_likely(deals, found**TRUST, kept, chance)
    return kept
