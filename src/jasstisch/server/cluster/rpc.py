"""What a node has asked others and still waits for."""

import asyncio
from collections.abc import Callable
from itertools import count

from jasstisch.server.cluster.messages import NodeMessage, Response

__all__ = ["PendingRequests"]


class PendingRequests:
    """The questions of a node.

    Args:
        say: says something to a node; whether it is on its way.
    """

    def __init__(self, say: Callable[[str, NodeMessage], bool]) -> None:
        self._send = say
        self._ids = count(1)
        self._pending: dict[int, tuple[str, asyncio.Future[Response | None]]] = {}

    async def call(
        self, node: str, question: Callable[[int], NodeMessage], seconds: float
    ) -> Response | None:
        """Asks a node something.

        Args:
            node: its id.
            question: what is asked, given its number.
            seconds: how long the answer may take.

        Returns:
            The answer; outcome `elsewhere` where it could not be asked. None where nobody knows
            what has become of it.
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
        """Takes in an answer."""
        asked, waiting = self._pending.get(answer.request, ("", None))
        if asked == node and waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def fail_node(self, node: str | None) -> None:
        """Waits no more for a node; None: for none of them."""
        for asked, waiting in self._pending.values():
            if node in (None, asked) and not waiting.done():
                waiting.set_result(None)
