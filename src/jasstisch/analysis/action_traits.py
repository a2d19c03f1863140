"""Traits: properties that every action has to some degree, such as the points of a card.

An argument holds for some actions and not for others. If the same arguments hold for two actions,
or do not explain the difference, a *trait* can still distinguish them: one has more of it, and by
how much. The trait is chosen by weight, as arguments are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import StatisticsError, correlation, fmean

from jasstisch.analysis.candidate_card import CandidateCard
from jasstisch.analysis.pros_and_cons import NO_VALUES
from jasstisch.bots import View
from jasstisch.bots.greedy.trick_estimates import higher_cards_of_suit
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, cards_in_set
from jasstisch.i18n.templates import Values


@dataclass(frozen=True, slots=True)
class Trait:
    """The degree to which an action has a property.

    Attributes:
        level: the degree.
        placeholder_values: the values of the placeholders of the text, for this action.
        comparison_group: compared only with actions of the same group, such as the cards of a suit.
        higher_level_first: whether the text names the action with the higher level first; else the
            one explained.
    """

    level: float
    placeholder_values: Values = field(default_factory=lambda: NO_VALUES)
    comparison_group: str = ""
    higher_level_first: bool = False


TraitFinder = Callable[[View, str], Mapping[str, Trait]]
"""Returns the traits of an action by the ids of reasons, the most specific first."""


def contrast_placeholder_values(mine: Trait, other: Trait) -> Values:
    """Returns the values of a text that contrasts two actions."""
    turned = mine.higher_level_first and mine.level < other.level
    first, second = (other, mine) if turned else (mine, other)
    return {
        **first.placeholder_values,
        **{f"{name}2": value for name, value in second.placeholder_values.items()},
    }


def correlation_or_zero(levels: Sequence[float], worths: Sequence[float]) -> float:
    """Returns the correlation of levels with the values of the actions, from -1 to 1."""
    try:
        return correlation(levels, worths)
    except StatisticsError:  # all are equal
        return 0.0


def card_traits(card: CandidateCard) -> Mapping[str, Trait]:
    """Returns the traits of a card in any trick-taking game."""
    named: Values = {"card": card.text}
    suit: Values = {"suit": card.letter_of_suit(card.suit)}
    held = (card.position.hand & tricks.SUIT_CARDS[card.suit]).bit_count()
    out = (card.position.unseen & tricks.SUIT_CARDS[card.suit]).bit_count()
    beaten = -higher_cards_of_suit(card.number, card.ranking).bit_count()
    traits = {
        "apart_sure": Trait(card.win_status == "sure", named, higher_level_first=True),
        "apart_may": Trait(card.win_status != "lost", named, higher_level_first=True),
        "apart_trump": Trait(card.is_trump, named, higher_level_first=True),
        "apart_higher": Trait(
            card.higher_unseen_count, {**named, "higher": card.higher_unseen_count}
        ),
        "apart_worth": Trait(card.card_value, {**named, "worth": card.card_value}),
        "apart_length": Trait(held, {**suit, "count": held}),
        "apart_lower": Trait(card.lower_unseen_count, {**named, "lower": card.lower_unseen_count}),
        "apart_out": Trait(out, {**suit, "out": out}),
        "apart_rank": Trait(
            beaten, named, comparison_group=card.letter_of_suit(card.suit), higher_level_first=True
        ),
    }
    left = list(
        cards_in_set(card.position.hand & tricks.SUIT_CARDS[card.suit] & ~(1 << card.number))
    )
    if left:
        strength = -fmean(higher_cards_of_suit(one, card.ranking).bit_count() for one in left)
        kept = " ".join(JASS.texts[one] for one in left)
        traits["apart_left"] = Trait(strength, {**named, "cards": kept})
    return traits
