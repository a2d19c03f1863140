"""Arguments at Coiffeur: which line to play and which to keep, and cards for the own side."""

from collections.abc import Iterable, Iterator, Mapping

from jasstisch.analysis import side_card_pros_and_cons
from jasstisch.analysis.action_traits import Trait, card_traits
from jasstisch.analysis.announcement_pros_and_cons import (
    contract_traits,
    hand_arguments,
    hand_set,
    is_strong,
    longest_suit_argument,
    push_traits,
)
from jasstisch.analysis.explainers.registry import register_explainer, register_trait_finder
from jasstisch.analysis.partner_game_candidate_card import PartnerGameCandidateCard
from jasstisch.analysis.pros_and_cons import Argument
from jasstisch.bots import View
from jasstisch.games.coiffeur import slate_lines_of
from jasstisch.games.contracts import CONTRACTS, PUSH, Contract, SlateLine, contract_text
from jasstisch.games.rules import Game


@register_explainer("coiffeur")
def explain_action(view: View, action: str, _best: str) -> Iterable[Argument]:
    """Yields the arguments about an announcement, a push, or a card (CO1 - CO4)."""
    if view["phase"] == "announce":
        lines = _open_lines(view)
        return _push(view, lines) if action == PUSH else _announce(view, action, lines)
    play = PartnerGameCandidateCard(view, action.split()[1])
    return filter(None, (tell(play) for tell in side_card_pros_and_cons.ARGUMENT_RULES))


@register_trait_finder("coiffeur")
def _action_traits(view: View, action: str) -> Mapping[str, Trait]:
    """Returns the traits of announcements and cards."""
    if view["phase"] != "announce":
        return card_traits(PartnerGameCandidateCard(view, action.split()[1]))
    if action == PUSH:
        return push_traits()
    factor = next(line.factor for line in _open_lines(view) if action in line.announcements)
    return contract_traits(hand_set(view), _contract_of(action), factor)


def _open_lines(view: View) -> list[SlateLine]:
    """Returns the open lines of the own side (CO1)."""
    played = view["standing"][view["seat"]]["lines"]
    slate = slate_lines_of(Game(view["game"], view["options"]))
    return [line for line in slate if line.text not in played]


def _push(view: View, lines: list[SlateLine]) -> Iterator[Argument]:
    """The hand is strong for no open line (CO2)."""
    if not _strong_lines(hand_set(view), lines):
        yield Argument("push_lines")


def _announce(view: View, text: str, lines: list[SlateLine]) -> Iterator[Argument]:
    """Yields the strengths of the hand for a line, and whether the line should wait (CO1, CO2)."""
    hand, contract = hand_set(view), _contract_of(text)
    factor = next(line.factor for line in lines if text in line.announcements)
    cheapest = min(line.factor for line in lines)
    yield from hand_arguments(hand, contract)
    if _is_joker(text) and _strong_lines(hand, [one for one in lines if not _is_joker(one.text)]):
        yield Argument("joker_kept", {"factor": factor}, is_against=True)
    if len(lines) == 1:
        yield Argument("line_last", {"factor": factor})
    strong_factors = _strong_lines(hand, lines)
    if is_strong(hand, contract):
        if factor == max(strong_factors) > min(strong_factors):
            yield Argument("line_dearest", {"factor": factor})
    elif factor > cheapest:
        yield Argument("line_kept", {"factor": factor}, is_against=True)
    if view["pushes"] >= len(view["players"]):
        if factor == cheapest and len(lines) > 1:
            yield Argument("line_cheapest", {"factor": factor})
        yield from longest_suit_argument(hand, contract)


def _strong_lines(hand: int, lines: list[SlateLine]) -> list[int]:
    """Returns the factors of the lines for which a hand is strong."""
    return [
        line.factor
        for line in lines
        if any(is_strong(hand, _contract_of(text)) for text in line.announcements)
    ]


def _is_joker(text: str) -> bool:
    """Returns whether a line, or an announcement of it, is a joker (CO1)."""
    return text.startswith("joker")


def _contract_of(announcement: str) -> Contract:
    """Returns the announced contract."""
    return CONTRACTS[contract_text(announcement)]
