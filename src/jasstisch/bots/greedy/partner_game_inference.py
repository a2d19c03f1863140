"""Inference in games of two sides: the location of cards and the side that takes a trick.

All 36 cards are dealt, so an unseen card is in one of three other hands. The probabilities follow
from the plays: a seat that did not follow suit is void, the announcer holds what the contract asks
for, and a seat that has shown a Weis holds its cards. The trick in progress is estimated card by
card from that.

`jasstisch.env.kernels.greedy_partners` compiles these functions too; `greedy.trick_estimates` says
what that requires of them.
"""

from collections.abc import MutableSequence

from jasstisch.bots.api import View
from jasstisch.bots.greedy.trick_estimates import higher_cards_of_suit
from jasstisch.bots.position import Position
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, card_set, cards_in_set

SEATS = 4

CONTRACT_RANKINGS = tricks.RANKINGS[: tricks.BOTTOMS + 1]
"""The rankings that a trick may have after a contract is announced."""

CARDS_BY_STRENGTH = tuple(
    tuple(
        tuple(
            sorted(
                cards_in_set(suit), key=lambda card: higher_cards_of_suit(card, ranking).bit_count()
            )
        )
        for suit in tricks.SUIT_CARDS
    )
    for ranking in CONTRACT_RANKINGS
)
"""For each ranking and suit, its cards from the highest to the lowest."""

_ANNOUNCER_TRUMP_FACTOR = 2.0
_ANNOUNCER_TOP_FACTOR = 1.5
"""The likelihood ratio that the announcer, not another seat, holds a card the contract asks for."""

_TOP_CARD_COUNT = 3
"""The number of cards of a suit, from the top, that a contract without trump asks for."""

_CONTRACT_KEY_CARDS = tuple(
    tricks.TRUMP_CARDS[ranking]
    or sum(card_set(one[:_TOP_CARD_COUNT]) for one in CARDS_BY_STRENGTH[ranking])
    for ranking in CONTRACT_RANKINGS
)
"""The cards that a contract asks for, by the ranking by which its cards count."""

_VOLUNTARY_RUFF_RATE = 0.2
"""The probability that a seat that could follow suit plays a trump all the same."""

_POINTS_BIAS = 0.5
"""The deviation from the mean card points: more in a trick of one's side, less in others."""


class PartnerGamePosition(Position):
    """Beliefs about the unseen cards in a game of two sides.

    Args:
        view: the view of a seat, after a contract is announced.

    Attributes:
        announcer: the seat that has announced.
        future_ranking_shares: for each of `CONTRACT_RANKINGS`, the fraction of later tricks that
            have this ranking.
        known_cards: for each seat, the cards it is known to have held, from the Weis shown.
        holder_probabilities: for each seat, the probability of each card to be in its hand; the row
            of the seat itself stays 0.
        opponent_probabilities: for each card, the probability that the other side holds it.
    """

    __slots__ = (
        "announcer",
        "future_ranking_shares",
        "holder_probabilities",
        "known_cards",
        "opponent_probabilities",
    )

    def __init__(self, view: View) -> None:
        super().__init__(view, discard_makes_trump=False)
        self.announcer: int = view["by"]
        later = self.rankings[1:]
        self.future_ranking_shares = [
            later.count(ranking) / max(1, len(later)) for ranking in CONTRACT_RANKINGS
        ]
        self.known_cards = _cards_shown(view)
        self.holder_probabilities = [[0.0] * tricks.CARDS for _ in range(SEATS)]
        self.opponent_probabilities = [0.0] * tricks.CARDS
        init_beliefs(self)


def _cards_shown(view: View) -> list[int]:
    """For each seat, the cards it is known to have held, from the Weis shown (SC3).

    The first meld belongs to the seat named; the others may be its partner's.
    """
    known = [0] * SEATS
    weis = view["weis_shown"]
    if weis is None:
        return known
    seat = weis["seat"]
    alone = all(one["seat"] != (seat + 2) % SEATS for one in view["announced"])
    for meld in weis["melds"] if alone else weis["melds"][:1]:
        known[seat] |= card_set([JASS.numbers[card] for card in meld["cards"]])
    return known


def init_beliefs(position: PartnerGamePosition) -> None:
    """Fills `holder_probabilities` and `opponent_probabilities`.

    Two normalizations alternate: each card sums to 1, each hand to its size.
    """
    for seat in range(SEATS):
        if seat != position.seat:
            write_likelihoods(position, seat, position.holder_probabilities[seat])
    normalize_cards(position)
    for seat in range(SEATS):
        if seat != position.seat:
            normalize_hand(position.sizes[seat], position.holder_probabilities[seat])
    normalize_cards(position)
    left = position.unseen
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        one, other = (
            position.holder_probabilities[(position.seat + 1) % SEATS],
            position.holder_probabilities[(position.seat + 3) % SEATS],
        )
        position.opponent_probabilities[card] = one[card] + other[card]


