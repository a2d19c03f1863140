"""Talk at the table: whoever holds a seat says a phrase, or writes a line where the host lets him.

What is said changes nothing but the log: no turn, no time, nothing of the match or its record.
"""

from jasstisch.table import commands, events
from jasstisch.table.errors import TableError
from jasstisch.table.state import State

__all__ = ["MOST_SAID", "decide"]

MOST_SAID = 10_000
"""So much is said at a table, so that talk does not use up what its log may hold."""


def decide(state: State, seat: int, command: commands.Talking) -> list[events.Event]:
    """What follows when the person of a seat says something.

    Raises:
        TableError: the host lets nobody write, or so much has been said that it is enough.
    """
    if isinstance(command, commands.Write) and not state.house.writing:
        raise TableError("no_writing", "the host of this table lets nobody write")
    if state.said >= MOST_SAID:
        raise TableError("limit", "enough has been said at this table; make a new one")
    match command:
        case commands.Say(phrase=phrase):
            return [events.Said(seat, phrase)]
        case commands.Write(text=text):
            return [events.Wrote(seat, text)]
