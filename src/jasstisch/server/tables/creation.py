"""Builds new tables: the game, the seats and the first commands.

Everything is checked before anything is stored. `TableRegistry` stores the result.
"""

from collections.abc import Sequence

import msgspec

from jasstisch.bots import DEFAULT_BOTS
from jasstisch.engine.errors import GameError
from jasstisch.games import game
from jasstisch.games.rules import Game
from jasstisch.match.record import BOT_PREFIX
from jasstisch.server.api import bodies
from jasstisch.server.identity import new_table_id, normalize_nickname
from jasstisch.table import (
    BranchPoint,
    FinishedMatch,
    PackSource,
    Table,
    TableError,
    commands,
    events,
)
from jasstisch.table.errors import no_such_seat
from jasstisch.tutorials import get_tutorial

_DEFAULT_THINKING_TIME_S = 60
"""Default thinking time for a card, in seconds, at a table of two or more people."""

_NewTable = tuple[events.TableCreated, list[commands.Command], int | None]
"""The first event of a table, the commands that follow, and the seat of its creator."""


def game_of(new: bodies.NewTable) -> Game:
    """The game of a new table, with its options.

    Raises:
        TableError: the game does not exist, or an option is not allowed.
    """
    return _tutorial_game(new) if new.guided else _create_game(new)


def new_table(
    new: bodies.NewTable, rules: Game, known: Sequence[str], person: str, *, hinted: bool
) -> _NewTable:
    """Builds a table as a person asks for it.

    Args:
        new: the requested table.
        rules: its game.
        known: the bots that play the game.
        person: the creator of the table.
        hinted: whether the table offers hints.

    Raises:
        TableError: a part of `new` is not allowed; the message explains which.
    """
    stand_in = _stand_in(new, known)
    players = _seat_bots(new, known)
    if new.hints and not hinted:
        raise TableError("bad_option", f"there are no hints for {rules.name} here")
    mine = new.seats.index("me") if "me" in new.seats else None
    created = events.TableCreated(
        table=new_table_id(),
        game=rules.name,
        options=dict(rules.options),
        seats=players,
        thinking_time=_thinking_time(new),
        pause=new.pause,
        guided=new.guided,
        hints=new.hints,
        stand_in=stand_in,
        host=person,
        match_time=new.match_time,
        starters=new.starters,
    )
    return created, _initial_commands(new, mine, person), mine


def resumed_table(
    match: FinishedMatch,
    branch_point: BranchPoint,
    request: bodies.ResumeMatch,
    known: Sequence[str],
    person: str,
    *,
    hinted: bool,
) -> tuple[events.TableCreated, list[commands.Command], int]:
    """Builds a table that continues a finished match from one of its decisions, against bots.

    The bots of the match keep their seats; the stand-in bot of that table replaces its people.

    Args:
        match: the finished match.
        branch_point: the decision.
        request: the request of the client.
        known: the bots that play the game.
        person: the person who plays on.
        hinted: whether the table offers hints.

    Raises:
        TableError: a part of `request` is not allowed, or is no longer possible on this server.
    """
    room = match.room
    mine = (
        match.seat_by_person.get(person, branch_point.to_act[0])
        if request.seat is None
        else request.seat
    )
    if mine >= len(room.seats):
        raise no_such_seat(mine, len(room.seats))
    stand_in = room.stand_in if room.stand_in in known else _default_stand_in(known)
    bots: list[str | None] = [seat.bot or stand_in for seat in room.seats]
    bots[mine] = None
    for name in (stand_in, *filter(None, bots)):
        if name not in known:
            raise TableError("bad_option", f"the computer player {name!r} is no longer here")
    created = events.TableCreated(
        table=new_table_id(),
        game=match.record["game"],
        options=dict(match.record["options"]),
        seats=bots,
        thinking_time=None,
        pause=room.pause,
        hints=hinted,
        stand_in=stand_in,
        host=person,
        starters="host",
    )
    first: list[commands.Command] = [
        commands.Sit(person, mine, normalize_nickname(request.name), request.face),
        commands.ResumeMatch(person, branch_point.log),
    ]
    return created, first, mine


