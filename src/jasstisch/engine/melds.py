"""Melds: runs within one trick, the molotovs (MV4, MV5), and Weis in a hand (JS7).

Pure functions on sets of cards, as in `tricks`. Runs follow the plain order in every suit, trumps
included.
"""

from jasstisch.engine.tricks import BOTTOMS

_RANKS = 9
#: Bits of a card set that have a higher neighbour in their own suit: all ranks but the ace.
_BELOW_ACE = sum(0b011111111 << _RANKS * suit for suit in range(4))
FOURS = tuple(sum(1 << _RANKS * suit + rank for suit in range(4)) for rank in range(_RANKS))
"""The four cards of each rank, low to high."""

#              6  7  8  9    T    J    Q    K    A
_FOUR_POINTS = (0, 0, 0, 150, 100, 200, 100, 100, 100)
_RUN_POINTS = (0, 0, 0, 20, 50, 100, 100, 100, 100, 100)

STRENGTH_PER_POINT = 2000
"""What `weis_strength` adds for each point of a meld; everything else together adds less."""

NO_BOMBS, BOMBS_FIFTY, BOMBS_AS_WEIS = range(3)
"""The rules for molotovs: none; 20 and 50 points; or also 100 and 150 for five and six cards
(MV4, MV5)."""


def first_run(cards: int) -> int:
    """The lowest unbroken run of three or more cards of one suit, 0 if there is none.

    A run is taken at its full length. Taking it out of `cards` leaves the other runs whole, so that
    repeating finds each maximal run once.
    """
    followed = cards & _BELOW_ACE & cards >> 1  # cards whose upper neighbour is there too
    twice = followed & _BELOW_ACE & followed >> 1
    if not twice:
        return 0
    run = twice & -twice
    top = run
    while top & followed:
        top <<= 1
        run |= top
    return run


def molotov_points(run: int, weis: bool) -> int:
    """The points that a molotov adds for the winner of the trick (MV4, MV5).

    Args:
        run: a run as `first_run` returns it.
        weis: whether five and six cards count 100 and 150 instead of 50.
    """
    length = 0
    while run:
        run &= run - 1
        length += 1
    if length == 3:
        return 20
    if length == 4 or not weis:
        return 50
    return 100 if length == 5 else 150


def weis_points(meld: int) -> int:
    """The points of a run of three or more, or of a four, as Weis (JS7); four 6, 7 or 8 count 0."""
    rank = rank_of_four(meld)
    if rank >= 0:
        return _FOUR_POINTS[rank]
    length = 0
    while meld:
        meld &= meld - 1
        length += 1
    return _RUN_POINTS[length]


def weis_strength(meld: int, ranking: int) -> int:
    """A number that is greater for the better of two melds (JS7, SC3).

    The meld with more points is better. At equal points a four beats a run. Of two fours the
    higher rank is better. Of two runs the longer is better, then the one with the higher top card,
    then the one in trumps. At bottoms ranks are compared in reverse, so the six is the highest.
    Two runs in plain suits may be equal.
    """
    points = weis_points(meld)
    rank = rank_of_four(meld)
    if rank >= 0:
        height = _RANKS - 1 - rank if ranking == BOTTOMS else rank
        return points * STRENGTH_PER_POINT + 1000 + height
    length = 0
    top = -1
    while meld:
        length += meld & 1
        meld >>= 1
        top += 1
    in_trumps = 1 if top // _RANKS == ranking else 0
    best = top % _RANKS
    if ranking == BOTTOMS:
        best = _RANKS - 1 - (best - length + 1)
    return points * STRENGTH_PER_POINT + length * 20 + best * 2 + in_trumps


def rank_of_four(meld: int) -> int:
    """The rank of a four, from 0; -1 for a run."""
    for rank in range(_RANKS):
        if meld == FOURS[rank]:
            return rank
    return -1


def next_meld(cards: int, fours: int) -> int:
    """One meld of a hand in which the cards of `fours` are taken as fours; 0 if there is none.

    Taking it out of `cards` leaves the others whole, so that repeating finds each once.
    """
    if cards & fours:
        rank = _RANKS - 1
        while FOURS[rank] & cards & fours != FOURS[rank]:
            rank -= 1
        return FOURS[rank]
    return first_run(cards)


def best_fours(hand: int, ranking: int) -> int:
    """The cards of the fours in the most valuable split of a hand into melds.

    Of the other cards each unbroken run of three or more counts once, at its full length. Among
    splits of equal value the one whose best meld is stronger is taken (JS7).

    Args:
        hand: the cards held.
        ranking: how cards rank; it only decides between equal melds.
    """
    held = 0
    for rank in range(_RANKS):
        if _FOUR_POINTS[rank] and hand & FOURS[rank] == FOURS[rank]:
            held |= 1 << rank
    best = 0
    best_worth = (-1, -1)
    chosen = held
    while chosen >= 0:  # every subset of the ranks held, all of them first
        fours = 0
        for rank in range(_RANKS):
            if chosen >> rank & 1:
                fours |= FOURS[rank]
        worth = split_value(hand, fours, ranking)
        if worth > best_worth:
            best, best_worth = fours, worth
        chosen = (chosen - 1) & held if chosen else -1
    return best


def split_value(hand: int, fours: int, ranking: int) -> tuple[int, int]:
    """The value of a hand split with these fours: all its points, then its best meld's strength.

    The greater of two such pairs is the better split (JS7).
    """
    points = 0
    strength = 0
    meld = next_meld(hand, fours)
    while meld:
        points += weis_points(meld)
        strength = max(strength, weis_strength(meld, ranking))
        hand &= ~meld
        meld = next_meld(hand, fours)
    return points, strength


def melds_in_hand(hand: int, ranking: int) -> list[int]:
    """The melds of a hand in its most valuable split, best first; [] without any (JS7)."""
    fours = best_fours(hand, ranking)
    melds = []
    while meld := next_meld(hand, fours):
        hand &= ~meld
        melds.append(meld)
    return sorted(melds, key=lambda meld: weis_strength(meld, ranking), reverse=True)
