"""What a net looks at in a decision, worked out plainly: what nets learn by.

For each card that may be played it is what a player at the table would look at: who takes the trick
as it lies, what it is worth, which cards above and below are still out, what the rest of the hand
will bring, how far the own points are from what is wanted. A net with one hidden layer turns that
into a score for each card. Only the mover's hand and what is public is looked at.

A net is one flat float32 array. The part of the hidden layer that depends on the situation alone is
worked out once for each decision, the part of the card for each card. `policy` finds the same
scores in two fifths of the time; tests hold the two against each other.
"""

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
from jasstisch.search import slots
from jasstisch.search.compiled import kernel, shared
from jasstisch.search.lanes import LANES, rectified_dot, sum_of_rows
from jasstisch.search.rounds import (
    ANNOUNCER,
    BEST,
    BOMBS,
    CAPTURED,
    COURSE,
    FOLLOWER,
    HANDS,
    HOLDER,
    LAID,
    LED,
    LYING,
    PLAYING,
    PUSHED,
    RANKING,
    SIDES,
    TAKEN,
    TARGET,
    TOP,
    TURN,
    VALUED,
    VOIDS,
    Round,
    bombs,
    points,
)
from jasstisch.search.slots import CARD_FEATURES, PARTNER_FEATURES, PARTNER_PLACES, PLACES

__all__ = [
    "ALL_POINTS", "CARD_FEATURES", "CARD_WEIGHTS", "HIDDEN", "NET", "OUT_WEIGHTS", "PARTNER_NET",
    "PLACES", "PLAIN_POINTS", "RUFFED", "STANDS", "WORK", "Net", "Work", "describe", "score",
    "situation", "threats", "weigh",
]  # fmt: skip

Net = NDArray[np.float32]
"""A net as it is learned."""
Work = NDArray[np.float32]
"""Scratch paper for the kernels here and in `policy`; each thread needs its own."""

HIDDEN = LANES

CARD_WEIGHTS = PLACES * HIDDEN
OUT_WEIGHTS = CARD_WEIGHTS + CARD_FEATURES * HIDDEN
NET = OUT_WEIGHTS + HIDDEN
"""Numbers in a net: the weights of the situation, of the card, and of the hidden layer."""

PARTNER_CARD_WEIGHTS = NET + PARTNER_PLACES * HIDDEN
PARTNER_NET = PARTNER_CARD_WEIGHTS + PARTNER_FEATURES * HIDDEN
"""Numbers in a net for partners: those of any net, then the weights of what is said of partners."""

# A decision's scratch paper: features, hidden layer of the situation, the scores of the cards.
AT_PLACES = 0
AT_CARD = AT_PLACES + PLACES
AT_BASE = AT_CARD + CARD_FEATURES
AT_HIDDEN = AT_BASE + HIDDEN
AT_SCORES = AT_HIDDEN + HIDDEN
AT_TAKES = AT_SCORES + 36
AT_STUCK = AT_TAKES + 36
AT_POT = AT_STUCK + 36
AT_PROMISE = AT_POT + 1
AT_TRICK = AT_PROMISE + 1
AT_NEED = AT_TRICK + 1
AT_BURDEN = AT_NEED + 1
AT_PARTNER_PLACES = AT_BURDEN + 1
AT_PARTNER_CARD = AT_PARTNER_PLACES + PARTNER_PLACES
WORK = AT_PARTNER_CARD + PARTNER_FEATURES
"""Numbers that this module needs on the scratch paper of a decision; see `policy.work`."""

ALL_POINTS, PLAIN_POINTS = tricks.ALL_POINTS, 125
STANDS = (
    (1.0,) * 10,
    (1.0, 0.77, 0.66, 0.58, 0.53, 0.48, 0.44, 0.4, 0.37, 0.34),
    (1.0, 0.53, 0.37, 0.27, 0.21, 0.17, 0.13, 0.11, 0.09, 0.07),
    (1.0, 0.3, 0.15, 0.09, 0.05, 0.03, 0.02, 0.01, 0.01, 0.01),
)
"""How often a card that leads in a trick is thought to take it, in rows by the seats to come, by
the higher ones of its suit that are out."""
MOST_TO_COME = 3
"""With more the last row stands."""
RUFFED = 0.6
"""How often somebody who is known to be void and may have trumps ruffs."""

