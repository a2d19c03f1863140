"""Heuristics for contract games of two sides: evaluation of hands and of single cards.

A card is worth what it should win or lose in the trick in progress, less what the hand loses in
value without it in later tricks. Several habits of good players follow from that: not to trump the
partner's trick, to smear cards that will take no trick themselves, to play low to opponents'
tricks, to keep guards, and to play cards that have become the highest. Points of the other side are
as bad as one's own are good: only the difference counts, whichever side writes it.

`jasstisch.env.kernels.greedy_partners` compiles these functions too; `greedy.trick_estimates` says
what that requires of them.
"""

import math
from collections.abc import Sequence

from jasstisch.bots.api import View
from jasstisch.bots.greedy.partner_game_inference import (
    CARDS_BY_STRENGTH,
    CONTRACT_RANKINGS,
    SEATS,
    PartnerGamePosition,
    expected_added_trick_points,
    probability_side_takes,
    probability_void,
)
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.games.contracts import CONTRACTS
from jasstisch.games.weis import WEIS

CONTRACT_NUMBERS = {text: number for number, text in enumerate(CONTRACTS)}
"""The number of each contract in `games.evaluation`."""

_TRICK_SWING = 28.0
"""What a card gains by taking a trick, besides its own points, which change sides."""

_HIGHER_CARD_FACTOR = 0.35
"""The factor on the probability to take a trick for each higher card with the other side."""

_HIGHER_TRUMP_FACTOR = 0.8
"""The same for each higher trump: a trump also takes tricks of other suits."""

_UNGUARDED_FACTOR = 0.5
"""The factor for each higher card for which there is no lower card of the suit to spend on it."""

_TOP_CARD_WIN_RATE = 0.75
"""How often the highest card of a plain suit takes a trick once nobody holds a trump."""

_TOP_CARD_WIN_RATE_NO_TRUMP = 0.62
"""The same in a contract without trump, where the suit must be led."""

_RUFF_LOSS = 0.5
"""The reduction of that rate while the other side holds many trumps."""

_MANY_TRUMPS = 4.0

_DRAWN_TRUMP_VALUE = 8.0
"""The value of each trump that a lead draws from the other side, if one's own side announced."""

_FUTURE_DISCOUNT = 0.9
"""The weight of later tricks against the one on the table: points taken now are certain."""

_MATCH_CONTINUES_RATE = 0.7
"""The probability that a side that has taken all tricks so far takes one more."""


def choose_play(view: View, legal: Sequence[str]) -> str:
    """The play with the highest gain for the side, with every Weis that may be announced."""
    at = PartnerGamePosition(view)
    even, odd = at.taken[0] | at.taken[2], at.taken[1] | at.taken[3]
    bonus = match_bonus_value(even, odd, view["options"]["match_bonus"], len(at.rankings) - 1)
    cards = dict.fromkeys([JASS.numbers[action.split()[1]] for action in legal])
    best = JASS.texts[max(cards, key=lambda card: card_gain(at, card, bonus))]
    action = f"play {best}"
    return action + WEIS if action + WEIS in legal else action


def match_bonus_value(even: int, odd: int, bonus: int, later: int) -> float:
    """The value of the trick in progress besides its points, while a match is possible (CT6).

    Args:
        even: the cards captured by seats 0 and 2.
        odd: the cards captured by seats 1 and 3.
        bonus: the bonus for a match.
        later: the number of tricks that follow.
    """
    return 0.0 if even and odd else bonus * math.pow(_MATCH_CONTINUES_RATE, float(later))


def card_gain(position: PartnerGamePosition, card: int, bonus: float) -> float:
    """The change that a card makes to the point difference, in favour of one's own side.

    Args:
        position: the position.
        card: the card.
        bonus: the value of the trick besides its points.
    """
    takes = probability_side_takes(position, card)
    led = card // tricks.RANKS if position.led < 0 else position.led
    trick = tricks.points(position.lying | 1 << card, position.value_ranking)
    coming = expected_added_trick_points(position, led, takes)
    left = position.hand ^ 1 << card
    if not left:
        return (2 * takes - 1) * (trick + coming + tricks.LAST_TRICK + bonus)
    suit = tricks.SUIT_CARDS[card // tricks.RANKS]
    cost = _FUTURE_DISCOUNT * (
        future_value(position, position.hand & suit) - future_value(position, left & suit)
    )
    gained = (2 * takes - 1) * (trick + coming) + takes * bonus - cost
    ours = (position.announcer - position.seat) % 2 == 0
    if ours and position.led < 0 and suit == tricks.TRUMP_CARDS[position.ranking]:
        gained += _DRAWN_TRUMP_VALUE * expected_trumps_drawn(position)
    return gained


def expected_trumps_drawn(position: PartnerGamePosition) -> float:
    """The expected number of trumps that a lead of trumps draws from the other side."""
    one, other = (position.seat + 1) % SEATS, (position.seat + 3) % SEATS
    return (
        1
        - probability_void(position, one, position.trump)
        + (1 - probability_void(position, other, position.trump))
    )


def future_value(position: PartnerGamePosition, held: int) -> float:
    """The value of the cards of one suit in later tricks, averaged over the possible rankings."""
    worth = 0.0
    if held:
        for ranking in CONTRACT_RANKINGS:
            part = position.future_ranking_shares[ranking]
            if part:
                worth += part * future_value_for_ranking(position, held, ranking)
    return worth


def future_value_for_ranking(position: PartnerGamePosition, held: int, ranking: int) -> float:
    """The same for one ranking that applies to all later tricks."""
    suit = ((held & -held).bit_length() - 1) // tricks.RANKS
    top = 1.0 if suit == ranking else top_card_win_probability(position, ranking)
    worth = higher = 0.0
    lower = held.bit_count()
    for card in CARDS_BY_STRENGTH[ranking][suit]:
        if held >> card & 1:
            lower -= 1
            if suit == ranking:
                takes = math.pow(_HIGHER_TRUMP_FACTOR, higher)
            else:
                unguarded = max(0.0, higher - lower)
                takes = (
                    top
                    * math.pow(_HIGHER_CARD_FACTOR, higher)
                    * math.pow(_UNGUARDED_FACTOR, unguarded)
                )
            worth += takes * (_TRICK_SWING + tricks.card_points(card, position.value_ranking))
        elif position.unseen >> card & 1:
            higher += position.opponent_probabilities[card]
    return worth


def top_card_win_probability(position: PartnerGamePosition, ranking: int) -> float:
    """The probability that the highest card of a plain suit takes a trick."""
    if not tricks.TRUMP_CARDS[ranking]:
        return _TOP_CARD_WIN_RATE_NO_TRUMP
    out = 0.0
    left = tricks.TRUMP_CARDS[ranking] & position.unseen
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        out += position.opponent_probabilities[card]
    return _TOP_CARD_WIN_RATE - _RUFF_LOSS * min(1.0, out / _MANY_TRUMPS)
