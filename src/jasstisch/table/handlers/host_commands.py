"""What is the host's alone: who comes in, who begins, who goes, and when the table closes.

The host is who made the table; where that is not known, who sat down first. When he gives his seat
up, the next person at the table is the host. The last one stays it; if he is to be known no longer,
it is who sits down next, and until then whoever has the link may. A program is passed over in this,
as it could not do what a host is for.
Everybody sees what the host has done.
"""

from jasstisch.table import commands, events
from jasstisch.table.errors import TableError, no_such_seat
from jasstisch.table.state import Seat, State

__all__ = [
    "MAX_ENTRY_REQUESTS",
    "REMOVED_NICKNAME",
    "check_may_start",
    "decide",
    "decide_admin",
    "take_or_request_seat",
]

REMOVED_NICKNAME = "N. N."
"""Whoever's nickname was taken away goes by this, as people without a name are called in print."""

MAX_ENTRY_REQUESTS = 16
"""So many people may wait to be let in."""


def decide(state: State, command: commands.HostCommand) -> list[events.Event]:
    """What follows from a command of the host.

    Raises:
        TableError: whoever gives it is not the host, or it cannot be done now.
    """
    if command.person != state.host_settings.host:
        raise TableError("not_host", "only the host of this table can do this")
    match command:
        case commands.AnswerEntryRequest():
            return _answer_entry_request(state, command)
        case commands.SetExtendedTime():
            return _set_extended_time(state, command)
        case commands.RemovePerson(person, seat):
            return _remove_person(state, person, seat)
        case commands.AssignSeat(seat=seat, bot=bot):
            return _assign_seat(state, seat, bot)
        case _:
            return _change_setting(state, command)


def take_or_request_seat(state: State, command: commands.Sit) -> list[events.Event]:
    """What follows when somebody who holds no seat wants a free one.

    Raises:
        TableError: the host lets nobody in, or too many wait already.
    """
    house = state.host_settings
    known = command.person in state.known_persons or command.person == house.host
    removed = command.person in house.removed
    if (house.entry == "link" or known) and not removed:
        sat = events.SeatTaken(
            command.seat, command.person, command.name, command.face, command.program
        )
        return [sat]
    if house.entry == "nobody":
        raise TableError("no_entry", "the host lets nobody in any more; you may watch")
    waiting = [one for one in house.requests if one.person == command.person]
    wanted = command.seat, command.name, command.face, command.program
    if any((one.seat, one.name, one.face, one.program) == wanted for one in waiting):
        return []
    if len(house.requests) - len(waiting) >= MAX_ENTRY_REQUESTS:
        raise TableError("limit", f"{MAX_ENTRY_REQUESTS} people wait to be let in already")
    asked = events.EntryRequested(
        house.asked + 1,
        command.seat,
        command.person,
        command.name,
        command.face,
        command.program,
    )
    return [*(events.EntryRequestClosed(one.number) for one in waiting), asked]


def decide_admin(state: State, command: commands.AdminCommand) -> list[events.Event]:
    """What follows from what the server does, whoever the host is.

    Raises:
        TableError: it cannot be done now.
    """
    match command:
        case commands.ErasePerson(person):
            return _erase_person(state, person)
        case commands.AdminClose():
            return [events.TableClosed()]
        case commands.AdminUnpublish(key):
            return _publish(state, published=False, key=key)
        case commands.AdminRemoveNickname(seat):
            return _remove_nickname(state, seat)


def _remove_nickname(state: State, seat: int) -> list[events.Event]:
    """Takes the name of a seat's person away, or that of who left it to the computer."""
    _check_seat(state, seat)
    names = state.nicknames(seat)
    if not names:
        raise TableError("wrong_phase", f"at seat {seat} there is no nickname")
    if all(name.startswith(REMOVED_NICKNAME) for name in names):
        return []
    return [events.NicknameReplaced(seat, state.unique_name(REMOVED_NICKNAME, of=seat))]


def _erase_person(state: State, person: str) -> list[events.Event]:
    """What follows when a person is to be known no longer; nothing where he holds nothing here."""
    # First the host, for of a table with nobody else the last one who stands up stays the host.
    resigned = _resign_host(state) if person == state.host_settings.host else []
    seat = state.seat_of(person)
    return [*resigned, *([] if seat is None else [events.SeatLeft(seat)])]


def _resign_host(state: State) -> list[events.Event]:
    """What follows when the host is to be known no longer."""
    if state.next_host() is not None or state.host_settings.entry == "link":
        return [events.HostResigned()]
    # Nobody would be there to let anybody in, and so nobody could ever be the host again.
    return [events.HostResigned(), events.EntryPolicySet("link")]


