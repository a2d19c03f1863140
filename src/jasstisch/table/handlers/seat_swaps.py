"""Swapping seats before the first match: with a computer at once, with a person by consent.

The seats determine the sides, so people change seats only if they agree. A program is not asked,
because it may never answer. An offer is stored with the seat that made it (`Seat.swap_target`), one
at a time. It ends with the answer, when one of the two leaves or moves, and when the match begins.
"""

from jasstisch.table import events
from jasstisch.table.errors import TableError, no_such_seat
from jasstisch.table.state import State


def request(state: State, seat: int, other: int) -> list[events.Event]:
    """The events when the person of a seat asks to swap with the occupant of another.

    Bots and programs swap at once, and so does a person who has asked for the same swap. Any other
    person gets an offer, which replaces an earlier offer to another seat.

    Raises:
        TableError: the match has begun, or the other seat is open.
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
    """The events when the person of a seat answers the offer of another.

    Raises:
        TableError: the match has begun, or the offer does not exist any more.
    """
    _check_swappable(state, other)
    if state.seats[other].swap_target != seat:
        raise TableError("no_swap", f"nobody on seat {other} asks to swap with you")
    if not accept:
        return [events.SwapDeclined(seat, other)]
    # The seat that asked is the first of the two in the event.
    return [events.SeatsSwapped(other, seat, characters=True)]


def withdraw(state: State, seat: int) -> list[events.Event]:
    """The events when the person of a seat withdraws their offer.

    Raises:
        TableError: the match has begun, or the seat has no open offer.
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