shared(few_or_many)


@kernel
def above(card: int, trump: int) -> int:
    """The cards of its own suit that beat a card (C2)."""
    suit = card // tricks.RANKS
    if suit == trump:
        return tricks.HIGHER_TRUMPS[card]
    if trump == tricks.BOTTOMS:
        return tricks.SUIT_CARDS[suit] & ((1 << card) - 1)
    return tricks.SUIT_CARDS[suit] & ~((2 << card) - 1)


@kernel
def situation(state: Round, weights: Net, paper: Work) -> int:
    """Puts the features of the mover's situation and what follows from them on paper.

    Returns:
        The set of the unseen cards.
    """
    seat, trump, led, laid = state[TURN], state[RANKING], state[LED], state[LAID]
    counts = state[VALUED]
    hand = state[HANDS + seat]
    seen = hand | state[LYING]
    lowest_points, highest_points = 1000, -1
    other = seat
    valued = 0
    for _ in range(state[PLAYING]):
        seen |= state[TAKEN + other]
        valued += state[CAPTURED + other]
        if other != seat:
            theirs = points(state, other)
            lowest_points = min(lowest_points, theirs)
            highest_points = max(highest_points, theirs)
        other = state[FOLLOWER + other]
    unseen = tricks.WHOLE_PACK & ~seen
    if state[PLAYING] == 5:
        unseen &= ~(1 << SIX_OF_DIAMONDS)  # they play without it (MV1)
    own = points(state, seat)
    rest = (ALL_POINTS if trump >= 0 else PLAIN_POINTS) - valued
    pot = tricks.points(state[LYING], counts)
    paper[AT_POT] = pot
    held = hand.bit_count()
    trick = rest / held
    promise = burden = 0.0
    bosses = 0
    trumps_out = 2 if trump < 0 else few_or_many(unseen & tricks.TRUMP_CARDS[trump])
    cards = hand
    while cards:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        suit = card // tricks.RANKS
        out = unseen & tricks.SUIT_CARDS[suit]
        others = out.bit_count()
        higher = (out & above(card, trump)).bit_count()
        if suit == trump:
            takes = TRUMP_TAKES[higher]
            stuck = TRUMP_STUCK * (others - higher + 1) / (others + 1)
        else:
            top = TOP_TAKES[trumps_out][few_or_many(out)]
            takes = max(LOW_TAKES, top * NEXT_TAKES[higher])
            stuck = SIDE_STUCK * (others - higher) / max(1, others)
        if higher == 0:
            bosses += 1
        paper[AT_TAKES + card] = takes
        paper[AT_STUCK + card] = stuck
        brings = trick + tricks.card_points(card, counts)
        promise += takes * brings
        burden += stuck * brings
    paper[AT_PROMISE] = promise
    paper[AT_TRICK] = trick
    paper[AT_BURDEN] = burden
    need = state[TARGET + seat] - own
    paper[AT_NEED] = need
    to_come = state[PLAYING] - 1 - laid
    paper[AT_PLACES + slots.ONE] = 1.0
    paper[AT_PLACES + slots.HELD] = held / 9
    paper[AT_PLACES + slots.LEADS] = laid == 0
    paper[AT_PLACES + slots.TO_COME] = to_come / 3
    paper[AT_PLACES + slots.LAST] = to_come == 0
    paper[AT_PLACES + slots.POT] = pot / 20
    paper[AT_PLACES + slots.TRUMPS_LED] = led >= 0 and led == trump
    paper[AT_PLACES + slots.RUFFED] = state[TOP] >= 0
    paper[AT_PLACES + slots.TRUMPS_HELD] = 0.0
    paper[AT_PLACES + slots.TRUMPS_OUT] = 0.0
    paper[AT_PLACES + slots.BUR_HELD] = 0.0
    paper[AT_PLACES + slots.NELL_HELD] = 0.0
    paper[AT_PLACES + slots.NO_TRUMP] = trump < 0
    if trump >= 0:
        trumps = tricks.TRUMP_CARDS[trump]
        paper[AT_PLACES + slots.TRUMPS_HELD] = (hand & trumps).bit_count() / 5
        paper[AT_PLACES + slots.TRUMPS_OUT] = (unseen & trumps).bit_count() / 5
        paper[AT_PLACES + slots.BUR_HELD] = (hand & tricks.BURS[trump]) != 0
        paper[AT_PLACES + slots.NELL_HELD] = (hand & tricks.BURS[trump] >> 2) != 0
    paper[AT_PLACES + slots.REST] = rest / 100
    paper[AT_PLACES + slots.PROMISE] = promise / 50
    paper[AT_PLACES + slots.MASTERS] = bosses / 4
    paper[AT_PLACES + slots.NEED] = max(-3.0, min(3.0, need / 30))
    paper[AT_PLACES + slots.ENOUGH] = need <= 0
    paper[AT_PLACES + slots.LACK] = max(-3.0, min(3.0, (need - promise) / 30))
    paper[AT_PLACES + slots.NEARLY] = max(-1.0, min(1.0, need / 10))
    paper[AT_PLACES + slots.OWN_POINTS] = own / 50
    paper[AT_PLACES + slots.MOST_POINTS] = highest_points / 50
    paper[AT_PLACES + slots.LEAST_POINTS] = lowest_points / 50
    paper[AT_PLACES + slots.HOLDER_POINTS] = 0.0 if laid == 0 else points(state, state[HOLDER]) / 50
    paper[AT_PLACES + slots.POINTLESS] = own == 0
    paper[AT_PLACES + slots.AHEAD] = own > highest_points
    paper[AT_PLACES + slots.BEYOND_REST] = max(-1.0, min(1.0, (need - rest) / 20))
    paper[AT_PLACES + slots.BURDEN] = burden / 50
    for hidden in range(HIDDEN):
        paper[AT_BASE + hidden] = 0.0
    sum_of_rows(weights, 0, PLACES, paper, AT_PLACES, AT_BASE, AT_BASE)
    if len(weights) > NET:
        situation_of_partners(state, paper)
        sum_of_rows(weights, NET, PARTNER_PLACES, paper, AT_PARTNER_PLACES, AT_BASE, AT_BASE)
    return unseen