def check_may_start(state: State, person: str) -> None:
    """Makes sure that a person may begin the match.

    Raises:
        TableError: only the host may.
    """
    if state.host_settings.starters == "host" and person != state.host_settings.host:
        raise TableError("not_host", "the host of this table begins the match")


def _change_setting(
    state: State,
    command: commands.SetEntryPolicy
    | commands.SetStartPolicy
    | commands.SetChatPolicy
    | commands.SetPublished
    | commands.SetSpectatorDelay
    | commands.RevokeLink
    | commands.CloseTable,
) -> list[events.Event]:
    match command:
        case commands.SetEntryPolicy(entry=entry):
            return [] if state.host_settings.entry == entry else [events.EntryPolicySet(entry)]
        case commands.SetStartPolicy(who=who):
            return [] if state.host_settings.starters == who else [events.StartPolicySet(who)]
        case commands.SetChatPolicy(allowed=allowed):
            return [] if state.host_settings.writing == allowed else [events.ChatPolicySet(allowed)]
        case commands.SetPublished(published=published, key=key):
            return _publish(state, published=published, key=key)
        case commands.SetSpectatorDelay(delayed=delayed):
            return (
                []
                if state.host_settings.delayed == delayed
                else [events.SpectatorDelaySet(delayed)]
            )
        case commands.RevokeLink(key=key):
            return [events.LinkRevoked(key)]
        case commands.CloseTable():
            return [events.TableClosed()]


def _publish(state: State, *, published: bool, key: str) -> list[events.Event]:
    """Puts the table on the list or takes it off; strangers see it a trick late at first.

    Whoever came from the list was told the id and the key: off it, another key is needed.
    """
    if state.host_settings.published == published:
        return []
    if not published:
        return [events.PublishedSet(False), events.LinkRevoked(key)]
    return [
        events.PublishedSet(True),
        *([] if state.host_settings.delayed else [events.SpectatorDelaySet(True)]),
    ]


def _set_extended_time(state: State, command: commands.SetExtendedTime) -> list[events.Event]:
    if _seat_of_person(state, command.seat).has_extended_time == command.patient:
        return []
    return [events.ExtendedTimeSet(command.seat, command.patient)]


def _answer_entry_request(state: State, command: commands.AnswerEntryRequest) -> list[events.Event]:
    found = [one for one in state.host_settings.requests if one.number == command.number]
    if not found:
        raise TableError("wrong_phase", f"nobody asks to be let in under number {command.number}")
    if not command.accept:
        return [events.EntryRequestClosed(command.number)]
    (asked,) = found
    seats = [asked.seat, *range(len(state.seats))]
    free = next((seat for seat in seats if _is_free(state, asked.person, seat)), None)
    if free is None:
        raise TableError("seat_taken", f"no seat is free for {asked.name} now")
    name = state.unique_name(asked.name)
    return [events.SeatTaken(free, asked.person, name, asked.face, asked.program)]


def _is_free(state: State, person: str, seat: int) -> bool:
    return state.seat_refusal(person, seat) is None


def _seat_of_person(state: State, seat: int) -> Seat:
    _check_seat(state, seat)
    place = state.seats[seat]
    if place.person is None:
        raise TableError("wrong_phase", f"nobody holds seat {seat}")
    return place


def _remove_person(state: State, host: str, seat: int) -> list[events.Event]:
    place = _seat_of_person(state, seat)
    if place.person == host:
        raise TableError("wrong_phase", "this is your own seat; stand up to leave it")
    if state.phase == "playing":
        raise TableError("wrong_phase", "seats are taken away before a match and between rounds")
    return [events.PersonRemoved(seat)]


def _assign_seat(state: State, seat: int, bot: str | None) -> list[events.Event]:
    _check_seat(state, seat)
    place = state.seats[seat]
    if state.phase == "playing":
        raise TableError("wrong_phase", "seats are given before a match and between rounds")
    if place.person is not None:
        raise TableError("seat_taken", f"seat {seat} is taken by {place.name}; take it away first")
    if bot is None and state.phase == "between":
        raise TableError("wrong_phase", "in the middle of a match no seat is left open")
    if place.bot == bot and place.vacated_by is None:
        return []
    return [events.SeatAssigned(seat, bot)]


def _check_seat(state: State, seat: int) -> None:
    if not 0 <= seat < len(state.seats):
        raise no_such_seat(seat, len(state.seats))
