"""A small learned policy that plays all the cards of a playout.

`features` says what a net looks at; here the same scores are found fast, by nets that are folded
(`folding`). It sees only the mover's hand and what is public, so a playout is as honest as its
players. Each game has a net for each manner of play: one has learned by playing in a company of
several manners (`tools/train.py`), one imitates the rules of thumb of `greedy` and one the search
of `club` (`tools/imitate.py`).

What changes only with a trick is worked out once for it, what belongs to the situation once for a
decision, what belongs to a suit once for its cards. All of that is on scratch paper or in the
registers of the machine; numbers that depend on few others are found in tables.
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch import melds, tricks
from jasstisch.bots.odds import (
    LOW_TAKES,
    NEXT_TAKES,
    SIDE_STUCK,
    TOP_TAKES,
    TRUMP_STUCK,
    TRUMP_TAKES,
    few_or_many,
)
from jasstisch.cards import SIX_OF_DIAMONDS
from jasstisch.search import features, folding, slots
from jasstisch.search.chance import Stream, nth, part
from jasstisch.search.compiled import inlined_kernel, kernel
from jasstisch.search.features import (
    ALL_POINTS,
    AT_STUCK,
    AT_TAKES,
    PLAIN_POINTS,
    RUFFED,
    STANDS,
    Net,
    Work,
    threats,
)
from jasstisch.search.lanes import (
    EXPONENTIALS,
    Lanes,
    exponentials,
    plus,
    plus_row,
    rectified,
    row,
    together,
)
from jasstisch.search.machine import entry, put
from jasstisch.search.rounds import (
    ANNOUNCER,
    BEST,
    BOMBS,
    CAPTURED,
    COURSE,
    EXTRA,
    FOLLOWER,
    HANDS,
    HOLDER,
    LAID,
    LED,
    LYING,
    PLAYING,
    PUSHED,
    RANKING,
    TAKEN,
    TARGET,
    TOP,
    TURN,
    VALUED,
    VOIDS,
    Round,
    bombs,
    legal,
    manner,
    play,
)

__all__ = [
    "AT_SHARES", "LEARNED", "MANNERS", "SEARCH", "THUMB", "Nets", "choose", "finish", "likelihood",
    "net_of_mover", "nets", "ready", "weigh", "work",
]  # fmt: skip

Floats = NDArray[np.floating[Any]]
Nets = NDArray[np.float32]
"""The nets of several manners of play, folded, one in each row (`rounds.manner`)."""

MANNERS = ("learned", "thumb", "search")
"""Who has a net: one that learned by playing, one that imitates rules of thumb, and one that
imitates somebody who searches. The first plays best; the others foretell what others play."""
LEARNED, THUMB, SEARCH = range(len(MANNERS))

# On scratch paper, beside that of `features`: the shares of the legal cards, in the order of the
# cards, and what changes only with a trick.
AT_SHARES = features.WORK
AT_VALUED = AT_SHARES + 16  # what all captured cards count
AT_HIGHEST = AT_VALUED + 1  # points of the seat that has most, and of the next one
AT_SECOND = AT_HIGHEST + 1
AT_LOWEST = AT_SECOND + 1  # and of those that have least
AT_LAST_BUT_ONE = AT_LOWEST + 1
AT_LIES = AT_LAST_BUT_ONE + 1  # what lies in the trick
WORK = AT_LIES + 1

single = np.float32
ZERO, ONE, THREE = single(0), single(1), single(3)
AN_EIGHTH, A_TENTH, AN_ELEVENTH = single(1 / 8), single(1 / 10), single(1 / 11)
A_TWENTIETH, A_THIRTIETH, A_HUNDREDTH = single(1 / 20), single(1 / 30), single(1 / 100)
ALL, PLAIN = single(ALL_POINTS), single(PLAIN_POINTS)

CARDS, RANKS = 36, tricks.RANKS
SUIT_AROUND = np.array([tricks.SUIT_CARDS[card // RANKS] for card in range(CARDS)])
"""The cards of the suit of each card."""
SUIT_OF = np.array([card // RANKS for card in range(CARDS)])
VALUES = np.array(tricks.POINTS, dtype=np.float32)
"""What cards count, by ranking and card, as `tricks.POINTS`."""
BEATERS = np.array(tricks.BEATERS)
ABOVE = np.array(
    [
        beaters & tricks.SUIT_CARDS[place % CARDS // RANKS]
        for place, beaters in enumerate(tricks.BEATERS)
    ]
)
"""The cards of its own suit that beat a card, by ranking and card."""
KINDS = np.array(
    [
        folding.kind(suit, ranking)
        for ranking in range(tricks.PLAIN, tricks.BOTTOMS + 1)
        for suit in range(4)
    ]
)
"""What kind of suit each one is, by ranking and suit."""
SUIT_POINTS = np.array(
    [
        [sum(counts[rank] for rank in range(RANKS) if cards >> rank & 1) for cards in range(512)]
        for counts in folding.POINTS
    ],
    dtype=np.float32,
).ravel()
"""What sets of cards of one suit count, by its kind."""
SHARES = np.array([1 / max(1, number) for number in range(CARDS + 1)], dtype=np.float32)
"""What one of so many has."""
FEW = np.array([few_or_many((1 << number) - 1) for number in range(CARDS + 1)])
WOULD_TAKE = np.array(
    [
        [*TRUMP_TAKES, 0.0],
        *(
            [*(max(LOW_TAKES, top * rest) for rest in NEXT_TAKES), 0.0]
            for tops in TOP_TAKES
            for top in tops
        ),
    ],
    dtype=np.float32,
).ravel()
"""How often a card will take a trick, in rows by higher cards out: the first for trumps, the others
by trumps out and cards of its suit out."""
STUCK = np.array(
    [
        *(SIDE_STUCK / max(1, out) for out in range(10)),
        *(TRUMP_STUCK / (out + 1) for out in range(10)),
    ],
    dtype=np.float32,
)
"""How often a card will have to take one, by cards of its suit out, for each lower one of them."""
STANDS_SO = np.array(STANDS, dtype=np.float32).ravel()
UNRUFFED = np.array([(1 - RUFFED) ** ruffers for ruffers in range(7)], dtype=np.float32)


@cache
def nets(family: str) -> Nets:
    """The nets of the manners of play for a family of games, in their order, ready to play.

    Without any, as for a family without a name, all play by chance.
    """
    return ready(learned(family))


@cache
def learned(family: str) -> list[Net]:
    """The same as they were learned."""
    folder = files("jasstisch.search").joinpath("weights")
    data = [folder.joinpath(f"{family}-{one}.npy") for one in MANNERS]
    weights = [np.load(BytesIO(one.read_bytes())) for one in data if one.is_file()]
    return [one.astype(np.float32) for one in weights]


def ready(learned: Iterable[Floats]) -> Nets:
    """Nets as playouts take them; each row begins with a line of the processor's cache."""
    folded = [folding.fold(net) for net in learned]
    rows = np.stack(folded) if folded else np.zeros((0, folding.FOLDED), dtype=np.float32)
    room = np.empty(rows.size + 16, dtype=np.float32)
    start = -room.ctypes.data % 64 // room.itemsize
    aligned = room[start : start + rows.size].reshape(rows.shape)
    aligned[...] = rows
    return aligned


