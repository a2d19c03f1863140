"""What a running table needs from outside: a store, chance, computer players and the time."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from jasstisch.bots import Bot, bot
from jasstisch.server.limits import Limits
from jasstisch.server.log import failure, log
from jasstisch.store import EventStore

__all__ = ["Services"]

BOT_THREADS = 4
"""Computer players think in so many threads, apart from everything else."""


class Services:
    """The means of a server, shared by all its tables.

    Args:
        store: where events are kept.
        limits: how much to take on.
        find_bot: gives the computer player of a name.
    """

    def __init__(
        self,
        store: EventStore,
        limits: Limits | None = None,
        find_bot: Callable[[str], Bot] = bot,
    ) -> None:
        self.store = store
        self.limits = limits or Limits()
        self._find_bot = find_bot
        self._chance = secrets.SystemRandom()
        self._thinkers = ThreadPoolExecutor(BOT_THREADS, thread_name_prefix="bot")

    def now(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    def shuffle(self, pack: Sequence[str]) -> Sequence[str]:
        """The pack in an order that nobody can foresee (C6)."""
        return self._chance.sample(pack, len(pack))

    async def choose(self, name: str, view: dict[str, Any], legal: Sequence[str]) -> str:
        """The action a computer player chooses; the table goes on whatever that player does.

        A player that fails, takes too long or answers with something illegal is passed over for
        this once: the host reads so in the log, and a legal action is drawn instead. That is fair
        to the people at the table, for no other move can be known to be in the seat's interest.
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self.limits.bot_seconds):
                action = await loop.run_in_executor(self._thinkers, self._think, name, view, legal)
        except Exception as error:  # noqa: BLE001 - whatever a player from elsewhere may raise
            log.error("bot_failed", bot=name, game=view["game"], **failure(error))
            return self._chance.choice(legal)
        if action not in legal:
            log.error("bot_answered_illegally", bot=name, game=view["game"])
            return self._chance.choice(legal)
        return action

    def _think(self, name: str, view: dict[str, Any], legal: Sequence[str]) -> str:
        return self._find_bot(name).act(view, legal, self._chance)

    def close(self) -> None:
        """Lets the threads go without waiting for a player that still thinks."""
        self._thinkers.shutdown(wait=False, cancel_futures=True)
