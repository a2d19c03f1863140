"""A particle filter for I Doubt It: sampled worlds that agree with all that a seat has seen.

Each world (particle) replays the deal so far, all worlds in step. Cards laid unseen are drawn from
the assumed policy of the seat that laid them. If a fact contradicts a world, cards are exchanged
until the world agrees with it; cards with a known place stay. Worlds in which the observed claims
and answers are unlikely are replaced by likely ones, so that in the end the worlds also estimate
the policy of each other seat.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.games.i_doubt_it.deal_state import (
    BITS_PER_RANK,
    CLAIMANT,
    HAND_SIZES,
    HANDS,
    MAX_PLAYERS,
    MIDDLE_SIZE,
    NOBODY,
    OBSERVER,
    OPEN_CARDS,
    OWN_IN_MIDDLE,
    OWNER_BASE,
    PILE,
    PLAYERS,
    POLICIES,
    RANKS,
    SUITS,
    Deal,
    accept,
    begin_turn,
    count_of,
    doubt,
    lay,
    ranks_with_min_count,
)
from jasstisch.search.games.i_doubt_it.policy import (
    PRIOR,
    PolicyParams,
    PolicyTable,
    doubt_probability,
    lie_rank_weight,
    lie_rank_weight_sum,
    sample_discard_rank,
    truth_rate,
)
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, randbelow, uniform

Worlds = NDArray[np.int64]
"""Deals, one in each row."""

Event = NDArray[np.int64]
"""A claim and its settlement: `EVENT_SIZE` numbers at the indices named below."""

Events = NDArray[np.int64]
"""The claims of a deal, one in each row."""

CLAIM_SIZE_FIELD = 0
"""The number of cards laid."""

CLAIMED_RANK = 1

LAID_CARDS = 2
"""First index of the ranks of the cards laid, the last on top; `UNSEEN` if unknown."""

PASSED_SEATS = 5
"""The seats that have passed, as a bit set."""

DOUBTER = 6
"""The seat that has doubted, -1 for none."""

WAS_OPENED = 7
"""1 while the claim is still open."""

EVENT_SIZE = 8
UNSEEN = -1

_MIN_WEIGHT = 1e-6
"""The minimum likelihood of an observed event."""

Facts = NDArray[np.int64]
"""Facts of every world: `FACTS_SIZE` numbers, first the cards each seat is known to hold."""

MIDDLE_FACTS = MAX_PLAYERS
"""First index of the ranks known to lie at each position of the middle, or `UNSEEN`."""

FACTS_SIZE = MIDDLE_FACTS + RANKS * SUITS


@kernel
def _weighted_choice(weights: NDArray[np.float64], chance: Stream) -> int:
    """An index drawn in proportion to the weights."""
    at = uniform(chance) * weights.sum()
    for place in range(weights.size):
        at -= weights[place]
        if at < 0:
            return place
    return int(weights.argmax())


# The initial deal.


@allocating_kernel
def _fill_hands(world: Deal, maybe: NDArray[np.int64], chance: Stream) -> None:
    """Deals the unknown cards to the hands and the middle, by their sizes."""
    seat = world[OBSERVER]
    _complete_own_hand(world, maybe, chance)
    placed = world[HANDS + seat]
    for place in range(world[MIDDLE_SIZE]):
        if world[PILE + place] != UNSEEN:
            placed += 1 << BITS_PER_RANK * (world[PILE + place] % OWNER_BASE)
    pack = np.empty(RANKS * SUITS, np.int64)
    count = 0
    for rank in range(RANKS):
        for _ in range(SUITS - count_of(placed, rank)):
            at = randbelow(chance, count + 1)
            pack[count] = pack[at]
            pack[at] = rank
            count += 1
    for other in range(world[PLAYERS]):
        for _ in range(world[HAND_SIZES + other] * (other != seat)):
            count -= 1
            world[HANDS + other] += 1 << BITS_PER_RANK * pack[count]
    for place in range(world[MIDDLE_SIZE]):
        if world[PILE + place] == UNSEEN:
            count -= 1
            world[PILE + place] = NOBODY * OWNER_BASE + pack[count]


@allocating_kernel
def _complete_own_hand(world: Deal, maybe: NDArray[np.int64], chance: Stream) -> None:
    """Completes the observer's hand with cards that it may have held."""
    seat = world[OBSERVER]
    missing = world[HAND_SIZES + seat]
    for rank in range(RANKS):
        missing -= count_of(world[HANDS + seat], rank)
    some = maybe.copy()
    for taken in range(missing):
        chosen = taken + randbelow(chance, some.size - taken)
        some[taken], some[chosen] = some[chosen], some[taken]
        world[HANDS + seat] += 1 << BITS_PER_RANK * some[taken]