@kernel
def situation_of_partners(state: Round, paper: Work) -> None:
    """Puts on paper what matters of a situation because partners play together."""
    seat, laid, announcer = state[TURN], state[LAID], state[ANNOUNCER]
    partner = (seat + 2) % 4
    holder = state[HOLDER] if laid else -1
    ours = state[CAPTURED + seat] + state[CAPTURED + partner]
    theirs = state[CAPTURED + (seat + 1) % 4] + state[CAPTURED + (seat + 3) % 4]
    tricks_before = 9 - state[HANDS + seat].bit_count()
    paper[AT_PARTNER_PLACES + slots.PARTNER_HOLDS] = holder == partner
    paper[AT_PARTNER_PLACES + slots.OPPONENT_HOLDS] = holder >= 0 and holder != partner
    paper[AT_PARTNER_PLACES + slots.PARTNER_TO_COME] = laid < 2  # the partner is still to play
    paper[AT_PARTNER_PLACES + slots.LAST_OF_FOUR] = laid == 3
    paper[AT_PARTNER_PLACES + slots.IN_TOPS] = state[RANKING] == tricks.TOPS
    paper[AT_PARTNER_PLACES + slots.IN_BOTTOMS] = state[RANKING] == tricks.BOTTOMS
    paper[AT_PARTNER_PLACES + slots.COURSE_CHANGES] = state[COURSE] != 0
    paper[AT_PARTNER_PLACES + slots.CHANGES_NEXT] = (state[COURSE] & 7) != state[RANKING]
    paper[AT_PARTNER_PLACES + slots.OUR_POINTS] = ours / 100
    paper[AT_PARTNER_PLACES + slots.THEIR_POINTS] = theirs / 100
    paper[AT_PARTNER_PLACES + slots.MATCH_OPEN] = tricks_before > 0 and theirs == 0
    paper[AT_PARTNER_PLACES + slots.MATCH_AGAINST] = tricks_before > 0 and ours == 0
    paper[AT_PARTNER_PLACES + slots.ANNOUNCED_SELF] = announcer == seat
    paper[AT_PARTNER_PLACES + slots.ANNOUNCED_BY_PARTNER] = announcer == partner
    paper[AT_PARTNER_PLACES + slots.PUSHED_TO_SELF] = announcer == seat and state[PUSHED] == 1
    paper[AT_PARTNER_PLACES + slots.PUSHED_BY_SELF] = announcer == partner and state[PUSHED] == 1
    paper[AT_PARTNER_PLACES + slots.FIRST_TRICK] = tricks_before == 0
    paper[AT_PARTNER_PLACES + slots.PARTNER_POT] = paper[AT_POT] / 20 * (holder == partner)


