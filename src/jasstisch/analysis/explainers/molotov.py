"""Arguments about a card at Molotov and Offenbach: few points, no bombs, making trump."""

from collections.abc import Iterator, Mapping

from jasstisch.analysis import card_arguments
from jasstisch.analysis.arguments import Argument
from jasstisch.analysis.candidate_card import CandidateCard
from jasstisch.analysis.explainers.registry import register_explainer, register_trait_finder
from jasstisch.analysis.traits import Trait, card_traits
from jasstisch.bots import View
from jasstisch.i18n.templates import Values


@register_explainer("molotov", "offenbach")
def explain_action(view: View, action: str, _best: str) -> Iterator[Argument]:
    """Yields the arguments about a card (MV2 - MV6)."""
    play = CandidateCard(view, action.split()[1], discard_makes_trump=True)
    yield from filter(None, (tell(play) for tell in _ARGUMENT_RULES))


@register_trait_finder("molotov", "offenbach")
def _action_traits(view: View, action: str) -> Mapping[str, Trait]:
    """Returns the traits of cards."""
    return card_traits(CandidateCard(view, action.split()[1], discard_makes_trump=True))


def _bomb(card: CandidateCard) -> Argument | None:
    """The card makes a molotov (MV4)."""
    if not card.bomb:
        return None
    values: Values = {
        "card": card.text,
        "cards": card.bomb_cards,
        "points": card.bomb_points,
    }
    if card.win_status == "lost":
        return Argument("bombs_others", values)
    name = "bombs_self" if card.win_status == "sure" else "bombs_perhaps"
    return Argument(name, values, against=True)


def _threat(card: CandidateCard) -> Argument | None:
    """The card is adjacent to another one in a trick that it may win; a third makes a molotov."""
    if card.win_status == "lost" or not card.bomb_pair:
        return None
    return Argument("bomb_near", {"card": card.text, "cards": card.bomb_pair}, against=True)


_ARGUMENT_RULES = (
    _bomb,
    card_arguments.sheds,
    card_arguments.high_under,
    card_arguments.already_beaten,
    card_arguments.cheap_win,
    card_arguments.takes_unwanted,
    _threat,
    card_arguments.mostly_higher_out,
    card_arguments.may_take,
    card_arguments.makes_trump,
    card_arguments.last_of_plain_suit,
)
