"""I Doubt It as players of a table of chances play it: thousands of deals in a second.

A player of this kind looks at little: at a claim, at how many cards of the rank he knows, the hands
of the layer and his own, the middle, whether the layer has been seen to take three of the rank, who
answers after him, and whether the limit of claims is near (ID8); before he lays, at what he holds
and what of that the others have seen. For each such situation a table says how likely he is to do
what. `bench.balance` learns tables that no other table does much better against.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.chance import Stream, bits, member, number, part
from jasstisch.search.compiled import allocating_kernel, kernel
from jasstisch.search.doubt.deal import (
    BITS,
    BURIED,
    CLAIMED,
    CLAIMS,
    COUNT,
    FEE,
    FEES,
    HANDS,
    LAST_ANY,
    LAYER,
    LIMIT,
    MIDDLE,
    MOST_PLAYERS,
    NOBODY,
    ONES,
    OPEN,
    OVER,
    OWNER,
    PILE,
    PLAYERS,
    RANK,
    RANKS,
    SIZES,
    SUITS,
    THREE,
    WIDTH,
    Deal,
    accept,
    begin,
    doubt,
    due,
    enough,
    held,
    is_true,
    lay,
    one_of,
)

__all__ = [
    "ABLE", "ACTIONS", "ANSWERS", "CHIPS", "CLAIMS_MADE", "DOUBTED", "LAYS", "LIE_SEEN", "MOVED",
    "OUT", "OUTCOME", "SITUATIONS", "TRUE", "Floats", "Found", "Rules", "Tables",
    "answer_situation", "deal_anew", "lay_situation", "measure", "probe",
]  # fmt: skip

Floats = NDArray[np.float64]

Tables = tuple[Floats, Floats]
"""The lays and the answers: (2, `LAYS`, `ACTIONS`) weights and (2, `ANSWERS`) chances to doubt.

