"""What may be said at Jass each for himself: to play or not, twenty-one points, Weis, the six."""

from collections.abc import Iterator, Mapping

from jasstisch.analysis import cards
from jasstisch.analysis.grounds import Ground
from jasstisch.analysis.judges.register import holds_apart, judges
from jasstisch.analysis.plays import Play
from jasstisch.analysis.traits import Trait, card_traits
from jasstisch.analysis.weis import WEIS, weis
from jasstisch.bots import View
from jasstisch.games.jass import ENOUGH

__all__ = ["judge"]


@judges("jass")
def judge(view: View, action: str, _best: str) -> Iterator[Ground]:
    """What holds of an answer, of robbing, or of a card (JS4 - JS9)."""
    verb, *words = action.split()
    if verb == "rob":
        yield Ground("rob", {"card": f"6{view['trump']}", "card2": view["turned"]})
    elif verb != "play":
        yield answer(view, verb)
    else:
        yield from weis(view, announced=WEIS in words)
        play = Play(view, words[0], discard_makes_trump=False)
        yield from filter(None, (tell(play) for tell in TELLS))


@holds_apart("jass")
def traits(view: View, action: str) -> Mapping[str, Trait]:
    """What tells cards apart."""
    verb, *words = action.split()
    return card_traits(Play(view, words[0], discard_makes_trump=False)) if verb == "play" else {}


def answer(view: View, said: str) -> Ground:
    """What the hand is like that is played, dropped or laid away (JS4)."""
    if said == "blind":
        return Ground("blind")
    strong = [text for text in view["hand"] if text[1] == view["trump"] or text[0] == "A"]
    if not strong:
        return Ground(f"{said}_weak")
    return Ground(said, {"cards": " ".join(strong)})


def reaches(play: Play) -> Ground | None:
    """The trick brings the twenty-one points that keep from a null (JS9)."""
    total = play.own + play.points
    if play.fate != "sure" or not play.own < ENOUGH <= total:
        return None
    return Ground("reaches", {"card": play.text, "points": play.points, "total": total})


TELLS = (reaches, cards.takes, *cards.EAGER)