# Consistency with facts.


@kernel
def _count_unpinned(hand: int, known: int, rank: int) -> int:
    """The number of cards of a rank in a hand beyond those known to be there."""
    return max(0, count_of(hand, rank) - count_of(known, rank))


@kernel
def _swap_in(world: Deal, seat: int, rank: int, known: Facts, chance: Stream) -> bool:
    """Exchanges a card of this rank, wherever it lies, for one that a seat can spare."""
    hand = world[HANDS + seat]
    spares = 0
    for other in range(RANKS):
        spares += _count_unpinned(hand, known[seat], other)
    places = 0
    for other in range(world[PLAYERS]):
        if other != seat:
            places += _count_unpinned(world[HANDS + other], known[other], rank)
    for place in range(world[MIDDLE_SIZE]):
        places += known[MIDDLE_FACTS + place] == UNSEEN and world[PILE + place] % OWNER_BASE == rank
    if spares == 0 or places == 0:
        return False
    at = randbelow(chance, spares)
    given = -1
    while at >= 0:
        given += 1
        at -= _count_unpinned(hand, known[seat], given)
    world[HANDS + seat] += (1 << BITS_PER_RANK * rank) - (1 << BITS_PER_RANK * given)
    _swap_cards(world, seat, rank, given, randbelow(chance, places), known)
    return True


@kernel
def _swap_cards(world: Deal, seat: int, rank: int, given: int, at: int, known: Facts) -> None:
    """Replaces one rank by another at a place, numbered among those outside this seat's hand."""
    for other in range(world[PLAYERS]):
        if other != seat:
            at -= _count_unpinned(world[HANDS + other], known[other], rank)
            if at < 0:
                world[HANDS + other] += (1 << BITS_PER_RANK * given) - (1 << BITS_PER_RANK * rank)
                return
    for place in range(world[MIDDLE_SIZE]):
        at -= known[MIDDLE_FACTS + place] == UNSEEN and world[PILE + place] % OWNER_BASE == rank
        if at < 0:
            card = world[PILE + place]
            owner = card // OWNER_BASE
            if owner != NOBODY:
                world[OWN_IN_MIDDLE + owner] += (1 << BITS_PER_RANK * given) - (
                    1 << BITS_PER_RANK * rank
                )
            world[PILE + place] = owner * OWNER_BASE + given
            return


@kernel
def _enforce_facts(world: Deal, seat: int, known: Facts, chance: Stream) -> bool:
    """Exchanges cards until a seat holds its known cards; False if that is impossible."""
    for rank in range(RANKS):
        while count_of(world[HANDS + seat], rank) < count_of(known[seat], rank):
            if not _swap_in(world, seat, rank, known, chance):
                return False
    return True


# Replay.


@kernel
def _known_cards(event: Event) -> int:
    """The known cards of a claim, as a hand."""
    cards = 0
    for place in range(event[CLAIM_SIZE_FIELD]):
        if event[LAID_CARDS + place] != UNSEEN:
            cards += 1 << BITS_PER_RANK * event[LAID_CARDS + place]
    return cards


@kernel
def _is_known_false(event: Event) -> bool:
    """Whether a card of a claim is known to be of another rank than claimed."""
    for place in range(event[CLAIM_SIZE_FIELD]):
        if event[LAID_CARDS + place] not in (UNSEEN, event[CLAIMED_RANK]):
            return True
    return False


@kernel
def _is_known_true(event: Event) -> bool:
    """Whether all cards of a claim are known to be of the rank claimed."""
    claimed = 0
    for place in range(event[CLAIM_SIZE_FIELD]):
        claimed += event[LAID_CARDS + place] == event[CLAIMED_RANK]
    return claimed == event[CLAIM_SIZE_FIELD]


