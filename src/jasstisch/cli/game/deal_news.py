"""What is to be said about the deals at a table, each thing once."""

from collections.abc import Iterator

from rich.text import Text

from jasstisch.cli.game.deal_texts import broken_deals_text
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
        self._told_problem: FairError | None = None

    def has_any(self) -> bool:
        """Whether there is something that was not told yet."""
        problem = self._table.deal_problem
        is_new = problem is not None and problem is not self._told_problem
        return is_new or (self._memory is not None and bool(self._memory.problems))

    def lines(self) -> Iterator[Text]:
        """Tells what was not told yet."""
        problem = self._table.deal_problem
        if problem is not None and problem is not self._told_problem:
            yield Text(broken_deals_text(problem.pack, self._say), "bold red")
        self._told_problem = problem
        while self._memory is not None and self._memory.problems:
            reason = self._memory.problems.pop(0)
            yield Text(self._say.plain("join.deals_memory", reason=reason), "bold")
