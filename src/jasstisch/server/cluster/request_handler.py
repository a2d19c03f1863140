"""Executes the requests of other nodes to the tables of this node, and answers them.

A request comes from a client at another node. A call comes from that node itself and is idempotent.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import msgspec

from jasstisch.server.api import messages
from jasstisch.server.cluster.lease_validity import LeaseDeadline
from jasstisch.server.cluster.messages import (
    ForwardedRequest,
    NodeMessage,
    Outcome,
    Response,
    TableCall,
)
from jasstisch.server.cluster.remote_subscribers import RemoteSubscriber, RemoteSubscribers
from jasstisch.server.errors import ServerBusyError, TableNotFoundError
from jasstisch.server.identity import new_link_key
from jasstisch.server.observability import describe_exception, log
from jasstisch.server.tables import NO_ACK, TableActor, TableMessage, TableRegistry
from jasstisch.storage import StoreError
from jasstisch.table import TableError, commands

_LEASE_WAIT_S = 0.1
"""How long a call waits until this node's lease is valid, in seconds."""

_decode_message: Callable[[bytes], TableMessage] = msgspec.json.Decoder(TableMessage).decode


class RequestHandler:
    """Serves the requests and calls of other nodes.

    Args:
        registry: the tables of this node.
        lease_deadline: the deadline until which other nodes cannot take over the tables.
        subscribers: the subscribers from other nodes.
        delete: deletes a table on whichever node holds it.
        send: sends a message to a node.
        on_done: called whenever a request has been executed.
    """

    def __init__(
        self,
        registry: TableRegistry,
        lease_deadline: LeaseDeadline,
        subscribers: RemoteSubscribers,
        delete: Callable[[str], Awaitable[bool]],
        send: Callable[[str, NodeMessage], bool],
        on_done: Callable[[], None],
    ) -> None:
        self._registry = registry
        self._lease_deadline = lease_deadline
        self._subscribers = subscribers
        self._delete = delete
        self._send = send
        self._on_done = on_done
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether a request is in progress."""
        return bool(self._tasks)

    def close(self) -> None:
        """Cancels the requests in progress."""
        for task in self._tasks:
            task.cancel()

    def on_request(self, node: str, ask: ForwardedRequest) -> None:
        """Executes a client's request from another node."""
        # Submitted without a task, so that the responses are sent in the order of the requests.
        subscriber = self._subscribers.get_or_add(node, ask)
        self._start(self._handle_request(node, ask, subscriber))

    def on_call(self, node: str, call: TableCall) -> None:
        """Executes a call of another node."""
        self._start(self._handle_call(node, call))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._on_done()

    async def _handle_request(
        self, node: str, ask: ForwardedRequest, subscriber: RemoteSubscriber
    ) -> None:
        try:
            message = _decode_message(ask.message)
            if ask.quiet:
                message = msgspec.structs.replace(message, seq=NO_ACK)
            elif isinstance(message, messages.Watch):
                message = msgspec.structs.replace(message, session=ask.session)
            actor = await self._registry.load_local(ask.table, ask.address)
            if ask.session is not None and message.seq != ask.watch:
                actor.join_session(subscriber, ask.session, ask.watch)
            taken = await actor.request(subscriber, message)
            outcome: Outcome = "done" if taken else "elsewhere" if actor.closed else "full"
            if subscriber.closed and isinstance(message, messages.Watch):
                outcome = "elsewhere"  # the table has moved before the subscription
            answer = Response(ask.request, outcome, actor.has_subscriber(subscriber))
        except msgspec.MsgspecError:
            answer = Response(ask.request, "full")
        except Exception as error:  # noqa: BLE001 - every request must be answered
            answer = Response(ask.request, _outcome_of_error(error, "visitor_failed"))
        self._send(node, answer)

    async def _handle_call(self, node: str, call: TableCall) -> None:
        try:
            if call.what == "delete":
                body = await self._delete(call.table)
            else:
                actor = await self._registry.load_local(call.table, call.address)
                body = await self.execute(actor, call)
            answer = Response(call.request, "done", body=msgspec.json.encode(body))
        except Exception as error:  # noqa: BLE001 - every request must be answered
            answer = Response(call.request, _outcome_of_error(error, "call_failed"))
        self._send(node, answer)

    async def execute(self, actor: TableActor, call: TableCall) -> Any:  # noqa: ANN401 - as JSON has it
        """Executes a call on a table of this node.

        Raises:
            StoreError: it failed, or is not possible now.
        """
        if not await self._lease_deadline.wait_valid(_LEASE_WAIT_S) or actor.closed:
            raise StoreError("this node cannot tell now whether it has the table")
        match call.what:
            case "admits":
                return await actor.may_access(call.person, call.key, call.match or None)
            case "room":
                return await actor.get_room()
            case "room_for":
                return await actor.get_room_for(call.person)
            case "record":
                return await actor.get_record()
            case "analysis":
                return await actor.analysis_status(call.match)
            case "analyse":
                return await actor.request_analysis(call.match, call.person or "")
            case "erase" | "shut" | "unname" | "unlist":
                try:
                    return await actor.administer(_admin_command(call))
                except TableError as error:
                    return [error.code, str(error)]
            case _:
                raise StoreError("this is not asked of a table in memory")


def _outcome_of_error(error: Exception, log_event: str) -> Outcome:
    """The outcome of a request that raised an error; an unexpected error is logged."""
    match error:
        case TableNotFoundError():
            return "unknown"
        case ServerBusyError():
            return "full"
        case StoreError():
            return "elsewhere"
        case _:
            log.error(log_event, **describe_exception(error))
            return "failed"


def _admin_command(call: TableCall) -> commands.AdminCommand:
    """The command for an operation that another node requests."""
    match call:
        case TableCall(what="erase", person=str(person)):
            return commands.ErasePerson(person)
        case TableCall(what="unname", seat=int(seat)):
            return commands.AdminRemoveNickname(seat)
        case TableCall(what="shut"):
            return commands.AdminClose()
        case TableCall(what="unlist"):
            return commands.AdminUnpublish(new_link_key())
        case _:
            raise StoreError("another node asks for something that is not known")
