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
from jasstisch.record import Record
from jasstisch.server import messages, thoughts
from jasstisch.server.log import failure, log, short
from jasstisch.server.services import ADVISER, Services
from jasstisch.server.thinkers import Account, ThoughtError
from jasstisch.store import DamagedError, StoreError
from jasstisch.table import State, TableError, over

__all__ = ["FORMAT", "AnalysisStanding", "Analyst", "KeptAnalysis"]

FORMAT = "jasstisch-analysis/1"
"""How a kept analysis is written; one that is written otherwise is worked out anew."""

_Result = TypeVar("_Result")

TRIES = 2
"""So often a decision is thought over, where the thought comes to nothing."""


class KeptAnalysis(Struct, frozen=True):
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
    decisions: list[messages.JudgedDecision]
    dearest: list[int]
    lost: list[float]


class AnalysisStanding(Struct, frozen=True):
    """How it stands with the analysis of a match, as a node tells another.

    Attributes:
        state: whether it is worked out; `none` too when it has been and is kept.
        progress: how far it is.
        refused: the code of a refusal and what it says.
    """

    state: Literal["none", "running", "failed"]
    progress: messages.AnalysisProgress | None = None
    refused: tuple[messages.ErrorCode, str] | None = None


def _nobody() -> None:
    """Nobody is told any more."""


class Analyst:
    """Analyses the matches at one table.

    Args:
        table: its id.
        services: where decisions are judged, and where analyses are kept.
        rests: is told when nothing is worked out any more.
    """

    def __init__(self, table: str, services: Services, rests: Callable[[], None]) -> None:
        self._table = table
        self._services = services
        self._rests = rests
        self._asked = services.shared.tally("analyses")
        self._standing: dict[int, AnalysisStanding] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether something is being worked out."""
        return bool(self._tasks)

    def look(self, number: int) -> AnalysisStanding:
        """How it stands with a match of this table, from 1."""
        return self._standing.get(number, AnalysisStanding("none"))

    async def ask(self, state: State, number: int, person: str) -> AnalysisStanding:
        """Has a match analysed, unless that is under way; how it stands then.

        Args:
            state: the table as last committed.
            number: which match of it.
            person: who asks, and is charged for it.

        Raises:
            StoreError: the record of an earlier match cannot be read, or the table leaves memory.
        """
        before = self.look(number)
        if before.state == "running":
            return before
        try:
            self._check(state, person)
            # Counted and told while the log is read, too.
            self._standing[number] = AnalysisStanding("running")
            self._asked.add(person)
            record = await self._begun(state, number, person, before)
        except TableError as error:
            return AnalysisStanding(before.state, refused=(error.code, str(error)))
        work = self._work(number, record, Account(person, self._table))
        task = self._tasks[number] = asyncio.create_task(work)
        # Also where it is given up before it has begun.
        task.add_done_callback(lambda _: self._asked.remove(person))
        return self.look(number)

    def close(self) -> None:
        """Gives up what is being worked out; it can be asked for anew."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        # Whoever is told holds this in turn, and would be left to garbage collection.
        self._rests = _nobody

    def _check(self, state: State, person: str) -> None:
        """Refuses what cannot be thought over now.

        Raises:
            TableError: that is so.
        """
        limits = self._services.limits
        if not self._services.readiness.is_ready(ADVISER, state.created.game):
            raise TableError("not_ready", "the analysis is being made ready; ask again in a minute")
        if self._asked[person] >= limits.analyses_per_person:
            most = limits.analyses_per_person
            raise TableError("limit", f"at most {most} analyses at a time, please")

    async def _begun(
        self, state: State, number: int, person: str, before: AnalysisStanding
    ) -> Record:
        """The record to be analysed; where there is none, all stands as `before`."""
        try:
            record = await self._record(state, number)
            if self._closed:
                raise StoreError("the table has just left memory")
        except BaseException:
            self._standing[number] = before
            self._asked.remove(person)
            raise
        return record

    async def _record(self, state: State, number: int) -> Record:
        """The record of the match to be analysed; that of an earlier one is in the log alone.

        Raises:
            TableError: it cannot be had.
            StoreError: the log cannot be read.
        """
        most = self._services.limits.analysed_steps
        record = state.record()
        if number != state.number:
            events = await self._services.store.load(self._table)
            try:
                found = await asyncio.to_thread(over, events, number)
            except ValueError as error:
                raise DamagedError("its events do not follow from each other") from error
            record = found.record if found else None
        if record is None:
            raise TableError("wrong_phase", "a match can be analysed once it is over")
        if len(record["log"]) > most:
            raise TableError("limit", f"matches of at most {most} steps are analysed here")
        return record

    async def _work(self, number: int, record: Record, account: Account) -> None:
        failed: dict[str, str] | None = None
        try:
            body = await self._analysed(number, record, account)
            await self._services.store.keep_analysis(self._table, number, body)
        except ThoughtError as error:
            failed = error.details
        except Exception as error:  # noqa: BLE001 - it is this analysis's alone
            failed = failure(error)
        finally:
            del self._standing[number], self._tasks[number]
            if failed is not None:
                self._standing[number] = AnalysisStanding("failed")
                log.error("analysis_failed", table=short(self._table), **failed)
            self._rests()

    async def _analysed(self, number: int, record: Record, account: Account) -> bytes:
        """The analysis of a match, as it is to be kept.

        Raises:
            ThoughtError: a decision could not be judged.
        """
        written = msgspec.json.encode(record)
        of_rounds = await self._think(account, thoughts.decisions, written)
        rounds = sorted(set(of_rounds))
        found: list[thoughts.Judged] = []
        for place, one in enumerate(of_rounds):
            progress = messages.AnalysisProgress(
                rounds.index(one), len(rounds), place, len(of_rounds)
            )
            self._standing[number] = AnalysisStanding("running", progress)
            found.append(await self._think(account, thoughts.judged, written, place))
        return msgspec.json.encode(_kept(record["game"], len(record["players"]), found))

    async def _think(
        self, account: Account, thought: Callable[..., _Result], *arguments: object
    ) -> _Result:
        """Has something thought, once more where it came to nothing.

        Raises:
            ThoughtError: it came to nothing again.
        """
        seconds = self._services.limits.bot_seconds
        for _ in range(TRIES - 1):
            with suppress(ThoughtError):
                return await self._services.think(account, seconds, thought, *arguments)
        return await self._services.think(account, seconds, thought, *arguments)


def _kept(game: str, players: int, found: list[thoughts.Judged]) -> KeptAnalysis:
    """What is kept of the decisions judged."""
    figure = REGISTRY[game].figure
    assert figure is not None
    decisions = [msgspec.convert(one["decision"], messages.JudgedDecision) for one in found]
    lost = [0.0] * players
    for one in decisions:
        if one.mistake:
            lost[one.seat] += max(0.0, one.loss)
    mistakes = [place for place, one in enumerate(decisions) if one.mistake]
    mistakes.sort(key=lambda place: found[place]["order"])
    rounds = sorted({one.round for one in decisions})
    told = [figure.told(one) for one in lost]
    return KeptAnalysis(FORMAT, rounds, decisions, mistakes, told)
