"""Empirical win rates: how often a card takes a trick, measured in many deals between bots.

The numbers are rules of thumb, in plain Python, for the bot `greedy` and for the features of the
search policy.
"""

TRUMP_WIN_RATES = (1.0, 0.72, 0.63, 0.57, 0.53, 0.5, 0.43, 0.4, 0.4)
"""The probability that a trump takes a trick, by the number of higher trumps out."""

TOP_CARD_WIN_RATES = ((0.22, 0.5, 0.7), (0.05, 0.25, 0.48), (0.0, 0.22, 0.4))
"""The same for the top card of a side suit, by trumps out and by cards of its suit out.

Rows and columns: none out, up to three, more. A card that nobody can follow needs the lead; one
that everybody can follow is seldom ruffed.
"""

HIGHER_CARD_FACTORS = tuple(0.45**higher for higher in range(9))
"""The factor applied to that, by the number of higher cards of the suit out."""

MIN_WIN_RATE = 0.05
"""The least win rate: even the lowest card sometimes takes a trick."""

SIDE_CARD_FORCED_RATE = 0.2
TRUMP_FORCED_RATE = 0.6
"""The probability that a card is forced to win, when only lower cards of its suit are out."""


def count_bucket(cards: int) -> int:
    """0 for no card, 1 for up to three, 2 for more."""
    return min(2, (cards.bit_count() + 2) // 3)
