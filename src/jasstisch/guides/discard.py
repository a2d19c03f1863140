"""The moments of games in which the first discard makes trump (MV2): Molotov and Molotow Jass."""

from jasstisch.guides.guide import Moment, Values
from jasstisch.guides.scene import Scene
from jasstisch.guides.tricks import TRUMPS, in_order, worth

__all__ = ["FIRST_DISCARD"]


def own_discard(scene: Scene) -> Values | None:
    """The learner cannot follow and there is no trump: his card makes it (MV2)."""
    if not scene.to_play or scene.trump or scene.led is None:
        return None
    return {"suit": scene.led} if all(card[1] != scene.led for card in scene.hand) else None


def made(scene: Scene) -> Values | None:
    """Somebody's discard has just made trump (MV2)."""
    if not scene.trump_just_made or scene.last_played is None:
        return None
    seat, card = scene.last_played
    return {"seat": seat, "card": card, "suit": card[1]}


def revalued(scene: Scene) -> Values | None:
    """A jack or nine of the new trump suit had been captured before: it counts anew (C10)."""
    suit = scene.trump
    if not scene.trump_just_made or suit is None:
        return None
    for trick in scene.view["tricks"][: None if scene.taken is None else -1]:
        for card in trick["cards"]:
            if card in {f"J{suit}", f"9{suit}"}:
                return {"card": card, "seat": trick["winner"], "points": worth(card, suit)}
    return None


def values(scene: Scene) -> Values | None:
    """A suit has become trump: its jack and nine are worth more now (C2, C3)."""
    if not scene.trump_just_made or scene.trump is None or revalued(scene) is not None:
        return None
    return {"cards": in_order(scene.trump, TRUMPS)}


FIRST_DISCARD = (
    Moment("trump.own_discard", own_discard),
    Moment("trump.made", made, own=True),
    Moment("trump.values", values),
    Moment("trump.revalued", revalued, own=True),
)
