"""Compiled I Doubt It for tabular policies: thousands of deals per second.

A tabular policy sees few features. For an answer these are the claim, how many cards of the rank
the seat knows, the sizes of the claimant's hand and its own, the size of the middle, whether the
claimant has been seen to take three of the rank, who answers later, and whether the limit of claims
is near (ID8). For a lay these are its own cards and what the others have seen of them. For each
situation a table has the probabilities of actions. `bench.equilibria.i_doubt_it_balance` learns
tables against which no other table does much better.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.games.i_doubt_it.deal_state import (
    BITS_PER_RANK,
    CLAIM_COUNT,
    CLAIM_LIMIT,
    CLAIM_NUMBER,
    CLAIM_RANK,
    CLAIM_SIZE,
    CLAIMANT,
    HAND_SIZES,
    HANDS,
    LAST_ANY,
    LIE_FEE,
    MAX_PLAYERS,
    MIDDLE_SIZE,
    NET_CHIPS,
    NOBODY,
    ONE_OF_EACH,
    OPEN_CARDS,
    OVER,
    OWN_IN_MIDDLE,
    OWNER_BASE,
    PILE,
    PLAYERS,
    RANKS,
    RANKS_CLAIMED,
    STATE_SIZE,
    SUITS,
    Deal,
    accept,
    begin_turn,
    cards_due,
    count_of,
    doubt,
    is_true,
    lay,
    ranks_held,
    ranks_with_min_count,
)
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, next_u64, pick_card, randbelow, uniform

Floats = NDArray[np.float64]

PolicyTables = tuple[Floats, Floats]
"""Lays and answers: (2, `LAYS`, `ACTIONS`) weights and (2, `ANSWERS`) probabilities of a doubt.

The second of each belongs to the deviating seat, the first to all others.
"""

KnownCards = NDArray[np.int64]
"""For each seat the cards that all have seen it take, as a hand."""

SITUATIONS = (3, 7, 5, 4, 2, 3, 2)
"""The features of a claim, in the order of the docstring of the module."""

ANSWERS = 3 * 7 * 5 * 4 * 2 * 3 * 2
LAYS = 7 * 5 * 2 * 2 * 2

Rules = tuple[int, int, int, int]
"""Players, the limit of claims, 1 with `last="any"`, and the fee for a caught lie."""

TrialStatistics = tuple[Floats, Floats, Floats, Floats]
"""The results of trials.

The gain in chips of each lay over the mean and its number of trials, then the gain in chips of a
doubt over a pass and its number of trials.
"""

TrialScratch = tuple[Deal, NDArray[np.int64], Stream, Floats]
"""Scratch memory of trials: a deal, its known cards, its random stream, and chips."""

CLAIM_TRUE_UNKNOWN = 0
"""Claiming a rank that the seat holds, not known to the others."""

CLAIM_TRUE_KNOWN = 1
"""Claiming a rank that the seat holds, known to the others."""

LIE_ABOUT_KNOWN = 2
"""Laying other cards and claiming a rank that all have seen the seat take."""

LIE = 3
"""The first lie: claiming a rank of which the seat knows 0, 1, 2, and 3 or more cards."""

ACTIONS = 7

DISCARD_WEIGHTS = (1.0, 0.1, 0.02)
"""The weights with which a liar lays a single card, one of two and one of more."""

NEAR_LIMIT = 8
"""The number of claims before the limit that count as near."""

CLAIMS_MADE, DOUBTED, TRUE, ABLE, OUT, CHIPS, MOVED = range(7)
OUTCOME_SIZE = 7
"""The number of statistics of a deal.

