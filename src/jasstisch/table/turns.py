"""Whom a table waits for: the seats on turn, their thinking time, and the turns of bots.

These functions read the state of a table and change nothing. `clock` measures the time.
"""

from collections.abc import Sequence
from math import inf

from jasstisch.table.state import State
from jasstisch.tutorials import LEARNER_SEAT

MAX_TIMEOUTS = 3
"""Missed turns in a match from which a bot plays on to the end of the round, each time."""

_EXTENDED_TIME_FACTOR = 3
"""The factor of extended thinking time, for the turn and for the total time of the match."""

_FIRST_CARD_TIME_FACTOR = 2
"""The factor of the thinking time for the first card of a round and the decisions before it."""

MIN_TURN_TIME_S = 5.0
"""Seconds for a turn of a person who has used up the time of the match."""


def waiting_for(state: State) -> list[int]:
    """The seats whose people the table waits for.

    Between rounds and after the match the wait begins when the first is ready. That must be a
    human if one holds a seat, because a program is ready at once and humans want to look.
    """
    return [seat for seat in _pending_seats(state) if state.seats[seat].is_present]


def _pending_seats(state: State) -> Sequence[int]:
    if state.phase == "playing":
        return state.match.to_act if state.match is not None else ()
    if state.phase in ("between", "over") and state.seats.anyone_ready:
        return [seat for seat, place in enumerate(state.seats) if not place.ready]
    return ()


def running_clocks(state: State) -> dict[int, tuple[int, float]]:
    """The running clocks: for each seat a number that identifies the turn, and its seconds.

    The number changes only when the seat has acted. A person who leaves, returns or changes
    seats has the time that is left. Empty without a thinking time.
    """
    if state.creation_event.thinking_time is None and state.creation_event.match_time is None:
        return {}
    return {
        seat: (state.seats[seat].action_count, time_budget(state, seat))
        for seat in _pending_seats(state)
    }


def time_budget(state: State, seat: int) -> float:
    """Seconds a seat's person has for the present turn, more before their first card.

    A person who has used up the time of the match has a few seconds for each turn.
    """
    made, place = state.creation_event, state.seats[seat]
    times = _EXTENDED_TIME_FACTOR if place.has_extended_time else 1
    seconds = inf if made.thinking_time is None else float(made.thinking_time * times)
    if state.phase == "playing" and not place.played_card_count:
        seconds *= _FIRST_CARD_TIME_FACTOR
    if made.match_time is None or state.phase != "playing":
        return seconds
    return min(seconds, max(MIN_TURN_TIME_S, made.match_time * times - place.time_used_ms / 1000))


def can_return(state: State, seat: int) -> bool:
    """Whether a person for whom a bot plays may play again now.

    That is between two tricks, or two turns in games without tricks; the bot finishes the turn
    at which it took over. A person who has missed several turns waits for the next round.
    """
    place, match = state.seats[seat], state.match
    if state.phase != "playing" or match is None:
        return True
    if place.timeouts >= MAX_TIMEOUTS or match.trick:
        return False
    return seat not in match.to_act or place.action_count != place.takeover_action_count


def is_pause_expired(state: State, seat: int) -> bool:
    """Whether the time of a person who is away has run out in this pause.

    A person who returns then counts as ready; otherwise their time would run out again at once.
    """
    return state.seats[seat].pause_expired and seat in _pending_seats(state)


def bot_turn(state: State) -> tuple[int, str] | None:
    """The seat for which a bot is to act now, and the name of the bot."""
    if state.phase != "playing" or state.match is None or awaits_hint_ack(state):
        return None
    if state.undo_state.pending is not None:
        return None
    for seat in state.match.to_act:
        computer = bot_for(state, seat)
        if computer is not None:
            return seat, computer
    return None


def bot_for(state: State, seat: int) -> str | None:
    """The bot that plays the seat, or would; None where a person is present."""
    if state.seats[seat].is_present:
        return None
    return state.seats[seat].bot or state.creation_event.stand_in


def bot_delay_ms(state: State) -> int:
    """Milliseconds to wait before a bot acts, so that people can follow.

    Twice as long when a trick has just been completed; short when no person is active.
    """
    view = state.spectator_view()
    if not view or view["phase"] != "play":
        return min(state.creation_event.pause, 200)
    return state.creation_event.pause * (2 if view["tricks"] and not view["trick"] else 1)


def awaits_hint_ack(state: State) -> bool:
    """Whether the bots wait until the learner has read the hint."""
    lesson = state.tutorial_session
    return lesson is not None and lesson.is_paused and state.seats[LEARNER_SEAT].is_present
