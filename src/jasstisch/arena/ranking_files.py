"""Reading checkpoint files as rankings: for each deal, which bots did better.

A folder holds the files that `arena --keep` has written, one for each contest. A ranking is the
result of one line-up in one deal over all its seatings, by the figure of its game, so that the luck
of cards and seats cancels. Rankings are identified by their content, not by their file: a ranking
that several files hold counts once. What cannot be read is reported, and the rest is read.
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
from jasstisch.arena.checkpoint import BOARDS_FORMAT, decode_board, decode_line
from jasstisch.arena.duplicate_boards import BoardResult, LineUp
from jasstisch.engine.errors import GameError, quote
from jasstisch.games.rules import Json

FILE_SUFFIX = ".jsonl"
"""The suffix of checkpoint files in such a folder; other files are ignored."""


@dataclass(frozen=True, slots=True)
class DealRanking:
    """The result of a line-up in a deal.

    Attributes:
        game: the name of the game.
        deal_key: the identity of the deal among all deals of that game.
        ranks: the rank of each bot, from 1; ties share a rank.
        digest: a digest of everything that the ranking follows from.
        day: when it was played, such as `2026-11-26`; None if the file does not say.
    """

    game: str
    deal_key: str
    ranks: Mapping[str, int]
    digest: str
    day: str | None


@dataclass(frozen=True, slots=True)
class UnreadableEntry:
    """An entry that could not be read.

    Attributes:
        where: the file, and the line if it concerns one.
        reason: the reason.
    """

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Header:
    """The contest of a checkpoint file."""

    game: jt.Game
    line_ups: tuple[LineUp, ...]
    seed: int
    matches: bool


def read_rankings_dir(folder: Path) -> tuple[list[DealRanking], list[UnreadableEntry]]:
    """Returns the distinct rankings of all files in a folder, and the unreadable entries.

    Raises:
        OSError: the folder cannot be read.
    """
    found: dict[str, DealRanking] = {}
    unread: list[UnreadableEntry] = []
    for path in sorted(one for one in folder.iterdir() if one.suffix == FILE_SUFFIX):
        for one in _read_rankings(path):
            if isinstance(one, UnreadableEntry):
                unread.append(one)
            elif one.digest not in found or (one.day or "") > (found[one.digest].day or ""):
                found[one.digest] = one
    return [found[sign] for sign in sorted(found)], unread


def _read_rankings(path: Path) -> Iterator[DealRanking | UnreadableEntry]:
    """Yields the rankings of a file and its unreadable entries.

    An incomplete last line is skipped: the arena plays that deal again.
    """
    try:
        first, *lines = path.read_bytes().splitlines(keepends=True) or [b""]
        head = _parse_header(first, path)
    except OSError as error:
        yield UnreadableEntry(path.name, (error.strerror or str(error)).lower())
        return
    except GameError as error:
        yield UnreadableEntry(path.name, _strip_path(path, error))
        return
    for number, line in enumerate(lines, start=2):
        if not line.endswith(b"\n"):
            return
        try:
            yield from _parse_rankings(line, head, path)
        except GameError as error:
            yield UnreadableEntry(f"{path.name}, line {number}", _strip_path(path, error))


def _strip_path(path: Path, error: GameError) -> str:
    """Returns the text of an error without the name of the file."""
    return str(error).removeprefix(f"{path}: ").removeprefix(f"{path} ")


def _parse_header(line: bytes, path: Path) -> _Header:
    """Parses the first line of a file.

    Raises:
        GameError: it is not a header, or its game is unknown here.
    """
    entries = decode_line(line, path)
    if entries.get("format") != BOARDS_FORMAT:
        raise GameError(f"its format is {quote(entries.get('format'))}, not {quote(BOARDS_FORMAT)}")
    game, options, line_ups = entries.get("game"), entries.get("options"), entries.get("line_ups")
    if not isinstance(game, str) or not isinstance(options, dict) or not isinstance(line_ups, list):
        raise GameError("its first line does not say what was played")
    if not all(isinstance(one, list) and one and _are_bot_names(one) for one in line_ups):
        raise GameError(f"these are no line-ups: {quote(line_ups)}")
    seed, matches = entries.get("seed"), entries.get("matches")
    if type(seed) is not int or not isinstance(matches, bool):
        raise GameError("its first line does not say which deals were played")
    found = jt.game(game, **options)
    _ = found.metric  # raises if the game has no metric
    return _Header(found, tuple(tuple(one) for one in line_ups), seed, matches)


def _are_bot_names(values: Sequence[object]) -> bool:
    """Returns whether these can be the names of bots."""
    return all(isinstance(one, str) and one and one.isprintable() for one in values)


def _parse_rankings(line: bytes, head: _Header, path: Path) -> Iterator[DealRanking]:
    """Parses the rankings of a line: one for each line-up of different bots.

    Raises:
        GameError: it holds no board of this contest.
    """
    entry = decode_line(line, path)
    board = decode_board(entry, path)
    _check_board(board, head)
    day = _parse_day(entry.get("played"))
    for line_up, showings in zip(head.line_ups, board.scores, strict=True):
        if len(showings) > 1:
            figures = {name: float(showings[name].metric_value) for name in sorted(showings)}
            yield _rank_line_up(head, board.number, line_up, figures, day)


def _parse_day(played: object) -> str | None:
    """Parses the day on which a board was played; None if it is missing.

    Raises:
        GameError: it is not a date.
    """
    if played is None:
        return None
    if isinstance(played, str):
        with suppress(ValueError):
            # Days are compared as text, so only one format is accepted.
            if date.fromisoformat(played).isoformat() == played:
                return played
    raise GameError(f"it was played on {quote(played)}, which is no day")


def _check_board(board: BoardResult, head: _Header) -> None:
    """Checks that a board belongs to this contest.

    Raises:
        GameError: it does not.
    """
    if type(board.number) is not int or len(board.scores) != len(head.line_ups):
        raise GameError("its board is not of this contest")
    for line_up, showings in zip(head.line_ups, board.scores, strict=True):
        if set(showings) != set(line_up):
            raise GameError(f"its board tells of other bots than {', '.join(line_up)}")
        for name, one in showings.items():
            if not _is_metric_value(one.metric_value):
                raise GameError(f"what {name} did is {quote(one.metric_value)}, which is no figure")


def _is_metric_value(value: object) -> bool:
    """Returns whether a value can be the figure of a bot."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return isfinite(value)
    except OverflowError:  # an integer larger than any float
        return False


def _rank_line_up(
    head: _Header, number: int, line_up: LineUp, figures: Mapping[str, float], day: str | None
) -> DealRanking:
    """Ranks the bots of a line-up in a deal, over all seatings."""
    game = head.game
    deal = _canonical_json([dict(game.options), head.seed, head.matches, number])
    signed = _canonical_json([game.name, deal, sorted(line_up), figures])
    return DealRanking(
        game.name,
        deal,
        _rank_by_metric(figures, high_is_good=game.metric.higher_is_better),
        sha256(signed.encode()).hexdigest(),
        day,
    )


def _rank_by_metric(figures: Mapping[str, float], *, high_is_good: bool) -> dict[str, int]:
    """Returns the rank of each bot by its figure."""
    order = sorted(set(figures.values()), reverse=high_is_good)
    return {name: order.index(figure) + 1 for name, figure in figures.items()}


def _canonical_json(value: Json | Sequence[object]) -> str:
    """Returns a canonical JSON text: equal values give equal texts."""
    return json.dumps(value, sort_keys=True)
