"""Imagined deals: rounds as they may lie, from all that one seat has seen.

A deal is the round of `rounds` with the hidden hands filled in. Many are kept as the rows of one
array, which every search then goes through. Deals in which the others would hardly have played as
they did can be thinned out: each is played through again from its first card, and is worth as much
as the playing policy finds the plays likely.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import tricks
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, uniform
from jasstisch.search.nets import bid_model
from jasstisch.search.nets.features import Scratch
from jasstisch.search.nets.policy import Nets, likelihood
from jasstisch.search.rounds.round_state import (
    HANDS,
    POLICIES,
    RANKING,
    SEATS,
    TARGET,
    TURN,
    UNDERTRUMP,
    Round,
    copy_into,
    legal_moves,
    play_card,
    policy_index,
)
from jasstisch.search.sampling.exact_sampler import sample_hands

__all__ = [
    "Deals",
    "HiddenSpec",
    "play_log_likelihoods",
    "replay",
    "replay_all",
    "resample",
    "sample_bids",
    "sample_deals",
    "sample_policies",
    "set_policy",
    "weight_by_plays",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Deals = NDArray[np.int64]
"""One round in each row."""

MAX_TRIES = 200
"""How often a deal is dealt before one is taken that may not explain all plays."""

MAX_MEAN_TRIES = 20
"""The same over all deals, so that the time is limited where hardly any explains the plays."""

MIN_LIKELIHOOD = 0.02
"""What is added to a likelihood, so that one odd play does not decide."""


class HiddenSpec(NamedTuple):
    """The unseen cards and their places, as `worlds.deal_out` takes them.

    Attributes:
        cards, weights, sizes, table: those of `worlds.Unseen`.
        seats: the seat at each place, -1 for the cards in no hand.
    """

    cards: Ints
    weights: Floats
    sizes: Ints
    table: Floats
    seats: Ints


@kernel
def replay(state: Round, plays: Ints) -> None:
    """Plays the cards that have been played."""
    for card in plays:
        play_card(state, card)


@kernel
def replay_all(deals: Deals, plays: Ints) -> None:
    """Plays the cards that have been played in every deal."""
    for deal in deals:
        replay(deal, plays)


@allocating_kernel
def sample_deals(
    opening: Round, hidden: HiddenSpec, plays: Ints, deals: Deals, chance: Stream
) -> None:
    """Fills every row with the round as it began, the unseen cards dealt out by chance.

    The sampler knows shown voids. That somebody who had to trump higher did not do so (C9), it
    does not: such deals are dealt again, each up to `TRIES` times, and up to `TRIES_ON_AVERAGE`
    times over all.

    Args:
        opening: the round as it began; each seat holds what is known of its first hand.
        hidden: the unseen cards.
        plays: the cards played since.
        deals: the rows to fill.
        chance: where chance comes from.
    """
    hands = np.zeros(len(hidden.sizes), dtype=np.int64)
    tries = 1 if opening[UNDERTRUMP] in (tricks.FREE, tricks.IF_VOID) else MAX_TRIES
    left = max(MAX_TRIES, MAX_MEAN_TRIES * len(deals))
    state = opening.copy()
    for row in range(len(deals)):
        for _ in range(tries):
            left -= 1
            copy_into(opening, deals[row])
            sample_hands(hidden.cards, hidden.weights, hidden.sizes, hidden.table, hands, chance)
            for place in range(len(hands)):
                if hidden.seats[place] >= 0:
                    deals[row, HANDS + hidden.seats[place]] |= hands[place]
            copy_into(deals[row], state)
            if tries == 1 or left <= 0 or replay_while_legal(state, plays):
                break


@kernel
def replay_while_legal(state: Round, plays: Ints) -> bool:
    """Whether the plays were all allowed; the round is played on as far as they were."""
    for card in plays:
        if not legal_moves(state) >> card & 1:
            return False
        play_card(state, card)
    return True


@allocating_kernel
def sample_bids(
    deals: Deals, seats: Ints, weights: Floats, spreads: Floats, chance: Stream
) -> None:
    """Gives these seats a bid in every deal, such as their manner makes with the hand there.

    Args:
        deals: rounds as they began.
        seats: the seats whose bids are secret.
        weights: those of `bids.glance`, a row for each manner.
        spreads: how far the bids of each manner lie around its glance: the width of a triangle to
            either side.
        chance: where chance comes from.
    """
    features = np.zeros(bid_model.FEATURE_COUNT)
    for deal in deals:
        for seat in seats:
            own = policy_index(deal, seat)
            bid = bid_model.predict_bid(deal[HANDS + seat], deal[RANKING], weights[own], features)
            bid += spreads[own] * (uniform(chance) - uniform(chance))
            deal[TARGET + seat] = round(max(0.0, min(float(bid_model.MAX_BID), bid)))


@kernel
def weight_by_plays(
    deals: Deals, seat: int, plays: Ints, nets: Nets, paper: Scratch, found: Floats
) -> None:
    """Plays every deal to the point reached, and finds how likely that was.

    Args:
        deals: rounds as they began; afterwards as they stand.
        seat: who looks; its own plays tell it nothing.
        plays: the cards played so far.
        nets: the nets of all manners of play.
        paper: scratch paper.
        found: for each deal the likelihood of the others' plays; 0 if one was not allowed.
    """
    for row in range(len(deals)):
        deal = deals[row]
        found[row] = 1.0
        for card in plays:
            if deal[TURN] != seat and found[row] > 0:
                may = legal_moves(deal) >> card & 1
                found[row] *= likelihood(deal, card, nets, paper) if may else 0.0
            play_card(deal, card)


@kernel
def resample(deals: Deals, found: Floats, kept: Deals, chance: Stream) -> float:
    """Draws deals by their likelihood, in equal steps through all of them.

    Returns:
        The sum of the likelihoods; at 0 nothing was kept.
    """
    total = float(found.sum())
    if total <= 0:
        return 0.0
    step = total / len(kept)
    mark = uniform(chance) * step
    row, passed = 0, found[0]
    for place in range(len(kept)):
        while passed < mark and row + 1 < len(deals):
            row += 1
            passed += found[row]
        copy_into(deals[row], kept[place])
        mark += step
    return total


@kernel
def set_policy(deals: Deals, same: int) -> None:
    """Has every seat of every deal play in the same manner."""
    for deal in deals:
        deal[POLICIES] = 0
        for seat in range(SEATS):
            deal[POLICIES] |= same << 4 * seat


@kernel
def play_log_likelihoods(
    deals: Deals, looker: int, plays: Ints, nets: Nets, paper: Scratch, found: Floats
) -> None:
    """Finds how well the manners that seats have in these deals foretell their plays.

    Args:
        deals: rounds as they began; afterwards as they stand.
        looker: the seat that looks, and knows its own manner.
        plays: the cards played so far.
        nets: the nets of all manners of play.
        paper: scratch paper.
        found: to that of each seat is added the mean logarithm of the likelihood of its plays.
    """
    for row in range(len(deals)):
        deal = deals[row]
        for card in plays:
            if deal[TURN] != looker and legal_moves(deal) >> card & 1:
                share = likelihood(deal, card, nets, paper)
                found[deal[TURN]] += np.log(share + MIN_LIKELIHOOD) / len(deals)
            play_card(deal, card)


@kernel
def sample_policies(deals: Deals, looker: int, chances: Floats, chance: Stream) -> None:
    """Draws in every deal the manner of each seat but one.

    Args:
        deals: rounds.
        looker: the seat that looks; it keeps its manner.
        chances: for each seat those of each manner.
        chance: where chance comes from.
    """
    for deal in deals:
        deal[POLICIES] = 0
        for seat in range(len(chances)):
            if seat == looker:
                continue
            drawn = uniform(chance)
            own = 0
            while own + 1 < chances.shape[1] and drawn >= chances[seat, own]:
                drawn -= chances[seat, own]
                own += 1
            deal[POLICIES] |= own << 4 * seat
