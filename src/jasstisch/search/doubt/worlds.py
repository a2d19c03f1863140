"""Where the cards may be at I Doubt It: many worlds that agree with all a seat has seen.

Each world plays the deal so far again, all worlds in step. Whatever was laid unseen is chosen in
the way the layer is thought to play; where a fact says otherwise, cards change places until the
world agrees with it, and cards whose place is known stay. A world in which the claims and answers
heard are unlikely gives way to one in which they are likely, so that in the end the worlds also say
in which way each of the others seems to play.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.chance import Stream, number, part
from jasstisch.search.compiled import allocating_kernel, kernel
from jasstisch.search.doubt.deal import (
    BITS,
    BURIED,
    HANDS,
    LAYER,
    MIDDLE,
    MOST_PLAYERS,
    NOBODY,
    OPEN,
    OWNER,
    PILE,
    PLAYERS,
    RANKS,
    SIZES,
    SUITS,
    VIEWER,
    WAYS,
    Deal,
    accept,
    begin,
    doubt,
    enough,
    held,
    lay,
)
from jasstisch.search.doubt.play import (
    COMMON,
    Way,
    Ways,
    claim_weight,
    claim_weights,
    doubt_chance,
    rank_to_part_with,
    truth_told,
)

__all__ = [
    "CLAIMED_RANK",
    "DOUBTER",
    "EVENT",
    "KNOWN",
    "LAID",
    "MIDST",
    "NUMBER",
    "OPENED",
    "PASSED",
    "UNSEEN",
    "Event",
    "Events",
    "Known",
    "Worlds",
    "sample",
]

Worlds = NDArray[np.int64]
"""Deals, one a row."""

Event = NDArray[np.int64]
"""A claim and what became of it: `EVENT` numbers at the places named below."""

Events = NDArray[np.int64]
"""The claims of a deal, one a row."""

NUMBER = 0
"""How many cards were laid."""

CLAIMED_RANK = 1

LAID = 2
"""From here on: the ranks of the cards laid, the last on top; `UNSEEN` where not known."""

PASSED = 5
"""The seats that have passed, as a set."""

DOUBTER = 6
"""Who has doubted, -1 for nobody."""

OPENED = 7
"""1 where the claim is still open."""

EVENT = 8
UNSEEN = -1

FAINT = 1e-6
"""The least likelihood of what has happened all the same."""

Known = NDArray[np.int64]
"""What is so in every world: `KNOWN` numbers, first for each seat the cards it is known to hold."""

MIDST = MOST_PLAYERS
"""From here on: for each place in the middle the rank known to lie there, or `UNSEEN`."""

KNOWN = MIDST + RANKS * SUITS


@kernel
def pick(weights: NDArray[np.float64], chance: Stream) -> int:
    """A place, as likely as its weight says."""
    at = part(chance) * weights.sum()
    for place in range(weights.size):
        at -= weights[place]
        if at < 0:
            return place
    return int(weights.argmax())


# The deal as it was.


@allocating_kernel
def people(world: Deal, maybe: NDArray[np.int64], chance: Stream) -> None:
    """Deals what is not known to the hands and the middle, by their sizes."""
    seat = world[VIEWER]
    complete(world, maybe, chance)
    placed = world[HANDS + seat]
    for place in range(world[MIDDLE]):
        if world[PILE + place] != UNSEEN:
            placed += 1 << BITS * (world[PILE + place] % OWNER)
    pack = np.empty(RANKS * SUITS, np.int64)
    count = 0
    for rank in range(RANKS):
        for _ in range(SUITS - held(placed, rank)):
            at = number(chance, count + 1)
            pack[count] = pack[at]
            pack[at] = rank
            count += 1
    for other in range(world[PLAYERS]):
        for _ in range(world[SIZES + other] * (other != seat)):
            count -= 1
            world[HANDS + other] += 1 << BITS * pack[count]
    for place in range(world[MIDDLE]):
        if world[PILE + place] == UNSEEN:
            count -= 1
            world[PILE + place] = NOBODY * OWNER + pack[count]


@allocating_kernel
def complete(world: Deal, maybe: NDArray[np.int64], chance: Stream) -> None:
    """Fills the viewer's hand up with cards that it may have held."""
    seat = world[VIEWER]
    missing = world[SIZES + seat]
    for rank in range(RANKS):
        missing -= held(world[HANDS + seat], rank)
    some = maybe.copy()
    for taken in range(missing):
        chosen = taken + number(chance, some.size - taken)
        some[taken], some[chosen] = some[chosen], some[taken]
        world[HANDS + seat] += 1 << BITS * some[taken]


