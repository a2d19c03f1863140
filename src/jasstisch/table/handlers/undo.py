"""Taking one's last card back, by consent: who may ask, and what follows from the answers.

All other people who are there must agree; where there are none the card is taken back at once. A
program is not asked: what it would answer tells nothing of what anybody wishes. A question ends
with the first who declines, when nobody has answered for a while, and when somebody plays on. Which
card it may be is told in `undoing`.
"""

from jasstisch.table import commands, events
from jasstisch.table.errors import TableError
from jasstisch.table.state import State

__all__ = ["decide", "expire", "next_undo_event"]


def decide(state: State, seat: int, command: commands.UndoCommand) -> list[events.Event]:
    """What follows when the person of a seat asks, answers, or asks no longer.

    Raises:
        TableError: there is no card that he may take back, or no such question.
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
    """What follows when a question has not been answered in time."""
    question = state.undo_state.pending
    return [] if question is None else [events.UndoExpired(question.seat)]


def next_undo_event(state: State) -> events.Event | None:
    """The card is taken back once nobody has to be asked any more."""
    question = state.undo_state.pending
    if question is None or state.undo_voters():
        return None
    return events.Undone(question.seat, len(state.undo_state.undoable_plays))


def _request(state: State, seat: int) -> list[events.Event]:
    question = state.undo_state.pending
    if question is not None and question.seat == seat:
        return []
    if state.undoable_by != seat:
        raise TableError("no_undo", "there is no card that you may take back now")
    return [events.UndoRequested(seat)]


def _answer(state: State, seat: int, *, accept: bool) -> list[events.Event]:
    question = state.undo_state.pending
    if question is None or question.seat == seat:
        raise TableError("no_undo", "nobody asks you whether a card may be taken back")
    if not state.is_present(seat):
        raise TableError("wrong_phase", "the computer plays for you; say back to go on yourself")
    if state.seats[seat].is_program:
        raise TableError("no_undo", "people are asked whether a card may be taken back, no program")
    if not accept:
        return [events.UndoDeclined(seat, question.seat)]
    return [] if seat in question.agreed else [events.UndoAgreed(seat, question.seat)]