@kernel
def _replay_claim(world: Deal, event: Event, policy: PolicyParams, chance: Stream) -> float:
    """Replays a claim, with unseen cards drawn from the layer's policy; returns its likelihood."""
    layer, count, rank = world[CLAIMANT], event[CLAIM_SIZE_FIELD], event[CLAIMED_RANK]
    hand = world[HANDS + layer]
    able = ranks_with_min_count(hand, count)
    told = truth_rate(world, count, policy) if able else 0.0
    honest = 0.0
    if count_of(hand, rank) >= count and not _is_known_false(event):
        honest = told / able.bit_count()
    lying = 0.0
    if not _is_known_true(event):
        lying = (
            (1 - told) * lie_rank_weight(world, rank, policy) / lie_rank_weight_sum(world, policy)
        )
    true = uniform(chance) * (honest + lying) < honest
    hand -= _known_cards(event)
    for place in range(count):
        laid = event[LAID_CARDS + place]
        if laid == UNSEEN:
            laid = rank if true else sample_discard_rank(hand, policy, chance)
            hand -= 1 << BITS_PER_RANK * laid
        world[OPEN_CARDS + place] = laid
    lay(world, rank, count)
    return honest + lying + _MIN_WEIGHT


@kernel
def _replay(world: Deal, event: Event, config: PolicyTable, known: Facts, chance: Stream) -> float:
    """Replays a claim and its answers in a world; returns their likelihood, 0 if impossible."""
    layer, viewer = world[CLAIMANT], world[OBSERVER]
    if not _enforce_facts(world, layer, known, chance):
        return 0.0
    likely = _replay_claim(world, event, config[world[POLICIES + layer]], chance)
    if layer == viewer:
        likely = 1.0
    for seat in range(world[PLAYERS]):
        if seat == viewer:
            continue
        if seat == event[DOUBTER]:
            likely *= doubt_probability(world, seat, config[world[POLICIES + seat]])
        elif event[PASSED_SEATS] >> seat & 1:
            likely *= 1 - doubt_probability(world, seat, config[world[POLICIES + seat]])
    if event[DOUBTER] >= 0:
        doubt(world, event[DOUBTER])
    elif not event[WAS_OPENED]:
        accept(world)
    return likely


# Resampling.


@allocating_kernel
def _resample(worlds: Worlds, weights: NDArray[np.float64], chance: Stream) -> None:
    """Resamples the worlds by their weights, so that all have equal weight afterwards."""
    count = weights.size
    step = weights.sum() / count
    copies = np.zeros(count, np.int64)
    at = uniform(chance) * step
    reached = 0.0
    for index in range(count):
        reached += weights[index]
        while at < reached:
            copies[index] += 1
            at += step
    source = 0
    for index in range(count):
        if copies[index] == 0:
            while source < count and copies[source] < 2:
                source += 1
            if source == count:
                break
            worlds[index] = worlds[source]
            copies[source] -= 1
    weights[:] = 1.0


@allocating_kernel
def _resample_if_needed(worlds: Worlds, weights: NDArray[np.float64], chance: Stream) -> bool:
    """Resamples if a world is impossible or few worlds dominate; False if no world is possible."""
    whole = weights.sum()
    if whole <= 0:
        return False
    weights *= weights.size / whole
    if weights.min() <= 0 or (weights * weights).sum() > 2 * weights.size:
        _resample(worlds, weights, chance)
    return True


@allocating_kernel
def sample_worlds(
    start: Deal,
    maybe: NDArray[np.int64],
    events: Events,
    known: NDArray[np.int64],
    config: PolicyTable,
    worlds: Worlds,
    chance: Stream,
) -> bool:
    """Fills `worlds` with possible current deals of equal weight.

    Args:
        start: the deal before the first event: options, seat to act, sizes, the cards that the
            observer surely held, and the known cards of the middle, `UNSEEN` for others.
        maybe: ranks of the candidate cards for the rest of the observer's hand in `start`.
        events: the events since then.
        known: the facts before each event, the cards then laid included, and the facts now.
        config: the policy table.
        worlds: the deals to fill.
        chance: the random stream.

    Returns:
        Whether any world agrees with every fact.
    """
    viewer = start[OBSERVER]
    for world in worlds:
        world[:] = start
        _fill_hands(world, maybe, chance)
        for seat in range(start[PLAYERS]):
            world[POLICIES + seat] = _weighted_choice(config[:, PRIOR], chance)
        begin_turn(world, start[CLAIMANT])
    weights = np.ones(worlds.shape[0])
    for row in range(events.shape[0]):
        event = events[row]
        for index in range(worlds.shape[0]):
            weights[index] *= _replay(worlds[index], event, config, known[row], chance)
            if weights[index] > 0:
                weights[index] *= _enforce_facts(worlds[index], viewer, known[row + 1], chance)
        if not _resample_if_needed(worlds, weights, chance):
            return False
    _resample(worlds, weights, chance)
    return True
