"""Arguments about a card at Molotow: highest or lowest score, and the hundred."""

from collections.abc import Iterator, Mapping

from jasstisch.analysis import card_pros_and_cons
from jasstisch.analysis.action_traits import Trait, card_traits
from jasstisch.analysis.candidate_card import CandidateCard
from jasstisch.analysis.explainers.registry import register_explainer, register_trait_finder
from jasstisch.analysis.pros_and_cons import Argument
from jasstisch.bots import View
from jasstisch.games.molotow import POTATO_POINTS


@register_explainer("molotow")
def explain_action(view: View, action: str, _best: str) -> Iterator[Argument]:
    """Yields the arguments about a card (MW2 - MW6); the values decide if a trick is wanted."""
    play = CandidateCard(view, action.split()[1], discard_makes_trump=True)
    yield from filter(None, (tell(play) for tell in _ARGUMENT_RULES))


@register_trait_finder("molotow")
def _action_traits(view: View, action: str) -> Mapping[str, Trait]:
    """Returns the traits of cards."""
    return card_traits(CandidateCard(view, action.split()[1], discard_makes_trump=True))


def _hundred(card: CandidateCard) -> Argument | None:
    """The card brings its player to a hundred, but not to all points (MW4, MW5)."""
    total = card.seat_round_points + card.trick_points
    if card.win_status != "sure" or total < POTATO_POINTS or not _shared(card, _seat_of(card)):
        return None
    return Argument("hundred", {"card": card.text, "total": total}, is_against=True)


def _pushes(card: CandidateCard) -> Argument | None:
    """The trick brings another player to a hundred, but not to all points (MW4, MW5)."""
    taker = card.certain_winner_seat
    if taker is None or taker == _seat_of(card) or not _shared(card, taker):
        return None
    total = card.view["points"][taker] + card.trick_points
    if total < POTATO_POINTS:
        return None
    return Argument("pushes", {"card": card.text, "seat": taker, "total": total})


def _shared(card: CandidateCard, taker: int) -> bool:
    """Returns whether another player has points already."""
    return any(points for seat, points in enumerate(card.view["points"]) if seat != taker)


def _stays_lowest(card: CandidateCard) -> Argument | None:
    """The player with the fewest points leaves the trick to others."""
    if (
        card.win_status != "lost"
        or not card.trick_points
        or card.seat_round_points > min(_others(card))
    ):
        return None
    return Argument("stays_lowest", {"card": card.text, "own": card.seat_round_points})


def _stays_highest(card: CandidateCard) -> Argument | None:
    """The player with the most points takes more, below a hundred."""
    top = card.seat_round_points >= max(_others(card)) and card.seat_round_points > 0
    if (
        card.win_status != "sure"
        or not card.trick_points
        or not top
        or card.seat_round_points + card.trick_points >= POTATO_POINTS
    ):
        return None
    return Argument(
        "stays_highest",
        {"card": card.text, "own": card.seat_round_points, "points": card.trick_points},
    )


def _climbs(card: CandidateCard) -> Argument | None:
    """The trick makes its winner the highest, below a hundred."""
    total, most = card.seat_round_points + card.trick_points, max(_others(card))
    if (
        card.win_status != "sure"
        or card.seat_round_points >= most
        or not most < total < POTATO_POINTS
    ):
        return None
    return Argument("climbs", {"card": card.text, "points": card.trick_points, "total": total})


def _others(card: CandidateCard) -> list[int]:
    """Returns the points of the others."""
    points: list[int] = card.view["points"]
    return [one for seat, one in enumerate(points) if seat != _seat_of(card)]


def _seat_of(card: CandidateCard) -> int:
    """Returns the seat that plays."""
    return card.position.seat


_ARGUMENT_RULES = (
    _hundred,
    _pushes,
    _stays_highest,
    _climbs,
    _stays_lowest,
    card_pros_and_cons.sheds,
    card_pros_and_cons.takes,
    card_pros_and_cons.high_under,
    card_pros_and_cons.already_beaten,
    card_pros_and_cons.sure_lead,
    card_pros_and_cons.mostly_higher_out,
    card_pros_and_cons.probably_takes,
    card_pros_and_cons.wins_cheap_trick,
    card_pros_and_cons.wastes,
    card_pros_and_cons.makes_trump,
    card_pros_and_cons.last_of_plain_suit,
)
