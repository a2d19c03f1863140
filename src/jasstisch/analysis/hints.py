"""Hints at the table: the best action for the seat to act, with a reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from jasstisch.analysis.explanation import explain
from jasstisch.bots import View
from jasstisch.bots.searching import Candidate, evaluate_actions
from jasstisch.bots.searching.budget import ADVICE, SearchBudget


@dataclass(frozen=True, slots=True)
class Hint:
    """A suggested action with its reason.

    Attributes:
        action: the best action.
        reason: one of `REASONS`.
        placeholder_values: the values of the placeholders of its text.
        candidates: all evaluated actions, best first.
    """

    action: str
    reason: str
    placeholder_values: Mapping[str, int | str]
    candidates: tuple[Candidate, ...]


def hint(view: View, legal: Sequence[str], rng: Random, effort: SearchBudget = ADVICE) -> Hint:
    """Returns the best action for a seat that may act, with a reason.

    Args:
        view: the view of the seat; nothing else is known.
        legal: its legal actions.
        rng: the only source of randomness.
        effort: the search effort.

    Raises:
        GameError: the search bots do not know this game.
    """
    candidates = tuple(evaluate_actions(view, legal, rng, effort))
    reason = explain(view, candidates, candidates[0].action)
    return Hint(candidates[0].action, reason.id, dict(reason.placeholder_values), candidates)
