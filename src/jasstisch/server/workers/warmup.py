"""The warm-up of bots: which bots are ready for which games, and the compilation of the others.

Search bots are compiled once on a machine, which takes a minute or more, and are loaded at every
later start, which takes seconds. An additional worker does this, game after game, and starts with
bots that a table waits for. Until a bot is ready, it does not play, and nothing plays in its place.
A bot whose warm-up fails counts as ready after a second attempt: its moves then fail one by one,
like those of any broken bot.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping

from jasstisch.bots import STRENGTH_ORDER
from jasstisch.server.observability import log
from jasstisch.server.workers import tasks
from jasstisch.server.workers.fair_scheduler import FairWorkerPool, TaskFailedError
from jasstisch.server.workers.worker import Worker

KnownBots = Mapping[str, Mapping[str, bool]]
"""For each game its bots, and whether each needs a warm-up."""

_PROGRESS_LOG_AFTER_S = 5.0
"""Seconds after which the progress is logged for the operator."""

_WARMUP_TIMEOUT_S = 600.0
"""Seconds after which the warm-up of a bot for a game is aborted."""

_BotAndGame = tuple[str, str]


class BotWarmup:
    """Which bots are ready for which games; all are, until `mark_bots_unknown` is called."""

    def __init__(self) -> None:
        self._pending: dict[_BotAndGame, asyncio.Event] = {}
        self._waiters: Counter[_BotAndGame] = Counter()
        self._bots_known = asyncio.Event()
        self._bots_known.set()
        self._listeners: list[Callable[[], None]] = []

    def add_ready_listener(self, changed: Callable[[], None]) -> None:
        """Registers a callback for every change of the set of ready bots."""
        self._listeners.append(changed)

    def is_ready(self, player: str, game: str) -> bool:
        """Whether the bot can make a move in the game now."""
        return (player, game) not in self._pending

    async def wait_bots_known(self) -> None:
        """Waits until the set of bots is known."""
        await self._bots_known.wait()

    async def wait_ready(self, player: str, game: str) -> None:
        """Waits until the bot can make a move in the game."""
        await self._bots_known.wait()
        awaited = self._pending.get((player, game))
        if awaited is None:
            return
        self._waiters[player, game] += 1
        try:
            await awaited.wait()
        finally:
            self._waiters[player, game] -= 1

    def mark_bots_unknown(self) -> None:
        """Marks the set of bots as unknown, until `run` is called with it."""
        self._bots_known.clear()

    async def run(self, known: KnownBots, pool: FairWorkerPool, worker: Worker) -> None:
        """Warms up all bots, on a worker that then joins the pool.

        Args:
            known: the bots, and whether each needs a warm-up.
            pool: the workers that serve meanwhile; the new worker replaces one of them.
            worker: the additional worker.
        """
        pairs = [
            (player, game)
            for game, its in known.items()
            for player, prepares in its.items()
            if prepares
        ]
        # Bots of other packages, which may take for ever, come last.
        pairs.sort(key=lambda pair: pair[0] not in STRENGTH_ORDER)
        self._pending = {pair: asyncio.Event() for pair in pairs}
        self._bots_known.set()
        self._notify()
        try:
            await self._warm_up_each(pool, worker)
        finally:
            for awaited in self._pending.values():
                awaited.set()
            self._pending.clear()
            self._notify()
        await pool.swap_in(worker, tasks.warm_up_all, pairs)

    async def _warm_up_each(self, pool: FairWorkerPool, worker: Worker) -> None:
        progress = _Progress(len(self._pending))
        try:
            while self._pending:
                pair = max(self._pending, key=lambda pair: self._waiters[pair])
                progress.advance_to(*pair)
                if not await _warm_up(pair, pool, worker):
                    await _warm_up(pair, pool, worker)
                self._pending.pop(pair).set()
                self._notify()
            progress.finish()
        finally:
            progress.stop()

    def _notify(self) -> None:
        for changed in self._listeners:
            changed()


async def _warm_up(pair: _BotAndGame, pool: FairWorkerPool, worker: Worker) -> bool:
    """Warms up a bot for a game; returns whether that succeeded."""
    try:
        await pool.run_on(worker, _WARMUP_TIMEOUT_S, tasks.warm_up, *pair)
    except TaskFailedError as error:
        log.error("player_not_ready", bot=pair[0], game=pair[1], **error.details)
        return False
    return True


class _Progress:
    """Logs the progress of the warm-up if it takes long.

    Args:
        total: the number of pairs of a bot and a game.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = -1
        self._now: dict[str, str] = {}
        self._began = time.monotonic()
        self._logged = False
        self._timer = asyncio.get_running_loop().call_later(_PROGRESS_LOG_AFTER_S, self._log)

    def advance_to(self, player: str, game: str) -> None:
        """Records the start of the warm-up of a bot for a game, and the end of those before."""
        self._done += 1
        self._now = {"bot": player, "game": game}
        if self._logged:
            self._log()

    def _log(self) -> None:
        self._logged = True
        log.info("preparing_players", **self._now, done=self._done, total=self._total)

    def stop(self) -> None:
        """Stops logging."""
        self._timer.cancel()

    def finish(self) -> None:
        """Records that all bots are ready."""
        if self._logged:
            log.info("players_ready", seconds=round(time.monotonic() - self._began))