Claims, doubted ones, true ones, and ones that could have been true; whether a player went out; the
chips of the deviating seat, and all chips that changed hands.
"""


@kernel
def hand_size_class(size: int) -> int:
    """Returns the class of a hand by the number of lays left."""
    return min(6, (size + 2) // CLAIM_SIZE)


@kernel
def pile_size_class(cards: int) -> int:
    """Returns the class of the middle: empty, one claim, two, three or four, more."""
    if cards <= 2 * CLAIM_SIZE:
        return (cards + 2) // CLAIM_SIZE
    return 3 if cards <= 4 * CLAIM_SIZE else 4


@kernel
def own_hand_class(size: int) -> int:
    """Returns the class of the hand of the answering seat."""
    return int(size > 4) + int(size > 10) + int(size > 13)


@kernel
def is_near_limit(deal: Deal) -> int:
    """Returns 1 if few claims are left."""
    return int(deal[CLAIM_NUMBER] > deal[CLAIM_LIMIT] - NEAR_LIMIT)


@kernel
def answer_index(deal: Deal, seen: KnownCards, seat: int) -> int:
    """Returns the index of the open claim for a seat in the table of answers."""
    layer, rank, count = deal[CLAIMANT], deal[CLAIM_RANK], deal[CLAIM_COUNT]
    known = count_of(deal[HANDS + seat] + deal[OWN_IN_MIDDLE + seat], rank)
    for other in range(deal[PLAYERS]):
        if other not in (seat, layer):
            known += count_of(seen[other], rank)
    spare = min(1, max(-1, SUITS - known - count)) + 1
    later = (layer - seat) % deal[PLAYERS] - 1
    order = 0 if later == 0 else 1 + int(seat != (layer + 1) % deal[PLAYERS])
    place = spare * 7 + hand_size_class(deal[HAND_SIZES + layer])
    place = place * 5 + pile_size_class(deal[MIDDLE_SIZE])
    place = place * 4 + own_hand_class(deal[HAND_SIZES + seat])
    place = place * 2 + int(count_of(seen[layer], rank) >= count)
    return int((place * 3 + order) * 2 + is_near_limit(deal))


@kernel
def lay_index(deal: Deal, seen: KnownCards) -> int:
    """Returns the index of the situation of the seat to lay in the table of lays."""
    seat = deal[CLAIMANT]
    place = hand_size_class(deal[HAND_SIZES + seat]) * 5 + pile_size_class(deal[MIDDLE_SIZE])
    place = place * 2 + is_near_limit(deal)
    place = place * 2 + int(claimable_ranks(deal, seen, CLAIM_TRUE_UNKNOWN) != 0)
    return int(place * 2 + int(claimable_ranks(deal, seen, CLAIM_TRUE_KNOWN) != 0))


@kernel
def claimable_ranks(deal: Deal, seen: KnownCards, action: int) -> int:
    """Returns the ranks that can be claimed with an action, as a hand of one each."""
    seat = deal[CLAIMANT]
    count = cards_due(deal, seat)
    able = ranks_with_min_count(deal[HANDS + seat], count)
    shown = ranks_with_min_count(seen[seat], count) & able
    if action == CLAIM_TRUE_UNKNOWN:
        return able & ~shown
    if action == CLAIM_TRUE_KNOWN:
        return shown
    if action == LIE_ABOUT_KNOWN:
        return shown if deal[HAND_SIZES + seat] > count else 0
    stale = ranks_held(deal[RANKS_CLAIMED]) | ranks_with_min_count(seen[seat], CLAIM_SIZE)
    for other in range(deal[PLAYERS]):
        if other != seat:
            stale |= ranks_with_min_count(seen[other], 2)
    known = deal[HANDS + seat] + deal[OWN_IN_MIDDLE + seat]
    least = action - LIE
    some = ranks_with_min_count(known, least) if least else ONE_OF_EACH
    return (
        some
        & ~stale
        & (ONE_OF_EACH if least == CLAIM_SIZE else ~ranks_with_min_count(known, least + 1))
    )


@kernel
def choose_discard(hand: int, chance: Stream) -> int:
    """Chooses the rank of a card to lay falsely."""
    single = ranks_held(hand) & ~ranks_with_min_count(hand, 2)
    double = ranks_with_min_count(hand, 2) & ~ranks_with_min_count(hand, CLAIM_SIZE)
    more = ranks_with_min_count(hand, CLAIM_SIZE)
    singly, doubly = (
        DISCARD_WEIGHTS[0] * single.bit_count(),
        DISCARD_WEIGHTS[1] * double.bit_count(),
    )
    at = uniform(chance) * (singly + doubly + DISCARD_WEIGHTS[2] * more.bit_count())
    if at < singly:
        return int(pick_card(chance, single)) // BITS_PER_RANK
    if at < singly + doubly:
        return int(pick_card(chance, double)) // BITS_PER_RANK
    return int(pick_card(chance, more or ranks_held(hand))) // BITS_PER_RANK


@kernel
def lay_claim(deal: Deal, seen: KnownCards, action: int, chance: Stream) -> None:
    """Lays cards and claims a rank by an action."""
    seat = deal[CLAIMANT]
    count = cards_due(deal, seat)
    open_to = claimable_ranks(deal, seen, action)
    rank = int(pick_card(chance, open_to or ONE_OF_EACH)) // BITS_PER_RANK
    hand = deal[HANDS + seat]
    if action >= LIE_ABOUT_KNOWN and deal[HAND_SIZES + seat] - count_of(hand, rank) >= count:
        hand -= count_of(hand, rank) << BITS_PER_RANK * rank
    for place in range(count):
        laid = rank if action < LIE_ABOUT_KNOWN else choose_discard(hand, chance)
        hand -= 1 << BITS_PER_RANK * laid
        deal[OPEN_CARDS + place] = laid
    lay(deal, rank, count)


@kernel
def accept_claim(deal: Deal, seen: KnownCards) -> None:
    """Accepts the claim; the claimant's cards of that rank are unknown from now on."""
    layer, rank = deal[CLAIMANT], deal[CLAIM_RANK]
    seen[layer] -= count_of(seen[layer], rank) << BITS_PER_RANK * rank
    accept(deal)


