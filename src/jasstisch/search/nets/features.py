"""The features of a net: features of the state, and features of a card.

They are what an experienced player would consider. An index is the position of a feature among
those of its kind, and the row of its weights in a net. Most features are scaled so that they seldom
leave the range from -1 to 1. `weight_folding` says by what they are divided, and `policy` computes
them.
"""

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.jit.simd import LANES

Net = NDArray[np.float32]
"""A net in its trained form: its weights as one flat array."""

HIDDEN = LANES
"""The number of hidden units."""

STATE_FEATURES = 28
"""The number of features of the state, including the constant 1."""

CARD_FEATURES = 42
"""The number of features of one card."""

PARTNER_STATE_FEATURES = 18
"""The number of additional features of the state in games of partners."""

PARTNER_CARD_FEATURES = 14
"""The number of additional features of a card in games of partners."""

CARD_WEIGHTS = STATE_FEATURES * HIDDEN
OUT_WEIGHTS = CARD_WEIGHTS + CARD_FEATURES * HIDDEN
NET_SIZE = OUT_WEIGHTS + HIDDEN
"""The number of weights of a net: those of the state, of the card, and of the hidden layer."""
PARTNER_NET_SIZE = NET_SIZE + (PARTNER_STATE_FEATURES + PARTNER_CARD_FEATURES) * HIDDEN
"""The number of weights of a net for partners: those of any net, then the additional features."""

(
    BIAS,  # the constant 1
    CARDS_IN_HAND,  # cards in hand
    LEADS,  # whether the trick is empty
    SEATS_TO_COME,  # seats still to play to the trick
    IS_LAST_TO_PLAY,  # whether none are
    POT,  # points in the trick
    TRUMPS_LED,
    RUFFED,  # whether a plain suit was led and ruffed
    TRUMPS_HELD,
    TRUMPS_OUT,  # unseen trumps
    BUR_HELD,
    NELL_HELD,
    NO_TRUMP,  # whether no trump is known yet
    POINTS_LEFT,  # points still to be taken
    EXPECTED_POINTS,  # expected points of the hand
    MASTERS,  # cards that no unseen card of their suit beats
    POINTS_NEEDED,  # target less own points
    TARGET_REACHED,  # whether the own points are at least the target
    EXPECTED_SHORTFALL,  # POINTS_NEEDED less EXPECTED_POINTS
    POINTS_NEEDED_FINE,  # POINTS_NEEDED again, finer and clipped near 0
    OWN_POINTS,
    MOST_POINTS,  # of the other seats
    LEAST_POINTS,
    HOLDER_POINTS,  # of the seat that currently wins the trick
    POINTLESS,  # whether the own points are 0
    LEADS_ON_POINTS,  # whether no seat has more
    SHORTFALL_BEYOND_REST,  # POINTS_NEEDED above POINTS_LEFT
    FORCED_POINTS,  # points the hand is expected to be forced to take
) = range(STATE_FEATURES)

(
    WINS,  # whether it currently wins the trick
    WINS_FOR_SURE,
    BEATERS,  # unseen cards that beat it
    VALUE,
    POT_WON,  # points in the trick with it, if it currently wins
    POT_GIVEN,  # the same if it does not
    IS_TRUMP,
    FOLLOWS,
    DISCARDS,
    SUIT_LEFT,  # cards of its suit left in hand
    SUIT_OUT,  # unseen cards of its suit
    LOWER_OUT,
    LOWER_LEFT,
    HIGHER_LEFT,
    RANK,
    MAKES_TRUMP,  # whether its suit becomes trump with it (MV2)
    REVALUED_OWN,  # gain of Bur and Nell captured by oneself (C10)
    REVALUED_OTHERS,  # gain of those captured by other seats
    BOMB_WON,  # the molotov made, if it currently wins (MV4)
    BOMB_GIVEN,
    BOMBS_TO_COME,  # runs that later seats may still complete
    IS_BUR,
    IS_NELL,
    FUTURE_WIN_RATE,  # probability to take a later trick
    TAKES_LAST,  # whether it takes the trick as its last card
    SUIT_EXCLUSIVE,  # whether no other seat has its suit
    REVALUED_WON,  # REVALUED_OWN if it currently wins
    VOID_TO_COME,  # later seats that cannot follow
    RUFFERS,  # later seats that may ruff
    WIN_PROBABILITY,  # probability to take this trick
    SHORTFALL_IF_TAKEN,  # expected distance from the target if it does
    ABS_SHORTFALL_IF_TAKEN,  # the same without its sign
    SHORTFALL_IF_DUCKED,  # the same if it does not
    ABS_SHORTFALL_IF_DUCKED,
    EXPECTED_ABS_SHORTFALL,  # the mean of both, by their probabilities
    POT_TAKEN,  # expected points of the trick taken by it
    FORCED_RATE,  # probability to be forced to take a trick
    FORCED_POINTS_LEFT,  # FORCED_POINTS of the rest of the hand
    POINTS_TO_COME,  # points that later seats will add
    EXPECTED_TRICK_POINTS,  # POT_TAKEN with these
    EXPECTED_TOTAL_POINTS,  # the same with the rest of the hand
    LOWER_SHARE,  # fraction of the unseen cards of its suit that are lower
) = range(CARD_FEATURES)

(
    PARTNER_HOLDS,  # whether the partner currently wins the trick
    OPPONENT_HOLDS,
    PARTNER_TO_COME,
    LAST_OF_FOUR,
    IN_TOPS,
    IN_BOTTOMS,
    COURSE_CHANGES,  # whether tops and bottoms alternate (CT4)
    CHANGES_NEXT,  # whether the next trick has another ranking
    OUR_POINTS,
    THEIR_POINTS,
    MATCH_OPEN,  # whether the own side has taken all tricks so far (CT6)
    MATCH_AGAINST,  # whether the other side has
    ANNOUNCED_SELF,
    ANNOUNCED_BY_PARTNER,
    PUSHED_TO_SELF,
    PUSHED_BY_SELF,  # oneself has pushed and the partner announced
    FIRST_TRICK,
    PARTNER_POT,  # points of a trick that the partner currently wins
) = range(PARTNER_STATE_FEATURES)

(
    SMEARED,  # points it adds to a trick that the partner wins
    SMEARED_FOR_SURE,  # the same times the probability that the partner keeps it
    OVERTAKES,  # whether it takes the trick from the partner
    OVERTAKES_NEEDLESSLY,  # the same times the probability that the partner would keep it
    GIVEN_AWAY,  # points it adds to a trick of the opponents
    TAKEN_AWAY,  # points it takes from them
    TRUMP_ON_PARTNER,
    PARTNER_VOID,  # led in a suit in which the partner is known to be void
    TRUMP_TO_ANNOUNCER,  # a trump led to the partner who announced
    TRUMP_BY_ANNOUNCER,  # a trump led by oneself as the announcer
    MASTER_NEXT,  # whether no unseen card of its suit beats it in the next trick
    BEATERS_NEXT,
    LAST_OF_SUIT,  # the last card of its suit in the own hand
    WE_ANNOUNCED,
) = range(PARTNER_CARD_FEATURES)
