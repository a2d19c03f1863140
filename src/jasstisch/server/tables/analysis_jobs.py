"""Background jobs that analyse the matches of a table, each match once, and store the result.

A match is analysed decision by decision. Each decision is a task of its own in the fair scheduler,
like a bot's move, and is billed to the person who requested the analysis. So players wait for at
most one decision, and a person with many requests delays only themselves. The result is kept in the
store, where every node can read it.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from jasstisch.games.rules import REGISTRY
from jasstisch.match.record import Record
from jasstisch.server.api import bodies, messages
from jasstisch.server.context import HINT_BOT, ServerContext
from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.server.workers import BillingKey, TaskFailedError, tasks
from jasstisch.storage import CorruptionError, StoreError
from jasstisch.table import State, TableError, finished_match

ANALYSIS_FORMAT = "jasstisch-analysis/1"
"""The format of a stored analysis; one in another format is computed again."""

_Result = TypeVar("_Result")

_MAX_ATTEMPTS = 2
"""How many times the analysis of a decision is attempted."""


class StoredAnalysis(Struct, frozen=True):
    """An analysis as it is stored: independent of the language and without personal names.

    Attributes:
        format: the format of the stored analysis.
        rounds: the numbers of the rounds of the match.
        decisions: all decisions that were analysed, in the order of the record.
        dearest: the indices of the mistakes in `decisions`, costliest first.
        lost: for each seat, what its mistakes have cost.
    """

    format: str
    rounds: list[int]
    decisions: list[bodies.AnalysedDecision]
    dearest: list[int]
    lost: list[float]


class AnalysisStatus(Struct, frozen=True):
    """The status of a match's analysis, as nodes exchange it.

    Attributes:
        state: the state of the job; `none` also after the analysis has been stored.
        progress: how much of the analysis is done.
        refused: the error code and the text of a refusal.
    """

    state: Literal["none", "running", "failed"]
    progress: bodies.AnalysisProgress | None = None
    refused: tuple[messages.ErrorCode, str] | None = None


def _ignore_progress() -> None:
    """The callback after `close`."""


class AnalysisJobs:
    """Analyses the matches of one table.

    Args:
        table: the table's id.
        context: the workers that analyse decisions, and the store for the results.
        on_idle: called when the last running job has ended.
    """

    def __init__(self, table: str, context: ServerContext, on_idle: Callable[[], None]) -> None:
        self._table = table
        self._context = context
        self._on_idle = on_idle
        self._running_by_person = context.shared_usage.gauge("analyses")
        self._status_by_match: dict[int, AnalysisStatus] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._closed = False

    @property
    def is_busy(self) -> bool:
        """Whether a job is running."""
        return bool(self._tasks)

    def status(self, number: int) -> AnalysisStatus:
        """The status of a match of this table; matches are numbered from 1."""
        return self._status_by_match.get(number, AnalysisStatus("none"))

    async def request(self, state: State, number: int, person: str) -> AnalysisStatus:
        """Starts the analysis of a match, unless it is already running.

        Args:
            state: the table as last committed.
            number: the number of the match at this table.
            person: the person who requests the analysis and is billed for it.

        Returns:
            The status after the call.

        Raises:
            StoreError: the record of an earlier match cannot be read, or the table leaves memory.
        """
        before = self.status(number)
        if before.state == "running":
            return before
        try:
            self._check_allowed(state, person)
            # The job counts and is visible from now on, also while the log is read.
            self._status_by_match[number] = AnalysisStatus("running")
            self._running_by_person.add(person)
            record = await self._load_record(state, number, person, before)
        except TableError as error:
            return AnalysisStatus(before.state, refused=(error.code, str(error)))
        work = self._run_job(number, record, BillingKey(person, self._table))
        task = self._tasks[number] = asyncio.create_task(work)
        # Runs even if the task is cancelled before it starts.
        task.add_done_callback(lambda _: self._running_by_person.remove(person))
        return self.status(number)

    def close(self) -> None:
        """Cancels the running jobs; they can be requested again."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        # The callback refers back to this object; the cycle would be left to the garbage collector.
        self._on_idle = _ignore_progress

    def _check_allowed(self, state: State, person: str) -> None:
        """Checks that an analysis may start now.

        Raises:
            TableError: it may not.
        """
        limits = self._context.limits
        if not self._context.warmup.is_ready(HINT_BOT, state.creation_event.game):
            raise TableError("not_ready", "the analysis is being made ready; ask again in a minute")
        if self._running_by_person[person] >= limits.analyses_per_person:
            limit = limits.analyses_per_person
            raise TableError("limit", f"at most {limit} analyses at a time, please")

    async def _load_record(
        self, state: State, number: int, person: str, before: AnalysisStatus
    ) -> Record:
        """The record to analyse; if there is none, restores the status `before`."""
        try:
            record = await self._record(state, number)
            if self._closed:
                raise StoreError("the table has just left memory")
        except BaseException:
            self._status_by_match[number] = before
            self._running_by_person.remove(person)
            raise
        return record

    async def _record(self, state: State, number: int) -> Record:
        """The record of the match to analyse; that of an earlier match is read from the log.

        Raises:
            TableError: there is no record, or it is too long.
            StoreError: the log cannot be read.
        """
        limit = self._context.limits.max_analysed_steps
        record = state.record()
        if number != state.match_number:
            events = await self._context.store.load(self._table)
            try:
                found = await asyncio.to_thread(finished_match, events, number)
            except ValueError as error:
                raise CorruptionError("its events do not follow from each other") from error
            record = found.record if found else None
        if record is None:
            raise TableError("wrong_phase", "a match can be analysed once it is over")
        if len(record["log"]) > limit:
            raise TableError("limit", f"matches of at most {limit} steps are analysed here")
        return record

    async def _run_job(self, number: int, record: Record, billing_key: BillingKey) -> None:
        failed: dict[str, str] | None = None
        try:
            body = await self._analyse(number, record, billing_key)
            await self._context.store.save_analysis(self._table, number, body)
        except TaskFailedError as error:
            failed = error.details
        except Exception as error:  # noqa: BLE001 - it concerns this analysis alone
            failed = describe_exception(error)
        finally:
            del self._status_by_match[number], self._tasks[number]
            if failed is not None:
                self._status_by_match[number] = AnalysisStatus("failed")
                log.error("analysis_failed", table=short_id(self._table), **failed)
            self._on_idle()

    async def _analyse(self, number: int, record: Record, billing_key: BillingKey) -> bytes:
        """The analysis of a match in its stored form.

        Raises:
            TaskFailedError: a decision could not be analysed.
        """
        encoded = msgspec.json.encode(record)
        decision_rounds = await self._run_with_retry(billing_key, tasks.decision_rounds, encoded)
        rounds = sorted(set(decision_rounds))
        found: list[tasks.DecisionAnalysis] = []
        for place, one in enumerate(decision_rounds):
            progress = bodies.AnalysisProgress(
                rounds.index(one), len(rounds), place, len(decision_rounds)
            )
            self._status_by_match[number] = AnalysisStatus("running", progress)
            found.append(
                await self._run_with_retry(billing_key, tasks.analyse_decision, encoded, place)
            )
        return msgspec.json.encode(_to_stored(record["game"], len(record["players"]), found))

    async def _run_with_retry(
        self, billing_key: BillingKey, task: Callable[..., _Result], *arguments: object
    ) -> _Result:
        """Runs a task in the workers, and runs it again if it fails.

        Raises:
            TaskFailedError: the last attempt failed as well.
        """
        seconds = self._context.limits.bot_seconds
        for _ in range(_MAX_ATTEMPTS - 1):
            with suppress(TaskFailedError):
                return await self._context.run_task(billing_key, seconds, task, *arguments)
        return await self._context.run_task(billing_key, seconds, task, *arguments)


def _to_stored(game: str, players: int, found: list[tasks.DecisionAnalysis]) -> StoredAnalysis:
    """Converts analysed decisions to the stored form."""
    figure = REGISTRY[game].metric
    assert figure is not None
    decisions = [msgspec.convert(one["decision"], bodies.AnalysedDecision) for one in found]
    lost = [0.0] * players
    for one in decisions:
        if one.mistake:
            lost[one.seat] += max(0.0, one.loss)
    mistakes = [place for place, one in enumerate(decisions) if one.mistake]
    mistakes.sort(key=lambda place: found[place]["order"])
    rounds = sorted({one.round for one in decisions})
    costs = [figure.rounded(one) for one in lost]
    return StoredAnalysis(ANALYSIS_FORMAT, rounds, decisions, mistakes, costs)
