"""What is to be said about the deals at a table, each thing once."""

from collections.abc import Iterator

from rich.text import Text

from jasstisch.cli.game.deal_texts import broken_deals_text, short_commitment
from jasstisch.cli.ui.translator import Translator
from jasstisch.client import DealMemory, WatchedTable
from jasstisch.fairness import FairError


class DealNews:
    """The news about the deals at a table.

    Args:
        table: the table, which the client watches.
        memory: where the client keeps what it sees; None for nowhere.
        translator: the language.
    """

    def __init__(
        self, table: WatchedTable, memory: DealMemory | None, translator: Translator
    ) -> None:
        self._table = table
        self._memory = memory
        self._say = translator
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

    def lines(self, *, whole: bool = False) -> Iterator[Text]:
        """Tells what was not told yet.

        Args:
            whole: whether to tell a commitment with all its digits.
        """
        commitment, problem = self._table.deal_commitment, self._table.deal_problem
        if commitment is not None and commitment != self._told_commitment:
            self._told_commitment = commitment
            if whole:
                yield from map(Text, self.commitment_lines())
            else:
                yield self._short_text(commitment)
        if problem is not None and problem is not self._told_problem:
            yield Text(broken_deals_text(problem.pack, self._say), "bold red")
        self._told_problem = problem
        while self._memory is not None and self._memory.problems:
            reason = self._memory.problems.pop(0)
            yield Text(self._say.plain("join.deals_memory", reason=reason), "bold")

    def _short_text(self, commitment: str) -> Text:
        """The beginning of the commitment, with how to see the whole."""
        label = self._say.shared_text("deals_commitment")
        value = short_commitment(bytes.fromhex(commitment))
        return self._say("join.deals_short", label=label, value=value)
