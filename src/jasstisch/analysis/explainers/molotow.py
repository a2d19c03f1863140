"""Arguments about a card at Molotow: highest or lowest score, and the hundred."""

from collections.abc import Iterator, Mapping

from jasstisch.analysis import card_arguments
from jasstisch.analysis.arguments import Argument
from jasstisch.analysis.card_play import CardPlay
from jasstisch.analysis.explainers.registry import distinguishes, explains
from jasstisch.analysis.traits import Trait, card_traits
from jasstisch.bots import View
from jasstisch.games.molotow import POTATO_POINTS

__all__ = ["explain_action"]


@explains("molotow")
def explain_action(view: View, action: str, _best: str) -> Iterator[Argument]:
    """Yields the arguments about a card (MW2 - MW6); the values decide if a trick is wanted."""
    play = CardPlay(view, action.split()[1], discard_makes_trump=True)
    yield from filter(None, (tell(play) for tell in ARGUMENT_RULES))


@distinguishes("molotow")
def action_traits(view: View, action: str) -> Mapping[str, Trait]:
    """Returns the traits of cards."""
    return card_traits(CardPlay(view, action.split()[1], discard_makes_trump=True))


def hundred(play: CardPlay) -> Argument | None:
    """The card brings its player to a hundred, but not to all points (MW4, MW5)."""
    total = play.own_points + play.points
    if play.win_status != "sure" or total < POTATO_POINTS or not shared(play, seat_of(play)):
        return None
    return Argument("hundred", {"card": play.text, "total": total}, against=True)


def pushes(play: CardPlay) -> Argument | None:
    """The trick brings another player to a hundred, but not to all points (MW4, MW5)."""
    taker = play.winner
    if taker is None or taker == seat_of(play) or not shared(play, taker):
        return None
    total = play.view["points"][taker] + play.points
    if total < POTATO_POINTS:
        return None
    return Argument("pushes", {"card": play.text, "seat": taker, "total": total})


def shared(play: CardPlay, taker: int) -> bool:
    """Returns whether another player has points already."""
    return any(points for seat, points in enumerate(play.view["points"]) if seat != taker)


def stays_lowest(play: CardPlay) -> Argument | None:
    """The player with the fewest points leaves the trick to others."""
    if play.win_status != "lost" or not play.points or play.own_points > min(others(play)):
        return None
    return Argument("stays_lowest", {"card": play.text, "own": play.own_points})


def stays_highest(play: CardPlay) -> Argument | None:
    """The player with the most points takes more, below a hundred."""
    top = play.own_points >= max(others(play)) and play.own_points > 0
    if (
        play.win_status != "sure"
        or not play.points
        or not top
        or play.own_points + play.points >= POTATO_POINTS
    ):
        return None
    return Argument(
        "stays_highest", {"card": play.text, "own": play.own_points, "points": play.points}
    )


def climbs(play: CardPlay) -> Argument | None:
    """The trick makes its winner the highest, below a hundred."""
    total, most = play.own_points + play.points, max(others(play))
    if play.win_status != "sure" or play.own_points >= most or not most < total < POTATO_POINTS:
        return None
    return Argument("climbs", {"card": play.text, "points": play.points, "total": total})


def others(play: CardPlay) -> list[int]:
    """Returns the points of the others."""
    points: list[int] = play.view["points"]
    return [one for seat, one in enumerate(points) if seat != seat_of(play)]


def seat_of(play: CardPlay) -> int:
    """Returns the seat that plays."""
    return play.position.seat


ARGUMENT_RULES = (
    hundred,
    pushes,
    stays_highest,
    climbs,
    stays_lowest,
    card_arguments.sheds,
    card_arguments.takes,
    card_arguments.high_under,
    card_arguments.leaves,
    card_arguments.sure_lead,
    card_arguments.low,
    card_arguments.should_take,
    card_arguments.cheap,
    card_arguments.wastes,
    card_arguments.makes_trump,
    card_arguments.bares,
)
