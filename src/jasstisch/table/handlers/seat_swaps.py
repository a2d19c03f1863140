"""Swapping seats before the first match: with a computer at once, with a person by consent.

Who plays with whom follows from the seats, so nobody is moved from his own unless he agrees. To
somebody's program it is all the same, and nobody waits for an answer that it may never give. An
offer stands with the one who made it (`Place.asks`), one at a time; it ends with the answer, when
one of the two leaves or moves, and when the match begins.
"""

from jasstisch.table import events
from jasstisch.table.errors import TableError, no_such_seat
from jasstisch.table.state import State

__all__ = ["answer", "request", "withdraw"]


def request(state: State, seat: int, other: int) -> list[events.Event]:
    """What follows when the person of a seat wants to swap with whoever holds the other one.

    A computer and a program give way at once, and so does somebody who asks for the same himself.
    Any other person gets an offer, in place of one made to somebody else before.

    Raises:
        TableError: not before the start, or nobody to swap with is there.
    """
    _check_swappable(state, other)
    if other == seat:
        raise TableError("no_swap", f"seat {seat} is your own; name that of somebody else")
    place = state.seats[other]
    if place.person is None and place.bot is None:
        raise TableError("no_swap", f"seat {other} is free; sit down there instead")
    if place.bot is not None or place.is_program or place.swap_target == seat:
        return [events.SeatsSwapped(seat, other, characters=True)]
    return [] if state.seats[seat].swap_target == other else [events.SwapOffered(seat, other)]


def answer(state: State, seat: int, other: int, *, accept: bool) -> list[events.Event]:
    """What follows when the person of a seat answers the offer from the other one.

    Raises:
        TableError: not before the start, or there is no such offer, or no longer.
    """
    _check_swappable(state, other)
    if state.seats[other].swap_target != seat:
        raise TableError("no_swap", f"nobody on seat {other} asks to swap with you")
    if not accept:
        return [events.SwapDeclined(seat, other)]
    # The one who asked is the one who moves, and so he is the first of the two.
    return [events.SeatsSwapped(other, seat, characters=True)]


def withdraw(state: State, seat: int) -> list[events.Event]:
    """What follows when the person of a seat takes his offer back.

    Raises:
        TableError: not before the start, or he has made none, or it has ended.
    """
    _check_phase(state)
    if state.seats[seat].swap_target is None:
        raise TableError("no_swap", "you ask nobody to swap")
    return [events.SwapWithdrawn(seat)]


def _check_phase(state: State) -> None:
    if state.phase != "open":
        raise TableError("wrong_phase", "seats are swapped before the match begins")


def _check_swappable(state: State, other: int) -> None:
    _check_phase(state)
    if not 0 <= other < len(state.seats):
        raise no_such_seat(other, len(state.seats))
