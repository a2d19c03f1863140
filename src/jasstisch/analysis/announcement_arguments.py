"""What may be said of announcing a contract: what in the hand speaks for it, and what is missing.

A hand is called *strong* for a contract by a plain rule: the Bur in four trumps, Bur and Nell in
three, or five trumps without them; three cards that are best one after the other; in turns four of
them, some each way. What a contract is worth is not judged here, that is done by playing it out.
"""

from collections.abc import Iterator, Mapping

from jasstisch.analysis.arguments import Argument
from jasstisch.analysis.traits import Trait
from jasstisch.bots import View
from jasstisch.bots.greedy.trick_estimates import higher_cards_of_suit
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set, members
from jasstisch.games.contracts import Contract
from jasstisch.i18n.templates import Values

__all__ = [
    "contract_traits",
    "hand_arguments",
    "hand_set",
    "is_strong",
    "longest_suit_argument",
    "push_traits",
]

NELL = 3
"""The rank of the nine."""

MANY_TRUMPS, WITH_BUR, WITH_BUR_AND_NELL = 5, 4, 3
"""How many trumps make a strong hand: without the Bur, with it, and with the Nell beside it."""

FEW_TRUMPS = 3
MASTERS = 3
"""How many best cards make a strong hand without a trump."""

MASTERS_IN_TURNS = 4
"""How many of them, some each way, where tops and bottoms take turns."""

FEW_FIRSTS = 2
"""So many aces and sixes are few for that."""


def hand_set(view: View) -> int:
    """The cards of the seat, as a set."""
    return card_set([JASS.numbers[text] for text in view["hand"]])


def is_strong(hand: int, contract: Contract) -> bool:
    """Whether a hand is strong for a contract, by the rule of this module."""
    if contract.valued in range(4):
        held = (hand & tricks.TRUMP_CARDS[contract.valued]).bit_count()
        needed = MANY_TRUMPS
        if hand & tricks.BURS[contract.valued]:
            needed = WITH_BUR_AND_NELL if hand & nell(contract.valued) else WITH_BUR
        return held >= needed
    if is_alternating(contract):
        each = [master_cards(hand, way).bit_count() for way in (tricks.TOPS, tricks.BOTTOMS)]
        return min(each) > 0 and sum(each) >= MASTERS_IN_TURNS
    return master_cards(hand, contract.valued).bit_count() >= MASTERS


def hand_arguments(hand: int, contract: Contract) -> Iterator[Argument]:
    """What a hand has for a contract, and what it lacks (CT3, CT4)."""
    if contract.valued in range(4):
        yield from trump_arguments(hand, contract.valued)
    elif is_alternating(contract):
        yield from tops_and_bottoms(hand, contract)
    else:
        yield from master_arguments(hand, contract.valued)


def push_traits() -> Mapping[str, Trait]:
    """What tells a push from an announcement."""
    return {"apart_push": Trait(0, leads=True)}


def contract_traits(hand: int, contract: Contract, factor: int) -> Mapping[str, Trait]:
    """What tells announcements apart: the best cards, the trumps, and what they count."""
    rankings = set(contract.rankings)
    count = sum(master_cards(hand, ranking).bit_count() for ranking in rankings)
    start = master_cards(hand, contract.rankings[0]).bit_count()
    traits = {
        "apart_push": Trait(1, {"count": count}, leads=True),
        "apart_masters": Trait(count, {"count": count}),
        "apart_start": Trait(start, {"count": start}),
        "apart_factor": Trait(factor, {"factor": factor}),
    }
    if contract.valued in range(4):
        trumps = (hand & tricks.TRUMP_CARDS[contract.valued]).bit_count()
        suit: Values = {"suit": SUITS[contract.valued]}
        has_bur = bool(hand & tricks.BURS[contract.valued])
        traits["apart_bur"] = Trait(has_bur, suit, leads=True)
        traits["apart_trumps"] = Trait(trumps, {**suit, "count": trumps})
    return traits


