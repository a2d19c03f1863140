"""Reading and writing records of matches as files.

A file is never half written: the new one takes the place of the old one in one go. What is read is
verified to the last step before anything of it is shown.
"""

import json
import stat
from pathlib import Path

import jasstisch as jt
from jasstisch.cli.errors import CommandError
from jasstisch.cli.game import user_state
from jasstisch.engine.errors import RecordError, count_seats_from_one, shorten

__all__ = ["exists", "load", "record_text", "save"]

MAX_FILE_BYTES = 16 * 2**20
"""Bytes; the longest match there can reasonably be needs a hundredth of it."""

DEFAULT_FILE_MODE = 0o666
"""The rights of a new file, of which the system takes away what the person wishes."""

MAX_DIGITS = 100
"""Digits; far more than any option or result has."""


def load(path: Path) -> jt.Match:
    """The match recorded in a file, verified.

    Raises:
        CommandError: the file cannot be read, is no record, or a step of it does not hold; the
            text names the file, the step where there is one, and the pack where a deal is wrong.
    """
    try:
        record = json.loads(
            read_limited(path), object_pairs_hook=_reject_duplicate_keys, parse_int=_parse_number
        )
        return jt.Match.from_record(record)
    except RecordError as error:
        raise CommandError(f"{path}: {shorten(count_seats_from_one(str(error)), 400)}") from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path}: not a record: {error_text(error)}") from error


def _reject_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of a JSON text, unless a key stands in it twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _parse_number(digits: str) -> int:
    """A number of a JSON text; none of a record is long."""
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits; {MAX_DIGITS} are allowed")
    return int(digits)


def read_limited(path: Path) -> str:
    """The text of a file that is not too large."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise CommandError(f"cannot read {path}: {error_text(error)}") from error
    if len(content) > MAX_FILE_BYTES:
        raise CommandError(f"{path}: not a record: larger than {MAX_FILE_BYTES // 2**20} MiB")
    return content.decode("utf-8").removeprefix("\ufeff")


def record_text(match: jt.Match) -> str:
    """What stands in the file of a match."""
    return f"{json.dumps(match.record())}\n"


def save(match: jt.Match, path: Path) -> None:
    """Writes the record of a match into a file, in place of what is there.

    Raises:
        CommandError: the file cannot be written; what was there is as it was.

    Who may read what is there may read the new one.
    """
    text = record_text(match)
    try:
        rights = stat.S_IMODE(path.stat().st_mode) if path.exists() else DEFAULT_FILE_MODE
        user_state.atomic_write(path, text, rights)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot write {path}: {error_text(error)}") from error


def exists(path: Path) -> bool:
    """Whether there is something of this name already; a name no file can have is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def error_text(error: Exception) -> str:
    """What went wrong, in a line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON, as records are, from line {error.lineno}, column {error.colno} on"
    if isinstance(error, UnicodeDecodeError):
        return f"no text in UTF-8, as records are, from byte {error.start + 1} on"
    return shorten(" ".join(str(error).split()), 200)
