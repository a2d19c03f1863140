"""What the terminal keeps of a person: who he is at servers, and matches that he has not finished.

It lies in the folder that the system has for the state of programs, and nobody else may read it.
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

__all__ = [
    "atomic_write",
    "autosave",
    "autosave_dir",
    "autosaves",
    "latest_autosave",
    "read_text",
    "state_dir",
    "token_file",
    "write_private",
]

PRIVATE_FILE_MODE = 0o600
PRIVATE_DIR_MODE = 0o700

MAX_AUTOSAVES = 20
"""How many unfinished matches are kept; older ones go."""

RECORD_SUFFIX = ".jass.json"


def state_dir() -> Path:
    """The folder for what programs keep of a person from one time to the next."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "jasstisch"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "jasstisch"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "jasstisch"


def token_file(server: str) -> Path:
    """The file that keeps who a person is at a server: whoever has it has his seats."""
    return state_dir() / "servers" / quote(server.lower(), safe="")


def autosave_dir() -> Path:
    """The folder of the matches that were left without a file of their own."""
    return state_dir() / "matches"


def autosave(game: str, record: str) -> Path:
    """Keeps the record of a match that is left in a new file; the oldest ones make room for it.

    Raises:
        OSError: it cannot be written; what was kept is as it was.
    """
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
    path = autosave_dir() / f"{moment}-{game}{RECORD_SUFFIX}"
    write_private(path, record)
    for old in autosaves()[:-MAX_AUTOSAVES]:
        old.unlink(missing_ok=True)
    return path


def latest_autosave() -> Path | None:
    """The match that was left last; None where there is none."""
    return next(reversed(autosaves()), None)


def autosaves() -> list[Path]:
    """The matches that are kept, the oldest first."""
    return sorted(autosave_dir().glob(f"*{RECORD_SUFFIX}"))


def read_text(path: Path) -> str | None:
    """What is kept in a file; None where there is nothing."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def write_private(path: Path, text: str) -> None:
    """Keeps a text in a file that nobody else may read, in place of what is there.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=PRIVATE_DIR_MODE, parents=True, exist_ok=True)
    atomic_write(path, text, PRIVATE_FILE_MODE)


def atomic_write(path: Path, text: str, rights: int) -> None:
    """Writes a text into a file, in place of what is there, so that it is never half written.

    Args:
        path: the file.
        text: all that stands in it then.
        rights: those of the new file, of which the system takes away what the person wishes.

    Raises:
        OSError: it cannot be written; what was there is as it was.
    """
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    new = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, rights)
    with os.fdopen(new, "w", encoding="utf-8") as file:
        file.write(text)
    part.replace(path)
