"""What files of boards say of who did better: each deal as a ranking of the bots at its tables.

A folder holds the files that `arena --keep` has written, one for each contest. A ranking is what
one line-up did with one deal in all its seatings together, by the figure of its game, so that the
luck of cards and seats is out of it. It is told apart by what it says and not by the file it stands
in: however many files hold it, it counts once. What cannot be read is named, and the rest is read.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from math import isfinite
from pathlib import Path

import jasstisch as jt
from jasstisch.arena.boards import Board, LineUp
from jasstisch.arena.keeping import BOARDS_FORMAT, board_of, read
from jasstisch.errors import GameError, quote
from jasstisch.games.rules import Json

__all__ = ["ENDING", "Ranking", "Unread", "read_folder"]

ENDING = ".jsonl"
"""How the names of files of boards end in such a folder; others are left alone."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a line-up did with a deal.

    Attributes:
        game: the name of the game.
        deal: which deal it was, of all deals of that game.
        ranks: the place of each bot, from 1; those who did as well have the same.
        sign: a digest of all that the ranking follows from.
        day: when it was played, as `2026-11-26`; None where the file does not say.
    """

    game: str
    deal: str
    ranks: Mapping[str, int]
    sign: str
    day: str | None


@dataclass(frozen=True, slots=True)
class Unread:
    """What could not be read.

    Attributes:
        where: the file, and the line where it is about one.
        reason: why not.
    """

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Head:
    """What the boards of a file are about."""

    game: jt.Game
    line_ups: tuple[LineUp, ...]
    seed: int
    matches: bool


def read_folder(folder: Path) -> tuple[list[Ranking], list[Unread]]:
    """All rankings that the files of a folder hold, each once, and what could not be read.

    Raises:
        OSError: the folder cannot be read.
    """
    found: dict[str, Ranking] = {}
    unread: list[Unread] = []
    for path in sorted(one for one in folder.iterdir() if one.suffix == ENDING):
        for one in rankings_of(path):
            if isinstance(one, Unread):
                unread.append(one)
            elif one.sign not in found or (one.day or "") > (found[one.sign].day or ""):
                found[one.sign] = one
    return [found[sign] for sign in sorted(found)], unread


def rankings_of(path: Path) -> Iterator[Ranking | Unread]:
    """The rankings of a file, with what of it cannot be read.

    A last line that was cut off in the middle is passed over: the arena plays that deal again.
    """
    try:
        first, *lines = path.read_bytes().splitlines(keepends=True) or [b""]
        head = head_of(first, path)
    except OSError as error:
        yield Unread(path.name, (error.strerror or str(error)).lower())
        return
    except GameError as error:
        yield Unread(path.name, without(path, error))
        return
    for number, line in enumerate(lines, start=2):
        if not line.endswith(b"\n"):
            return
        try:
            yield from rankings_in(line, head, path)
        except GameError as error:
            yield Unread(f"{path.name}, line {number}", without(path, error))


def without(path: Path, error: GameError) -> str:
    """What an error says, without the file that is named beside it."""
    return str(error).removeprefix(f"{path}: ").removeprefix(f"{path} ")


def head_of(line: bytes, path: Path) -> Head:
    """What the first line of a file says.

    Raises:
        GameError: it says nothing of boards, or of a game that is not here.
    """
    told = read(line, path)
    if told.get("format") != BOARDS_FORMAT:
        raise GameError(f"its format is {quote(told.get('format'))}, not {quote(BOARDS_FORMAT)}")
    game, options, line_ups = told.get("game"), told.get("options"), told.get("line_ups")
    if not isinstance(game, str) or not isinstance(options, dict) or not isinstance(line_ups, list):
        raise GameError("its first line does not say what was played")
    if not all(isinstance(one, list) and one and are_names(one) for one in line_ups):
        raise GameError(f"these are no line-ups: {quote(line_ups)}")
    seed, matches = told.get("seed"), told.get("matches")
    if type(seed) is not int or not isinstance(matches, bool):
        raise GameError("its first line does not say which deals were played")
    found = jt.game(game, **options)
    _ = found.figure  # refused where nothing is measured
    return Head(found, tuple(tuple(one) for one in line_ups), seed, matches)


def are_names(values: Sequence[object]) -> bool:
    """Whether these may be the names of bots."""
    return all(isinstance(one, str) and one and one.isprintable() for one in values)


def rankings_in(line: bytes, head: Head, path: Path) -> Iterator[Ranking]:
    """The rankings of a line: one for each line-up in which different bots met.

    Raises:
        GameError: it holds no board of this contest.
    """
    told = read(line, path)
    board = board_of(told, path)
    check(board, head)
    day = day_of(told.get("played"))
    for line_up, showings in zip(head.line_ups, board.showings, strict=True):
        if len(showings) > 1:
            figures = {name: float(showings[name].figure) for name in sorted(showings)}
            yield ranking(head, board.number, line_up, figures, day)


def day_of(played: object) -> str | None:
    """The day on which a board was played; None where none is told.

    Raises:
        GameError: what is told is no day.
    """
    if played is None:
        return None
    if isinstance(played, str):
        with suppress(ValueError):
            # Days are compared as text, so that only one way of writing them will do.
            if date.fromisoformat(played).isoformat() == played:
                return played
    raise GameError(f"it was played on {quote(played)}, which is no day")


def check(board: Board, head: Head) -> None:
    """Refuses a board that is not of this contest.

    Raises:
        GameError: it is not.
    """
    if type(board.number) is not int or len(board.showings) != len(head.line_ups):
        raise GameError("its board is not of this contest")
    for line_up, showings in zip(head.line_ups, board.showings, strict=True):
        if set(showings) != set(line_up):
            raise GameError(f"its board tells of other bots than {', '.join(line_up)}")
        for name, one in showings.items():
            if not is_number(one.figure):
                raise GameError(f"what {name} did is {quote(one.figure)}, which is no figure")


def is_number(value: object) -> bool:
    """Whether this can be the figure of a bot."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return isfinite(value)
    except OverflowError:  # an integer that is larger than any float
        return False


def ranking(
    head: Head, number: int, line_up: LineUp, figures: Mapping[str, float], day: str | None
) -> Ranking:
    """Who did better in a deal, in all seatings together."""
    game = head.game
    deal = text([dict(game.options), head.seed, head.matches, number])
    signed = text([game.name, deal, sorted(line_up), figures])
    return Ranking(
        game.name,
        deal,
        places(figures, high_is_good=game.figure.high_is_good),
        sha256(signed.encode()).hexdigest(),
        day,
    )


def places(figures: Mapping[str, float], *, high_is_good: bool) -> dict[str, int]:
    """The place of each bot by its figure."""
    order = sorted(set(figures.values()), reverse=high_is_good)
    return {name: order.index(figure) + 1 for name, figure in figures.items()}


def text(value: Json | Sequence[object]) -> str:
    """A value as text that is the same for equal values."""
    return json.dumps(value, sort_keys=True)