@kernel
def resolve_doubt(deal: Deal, seen: KnownCards, doubter: int) -> None:
    """Resolves a doubt; all see who takes the cards that are turned up."""
    taker = deal[CLAIMANT]
    if is_true(deal):
        taker = doubter
        seen[deal[CLAIMANT]] -= (
            count_of(seen[deal[CLAIMANT]], deal[CLAIM_RANK]) << BITS_PER_RANK * deal[CLAIM_RANK]
        )
    laid = 0
    for place in range(deal[CLAIM_COUNT]):
        laid += 1 << BITS_PER_RANK * deal[OPEN_CARDS + place]
    for rank in range(RANKS):
        shown = count_of(laid, rank)
        if taker != deal[CLAIMANT]:
            shown = min(SUITS, shown + count_of(seen[taker], rank))
        if shown > count_of(seen[taker], rank):
            seen[taker] += (shown - count_of(seen[taker], rank)) << BITS_PER_RANK * rank
    doubt(deal, doubter)


@kernel
def choose_lay(deal: Deal, seen: KnownCards, weights: Floats, chance: Stream) -> int:
    """Draws an action among the possible ones by their weights."""
    place = lay_index(deal, seen)
    whole = 0.0
    for action in range(ACTIONS):
        if claimable_ranks(deal, seen, action):
            whole += weights[place, action]
    at = uniform(chance) * whole
    last = LIE
    for action in range(ACTIONS):
        if claimable_ranks(deal, seen, action):
            last = action
            at -= weights[place, action]
            if at < 0:
                break
    return last


@kernel
def does_doubt(
    deal: Deal, seen: KnownCards, seat: int, answers: Floats, deviator: int, chance: Stream
) -> bool:
    """Returns whether a seat doubts the open claim."""
    often = answers[int(seat == deviator), answer_index(deal, seen, seat)]
    return bool(uniform(chance) < often)


