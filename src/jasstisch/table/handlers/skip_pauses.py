"""The permission to skip the pauses of bots, which requires that no other person needs them.

The pause before a bot's move exists so that people can follow. Skipping it adds nothing to the log
and does not change what is played.
"""

from jasstisch.table import turns
from jasstisch.table.errors import TableError
from jasstisch.table.state import State


def check_may_skip(state: State, person: str, *, to_end: bool) -> None:
    """Checks that a person may skip the pauses of bots now.

    Args:
        state: the state of the table.
        person: the person who asks.
        to_end: whether to skip all pauses until the round is over instead of only the next.

    Raises:
        TableError: the person may not, or no bot is to move.
    """
    own = state.seats.seat_of(person)
    if own is None:
        raise TableError("not_seated", "only who sits at this table can hurry the computers")
    if to_end and not is_round_left_to_bots(state):
        raise TableError("wrong_phase", "somebody at this table still plays in this round")
    others = any(place.is_human_active for seat, place in enumerate(state.seats) if seat != own)
    if others and not to_end:
        raise TableError("wrong_phase", "others at this table want to see what is played")
    if turns.bot_turn(state) is None:
        raise TableError("wrong_phase", "no computer is to move now")


def is_round_left_to_bots(state: State) -> bool:
    """Whether no person at the table has any more actions in the round in progress."""
    match = state.match
    if match is None or state.phase != "playing":
        return False
    present = [seat for seat, place in enumerate(state.seats) if place.is_present]
    return all(match.is_out_of_round(seat) for seat in present)
