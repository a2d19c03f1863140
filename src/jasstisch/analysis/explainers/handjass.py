"""Arguments at individual Jass: playing or not, twenty-one points, Weis, the six."""

from collections.abc import Iterator, Mapping

from jasstisch.analysis import card_pros_and_cons
from jasstisch.analysis.action_traits import Trait, card_traits
from jasstisch.analysis.candidate_card import CandidateCard
from jasstisch.analysis.explainers.registry import register_explainer, register_trait_finder
from jasstisch.analysis.pros_and_cons import WEIS_WORD, Argument, weis_arguments
from jasstisch.bots import View
from jasstisch.games.handjass import MIN_POINTS


@register_explainer("jass")
def explain_action(view: View, action: str, _best: str) -> Iterator[Argument]:
    """Yields the arguments about an answer, robbing, or a card (JS4 - JS9)."""
    verb, *words = action.split()
    if verb == "rob":
        yield Argument("rob", {"card": f"6{view['trump']}", "card2": view["turned"]})
    elif verb != "play":
        yield _answer(view, verb)
    else:
        yield from weis_arguments(view, announced=WEIS_WORD in words)
        play = CandidateCard(view, words[0], discard_makes_trump=False)
        yield from filter(None, (tell(play) for tell in _ARGUMENT_RULES))


@register_trait_finder("jass")
def _action_traits(view: View, action: str) -> Mapping[str, Trait]:
    """Returns the traits of cards."""
    verb, *words = action.split()
    return (
        card_traits(CandidateCard(view, words[0], discard_makes_trump=False))
        if verb == "play"
        else {}
    )


def _answer(view: View, said: str) -> Argument:
    """Returns the quality of the hand that is played, dropped or exchanged (JS4)."""
    if said == "blind":
        return Argument("blind")
    strong = [text for text in view["hand"] if text[1] == view["trump"] or text[0] == "A"]
    if not strong:
        return Argument(f"{said}_weak")
    return Argument(said, {"cards": " ".join(strong)})


def _reaches(card: CandidateCard) -> Argument | None:
    """The trick reaches the twenty-one points that avoid a null (JS9)."""
    total = card.seat_round_points + card.trick_points
    if card.win_status != "sure" or not card.seat_round_points < MIN_POINTS <= total:
        return None
    return Argument("reaches", {"card": card.text, "points": card.trick_points, "total": total})


_ARGUMENT_RULES = (_reaches, card_pros_and_cons.takes, *card_pros_and_cons.POINT_SEEKING)
