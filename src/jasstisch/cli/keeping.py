"""What the terminal keeps of a person: who he is at servers, and matches that he has not finished.

It lies in the folder that the system has for the state of programs, and nobody else may read it.
"""

import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

__all__ = [
    "last_match",
    "match_file",
    "matches_folder",
    "read",
    "state_folder",
    "token_file",
    "write",
]

PRIVATE = 0o600
PRIVATE_FOLDER = 0o700

MOST_MATCHES = 20
"""How many unfinished matches are kept; older ones go."""

ENDING = ".jass.json"


def state_folder() -> Path:
    """The folder for what programs keep of a person from one time to the next."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "jasstisch"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "jasstisch"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "jasstisch"


def token_file(server: str) -> Path:
    """The file that keeps who a person is at a server: whoever has it has his seats."""
    return state_folder() / "servers" / re.sub(r"[^A-Za-z0-9.-]+", "_", server.lower())


def matches_folder() -> Path:
    """The folder of the matches that were left without a file of their own."""
    return state_folder() / "matches"


def match_file(game: str) -> Path:
    """A new file for a match that is left, empty; the oldest ones make room for it.

    Raises:
        OSError: it cannot be written.
    """
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
    path = matches_folder() / f"{moment}-{game}{ENDING}"
    write(path, "")
    for old in _matches()[:-MOST_MATCHES]:
        old.unlink(missing_ok=True)
    return path


def last_match() -> Path | None:
    """The match that was left last; None where there is none."""
    return _matches()[-1] if _matches() else None


def _matches() -> list[Path]:
    """The matches that are kept, the oldest first."""
    return sorted(matches_folder().glob(f"*{ENDING}"))


def read(path: Path) -> str | None:
    """What is kept in a file; None where there is nothing."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def write(path: Path, text: str) -> None:
    """Keeps a text in a file that nobody else may read, in place of what is there.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "w") as file:
        file.write(text)
    part.replace(path)
