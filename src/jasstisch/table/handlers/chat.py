"""Chat at the table: a seated person says a phrase, or writes a line where the host allows it.

Chat only adds to the log: it changes no turn, no clock, and nothing in the match or its record.
"""

from jasstisch.table import commands, events
from jasstisch.table.errors import TableError
from jasstisch.table.state import State

MAX_CHAT_EVENTS = 10_000
"""The most chat events at a table, so that chat does not use up the limit of its log."""


def decide(state: State, seat: int, command: commands.ChatCommand) -> list[events.Event]:
    """The events of a chat command.

    Raises:
        TableError: the host does not allow chat lines, or the limit of chat events is reached.
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
