"""Determinization: samples full deals that are consistent with the information of one seat.

A deal is a round of `search.rounds` with the hidden hands filled in. Deals are kept as the rows of
one array, over which every search iterates. Deals can be resampled by the likelihood of the
observed plays (importance resampling): each deal is replayed from its first card, and its weight is
the probability that the playout policy gives to the plays.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import tricks
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, uniform
from jasstisch.search.nets import bid_model
from jasstisch.search.nets.policy import Nets, Scratch, likelihood
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

_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]

Deals = NDArray[np.int64]
"""One round in each row."""

_MAX_TRIES = 200
"""The maximum number of attempts for one deal before one is accepted that contradicts the plays."""

_MAX_MEAN_TRIES = 20
"""The maximum mean number of attempts over all deals, which bounds the time if few deals fit."""

_MIN_LIKELIHOOD = 0.02
"""Added to each likelihood, so that a single odd play is not decisive."""


class HiddenSpec(NamedTuple):
    """The unseen cards and their possible locations, as arguments of `exact_sampler.sample_hands`.

    Attributes:
        cards, weights, sizes, completion_weights: those of `exact_sampler.HiddenCards`.
        seats: the seat of each location, -1 for the cards in no hand.
    """

    cards: _Ints
    weights: _Floats
    sizes: _Ints
    completion_weights: _Floats
    seats: _Ints


@kernel
def replay(state: Round, plays: _Ints) -> None:
    """Replays the cards that have been played."""
    for card in plays:
        play_card(state, card)


@kernel
def replay_all(deals: Deals, plays: _Ints) -> None:
    """Replays the cards that have been played, in every deal."""
    for deal in deals:
        replay(deal, plays)


@allocating_kernel
def sample_deals(
    opening: Round, hidden: HiddenSpec, plays: _Ints, deals: Deals, chance: Stream
) -> None:
    """Fills every row with a possible initial round, with random hidden hands.

    The sampler respects known voids. It does not know that a seat that had to trump higher did not
    do so (C9): such deals are rejected and drawn again, each up to `_MAX_TRIES` times, and on
    average up to `_MAX_MEAN_TRIES` times.

    Args:
        opening: the initial round; each seat holds the known part of its first hand.
        hidden: the unseen cards.
        plays: the cards played since.
        deals: the rows to fill.
        chance: the random stream.
    """
    hands = np.zeros(len(hidden.sizes), dtype=np.int64)
    tries = 1 if opening[UNDERTRUMP] in (tricks.FREE, tricks.IF_VOID) else _MAX_TRIES
    left = max(_MAX_TRIES, _MAX_MEAN_TRIES * len(deals))
    state = opening.copy()
    for row in range(len(deals)):
        for _ in range(tries):
            left -= 1
            copy_into(opening, deals[row])
            sample_hands(
                hidden.cards, hidden.weights, hidden.sizes, hidden.completion_weights, hands, chance
            )
            for place in range(len(hands)):
                if hidden.seats[place] >= 0:
                    deals[row, HANDS + hidden.seats[place]] |= hands[place]
            copy_into(deals[row], state)
            if tries == 1 or left <= 0 or _replay_while_legal(state, plays):
                break


@kernel
def _replay_while_legal(state: Round, plays: _Ints) -> bool:
    """Plays on as long as the plays are legal; returns whether all of them were."""
    for card in plays:
        if not legal_moves(state) >> card & 1:
            return False
        play_card(state, card)
    return True


@allocating_kernel
def sample_bids(
    deals: Deals, seats: _Ints, weights: _Floats, spreads: _Floats, chance: Stream
) -> None:
    """Draws a bid for each of these seats in every deal, by its policy and its hand there.

    Args:
        deals: initial rounds.
        seats: the seats whose bids are secret.
        weights: the weights of the bid models, a row for each policy.
        spreads: the spread of the bids of each policy around its estimate: half the base of a
            triangular distribution.
        chance: the random stream.
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
    deals: Deals, seat: int, plays: _Ints, nets: Nets, scratch: Scratch, found: _Floats
) -> None:
    """Replays every deal to the present and finds the likelihood of the plays.

    Args:
        deals: initial rounds; afterwards the current rounds.
        seat: the observing seat; its own plays give it no information.
        plays: the cards played so far.
        nets: the nets of all policies.
        scratch: scratch memory.
        found: for each deal, the likelihood of the other seats' plays; 0 if one was not legal.
    """
    for row in range(len(deals)):
        deal = deals[row]
        found[row] = 1.0
        for card in plays:
            if deal[TURN] != seat and found[row] > 0:
                may = legal_moves(deal) >> card & 1
                found[row] *= likelihood(deal, card, nets, scratch) if may else 0.0
            play_card(deal, card)


@kernel
def resample(deals: Deals, found: _Floats, kept: Deals, chance: Stream) -> float:
    """Draws deals in proportion to their weights (systematic resampling).

    Returns:
        The sum of the weights; if it is 0, nothing was kept.
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
    """Assigns the same policy to every seat of every deal."""
    for deal in deals:
        deal[POLICIES] = 0
        for seat in range(SEATS):
            deal[POLICIES] |= same << 4 * seat


@kernel
def play_log_likelihoods(
    deals: Deals, observer: int, plays: _Ints, nets: Nets, scratch: Scratch, found: _Floats
) -> None:
    """Adds up how well the policies assigned in these deals predict the plays of each seat.

    Args:
        deals: initial rounds; afterwards the current rounds.
        observer: the observing seat, which knows its own policy.
        plays: the cards played so far.
        nets: the nets of all policies.
        scratch: scratch memory.
        found: the mean log-likelihood of the plays of each seat is added to it.
    """
    for row in range(len(deals)):
        deal = deals[row]
        for card in plays:
            if deal[TURN] != observer and legal_moves(deal) >> card & 1:
                share = likelihood(deal, card, nets, scratch)
                found[deal[TURN]] += np.log(share + _MIN_LIKELIHOOD) / len(deals)
            play_card(deal, card)


@kernel
def sample_policies(deals: Deals, observer: int, chances: _Floats, chance: Stream) -> None:
    """Draws the policy of each seat but one in every deal.

    Args:
        deals: rounds.
        observer: the observing seat; it keeps its policy.
        chances: the probability of each policy (column) for each seat (row).
        chance: the random stream.
    """
    for deal in deals:
        deal[POLICIES] = 0
        for seat in range(len(chances)):
            if seat == observer:
                continue
            drawn = uniform(chance)
            own = 0
            while own + 1 < chances.shape[1] and drawn >= chances[seat, own]:
                drawn -= chances[seat, own]
                own += 1
            deal[POLICIES] |= own << 4 * seat
