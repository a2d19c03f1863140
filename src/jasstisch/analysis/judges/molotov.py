"""What may be said of a card at Molotov and Offenbach: few points, no bombs, who makes trump."""

from collections.abc import Iterator, Mapping

from jasstisch.analysis import cards
from jasstisch.analysis.grounds import Ground
from jasstisch.analysis.judges.register import holds_apart, judges
from jasstisch.analysis.plays import Play
from jasstisch.analysis.traits import Trait, card_traits
from jasstisch.bots import View
from jasstisch.guides.guide import Values

__all__ = ["judge"]


@judges("molotov", "offenbach")
def judge(view: View, action: str, _best: str) -> Iterator[Ground]:
    """What holds of a card (MV2 - MV6)."""
    play = Play(view, action.split()[1], discard_makes_trump=True)
    yield from filter(None, (tell(play) for tell in TELLS))


@holds_apart("molotov", "offenbach")
def traits(view: View, action: str) -> Mapping[str, Trait]:
    """What tells cards apart."""
    return card_traits(Play(view, action.split()[1], discard_makes_trump=True))


def bomb(play: Play) -> Ground | None:
    """The card makes a molotov (MV4)."""
    if not play.bomb:
        return None
    values: Values = {"card": play.text, "cards": play.bomb_cards, "points": play.bomb_points}
    if play.fate == "lost":
        return Ground("bombs_others", values)
    name = "bombs_self" if play.fate == "sure" else "bombs_perhaps"
    return Ground(name, values, against=True)


def threat(play: Play) -> Ground | None:
    """The card lies beside a neighbour in a trick that it may take; one more makes a molotov."""
    if play.fate == "lost" or not play.neighbours:
        return None
    return Ground("bomb_near", {"card": play.text, "cards": play.neighbours}, against=True)


TELLS = (
    bomb,
    cards.sheds,
    cards.high_under,
    cards.leaves,
    cards.cheap,
    cards.takes_unwanted,
    threat,
    cards.low,
    cards.may_take,
    cards.makes_trump,
    cards.bares,
)
