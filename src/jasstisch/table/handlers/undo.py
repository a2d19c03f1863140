"""Undoing the last card by consent: requests, answers and their consequences.

All other people who are present must agree; where there are none the card is undone at once. A
program is not asked, because its answer expresses nobody's wish. A request ends when a person
declines, when its time runs out, and when somebody plays on. `undo_state` decides which card may be
undone.
"""

from jasstisch.table import commands, events
from jasstisch.table.errors import TableError
from jasstisch.table.state import State


def decide(state: State, seat: int, command: commands.UndoCommand) -> list[events.Event]:
    """The events when the person of a seat asks for an undo, answers or withdraws.

    Raises:
        TableError: there is no card that they may undo, or no such request.
    """
    match command:
        case commands.RequestUndo():
            return _request(state, seat)
        case commands.AnswerUndo(accept=accept):
            return _answer(state, seat, accept=accept)
        case commands.WithdrawUndo():
            question = state.undo_state.pending
            if question is None or question.seat != seat:
                raise TableError("no_undo", "you do not ask to take a card back")
            return [events.UndoWithdrawn(seat)]


def expire(state: State) -> list[events.Event]:
    """The events when an undo request has not been answered in time."""
    question = state.undo_state.pending
    return [] if question is None else [events.UndoExpired(question.seat)]


def next_undo_event(state: State) -> events.Event | None:
    """The undo itself, once all answers are in; None while some are missing."""
    question = state.undo_state.pending
    if question is None or state.undo_voters():
        return None
    return events.Undone(question.seat, len(state.undo_state.undoable_play_seats))


def _request(state: State, seat: int) -> list[events.Event]:
    question = state.undo_state.pending
    if question is not None and question.seat == seat:
        return []
    if state.undo_eligible_seat != seat:
        raise TableError("no_undo", "there is no card that you may take back now")
    return [events.UndoRequested(seat)]


def _answer(state: State, seat: int, *, accept: bool) -> list[events.Event]:
    question = state.undo_state.pending
    if question is None or question.seat == seat:
        raise TableError("no_undo", "nobody asks you whether a card may be taken back")
    if not state.seats[seat].is_present:
        raise TableError("wrong_phase", "the computer plays for you; say back to go on yourself")
    if state.seats[seat].is_program:
        raise TableError("no_undo", "people are asked whether a card may be taken back, no program")
    if not accept:
        return [events.UndoDeclined(seat, question.seat)]
    return [] if seat in question.agreed else [events.UndoAgreed(seat, question.seat)]
