"""The causes of external failures, as codes for programs and sentences for operators.

Exception messages may contain cards, ids or passwords; a cause contains none. It is derived from
the error codes of the operating system, SQLite and SQL databases, never from a message.
"""

import errno
import socket
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Literal, cast

FailureCause = Literal[
    "disk_full",
    "locked",
    "damaged",
    "read_only",
    "no_permission",
    "not_found",
    "input_output",
    "no_descriptors",
    "no_memory",
    "no_such_host",
    "connection_refused",
    "connection_lost",
    "unreachable",
    "too_late",
    "not_let_in",
    "not_ready",
    "no_database",
]
"""The code of a cause."""

REMEDIES: Mapping[FailureCause, str] = {
    "disk_full": "the disk is full, or its quota: free some space, nothing else is needed",
    "locked": "another program has locked the database: end it, as an open sqlite3 shell",
    "damaged": "the file is damaged or no database: look at the disk, and restore a backup",
    "read_only": "the file or its file system is read-only: mount it for writing",
    "no_permission": "this user may not do that: let it own the file and its folder, or the schema",
    "not_found": "the file or a folder above it is not there: look for it, or restore a backup",
    "input_output": "the disk answered with an error: look at the system's log, then at the disk",
    "no_descriptors": "there are no file descriptors left: raise the limit (LimitNOFILE, ulimit)",
    "no_memory": "there is no memory left: see what takes it, or lower the limits",
    "no_such_host": "no host has this name: look at its spelling and at the name server",
    "connection_refused": "nothing listens there: start it, or correct address and port",
    "connection_lost": "the other side has ended the connection: see whether it was restarted",
    "unreachable": "no way leads there: look at the network and the firewall",
    "too_late": "no answer came in time: see how busy the other side is, and the network",
    "not_let_in": "the database lets this user not in: correct name, password and rights",
    "not_ready": "the database is starting or stopping: this ends by itself",
    "no_database": "no database has this name: correct it, or make one (createdb)",
}
"""The explanation of each cause for operators, with a remedy."""

_BY_SQLITE_CODE: Mapping[int, FailureCause] = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "no_permission",
    sqlite3.SQLITE_AUTH: "no_permission",
    sqlite3.SQLITE_CANTOPEN: "not_found",
    sqlite3.SQLITE_IOERR: "input_output",
    sqlite3.SQLITE_NOMEM: "no_memory",
}
"""By the primary code of SQLite's error: https://www.sqlite.org/rescode.html."""

_BY_ERRNO: Mapping[int, FailureCause] = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EROFS: "read_only",
    errno.EACCES: "no_permission",
    errno.EPERM: "no_permission",
    errno.ENOENT: "not_found",
    errno.ENOTDIR: "not_found",
    errno.EIO: "input_output",
    errno.EMFILE: "no_descriptors",
    errno.ENFILE: "no_descriptors",
    errno.ENOMEM: "no_memory",
    errno.ECONNREFUSED: "connection_refused",
    errno.ECONNRESET: "connection_lost",
    errno.ECONNABORTED: "connection_lost",
    errno.EPIPE: "connection_lost",
    errno.EHOSTUNREACH: "unreachable",
    errno.ENETUNREACH: "unreachable",
    errno.ETIMEDOUT: "too_late",
}
"""By the error number of the operating system."""

_BY_SQLSTATE: Mapping[str, FailureCause] = {
    "53100": "disk_full",
    "53200": "no_memory",
    "53300": "no_descriptors",
    "55P03": "locked",
    "40P01": "locked",
    "57014": "too_late",
    "25006": "read_only",
    "3D000": "no_database",
    "42501": "no_permission",
    "57P01": "connection_lost",
    "57P02": "connection_lost",
    "57P03": "not_ready",
    "XX001": "damaged",
    "XX002": "damaged",
}
"""By the SQLSTATE of a database error (PostgreSQL, appendix A)."""

_BY_SQLSTATE_CLASS: Mapping[str, FailureCause] = {
    "28": "not_let_in",
    "08": "connection_lost",
    "58": "input_output",
}
"""By the class, the first two characters, of a SQLSTATE that is not in `_BY_SQLSTATE`."""


_BY_EXCEPTION_TYPE: Mapping[type[BaseException], FailureCause] = {
    socket.gaierror: "no_such_host",
    TimeoutError: "too_late",
    MemoryError: "no_memory",
    ConnectionError: "connection_lost",
}
"""By the type of an exception without an error number, or with one not in `_BY_ERRNO`."""


def classify_failure(error: BaseException) -> FailureCause | None:
    """The cause of a failure, from an exception or its chain; None where it is unknown."""
    return next((cause for one in _exception_chain(error) if (cause := _cause_of_one(one))), None)


def _exception_chain(error: BaseException) -> Iterator[BaseException]:
    """An exception and its chain of causes, the latest first."""
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        yield found
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)


def _cause_of_one(error: BaseException) -> FailureCause | None:
    known = getattr(error, "cause", None)  # a StoreError with its own cause
    if isinstance(known, str) and known in REMEDIES:
        return cast("FailureCause", known)
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str):
        return _BY_SQLSTATE.get(state) or _BY_SQLSTATE_CLASS.get(state[:2])
    if isinstance(error, sqlite3.Error):
        # The primary code is the lowest byte of the extended one.
        return _BY_SQLITE_CODE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if isinstance(error, OSError) and not isinstance(error, socket.gaierror):
        # Errors of name resolution have their own list of numbers.
        numbered = _BY_ERRNO.get(error.errno or 0)
        if numbered is not None:
            return numbered
    return next(
        (cause for kind, cause in _BY_EXCEPTION_TYPE.items() if isinstance(error, kind)), None
    )
