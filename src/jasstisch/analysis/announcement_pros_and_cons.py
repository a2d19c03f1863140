"""Arguments about announcing a contract: what in the hand supports it, and what is missing.

A hand is called *strong* for a contract by a simple rule. With a trump suit: the Bur in four
trumps, Bur and Nell in three, or five trumps without them. Without trump: three top cards of a suit
in sequence; where tops and bottoms alternate, four of them, some each way. The value of a contract
is not estimated here; the search does that.
"""

from collections.abc import Iterator, Mapping

from jasstisch.analysis.action_traits import Trait
from jasstisch.analysis.pros_and_cons import Argument
from jasstisch.bots import View
from jasstisch.bots.greedy.trick_estimates import higher_cards_of_suit
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set, cards_in_set
from jasstisch.games.contracts import Contract
from jasstisch.i18n.templates import Values

_NELL = 3
"""The rank of the nine."""

_MANY_TRUMPS, _WITH_BUR, _WITH_BUR_AND_NELL = 5, 4, 3
"""The trumps of a strong hand: without the Bur, with it, and with Bur and Nell."""

_FEW_TRUMPS = 3
_MASTERS = 3
"""The number of master cards of a strong hand without trump."""

_MASTERS_IN_TURNS = 4
"""The same where tops and bottoms alternate; some must be masters each way."""

_FEW_FIRSTS = 2
"""The number of aces and sixes that is few for that."""


def hand_set(view: View) -> int:
    """Returns the hand as a set."""
    return card_set([JASS.numbers[text] for text in view["hand"]])


def is_strong(hand: int, contract: Contract) -> bool:
    """Returns whether a hand is strong for a contract, by the rule of this module."""
    if contract.value_ranking in range(4):
        held = (hand & tricks.TRUMP_CARDS[contract.value_ranking]).bit_count()
        needed = _MANY_TRUMPS
        if hand & tricks.BURS[contract.value_ranking]:
            needed = _WITH_BUR_AND_NELL if hand & _nell(contract.value_ranking) else _WITH_BUR
        return held >= needed
    if _is_alternating(contract):
        each = [_master_cards(hand, way).bit_count() for way in (tricks.TOPS, tricks.BOTTOMS)]
        return min(each) > 0 and sum(each) >= _MASTERS_IN_TURNS
    return _master_cards(hand, contract.value_ranking).bit_count() >= _MASTERS


def hand_arguments(hand: int, contract: Contract) -> Iterator[Argument]:
    """Yields the strengths and weaknesses of a hand for a contract (CT3, CT4)."""
    if contract.value_ranking in range(4):
        yield from _trump_arguments(hand, contract.value_ranking)
    elif _is_alternating(contract):
        yield from _tops_and_bottoms(hand, contract)
    else:
        yield from _master_arguments(hand, contract.value_ranking)


def push_traits() -> Mapping[str, Trait]:
    """Returns the traits that distinguish a push from an announcement."""
    return {"apart_push": Trait(0, higher_level_first=True)}


def contract_traits(hand: int, contract: Contract, factor: int) -> Mapping[str, Trait]:
    """Returns the traits that distinguish announcements: masters, trumps, and factor."""
    rankings = set(contract.rankings)
    count = sum(_master_cards(hand, ranking).bit_count() for ranking in rankings)
    start = _master_cards(hand, contract.rankings[0]).bit_count()
    traits = {
        "apart_push": Trait(1, {"count": count}, higher_level_first=True),
        "apart_masters": Trait(count, {"count": count}),
        "apart_start": Trait(start, {"count": start}),
        "apart_factor": Trait(factor, {"factor": factor}),
    }
    if contract.value_ranking in range(4):
        trumps = (hand & tricks.TRUMP_CARDS[contract.value_ranking]).bit_count()
        suit: Values = {"suit": SUITS[contract.value_ranking]}
        has_bur = bool(hand & tricks.BURS[contract.value_ranking])
        traits["apart_bur"] = Trait(has_bur, suit, higher_level_first=True)
        traits["apart_trumps"] = Trait(trumps, {**suit, "count": trumps})
    return traits


