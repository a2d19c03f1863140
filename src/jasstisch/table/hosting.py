"""What is the host's alone: who comes in, who begins, who goes, and when the table closes.

The host is who made the table; where that is not known, who sat down first. When he gives his seat
up, the next person at the table is the host. The last one stays it; if he is to be known no longer,
it is who sits down next, and until then whoever has the link may. A program is passed over in this,
as it could not do what a host is for.
Everybody sees what the host has done.
"""

from jasstisch.table import commands, events
from jasstisch.table.errors import TableError, no_such_seat
from jasstisch.table.state import Place, State

__all__ = ["MOST_REQUESTS", "NAMELESS", "check_starts", "decide", "enter", "operate"]

NAMELESS = "N. N."
"""Whoever's nickname was taken away goes by this, as people without a name are called in print."""

MOST_REQUESTS = 16
"""So many people may wait to be let in."""


def decide(state: State, command: commands.Hosting) -> list[events.Event]:
    """What follows from a command of the host.

    Raises:
        TableError: whoever gives it is not the host, or it cannot be done now.
    """
    if command.person != state.house.host:
        raise TableError("not_host", "only the host of this table can do this")
    match command:
        case commands.LetIn():
            return _let_in(state, command)
        case commands.GivePatience():
            return _give_patience(state, command)
        case commands.Remove(person, seat):
            return _remove(state, person, seat)
        case commands.Give(seat=seat, bot=bot):
            return _give(state, seat, bot)
        case _:
            return _rule(state, command)


def enter(state: State, command: commands.Sit) -> list[events.Event]:
    """What follows when somebody who holds no seat wants a free one.

    Raises:
        TableError: the host lets nobody in, or too many wait already.
    """
    house = state.house
    known = command.person in state.guests or command.person == house.host
    removed = command.person in house.removed
    if (house.entry == "link" or known) and not removed:
        sat = events.Sat(command.seat, command.person, command.name, command.face, command.program)
        return [sat]
    if house.entry == "nobody":
        raise TableError("no_entry", "the host lets nobody in any more; you may watch")
    waiting = [one for one in house.requests if one.person == command.person]
    wanted = command.seat, command.name, command.face, command.program
    if any((one.seat, one.name, one.face, one.program) == wanted for one in waiting):
        return []
    if len(house.requests) - len(waiting) >= MOST_REQUESTS:
        raise TableError("limit", f"{MOST_REQUESTS} people wait to be let in already")
    asked = events.Asked(
        house.asked + 1,
        command.seat,
        command.person,
        command.name,
        command.face,
        command.program,
    )
    return [*(events.Dismissed(one.number) for one in waiting), asked]


def operate(state: State, command: commands.Operating) -> list[events.Event]:
    """What follows from what the server does, whoever the host is.

    Raises:
        TableError: it cannot be done now.
    """
    match command:
        case commands.Forget(person):
            return _forget(state, person)
        case commands.Shut():
            return [events.Closed()]
        case commands.Unlist(key):
            return _publish(state, published=False, key=key)
        case commands.Unname(seat):
            return _unname(state, seat)


def _unname(state: State, seat: int) -> list[events.Event]:
    """Takes the name of a seat's person away, or that of who left it to the computer."""
    _check_seat(state, seat)
    names = state.nicknames(seat)
    if not names:
        raise TableError("wrong_phase", f"at seat {seat} there is no nickname")
    if all(name.startswith(NAMELESS) for name in names):
        return []
    return [events.Renamed(seat, state.free_name(NAMELESS, of=seat))]


def _forget(state: State, person: str) -> list[events.Event]:
    """What follows when a person is to be known no longer; nothing where he holds nothing here."""
    # First the host, for of a table with nobody else the last one who stands up stays the host.
    resigned = _resign(state) if person == state.house.host else []
    seat = state.seat_of(person)
    return [*resigned, *([] if seat is None else [events.Stood(seat)])]


