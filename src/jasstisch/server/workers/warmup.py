"""Which computer players are ready for which games, and making the others so meanwhile.

Players that search are compiled once on a machine, which takes a minute or more, and are loaded at
every later start, which takes seconds. A worker beside those that think does it, game after game,
and begins with what somebody at a table waits for. Until a player is ready it plays nowhere, and
nobody plays in its name. One that cannot be made ready counts as ready after a second try: its
moves then fail one by one, as those of any broken player do.
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

__all__ = ["BotWarmup", "KnownBots"]

KnownBots = Mapping[str, Mapping[str, bool]]
"""For each game its computer players, and whether each has anything to make ready."""

PROGRESS_LOG_AFTER_S = 5.0
"""Seconds after which the host wants to know what takes so long."""

WARMUP_TIMEOUT_S = 600.0
"""Seconds after which a player is given up that is still not ready for a game."""

_BotAndGame = tuple[str, str]


class BotWarmup:
    """What is ready, for each computer player and game; all is, before `make` has begun."""

    def __init__(self) -> None:
        self._pending: dict[_BotAndGame, asyncio.Event] = {}
        self._waiters: Counter[_BotAndGame] = Counter()
        self._bots_known = asyncio.Event()
        self._bots_known.set()
        self._listeners: list[Callable[[], None]] = []

    def on_ready(self, changed: Callable[[], None]) -> None:
        """Has a function called whenever more, or fewer, players are ready than before."""
        self._listeners.append(changed)

    def is_ready(self, player: str, game: str) -> bool:
        """Whether the player can make a move in the game now."""
        return (player, game) not in self._pending

    async def wait_known(self) -> None:
        """Waits until it is known what there is to make ready."""
        await self._bots_known.wait()

    async def wait_ready(self, player: str, game: str) -> None:
        """Waits until the player can make a move in the game."""
        await self._bots_known.wait()
        awaited = self._pending.get((player, game))
        if awaited is None:
            return
        self._waiters[player, game] += 1
        try:
            await awaited.wait()
        finally:
            self._waiters[player, game] -= 1

    def start(self) -> None:
        """From now on it is not known who is ready, until `make` is told what there is."""
        self._bots_known.clear()

    async def run(self, known: KnownBots, thinkers: FairWorkerPool, worker: Worker) -> None:
        """Makes all players ready, on a worker that then joins the thinkers.

        Args:
            known: what there is to make ready.
            thinkers: those that think meanwhile; one of them makes way for the worker.
            worker: another one.
        """
        pairs = [
            (player, game)
            for game, its in known.items()
            for player, prepares in its.items()
            if prepares
        ]
        # Whoever comes from elsewhere, and may take for ever, comes last.
        pairs.sort(key=lambda pair: pair[0] not in STRENGTH_ORDER)
        self._pending = {pair: asyncio.Event() for pair in pairs}
        self._bots_known.set()
        self._notify()
        try:
            await self._warm_up_each(thinkers, worker)
        finally:
            for awaited in self._pending.values():
                awaited.set()
            self._pending.clear()
            self._notify()
        await thinkers.swap_in(worker, tasks.warm_up_all, pairs)

    async def _warm_up_each(self, thinkers: FairWorkerPool, worker: Worker) -> None:
        progress = _Progress(len(self._pending))
        try:
            while self._pending:
                pair = max(self._pending, key=lambda pair: self._waiters[pair])
                progress.advance_to(*pair)
                if not await _warm_up(pair, thinkers, worker):
                    await _warm_up(pair, thinkers, worker)
                self._pending.pop(pair).set()
                self._notify()
            progress.finish()
        finally:
            progress.stop()

    def _notify(self) -> None:
        for changed in self._listeners:
            changed()


async def _warm_up(pair: _BotAndGame, thinkers: FairWorkerPool, worker: Worker) -> bool:
    """Makes a player ready for a game; whether that could be done."""
    try:
        await thinkers.run_on(worker, WARMUP_TIMEOUT_S, tasks.warm_up, *pair)
    except TaskFailedError as error:
        log.error("player_not_ready", bot=pair[0], game=pair[1], **error.details)
        return False
    return True


class _Progress:
    """Tells the host how far the players are, once that takes long.

    Args:
        total: how many players there are to make ready, each counted for each of its games.
    """

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = -1
        self._now: dict[str, str] = {}
        self._began = time.monotonic()
        self._logged = False
        self._timer = asyncio.get_running_loop().call_later(PROGRESS_LOG_AFTER_S, self._log)

    def advance_to(self, player: str, game: str) -> None:
        """The player is being made ready for the game, and those before it are."""
        self._done += 1
        self._now = {"bot": player, "game": game}
        if self._logged:
            self._log()

    def _log(self) -> None:
        self._logged = True
        log.info("preparing_players", **self._now, done=self._done, total=self._total)

    def stop(self) -> None:
        """Tells nothing more."""
        self._timer.cancel()

    def finish(self) -> None:
        """All are ready."""
        if self._logged:
            log.info("players_ready", seconds=round(time.monotonic() - self._began))