def build_table(
    created: events.TableCreated, first: Sequence[commands.Command], dealer: PackSource
) -> tuple[Table, list[events.Event]]:
    """A new table after its first commands, and all its events.

    The deals of its first match are announced unless nothing is proved of them: those of a guided
    round, and of a match that goes on from another one.

    Raises:
        TableError: a command is refused.
    """
    resumed = any(isinstance(command, commands.ResumeMatch) for command in first)
    if not created.guided and not resumed:
        created = msgspec.structs.replace(created, seed=dealer.new_seed())
    table = Table(created)
    done: list[events.Event] = [created]
    for command in first:
        done.extend(table.execute(command, dealer))
    return table, done


def _create_game(new: bodies.NewTable) -> Game:
    """The game with its options; `players` may be omitted, as the seats determine it."""
    options: dict[str, object] = {"players": len(new.seats)} | dict(new.options)
    try:
        rules = game(new.game, **options)
    except GameError as error:
        raise TableError("bad_option", str(error)) from error
    if rules.players != len(new.seats):
        raise TableError("bad_option", f"{rules.players} players need as many seats")
    return rules


def _thinking_time(new: bodies.NewTable) -> int | None:
    """The thinking time for a card in seconds; None for no limit."""
    if new.thinking_time == "unlimited" or new.guided:
        return None
    people = sum(not seat.startswith(BOT_PREFIX) for seat in new.seats)
    return new.thinking_time or (_DEFAULT_THINKING_TIME_S if people > 1 else None)


def _tutorial_game(new: bodies.NewTable) -> Game:
    """The game with the options of its tutorial; the creator chooses none and sits in seat 0.

    There is no thinking time, so that the learner can read at their own pace.
    """
    try:
        rules = game(new.game, **get_tutorial(new.game).options)
    except GameError as error:
        raise TableError("bad_option", str(error)) from error
    bots = [seat for seat in new.seats[1:] if seat.startswith(BOT_PREFIX)]
    fits = new.seats[0] == "me" and len(bots) == rules.players - 1 == len(new.seats) - 1
    timed = new.thinking_time not in (None, "unlimited") or new.match_time is not None
    if not fits or new.options or timed or new.hints or not new.start:
        raise TableError(
            "bad_option",
            f"a guided round of {rules.name} starts at once, without options, thinking time or "
            f"hints; "
            f"the first of its {rules.players} seats is me and the others are computer players",
        )
    return rules


def _stand_in(new: bodies.NewTable, known: Sequence[str]) -> str:
    """The stand-in bot of a new table, one of the bots that play its game."""
    if new.stand_in is None:
        return _default_stand_in(known)
    if new.stand_in not in known:
        allowed = ", ".join(known)
        raise TableError("bad_option", f"unknown stand-in {new.stand_in!r}; there is {allowed}")
    return new.stand_in


def _default_stand_in(known: Sequence[str]) -> str:
    """The stand-in bot where none is named: the bot that the terminal would choose too."""
    return next(name for name in DEFAULT_BOTS if name in known)


def _seat_bots(new: bodies.NewTable, known: Sequence[str]) -> list[str | None]:
    """For each seat the name of its bot; None for a person's seat or an open one.

    Args:
        new: the requested table.
        known: the bots that play its game.
    """
    if new.seats.count("me") > 1:
        raise TableError("bad_option", "only one seat can be yours")
    bots: list[str | None] = []
    for seat in new.seats:
        name = seat.removeprefix(BOT_PREFIX)
        if seat in ("me", "open"):
            bots.append(None)
        elif seat.startswith(BOT_PREFIX) and name in known:
            bots.append(name)
        else:
            allowed = ", ".join(["me", "open", *(BOT_PREFIX + one for one in known)])
            raise TableError("bad_option", f"unknown seat {seat!r}; a seat is one of {allowed}")
    return bots


def _initial_commands(
    new: bodies.NewTable, mine: int | None, person: str
) -> list[commands.Command]:
    if mine is None:
        if new.start:
            raise TableError("bad_option", "to start at once, one of the seats must be me")
        return []
    first: list[commands.Command] = [
        commands.Sit(person, mine, normalize_nickname(new.name), new.face)
    ]
    return [*first, commands.StartMatch(person)] if new.start else first