The second of each is that of the seat that deviates, the first that of all others.
"""

Seen = NDArray[np.int64]
"""For each seat the cards that all have seen it take, as a hand."""

SITUATIONS = (3, 7, 5, 4, 2, 3, 2)
"""What is told apart at a claim, as the docstring of the module has it, in that order."""

ANSWERS = 3 * 7 * 5 * 4 * 2 * 3 * 2
LAYS = 7 * 5 * 2 * 2 * 2

Rules = tuple[int, int, int, int]
"""Players, the limit of claims, 1 with `last="any"`, and what a caught liar pays."""

Found = tuple[Floats, Floats, Floats, Floats]
"""The chips that each lay brings above the mean, and how often that was tried; the chips that a
doubt brings more than to pass, and how often."""

Room = tuple[Deal, NDArray[np.int64], Stream, Floats]
"""Room to try things out: a deal, what has been seen in it, its chances as they are at first, and
chips."""

TRUE_UNSEEN = 0
"""To claim what one holds, where nobody has seen one take it;"""

TRUE_SEEN = 1
"""where all have."""

LIE_SEEN = 2
"""To lay others and claim a rank that all have seen one take."""

LIE = 3
"""From here on: to claim a rank of which one knows 0, 1, 2, and 3 or more cards."""

ACTIONS = 7

KEPT = (1.0, 0.1, 0.02)
"""How gladly a liar parts with a single card, one of two and one of more."""

NEAR = 8
"""The last claims before the limit are played knowing it."""

CLAIMS_MADE, DOUBTED, TRUE, ABLE, OUT, CHIPS, MOVED = range(7)
OUTCOME = 7
"""What is told of a deal: claims, those doubted, true, and that could have been true; whether
somebody went out; the chips of the seat that deviates, and all that changed hands."""


@kernel
def size_class(size: int) -> int:
    """A hand by the lays it still takes."""
    return min(6, (size + 2) // THREE)


@kernel
def middle_class(cards: int) -> int:
    """The middle: empty, one claim, two, three or four, more."""
    if cards <= 2 * THREE:
        return (cards + 2) // THREE
    return 3 if cards <= 4 * THREE else 4


@kernel
def own_class(size: int) -> int:
    """The hand of who answers."""
    return int(size > 4) + int(size > 10) + int(size > 13)


@kernel
def near_limit(deal: Deal) -> int:
    """1 where few claims are left."""
    return int(deal[CLAIMS] > deal[LIMIT] - NEAR)


@kernel
def answer_situation(deal: Deal, seen: Seen, seat: int) -> int:
    """Where in the table of answers the open claim stands for a seat."""
    layer, rank, count = deal[LAYER], deal[RANK], deal[COUNT]
    known = held(deal[HANDS + seat] + deal[BURIED + seat], rank)
    for other in range(deal[PLAYERS]):
        if other not in (seat, layer):
            known += held(seen[other], rank)
    spare = min(1, max(-1, SUITS - known - count)) + 1
    later = (layer - seat) % deal[PLAYERS] - 1
    order = 0 if later == 0 else 1 + int(seat != (layer + 1) % deal[PLAYERS])
    place = spare * 7 + size_class(deal[SIZES + layer])
    place = place * 5 + middle_class(deal[MIDDLE])
    place = place * 4 + own_class(deal[SIZES + seat])
    place = place * 2 + int(held(seen[layer], rank) >= count)
    return int((place * 3 + order) * 2 + near_limit(deal))


@kernel
def lay_situation(deal: Deal, seen: Seen) -> int:
    """Where in the table of lays stands whose turn it is."""
    seat = deal[LAYER]
    place = size_class(deal[SIZES + seat]) * 5 + middle_class(deal[MIDDLE])
    place = place * 2 + near_limit(deal)
    place = place * 2 + int(ranks(deal, seen, TRUE_UNSEEN) != 0)
    return int(place * 2 + int(ranks(deal, seen, TRUE_SEEN) != 0))


@kernel
def ranks(deal: Deal, seen: Seen, action: int) -> int:
    """The ranks that may be claimed with one of the actions, as a hand of one each."""
    seat = deal[LAYER]
    count = due(deal, seat)
    able = enough(deal[HANDS + seat], count)
    shown = enough(seen[seat], count) & able
    if action == TRUE_UNSEEN:
        return able & ~shown
    if action == TRUE_SEEN:
        return shown
    if action == LIE_SEEN:
        return shown if deal[SIZES + seat] > count else 0
    stale = one_of(deal[CLAIMED]) | enough(seen[seat], THREE)
    for other in range(deal[PLAYERS]):
        if other != seat:
            stale |= enough(seen[other], 2)
    known = deal[HANDS + seat] + deal[BURIED + seat]
    least = action - LIE
    some = enough(known, least) if least else ONES
    return some & ~stale & (ONES if least == THREE else ~enough(known, least + 1))


@kernel
def part_with(hand: int, chance: Stream) -> int:
    """The rank of a card to be rid of."""
    single = one_of(hand) & ~enough(hand, 2)
    double = enough(hand, 2) & ~enough(hand, THREE)
    more = enough(hand, THREE)
    singly, doubly = KEPT[0] * single.bit_count(), KEPT[1] * double.bit_count()
    at = part(chance) * (singly + doubly + KEPT[2] * more.bit_count())
    if at < singly:
        return int(member(chance, single)) // BITS
    if at < singly + doubly:
        return int(member(chance, double)) // BITS
    return int(member(chance, more or one_of(hand))) // BITS


@kernel
def make_claim(deal: Deal, seen: Seen, action: int, chance: Stream) -> None:
    """Lays and claims in one of the ways."""
    seat = deal[LAYER]
    count = due(deal, seat)
    open_to = ranks(deal, seen, action)
    rank = int(member(chance, open_to or ONES)) // BITS
    hand = deal[HANDS + seat]
    if action >= LIE_SEEN and deal[SIZES + seat] - held(hand, rank) >= count:
        hand -= held(hand, rank) << BITS * rank
    for place in range(count):
        laid = rank if action < LIE_SEEN else part_with(hand, chance)
        hand -= 1 << BITS * laid
        deal[OPEN + place] = laid
    lay(deal, rank, count)


@kernel
def stand(deal: Deal, seen: Seen) -> None:
    """Nobody has doubted; of the rank claimed nothing is known of the layer any more."""
    layer, rank = deal[LAYER], deal[RANK]
    seen[layer] -= held(seen[layer], rank) << BITS * rank
    accept(deal)


@kernel
def turn_up(deal: Deal, seen: Seen, doubter: int) -> None:
    """Somebody doubts; all see who takes the cards that are turned up."""
    taker = deal[LAYER]
    if is_true(deal):
        taker = doubter
        seen[deal[LAYER]] -= held(seen[deal[LAYER]], deal[RANK]) << BITS * deal[RANK]
    laid = 0
    for place in range(deal[COUNT]):
        laid += 1 << BITS * deal[OPEN + place]
    for rank in range(RANKS):
        shown = held(laid, rank)
        if taker != deal[LAYER]:
            shown = min(SUITS, shown + held(seen[taker], rank))
        if shown > held(seen[taker], rank):
            seen[taker] += (shown - held(seen[taker], rank)) << BITS * rank
    doubt(deal, doubter)


@kernel
def chosen(deal: Deal, seen: Seen, weights: Floats, chance: Stream) -> int:
    """One of the ways to lay, as likely as its weight among those that are open says."""
    place = lay_situation(deal, seen)
    whole = 0.0
    for action in range(ACTIONS):
        if ranks(deal, seen, action):
            whole += weights[place, action]
    at = part(chance) * whole
    last = LIE
    for action in range(ACTIONS):
        if ranks(deal, seen, action):
            last = action
            at -= weights[place, action]
            if at < 0:
                break
    return last


@kernel
def doubts(
    deal: Deal, seen: Seen, seat: int, answers: Floats, deviator: int, chance: Stream
) -> bool:
    """Whether a seat doubts the open claim."""
    often = answers[int(seat == deviator), answer_situation(deal, seen, seat)]
    return bool(part(chance) < often)


@kernel
def hear(deal: Deal, seen: Seen, seat: int, answers: Floats, deviator: int, chance: Stream) -> bool:
    """The answers of this seat and of those after it; whether one of them doubts."""
    while seat != deal[LAYER]:
        if doubts(deal, seen, seat, answers, deviator, chance):
            turn_up(deal, seen, seat)
            return True
        seat = (seat + 1) % deal[PLAYERS]
    stand(deal, seen)
    return False


@kernel
def finish(deal: Deal, seen: Seen, tables: Tables, deviator: int, chance: Stream) -> None:
    """Plays on from where somebody has to lay."""
    lays, answers = tables
    while not deal[OVER]:
        layer = deal[LAYER]
        action = chosen(deal, seen, lays[int(layer == deviator)], chance)
        make_claim(deal, seen, action, chance)
        hear(deal, seen, (layer + 1) % deal[PLAYERS], answers, deviator, chance)


@allocating_kernel
def deal_anew(deal: Deal, rules: Rules, chance: Stream) -> None:
    """Deals by chance.

    Args:
        deal: where to.
        rules: by which (ID1, ID5, ID8, ID9).
        chance: a stream.
    """
    deal[:] = 0
    deal[PLAYERS], deal[LIMIT], deal[LAST_ANY], deal[FEE] = rules
    pack = np.arange(RANKS * SUITS)
    each = pack.size // rules[0]
    for place in range(pack.size):
        other = place + np.int64(number(chance, pack.size - place))
        pack[place], pack[other] = pack[other], pack[place]
        seat = place // each
        if seat < rules[0]:
            deal[HANDS + seat] += 1 << BITS * (pack[place] % RANKS)
            deal[SIZES + seat] += 1
        else:
            deal[PILE + deal[MIDDLE]] = NOBODY * OWNER + pack[place] % RANKS
            deal[MIDDLE] += 1
    begin(deal, int(np.int64(number(chance, rules[0]))))


@allocating_kernel
def try_lays(
    deal: Deal, seen: Seen, tables: Tables, deviator: int, room: Room, found: Found
) -> None:
    """Tries each way to lay of whose turn it is."""
    copy, seen_copy, same, chips = room
    word = same[0]
    layer = deal[LAYER]
    place = lay_situation(deal, seen)
    weights = tables[0][int(layer == deviator), place]
    mean, whole = 0.0, 0.0
    for action in range(ACTIONS):
        if ranks(deal, seen, action):
            copy[:], seen_copy[:], same[0] = deal, seen, word
            make_claim(copy, seen_copy, action, same)
            hear(copy, seen_copy, (layer + 1) % deal[PLAYERS], tables[1], deviator, same)
            finish(copy, seen_copy, tables, deviator, same)
            chips[action] = copy[FEES + layer]
            mean += weights[action] * chips[action]
            whole += weights[action]
    if whole > 0:
        for action in range(ACTIONS):
            if ranks(deal, seen, action):
                found[0][place, action] += chips[action] - mean / whole
        found[1][place] += 1


@allocating_kernel
def try_answers(
    deal: Deal, seen: Seen, seat: int, tables: Tables, deviator: int, room: Room, found: Found
) -> None:
    """Tries both answers of a seat."""
    copy, seen_copy, same, _ = room
    word = same[0]
    place = answer_situation(deal, seen, seat)
    copy[:], seen_copy[:], same[0] = deal, seen, word
    turn_up(copy, seen_copy, seat)
    finish(copy, seen_copy, tables, deviator, same)
    found[2][place] += copy[FEES + seat]
    copy[:], seen_copy[:], same[0] = deal, seen, word
    hear(copy, seen_copy, (seat + 1) % deal[PLAYERS], tables[1], deviator, same)
    finish(copy, seen_copy, tables, deviator, same)
    found[2][place] -= copy[FEES + seat]
    found[3][place] += 1


@allocating_kernel
def probe(
    deals: int,
    rules: Rules,
    tables: Tables,
    rate: float,
    alone: bool,
    chance: Stream,
    found: Found,
) -> None:
    """Plays deals, and tries now and then what each other action would have come to.

    All actions are tried from there to the end of the deal with the same chances.

    Args:
        deals: how many.
        rules: as for `deal_anew`.
        tables: how all play.
        rate: how often a decision is tried out.
        alone: whether one seat deviates, and only its decisions are tried out.
        chance: a stream.
        found: what comes of it is added here.
    """
    deal, seen = np.empty(WIDTH, np.int64), np.zeros(MOST_PLAYERS, np.int64)
    room = (
        np.empty(WIDTH, np.int64), np.zeros(MOST_PLAYERS, np.int64), np.empty(1, np.uint64),
        np.zeros(ACTIONS),
    )  # fmt: skip
    for index in range(deals):
        deal_anew(deal, rules, chance)
        seen[:] = 0
        deviator = index % rules[0] if alone else -1
        while not deal[OVER]:
            layer = deal[LAYER]
            if (not alone or layer == deviator) and part(chance) < rate:
                room[2][0] = bits(chance)
                try_lays(deal, seen, tables, deviator, room, found)
            action = chosen(deal, seen, tables[0][int(layer == deviator)], chance)
            make_claim(deal, seen, action, chance)
            for later in range(1, rules[0]):
                seat = (layer + later) % rules[0]
                if (not alone or seat == deviator) and part(chance) < rate:
                    room[2][0] = bits(chance)
                    try_answers(deal, seen, seat, tables, deviator, room, found)
                if doubts(deal, seen, seat, tables[1], deviator, chance):
                    turn_up(deal, seen, seat)
                    break
            else:
                stand(deal, seen)


@allocating_kernel
def measure(
    rules: Rules,
    tables: Tables,
    alone: bool,
    chance: Stream,
    outcomes: Floats,
) -> None:
    """Plays a deal for each row of `outcomes` and writes there what is told of it."""
    lays, answers = tables
    deal = np.empty(WIDTH, np.int64)
    seen = np.zeros(MOST_PLAYERS, np.int64)
    for index in range(outcomes.shape[0]):
        row = outcomes[index]
        row[:] = 0
        deal_anew(deal, rules, chance)
        seen[:] = 0
        deviator = index % rules[0] if alone else -1
        while not deal[OVER]:
            layer = deal[LAYER]
            row[ABLE] += enough(deal[HANDS + layer], due(deal, layer)) != 0
            action = chosen(deal, seen, lays[int(layer == deviator)], chance)
            make_claim(deal, seen, action, chance)
            row[TRUE] += is_true(deal)
            second = (layer + 1) % rules[0]
            row[DOUBTED] += hear(deal, seen, second, answers, deviator, chance)
        row[CLAIMS_MADE] = deal[CLAIMS]
        least = deal[SIZES]
        for seat in range(rules[0]):
            least = min(least, deal[SIZES + seat])
            row[MOVED] += max(0, deal[FEES + seat])
        row[OUT] = least == 0
        if alone:
            row[CHIPS] = deal[FEES + deviator]