@kernel
def describe(state: Round, card: int, unseen: int, paper: Work) -> None:
    """Puts the features of playing a card on paper."""
    seat, led, laid = state[TURN], state[LED], state[LAID]
    trump = tricks.trump_after(card, led, state[RANKING])
    suit = card // tricks.RANKS
    hand = state[HANDS + seat] ^ 1 << card
    lying = state[LYING] | 1 << card
    of_suit = tricks.SUIT_CARDS[suit]
    to_come = state[PLAYING] - 1 - laid
    wins = laid == 0 or tricks.beats(card, state[BEST], trump)
    higher = above(card, trump)
    beaters = (unseen & higher).bit_count()
    if suit != trump and trump >= 0:
        beaters += (unseen & tricks.TRUMP_CARDS[trump]).bit_count()
    sure = wins and (to_come == 0 or beaters == 0)
    counts = state[VALUED] if trump == state[RANKING] else trump
    value = tricks.card_points(card, counts)
    pot = paper[AT_POT] + value
    if trump != state[RANKING]:
        pot = tricks.points(lying, trump)
    paper[AT_CARD + slots.WINS] = wins
    paper[AT_CARD + slots.WINS_FOR_SURE] = sure
    paper[AT_CARD + slots.BEATERS] = beaters / 6 if wins else 0.0
    paper[AT_CARD + slots.VALUE] = value / 11
    paper[AT_CARD + slots.POT_WON] = pot / 20 if wins else 0.0
    paper[AT_CARD + slots.POT_GIVEN] = 0.0 if wins else pot / 20
    paper[AT_CARD + slots.IS_TRUMP] = suit == trump
    paper[AT_CARD + slots.FOLLOWS] = suit == led
    paper[AT_CARD + slots.DISCARDS] = led >= 0 and suit != led and suit != trump
    paper[AT_CARD + slots.SUIT_LEFT] = (hand & of_suit).bit_count() / 5
    paper[AT_CARD + slots.SUIT_OUT] = (unseen & of_suit).bit_count() / 5
    paper[AT_CARD + slots.LOWER_OUT] = (unseen & of_suit & ~higher).bit_count() / 5
    paper[AT_CARD + slots.LOWER_LEFT] = (hand & of_suit & ~higher).bit_count() / 4
    paper[AT_CARD + slots.HIGHER_LEFT] = (hand & higher).bit_count() / 4
    paper[AT_CARD + slots.RANK] = card % tricks.RANKS / 8
    paper[AT_CARD + slots.MAKES_TRUMP] = 0.0
    paper[AT_CARD + slots.RISE_OWN] = 0.0
    paper[AT_CARD + slots.RISE_OTHERS] = 0.0
    if state[RANKING] < 0 and trump >= 0:
        paper[AT_CARD + slots.MAKES_TRUMP] = 1.0
        both = tricks.BURS[suit] | tricks.BURS[suit] >> 2
        mine = state[TAKEN + seat] & both
        paper[AT_CARD + slots.RISE_OWN] = tricks.points(mine, trump) / 20
        out = both & ~(mine | hand | unseen)
        paper[AT_CARD + slots.RISE_OTHERS] = tricks.points(out, trump) / 20
    paper[AT_CARD + slots.BOMB_WON] = 0.0
    paper[AT_CARD + slots.BOMB_GIVEN] = 0.0
    paper[AT_CARD + slots.BOMBS_TO_COME] = 0.0
    if state[BOMBS]:
        bomb = bombs(lying, state[BOMBS] == melds.BOMBS_AS_WEIS) / 20
        paper[AT_CARD + slots.BOMB_WON] = bomb if wins else 0.0
        paper[AT_CARD + slots.BOMB_GIVEN] = 0.0 if wins else bomb
        paper[AT_CARD + slots.BOMBS_TO_COME] = (
            threats(lying, unseen, card if laid == 0 else state[BEST], to_come) / 2
        )
    paper[AT_CARD + slots.IS_BUR] = suit == trump and card % tricks.RANKS == 5
    paper[AT_CARD + slots.IS_NELL] = suit == trump and card % tricks.RANKS == 3
    paper[AT_CARD + slots.WOULD_TAKE] = paper[AT_TAKES + card]
    paper[AT_CARD + slots.TAKES_LAST] = wins and to_come == 0
    paper[AT_CARD + slots.SUIT_ALONE] = (unseen & of_suit) == 0
    paper[AT_CARD + slots.RISE_WON] = paper[AT_CARD + slots.RISE_OWN] if wins else 0.0
    void = ruffers = 0
    suit_led = suit if laid == 0 else led
    other = state[FOLLOWER + seat]
    for _ in range(to_come):
        shown = state[VOIDS] >> 4 * other
        if shown >> suit_led & 1:
            void += 1
            if 0 <= trump < 4 and not shown >> trump & 1:
                ruffers += 1
        other = state[FOLLOWER + other]
    paper[AT_CARD + slots.VOID_TO_COME] = void / 3
    paper[AT_CARD + slots.RUFFERS] = ruffers / 3
    takes = 0.0
    if wins:
        follow = to_come - void
        takes = (
            STANDS[min(follow, MOST_TO_COME)][(unseen & higher).bit_count()]
            if suit == suit_led
            else 1.0
        )
        for _ in range(ruffers):
            takes *= 1 - RUFFED
    kept = paper[AT_PROMISE] - paper[AT_TAKES + card] * (paper[AT_TRICK] + value)
    taken = paper[AT_NEED] - pot - kept
    ducked = paper[AT_NEED] - kept
    paper[AT_CARD + slots.TAKES] = takes
    paper[AT_CARD + slots.NEED_TAKING] = max(-3.0, min(3.0, taken / 20))
    paper[AT_CARD + slots.OFF_TAKING] = abs(paper[AT_CARD + slots.NEED_TAKING])
    paper[AT_CARD + slots.NEED_DUCKING] = max(-3.0, min(3.0, ducked / 20))
    paper[AT_CARD + slots.OFF_DUCKING] = abs(paper[AT_CARD + slots.NEED_DUCKING])
    paper[AT_CARD + slots.OFF] = (
        takes * paper[AT_CARD + slots.OFF_TAKING] + (1 - takes) * paper[AT_CARD + slots.OFF_DUCKING]
    )
    paper[AT_CARD + slots.POT_TAKEN] = takes * pot / 20
    following = unseen & tricks.SUIT_CARDS[suit_led]
    out = unseen & of_suit
    coming = to_come * tricks.points(following, counts) / max(1, following.bit_count())
    heavy = paper[AT_BURDEN] - paper[AT_STUCK + card] * (paper[AT_TRICK] + value)
    paper[AT_CARD + slots.STUCK] = paper[AT_STUCK + card]
    paper[AT_CARD + slots.BURDEN_LEFT] = heavy / 50
    paper[AT_CARD + slots.COMING] = coming / 20
    paper[AT_CARD + slots.TRICK_TAKEN] = takes * (pot + coming) / 20
    paper[AT_CARD + slots.ALL_TAKEN] = (takes * (pot + coming) + heavy) / 50
    paper[AT_CARD + slots.LOWER_SHARE] = (out & ~higher).bit_count() / max(1, out.bit_count())
    if state[SIDES]:
        describe_for_partners(state, card, unseen, wins, value, takes, paper)


