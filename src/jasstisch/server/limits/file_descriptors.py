"""How many files and sockets the process may have open, and what of that is for connections."""

import sys

__all__ = ["connection_budget", "raise_soft_limit"]

RESERVED_DESCRIPTORS = 128
"""Descriptors for the store, the thinkers, the listener and the log."""

MACOS_LIMIT = 10_240
"""What every system grants that calls its hard limit infinite and still refuses it (macOS)."""


def raise_soft_limit() -> int | None:
    """Raises the soft limit of descriptors to the hard one.

    Returns:
        How many there may be; None where the system has no such limit.
    """
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 - there is none on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, MACOS_LIMIT):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue
        return None if wanted == resource.RLIM_INFINITY else wanted
    return soft


def connection_budget(most: int, descriptors: int | None) -> int:
    """How many connections there may be.

    Args:
        most: how many the host wants at most.
        descriptors: how many the system grants; None for any number.
    """
    if descriptors is None:
        return most
    return min(most, max(descriptors - RESERVED_DESCRIPTORS, descriptors // 2))
