"""What a node has asked others and still waits for."""

import asyncio
from collections.abc import Callable
from itertools import count

from jasstisch.server.nodes.talk import Answer, Talk

__all__ = ["Questions"]


class Questions:
    """The questions of a node.

    Args:
        say: says something to a node; whether it is on its way.
    """

    def __init__(self, say: Callable[[str, Talk], bool]) -> None:
        self._say = say
        self._numbers = count(1)
        self._open: dict[int, tuple[str, asyncio.Future[Answer | None]]] = {}

    async def put(
        self, node: str, question: Callable[[int], Talk], seconds: float
    ) -> Answer | None:
        """Asks a node something.

        Args:
            node: its id.
            question: what is asked, given its number.
            seconds: how long the answer may take.

        Returns:
            The answer; outcome `elsewhere` where it could not be asked. None where nobody knows
            what has become of it.
        """
        number = next(self._numbers)
        if not self._say(node, question(number)):
            return Answer(number, "elsewhere")
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._open[number] = node, answer
        try:
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            return None
        finally:
            self._open.pop(number, None)

    def answered(self, node: str, answer: Answer) -> None:
        """Takes in an answer."""
        asked, waiting = self._open.get(answer.request, ("", None))
        if asked == node and waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def gone(self, node: str | None) -> None:
        """Waits no more for a node; None: for none of them."""
        for asked, waiting in self._open.values():
            if node in (None, asked) and not waiting.done():
                waiting.set_result(None)
