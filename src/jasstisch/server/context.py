"""What a running table needs from outside: a store, chance, computer players and the time."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, get_args

from jasstisch.bots import STRENGTH_ORDER, Bot, bot
from jasstisch.games.rules import REGISTRY
from jasstisch.server.api import ErrorCode
from jasstisch.server.limits import Limits, SharedUsage
from jasstisch.server.net import ReadBatcher
from jasstisch.server.observability import AlertLog, ServerMetrics, describe_exception, log
from jasstisch.server.workers import (
    HINT_DELAY_S,
    SYSTEM,
    BillingKey,
    BotWarmup,
    FairWorkerPool,
    KnownBots,
    TaskFailedError,
    Worker,
    min_think_time,
    tasks,
)
from jasstisch.storage import EventStore, StoreError
from jasstisch.table import PackSource

if TYPE_CHECKING:
    from jasstisch.analysis import Hint

__all__ = ["HINT_BOT", "LeaseStatus", "ServerContext"]

_Result = TypeVar("_Result")

HINT_BOT = STRENGTH_ORDER[-1]
"""The computer player whose thoughts hints come from."""


BOT_DISCOVERY_RETRY_S = 5.0
"""Seconds until it is asked again which players there are, where that failed."""

BOT_DISCOVERY_TIMEOUT_S = 120.0
"""How long it may take until it is known which players there are: all are imported for it, which is
slow right after an installation."""


class LeaseStatus(Protocol):
    """Whether this server may go on with the tables it has, where others might take them."""

    @property
    def has_others(self) -> bool:
        """Whether there may be others that serve what this one no longer can."""

    @property
    def is_valid(self) -> bool:
        """Whether nobody else can have them now."""

    async def wait_valid(self, seconds: float) -> bool:
        """Waits until that is so; whether it is after so long."""


class ServerContext:
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
        thinkers: FairWorkerPool | None = None,
    ) -> None:
        self.store = store
        self.limits = limits or Limits()
        self.alerts = AlertLog()
        self.metrics = ServerMetrics(get_args(ErrorCode))
        store.observe_commits(self.metrics)
        self.lease_status: LeaseStatus | None = None
        self.shared_usage = SharedUsage()
        self.read_batcher = ReadBatcher(
            on_error=lambda error: log.error("beat_failed", **describe_exception(error))
        )
        self._find_bot = find_bot
        self._random = secrets.SystemRandom()
        self._known_bots: KnownBots | None = None
        self._games_with_hints: tuple[str, ...] = ()
        self._worker_pool = thinkers or FairWorkerPool()
        self._worker_pool.wait_times = self.metrics.queue_waits
        self._warmup_task: asyncio.Task[None] | None = None
        self.warmup = BotWarmup()

    def start_warmup(self, worker: Worker) -> "asyncio.Task[None]":
        """Begins to make the computer players ready, while the tables go on.

        Args:
            worker: does that beside the thinkers, and is then one of them.

        Returns:
            What ends when all are ready.
        """
        self.warmup.start()
        self._warmup_task = asyncio.create_task(self._run_warmup(worker))
        return self._warmup_task

    async def _run_warmup(self, worker: Worker) -> None:
        try:
            await self.warmup.run(await self._discover_bots_with_retry(), self._worker_pool, worker)
        except asyncio.CancelledError:
            worker.close()
            raise
        except Exception as error:  # noqa: BLE001 - the tables go on, and the host reads why
            log.error("players_not_prepared", **describe_exception(error))
            worker.close()

    async def _discover_bots_with_retry(self) -> KnownBots:
        while True:
            try:
                return await self._discover_bots()
            except StoreError:
                await asyncio.sleep(BOT_DISCOVERY_RETRY_S)

    @property
    def bots_known(self) -> bool:
        """Whether it is known which computer players there are."""
        return self._known_bots is not None

    @property
    def queued_tasks(self) -> int:
        """How many thoughts wait for a thinker."""
        return self._worker_pool.queue_length

    def now(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    def new_pack_source(self) -> PackSource:
        """Where the chance of one table comes from."""
        return PackSource(
            self.shuffle, secrets.token_bytes, defer_first_pack=self.limits.committing_seconds > 0
        )

    def shuffle(self, pack: Sequence[str]) -> Sequence[str]:
        """The pack in an order that nobody can foresee (C6)."""
        return self._random.sample(pack, len(pack))

    async def choose_action(
        self, account: BillingKey, name: str, view: dict[str, Any], legal: Sequence[str]
    ) -> str:
        """The action a computer player chooses; the table goes on whatever that player does.

        The answer comes no sooner than the player's `effort` after the thought has begun, whatever
        there was to think of. A player that is not ready yet is waited for. One that fails, takes
        too long or answers with something illegal is passed over for this once: the host reads so
        in the log, and a legal action is drawn instead. That is fair to the people at the table,
        for no other move can be known to be in the seat's interest.
        """
        await self.warmup.wait_ready(name, view["game"])
        thought = (tasks.choose_action, self._find_bot, name, view, legal)
        try:
            action = await self._worker_pool.run(
                account, self.limits.bot_seconds, *thought, lasts=min_think_time(name)
            )
        except TaskFailedError as error:
            log.error("bot_failed", bot=name, game=view["game"], **error.details)
            return self._random.choice(legal)
        if action not in legal:
            log.error("bot_answered_illegally", bot=name, game=view["game"])
            return self._random.choice(legal)
        return action

    async def compute_hint(
        self, account: BillingKey, view: dict[str, Any], legal: Sequence[str]
    ) -> "Hint":
        """What a strong player would do, and why.

        Raises:
            TaskFailedError: that cannot be told.
        """
        await self.warmup.wait_ready(HINT_BOT, view["game"])
        thought = (tasks.compute_hint, view, legal)
        seconds = self.limits.bot_seconds
        return await self._worker_pool.run(account, seconds, *thought, lasts=HINT_DELAY_S)

    async def run_task(
        self,
        account: BillingKey,
        seconds: float,
        thought: Callable[..., _Result],
        *arguments: object,
    ) -> _Result:
        """Has something thought over beside the tables, when it is this account's turn.

        Raises:
            TaskFailedError: it failed, or took too long.
        """
        return await self._worker_pool.run(account, seconds, thought, *arguments)

    async def bots_by_game(self) -> dict[str, list[str]]:
        """For each game the computer players that know it, from weak to strong.

        Raises:
            StoreError: that cannot be told now.
        """
        known = await self._discover_bots()
        await self.warmup.wait_known()
        return {game: list(its) for game, its in known.items()}

    async def games_with_hints(self) -> frozenset[str]:
        """The games in which there can be hints: their player knows them, and the reasons too.

        Raises:
            StoreError: that cannot be told now.
        """
        known = await self._discover_bots()
        return frozenset(game for game in self._games_with_hints if HINT_BOT in known[game])

    async def _discover_bots(self) -> KnownBots:
        if self._known_bots is None:
            games = sorted(REGISTRY)
            try:
                hinted = (tasks.games_with_hints, games)
                self._games_with_hints = await self._worker_pool.run(
                    SYSTEM, BOT_DISCOVERY_TIMEOUT_S, *hinted
                )
                asked = (tasks.bots_by_game, games)
                self._known_bots = await self._worker_pool.run(
                    SYSTEM, BOT_DISCOVERY_TIMEOUT_S, *asked
                )
            except TaskFailedError as error:
                log.error("players_unknown", **error.details)
                raise StoreError("the computer players cannot be asked now") from error
        return self._known_bots

    def start_sharing_usage(self) -> None:
        """From now on other nodes are told what is spent here, and what they spend counts here."""
        self._worker_pool.share_usage(self.shared_usage)
        self.shared_usage.start_recording()

    def close(self) -> None:
        """Ends the thinkers without waiting for a player that still thinks."""
        if self._warmup_task is not None:
            self._warmup_task.cancel()
        self._worker_pool.close()