def work() -> Work:
    """Scratch paper for the kernels here and in `features`; each thread needs its own."""
    return np.zeros(WORK, dtype=np.float32)


@inlined_kernel
def survey(state: Round, paper: Work) -> tuple[int, int]:
    """Puts on paper what changes only with a trick.

    Returns:
        The set of all captured cards, and a bit for each seat that plays, as in `VOIDS`.
    """
    gone = valued = seats = 0
    highest, second, lowest, last_but_one = -1, -1, 1000, 1000
    seat = state[TURN]
    for _ in range(state[PLAYING]):
        gone |= entry(state, TAKEN + seat)
        captured = entry(state, CAPTURED + seat)
        valued += captured
        has = captured + entry(state, EXTRA + seat)
        second = max(second, min(highest, has))
        highest = max(highest, has)
        last_but_one = min(last_but_one, max(lowest, has))
        lowest = min(lowest, has)
        seats |= 1 << 4 * seat
        seat = entry(state, FOLLOWER + seat)
    paper[AT_VALUED] = valued
    paper[AT_HIGHEST], paper[AT_SECOND] = highest, second
    paper[AT_LOWEST], paper[AT_LAST_BUT_ONE] = lowest, last_but_one
    return gone, seats


@inlined_kernel
def to_come_after(state: Round) -> int:
    """A bit for each seat still to play to the trick after the one whose turn it is."""
    seats, seat = 0, state[TURN]
    for _ in range(state[PLAYING] - 1 - state[LAID]):
        seat = entry(state, FOLLOWER + seat)
        seats |= 1 << 4 * seat
    return seats


