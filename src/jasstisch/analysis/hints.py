"""A hint at the table: the best action for the seat to move, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from jasstisch.analysis.explanation import explain
from jasstisch.bots import View
from jasstisch.bots.searching import Candidate, evaluate_actions
from jasstisch.bots.searching.budget import ADVICE, SearchBudget

__all__ = ["Hint", "hint"]


@dataclass(frozen=True, slots=True)
class Hint:
    """What a strong player would do, and why.

    Attributes:
        action: the best action.
        reason: one of `REASONS`.
        values: what stands in the gaps of its text.
        candidates: all actions weighed, best first.
    """

    action: str
    reason: str
    values: Mapping[str, int | str]
    candidates: tuple[Candidate, ...]


def hint(view: View, legal: Sequence[str], rng: Random, effort: SearchBudget = ADVICE) -> Hint:
    """The best action for a seat that may act, and why.

    Args:
        view: the view of the seat; nothing else is known.
        legal: the actions open to it.
        rng: the only source of chance.
        effort: how hard to think.

    Raises:
        GameError: the searching players do not know this game.
    """
    candidates = tuple(evaluate_actions(view, legal, rng, effort))
    reason = explain(view, candidates, candidates[0].action)
    return Hint(candidates[0].action, reason.id, dict(reason.values), candidates)
