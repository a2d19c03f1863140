"""What is to be said about the deals at a table, each thing once."""

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from jasstisch.cli.game.deal_texts import (
    broken_deals_text,
    deal_verdict_lines,
    short_commitment,
)
from jasstisch.cli.game.number_ranges import number_ranges
from jasstisch.cli.ui.translator import Translator
from jasstisch.client import NO_SERVER, PASSING, Client, RequestError, WatchedTable
from jasstisch.fairness import FairError


class DealNews:
    """The news about the deals at a table.

    Args:
        client: the client of the server.
        table: the table, which the client watches.
        translator: the language.
        as_log: whether the reader cannot ask: all digits and reasons are told at once.
    """

    def __init__(
        self, client: Client, table: WatchedTable, translator: Translator, *, as_log: bool = False
    ) -> None:
        self._client = client
        self._table = table
        self._memory = client.deal_memory
        self._say = translator
        self._as_log = as_log
        self._judging: set[int] = set()
        self._asked: set[int] = set()
        self._told_commitment: str | None = None
        self._told_problem: FairError | None = None

    def has_any(self) -> bool:
        """Whether there is something that was not told yet."""
        problem = self._table.deal_problem
        return (
            self._table.deal_commitment not in (None, self._told_commitment)
            or (problem is not None and problem is not self._told_problem)
            or (self._memory is not None and bool(self._memory.problems))
        )

    def commitment_lines(self) -> Iterator[str]:
        """Yields the commitment of the server to the deals of this match, whole, if there is one.

        The digits have a line of their own, so that they can be copied.
        """
        commitment = self._table.deal_commitment
        if commitment is not None:
            label = self._say.shared_text("deals_commitment")
            yield self._say.plain("join.deals_field", label=label, value="").rstrip()
            yield commitment

    def lines(self) -> Iterator[Text]:
        """Tells what was not told yet."""
        commitment, problem = self._table.deal_commitment, self._table.deal_problem
        if commitment is not None and commitment != self._told_commitment:
            self._told_commitment = commitment
            if self._as_log:
                yield from map(Text, self.commitment_lines())
            else:
                yield self._short_text(commitment)
        if problem is not None and problem is not self._told_problem:
            yield Text(broken_deals_text(problem.pack, self._say), "bold red")
        self._told_problem = problem
        while self._memory is not None and self._memory.problems:
            reason = self._memory.problems.pop(0)
            yield Text(self._say.plain("join.deals_memory", reason=reason), "bold")

    def unproven_matches(self, before: int) -> list[int]:
        """The matches before one that were announced, to be judged by `judge_earlier`."""
        done = self._judging | self._asked
        return [one for one in self._table.unproven_matches if one < before and one not in done]

    async def judge(self, number: int) -> list[Text]:
        """Tells what the record of a match shows about its deals.

        Args:
            number: the number of the match at the table; it is over, or the table is closed.
        """
        try:
            record = await self._record(number)
        except (RequestError, *NO_SERVER) as error:
            return [Text(self._unread_text(error))]
        return self._verdict_lines(number, record)

    async def _record(self, number: int) -> dict[str, Any]:
        """Fetches the record of a match."""
        self._judging.add(number)
        try:
            return await self._client.record(self._table.id, self._table.key, match=number)
        finally:
            self._judging.discard(number)

    def _verdict_lines(self, number: int, record: dict[str, Any]) -> list[Text]:
        """Tells what a record shows of the deals of its match."""
        verdict = self._table.judge_deals(record, number)
        return [] if verdict is None else [*deal_verdict_lines(verdict, record, self._say)]

    async def judge_earlier(self, before: int) -> list[Text]:
        """Tells what the records show of matches that were announced and replaced by others.

        An honest server gives them out. If it refuses one, that is said and is no verdict: the
        person may not be let in any more. One that could not be fetched is no fault of the server.

        Args:
            before: the number of a match at the table.
        """
        lines: list[Text] = []
        refused: list[int] = []
        unfetched: list[int] = []
        for number in self.unproven_matches(before):
            self._asked.add(number)
            try:
                record = await self._record(number)
            except RequestError as error:
                (unfetched if error.code in PASSING else refused).append(number)
            except NO_SERVER:
                unfetched.append(number)
            else:
                lines.append(self._say("join.deals_earlier", n=number))
                lines += self._verdict_lines(number, record)
        if refused:
            said = self._say.shared_text("deals_unproven_matches", matches=number_ranges(refused))
            lines.append(Text(said.plain, "bold"))
        if unfetched:
            said = self._say("join.deals_unfetched", matches=number_ranges(unfetched))
            lines.append(Text(said.plain, "bold"))
        return lines

    def _unread_text(self, error: Exception) -> str:
        """Tells that a record could not be read."""
        unread = self._say.shared_texts["deals_unread"]
        return f"{unread}: {error}" if self._as_log else f"{unread}."

    def _short_text(self, commitment: str) -> Text:
        """The beginning of the commitment, with how to see the whole."""
        label = self._say.shared_text("deals_commitment")
        value = short_commitment(bytes.fromhex(commitment))
        return self._say("join.deals_short", label=label, value=value)
