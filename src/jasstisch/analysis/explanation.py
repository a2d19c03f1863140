"""Explains why one action is better than another, from the arguments that hold for each of them.

An *argument* is a statement about an action that may support or oppose it: the card loses, the
trick is wanted, the claim cannot be true. The reason is chosen by weight: the weight of an argument
is by how much the best action without it is worse. A game says which arguments hold; this module
chooses among them, in the same way for all games.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from jasstisch.analysis.action_traits import Trait, contrast_placeholder_values, correlation_or_zero
from jasstisch.analysis.explainers import explainer_of, trait_finder_of
from jasstisch.analysis.game_metric import metric_of, min_significant
from jasstisch.analysis.pros_and_cons import NO_VALUES, Argument
from jasstisch.bots import View
from jasstisch.bots.searching import Candidate
from jasstisch.i18n.templates import Values

_SPECIFIC_SHARE = 0.5
"""Of the arguments with at least this share of the highest weight, the most specific is chosen."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The explanation of an action.

    Attributes:
        id: one of `REASONS`.
        placeholder_values: the values of the placeholders of its text.
    """

    id: str
    placeholder_values: Values = field(default_factory=lambda: NO_VALUES)


def explain(view: View, candidates: Sequence[Candidate], action: str) -> Reason:
    """Explains why an action is good, or why it is worse than the best.

    Args:
        view: the view of the seat before the action.
        candidates: all evaluated actions, best first, including `action`.
        action: the action to explain.

    Returns:
        If it is (nearly) the best: an argument for it. Otherwise an argument against it or for the
        best one, whichever weighs more.
    """
    if len(candidates) == 1:
        return Reason("only")
    return _Explainer(view, candidates).explain(action)


class _Explainer:
    """The candidates of one decision with their arguments.

    Args:
        view: the view of the seat that decides.
        candidates: the evaluated actions, best first.
        by_figure: whether weights are measured by the figure of the round instead of the value for
            the match.
    """

    def __init__(
        self, view: View, candidates: Sequence[Candidate], *, by_figure: bool = False
    ) -> None:
        explainer = explainer_of(view["game"])
        self.view = view
        self.by_figure = by_figure
        self.candidates = candidates
        self.best = candidates[0]
        self.metric = metric_of(view["game"])
        self.arguments: Mapping[str, tuple[Argument, ...]] = {
            one.action: tuple(explainer(view, one.action, self.best.action)) for one in candidates
        }

    def explain(self, action: str) -> Reason:
        """Returns the reason with the highest weight."""
        about = next(one for one in self.candidates if one.action == action)
        if self.tells_apart(self.best, about):
            return self.explain_fault(about) or self.generic_fault(about)
        if self.cost(about) > self.metric.costly_from:
            # For the match it may be no worse, or not significantly: then its cost in the round
            # decides.
            by_figure = _Explainer(self.view, self.candidates, by_figure=True)
            return by_figure.explain_fault(about) or Reason("close")
        return self.most_specific(self.merits(about, self.candidates), about) or self.generic_merit(
            about
        )

    def explain_fault(self, about: Candidate) -> Reason | None:
        """Returns an argument against an action or for the best one; None if there is none."""
        merits = self.merits(self.best, self.candidates, missing_in=about)
        found = self.most_specific([*self.faults(about), *merits], about)
        found = found or self.most_specific(self.by_contrast(about), about)
        if found is None and self.cost(about) > 0:
            found = self.by_trait(about)
        return found

    @cached_property
    def traits(self) -> Mapping[str, Mapping[str, Trait]]:
        """The traits of each action."""
        finder = trait_finder_of(self.view["game"])
        return {one.action: finder(self.view, one.action) for one in self.candidates}

    def value_of(self, of: Candidate) -> float:
        """Returns the value of an action: more is better."""
        if not self.by_figure:
            return of.value
        return of.figure if self.metric.higher_is_better else -of.figure

    def cost(self, of: Candidate) -> float:
        """Returns the cost of an action against the best, as displayed."""
        return self.metric.rounded_gain(self.best.figure, of.figure)

    def tells_apart(self, better: Candidate, worse: Candidate) -> bool:
        """Returns whether an action is significantly better than another."""
        return self.value_of(better) - self.value_of(worse) >= self.significance(better, worse)

    def significance(self, *those: Candidate) -> float:
        """Returns the smallest significant difference between these actions."""
        if self.by_figure:
            return self.metric.costly_from
        return min_significant(self.view, *[one.action for one in those])

    def merits(
        self, of: Candidate, among: Iterable[Candidate], missing_in: Candidate | None = None
    ) -> Iterator[tuple[float, Argument]]:
        """Yields arguments for an action that hold neither for all others nor for this one.

        The weight is by how much the best action without the argument is worse.
        """
        for argument in self.arguments[of.action]:
            without = [self.value_of(one) for one in among if not self.holds(argument, one)]
            known = missing_in is not None and self.holds(argument, missing_in)
            if without and not known and not argument.is_against:
                yield self.value_of(of) - max(without), argument

    def faults(self, of: Candidate) -> Iterator[tuple[float, Argument]]:
        """Yields arguments against an action that do not hold for the best.

        The weight is by how much even the best action with the argument is worse.
        """
        for argument in self.arguments[of.action]:
            if argument.is_against and not self.holds(argument, self.best):
                having = [
                    self.value_of(one) for one in self.candidates if self.holds(argument, one)
                ]
                nearest = self.value_of(of) if argument.is_absolute else max(having)
                yield self.value_of(self.best) - nearest, argument

    def by_contrast(self, of: Candidate) -> Iterator[tuple[float, Argument]]:
        """Yields further arguments that distinguish an action from the best.

        They are used if no argument does so alone. The weight is by how much the actions with the
        argument are better on average than the others, or worse if it is an argument against them.
        """
        for here, there in ((of, self.best), (self.best, of)):
            for argument in self.arguments[here.action]:
                if argument.is_against == (here is of) and not self.holds(argument, there):
                    having = [one for one in self.candidates if self.holds(argument, one)]
                    others = [one for one in self.candidates if one not in having]
                    apart = fmean(map(self.value_of, having)) - fmean(map(self.value_of, others))
                    yield (-apart if argument.is_against else apart), argument

    def by_trait(self, of: Candidate) -> Reason | None:
        """Returns a trait of which an action has more than the best one, or less.

        It is the trait that correlates best with the values of the actions; if none does, the one
        that contradicts them least.
        """
        found = [
            (
                self.tendency(name, mine, other),
                Reason(name, contrast_placeholder_values(mine, other)),
            )
            for name, mine in self.traits[of.action].items()
            if (other := self.traits[self.best.action].get(name)) is not None
            and mine.comparison_group == other.comparison_group
            and mine.level != other.level
        ]
        if not found:
            return None
        heaviest = max(weight for weight, _ in found)
        enough = _SPECIFIC_SHARE * heaviest if heaviest > 0 else heaviest
        return next(reason for weight, reason in found if weight >= enough)

    def tendency(self, name: str, mine: Trait, other: Trait) -> float:
        """Returns how surely values rise as a trait approaches that of the other action."""
        known = [
            (had.level, self.value_of(one))
            for one in self.candidates
            if (had := self.traits[one.action].get(name)) is not None
            and had.comparison_group == mine.comparison_group
        ]
        agreed = correlation_or_zero([level for level, _ in known], [worth for _, worth in known])
        return agreed if other.level > mine.level else -agreed

    def holds(self, argument: Argument, of: Candidate) -> bool:
        """Returns whether the same argument holds for an action."""
        return any(one.id == argument.id for one in self.arguments[of.action])

    def most_specific(
        self, weighed: Iterable[tuple[float, Argument]], about: Candidate
    ) -> Reason | None:
        """Returns the most specific of the arguments that have weight for this action."""
        something = self.significance(self.best, about)
        heavy = [one for one in weighed if one[0] >= something]
        if not heavy:
            return None
        enough = _SPECIFIC_SHARE * max(weight for weight, _ in heavy)
        argument = next(argument for weight, argument in heavy if weight >= enough)
        return Reason(argument.id, argument.placeholder_values)

    # If no argument makes a difference: the result.

    def generic_merit(self, about: Candidate) -> Reason:
        """Returns the generic reason for a good action without distinctive arguments."""
        # A bid that is nearly the best has the reason of the best.
        for argument in (*self.arguments[about.action], *self.arguments[self.best.action]):
            if argument.is_absolute and not argument.is_against:
                return Reason(argument.id, argument.placeholder_values)
        others = [one for one in self.candidates if one is not about]
        worse = [one for one in others if self.tells_apart(about, one)]
        if not worse:
            return Reason("alike" if self.same_figure(*self.candidates) else "close")
        found = self.most_specific(self.merits(about, worse), about)
        # Faults of another announcement are no argument for a push.
        if about.action.split()[0] == worse[0].action.split()[0]:
            found = found or self.most_specific(self.faults(worse[0]), about)
        if found is not None:
            return found
        if len(worse) < len(others):
            return self.equivalent(about, next(one for one in others if one not in worse))
        return self.generic_gain(about, others)

    def same_figure(self, *those: Candidate) -> bool:
        """Returns whether the displayed figures are equal."""
        return len({self.metric.rounded(one.figure) for one in those}) == 1

    def equivalent(self, about: Candidate, other: Candidate) -> Reason:
        """Returns another action that is as good, or nearly so."""
        ours, theirs = about.action.split(), other.action.split()
        alike = self.same_figure(about, other)
        if ours[0] == theirs[0] == "play" and ours[1] != theirs[1]:
            cards: Values = {"card": ours[1], "card2": theirs[1]}
            return Reason("equal_cards" if alike else "close_cards", cards)
        return Reason("equal" if alike else "close_other")

    def generic_gain(self, about: Candidate, others: Iterable[Candidate]) -> Reason:
        """Returns by how much an action is better than all others."""
        gain = min(self.metric.rounded_gain(about.figure, one.figure) for one in others)
        if gain <= 0:
            return Reason("match")
        return Reason(self.metric.gain_reason_id, {"gain": self.metric.format_difference(gain)})

    def generic_fault(self, about: Candidate) -> Reason:
        """Returns the cost of an action against the best."""
        cost = self.cost(about)
        if cost <= 0:
            return Reason("match_cost")
        return Reason(
            f"{self.metric.gain_reason_id}_cost", {"loss": self.metric.format_difference(cost)}
        )