def _resign(state: State) -> list[events.Event]:
    """What follows when the host is to be known no longer."""
    if state.next_host() is not None or state.house.entry == "link":
        return [events.Resigned()]
    # Nobody would be there to let anybody in, and so nobody could ever be the host again.
    return [events.Resigned(), events.Admission("link")]


def check_starts(state: State, person: str) -> None:
    """Makes sure that a person may begin the match.

    Raises:
        TableError: only the host may.
    """
    if state.house.starters == "host" and person != state.house.host:
        raise TableError("not_host", "the host of this table begins the match")


def _rule(
    state: State,
    command: commands.Admit
    | commands.LetStart
    | commands.LetWrite
    | commands.Publish
    | commands.Delay
    | commands.Relink
    | commands.Close,
) -> list[events.Event]:
    match command:
        case commands.Admit(entry=entry):
            return [] if state.house.entry == entry else [events.Admission(entry)]
        case commands.LetStart(who=who):
            return [] if state.house.starters == who else [events.Starters(who)]
        case commands.LetWrite(allowed=allowed):
            return [] if state.house.writing == allowed else [events.Writing(allowed)]
        case commands.Publish(published=published, key=key):
            return _publish(state, published=published, key=key)
        case commands.Delay(delayed=delayed):
            return [] if state.house.delayed == delayed else [events.Delayed(delayed)]
        case commands.Relink(key=key):
            return [events.Relinked(key)]
        case commands.Close():
            return [events.Closed()]


def _publish(state: State, *, published: bool, key: str) -> list[events.Event]:
    """Puts the table on the list or takes it off; strangers see it a trick late at first.

    Whoever came from the list was told the id and the key: off it, another key is needed.
    """
    if state.house.published == published:
        return []
    if not published:
        return [events.Published(False), events.Relinked(key)]
    return [events.Published(True), *([] if state.house.delayed else [events.Delayed(True)])]


def _give_patience(state: State, command: commands.GivePatience) -> list[events.Event]:
    if _place_of_person(state, command.seat).patient == command.patient:
        return []
    return [events.Patience(command.seat, command.patient)]


def _let_in(state: State, command: commands.LetIn) -> list[events.Event]:
    found = [one for one in state.house.requests if one.number == command.number]
    if not found:
        raise TableError("wrong_phase", f"nobody asks to be let in under number {command.number}")
    if not command.accept:
        return [events.Dismissed(command.number)]
    (asked,) = found
    seats = [asked.seat, *range(len(state.places))]
    free = next((seat for seat in seats if _is_free(state, asked.person, seat)), None)
    if free is None:
        raise TableError("seat_taken", f"no seat is free for {asked.name} now")
    name = state.free_name(asked.name)
    return [events.Sat(free, asked.person, name, asked.face, asked.program)]


def _is_free(state: State, person: str, seat: int) -> bool:
    return state.why_taken(person, seat) is None


def _place_of_person(state: State, seat: int) -> Place:
    _check_seat(state, seat)
    place = state.places[seat]
    if place.person is None:
        raise TableError("wrong_phase", f"nobody holds seat {seat}")
    return place


def _remove(state: State, host: str, seat: int) -> list[events.Event]:
    place = _place_of_person(state, seat)
    if place.person == host:
        raise TableError("wrong_phase", "this is your own seat; stand up to leave it")
    if state.phase == "playing":
        raise TableError("wrong_phase", "seats are taken away before a match and between rounds")
    return [events.Removed(seat)]


def _give(state: State, seat: int, bot: str | None) -> list[events.Event]:
    _check_seat(state, seat)
    place = state.places[seat]
    if state.phase == "playing":
        raise TableError("wrong_phase", "seats are given before a match and between rounds")
    if place.person is not None:
        raise TableError("seat_taken", f"seat {seat} is taken by {place.name}; take it away first")
    if bot is None and state.phase == "between":
        raise TableError("wrong_phase", "in the middle of a match no seat is left open")
    if place.bot == bot and place.left_by is None:
        return []
    return [events.Given(seat, bot)]


def _check_seat(state: State, seat: int) -> None:
    if not 0 <= seat < len(state.places):
        raise no_such_seat(seat, len(state.places))
