"""What every action of a kind has, more of it or less: what a card counts, how much can beat it.

A ground holds of some actions and not of others. Where the same holds of two actions, or what holds
of one of them is not what made it worse, a *trait* still tells them apart: of which there is more,
and how much. Which trait is told the weighing says, as with grounds.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import StatisticsError, correlation, fmean

from jasstisch.analysis.arguments import NO_VALUES
from jasstisch.analysis.card_play import CardPlay
from jasstisch.bots import View
from jasstisch.bots.greedy.trick_estimates import higher_cards_of_suit
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, members
from jasstisch.i18n.templates import Values

__all__ = ["Trait", "TraitFinder", "card_traits", "contrast_values", "correlation_or_zero"]


@dataclass(frozen=True, slots=True)
class Trait:
    """How much an action has of something.

    Attributes:
        level: how much.
        values: what stands in the gaps of the text, for this action.
        among: only with others of the same kind it is held against, such as the cards of a suit.
        leads: whether the text names the action first that has more of it; else the one spoken of.
    """

    level: float
    values: Values = field(default_factory=lambda: NO_VALUES)
    among: str = ""
    leads: bool = False


TraitFinder = Callable[[View, str], Mapping[str, Trait]]
"""Says what an action has, by the ids of reasons, the most telling first."""


def contrast_values(mine: Trait, other: Trait) -> Values:
    """The values of a text that holds two actions against each other."""
    turned = mine.leads and mine.level < other.level
    first, second = (other, mine) if turned else (mine, other)
    return {**first.values, **{f"{name}2": value for name, value in second.values.items()}}


def correlation_or_zero(levels: Sequence[float], worths: Sequence[float]) -> float:
    """How well some levels go along with what the actions are worth, from -1 to 1."""
    try:
        return correlation(levels, worths)
    except StatisticsError:  # all are alike
        return 0.0


def card_traits(play: CardPlay) -> Mapping[str, Trait]:
    """What a card has in any game of tricks."""
    card: Values = {"card": play.text}
    suit: Values = {"suit": play.letter_of(play.suit)}
    held = (play.position.hand & tricks.SUIT_CARDS[play.suit]).bit_count()
    out = (play.position.unseen & tricks.SUIT_CARDS[play.suit]).bit_count()
    beaten = -higher_cards_of_suit(play.card, play.ranking).bit_count()
    traits = {
        "apart_sure": Trait(play.win_status == "sure", card, leads=True),
        "apart_may": Trait(play.win_status != "lost", card, leads=True),
        "apart_trump": Trait(play.is_trump, card, leads=True),
        "apart_higher": Trait(play.higher, {**card, "higher": play.higher}),
        "apart_worth": Trait(play.card_value, {**card, "worth": play.card_value}),
        "apart_length": Trait(held, {**suit, "count": held}),
        "apart_lower": Trait(play.lower, {**card, "lower": play.lower}),
        "apart_out": Trait(out, {**suit, "out": out}),
        "apart_rank": Trait(beaten, card, among=play.letter_of(play.suit), leads=True),
    }
    left = list(members(play.position.hand & tricks.SUIT_CARDS[play.suit] & ~(1 << play.card)))
    if left:
        strength = -fmean(higher_cards_of_suit(one, play.ranking).bit_count() for one in left)
        kept = " ".join(JASS.texts[one] for one in left)
        traits["apart_left"] = Trait(strength, {**card, "cards": kept})
    return traits
