"""The limit on open files and sockets of the process, and the share of it for connections."""

import sys

_RESERVED_DESCRIPTORS = 128
"""The descriptors reserved for the store, the workers, the listener and the log."""

_MACOS_LIMIT = 10_240
"""The limit that macOS grants if it reports an infinite hard limit but refuses it."""


def raise_soft_limit() -> int | None:
    """Raises the soft limit of file descriptors to the hard limit.

    Returns:
        The limit in force; None where the system has no such limit.
    """
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - there is none on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, _MACOS_LIMIT):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue
        return None if wanted == resource.RLIM_INFINITY else wanted
    return soft


def connection_budget(limit: int, descriptors: int | None) -> int:
    """The maximum number of connections.

    Args:
        limit: the maximum that the operator wants.
        descriptors: the limit of the system; None for no limit.
    """
    if descriptors is None:
        return limit
    return min(limit, max(descriptors - _RESERVED_DESCRIPTORS, descriptors // 2))