@kernel
def describe_for_partners(
    state: Round, card: int, unseen: int, wins: bool, value: int, takes: float, paper: Work
) -> None:
    """Puts on paper what matters of a card because partners play together."""
    seat, laid, ranking = state[TURN], state[LAID], state[RANKING]
    partner = (seat + 2) % 4
    holder = state[HOLDER] if laid else -1
    suit = card // tricks.RANKS
    partners = laid > 0 and holder == partner
    theirs = laid > 0 and holder != partner
    best = state[BEST]
    stands = 0.0  # how sure it is that nobody still to come takes the trick from the partner
    if partners:
        over = (unseen & above(best, ranking)).bit_count()
        if best // tricks.RANKS != ranking:
            over += (unseen & tricks.TRUMP_CARDS[ranking]).bit_count()
        stands = 1.0 if laid == 3 or over == 0 else 1.0 / (1 + over)
    shown = state[VOIDS] >> 4 * partner & 15
    held = state[HANDS + seat] & tricks.SUIT_CARDS[suit]
    following = state[COURSE] & 7 if state[COURSE] else ranking
    paper[AT_PARTNER_CARD + slots.SMEARED] = value / 11 if partners and not wins else 0.0
    paper[AT_PARTNER_CARD + slots.SMEARED_FOR_SURE] = stands * value / 11 if not wins else 0.0
    paper[AT_PARTNER_CARD + slots.OVERTAKES] = partners and wins
    paper[AT_PARTNER_CARD + slots.OVERTAKES_NEEDLESSLY] = stands if wins else 0.0
    paper[AT_PARTNER_CARD + slots.GIVEN_AWAY] = value / 11 if theirs and not wins else 0.0
    paper[AT_PARTNER_CARD + slots.TAKEN_AWAY] = (
        takes * paper[AT_POT] / 20 if theirs and wins else 0.0
    )
    paper[AT_PARTNER_CARD + slots.TRUMP_ON_PARTNER] = partners and suit == ranking
    paper[AT_PARTNER_CARD + slots.PARTNER_VOID] = laid == 0 and shown >> suit & 1
    paper[AT_PARTNER_CARD + slots.TRUMP_TO_ANNOUNCER] = (
        laid == 0 and suit == ranking and state[ANNOUNCER] == partner
    )
    paper[AT_PARTNER_CARD + slots.TRUMP_BY_ANNOUNCER] = (
        laid == 0 and suit == ranking and state[ANNOUNCER] == seat
    )
    paper[AT_PARTNER_CARD + slots.MASTER_NEXT] = (unseen & above(card, following)) == 0
    paper[AT_PARTNER_CARD + slots.BEATERS_NEXT] = (unseen & above(card, following)).bit_count() / 8
    paper[AT_PARTNER_CARD + slots.LAST_OF_SUIT] = held.bit_count() == 1
    paper[AT_PARTNER_CARD + slots.WE_ANNOUNCED] = (
        state[ANNOUNCER] >= 0 and (state[ANNOUNCER] - seat) % 2 == 0
    )


