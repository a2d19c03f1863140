"""What is to be said about the deals at a table, each thing once."""

import sys
from collections.abc import Iterator
from typing import Any, Final

from rich.text import Text

from jasstisch.cli.game.deal_texts import (
    broken_deals_text,
    deal_verdict_lines,
    is_refusal,
    short_commitment,
    unproven_deals_lines,
)
from jasstisch.cli.game.number_ranges import number_ranges
from jasstisch.cli.game.table_links import TableRef
from jasstisch.cli.ui.translator import Translator
from jasstisch.client import (
    NO_SERVER,
    Client,
    ConnectionLostError,
    DealVerdict,
    RequestError,
    WatchedTable,
)
from jasstisch.fairness import FairError

_FOR_GOOD: Final = sys.maxsize
"""In the place of a match: what was asked for is asked for no more."""


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
        self._asked: dict[int, int] = {}
        """Before which match the record of an earlier one was asked for."""
        self._refused: set[int] = set()
        """The matches of which the record was refused when they had ended."""
        self._judged_problem: FairError | None = None
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
        found = [one for one in self._table.unproven_matches if one < before]
        return [one for one in found if self._asked.get(one, 0) < before]

    async def judge(self, number: int) -> list[Text]:
        """Tells what the record of a match shows about its deals, or that it does not come.

        Args:
            number: the number of the match at the table; it is over, or the table is closed.
        """
        record = await self._fetch_record(number)
        verdict = self._judge(number, record)
        if verdict is not None and verdict.kind == "unproven" and isinstance(record, Exception):
            if is_refusal(record):
                self._refused.add(number)
            return [*unproven_deals_lines(record, self._say, with_reason=self._as_log)]
        return self._verdict_lines(verdict, record)

    async def judge_earlier(self, before: int) -> list[Text]:
        """Tells what the records show of matches that were announced and replaced by others.

        An honest server gives them out. If it refuses one, that is said and is no verdict: the
        person may not be let in any more. One that could not be fetched is no fault of the server;
        it is asked for again with the next match.

        Args:
            before: the number of a match at the table.
        """
        lines: list[Text] = []
        missing: dict[str, list[int]] = {
            "deals_unproven_matches": [],
            "deals_unfetched_matches": [],
        }
        for number in self.unproven_matches(before):
            record = await self._fetch_record(number)
            verdict = self._judge(number, record)
            if verdict is not None and verdict.kind == "unproven" and isinstance(record, Exception):
                refused = is_refusal(record)
                missing[f"deals_{'unproven' if refused else 'unfetched'}_matches"].append(number)
                self._asked[number] = _FOR_GOOD if refused else before
            else:
                lines.append(self._say("join.deals_earlier", n=number))
                lines += self._verdict_lines(verdict, record)
        for name, numbers in missing.items():
            if numbers:
                said = self._say.shared_text(name, matches=number_ranges(numbers))
                lines.append(Text(said.plain, "bold"))
        return lines

    async def judge_ended(self, lost: ConnectionLostError | None = None) -> list[Text]:
        """Tells what is known of the deals, and was not told, where the table does not go on.

        Args:
            lost: why the connection was lost for good, so that no record can come.
        """
        table, last = self._table, self._table.match_number
        lines = [*self.lines(), *([] if lost else await self.judge_earlier(last))]
        if table.deal_problem is not None:
            if table.deal_problem is not self._judged_problem:
                lines += self._verdict_lines(table.judge_deals(None), {})
        elif last in table.unproven_matches and last not in self._refused:
            if lost is None:
                lines += await self.judge(last)
            else:
                lines += unproven_deals_lines(lost, self._say, with_reason=self._as_log)
        return lines

    async def _fetch_record(self, number: int) -> dict[str, Any] | Exception:
        """The record of a match, or why it does not come."""
        asked = self._asked.get(number, 0)
        self._asked[number] = _FOR_GOOD  # meanwhile it is asked for by nobody else
        try:
            return await self._client.record(self._table.id, self._table.key, match=number)
        except (RequestError, *NO_SERVER) as error:
            return error
        finally:
            self._asked[number] = asked

    def _judge(self, number: int, record: dict[str, Any] | Exception) -> DealVerdict | None:
        """The verdict by a record, or without one."""
        return self._table.judge_deals(None if isinstance(record, Exception) else record, number)

    def _verdict_lines(
        self, verdict: DealVerdict | None, record: dict[str, Any] | Exception
    ) -> list[Text]:
        """Tells what was found about the deals; a verdict without a record needs none."""
        if verdict is None:
            return []
        if verdict.kind == "broken":
            self._judged_problem = verdict.problem
        found = {} if isinstance(record, Exception) else record
        return [*deal_verdict_lines(verdict, found, self._say)]

    def _short_text(self, commitment: str) -> Text:
        """The beginning of the commitment, with how to see the whole."""
        label = self._say.shared_text("deals_commitment")
        value = short_commitment(bytes.fromhex(commitment))
        return self._say("join.deals_short", label=label, value=value)


async def kept_deals_lines(
    client: Client, place: TableRef, translator: Translator, *, as_log: bool = False
) -> list[Text]:
    """Tells what was kept of the deals at a table that cannot be watched any more.

    Args:
        client: a client of the server, which need not be connected.
        place: the table.
        translator: the language.
        as_log: as in `DealNews`.
    """
    table = WatchedTable(client, place.table, place.key, client.deal_memory)
    try:
        return await DealNews(client, table, translator, as_log=as_log).judge_ended()
    finally:
        table.stop_keeping_deals()
