"""What one reader is told of a table besides its room and view: the last event, their turn, a hint.

These functions read the state of a table and change nothing. A reader is a seat, or a spectator.
"""

from itertools import islice
from typing import cast

from jasstisch.games.rules import ViewDelta
from jasstisch.table import events
from jasstisch.table.client_state import CardRefusal, EventInfo, EventKind, Turn, TutorialHint
from jasstisch.table.state import State
from jasstisch.tutorials import LEARNER_SEAT

MAX_LISTED_ACTIONS = 200
"""The most legal actions that a turn or an error lists; no trick-taking game has more."""

_VIEW_RESET_EVENTS = (
    events.TableCreated,
    events.LobbyCompacted,
    events.MatchStarted,
    events.MatchResumed,
    events.RematchStarted,
    events.PackDealt,
    events.Undone,
    events.NicknameReplaced,
)
"""The events that change the match in other ways than by an action."""

_NO_DELTA = ViewDelta({}, {}, only_hand_changed=False)


def event_kind(event: events.Event) -> EventKind:
    """The kind of an event in messages: its tag in the log, where a resumed match is a started one.

    A test makes sure that each tag is an `EventKind`.
    """
    if isinstance(event, events.MatchResumed):
        return "started"
    return cast("EventKind", type(event).__struct_config__.tag)


def describe_last_event(state: State, seat: int | None) -> EventInfo:
    """The last event as a seat or a spectator may see it."""
    event = state.last_event
    match event:
        case events.Acted(seat=actor, by=by):
            assert state.match is not None
            return EventInfo("acted", actor, state.match.describe_last_action(seat), by)
        case events.PackDealt():
            return EventInfo("pack", pack=state.pack_purpose)
        case events.BotTookOver(seat=away, by=by):
            return EventInfo("away", away, other=by)
        case events.PhraseSaid(seat=speaker, phrase=words) | events.ChatWritten(speaker, words):
            return EventInfo(event_kind(event), speaker, words=words)
        case _:
            pass
    if isinstance(event, events.SeatlessEvent):
        return EventInfo(event_kind(event))
    other = event.other if isinstance(event, events.TwoSeatEvent) else None
    return EventInfo(event_kind(event), event.seat, other=other)


def last_event_actor(state: State) -> int | None:
    """The seat whose action was the last event; None where that was not an action."""
    return state.last_event.seat if isinstance(state.last_event, events.Acted) else None


def last_delta(state: State) -> ViewDelta | None:
    """The changes of the last event in the match; None where anything may have changed."""
    match = state.match
    if match is None or isinstance(state.last_event, _VIEW_RESET_EVENTS):
        return None
    return match.last_delta() if last_event_actor(state) is not None else _NO_DELTA


def turn(state: State, seat: int | None) -> Turn | None:
    """The turn of a seat; None when it is not its turn, or a bot plays for it."""
    match = state.match
    if match is None or seat is None or seat not in match.to_act or state.seats[seat].is_away:
        return None
    if state.rest_claimed_by is not None:
        return None
    actions = match.legal(seat)
    legal = list(islice(actions, MAX_LISTED_ACTIONS))
    refused = match.card_refusals(seat)
    why = {card: CardRefusal(one.clause, one.reason) for card, one in refused.items()}
    return Turn(legal, len(actions) > len(legal), why, rest=can_claim_rest(state, seat))


def last_said(state: State, seat: int | None) -> list[str | None]:
    """For each seat its last action besides the play of a card since the pack was dealt."""
    return [
        None if one is None else one[0] if who == seat else one[1]
        for who, one in enumerate(state.last_said)
    ]


def can_claim_rest(state: State, seat: int) -> bool:
    """Whether a seat may claim all remaining tricks; never in a tutorial."""
    return (
        state.match is not None
        and state.tutorial_session is None
        and bool(state.match.sure_tricks(seat))
    )


def tutorial_hint(state: State, seat: int | None) -> TutorialHint | None:
    """The tutorial hint for a seat now."""
    lesson, match = state.tutorial_session, state.match
    if lesson is None or lesson.message is None or match is None or seat != LEARNER_SEAT:
        return None
    suggest = lesson.suggestion(match.legal(LEARNER_SEAT))
    return TutorialHint(lesson.message.id, dict(lesson.message.values), suggest, lesson.is_paused)