@kernel
def weigh(state: Round, cards: int, net: Net, paper: Work) -> float:
    """Puts the weight of each card of a set on paper, in their order; their sum.

    A card is played with the share that its weight has of the sum (softmax of the scores).
    """
    gone, _ = survey(state, paper)
    paper[AT_LIES] = tricks.points(state[LYING], state[VALUED])
    return weigh_within(state, cards, gone, to_come_after(state), net, paper)


@inlined_kernel
def weigh_within(state: Round, cards: int, gone: int, comers: int, net: Net, paper: Work) -> float:
    """The same where the trick has been surveyed.

    Args:
        state: the round.
        cards: those to be weighed, of one hand.
        gone: all captured cards.
        comers: who is still to play to the trick, as `to_come_after` tells.
        net: the net of the seat whose turn it is, folded.
        paper: scratch paper with the survey of the trick and what lies in it.
    """
    seat, trump, led, laid = state[TURN], state[RANKING], state[LED], state[LAID]
    counts, best = state[VALUED], state[BEST]
    hand = entry(state, HANDS + seat)
    to_come = state[PLAYING] - 1 - laid
    unseen = tricks.WHOLE_PACK & ~(gone | hand | state[LYING])
    if state[PLAYING] == 5:
        unseen &= ~(1 << SIX_OF_DIAMONDS)  # they play without it (MV1)
    lies = paper[AT_LIES]
    own = single(entry(state, CAPTURED + seat) + entry(state, EXTRA + seat))
    rest = (ALL if trump >= 0 else PLAIN) - paper[AT_VALUED]
    need = single(entry(state, TARGET + seat)) - own
    trick = rest * entry(SHARES, hand.bit_count())
    promise, burden, masters = look_ahead(hand, unseen, trump, counts, trick, paper)
    lanes = situation(state, hand, unseen, own, rest, need, net, paper)
    lanes = plus(lanes, promise, net, folding.PROMISE)
    lanes = plus(lanes, masters, net, folding.MASTERS)
    lack = max(-THREE, min(THREE, (need - promise) * A_THIRTIETH))
    lanes = plus(lanes, lack, net, folding.LACK)
    lanes = plus(lanes, burden, net, folding.BURDEN)
    partners = len(net) > folding.FOLDED
    if partners:
        lanes = situation_of_partners(state, lies, net, lanes)
    most, place = single(-1e9), AT_SHARES
    for suit in range(4):
        left = cards & 511 << RANKS * suit
        if left == 0:
            continue
        ranking = suit if trump < 0 and led >= 0 and suit != led else trump  # MV2
        ranked = CARDS * (ranking + 1)
        makes_trump = ranking != trump
        counting = ranking if makes_trump else counts
        is_trump = np.int64(suit == ranking)
        there = single(tricks.points(state[LYING], ranking)) if makes_trump else lies
        out, of_hand = unseen & 511 << RANKS * suit, hand & 511 << RANKS * suit
        out_number, others = out.bit_count(), of_hand.bit_count() - 1
        suit_led = suit if laid == 0 else led
        void = state[VOIDS] >> suit_led & comers
        ruffers = void & ~(state[VOIDS] >> ranking) if 0 <= ranking < 4 else 0
        followers = to_come - void.bit_count()
        stands = 10 * min(followers, 3) if suit == suit_led else 0
        unruffed = entry(UNRUFFED, ruffers.bit_count())
        following = unseen >> RANKS * suit_led & 511
        coming = entry(SUIT_POINTS, 512 * entry(KINDS, 4 * (counting + 1) + suit_led) + following)
        coming *= single(to_come) * entry(SHARES, following.bit_count())
        taking = tricks.WHOLE_PACK if laid == 0 else entry(BEATERS, ranked + best)
        of_suit = plus_row(lanes, net, folding.OUT + 10 * is_trump + out_number)
        of_suit = plus_row(of_suit, net, folding.OTHERS + others)
        if laid:
            discards = suit != led and not is_trump
            of_suit = plus_row(of_suit, net, folding.FOLLOWING + (suit == led) + 2 * discards)
        if to_come:
            of_suit = plus(of_suit, single(void.bit_count()), net, folding.VOID)
            of_suit = plus(of_suit, single(ruffers.bit_count()), net, folding.RUFFERS)
            of_suit = plus(of_suit, coming, net, folding.COMING)
        of_suit = plus(of_suit, there, net, folding.POT_GIVEN)
        first_of_suit = folding.CARD_OF + RANKS * (entry(KINDS, 4 * (counting + 1) + suit) - suit)
        lower_out = folding.LOWER_OUT + 10 * is_trump + out_number
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            above = entry(ABOVE, ranked + card)
            higher = (out & above).bit_count()
            value = entry(VALUES, CARDS * (counting + 1) + card)
            would_take, stuck = entry(paper, AT_TAKES + card), entry(paper, AT_STUCK + card)
            brings, pot = trick + value, there + value
            ducked = need - promise + would_take * brings
            taken = max(-THREE, min(THREE, (ducked - pot) * A_TWENTIETH))
            ducked = max(-THREE, min(THREE, ducked * A_TWENTIETH))
            wins = taking >> card & 1
            # Two sums that do not wait for each other.
            one = row(net, first_of_suit + card)
            one = plus(one, single(out_number - higher), net, lower_out)
            one = plus(one, single((of_hand & above).bit_count()), net, folding.HIGHER_LEFT)
            one = plus(one, would_take, net, folding.WOULD_TAKE)
            two = plus(of_suit, burden - stuck * brings, net, folding.HEAVY)
            two = plus(two, taken, net, folding.TAKEN + (taken < 0))
            two = plus(two, ducked, net, folding.DUCKED + (ducked < 0) + 2 * wins)
            # What follows if it wins costs less than to foresee whether it does.
            won = single(wins)
            takes = won * unruffed * entry(STANDS_SO, stands + higher)
            beaters = (unseen & entry(BEATERS, ranked + card)).bit_count()
            sure = to_come == 0 or beaters == 0
            off_ducked = abs(ducked)
            off = off_ducked + takes * (abs(taken) - off_ducked)
            two = plus(two, won, net, folding.WINS + sure + 2 * (to_come == 0))
            two = plus(two, won * off, net, folding.OFF)
            two = plus(two, won * single(beaters), net, folding.BEATERS)
            one = plus(one, won * pot, net, folding.POT_WON)
            one = plus(one, takes, net, folding.TAKES)
            one = plus(one, takes * pot, net, folding.POT_TAKEN)
            one = plus(one, takes * coming, net, folding.COMING_TAKEN)
            if makes_trump:
                lower = single(out_number - higher + is_trump)
                seems_stuck = entry(STUCK, 10 * is_trump + out_number) * lower
                one = plus(one, stuck - seems_stuck, net, folding.STUCK)
                one = making_trump(state, card, unseen, wins, net, one)
            if state[BOMBS]:
                one = bombing(state, card, unseen, wins, net, one)
            if partners:
                one = card_of_partners(state, card, unseen, wins, lies, value, takes, net, one)
            score = rectified(together(one, two), net, folding.OUTPUT)
            put(paper, place, score)
            place += 1
            most = max(most, score)
    for start in range(AT_SHARES, place, EXPONENTIALS):
        exponentials(paper, start, most)
    total = ZERO
    for one_of_them in range(AT_SHARES, place):
        total += entry(paper, one_of_them)
    return float(total)


