"""The analysis of the matches at a table: worked out beside it, each once, and kept with it.

A match is judged decision by decision, each a thought of its own that waits for its turn like those
of the computer players, and is charged to whoever has asked. So nobody who plays waits for more
than one decision, and whoever asks for much waits himself. What has come of it is kept in the
store, from where every node reads it.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from jasstisch.games.rules import REGISTRY
from jasstisch.match.record import Record
from jasstisch.server.api import messages
from jasstisch.server.context import HINT_BOT, ServerContext
from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.server.workers import BillingKey, TaskFailedError, tasks
from jasstisch.storage import CorruptionError, StoreError
from jasstisch.table import State, TableError, finished_match

__all__ = ["ANALYSIS_FORMAT", "AnalysisJobs", "AnalysisStatus", "StoredAnalysis"]

ANALYSIS_FORMAT = "jasstisch-analysis/1"
"""How a kept analysis is written; one that is written otherwise is worked out anew."""

_Result = TypeVar("_Result")

MAX_ATTEMPTS = 2
"""So often a decision is thought over, where the thought comes to nothing."""


class StoredAnalysis(Struct, frozen=True):
    """An analysis as it is kept: what is the same in every language, and nobody's name.

    Attributes:
        format: how it is written.
        rounds: the numbers of its rounds.
        decisions: all that were judged, in the order of the record.
        dearest: the mistakes by their places among these, dearest first.
        lost: for each seat what its mistakes have cost.
    """

    format: str
    rounds: list[int]
    decisions: list[messages.AnalysedDecision]
    dearest: list[int]
    lost: list[float]


class AnalysisStatus(Struct, frozen=True):
    """How it stands with the analysis of a match, as a node tells another.

    Attributes:
        state: whether it is worked out; `none` too when it has been and is kept.
        progress: how far it is.
        refused: the code of a refusal and what it says.
    """

    state: Literal["none", "running", "failed"]
    progress: messages.AnalysisProgress | None = None
    refused: tuple[messages.ErrorCode, str] | None = None


def _ignore_progress() -> None:
    """Nobody is told any more."""


class AnalysisJobs:
    """Analyses the matches at one table.

    Args:
        table: its id.
        services: where decisions are judged, and where analyses are kept.
        rests: is told when nothing is worked out any more.
    """

    def __init__(self, table: str, services: ServerContext, rests: Callable[[], None]) -> None:
        self._table = table
        self._context = services
        self._on_idle = rests
        self._running_by_person = services.shared_usage.gauge("analyses")
        self._status_by_match: dict[int, AnalysisStatus] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether something is being worked out."""
        return bool(self._tasks)

    def status(self, number: int) -> AnalysisStatus:
        """How it stands with a match of this table, from 1."""
        return self._status_by_match.get(number, AnalysisStatus("none"))

    async def request(self, state: State, number: int, person: str) -> AnalysisStatus:
        """Has a match analysed, unless that is under way; how it stands then.

        Args:
            state: the table as last committed.
            number: which match of it.
            person: who asks, and is charged for it.

        Raises:
            StoreError: the record of an earlier match cannot be read, or the table leaves memory.
        """
        before = self.status(number)
        if before.state == "running":
            return before
        try:
            self._check_allowed(state, person)
            # Counted and told while the log is read, too.
            self._status_by_match[number] = AnalysisStatus("running")
            self._running_by_person.add(person)
            record = await self._load_record(state, number, person, before)
        except TableError as error:
            return AnalysisStatus(before.state, refused=(error.code, str(error)))
        work = self._run_job(number, record, BillingKey(person, self._table))
        task = self._tasks[number] = asyncio.create_task(work)
        # Also where it is given up before it has begun.
        task.add_done_callback(lambda _: self._running_by_person.remove(person))
        return self.status(number)

    def close(self) -> None:
        """Gives up what is being worked out; it can be asked for anew."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        # Whoever is told holds this in turn, and would be left to garbage collection.
        self._on_idle = _ignore_progress

    def _check_allowed(self, state: State, person: str) -> None:
        """Refuses what cannot be thought over now.

        Raises:
            TableError: that is so.
        """
        limits = self._context.limits
        if not self._context.warmup.is_ready(HINT_BOT, state.created.game):
            raise TableError("not_ready", "the analysis is being made ready; ask again in a minute")
        if self._running_by_person[person] >= limits.analyses_per_person:
            most = limits.analyses_per_person
            raise TableError("limit", f"at most {most} analyses at a time, please")

    async def _load_record(
        self, state: State, number: int, person: str, before: AnalysisStatus
    ) -> Record:
        """The record to be analysed; where there is none, all stands as `before`."""
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
        """The record of the match to be analysed; that of an earlier one is in the log alone.

        Raises:
            TableError: it cannot be had.
            StoreError: the log cannot be read.
        """
        most = self._context.limits.analysed_steps
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
        if len(record["log"]) > most:
            raise TableError("limit", f"matches of at most {most} steps are analysed here")
        return record

    async def _run_job(self, number: int, record: Record, account: BillingKey) -> None:
        failed: dict[str, str] | None = None
        try:
            body = await self._analyse(number, record, account)
            await self._context.store.save_analysis(self._table, number, body)
        except TaskFailedError as error:
            failed = error.details
        except Exception as error:  # noqa: BLE001 - it is this analysis's alone
            failed = describe_exception(error)
        finally:
            del self._status_by_match[number], self._tasks[number]
            if failed is not None:
                self._status_by_match[number] = AnalysisStatus("failed")
                log.error("analysis_failed", table=short_id(self._table), **failed)
            self._on_idle()

    async def _analyse(self, number: int, record: Record, account: BillingKey) -> bytes:
        """The analysis of a match, as it is to be kept.

        Raises:
            ThoughtError: a decision could not be judged.
        """
        written = msgspec.json.encode(record)
        of_rounds = await self._run_with_retry(account, tasks.list_decisions, written)
        rounds = sorted(set(of_rounds))
        found: list[tasks.DecisionAnalysis] = []
        for place, one in enumerate(of_rounds):
            progress = messages.AnalysisProgress(
                rounds.index(one), len(rounds), place, len(of_rounds)
            )
            self._status_by_match[number] = AnalysisStatus("running", progress)
            found.append(
                await self._run_with_retry(account, tasks.analyse_decision, written, place)
            )
        return msgspec.json.encode(_to_stored(record["game"], len(record["players"]), found))

    async def _run_with_retry(
        self, account: BillingKey, thought: Callable[..., _Result], *arguments: object
    ) -> _Result:
        """Has something thought, once more where it came to nothing.

        Raises:
            ThoughtError: it came to nothing again.
        """
        seconds = self._context.limits.bot_seconds
        for _ in range(MAX_ATTEMPTS - 1):
            with suppress(TaskFailedError):
                return await self._context.run_task(account, seconds, thought, *arguments)
        return await self._context.run_task(account, seconds, thought, *arguments)


def _to_stored(game: str, players: int, found: list[tasks.DecisionAnalysis]) -> StoredAnalysis:
    """What is kept of the decisions judged."""
    figure = REGISTRY[game].metric
    assert figure is not None
    decisions = [msgspec.convert(one["decision"], messages.AnalysedDecision) for one in found]
    lost = [0.0] * players
    for one in decisions:
        if one.mistake:
            lost[one.seat] += max(0.0, one.loss)
    mistakes = [place for place, one in enumerate(decisions) if one.mistake]
    mistakes.sort(key=lambda place: found[place]["order"])
    rounds = sorted({one.round for one in decisions})
    told = [figure.rounded(one) for one in lost]
    return StoredAnalysis(ANALYSIS_FORMAT, rounds, decisions, mistakes, told)
