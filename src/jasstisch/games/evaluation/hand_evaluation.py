"""A linear evaluation of hands: the points that a hand is expected to make in each contract.

Pure functions on ints, as in `tricks`, which kernels compile too. A *contract* is a number here,
its index in the order of CT2: 0 - 3 that suit is trump, 4 tops, 5 bottoms, 6 and 7 slalom, 8 and 9
guschti, each by its first ranking. The features are computed suit by suit; their weights were
fitted to rounds played out by a trained net (`tools/fit_hand_evaluation.py`).
"""

from jasstisch.engine import tricks

CONTRACT_COUNT = 10
"""The number of contracts (CT2)."""

FEATURE_COUNT = 14
"""The number of features of a hand."""

CONTRACT_KINDS = ("trump", "tops", "slalom", "guschti")
"""The kinds of contract, each with its own weights; bottoms are tops with reversed ranks."""

_WEIGHTS = (
    (
        42.07, 8.26, 18.66, 9.06, 5.41, 1.55, 3.66,
        5.35, 2.41, 2.4, 1.29, 0.72, -0.43, 1.81,
    ),
    (
        11.55, 24.2, 3.33, 8.25, 2.96, 13.95, 8.05,
        -0.56, -1.17, -2.17, 0.51, 3.64, 0.41, 0.46,
    ),
    (
        8.76, 22.8, 13.02, -1.73, 2.41, 6.8, 5.43,
        11.75, 1.95, -5.57, 1.3, 5.58, 1.57, -5.18,
    ),
    (
        10.97, 25.12, 5.86, 7.48, 7.98, 10.39, 8.39,
        5.89, 4.29, -3.58, -1.44, 3.55, -0.24, 0.26,
    ),
)  # fmt: skip

_FeatureVector = tuple[
    float, float, float, float, float, float, float, float, float, float, float, float, float, float
]


def contract_kind(contract: int) -> int:
    """The row of `_WEIGHTS` for a contract."""
    if contract < 4:
        return 0
    return contract // 2 - 1


def reversed_ranks(cards: int) -> int:
    """A set of the nine cards of a suit with reversed ranks: the six for the ace and so on."""
    result = 0
    for rank in range(tricks.RANKS):
        if cards >> rank & 1:
            result |= 1 << tricks.RANKS - 1 - rank
    return result


def hand_features(hand: int, contract: int) -> _FeatureVector:
    """The features of a hand in a contract: `FEATURE_COUNT` numbers, the constant 1 first."""
    return (
        trump_features(hand, contract) if contract < 4 else rank_features(hand, contract % 2 == 1)
    )


def trump_features(hand: int, suit: int) -> _FeatureVector:
    """The features for a trump contract: trumps by number and rank, and the side suits."""
    trumps = hand >> tricks.RANKS * suit & 511
    held = trumps.bit_count()
    bur, nell, ace, king = trumps >> 5 & 1, trumps >> 3 & 1, trumps >> 8 & 1, trumps >> 7 & 1
    aces = backed = guarded = voids = singles = 0
    for other in range(4):
        cards = hand >> tricks.RANKS * other & 511
        if other == suit:
            continue
        length = cards.bit_count()
        if cards >> 8 & 1:
            aces += 1
            backed += cards >> 7 & 1
        elif cards >> 7 & 1 and length > 1:
            guarded += 1
        voids += length == 0
        singles += length == 1
    long = max(0, held - 4)
    return (
        1.0, float(held), float(bur), float(nell), float(ace), float(king), float(bur & nell),
        float(aces), float(backed), float(guarded), float(voids * min(held, 3)),
        float(singles * min(held, 3)), float(long), float(bur * held),
    )  # fmt: skip


def rank_features(hand: int, from_below: bool) -> _FeatureVector:
    """The features for a contract without trump: winners from the top and the bottom of each suit.

    With `from_below` the ranks are reversed.
    """
    high = low = second = third = length_behind = guarded = 0
    low_second = low_third = low_behind = blanks = 0
    longest = 0
    for suit in range(4):
        cards = hand >> tricks.RANKS * suit & 511
        if from_below:
            cards = reversed_ranks(cards)
        count = cards.bit_count()
        longest = max(longest, count)
        if cards >> 8 & 1:
            high += 1
            if cards >> 7 & 1:
                second += 1
                third += cards >> 6 & 1
                length_behind += count - 2
        elif cards >> 7 & 1 and count > 1:
            guarded += 1
        else:
            blanks += 1
        if cards & 1:
            low += 1
            if cards >> 1 & 1:
                low_second += 1
                low_third += cards >> 2 & 1
                low_behind += count - 2
    return (
        1.0, float(high), float(second), float(third), float(length_behind), float(guarded),
        float(blanks), float(low), float(low_second), float(low_third), float(low_behind),
        float(longest), float(longest * (high > 0)), float(high * second),
    )  # fmt: skip


def estimate_points(hand: int, contract: int) -> float:
    """The estimated points of a hand's side in a contract, without match bonus and Weis."""
    weights = _WEIGHTS[contract_kind(contract)]
    features = hand_features(hand, contract)
    total = 0.0
    for place in range(FEATURE_COUNT):
        total += weights[place] * features[place]
    return total