@kernel
def ask_answers(
    deal: Deal, seen: KnownCards, seat: int, answers: Floats, deviator: int, chance: Stream
) -> bool:
    """Asks this seat and the later ones for answers; returns whether one of them doubts."""
    while seat != deal[CLAIMANT]:
        if does_doubt(deal, seen, seat, answers, deviator, chance):
            resolve_doubt(deal, seen, seat)
            return True
        seat = (seat + 1) % deal[PLAYERS]
    accept_claim(deal, seen)
    return False


@kernel
def play_out(
    deal: Deal, seen: KnownCards, tables: PolicyTables, deviator: int, chance: Stream
) -> None:
    """Plays to the end from a lay."""
    lays, answers = tables
    while not deal[OVER]:
        layer = deal[CLAIMANT]
        action = choose_lay(deal, seen, lays[int(layer == deviator)], chance)
        lay_claim(deal, seen, action, chance)
        ask_answers(deal, seen, (layer + 1) % deal[PLAYERS], answers, deviator, chance)


@allocating_kernel
def deal_cards(deal: Deal, rules: Rules, chance: Stream) -> None:
    """Deals randomly.

    Args:
        deal: the result.
        rules: the rules (ID1, ID5, ID8, ID9).
        chance: the random stream.
    """
    deal[:] = 0
    deal[PLAYERS], deal[CLAIM_LIMIT], deal[LAST_ANY], deal[LIE_FEE] = rules
    pack = np.arange(RANKS * SUITS)
    each = pack.size // rules[0]
    for place in range(pack.size):
        other = place + np.int64(randbelow(chance, pack.size - place))
        pack[place], pack[other] = pack[other], pack[place]
        seat = place // each
        if seat < rules[0]:
            deal[HANDS + seat] += 1 << BITS_PER_RANK * (pack[place] % RANKS)
            deal[HAND_SIZES + seat] += 1
        else:
            deal[PILE + deal[MIDDLE_SIZE]] = NOBODY * OWNER_BASE + pack[place] % RANKS
            deal[MIDDLE_SIZE] += 1
    begin_turn(deal, int(np.int64(randbelow(chance, rules[0]))))


@allocating_kernel
def try_lays(
    deal: Deal,
    seen: KnownCards,
    tables: PolicyTables,
    deviator: int,
    room: TrialScratch,
    found: TrialStatistics,
) -> None:
    """Tries each lay of the seat to act."""
    copy, seen_copy, same, chips = room
    word = same[0]
    layer = deal[CLAIMANT]
    place = lay_index(deal, seen)
    weights = tables[0][int(layer == deviator), place]
    mean, whole = 0.0, 0.0
    for action in range(ACTIONS):
        if claimable_ranks(deal, seen, action):
            copy[:], seen_copy[:], same[0] = deal, seen, word
            lay_claim(copy, seen_copy, action, same)
            ask_answers(copy, seen_copy, (layer + 1) % deal[PLAYERS], tables[1], deviator, same)
            play_out(copy, seen_copy, tables, deviator, same)
            chips[action] = copy[NET_CHIPS + layer]
            mean += weights[action] * chips[action]
            whole += weights[action]
    if whole > 0:
        for action in range(ACTIONS):
            if claimable_ranks(deal, seen, action):
                found[0][place, action] += chips[action] - mean / whole
        found[1][place] += 1


@allocating_kernel
def try_answers(
    deal: Deal,
    seen: KnownCards,
    seat: int,
    tables: PolicyTables,
    deviator: int,
    room: TrialScratch,
    found: TrialStatistics,
) -> None:
    """Tries both answers of a seat."""
    copy, seen_copy, same, _ = room
    word = same[0]
    place = answer_index(deal, seen, seat)
    copy[:], seen_copy[:], same[0] = deal, seen, word
    resolve_doubt(copy, seen_copy, seat)
    play_out(copy, seen_copy, tables, deviator, same)
    found[2][place] += copy[NET_CHIPS + seat]
    copy[:], seen_copy[:], same[0] = deal, seen, word
    ask_answers(copy, seen_copy, (seat + 1) % deal[PLAYERS], tables[1], deviator, same)
    play_out(copy, seen_copy, tables, deviator, same)
    found[2][place] -= copy[NET_CHIPS + seat]
    found[3][place] += 1


