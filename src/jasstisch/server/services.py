"""What a running table needs from outside: a store, chance, computer players and the time."""

import secrets
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from jasstisch.bots import Bot, bot
from jasstisch.games.rules import REGISTRY
from jasstisch.server import thoughts
from jasstisch.server.limits import Limits
from jasstisch.server.log import log
from jasstisch.server.thinkers import Thinkers, ThoughtError
from jasstisch.store import EventStore, StoreError

if TYPE_CHECKING:
    from jasstisch.analysis import Hint

__all__ = ["Services"]


class Services:
    """The means of a server, shared by all its tables.

    Args:
        store: where events are kept.
        limits: how much to take on.
        find_bot: gives the computer player of a name; a function of a module, if the thinkers are
            other processes.
        thinkers: where computer players think; threads of this process if not given.
    """

    def __init__(
        self,
        store: EventStore,
        limits: Limits | None = None,
        find_bot: Callable[[str], Bot] = bot,
        thinkers: Thinkers | None = None,
    ) -> None:
        self.store = store
        self.limits = limits or Limits()
        self._find_bot = find_bot
        self._chance = secrets.SystemRandom()
        self._players: dict[str, list[str]] | None = None
        self._thinkers = thinkers or Thinkers()

    async def prepare(self) -> None:
        """Loads the computer players where they think, so that no game waits for it.

        What must be compiled is compiled now, once for this version and machine.
        """
        try:
            await self._thinkers.prepare(thoughts.prepare)
        except ThoughtError as error:
            # They are tried again at their first move; those that need no compiling play on.
            log.error("thinkers_not_ready", **error.details)

    def now(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    def shuffle(self, pack: Sequence[str]) -> Sequence[str]:
        """The pack in an order that nobody can foresee (C6)."""
        return self._chance.sample(pack, len(pack))

    async def choose(
        self, table: str, name: str, view: dict[str, Any], legal: Sequence[str]
    ) -> str:
        """The action a computer player chooses; the table goes on whatever that player does.

        A player that fails, takes too long or answers with something illegal is passed over for
        this once: the host reads so in the log, and a legal action is drawn instead. That is fair
        to the people at the table, for no other move can be known to be in the seat's interest.
        """
        thought = (thoughts.choose, self._find_bot, name, view, legal)
        try:
            action = await self._thinkers.think(table, self.limits.bot_seconds, *thought)
        except ThoughtError as error:
            log.error("bot_failed", bot=name, game=view["game"], **error.details)
            return self._chance.choice(legal)
        if action not in legal:
            log.error("bot_answered_illegally", bot=name, game=view["game"])
            return self._chance.choice(legal)
        return action

    async def hint(self, table: str, view: dict[str, Any], legal: Sequence[str]) -> "Hint":
        """What a strong player would do, and why.

        Raises:
            ThoughtError: that cannot be told.
        """
        thought = (thoughts.hint, view, legal)
        return await self._thinkers.think(table, self.limits.bot_seconds, *thought)

    async def players(self) -> dict[str, list[str]]:
        """For each game the computer players that know it, from weak to strong.

        Raises:
            StoreError: that cannot be told now.
        """
        if self._players is None:
            try:
                asked = (thoughts.players, sorted(REGISTRY))
                self._players = await self._thinkers.think("", self.limits.bot_seconds, *asked)
            except ThoughtError as error:
                log.error("players_unknown", **error.details)
                raise StoreError("the computer players cannot be asked now") from error
        return self._players

    def close(self) -> None:
        """Ends the thinkers without waiting for a player that still thinks."""
        self._thinkers.close()
