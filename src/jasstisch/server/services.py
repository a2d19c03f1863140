"""What a running table needs from outside: a store, chance, computer players and the time."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from jasstisch.bots import LADDER, Bot, bot
from jasstisch.games.rules import REGISTRY
from jasstisch.server import thoughts
from jasstisch.server.beat import HINT_SECONDS, effort
from jasstisch.server.incidents import Incidents
from jasstisch.server.limits import Limits
from jasstisch.server.log import failure, log
from jasstisch.server.meters import Meters
from jasstisch.server.pulse import Pulse
from jasstisch.server.readiness import Known, Readiness
from jasstisch.server.shared import Shared
from jasstisch.server.thinkers import NOBODY, Account, Thinkers, ThoughtError
from jasstisch.server.worker import Worker
from jasstisch.store import EventStore, StoreError
from jasstisch.table import Dealer

if TYPE_CHECKING:
    from jasstisch.analysis import Hint

__all__ = ["ADVISER", "Services", "Standing"]

_Result = TypeVar("_Result")

ADVISER = LADDER[-1]
"""The computer player whose thoughts hints come from."""


ASKING_AGAIN = 5.0
"""Seconds until it is asked again which players there are, where that failed."""

ASKING_SECONDS = 120.0
"""How long it may take until it is known which players there are: all are imported for it, which is
slow right after an installation."""


class Standing(Protocol):
    """Whether this server may go on with the tables it has, where others might take them."""

    @property
    def has_others(self) -> bool:
        """Whether there may be others that serve what this one no longer can."""

    @property
    def holds(self) -> bool:
        """Whether nobody else can have them now."""

    async def settled(self, seconds: float) -> bool:
        """Waits until that is so; whether it is after so long."""


class Services:
    """The means of a server, shared by all its tables.

    Args:
        store: where events are kept.
        limits: how much to take on.
        find_bot: gives the computer player of a name; a function of a module, if the thinkers are
            other processes.
        thinkers: where computer players think; threads of this process if not given.

    Attributes:
        incidents: where trouble from outside is noted.
        meters: what is counted.
        standing: whether this node still has its tables; None where its store is its own.
        shared: what counts at all nodes together.
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
        self.incidents = Incidents()
        self.meters = Meters()
        store.watch(self.meters)
        self.standing: Standing | None = None
        self.shared = Shared()
        self.pulse = Pulse()
        self._find_bot = find_bot
        self._chance = secrets.SystemRandom()
        self._players: Known | None = None
        self._hinted: tuple[str, ...] = ()
        self._thinkers = thinkers or Thinkers()
        self._thinkers.waits = self.meters.waits
        self._preparing: asyncio.Task[None] | None = None
        self.readiness = Readiness()

    def prepare(self, worker: Worker) -> "asyncio.Task[None]":
        """Begins to make the computer players ready, while the tables go on.

        Args:
            worker: does that beside the thinkers, and is then one of them.

        Returns:
            What ends when all are ready.
        """
        self.readiness.begin()
        self._preparing = asyncio.create_task(self._prepare(worker))
        return self._preparing

    async def _prepare(self, worker: Worker) -> None:
        try:
            await self.readiness.make(await self._known_at_last(), self._thinkers, worker)
        except asyncio.CancelledError:
            worker.close()
            raise
        except Exception as error:  # noqa: BLE001 - the tables go on, and the host reads why
            log.error("players_not_prepared", **failure(error))
            worker.close()

    async def _known_at_last(self) -> Known:
        while True:
            try:
                return await self._known_players()
            except StoreError:
                await asyncio.sleep(ASKING_AGAIN)

    @property
    def players_known(self) -> bool:
        """Whether it is known which computer players there are."""
        return self._players is not None

    @property
    def thoughts_waiting(self) -> int:
        """How many thoughts wait for a thinker."""
        return self._thinkers.waiting

    def now(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    def dealer(self) -> Dealer:
        """Where the chance of one table comes from."""
        return Dealer(self.shuffle, secrets.token_bytes, waits=self.limits.committing_seconds > 0)

    def shuffle(self, pack: Sequence[str]) -> Sequence[str]:
        """The pack in an order that nobody can foresee (C6)."""
        return self._chance.sample(pack, len(pack))

    async def choose(
        self, account: Account, name: str, view: dict[str, Any], legal: Sequence[str]
    ) -> str:
        """The action a computer player chooses; the table goes on whatever that player does.

        The answer comes no sooner than the player's `effort` after the thought has begun, whatever
        there was to think of. A player that is not ready yet is waited for. One that fails, takes
        too long or answers with something illegal is passed over for this once: the host reads so
        in the log, and a legal action is drawn instead. That is fair to the people at the table,
        for no other move can be known to be in the seat's interest.
        """
        await self.readiness.ready(name, view["game"])
        thought = (thoughts.choose, self._find_bot, name, view, legal)
        try:
            action = await self._thinkers.think(
                account, self.limits.bot_seconds, *thought, lasts=effort(name)
            )
        except ThoughtError as error:
            log.error("bot_failed", bot=name, game=view["game"], **error.details)
            return self._chance.choice(legal)
        if action not in legal:
            log.error("bot_answered_illegally", bot=name, game=view["game"])
            return self._chance.choice(legal)
        return action

    async def hint(self, account: Account, view: dict[str, Any], legal: Sequence[str]) -> "Hint":
        """What a strong player would do, and why.

        Raises:
            ThoughtError: that cannot be told.
        """
        await self.readiness.ready(ADVISER, view["game"])
        thought = (thoughts.hint, view, legal)
        seconds = self.limits.bot_seconds
        return await self._thinkers.think(account, seconds, *thought, lasts=HINT_SECONDS)

    async def think(
        self,
        account: Account,
        seconds: float,
        thought: Callable[..., _Result],
        *arguments: object,
    ) -> _Result:
        """Has something thought over beside the tables, when it is this account's turn.

        Raises:
            ThoughtError: it failed, or took too long.
        """
        return await self._thinkers.think(account, seconds, thought, *arguments)

    async def players(self) -> dict[str, list[str]]:
        """For each game the computer players that know it, from weak to strong.

        Raises:
            StoreError: that cannot be told now.
        """
        known = await self._known_players()
        await self.readiness.known()
        return {game: list(its) for game, its in known.items()}

    async def hinted(self) -> frozenset[str]:
        """The games in which there can be hints: their player knows them, and the reasons too.

        Raises:
            StoreError: that cannot be told now.
        """
        known = await self._known_players()
        return frozenset(game for game in self._hinted if ADVISER in known[game])

    async def _known_players(self) -> Known:
        if self._players is None:
            games = sorted(REGISTRY)
            try:
                hinted = (thoughts.hinted, games)
                self._hinted = await self._thinkers.think(NOBODY, ASKING_SECONDS, *hinted)
                asked = (thoughts.players, games)
                self._players = await self._thinkers.think(NOBODY, ASKING_SECONDS, *asked)
            except ThoughtError as error:
                log.error("players_unknown", **error.details)
                raise StoreError("the computer players cannot be asked now") from error
        return self._players

    def join(self) -> None:
        """From now on other nodes are told what is spent here, and what they spend counts here."""
        self._thinkers.share(self.shared)
        self.shared.begin()

    def close(self) -> None:
        """Ends the thinkers without waiting for a player that still thinks."""
        if self._preparing is not None:
            self._preparing.cancel()
        self._thinkers.close()
