"""Claiming all remaining tricks of a round at once, where a seat is sure to take them.

The claim is decided by that seat's information alone, and only where the result does not depend on
the play of the others; see `Rules.sure_tricks`. The seat's cards are then played in the order that
takes the tricks, and the others play their lowest legal cards. These are ordinary actions, so that
match, record, verification and replay need no special case. They cannot be undone, because they
reveal all hands.
"""

from jasstisch.table import events, per_reader_info
from jasstisch.table.errors import TableError
from jasstisch.table.state import State


def decide(state: State, seat: int, took: int) -> list[events.Event]:
    """The events when the person of a seat claims the rest.

    Args:
        state: the state of the table.
        seat: the seat that claims the rest.
        took: milliseconds of its turn, where they are counted.

    Raises:
        TableError: the seat is not sure of all remaining tricks, or no round is being played.
    """
    match = state.match
    if match is None or state.phase != "playing":
        raise TableError("wrong_phase", "no round is being played")
    if state.seats[seat].is_away:
        raise TableError("wrong_phase", "the computer plays for you; say back to go on yourself")
    if not per_reader_info.can_claim_rest(state, seat):
        raise TableError("no_rest", "it is not sure that all tricks that are left are yours")
    (_, first), *others = match.play_out_sure_tricks(seat)
    laid: list[events.Event] = [
        events.Acted(actor, action, "person" if actor == seat else "computer")
        for actor, action in others
    ]
    return [events.RestClaimed(seat), events.Acted(seat, first, "person", took), *laid]
