"""The state that the terminal keeps for a person: identity tokens, unfinished matches, seen deals.

It is in the state folder of the operating system, readable only by the person.
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

_PRIVATE_FILE_MODE = 0o600
_PRIVATE_DIR_MODE = 0o700

_MAX_AUTOSAVES = 20
"""The most unfinished matches to keep; older ones are deleted."""

_RECORD_SUFFIX = ".jass.json"


def state_dir() -> Path:
    """Returns the state folder of the program."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "jasstisch"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "jasstisch"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "jasstisch"


def token_file(server: str) -> Path:
    """Returns the file of a person's token at a server; the token gives access to their seats."""
    return state_dir() / "servers" / quote(server.lower(), safe="")


def deals_dir() -> Path:
    """Returns the folder of what was seen of matches with verifiable deals at servers."""
    return state_dir() / "deals"


def autosave_dir() -> Path:
    """Returns the folder of autosaves: matches without a file of their own."""
    return state_dir() / "matches"


def autosave(game: str, record: str) -> Path:
    """Saves the record of a match in a new file and deletes the oldest autosaves.

    Raises:
        OSError: it cannot be written; the other autosaves are unchanged.
    """
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
    path = autosave_dir() / f"{moment}-{game}{_RECORD_SUFFIX}"
    write_private(path, record)
    for old in autosaves()[:-_MAX_AUTOSAVES]:
        old.unlink(missing_ok=True)
    return path


def latest_autosave() -> Path | None:
    """Returns the most recent autosave; None if there is none."""
    return next(reversed(autosaves()), None)


def autosaves() -> list[Path]:
    """Returns all autosaves, the oldest first."""
    return sorted(autosave_dir().glob(f"*{_RECORD_SUFFIX}"))


def read_text(path: Path) -> str | None:
    """Returns the content of a file; None if it does not exist."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def write_private(path: Path, text: str) -> None:
    """Writes a file that nobody else can read, atomically.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=_PRIVATE_DIR_MODE, parents=True, exist_ok=True)
    atomic_write(path, text, _PRIVATE_FILE_MODE)


def atomic_write(path: Path, text: str, rights: int) -> None:
    """Writes a file atomically: it is never half written.

    Args:
        path: the file.
        text: the new content.
        rights: the mode of a new file, before the umask is applied.

    Raises:
        OSError: it cannot be written; the previous file is unchanged.
    """
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    new = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, rights)
    with os.fdopen(new, "w", encoding="utf-8") as file:
        file.write(text)
    part.replace(path)