# Making a world agree with a fact.


@kernel
def spare(hand: int, known: int, rank: int) -> int:
    """How many cards of a rank a hand has beyond those known to be there."""
    return max(0, held(hand, rank) - held(known, rank))


@kernel
def bring(world: Deal, seat: int, rank: int, known: Known, chance: Stream) -> bool:
    """Exchanges a card of this rank, wherever it may be, for one that a seat can spare."""
    hand = world[HANDS + seat]
    spares = 0
    for other in range(RANKS):
        spares += spare(hand, known[seat], other)
    places = 0
    for other in range(world[PLAYERS]):
        if other != seat:
            places += spare(world[HANDS + other], known[other], rank)
    for place in range(world[MIDDLE]):
        places += known[MIDST + place] == UNSEEN and world[PILE + place] % OWNER == rank
    if spares == 0 or places == 0:
        return False
    at = number(chance, spares)
    given = -1
    while at >= 0:
        given += 1
        at -= spare(hand, known[seat], given)
    world[HANDS + seat] += (1 << BITS * rank) - (1 << BITS * given)
    exchange(world, seat, rank, given, number(chance, places), known)
    return True


@kernel
def exchange(world: Deal, seat: int, rank: int, given: int, at: int, known: Known) -> None:
    """At one of the places that are not this seat, by its number, puts one rank for another."""
    for other in range(world[PLAYERS]):
        if other != seat:
            at -= spare(world[HANDS + other], known[other], rank)
            if at < 0:
                world[HANDS + other] += (1 << BITS * given) - (1 << BITS * rank)
                return
    for place in range(world[MIDDLE]):
        at -= known[MIDST + place] == UNSEEN and world[PILE + place] % OWNER == rank
        if at < 0:
            card = world[PILE + place]
            owner = card // OWNER
            if owner != NOBODY:
                world[BURIED + owner] += (1 << BITS * given) - (1 << BITS * rank)
            world[PILE + place] = owner * OWNER + given
            return


@kernel
def agree(world: Deal, seat: int, known: Known, chance: Stream) -> bool:
    """Exchanges cards until a seat holds what it is known to hold; False where that cannot be."""
    for rank in range(RANKS):
        while held(world[HANDS + seat], rank) < held(known[seat], rank):
            if not bring(world, seat, rank, known, chance):
                return False
    return True


# Playing the deal again.


@kernel
def shown(event: Event) -> int:
    """The cards of a claim that are known, as a hand."""
    cards = 0
    for place in range(event[NUMBER]):
        if event[LAID + place] != UNSEEN:
            cards += 1 << BITS * event[LAID + place]
    return cards


@kernel
def shown_false(event: Event) -> bool:
    """Whether a card of a claim is known to be of another rank than claimed."""
    for place in range(event[NUMBER]):
        if event[LAID + place] not in (UNSEEN, event[CLAIMED_RANK]):
            return True
    return False


@kernel
def shown_true(event: Event) -> bool:
    """Whether all cards of a claim are known to be of the rank claimed."""
    claimed = 0
    for place in range(event[NUMBER]):
        claimed += event[LAID + place] == event[CLAIMED_RANK]
    return claimed == event[NUMBER]


