"""The services that all tables of a server share: the store, randomness, bots and the clock."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, get_args

from jasstisch.bots import STRENGTH_ORDER, Bot, bot
from jasstisch.games.rules import REGISTRY
from jasstisch.server.api import ErrorCode
from jasstisch.server.limits import Limits, SharedUsage
from jasstisch.server.net import ExactTimer, ReadBatcher
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

_Result = TypeVar("_Result")

HINT_BOT = STRENGTH_ORDER[-1]
"""The bot that computes hints."""


_BOT_DISCOVERY_RETRY_S = 5.0
"""Seconds until the discovery of bots is retried after a failure."""

_BOT_DISCOVERY_TIMEOUT_S = 120.0
"""The time limit for the discovery of bots; it imports all of them, which is slow right after an
installation.
"""


class LeaseStatus(Protocol):
    """The validity of this server's leases, where other servers may take over its tables."""

    @property
    def has_other_servers(self) -> bool:
        """Whether other servers may take over the tables that this one no longer holds."""

    @property
    def is_valid(self) -> bool:
        """Whether no other server can hold the tables now."""

    async def wait_valid(self, seconds: float) -> bool:
        """Waits until the leases are valid, for at most `seconds`; returns whether they are."""


class ServerContext:
    """The services of a server, shared by all its tables.

    Args:
        store: the event store.
        limits: the limits of the server.
        find_bot: returns the bot of a name; a module-level function, if the workers are processes.
        worker_pool: the workers for bots; threads of this process if not given.

    Attributes:
        alerts: reports trouble from outside.
        metrics: the metrics of the server.
        lease_status: the validity of the server's leases; None if it has its store to itself.
        shared_usage: the usage that counts for all nodes together.
    """

    def __init__(
        self,
        store: EventStore,
        limits: Limits | None = None,
        find_bot: Callable[[str], Bot] = bot,
        worker_pool: FairWorkerPool | None = None,
    ) -> None:
        self.store = store
        self.limits = limits or Limits()
        self.alerts = AlertLog()
        self.metrics = ServerMetrics(get_args(ErrorCode))
        store.observe_commits(self.metrics)
        self.lease_status: LeaseStatus | None = None
        self.shared_usage = SharedUsage()
        self._exact_timer = ExactTimer()
        self.read_batcher = ReadBatcher(
            on_error=lambda error: log.error("beat_failed", **describe_exception(error))
        )
        self._find_bot = find_bot
        self._random = secrets.SystemRandom()
        self._known_bots: KnownBots | None = None
        self._games_with_hints: tuple[str, ...] = ()
        self._worker_pool = worker_pool or FairWorkerPool()
        self._worker_pool.wait_times = self.metrics.queue_waits
        self._warmup_task: asyncio.Task[None] | None = None
        self.warmup = BotWarmup()

    def start_warmup(self, worker: Worker) -> "asyncio.Task[None]":
        """Starts the warm-up of the bots, while the tables are served.

        Args:
            worker: runs the warm-up beside the pool, and joins it afterwards.

        Returns:
            The task, which ends when all bots are ready.
        """
        self.warmup.mark_bots_unknown()
        self._warmup_task = asyncio.create_task(self._run_warmup(worker))
        return self._warmup_task

    async def _run_warmup(self, worker: Worker) -> None:
        try:
            await self.warmup.run(await self._discover_bots_with_retry(), self._worker_pool, worker)
        except asyncio.CancelledError:
            worker.close()
            raise
        except Exception as error:  # noqa: BLE001 - the tables continue; it is logged
            log.error("players_not_prepared", **describe_exception(error))
            worker.close()

    async def _discover_bots_with_retry(self) -> KnownBots:
        while True:
            try:
                return await self._discover_bots()
            except StoreError:
                await asyncio.sleep(_BOT_DISCOVERY_RETRY_S)

    @property
    def has_discovered_bots(self) -> bool:
        """Whether the set of bots is known."""
        return self._known_bots is not None

    @property
    def queued_task_count(self) -> int:
        """The number of tasks that wait for a worker."""
        return self._worker_pool.queue_length

    def now(self) -> float:
        """Seconds on a monotonic clock."""
        return time.monotonic()

    async def sleep_until(self, deadline: float) -> None:
        """Sleeps until a time of `now`, to the microsecond; see `ExactTimer`."""
        await self._exact_timer.sleep_until(deadline)

    def new_pack_source(self) -> PackSource:
        """A new source of randomness for a table."""
        return PackSource(
            self.shuffle,
            secrets.token_bytes,
            is_first_pack_deferred=self.limits.commitment_wait_s > 0,
        )

    def shuffle(self, pack: Sequence[str]) -> Sequence[str]:
        """The pack in an unpredictable order (C6)."""
        return self._random.sample(pack, len(pack))

    async def choose_action(
        self, billing_key: BillingKey, name: str, view: dict[str, Any], legal: Sequence[str]
    ) -> str:
        """The action that a bot chooses; the table continues whatever the bot does.

        The answer is delayed until the bot's minimum thinking time has passed, whatever the
        position. A bot that is not ready yet is waited for. If a bot fails, takes too long or
        answers with an illegal action, the failure is logged for the operator, and a legal action
        is drawn at random. That is fair to the people at the table, because no other move is known
        to be in the seat's interest.
        """
        await self.warmup.wait_ready(name, view["game"])
        task = (tasks.choose_action, self._find_bot, name, view, legal)
        try:
            action = await self._worker_pool.run(
                billing_key, self.limits.bot_seconds, *task, lasts=min_think_time(name)
            )
        except TaskFailedError as error:
            log.error("bot_failed", bot=name, game=view["game"], **error.details)
            return self._random.choice(legal)
        if action not in legal:
            log.error("bot_answered_illegally", bot=name, game=view["game"])
            return self._random.choice(legal)
        return action

    async def compute_hint(
        self, billing_key: BillingKey, view: dict[str, Any], legal: Sequence[str]
    ) -> "Hint":
        """What a strong player would do, and why.

        Raises:
            TaskFailedError: the hint could not be computed.
        """
        await self.warmup.wait_ready(HINT_BOT, view["game"])
        task = (tasks.compute_hint, view, legal)
        seconds = self.limits.bot_seconds
        return await self._worker_pool.run(billing_key, seconds, *task, lasts=HINT_DELAY_S)

    async def run_task(
        self,
        billing_key: BillingKey,
        seconds: float,
        task: Callable[..., _Result],
        *arguments: object,
    ) -> _Result:
        """Runs a task in the workers, when it is this account's turn.

        Raises:
            TaskFailedError: the task failed, or took too long.
        """
        return await self._worker_pool.run(billing_key, seconds, task, *arguments)

    async def bots_by_game(self) -> dict[str, list[str]]:
        """For each game the bots that play it, from weak to strong.

        Raises:
            StoreError: the set of bots is not known now.
        """
        known = await self._discover_bots()
        await self.warmup.wait_bots_known()
        return {game: list(its) for game, its in known.items()}

    async def games_with_hints(self) -> frozenset[str]:
        """The games in which hints are available: the hint bot plays them and can give reasons.

        Raises:
            StoreError: the set of games is not known now.
        """
        known = await self._discover_bots()
        return frozenset(game for game in self._games_with_hints if HINT_BOT in known[game])

    async def _discover_bots(self) -> KnownBots:
        if self._known_bots is None:
            games = sorted(REGISTRY)
            try:
                hinted = (tasks.games_with_hints, games)
                self._games_with_hints = await self._worker_pool.run(
                    SYSTEM, _BOT_DISCOVERY_TIMEOUT_S, *hinted
                )
                asked = (tasks.bots_by_game, games)
                self._known_bots = await self._worker_pool.run(
                    SYSTEM, _BOT_DISCOVERY_TIMEOUT_S, *asked
                )
            except TaskFailedError as error:
                log.error("players_unknown", **error.details)
                raise StoreError("the computer players cannot be asked now") from error
        return self._known_bots

    def start_sharing_usage(self) -> None:
        """Starts to share rate-limit usage with other nodes."""
        self._worker_pool.share_usage(self.shared_usage)
        self.shared_usage.start_recording()

    def close(self) -> None:
        """Stops the workers without waiting for running tasks."""
        if self._warmup_task is not None:
            self._warmup_task.cancel()
        self._worker_pool.close()