@allocating_kernel
def sample_trials(
    deals: int,
    rules: Rules,
    tables: PolicyTables,
    rate: float,
    alone: bool,
    chance: Stream,
    found: TrialStatistics,
) -> None:
    """Plays deals, and now and then tries all alternatives of a decision.

    All alternatives are played to the end of the deal with the same random numbers.

    Args:
        deals: the number of deals.
        rules: as for `deal_cards`.
        tables: the policies.
        rate: the share of decisions that are tried out.
        alone: whether one seat deviates, and only its decisions are tried out.
        chance: the random stream.
        found: the results are added here.
    """
    deal, seen = np.empty(STATE_SIZE, np.int64), np.zeros(MAX_PLAYERS, np.int64)
    room = (
        np.empty(STATE_SIZE, np.int64), np.zeros(MAX_PLAYERS, np.int64), np.empty(1, np.uint64),
        np.zeros(ACTIONS),
    )  # fmt: skip
    for index in range(deals):
        deal_cards(deal, rules, chance)
        seen[:] = 0
        deviator = index % rules[0] if alone else -1
        while not deal[OVER]:
            layer = deal[CLAIMANT]
            if (not alone or layer == deviator) and uniform(chance) < rate:
                room[2][0] = next_u64(chance)
                try_lays(deal, seen, tables, deviator, room, found)
            action = choose_lay(deal, seen, tables[0][int(layer == deviator)], chance)
            lay_claim(deal, seen, action, chance)
            for later in range(1, rules[0]):
                seat = (layer + later) % rules[0]
                if (not alone or seat == deviator) and uniform(chance) < rate:
                    room[2][0] = next_u64(chance)
                    try_answers(deal, seen, seat, tables, deviator, room, found)
                if does_doubt(deal, seen, seat, tables[1], deviator, chance):
                    resolve_doubt(deal, seen, seat)
                    break
            else:
                accept_claim(deal, seen)


@allocating_kernel
def play_deals(
    rules: Rules,
    tables: PolicyTables,
    alone: bool,
    chance: Stream,
    outcomes: Floats,
) -> None:
    """Plays a deal for each row of `outcomes` and writes its statistics there."""
    lays, answers = tables
    deal = np.empty(STATE_SIZE, np.int64)
    seen = np.zeros(MAX_PLAYERS, np.int64)
    for index in range(outcomes.shape[0]):
        row = outcomes[index]
        row[:] = 0
        deal_cards(deal, rules, chance)
        seen[:] = 0
        deviator = index % rules[0] if alone else -1
        while not deal[OVER]:
            layer = deal[CLAIMANT]
            row[ABLE] += ranks_with_min_count(deal[HANDS + layer], cards_due(deal, layer)) != 0
            action = choose_lay(deal, seen, lays[int(layer == deviator)], chance)
            lay_claim(deal, seen, action, chance)
            row[TRUE] += is_true(deal)
            second = (layer + 1) % rules[0]
            row[DOUBTED] += ask_answers(deal, seen, second, answers, deviator, chance)
        row[CLAIMS_MADE] = deal[CLAIM_NUMBER]
        least = deal[HAND_SIZES]
        for seat in range(rules[0]):
            least = min(least, deal[HAND_SIZES + seat])
            row[MOVED] += max(0, deal[NET_CHIPS + seat])
        row[OUT] = least == 0
        if alone:
            row[CHIPS] = deal[NET_CHIPS + deviator]
