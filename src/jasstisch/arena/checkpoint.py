"""Checkpoint files: the boards of a contest, so that a long run can stop and resume.

The file has a header line and one line for each board, in order, as JSON with the day on which the
board was played. Lines are only appended. An incomplete last line is dropped and its board played
again.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from jasstisch.arena.duplicate_boards import BoardResult, BotScore, MoveTiming
from jasstisch.arena.runner import ContestRun
from jasstisch.engine.errors import GameError, quote, shorten
from jasstisch.games.rules import Json

BOARDS_FORMAT = "jasstisch-boards/1"


class CheckpointFile:
    """A file to which boards are appended.

    Args:
        file: the open file.
        written: the number of boards in it.
    """

    def __init__(self, file: BinaryIO, written: int) -> None:
        self.file = file
        self.written = written

    def add(self, boards: Sequence[BoardResult]) -> None:
        """Appends the boards that are not in the file yet."""
        played = {"played": datetime.now(UTC).date().isoformat()}
        for board in boards[self.written :]:
            self.file.write(_encode_line(_encode_board(board) | played))
        self.file.flush()
        self.written = max(self.written, len(boards))


@contextmanager
def open_checkpoint(session: ContestRun, path: Path) -> Iterator[CheckpointFile]:
    """Loads the boards of a file into a run and returns the file to append to.

    Args:
        session: a run of which nothing has been played yet.
        path: the file; created if it does not exist.

    Raises:
        GameError: the file holds something else, or boards of another contest; it is unchanged.
        OSError: it cannot be read or written.
    """
    content = path.read_bytes() if path.exists() else b""
    first, *lines = content.splitlines(keepends=True) or [_encode_line(_header(session))]
    _check_header(decode_line(first, path), _header(session), path)
    whole = [line for line in lines if line.endswith(b"\n")]
    boards = [decode_board(decode_line(line, path), path) for line in whole]
    if [board.number for board in boards] != list(range(len(boards))):
        raise GameError(f"{path}: the boards are not in their order")
    session.boards = boards[: session.deal_count]
    with path.open("ab") as file:
        file.truncate(min(len(content), len(first) + len(b"".join(whole))))
        if not content:
            file.write(first)
        yield CheckpointFile(file, len(boards))


def _header(session: ContestRun) -> Json:
    """Returns the header line: what is played."""
    contest = session.contest
    return {
        "format": BOARDS_FORMAT,
        "game": contest.game.name,
        "options": dict(contest.game.options),
        "line_ups": [list(line_up) for line_up in contest.line_ups],
        "seed": session.seed,
        "matches": session.plays_whole_matches,
        "clock": session.uses_clock,
    }


def _check_header(found: Json, wanted: Json, path: Path) -> None:
    """Refuses the boards of another contest.

    Raises:
        GameError: the header belongs to another contest.
    """
    for key, value in wanted.items():
        if found.get(key) != value:
            raise GameError(
                f"{path} holds other boards: its {key.replace('_', '-')} is "
                f"{shorten(json.dumps(found.get(key)))}, not {shorten(json.dumps(value))}"
            )


def _encode_line(line: Json) -> bytes:
    """Encodes an object as a line of the file."""
    return f"{json.dumps(line)}\n".encode()


def decode_line(line: bytes, path: Path) -> Json:
    """Decodes a complete line of the file.

    Raises:
        GameError: it is incomplete or not a JSON object.
    """
    try:
        found = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise GameError(f"{path} is no file of boards: it has {quote(line)}")
    return found


def _encode_board(board: BoardResult) -> Json:
    """Returns a board as plain JSON."""
    return {
        "number": board.number,
        "showings": [
            {name: [one.metric_value, one.win_rate] for name, one in showings.items()}
            for showings in board.scores
        ],
        "remarks": list(board.extra_metrics),
        "paces": {
            name: [pace.moves, pace.seconds, pace.slowest] for name, pace in board.timings.items()
        },
    }


def decode_board(line: Json, path: Path) -> BoardResult:
    """Decodes the board of a line.

    Raises:
        GameError: it holds no board.
    """
    try:
        return BoardResult(
            line["number"],
            tuple(
                {name: BotScore(figure, wins) for name, (figure, wins) in showings.items()}
                for showings in line["showings"]
            ),
            tuple(line["remarks"]),
            {name: MoveTiming(*pace) for name, pace in line["paces"].items()},
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise GameError(f"{path}: a line holds no board: {quote(line)}") from error
