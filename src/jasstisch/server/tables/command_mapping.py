"""Maps each client message to the command for the table.

`actor` maps the messages that need more than their own content: actions carry their duration, and a
bot may take over only for a person who is absent.
"""

from collections.abc import Callable, Mapping
from typing import Any

from jasstisch.server.api import messages
from jasstisch.server.identity import new_link_key, normalize_chat_line, normalize_nickname
from jasstisch.server.tables.handle import TableMessage
from jasstisch.table import commands

_MESSAGE_TO_COMMAND: Mapping[type[TableMessage], Callable[[str, Any], commands.Command]] = {
    messages.Sit: lambda person, message: commands.Sit(
        person, message.seat, normalize_nickname(message.name), message.face, message.program
    ),
    messages.Stand: lambda person, _: commands.Stand(person),
    messages.SwapSeats: lambda person, message: commands.RequestSwap(person, message.seat),
    messages.AnswerSwap: lambda person, message: commands.AnswerSwap(
        person, message.seat, message.accept
    ),
    messages.WithdrawSwap: lambda person, _: commands.WithdrawSwap(person),
    messages.StartMatch: lambda person, _: commands.StartMatch(person),
    messages.Ready: lambda person, _: commands.ReadyUp(person),
    messages.ResumeControl: lambda person, _: commands.ResumeControl(person),
    messages.SendPhrase: lambda person, message: commands.SayPhrase(person, message.phrase),
    messages.SendChat: lambda person, message: commands.WriteChat(
        person, normalize_chat_line(message.text)
    ),
    messages.Undo: lambda person, _: commands.RequestUndo(person),
    messages.AnswerUndo: lambda person, message: commands.AnswerUndo(person, message.accept),
    messages.WithdrawUndo: lambda person, _: commands.WithdrawUndo(person),
    messages.AnswerEntryRequest: lambda person, message: commands.AnswerEntryRequest(
        person, message.number, message.accept
    ),
    messages.ExtendTime: lambda person, message: commands.SetExtendedTime(
        person, message.seat, message.patient
    ),
    messages.RemovePerson: lambda person, message: commands.RemovePerson(person, message.seat),
    messages.AssignBot: lambda person, message: commands.AssignBot(
        person, message.seat, message.bot
    ),
    messages.SetEntryPolicy: lambda person, message: commands.SetEntryPolicy(person, message.entry),
    messages.SetStartPolicy: lambda person, message: commands.SetStartPolicy(person, message.who),
    messages.SetChatPolicy: lambda person, message: commands.SetChatPolicy(person, message.allowed),
    messages.SetPublished: lambda person, message: commands.SetPublished(
        person, message.published, new_link_key()
    ),
    messages.SetSpectatorDelay: lambda person, message: commands.SetSpectatorDelay(
        person, message.delayed
    ),
    messages.RevokeLink: lambda person, _: commands.RevokeLink(person, new_link_key()),
    messages.CloseTable: lambda person, _: commands.CloseTable(person),
}


def to_command(person: str, message: TableMessage) -> commands.Command:
    """The command that a message stands for by itself.

    Args:
        person: the sender.
        message: one of the types in `_MESSAGE_TO_COMMAND`.

    Raises:
        TableError: a nickname or a chat line cannot be displayed.
    """
    return _MESSAGE_TO_COMMAND[type(message)](person, message)
