"""Reading and writing records of matches as files.

Files are replaced atomically, so a file is never half written. A record is verified to its last
step before anything of it is shown.
"""

import json
import stat
from pathlib import Path

import jasstisch as jt
from jasstisch.cli.errors import CommandError
from jasstisch.cli.game import user_state
from jasstisch.engine.errors import RecordError, count_seats_from_one, shorten

_MAX_FILE_BYTES = 16 * 2**20
"""Maximum size in bytes: a hundred times what the longest plausible match needs."""

_DEFAULT_FILE_MODE = 0o666
"""The mode of a new file, before the umask is applied."""

_MAX_DIGITS = 100
"""Maximum digits of a number: far more than any option or result has."""


def load(path: Path) -> jt.Match:
    """Loads and verifies the match recorded in a file.

    Raises:
        CommandError: the file cannot be read, is not a record, or a step of it is invalid; the
            message
            names the file, the step if there is one, and the pack if a deal is wrong.
    """
    try:
        record = json.loads(
            _read_limited(path), object_pairs_hook=_reject_duplicate_keys, parse_int=_parse_number
        )
        return jt.Match.from_record(record)
    except RecordError as error:
        raise CommandError(f"{path}: {shorten(count_seats_from_one(str(error)), 400)}") from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path}: not a record: {error_text(error)}") from error


def _reject_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Builds a JSON object; refuses duplicate keys."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has the same key twice")
    return found


def _parse_number(digits: str) -> int:
    """Parses a number of a JSON text; refuses very long ones."""
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits; {_MAX_DIGITS} are allowed")
    return int(digits)


def _read_limited(path: Path) -> str:
    """Returns the text of a file that is not too large."""
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: an invalid file name
        raise CommandError(f"cannot read {path}: {error_text(error)}") from error
    if len(content) > _MAX_FILE_BYTES:
        raise CommandError(f"{path}: not a record: larger than {_MAX_FILE_BYTES // 2**20} MiB")
    return content.decode("utf-8").removeprefix("\ufeff")


def record_text(match: jt.Match) -> str:
    """Returns the record of a match as the text of a file."""
    return f"{json.dumps(match.record())}\n"


def save(match: jt.Match, path: Path) -> None:
    """Writes the record of a match to a file, atomically.

    A replaced file keeps its mode.

    Raises:
        CommandError: the file cannot be written; the previous one is unchanged.
    """
    text = record_text(match)
    try:
        rights = stat.S_IMODE(path.stat().st_mode) if path.exists() else _DEFAULT_FILE_MODE
        user_state.atomic_write(path, text, rights)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot write {path}: {error_text(error)}") from error


def exists(path: Path) -> bool:
    """Returns whether a path exists; an invalid file name does not."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def error_text(error: Exception) -> str:
    """Returns the reason of an error in one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON from line {error.lineno}, column {error.colno} on"
    if isinstance(error, UnicodeDecodeError):
        return f"not valid UTF-8 from byte {error.start + 1} on"
    return shorten(" ".join(str(error).split()), 200)