@inlined_kernel
def look_ahead(
    hand: int, unseen: int, trump: int, counts: int, trick: np.float32, paper: Work
) -> tuple[np.float32, np.float32, np.float32]:
    """What a hand will bring, what it will have to take, and its masters.

    How often each card will take a trick, and have to, is put on paper.
    """
    out_of_trumps = 2 if trump < 0 else entry(FEW, (unseen & tricks.TRUMP_CARDS[trump]).bit_count())
    trumps = tricks.TRUMP_CARDS[trump] if trump >= 0 else 0
    side_kinds = 1 + 3 * out_of_trumps
    promise = burden = ZERO
    masters = 0
    while hand:
        card = (hand & -hand).bit_length() - 1
        hand &= hand - 1
        number = (unseen & entry(SUIT_AROUND, card)).bit_count()
        higher = (unseen & entry(ABOVE, CARDS * (trump + 1) + card)).bit_count()
        is_trump = trumps >> card & 1
        kind = (is_trump - 1) & (side_kinds + entry(FEW, number))
        takes = entry(WOULD_TAKE, 10 * kind + higher)
        stuck = entry(STUCK, 10 * is_trump + number) * single(number - higher + is_trump)
        put(paper, AT_TAKES + card, takes)
        put(paper, AT_STUCK + card, stuck)
        brings = trick + entry(VALUES, CARDS * (counts + 1) + card)
        promise += takes * brings
        burden += stuck * brings
        masters += higher == 0
    return promise, burden, single(masters)


