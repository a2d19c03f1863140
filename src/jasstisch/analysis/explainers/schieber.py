"""Arguments at Schieber: announcing or pushing, cards for the own side, Weis and Stöck, the end."""

from collections.abc import Iterable, Iterator, Mapping

from jasstisch.analysis import side_card_pros_and_cons
from jasstisch.analysis.action_traits import Trait, card_traits
from jasstisch.analysis.announcement_pros_and_cons import (
    contract_traits,
    format_cards,
    hand_arguments,
    hand_set,
    is_strong,
    longest_suit_argument,
    push_traits,
)
from jasstisch.analysis.explainers.registry import register_explainer, register_trait_finder
from jasstisch.analysis.partner_game_candidate_card import PartnerGameCandidateCard
from jasstisch.analysis.pros_and_cons import WEIS_WORD, Argument, weis_arguments
from jasstisch.bots import View
from jasstisch.games.contracts import CONTRACTS, PUSH
from jasstisch.games.schieber import factor_of, open_contracts
from jasstisch.games.weis import KING_AND_QUEEN, STOECK


@register_explainer("schieber")
def explain_action(view: View, action: str, _best: str) -> Iterable[Argument]:
    """Yields the arguments about an announcement, a push, or a card (SC1 - SC6)."""
    if view["phase"] == "announce":
        return _push(view) if action == PUSH else _announce(view, action)
    return _card(view, action)


@register_trait_finder("schieber")
def _action_traits(view: View, action: str) -> Mapping[str, Trait]:
    """Returns the traits of announcements and cards."""
    if view["phase"] != "announce":
        return card_traits(PartnerGameCandidateCard(view, action.split()[1]))
    if action == PUSH:
        return push_traits()
    contract = CONTRACTS[action]
    factor = factor_of(contract.value_ranking, view["options"]["multipliers"])
    return contract_traits(hand_set(view), contract, factor)


def _push(view: View) -> Iterator[Argument]:
    """The hand is strong for no contract (SC1)."""
    hand = hand_set(view)
    if not any(is_strong(hand, CONTRACTS[text]) for text in open_contracts(view["options"])):
        yield Argument("push_weak")


def _announce(view: View, text: str) -> Iterator[Argument]:
    """Yields the strengths of the hand for a contract, and its factor (SC2, SC5)."""
    hand, contract, options = hand_set(view), CONTRACTS[text], view["options"]
    yield from hand_arguments(hand, contract)
    factor = factor_of(contract.value_ranking, options["multipliers"])
    if factor > 1:
        yield Argument("counts", {"factor": factor})
    pair = KING_AND_QUEEN[contract.value_ranking]
    if options["weis"] == "on" and pair and hand & pair == pair:
        yield Argument("stoeck_held", {"cards": format_cards(pair), "points": STOECK})
    if view["pushed"]:
        yield from longest_suit_argument(hand, contract)


def _card(view: View, action: str) -> Iterator[Argument]:
    """Yields the arguments about a card, and about the Weis announced with it or kept back."""
    _, text, *words = action.split()
    play = PartnerGameCandidateCard(view, text)
    yield from filter(None, (tell(play) for tell in _ARGUMENT_RULES))
    yield from weis_arguments(view, announced=WEIS_WORD in words)


def _wins(card: PartnerGameCandidateCard) -> Argument | None:
    """The trick brings the side to the target before the other side can reach it (SC6)."""
    view, options = card.view, card.view["options"]
    if options["rounds"] or options["end"] != "at_once" or not view["tricks"]:
        return None
    if (
        card.side_win_status != "sure"
        or _after(card, card.seat, card.trick_points) < options["target"]
    ):
        return None
    # Stöck of the other side in this trick would count first.
    if _after(card, card.opponents[0], STOECK) >= options["target"]:
        return None
    return Argument("wins", {"target": options["target"]})


def _after(card: PartnerGameCandidateCard, seat: int, more: int) -> int:
    """Returns the match score of a seat's side with more points in this round."""
    view = card.view
    total: int = view["standing"][seat]["points"] + (view["points"][seat] + more) * view["factor"]
    return total


def _stoeck(card: PartnerGameCandidateCard) -> Argument | None:
    """The second of king and queen of trumps is played, both from the same hand (SC4)."""
    pair = KING_AND_QUEEN[card.value_ranking]
    if card.view["options"]["weis"] == "off" or not pair >> card.number & 1:
        return None
    other = format_cards(pair & ~(1 << card.number))
    own = [one["cards"][(card.seat - one["leader"]) % 4] for one in card.view["tricks"]]
    return Argument("stoeck", {"card": card.text, "points": STOECK}) if other in own else None


_ARGUMENT_RULES = (_wins, *side_card_pros_and_cons.ARGUMENT_RULES, _stoeck)
