"""What may be said of a card at Molotow: to be highest or lowest, and the hundred."""

from collections.abc import Iterator, Mapping

from jasstisch.analysis import cards
from jasstisch.analysis.grounds import Ground
from jasstisch.analysis.judges.register import holds_apart, judges
from jasstisch.analysis.plays import Play
from jasstisch.analysis.traits import Trait, card_traits
from jasstisch.bots import View
from jasstisch.games.molotow import MANY_POINTS

__all__ = ["judge"]


@judges("molotow")
def judge(view: View, action: str, _best: str) -> Iterator[Ground]:
    """What holds of a card (MW2 - MW6); whether a trick is wanted, the weighing has to say."""
    play = Play(view, action.split()[1], discard_makes_trump=True)
    yield from filter(None, (tell(play) for tell in TELLS))


@holds_apart("molotow")
def traits(view: View, action: str) -> Mapping[str, Trait]:
    """What tells cards apart."""
    return card_traits(Play(view, action.split()[1], discard_makes_trump=True))


def hundred(play: Play) -> Ground | None:
    """The card brings its player to a hundred, and not to all there is (MW4, MW5)."""
    total = play.own + play.points
    if play.fate != "sure" or total < MANY_POINTS or not shared(play, seat_of(play)):
        return None
    return Ground("hundred", {"card": play.text, "total": total}, against=True)


def pushes(play: Play) -> Ground | None:
    """The trick brings somebody else to a hundred, and not to all there is (MW4, MW5)."""
    taker = play.taker
    if taker is None or taker == seat_of(play) or not shared(play, taker):
        return None
    total = play.view["points"][taker] + play.points
    if total < MANY_POINTS:
        return None
    return Ground("pushes", {"card": play.text, "seat": taker, "total": total})


def shared(play: Play, taker: int) -> bool:
    """Whether somebody else than this one has points already."""
    return any(points for seat, points in enumerate(play.view["points"]) if seat != taker)


def stays_lowest(play: Play) -> Ground | None:
    """Who has fewest leaves the trick to others."""
    if play.fate != "lost" or not play.points or play.own > min(others(play)):
        return None
    return Ground("stays_lowest", {"card": play.text, "own": play.own})


def stays_highest(play: Play) -> Ground | None:
    """Who has most takes more, below a hundred."""
    top = play.own >= max(others(play)) and play.own > 0
    if play.fate != "sure" or not play.points or not top or play.own + play.points >= MANY_POINTS:
        return None
    return Ground("stays_highest", {"card": play.text, "own": play.own, "points": play.points})


def climbs(play: Play) -> Ground | None:
    """The trick puts its taker above all others, below a hundred."""
    total, most = play.own + play.points, max(others(play))
    if play.fate != "sure" or play.own >= most or not most < total < MANY_POINTS:
        return None
    return Ground("climbs", {"card": play.text, "points": play.points, "total": total})


def others(play: Play) -> list[int]:
    """The points of the others."""
    points: list[int] = play.view["points"]
    return [one for seat, one in enumerate(points) if seat != seat_of(play)]


def seat_of(play: Play) -> int:
    """The seat that plays."""
    return play.position.seat


TELLS = (
    hundred,
    pushes,
    stays_highest,
    climbs,
    stays_lowest,
    cards.sheds,
    cards.takes,
    cards.high_under,
    cards.leaves,
    cards.sure_lead,
    cards.low,
    cards.should_take,
    cards.cheap,
    cards.wastes,
    cards.makes_trump,
    cards.bares,
)