@inlined_kernel
def situation(
    state: Round,
    hand: int,
    unseen: int,
    own: np.float32,
    rest: np.float32,
    need: np.float32,
    net: Net,
    paper: Work,
) -> Lanes:
    """The hidden layer as far as it depends on the situation and not on what the hand will do."""
    trump, led, laid = state[RANKING], state[LED], state[LAID]
    highest = paper[AT_SECOND] if own == paper[AT_HIGHEST] else paper[AT_HIGHEST]
    lowest = paper[AT_LAST_BUT_ONE] if own == paper[AT_LOWEST] else paper[AT_LOWEST]
    leads = laid == 0
    trumps_led = led >= 0 and led == trump
    lanes = row(net, folding.HELD + hand.bit_count())
    lanes = plus_row(lanes, net, folding.TO_COME + 2 * (state[PLAYING] - 1 - laid) + leads)
    lanes = plus_row(lanes, net, folding.TRICK + (state[TOP] >= 0) + 2 * trumps_led)
    standing = (need <= 0) + 2 * (own == 0) + 4 * (own > highest)
    lanes = plus_row(lanes, net, folding.STANDING + standing)
    lanes = plus(lanes, paper[AT_LIES], net, folding.POT)
    lanes = plus(lanes, rest, net, folding.REST)
    lanes = plus(lanes, max(-THREE, min(THREE, need * A_THIRTIETH)), net, folding.NEED)
    lanes = plus(lanes, max(-ONE, min(ONE, need * A_TENTH)), net, folding.NEARLY)
    beyond = max(-ONE, min(ONE, (need - rest) * A_TWENTIETH))
    lanes = plus(lanes, beyond, net, folding.BEYOND_REST)
    lanes = plus(lanes, own, net, folding.OWN_POINTS)
    lanes = plus(lanes, highest, net, folding.MOST_POINTS)
    lanes = plus(lanes, lowest, net, folding.LEAST_POINTS)
    if laid:
        holder = state[HOLDER]
        has = single(entry(state, CAPTURED + holder) + entry(state, EXTRA + holder))
        lanes = plus(lanes, has, net, folding.HOLDER_POINTS)
    if trump < 0:
        return plus_row(lanes, net, folding.TRUMPS + 4)
    trumps, bur = tricks.TRUMP_CARDS[trump], tricks.BURS[trump]
    best_two = ((hand & bur) != 0) + 2 * ((hand & bur >> 2) != 0)
    lanes = plus_row(lanes, net, folding.TRUMPS + best_two)
    lanes = plus(lanes, single((hand & trumps).bit_count()), net, folding.TRUMPS_HELD)
    return plus(lanes, single((unseen & trumps).bit_count()), net, folding.TRUMPS_OUT)


@kernel
def making_trump(state: Round, card: int, unseen: int, wins: int, net: Net, lanes: Lanes) -> Lanes:
    """Adds to the hidden layer what follows because the suit of a card becomes trump (MV2)."""
    seat, suit = state[TURN], entry(SUIT_OF, card)
    both = tricks.BURS[suit] | tricks.BURS[suit] >> 2
    mine = entry(state, TAKEN + seat) & both
    hand = entry(state, HANDS + seat) ^ 1 << card
    rise = single(tricks.points(mine, suit))
    of_others = single(tricks.points(both & ~(mine | hand | unseen), suit))
    lanes = plus_row(lanes, net, folding.MAKES_TRUMP)
    lanes = plus(lanes, rise, net, folding.RISE_OWN)
    lanes = plus(lanes, rise * single(wins), net, folding.RISE_WON)
    return plus(lanes, of_others, net, folding.RISE_OTHERS)


@kernel
def bombing(state: Round, card: int, unseen: int, wins: int, net: Net, lanes: Lanes) -> Lanes:
    """Adds to the hidden layer what follows from the molotovs of the trick (MV4)."""
    lying, laid = state[LYING] | 1 << card, state[LAID]
    bomb = single(bombs(lying, state[BOMBS] == melds.BOMBS_AS_WEIS))
    lanes = plus(lanes, bomb, net, folding.BOMB_WON if wins else folding.BOMB_GIVEN)
    of_suit = card if laid == 0 else state[BEST]
    to_come = threats(lying, unseen, of_suit, state[PLAYING] - 1 - laid)
    return plus(lanes, single(to_come), net, folding.BOMBS_TO_COME)


