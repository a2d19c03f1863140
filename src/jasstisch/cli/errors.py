"""Errors that end a command: each is printed as one line and sets the exit status.

0 is success, 1 a failure, 2 wrong usage, 130 Ctrl-C.
"""

EXIT_INTERRUPTED = 130


class CommandError(Exception):
    """The command failed; the message is the line that is printed."""

    status = 1


class UsageError(CommandError):
    """The arguments are wrong; the message says what is allowed."""

    status = 2
