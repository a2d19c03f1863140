"""Taking all tricks that are left of a round at once, where they are sure to be somebody's.

Whose they are is told by what he sees alone, and only where everything comes to the same whatever
the others play; see `Rules.rest`. His cards are then laid in the order that takes them, and for
the others the lowest that they may play. These are actions like all others, so that match, record,
proof and replay know nothing more of it. Nothing goes back over them: they show all hands.
"""

from jasstisch.table import events
from jasstisch.table.errors import TableError
from jasstisch.table.state import State

__all__ = ["decide"]


def decide(state: State, seat: int, took: int) -> list[events.Event]:
    """What follows when the person of a seat takes the rest.

    Args:
        state: how the table stands.
        seat: whose the rest is to be.
        took: milliseconds of his turn, where they are counted.

    Raises:
        TableError: it is not sure to be his, or nothing is played now.
    """
    match = state.match
    if match is None or state.phase != "playing":
        raise TableError("wrong_phase", "no round is being played")
    if state.seats[seat].is_away:
        raise TableError("wrong_phase", "the computer plays for you; say back to go on yourself")
    if not state.can_claim_rest(seat):
        raise TableError("no_rest", "it is not sure that all tricks that are left are yours")
    (_, first), *others = match.play_out_sure_tricks(seat)
    laid: list[events.Event] = [
        events.Acted(actor, action, "person" if actor == seat else "computer")
        for actor, action in others
    ]
    return [events.RestClaimed(seat), events.Acted(seat, first, "person", took), *laid]
