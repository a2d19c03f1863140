"""The structured log for operators: what the server does, never what a player holds.

A line contains event names, counts, codes and the first characters of a table's id (the whole id is
the secret of its link), and the id of the request that caused it. Exception messages may name cards
and are left out: a failure is logged with its type, its place in the code, and advice for the
operator if the cause lies outside of the program.
"""

import logging
import sys
import traceback
from typing import Any, Literal

import structlog
from structlog.typing import EventDict

from jasstisch.server.observability.request_id import CURRENT_REQUEST_ID
from jasstisch.storage.failure_causes import REMEDIES, classify_failure

LogFormat = Literal["auto", "json", "text"]
LogLevel = Literal["info", "warning", "error"]

_MAX_WARNING_KINDS = 1000
"""The number of kinds of warnings that are remembered."""

log: Any = structlog.get_logger("jasstisch")
"""The logger of the server."""


def configure_logging(form: LogFormat = "auto", level: LogLevel = "info") -> None:
    """Configures logging to standard error.

    Args:
        form: JSON or text; `auto` is text on a terminal and JSON elsewhere.
        level: the lowest level that is logged.
    """
    terminal = sys.stderr.isatty()
    text = form == "text" or (form == "auto" and terminal)
    stamp = "%H:%M:%S" if text and terminal else "iso"
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            _add_request_id,
            structlog.processors.TimeStamper(fmt=stamp, utc=stamp == "iso"),
            structlog.dev.ConsoleRenderer(colors=terminal)
            if text
            else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )

    logging.basicConfig(handlers=[_LibraryWarningHandler()], level=logging.WARNING, force=True)


def _add_request_id(_: object, __: str, line: EventDict) -> EventDict:
    """Adds the id of the current request to a line that has none."""
    request = CURRENT_REQUEST_ID.get()
    if request:
        line.setdefault("request", request)
    return line


class _LibraryWarningHandler(logging.Handler):
    """Passes warnings of libraries to our log, exceptions by type and place only.

    The same warning is logged once a second, because a client can provoke some of them with each
    request.
    """

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[str, float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        kind = f"{record.name} {record.msg}"
        if record.created - self._counts.get(kind, 0.0) < 1.0:
            return
        if len(self._counts) >= _MAX_WARNING_KINDS:
            self._counts.clear()
        self._counts[kind] = record.created
        error = record.exc_info[1] if record.exc_info else None
        details = {} if error is None else describe_exception(error)
        log.warning("library", source=record.name, says=record.getMessage()[:200], **details)


def short_id(table: str) -> str:
    """A prefix of a table's id: enough to identify its log lines, and too little to open it."""
    return table[:6]


def describe_exception(error: BaseException) -> dict[str, str]:
    """The log fields of an exception: its type, where it happened, and what can be done.

    The latter, `cause` and `help`, are present if the cause lies outside of the program.
    """
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    where = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames))
    found = {"error": type(error).__name__, "where": where}
    cause = classify_failure(error)
    return found if cause is None else {**found, "cause": cause, "help": REMEDIES[cause]}