@kernel
def situation_of_partners(state: Round, lies: np.float32, net: Net, lanes: Lanes) -> Lanes:
    """Adds to the hidden layer what matters of a situation because partners play together."""
    seat, laid, announcer = state[TURN], state[LAID], state[ANNOUNCER]
    partner = (seat + 2) % 4
    holder = state[HOLDER] if laid else -1
    ours = state[CAPTURED + seat] + state[CAPTURED + partner]
    theirs = state[CAPTURED + (seat + 1) % 4] + state[CAPTURED + (seat + 3) % 4]
    first = state[HANDS + seat].bit_count() == 9
    pushed = state[PUSHED] == 1
    changes_next = (state[COURSE] & 7) != state[RANKING]
    at = folding.PARTNER_PLACES_FROM
    lanes = plus(lanes, single(holder == partner), net, at + slots.PARTNER_HOLDS)
    opponent = holder >= 0 and holder != partner
    lanes = plus(lanes, single(opponent), net, at + slots.OPPONENT_HOLDS)
    lanes = plus(lanes, single(laid < 2), net, at + slots.PARTNER_TO_COME)
    lanes = plus(lanes, single(laid == 3), net, at + slots.LAST_OF_FOUR)
    lanes = plus(lanes, single(state[RANKING] == tricks.TOPS), net, at + slots.IN_TOPS)
    lanes = plus(lanes, single(state[RANKING] == tricks.BOTTOMS), net, at + slots.IN_BOTTOMS)
    lanes = plus(lanes, single(state[COURSE] != 0), net, at + slots.COURSE_CHANGES)
    lanes = plus(lanes, single(changes_next), net, at + slots.CHANGES_NEXT)
    lanes = plus(lanes, single(ours) * A_HUNDREDTH, net, at + slots.OUR_POINTS)
    lanes = plus(lanes, single(theirs) * A_HUNDREDTH, net, at + slots.THEIR_POINTS)
    lanes = plus(lanes, single(not first and theirs == 0), net, at + slots.MATCH_OPEN)
    lanes = plus(lanes, single(not first and ours == 0), net, at + slots.MATCH_AGAINST)
    lanes = plus(lanes, single(announcer == seat), net, at + slots.ANNOUNCED_SELF)
    lanes = plus(lanes, single(announcer == partner), net, at + slots.ANNOUNCED_BY_PARTNER)
    lanes = plus(lanes, single(pushed and announcer == seat), net, at + slots.PUSHED_TO_SELF)
    lanes = plus(lanes, single(pushed and announcer == partner), net, at + slots.PUSHED_BY_SELF)
    lanes = plus(lanes, single(first), net, at + slots.FIRST_TRICK)
    pot = lies * A_TWENTIETH * single(holder == partner)
    return plus(lanes, pot, net, at + slots.PARTNER_POT)