@kernel
def threats(lying: int, unseen: int, card: int, to_come: int) -> float:
    """How many runs of three around the suit led still can be made by those to come."""
    suit = card // tricks.RANKS
    start = suit * tricks.RANKS
    count = 0.0
    for low in range(start, start + tricks.RANKS - 2):
        run = 0b111 << low
        missing = run & ~lying
        if run & lying and missing and not missing & ~unseen:
            number = missing.bit_count()
            if number <= to_come:
                count += 1.0 if number == 1 else 0.3
    return count


@kernel
def score(weights: Net, paper: Work) -> float:
    """The score of the card described on paper, in the situation there."""
    sum_of_rows(weights, CARD_WEIGHTS, CARD_FEATURES, paper, AT_CARD, AT_BASE, AT_HIDDEN)
    if len(weights) > NET:
        sum_of_rows(
            weights,
            PARTNER_CARD_WEIGHTS,
            PARTNER_FEATURES,
            paper,
            AT_PARTNER_CARD,
            AT_HIDDEN,
            AT_HIDDEN,
        )
    return float(rectified_dot(weights, OUT_WEIGHTS, paper, AT_HIDDEN))


@kernel
def weigh(state: Round, cards: int, weights: Net, paper: Work) -> float:
    """Puts the weight of each card of a set on paper, at its place; their sum.

    A card is played with the share that its weight has of the sum (softmax of the scores).
    """
    unseen = situation(state, weights, paper)
    most = -1e9
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        describe(state, card, unseen, paper)
        paper[AT_SCORES + card] = score(weights, paper)
        most = max(most, paper[AT_SCORES + card])
    total = 0.0
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        paper[AT_SCORES + card] = np.exp(paper[AT_SCORES + card] - np.float32(most))
        total += paper[AT_SCORES + card]
    return total
