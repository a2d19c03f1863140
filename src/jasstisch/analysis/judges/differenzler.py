"""What may be said of a bid or a card at Differenzler: how it stands with the bid."""

from collections.abc import Iterable, Iterator, Mapping

from jasstisch import tricks
from jasstisch.analysis import cards
from jasstisch.analysis.grounds import Ground
from jasstisch.analysis.judges.register import holds_apart, judges
from jasstisch.analysis.plays import Play
from jasstisch.analysis.traits import Trait, card_traits
from jasstisch.bots import View
from jasstisch.guides.guide import Values

__all__ = ["judge"]

FEW = 15
"""A bid below this one is made by staying low."""


@judges("differenzler")
def judge(view: View, action: str, best: str) -> Iterable[Ground]:
    """What holds of a bid or a card (DF3, DF6)."""
    verb, what = action.split()
    if verb == "bid":
        return bid(view, int(what), int(best.split()[1]))
    return card(Play(view, what, discard_makes_trump=False), view["bids"][view["seat"]])


@holds_apart("differenzler")
def traits(view: View, action: str) -> Mapping[str, Trait]:
    """What tells cards apart; bids are told apart by the points."""
    verb, what = action.split()
    return {} if verb == "bid" else card_traits(Play(view, what, discard_makes_trump=False))


def bid(view: View, points: int, best: int) -> Iterator[Ground]:
    """A bid against what the hand is good for."""
    if points != best:
        name = "bid_high" if points > best else "bid_low"
        yield Ground(name, {"bid": points, "bid2": best}, against=True, always=True)
        return
    strong = [text for text in view["hand"] if text[1] == view["trump"] or text[0] == "A"]
    if strong and points < FEW:
        yield Ground("bid_few", {"bid": points}, always=True)
    elif strong:
        yield Ground("bid", {"bid": points, "cards": " ".join(strong)}, always=True)
    else:
        yield Ground("bid_weak", {"bid": points}, always=True)


def card(play: Play, bid: int) -> Iterator[Ground]:
    """A card against the points still wanted."""
    need = bid - play.own
    yield from with_bid(play, bid, need)
    yield from filter(
        None, (tell(play) for tell in (cards.EAGER if is_eager(play, need) else MODEST))
    )


def is_eager(play: Play, need: int) -> bool:
    """Whether more points are needed than an equal share of those still to be had."""
    taken = sum(tricks.points(cards, play.trump) for cards in play.position.taken)
    return need * play.position.players > tricks.ALL_POINTS - taken


def with_bid(play: Play, bid: int, need: int) -> Iterator[Ground]:
    """What the trick does to the bid."""
    wanted = play.points < 2 * need  # it brings the points nearer to the bid than they are
    stand: Values = {"card": play.text, "own": play.own, "bid": bid}
    if play.fate == "sure" and play.points:
        points: Values = {"card": play.text, "points": play.points}
        if play.points == need:
            yield Ground("hits", points)
        if wanted:
            yield Ground("brings", {**points, "need": need})
        else:
            yield Ground("overshoots", {**stand, "points": play.points}, against=True)
    if play.fate == "lost" and play.points and not wanted:
        yield Ground("declines", {**stand, "points": play.points})


MODEST = (
    cards.sheds,
    cards.high_under,
    cards.leaves,
    cards.cheap,
    cards.low,
    cards.may_take,
    cards.sure_lead,
    cards.bares,
    cards.draws,
)
"""What is looked at where few points are needed."""
