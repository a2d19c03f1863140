"""Log lines for the host: what the server does, never what anybody holds.

A line carries event names, counts, codes and the first characters of a table's id (the whole id is
the secret of its link). Messages of exceptions may name cards and stay out: a failure is told by
its type and the place in the code.
"""

import logging
import sys
import traceback
from typing import Any

import structlog

__all__ = ["configure", "failure", "log", "short"]

MOST_KINDS = 1000
"""So many kinds of warnings are remembered."""

log: Any = structlog.get_logger("jasstisch")
"""Where the server writes its log lines."""


def configure() -> None:
    """Sends log lines to standard error, coloured on a terminal and as JSON elsewhere."""
    terminal = sys.stderr.isatty()
    stamp = "%H:%M:%S" if terminal else "iso"
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt=stamp, utc=not terminal),
            structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )

    logging.basicConfig(handlers=[_Bridge()], level=logging.WARNING, force=True)


class _Bridge(logging.Handler):
    """Brings the warnings of libraries into our log, exceptions by type and place only.

    The same warning is told once a second: a caller can provoke some of them with each request.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[str, float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        kind = f"{record.name} {record.msg}"
        if record.created - self._told.get(kind, 0.0) < 1.0:
            return
        if len(self._told) >= MOST_KINDS:
            self._told.clear()
        self._told[kind] = record.created
        error = record.exc_info[1] if record.exc_info else None
        details = {} if error is None else failure(error)
        log.warning("library", source=record.name, says=record.getMessage()[:200], **details)


def short(table: str) -> str:
    """Enough of a table's id to tell its lines from others, and too little to open it."""
    return table[:6]


def failure(error: BaseException) -> dict[str, str]:
    """What a log line may say of an exception: its type and where it happened."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    where = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames))
    return {"error": type(error).__name__, "where": where}
