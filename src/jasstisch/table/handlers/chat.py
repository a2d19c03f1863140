"""Talk at the table: whoever holds a seat says a phrase, or writes a line where the host lets him.

What is said changes nothing but the log: no turn, no time, nothing of the match or its record.
"""

from jasstisch.table import commands, events
from jasstisch.table.errors import TableError
from jasstisch.table.state import State

__all__ = ["MAX_CHAT_EVENTS", "decide"]

MAX_CHAT_EVENTS = 10_000
"""So much is said at a table, so that talk does not use up what its log may hold."""


def decide(state: State, seat: int, command: commands.ChatCommand) -> list[events.Event]:
    """What follows when the person of a seat says something.

    Raises:
        TableError: the host lets nobody write, or so much has been said that it is enough.
    """
    if isinstance(command, commands.WriteChat) and not state.host_settings.writing:
        raise TableError("no_writing", "the host of this table lets nobody write")
    if state.chat_count >= MAX_CHAT_EVENTS:
        raise TableError("limit", "enough has been said at this table; make a new one")
    match command:
        case commands.SayPhrase(phrase=phrase):
            return [events.PhraseSaid(seat, phrase)]
        case commands.WriteChat(text=text):
            return [events.ChatWritten(seat, text)]
