"""The pending requests of a node to other nodes."""

import asyncio
from collections.abc import Callable
from itertools import count

from jasstisch.server.cluster.messages import NodeMessage, Response


class PendingRequests:
    """Sends requests and matches them with their responses.

    Args:
        send: sends a message to a node and returns whether it was sent.
    """

    def __init__(self, send: Callable[[str, NodeMessage], bool]) -> None:
        self._send = send
        self._ids = count(1)
        self._pending: dict[int, tuple[str, asyncio.Future[Response | None]]] = {}

    async def call(
        self, node: str, question: Callable[[int], NodeMessage], seconds: float
    ) -> Response | None:
        """Sends a request to a node and waits for the response.

        Args:
            node: the node's id.
            question: creates the request from its id.
            seconds: the timeout.

        Returns:
            The response; its outcome is `elsewhere` if the request could not be sent. None if the
            outcome is unknown.
        """
        number = next(self._ids)
        if not self._send(node, question(number)):
            return Response(number, "elsewhere")
        answer: asyncio.Future[Response | None] = asyncio.get_running_loop().create_future()
        self._pending[number] = node, answer
        try:
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            return None
        finally:
            self._pending.pop(number, None)

    def resolve(self, node: str, answer: Response) -> None:
        """Completes a request with its response."""
        asked, waiting = self._pending.get(answer.request, ("", None))
        if asked == node and waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def fail_requests_to(self, node: str | None) -> None:
        """Fails the requests to a node, or all requests for None."""
        for asked, waiting in self._pending.values():
            if node in (None, asked) and not waiting.done():
                waiting.set_result(None)
