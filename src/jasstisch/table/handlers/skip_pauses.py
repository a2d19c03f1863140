"""Who may hurry the computers on: whoever keeps nobody from looking on.

What is hurried is the pause before a computer's move, which is there for people. Nothing of it is
in the log, and nothing that is played is another for it.
"""

from jasstisch.table.errors import TableError
from jasstisch.table.state import State

__all__ = ["check_may_skip", "is_only_watched"]


def check_may_skip(state: State, person: str, *, to_end: bool) -> None:
    """Makes sure that somebody may hurry the computers now.

    Args:
        state: how the table stands.
        person: who wants to.
        to_end: all that they do until the round is over, and not their next move alone.

    Raises:
        TableError: he may not, or no computer is to move.
    """
    own = state.seat_of(person)
    if own is None:
        raise TableError("not_seated", "only who sits at this table can hurry the computers")
    if to_end and not is_only_watched(state):
        raise TableError("wrong_phase", "somebody at this table still plays in this round")
    others = any(state.is_human_active(seat) for seat in range(len(state.seats)) if seat != own)
    if others and not to_end:
        raise TableError("wrong_phase", "others at this table want to see what is played")
    if state.bot_turn() is None:
        raise TableError("wrong_phase", "no computer is to move now")


def is_only_watched(state: State) -> bool:
    """Whether no person at the table has anything to do any more in the round in progress."""
    match = state.match
    if match is None or state.phase != "playing":
        return False
    present = [seat for seat in range(len(state.seats)) if state.is_present(seat)]
    return all(match.is_out_of_round(seat) for seat in present)
