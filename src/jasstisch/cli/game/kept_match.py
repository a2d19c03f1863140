"""The comparison of a record with what `join` and `bot` have kept of its match on this computer.

The extra `server`, which they need, is needed only if there is something to compare with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jasstisch.cli.errors import CommandError
from jasstisch.cli.game import user_state
from jasstisch.cli.game.number_ranges import number_ranges
from jasstisch.engine.errors import count_seats_from_one
from jasstisch.extras import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import jasstisch as jt
    from jasstisch.client import DealVerdict
    from jasstisch.fairness import MatchId


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """The comparison of a record with what was kept of its match.

    Attributes:
        verdict: the verdict on the record by what was seen; None where nothing was kept.
        problems: why something that was kept cannot be read.
    """

    verdict: DealVerdict | None
    problems: Sequence[str]

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yields what was seen, as label and value."""
        verdict = self.verdict
        if verdict is None or verdict.report is None:
            return
        yield "Seen here", "the hands, plays and results that this computer has seen are the same"
        own, total = verdict.own_pack_count, verdict.report.pack_count
        yield "  helped", f"to shuffle {own} of {total} packs"
        if verdict.excluded_packs:
            packs = number_ranges(verdict.excluded_packs)
            yield "  left out", f"ready to help, but these were decided without it: {packs}"
        if verdict.unseen_packs:
            packs = number_ranges(verdict.unseen_packs)
            yield "  absent", f"while these were decided: {packs}"


def compare_with_kept(record_file: Path, match: jt.Match, claimed: MatchId) -> KeptMatch:
    """Compares a record with what was kept of its match.

    Args:
        record_file: the file of the record, for messages.
        match: the match in it.
        claimed: the match that it says it is.

    Raises:
        CommandError: the record contradicts what was seen.
    """
    if not user_state.deals_dir().is_dir():
        return KeptMatch(None, [])
    try:
        from jasstisch.client import DealMemory  # noqa: PLC0415 - it needs the extra
    except MissingExtraError as error:
        return KeptMatch(None, [str(error)])
    memory = DealMemory(user_state.deals_dir())
    judged = [seen.judge(match.record(), closed=True) for seen in memory.recall(claimed)]
    verdicts = [one for one in judged if one is not None]
    for verdict in verdicts:
        if verdict.report is None:
            raise CommandError(f"{record_file}: {_fault_text(verdict)}")
    best = max(verdicts, key=lambda one: one.own_pack_count, default=None)
    return KeptMatch(best, memory.problems)


def _fault_text(verdict: DealVerdict) -> str:
    """Tells how the record contradicts what was seen."""
    problem = count_seats_from_one(str(verdict.problem))
    if verdict.kind == "broken":
        return f"the server did not keep to the protocol during this match: {problem}"
    return f"it contradicts what this computer has seen of the match: {problem}"
