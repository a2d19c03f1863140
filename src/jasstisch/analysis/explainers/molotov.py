"""Arguments about a card at Molotov and Offenbach: few points, no bombs, making trump."""

from collections.abc import Iterator, Mapping

from jasstisch.analysis import card_pros_and_cons
from jasstisch.analysis.action_traits import Trait, card_traits
from jasstisch.analysis.candidate_card import CandidateCard
from jasstisch.analysis.explainers.registry import register_explainer, register_trait_finder
from jasstisch.analysis.pros_and_cons import Argument
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
    if not card.completed_bomb:
        return None
    values: Values = {
        "card": card.text,
        "cards": card.bomb_cards,
        "points": card.bomb_points,
    }
    if card.win_status == "lost":
        return Argument("bombs_others", values)
    name = "bombs_self" if card.win_status == "sure" else "bombs_perhaps"
    return Argument(name, values, is_against=True)


def _threat(card: CandidateCard) -> Argument | None:
    """The card is adjacent to another one in a trick that it may win; a third makes a molotov."""
    if card.win_status == "lost" or not card.bomb_threat_pair:
        return None
    return Argument(
        "bomb_near", {"card": card.text, "cards": card.bomb_threat_pair}, is_against=True
    )


_ARGUMENT_RULES = (
    _bomb,
    card_pros_and_cons.sheds,
    card_pros_and_cons.high_under,
    card_pros_and_cons.already_beaten,
    card_pros_and_cons.wins_cheap_trick,
    card_pros_and_cons.takes_unwanted,
    _threat,
    card_pros_and_cons.mostly_higher_out,
    card_pros_and_cons.may_take,
    card_pros_and_cons.makes_trump,
    card_pros_and_cons.last_of_plain_suit,
)