def write_likelihoods(
    position: PartnerGamePosition, seat: int, row: MutableSequence[float]
) -> None:
    """Writes the likelihood of the plays so far for each unseen card in another seat's hand."""
    able = position.unseen & ~position.void[seat]
    for other in range(SEATS):
        if other != seat:
            able &= ~position.known_cards[other]
    asked = _CONTRACT_KEY_CARDS[position.value_ranking] if seat == position.announcer else 0
    liked = (
        _ANNOUNCER_TRUMP_FACTOR
        if tricks.TRUMP_CARDS[position.value_ranking]
        else _ANNOUNCER_TOP_FACTOR
    )
    while able:
        card = (able & -able).bit_length() - 1
        able &= able - 1
        row[card] = liked if asked >> card & 1 else 1.0


def normalize_cards(position: PartnerGamePosition) -> None:
    """Scales the probabilities of each unseen card over the hands so that they sum to 1."""
    left = position.unseen
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        whole = 0.0
        for seat in range(SEATS):
            whole += position.holder_probabilities[seat][card]
        for seat in range(SEATS):
            position.holder_probabilities[seat][card] /= whole


def normalize_hand(size: int, row: MutableSequence[float]) -> None:
    """Scales the probabilities of the cards in a hand so that they sum to its size."""
    held = 0.0
    for card in range(tricks.CARDS):
        held += row[card]
    if held:
        scale = size / held
        for card in range(tricks.CARDS):
            row[card] *= scale


def probability_void(position: PartnerGamePosition, seat: int, suit: int) -> float:
    """The probability that a seat is void in a suit."""
    return probability_of_none(position, seat, tricks.SUIT_CARDS[suit])


def probability_of_none(position: PartnerGamePosition, seat: int, cards: int) -> float:
    """The probability that a seat holds none of these cards."""
    row = position.holder_probabilities[seat]
    chance = 1.0
    left = cards & position.unseen
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        chance *= 1 - row[card]
    return chance


# The trick in progress.


def probability_side_takes(position: PartnerGamePosition, card: int) -> float:
    """The probability that one's own side takes the trick in progress if a card is played."""
    ours = position.winner == (position.seat + 2) % SEATS
    best = position.best
    if best < 0 or tricks.beats(card, best, position.ranking):
        best, ours = card, True
    led = card // tricks.RANKS if position.led < 0 else position.led
    takes = probability_without_ruffs(position, best, led, ours)
    if position.trump in (-1, led):
        return takes
    return probability_after_ruffs(position, takes, best, led)


def probability_without_ruffs(
    position: PartnerGamePosition, best: int, led: int, ours: bool
) -> float:
    """The probability that the side has the best card after all seats that can have followed suit.

    The highest outstanding card of the suit led that lies with a later seat takes the trick.

    Args:
        position: the position.
        best: the best card of the trick.
        led: the suit led.
        ours: whether the side itself has played it.
    """
    if best // tricks.RANKS != led:
        return 1.0 if ours else 0.0
    partner = (position.seat + 2) % SEATS
    takes, open_still = 0.0, 1.0
    for card in CARDS_BY_STRENGTH[position.ranking][led]:
        if card == best:
            break
        if position.unseen >> card & 1:
            with_us = with_them = 0.0
            for seat in position.to_come:
                if seat == partner:
                    with_us = position.holder_probabilities[seat][card]
                else:
                    with_them += position.holder_probabilities[seat][card]
            takes += open_still * with_us
            open_still *= max(0.0, 1 - with_us - with_them)
    return takes + open_still if ours else takes


def probability_after_ruffs(
    position: PartnerGamePosition, takes: float, best: int, led: int
) -> float:
    """The same after the seats that cannot follow suit have ruffed.

    Args:
        position: the position.
        takes: the probability of the side if nobody ruffs.
        best: the best card of the trick.
        led: the suit led, not trump.
    """
    trumps = tricks.TRUMP_CARDS[position.ranking]
    if trumps >> best & 1:
        trumps = tricks.HIGHER_TRUMPS[best]
    for seat in position.to_come:
        lacks = probability_void(position, seat, led)
        ruffs = (1 - probability_of_none(position, seat, trumps)) * (
            lacks + _VOLUNTARY_RUFF_RATE * (1 - lacks)
        )
        # Nobody ruffs a trick of their own side.
        if seat == (position.seat + 2) % SEATS:
            takes += (1 - takes) * ruffs
        else:
            takes -= takes * ruffs
    return takes


def expected_added_trick_points(position: PartnerGamePosition, led: int, takes: float) -> float:
    """The points that later seats will add to the trick; good cards go to tricks of their own side.

    Args:
        position: the position.
        led: the suit led.
        takes: the probability that one's own side takes the trick.
    """
    sure = 2 * takes - 1
    following = position.unseen & tricks.SUIT_CARDS[led]
    discards = position.unseen & ~following & ~tricks.TRUMP_CARDS[position.ranking]
    total = 0.0
    for seat in position.to_come:
        lacks = probability_void(position, seat, led)
        mean = (1 - lacks) * mean_card_points(position, seat, following) + lacks * mean_card_points(
            position, seat, discards
        )
        total += mean * (
            1 + _POINTS_BIAS * (sure if seat == (position.seat + 2) % SEATS else -sure)
        )
    return total


def mean_card_points(position: PartnerGamePosition, seat: int, cards: int) -> float:
    """The mean value of the card that a seat plays out of these cards."""
    row = position.holder_probabilities[seat]
    points = held = 0.0
    while cards:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        held += row[card]
        points += row[card] * tricks.card_points(card, position.value_ranking)
    return points / held if held else 0.0
