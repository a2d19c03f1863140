"""What a net looks at, by name: the features of a situation and of a card, in their order.

A name is the place of a feature among those of its kind, and the row of its weights in a net.
`policy` says how each is worked out; most are scaled so that they seldom leave -1 to 1.
"""

__all__ = ["CARD_FEATURES", "PARTNER_CARD_FEATURES", "PARTNER_STATE_FEATURES", "STATE_FEATURES"]

STATE_FEATURES = 28
"""Features of the situation, the constant 1 among them."""

CARD_FEATURES = 42
"""Features of one card."""

PARTNER_STATE_FEATURES = 18
"""Further features of the situation where partners play together."""

PARTNER_CARD_FEATURES = 14
"""Further features of a card there."""

(
    BIAS,  # the constant 1
    CARDS_IN_HAND,  # cards in hand
    LEADS,  # whether nothing lies there yet
    SEATS_TO_COME,  # seats still to play to the trick
    IS_LAST_TO_PLAY,  # whether there are none
    POT,  # what lies there
    TRUMPS_LED,
    RUFFED,  # whether a plain suit was led and a trump lies there
    TRUMPS_HELD,
    TRUMPS_OUT,  # trumps unseen
    BUR_HELD,
    NELL_HELD,
    NO_TRUMP,  # whether no trump is known yet
    POINTS_LEFT,  # what is still to be taken
    EXPECTED_POINTS,  # what the hand will bring
    MASTERS,  # cards that nothing unseen of their suit beats
    POINTS_NEEDED,  # how far the own points are below what is wanted
    TARGET_REACHED,  # whether they are not
    EXPECTED_SHORTFALL,  # how far they will be, if the hand brings what it promises
    POINTS_NEEDED_FINE,  # NEED again, finer and only near 0
    OWN_POINTS,
    MOST_POINTS,  # of the others
    LEAST_POINTS,
    HOLDER_POINTS,  # of whoever takes the trick as it lies
    POINTLESS,  # whether the own points are 0
    LEADS_ON_POINTS,  # whether nobody has more
    SHORTFALL_BEYOND_REST,  # how far NEED is above REST
    FORCED_POINTS,  # what the hand will have to take
) = range(STATE_FEATURES)

(
    WINS,  # whether it takes the trick as it lies
    WINS_FOR_SURE,
    BEATERS,  # unseen cards that would still take the trick from it
    VALUE,
    POT_WON,  # what then lies there, where it wins
    POT_GIVEN,  # and where it does not
    IS_TRUMP,
    FOLLOWS,
    DISCARDS,
    SUIT_LEFT,  # cards of its suit left in hand
    SUIT_OUT,  # unseen ones
    LOWER_OUT,
    LOWER_LEFT,
    HIGHER_LEFT,
    RANK,
    MAKES_TRUMP,  # whether its suit becomes trump with it (MV2)
    REVALUED_OWN,  # what Bur and Nell that one has captured then count (C10)
    REVALUED_OTHERS,  # what those count that others have
    BOMB_WON,  # the molotov made, where it wins (MV4)
    BOMB_GIVEN,
    BOMBS_TO_COME,  # runs that those to come may still make
    IS_BUR,
    IS_NELL,
    FUTURE_WIN_RATE,  # how often it will take a trick some time
    TAKES_LAST,  # whether it takes the trick, played last
    SUIT_EXCLUSIVE,  # whether nobody else has its suit
    REVALUED_WON,  # RISE_OWN where it wins
    VOID_TO_COME,  # of those to come who cannot follow
    RUFFERS,  # of those who may ruff
    WIN_PROBABILITY,  # how likely it takes this trick
    SHORTFALL_IF_TAKEN,  # how far the round will end from what is wanted if it does
    ABS_SHORTFALL_IF_TAKEN,  # the same without its sign
    SHORTFALL_IF_DUCKED,  # and if it does not
    ABS_SHORTFALL_IF_DUCKED,
    EXPECTED_ABS_SHORTFALL,  # both as likely as they are
    POT_TAKEN,  # what it takes on average
    FORCED_RATE,  # how often it will have to take a trick
    FORCED_POINTS_LEFT,  # what the rest of the hand will have to take
    POINTS_TO_COME,  # what those to come will add
    EXPECTED_TRICK_POINTS,  # what it takes on average with that
    EXPECTED_TOTAL_POINTS,  # what it and the rest of the hand will take
    LOWER_SHARE,  # how many of the unseen cards of its suit are lower
) = range(CARD_FEATURES)

(
    PARTNER_HOLDS,  # whether the partner takes the trick as it lies
    OPPONENT_HOLDS,
    PARTNER_TO_COME,
    LAST_OF_FOUR,
    IN_TOPS,
    IN_BOTTOMS,
    COURSE_CHANGES,  # whether tops and bottoms take turns (CT4)
    CHANGES_NEXT,  # whether the next trick ranks otherwise
    OUR_POINTS,
    THEIR_POINTS,
    MATCH_OPEN,  # whether the own side has taken all so far (CT6)
    MATCH_AGAINST,  # whether the other one has
    ANNOUNCED_SELF,
    ANNOUNCED_BY_PARTNER,
    PUSHED_TO_SELF,
    PUSHED_BY_SELF,  # the partner announced what was pushed
    FIRST_TRICK,
    PARTNER_POT,  # what lies there for the partner
) = range(PARTNER_STATE_FEATURES)

(
    SMEARED,  # what it adds to a trick that the partner holds
    SMEARED_FOR_SURE,  # the same by how sure it is that he keeps it
    OVERTAKES,  # whether it takes the trick from him
    OVERTAKES_NEEDLESSLY,  # by how sure he was of it
    GIVEN_AWAY,  # what it adds to a trick of the others
    TAKEN_AWAY,  # what it takes from them
    TRUMP_ON_PARTNER,
    PARTNER_VOID,  # led where he is known to be void
    TRUMP_TO_ANNOUNCER,  # a trump led to the partner who announced
    TRUMP_BY_ANNOUNCER,  # led by oneself, who announced
    MASTER_NEXT,  # whether nothing unseen of its suit beats it in the next trick
    BEATERS_NEXT,
    LAST_OF_SUIT,  # in the own hand
    WE_ANNOUNCED,
) = range(PARTNER_CARD_FEATURES)