def _trump_arguments(hand: int, suit: int) -> Iterator[Argument]:
    """Yields the trumps of a hand, with or without Bur and Nell, and its aces."""
    held = hand & tricks.TRUMP_CARDS[suit]
    bur, count = held & tricks.BURS[suit], held.bit_count()
    aces = hand & ~held & sum(1 << tricks.RANKS * other + 8 for other in range(4))
    values: Values = {"cards": format_cards(held), "count": count}
    if bur and held & _nell(suit) and count >= _WITH_BUR_AND_NELL:
        yield Argument("trump_bur_nell", values)
    if bur and count >= _WITH_BUR_AND_NELL and aces:
        yield Argument("trump_bur_aces", {**values, "cards2": format_cards(aces)})
    if bur and count >= _WITH_BUR:
        yield Argument("trump_bur", values)
    if not bur and count >= _MANY_TRUMPS:
        yield Argument("trump_many", values)
    if not bur and count <= _FEW_TRUMPS:
        few: Values = {"suit": SUITS[suit], "count": count}
        none: Values = {"suit": SUITS[suit]}
        yield (
            Argument("trump_few", few, is_against=True)
            if count
            else Argument("trump_none", none, is_against=True)
        )


def _master_arguments(hand: int, ranking: int) -> Iterator[Argument]:
    """Yields the master cards, or the missing aces or sixes."""
    held = _master_cards(hand, ranking)
    if held.bit_count() >= _MASTERS:
        yield Argument("masters", {"cards": format_cards(held), "count": held.bit_count()})
    name = "bottoms" if ranking == tricks.BOTTOMS else "tops"
    firsts = _top_card_count(hand, ranking)
    if firsts == 1:
        yield Argument(f"{name}_few", {"count": firsts}, is_against=True)
    if firsts == 0:
        yield Argument(f"{name}_none", is_against=True)


def _tops_and_bottoms(hand: int, contract: Contract) -> Iterator[Argument]:
    """Yields the master cards each way, or the small number of aces and sixes."""
    tops, bottoms = _master_cards(hand, tricks.TOPS), _master_cards(hand, tricks.BOTTOMS)
    if is_strong(hand, contract):
        yield Argument(
            "masters_both", {"cards": format_cards(tops), "cards2": format_cards(bottoms)}
        )
    firsts = _top_card_count(hand, tricks.TOPS) + _top_card_count(hand, tricks.BOTTOMS)
    if 1 <= firsts <= _FEW_FIRSTS:
        yield Argument("turns_few", {"count": firsts}, is_against=True)


def longest_suit_argument(hand: int, contract: Contract) -> Iterator[Argument]:
    """Yields that the longest suit is announced for lack of a strong hand."""
    if contract.value_ranking not in range(4) or is_strong(hand, contract):
        return
    lengths = [(hand & suit).bit_count() for suit in tricks.SUIT_CARDS]
    if lengths[contract.value_ranking] == max(lengths):
        values: Values = {"suit": SUITS[contract.value_ranking], "count": max(lengths)}
        yield Argument("longest", values)


def _master_cards(hand: int, ranking: int) -> int:
    """Returns the cards of a hand that are highest of their suits in sequence: A, K, Q."""
    return card_set(
        [card for card in cards_in_set(hand) if not higher_cards_of_suit(card, ranking) & ~hand]
    )


def _top_card_count(hand: int, ranking: int) -> int:
    """Returns the number of aces, or sixes, of a hand."""
    return sum(not higher_cards_of_suit(card, ranking) for card in cards_in_set(hand))


def _is_alternating(contract: Contract) -> bool:
    """Returns whether tops and bottoms alternate (CT4)."""
    return len(set(contract.rankings)) > 1


def _nell(suit: int) -> int:
    """Returns the Nell of a suit, as a set of one card."""
    return 1 << tricks.RANKS * suit + _NELL


def format_cards(cards: int) -> str:
    """Returns cards as text."""
    return " ".join(JASS.texts_of(cards))