@kernel
def claim_again(world: Deal, event: Event, way: Way, chance: Stream) -> float:
    """Lays and claims as the event says, unseen cards in the layer's way; how likely that was."""
    layer, count, rank = world[LAYER], event[NUMBER], event[CLAIMED_RANK]
    hand = world[HANDS + layer]
    able = enough(hand, count)
    told = truth_told(world, count, way) if able else 0.0
    honest = 0.0
    if held(hand, rank) >= count and not shown_false(event):
        honest = told / able.bit_count()
    lying = 0.0
    if not shown_true(event):
        lying = (1 - told) * claim_weight(world, rank, way) / claim_weights(world, way)
    true = part(chance) * (honest + lying) < honest
    hand -= shown(event)
    for place in range(count):
        laid = event[LAID + place]
        if laid == UNSEEN:
            laid = rank if true else rank_to_part_with(hand, way, chance)
            hand -= 1 << BITS * laid
        world[OPEN + place] = laid
    lay(world, rank, count)
    return honest + lying + FAINT


@kernel
def replay(world: Deal, event: Event, ways: Ways, known: Known, chance: Stream) -> float:
    """Plays a claim and its answers in a world; how likely they were there, 0 if impossible."""
    layer, viewer = world[LAYER], world[VIEWER]
    if not agree(world, layer, known, chance):
        return 0.0
    likely = claim_again(world, event, ways[world[WAYS + layer]], chance)
    if layer == viewer:
        likely = 1.0
    for seat in range(world[PLAYERS]):
        if seat == viewer:
            continue
        if seat == event[DOUBTER]:
            likely *= doubt_chance(world, seat, ways[world[WAYS + seat]])
        elif event[PASSED] >> seat & 1:
            likely *= 1 - doubt_chance(world, seat, ways[world[WAYS + seat]])
    if event[DOUBTER] >= 0:
        doubt(world, event[DOUBTER])
    elif not event[OPENED]:
        accept(world)
    return likely


# Likely worlds.


@allocating_kernel
def renew(worlds: Worlds, weights: NDArray[np.float64], chance: Stream) -> None:
    """Makes all worlds equally likely: likely ones take the place of unlikely ones."""
    count = weights.size
    step = weights.sum() / count
    copies = np.zeros(count, np.int64)
    at = part(chance) * step
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
def balance(worlds: Worlds, weights: NDArray[np.float64], chance: Stream) -> bool:
    """Renews the worlds where one is impossible or few weigh most; False if none is left."""
    whole = weights.sum()
    if whole <= 0:
        return False
    weights *= weights.size / whole
    if weights.min() <= 0 or (weights * weights).sum() > 2 * weights.size:
        renew(worlds, weights, chance)
    return True


@allocating_kernel
def sample(
    start: Deal,
    maybe: NDArray[np.int64],
    events: Events,
    known: NDArray[np.int64],
    ways: Ways,
    worlds: Worlds,
    chance: Stream,
) -> bool:
    """Fills `worlds` with deals as they may stand now, each as likely as any other.

    Args:
        start: the deal before the first event: options, whose turn, sizes, the cards the viewer
            surely held, and of the middle the known cards, `UNSEEN` for others.
        maybe: ranks of cards of which the viewer held as many as it lacks in `start`.
        events: what has happened since.
        known: what is known before each event, the cards then laid included; and what now.
        ways: ways of playing.
        worlds: the deals to fill.
        chance: a stream.

    Returns:
        Whether there is a world that agrees with every fact.
    """
    viewer = start[VIEWER]
    for world in worlds:
        world[:] = start
        people(world, maybe, chance)
        for seat in range(start[PLAYERS]):
            world[WAYS + seat] = pick(ways[:, COMMON], chance)
        begin(world, start[LAYER])
    weights = np.ones(worlds.shape[0])
    for row in range(events.shape[0]):
        event = events[row]
        for index in range(worlds.shape[0]):
            weights[index] *= replay(worlds[index], event, ways, known[row], chance)
            if weights[index] > 0:
                weights[index] *= agree(worlds[index], viewer, known[row + 1], chance)
        if not balance(worlds, weights, chance):
            return False
    renew(worlds, weights, chance)
    return True
