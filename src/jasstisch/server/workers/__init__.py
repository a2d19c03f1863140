"""Work outside the event loop: bots, hints and analyses in worker processes.

The package shares the workers fairly between people and tables; `jasstisch.bots` and
`jasstisch.analysis` do the computing. Start reading with `fair_scheduler`.
"""

from jasstisch.server.workers import tasks
from jasstisch.server.workers.fair_scheduler import (
    SYSTEM,
    BillingKey,
    FairWorkerPool,
    TaskFailedError,
)
from jasstisch.server.workers.move_timing import HINT_DELAY_S, MoveDelay, MoveTimer, min_think_time
from jasstisch.server.workers.warmup import BotWarmup, KnownBots
from jasstisch.server.workers.worker import ProcessWorker, ThreadWorker, Worker

__all__ = [
    "HINT_DELAY_S",
    "SYSTEM",
    "BillingKey",
    "BotWarmup",
    "FairWorkerPool",
    "KnownBots",
    "MoveDelay",
    "MoveTimer",
    "ProcessWorker",
    "TaskFailedError",
    "ThreadWorker",
    "Worker",
    "min_think_time",
    "tasks",
]
