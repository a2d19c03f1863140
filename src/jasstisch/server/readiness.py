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

from jasstisch.bots import LADDER
from jasstisch.server import thoughts
from jasstisch.server.log import log
from jasstisch.server.thinkers import Thinkers, ThoughtError
from jasstisch.server.worker import Worker

__all__ = ["Known", "Readiness"]

Known = Mapping[str, Mapping[str, bool]]
"""For each game its computer players, and whether each has anything to make ready."""

NOTICED = 5.0
"""Seconds after which the host wants to know what takes so long."""

LONGEST = 600.0
"""Seconds after which a player is given up that is still not ready for a game."""

_Pair = tuple[str, str]


class Readiness:
    """What is ready, for each computer player and game; all is, before `make` has begun."""

    def __init__(self) -> None:
        self._awaited: dict[_Pair, asyncio.Event] = {}
        self._asked: Counter[_Pair] = Counter()
        self._known = asyncio.Event()
        self._known.set()
        self._listeners: list[Callable[[], None]] = []

    def listen(self, changed: Callable[[], None]) -> None:
        """Has a function called whenever more, or fewer, players are ready than before."""
        self._listeners.append(changed)

    def is_ready(self, player: str, game: str) -> bool:
        """Whether the player can make a move in the game now."""
        return (player, game) not in self._awaited

    async def known(self) -> None:
        """Waits until it is known what there is to make ready."""
        await self._known.wait()

    async def ready(self, player: str, game: str) -> None:
        """Waits until the player can make a move in the game."""
        await self._known.wait()
        awaited = self._awaited.get((player, game))
        if awaited is None:
            return
        self._asked[player, game] += 1
        try:
            await awaited.wait()
        finally:
            self._asked[player, game] -= 1

    def begin(self) -> None:
        """From now on it is not known who is ready, until `make` is told what there is."""
        self._known.clear()

    async def make(self, known: Known, thinkers: Thinkers, worker: Worker) -> None:
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
        pairs.sort(key=lambda pair: pair[0] not in LADDER)
        self._awaited = {pair: asyncio.Event() for pair in pairs}
        self._known.set()
        self._changed()
        try:
            await self._make_each(thinkers, worker)
        finally:
            for awaited in self._awaited.values():
                awaited.set()
            self._awaited.clear()
            self._changed()
        await thinkers.take_in(worker, thoughts.prepare_all, pairs)

    async def _make_each(self, thinkers: Thinkers, worker: Worker) -> None:
        progress = _Progress(len(self._awaited))
        try:
            while self._awaited:
                pair = max(self._awaited, key=lambda pair: self._asked[pair])
                progress.at(*pair)
                if not await _made(pair, thinkers, worker):
                    await _made(pair, thinkers, worker)
                self._awaited.pop(pair).set()
                self._changed()
            progress.done()
        finally:
            progress.end()

    def _changed(self) -> None:
        for changed in self._listeners:
            changed()


async def _made(pair: _Pair, thinkers: Thinkers, worker: Worker) -> bool:
    """Makes a player ready for a game; whether that could be done."""
    try:
        await thinkers.think_apart(worker, LONGEST, thoughts.prepare, *pair)
    except ThoughtError as error:
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
        self._told = False
        self._timer = asyncio.get_running_loop().call_later(NOTICED, self._tell)

    def at(self, player: str, game: str) -> None:
        """The player is being made ready for the game, and those before it are."""
        self._done += 1
        self._now = {"bot": player, "game": game}
        if self._told:
            self._tell()

    def _tell(self) -> None:
        self._told = True
        log.info("preparing_players", **self._now, done=self._done, total=self._total)

    def end(self) -> None:
        """Tells nothing more."""
        self._timer.cancel()

    def done(self) -> None:
        """All are ready."""
        if self._told:
            log.info("players_ready", seconds=round(time.monotonic() - self._began))