@kernel
def card_of_partners(
    state: Round,
    card: int,
    unseen: int,
    wins: int,
    lies: np.float32,
    value: np.float32,
    takes: np.float32,
    net: Net,
    lanes: Lanes,
) -> Lanes:
    """Adds to the hidden layer what matters of a card because partners play together."""
    seat, laid, ranking, best = state[TURN], state[LAID], state[RANKING], state[BEST]
    partner = (seat + 2) % 4
    suit = entry(SUIT_OF, card)
    partners = laid > 0 and state[HOLDER] == partner
    theirs = laid > 0 and state[HOLDER] != partner
    stands = ZERO  # how sure it is that nobody still to come takes the trick from the partner
    if partners:
        over = (unseen & entry(BEATERS, CARDS * (ranking + 1) + best)).bit_count()
        stands = ONE if laid == 3 or over == 0 else entry(SHARES, 1 + over)
    shown = state[VOIDS] >> 4 * partner & 15
    held = entry(state, HANDS + seat) & 511 << RANKS * suit
    following = state[COURSE] & 7 if state[COURSE] else ranking
    next_over = (unseen & entry(ABOVE, CARDS * (following + 1) + card)).bit_count()
    trump_led = laid == 0 and suit == ranking
    at = folding.PARTNER_FEATURES_FROM
    part_of_pack = value * AN_ELEVENTH
    if not wins:
        lanes = plus(lanes, single(partners) * part_of_pack, net, at + slots.SMEARED)
        lanes = plus(lanes, stands * part_of_pack, net, at + slots.SMEARED_FOR_SURE)
        lanes = plus(lanes, single(theirs) * part_of_pack, net, at + slots.GIVEN_AWAY)
    else:
        lanes = plus(lanes, single(partners), net, at + slots.OVERTAKES)
        lanes = plus(lanes, stands, net, at + slots.OVERTAKES_NEEDLESSLY)
        away = single(theirs) * takes * lies * A_TWENTIETH
        lanes = plus(lanes, away, net, at + slots.TAKEN_AWAY)
    lanes = plus(lanes, single(partners and suit == ranking), net, at + slots.TRUMP_ON_PARTNER)
    void = laid == 0 and shown >> suit & 1 != 0
    lanes = plus(lanes, single(void), net, at + slots.PARTNER_VOID)
    to_announcer = trump_led and state[ANNOUNCER] == partner
    lanes = plus(lanes, single(to_announcer), net, at + slots.TRUMP_TO_ANNOUNCER)
    by_announcer = trump_led and state[ANNOUNCER] == seat
    lanes = plus(lanes, single(by_announcer), net, at + slots.TRUMP_BY_ANNOUNCER)
    lanes = plus(lanes, single(next_over == 0), net, at + slots.MASTER_NEXT)
    lanes = plus(lanes, single(next_over) * AN_EIGHTH, net, at + slots.BEATERS_NEXT)
    lanes = plus(lanes, single(held.bit_count() == 1), net, at + slots.LAST_OF_SUIT)
    announced = state[ANNOUNCER] >= 0 and (state[ANNOUNCER] - seat) % 2 == 0
    return plus(lanes, single(announced), net, at + slots.WE_ANNOUNCED)


@kernel
def net_of_mover(state: Round) -> int:
    """Which of the nets the seat whose turn it is plays by."""
    return manner(state, state[TURN])


@inlined_kernel
def draw(cards: int, drawn: float, paper: Work) -> int:
    """The card of a set on whose share, of those on paper, a part of their sum falls."""
    place, last = 0, cards.bit_count() - 1
    drawn -= paper[AT_SHARES]
    while drawn >= 0 and place < last:
        place += 1
        drawn -= entry(paper, AT_SHARES + place)
    return nth(cards, place)


@kernel
def choose(state: Round, nets: Nets, paper: Work, chance: Stream) -> int:
    """A card for the seat whose turn it is, by the shares that its net gives."""
    cards = legal(state)
    if cards & cards - 1 == 0:
        return cards.bit_length() - 1
    total = weigh(state, cards, nets[net_of_mover(state)], paper)
    return draw(cards, part(chance) * total, paper)


@kernel
def likelihood(state: Round, card: int, nets: Nets, paper: Work) -> float:
    """The share with which the seat whose turn it is would play this legal card."""
    cards = legal(state)
    if cards & cards - 1 == 0:
        return 1.0
    total = weigh(state, cards, nets[net_of_mover(state)], paper)
    place = (cards & (1 << card) - 1).bit_count()
    return entry(paper, AT_SHARES + place) / total


@kernel
def finish(state: Round, nets: Nets, paper: Work, chance: Stream) -> None:
    """Plays a round to its end, each seat by its net."""
    if state[TURN] < 0:
        return
    gone, seats = survey(state, paper)
    comers = to_come_after(state) | 1 << 4 * state[TURN]
    paper[AT_LIES] = tricks.points(state[LYING], state[VALUED])
    while state[TURN] >= 0:
        comers ^= 1 << 4 * state[TURN]
        cards = legal(state)
        card = cards.bit_length() - 1
        if cards & cards - 1:
            net = nets[net_of_mover(state)]
            total = weigh_within(state, cards, gone, comers, net, paper)
            card = draw(cards, part(chance) * total, paper)
        valued = state[VALUED]
        play(state, card)
        paper[AT_LIES] += entry(VALUES, CARDS * (valued + 1) + card)
        if state[LAID] == 0:
            comers = seats
            paper[AT_LIES] = ZERO
        if (state[LAID] == 0 and state[TURN] >= 0) or state[VALUED] != valued:
            gone, _ = survey(state, paper)
            paper[AT_LIES] = tricks.points(state[LYING], state[VALUED])
