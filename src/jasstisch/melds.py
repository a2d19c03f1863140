"""Cards in sequence: the runs that lie on the table in one trick (MV4, MV5).

Pure functions on sets of cards, as in `tricks`. Runs go by plain order in every suit, trumps too.
"""

__all__ = ["first_run", "molotov_points"]

RANKS = 9
#: Bits of a card set that have a higher neighbour in their own suit: all ranks but the ace.
BELOW_ACE = sum(0b011111111 << RANKS * suit for suit in range(4))


def first_run(cards: int) -> int:
    """The lowest unbroken run of three or more cards of one suit, 0 if there is none.

    A run is taken at its full length. Taking it out of `cards` leaves the other runs whole, so that
    repeating finds each maximal run once.
    """
    followed = cards & BELOW_ACE & cards >> 1  # cards whose upper neighbour is there too
    twice = followed & BELOW_ACE & followed >> 1
    if not twice:
        return 0
    run = twice & -twice
    top = run
    while top & followed:
        top <<= 1
        run |= top
    return run


def molotov_points(run: int, weis: bool) -> int:
    """What a molotov brings the winner of the trick (MV4, MV5).

    Args:
        run: a run as `first_run` finds it.
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
