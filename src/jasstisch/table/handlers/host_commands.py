"""The commands of the host: entry, start, removal of people, settings and closing the table.

The host is the person who created the table or, where that is not known, the first to sit down.
When the host leaves their seat, the next person at the table becomes the host. The last person
stays the host. If that person is erased, the next to sit down becomes the host, and until then
anyone with the link may sit down. A program never becomes the host, because it cannot do a host's
tasks. Everybody sees what the host does.
"""

from jasstisch.table import commands, events
from jasstisch.table.errors import TableError, no_such_seat
from jasstisch.table.seats import Seat
from jasstisch.table.state import State

REMOVED_NICKNAME = "N. N."
"""The name that replaces a removed nickname, the usual abbreviation for an unnamed person."""

MAX_ENTRY_REQUESTS = 16
"""The most pending entry requests."""


def decide(state: State, command: commands.HostCommand) -> list[events.Event]:
    """The events of a host command.

    Raises:
        TableError: the person is not the host, or the command is not possible now.
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
        case commands.AssignBot(seat=seat, bot=bot):
            return _assign_seat(state, seat, bot)
        case _:
            return _change_setting(state, command)


def take_or_request_seat(state: State, command: commands.Sit) -> list[events.Event]:
    """The events when a person without a seat asks for a free one.

    Raises:
        TableError: the host admits nobody, or there are too many entry requests.
    """
    house = state.host_settings
    known = command.person in state.known_persons or command.person == house.host
    removed = command.person in house.removed
    if (house.entry == "link" or known) and not removed:
        sat = events.SeatTaken(
            command.seat, command.person, command.name, command.face, command.is_program
        )
        return [sat]
    return request_seat(state, command)


def request_seat(state: State, command: commands.Sit) -> list[events.Event]:
    """The events when a person asks the host for a seat.

    Raises:
        TableError: the host admits nobody, or there are too many entry requests.
    """
    house = state.host_settings
    if house.entry == "nobody":
        raise TableError("no_entry", "the host lets nobody in any more; you may watch")
    waiting = [one for one in house.requests if one.person == command.person]
    wanted = command.seat, command.name, command.face, command.is_program
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
        command.is_program,
    )
    return [*(events.EntryRequestClosed(one.number) for one in waiting), asked]


def decide_admin(state: State, command: commands.AdminCommand) -> list[events.Event]:
    """The events of a command by the server or its operator.

    Raises:
        TableError: the command is not possible now.
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
    """Removes the nickname of a seat's person, or of the person who left it to a bot."""
    _check_seat(state, seat)
    names = state.nicknames(seat)
    if not names:
        raise TableError("wrong_phase", f"at seat {seat} there is no nickname")
    if all(name.startswith(REMOVED_NICKNAME) for name in names):
        return []
    return [events.NicknameReplaced(seat, state.seats.unique_name(REMOVED_NICKNAME, of=seat))]


def _erase_person(state: State, person: str) -> list[events.Event]:
    """The events that erase a person; none where they have no role at this table."""
    if state.phase == "closed":
        return []
    requests = [one.number for one in state.host_settings.requests if one.person == person]
    # The host role goes first: the last person to leave a seat would otherwise stay the host.
    resigned = _resign_host(state) if person == state.host_settings.host else []
    seat = state.seats.seat_of(person)
    if seat is None and person == state.host_settings.absent_host:
        resigned = replace_host(state, state.host_settings.host)
    return [
        *(events.EntryRequestClosed(number) for number in requests),
        *resigned,
        *([] if seat is None else [events.SeatLeft(seat)]),
    ]


def _resign_host(state: State) -> list[events.Event]:
    """The events when the host is erased."""
    house = state.host_settings
    if state.seats.next_host(house.host) is not None or house.entry == "link":
        return [events.HostResigned()]
    # Without a host nobody could admit people, so the table would never have a host again.
    return [events.HostResigned(), events.EntryPolicySet("link")]


def replace_host(state: State, person: str | None) -> list[events.Event]:
    """The events when the rights of the host pass on, or back, before the match."""
    return [events.HostReplaced(person)] if state.phase == "open" else []


def check_may_start(state: State, person: str) -> None:
    """Checks that a person may start the match.

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
        case commands.SetPublished(published=published, link_key=key):
            return _publish(state, published=published, key=key)
        case commands.SetSpectatorDelay(delayed=delayed):
            return (
                []
                if state.host_settings.delayed == delayed
                else [events.SpectatorDelaySet(delayed)]
            )
        case commands.RevokeLink(new_key=key):
            return [events.LinkRevoked(key)]
        case commands.CloseTable():
            return [events.TableClosed()]


def _publish(state: State, *, published: bool, key: str) -> list[events.Event]:
    """Publishes the table or unpublishes it; publishing turns the spectator delay on.

    People who came from the list know the id and the key, so unpublishing changes the key.
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
    if _seat_of_person(state, command.seat).has_extended_time == command.extended:
        return []
    return [events.ExtendedTimeSet(command.seat, command.extended)]


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
    name = state.seats.unique_name(asked.name)
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
    return [events.BotAssigned(seat, bot)]


def _check_seat(state: State, seat: int) -> None:
    if not 0 <= seat < len(state.seats):
        raise no_such_seat(seat, len(state.seats))
