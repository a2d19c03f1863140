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
from jasstisch.arena.checkpoint import BOARDS_FORMAT, decode_board, decode_line
from jasstisch.engine.errors import GameError, quote
from jasstisch.games.rules import Json

__all__ = ["FILE_SUFFIX", "Ranking", "UnreadableEntry", "read_rankings_dir"]

FILE_SUFFIX = ".jsonl"
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
    digest: str
    day: str | None


@dataclass(frozen=True, slots=True)
class UnreadableEntry:
    """What could not be read.

    Attributes:
        where: the file, and the line where it is about one.
        reason: why not.
    """

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Header:
    """What the boards of a file are about."""

    game: jt.Game
    line_ups: tuple[LineUp, ...]
    seed: int
    matches: bool


def read_rankings_dir(folder: Path) -> tuple[list[Ranking], list[UnreadableEntry]]:
    """All rankings that the files of a folder hold, each once, and what could not be read.

    Raises:
        OSError: the folder cannot be read.
    """
    found: dict[str, Ranking] = {}
    unread: list[UnreadableEntry] = []
    for path in sorted(one for one in folder.iterdir() if one.suffix == FILE_SUFFIX):
        for one in read_rankings(path):
            if isinstance(one, UnreadableEntry):
                unread.append(one)
            elif one.digest not in found or (one.day or "") > (found[one.digest].day or ""):
                found[one.digest] = one
    return [found[sign] for sign in sorted(found)], unread


def read_rankings(path: Path) -> Iterator[Ranking | UnreadableEntry]:
    """The rankings of a file, with what of it cannot be read.

    A last line that was cut off in the middle is passed over: the arena plays that deal again.
    """
    try:
        first, *lines = path.read_bytes().splitlines(keepends=True) or [b""]
        head = parse_header(first, path)
    except OSError as error:
        yield UnreadableEntry(path.name, (error.strerror or str(error)).lower())
        return
    except GameError as error:
        yield UnreadableEntry(path.name, strip_path(path, error))
        return
    for number, line in enumerate(lines, start=2):
        if not line.endswith(b"\n"):
            return
        try:
            yield from parse_rankings(line, head, path)
        except GameError as error:
            yield UnreadableEntry(f"{path.name}, line {number}", strip_path(path, error))


def strip_path(path: Path, error: GameError) -> str:
    """What an error says, without the file that is named beside it."""
    return str(error).removeprefix(f"{path}: ").removeprefix(f"{path} ")


def parse_header(line: bytes, path: Path) -> Header:
    """What the first line of a file says.

    Raises:
        GameError: it says nothing of boards, or of a game that is not here.
    """
    told = decode_line(line, path)
    if told.get("format") != BOARDS_FORMAT:
        raise GameError(f"its format is {quote(told.get('format'))}, not {quote(BOARDS_FORMAT)}")
    game, options, line_ups = told.get("game"), told.get("options"), told.get("line_ups")
    if not isinstance(game, str) or not isinstance(options, dict) or not isinstance(line_ups, list):
        raise GameError("its first line does not say what was played")
    if not all(isinstance(one, list) and one and are_bot_names(one) for one in line_ups):
        raise GameError(f"these are no line-ups: {quote(line_ups)}")
    seed, matches = told.get("seed"), told.get("matches")
    if type(seed) is not int or not isinstance(matches, bool):
        raise GameError("its first line does not say which deals were played")
    found = jt.game(game, **options)
    _ = found.metric  # refused where nothing is measured
    return Header(found, tuple(tuple(one) for one in line_ups), seed, matches)


def are_bot_names(values: Sequence[object]) -> bool:
    """Whether these may be the names of bots."""
    return all(isinstance(one, str) and one and one.isprintable() for one in values)


def parse_rankings(line: bytes, head: Header, path: Path) -> Iterator[Ranking]:
    """The rankings of a line: one for each line-up in which different bots met.

    Raises:
        GameError: it holds no board of this contest.
    """
    told = decode_line(line, path)
    board = decode_board(told, path)
    check_board(board, head)
    day = parse_day(told.get("played"))
    for line_up, showings in zip(head.line_ups, board.scores, strict=True):
        if len(showings) > 1:
            figures = {name: float(showings[name].metric) for name in sorted(showings)}
            yield rank_line_up(head, board.number, line_up, figures, day)


def parse_day(played: object) -> str | None:
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


def check_board(board: Board, head: Header) -> None:
    """Refuses a board that is not of this contest.

    Raises:
        GameError: it is not.
    """
    if type(board.number) is not int or len(board.scores) != len(head.line_ups):
        raise GameError("its board is not of this contest")
    for line_up, showings in zip(head.line_ups, board.scores, strict=True):
        if set(showings) != set(line_up):
            raise GameError(f"its board tells of other bots than {', '.join(line_up)}")
        for name, one in showings.items():
            if not is_metric_value(one.metric):
                raise GameError(f"what {name} did is {quote(one.metric)}, which is no figure")


def is_metric_value(value: object) -> bool:
    """Whether this can be the figure of a bot."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return isfinite(value)
    except OverflowError:  # an integer that is larger than any float
        return False


def rank_line_up(
    head: Header, number: int, line_up: LineUp, figures: Mapping[str, float], day: str | None
) -> Ranking:
    """Who did better in a deal, in all seatings together."""
    game = head.game
    deal = canonical_json([dict(game.options), head.seed, head.matches, number])
    signed = canonical_json([game.name, deal, sorted(line_up), figures])
    return Ranking(
        game.name,
        deal,
        rank_by_metric(figures, high_is_good=game.metric.higher_is_better),
        sha256(signed.encode()).hexdigest(),
        day,
    )


def rank_by_metric(figures: Mapping[str, float], *, high_is_good: bool) -> dict[str, int]:
    """The place of each bot by its figure."""
    order = sorted(set(figures.values()), reverse=high_is_good)
    return {name: order.index(figure) + 1 for name, figure in figures.items()}


def canonical_json(value: Json | Sequence[object]) -> str:
    """A value as text that is the same for equal values."""
    return json.dumps(value, sort_keys=True)
