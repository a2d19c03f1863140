"""How a command ends early: with one line that says why, and an exit status.

0 is success, 1 a failure, 2 wrong usage, 130 Ctrl-C.
"""

__all__ = ["EXIT_INTERRUPTED", "CommandError", "UsageError"]

EXIT_INTERRUPTED = 130


class CommandError(Exception):
    """What was asked for could not be done; the text is the line that is printed."""

    status = 1


class UsageError(CommandError):
    """What was asked for is not understood; the text names what is allowed."""

    status = 2