def trump_arguments(hand: int, suit: int) -> Iterator[Argument]:
    """The trumps of a hand, with Bur and Nell or without, and the aces beside them."""
    held = hand & tricks.TRUMP_CARDS[suit]
    bur, count = held & tricks.BURS[suit], held.bit_count()
    aces = hand & ~held & sum(1 << tricks.RANKS * other + 8 for other in range(4))
    values: Values = {"cards": format_cards(held), "count": count}
    if bur and held & nell(suit) and count >= WITH_BUR_AND_NELL:
        yield Argument("trump_bur_nell", values)
    if bur and count >= WITH_BUR_AND_NELL and aces:
        yield Argument("trump_bur_aces", {**values, "cards2": format_cards(aces)})
    if bur and count >= WITH_BUR:
        yield Argument("trump_bur", values)
    if not bur and count >= MANY_TRUMPS:
        yield Argument("trump_many", values)
    if not bur and count <= FEW_TRUMPS:
        few: Values = {"suit": SUITS[suit], "count": count}
        none: Values = {"suit": SUITS[suit]}
        yield (
            Argument("trump_few", few, against=True)
            if count
            else Argument("trump_none", none, against=True)
        )


def master_arguments(hand: int, ranking: int) -> Iterator[Argument]:
    """The cards that are best one after the other, or the aces or sixes that are missing."""
    held = master_cards(hand, ranking)
    if held.bit_count() >= MASTERS:
        yield Argument("masters", {"cards": format_cards(held), "count": held.bit_count()})
    name = "bottoms" if ranking == tricks.BOTTOMS else "tops"
    firsts = top_card_count(hand, ranking)
    if firsts == 1:
        yield Argument(f"{name}_few", {"count": firsts}, against=True)
    if firsts == 0:
        yield Argument(f"{name}_none", against=True)


def tops_and_bottoms(hand: int, contract: Contract) -> Iterator[Argument]:
    """The cards that are best each way, or how few aces and sixes there are."""
    tops, bottoms = master_cards(hand, tricks.TOPS), master_cards(hand, tricks.BOTTOMS)
    if is_strong(hand, contract):
        yield Argument(
            "masters_both", {"cards": format_cards(tops), "cards2": format_cards(bottoms)}
        )
    firsts = top_card_count(hand, tricks.TOPS) + top_card_count(hand, tricks.BOTTOMS)
    if 1 <= firsts <= FEW_FIRSTS:
        yield Argument("turns_few", {"count": firsts}, against=True)


def longest_suit_argument(hand: int, contract: Contract) -> Iterator[Argument]:
    """Who must announce takes the longest suit for want of a strong hand."""
    if contract.valued not in range(4) or is_strong(hand, contract):
        return
    lengths = [(hand & suit).bit_count() for suit in tricks.SUIT_CARDS]
    if lengths[contract.valued] == max(lengths):
        values: Values = {"suit": SUITS[contract.valued], "count": max(lengths)}
        yield Argument("longest", values)


def master_cards(hand: int, ranking: int) -> int:
    """The cards of a hand that are best of their suits one after the other: A, then K, then Q."""
    return card_set(
        [card for card in members(hand) if not higher_cards_of_suit(card, ranking) & ~hand]
    )


def top_card_count(hand: int, ranking: int) -> int:
    """How many aces, or sixes, a hand holds."""
    return sum(not higher_cards_of_suit(card, ranking) for card in members(hand))


def is_alternating(contract: Contract) -> bool:
    """Whether tops and bottoms take turns (CT4)."""
    return len(set(contract.rankings)) > 1


def nell(suit: int) -> int:
    """The Nell of a suit, as a set of one card."""
    return 1 << tricks.RANKS * suit + NELL


def format_cards(cards: int) -> str:
    """Cards as a text."""
    return " ".join(JASS.texts_of(cards))
