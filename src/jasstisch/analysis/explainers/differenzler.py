"""Arguments about a bid or a card at Differenzler, relative to the bid."""

from collections.abc import Iterable, Iterator, Mapping

from jasstisch.analysis import card_pros_and_cons
from jasstisch.analysis.action_traits import Trait, card_traits
from jasstisch.analysis.candidate_card import CandidateCard
from jasstisch.analysis.explainers.registry import register_explainer, register_trait_finder
from jasstisch.analysis.pros_and_cons import Argument
from jasstisch.bots import View
from jasstisch.engine import tricks
from jasstisch.i18n.templates import Values

_LOW_BID = 15
"""A bid below this one is made by staying low."""


@register_explainer("differenzler")
def explain_action(view: View, action: str, best: str) -> Iterable[Argument]:
    """Yields the arguments about a bid or a card (DF3, DF6)."""
    verb, what = action.split()
    if verb == "bid":
        return _bid(view, int(what), int(best.split()[1]))
    return _card(CandidateCard(view, what, discard_makes_trump=False), view["bids"][view["seat"]])


@register_trait_finder("differenzler")
def _action_traits(view: View, action: str) -> Mapping[str, Trait]:
    """Returns the traits of cards; bids are distinguished by their points."""
    verb, what = action.split()
    return (
        {} if verb == "bid" else card_traits(CandidateCard(view, what, discard_makes_trump=False))
    )


def _bid(view: View, points: int, best: int) -> Iterator[Argument]:
    """Compares a bid with the estimate of the hand."""
    if points != best:
        name = "bid_high" if points > best else "bid_low"
        yield Argument(name, {"bid": points, "bid2": best}, is_against=True, is_absolute=True)
        return
    strong = [text for text in view["hand"] if text[1] == view["trump"] or text[0] == "A"]
    if strong and points < _LOW_BID:
        yield Argument("bid_few", {"bid": points}, is_absolute=True)
    elif strong:
        yield Argument("bid", {"bid": points, "cards": " ".join(strong)}, is_absolute=True)
    else:
        yield Argument("bid_weak", {"bid": points}, is_absolute=True)


def _card(card: CandidateCard, bid: int) -> Iterator[Argument]:
    """Compares a card with the points still needed."""
    need = bid - card.seat_round_points
    yield from _with_bid(card, bid, need)
    yield from filter(
        None,
        (
            tell(card)
            for tell in (
                card_pros_and_cons.POINT_SEEKING if _wants_points(card, need) else _POINT_AVOIDING
            )
        ),
    )


def _wants_points(card: CandidateCard, need: int) -> bool:
    """Returns whether more points are needed than an equal share of those left."""
    taken = sum(tricks.points(cards, card.trump) for cards in card.position.taken)
    return need * card.position.players > tricks.ALL_POINTS - taken


def _with_bid(card: CandidateCard, bid: int, need: int) -> Iterator[Argument]:
    """The effect of the trick on the difference to the bid."""
    wanted = card.trick_points < 2 * need  # it reduces the difference to the bid
    stand: Values = {"card": card.text, "own": card.seat_round_points, "bid": bid}
    if card.win_status == "sure" and card.trick_points:
        points: Values = {"card": card.text, "points": card.trick_points}
        if card.trick_points == need:
            yield Argument("hits", points)
        if wanted:
            yield Argument("brings", {**points, "need": need})
        else:
            yield Argument("overshoots", {**stand, "points": card.trick_points}, is_against=True)
    if card.win_status == "lost" and card.trick_points and not wanted:
        yield Argument("declines", {**stand, "points": card.trick_points})


_POINT_AVOIDING = (
    card_pros_and_cons.sheds,
    card_pros_and_cons.high_under,
    card_pros_and_cons.already_beaten,
    card_pros_and_cons.wins_cheap_trick,
    card_pros_and_cons.mostly_higher_out,
    card_pros_and_cons.may_take,
    card_pros_and_cons.sure_lead,
    card_pros_and_cons.last_of_plain_suit,
    card_pros_and_cons.draws_trumps,
)
"""The rules to check where few points are needed."""
