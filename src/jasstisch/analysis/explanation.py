"""Why one action is better than another, found from what is true of each of them.

A *ground* is something that holds of an action and may speak for it or against it: the card stays
below, the trick is wanted, the claim cannot be true. Which of them is the reason, the weighing
says: a ground weighs as much as the best action without it falls behind. A game says what holds of
its actions; what counts is decided here, in the same way for all games.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from jasstisch.analysis.arguments import NO_VALUES, Argument
from jasstisch.analysis.explainers import explainer_of, trait_finder_of
from jasstisch.analysis.game_metric import metric_of, min_significant
from jasstisch.analysis.traits import Trait, contrast_values, correlation_or_zero
from jasstisch.bots import View
from jasstisch.bots.searching import Candidate
from jasstisch.i18n.templates import Values

__all__ = ["Reason", "explain"]

SPECIFIC_SHARE = 0.5
"""Of the grounds that weigh at least this part of the heaviest one, the most telling is named."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What is said about an action.

    Attributes:
        id: one of `REASONS`.
        values: what stands in the gaps of its text.
    """

    id: str
    values: Values = field(default_factory=lambda: NO_VALUES)


def explain(view: View, candidates: Sequence[Candidate], action: str) -> Reason:
    """Why an action is good, or why it is worse than the best.

    Args:
        view: the view of the seat before the action.
        candidates: all actions weighed, best first, `action` among them.
        action: the one to speak of.

    Returns:
        Where it is (nearly) the best: what speaks for it. Else what speaks against it, or for the
        best one, whichever weighs more.
    """
    if len(candidates) == 1:
        return Reason("only")
    return Explainer(view, candidates).explain(action)


class Explainer:
    """The candidates of one decision with what holds of each.

    Args:
        view: the view of the seat that decides.
        candidates: the actions weighed, best first.
        by_figure: whether the figure of the round weighs, and not what the match is worth.
    """

    def __init__(
        self, view: View, candidates: Sequence[Candidate], *, by_figure: bool = False
    ) -> None:
        judge = explainer_of(view["game"])
        self.view = view
        self.by_figure = by_figure
        self.candidates = candidates
        self.best = candidates[0]
        self.metric = metric_of(view["game"])
        self.arguments: Mapping[str, tuple[Argument, ...]] = {
            one.action: tuple(judge(view, one.action, self.best.action)) for one in candidates
        }

    def explain(self, action: str) -> Reason:
        """The reason that weighs most."""
        about = next(one for one in self.candidates if one.action == action)
        if self.tells_apart(self.best, about):
            return self.explain_fault(about) or self.generic_fault(about)
        if self.cost(about) > self.metric.costly_from:
            # For the match it may be no worse, or too little to be sure of it: then what it costs
            # in the round decides.
            by_figure = Explainer(self.view, self.candidates, by_figure=True)
            return by_figure.explain_fault(about) or Reason("close")
        return self.most_specific(self.merits(about, self.candidates), about) or self.generic_merit(
            about
        )

    def explain_fault(self, about: Candidate) -> Reason | None:
        """What speaks against an action, or for the best one; None where nothing is known."""
        merits = self.merits(self.best, self.candidates, missing_in=about)
        found = self.most_specific([*self.faults(about), *merits], about)
        found = found or self.most_specific(self.by_contrast(about), about)
        if found is None and self.cost(about) > 0:
            found = self.by_trait(about)
        return found

    @cached_property
    def traits(self) -> Mapping[str, Mapping[str, Trait]]:
        """What tells the actions apart, by action."""
        told = trait_finder_of(self.view["game"])
        return {one.action: told(self.view, one.action) for one in self.candidates}

    def value_of(self, of: Candidate) -> float:
        """By what actions are weighed: the more the better."""
        if not self.by_figure:
            return of.value
        return of.figure if self.metric.higher_is_better else -of.figure

    def cost(self, of: Candidate) -> float:
        """What an action costs against the best, as it is told."""
        return self.metric.rounded_gain(self.best.figure, of.figure)

    def tells_apart(self, better: Candidate, worse: Candidate) -> bool:
        """Whether an action is so much better than another that it means something."""
        return self.value_of(better) - self.value_of(worse) >= self.significance(better, worse)

    def significance(self, *those: Candidate) -> float:
        """The smallest difference between these that means something."""
        if self.by_figure:
            return self.metric.costly_from
        return min_significant(self.view, *[one.action for one in those])

    def merits(
        self, of: Candidate, among: Iterable[Candidate], missing_in: Candidate | None = None
    ) -> Iterator[tuple[float, Argument]]:
        """What speaks for an action and does not hold of all others, nor of this one.

        It weighs as much as the best action without it is worse.
        """
        for ground in self.arguments[of.action]:
            without = [self.value_of(one) for one in among if not self.holds(ground, one)]
            known = missing_in is not None and self.holds(ground, missing_in)
            if without and not known and not ground.against:
                yield self.value_of(of) - max(without), ground

    def faults(self, of: Candidate) -> Iterator[tuple[float, Argument]]:
        """What speaks against an action and does not hold of the best.

        It weighs as much as even the best action with it is worse.
        """
        for ground in self.arguments[of.action]:
            if ground.against and not self.holds(ground, self.best):
                having = [self.value_of(one) for one in self.candidates if self.holds(ground, one)]
                nearest = self.value_of(of) if ground.always else max(having)
                yield self.value_of(self.best) - nearest, ground

    def by_contrast(self, of: Candidate) -> Iterator[tuple[float, Argument]]:
        """What else tells an action from the best, where nothing does so alone.

        It weighs as much as the actions of which it holds are on average better than the others,
        or worse where it speaks against them.
        """
        for here, there in ((of, self.best), (self.best, of)):
            for ground in self.arguments[here.action]:
                if ground.against == (here is of) and not self.holds(ground, there):
                    having = [one for one in self.candidates if self.holds(ground, one)]
                    others = [one for one in self.candidates if one not in having]
                    apart = fmean(map(self.value_of, having)) - fmean(map(self.value_of, others))
                    yield (-apart if ground.against else apart), ground

    def by_trait(self, of: Candidate) -> Reason | None:
        """Of what an action has more than the best one, or less.

        That trait is told with which the actions weighed are better or worse most surely; where
        none goes along with what they are worth, one that does least against it.
        """
        found = [
            (self.tendency(name, mine, other), Reason(name, contrast_values(mine, other)))
            for name, mine in self.traits[of.action].items()
            if (other := self.traits[self.best.action].get(name)) is not None
            and mine.among == other.among
            and mine.level != other.level
        ]
        if not found:
            return None
        heaviest = max(weight for weight, _ in found)
        enough = SPECIFIC_SHARE * heaviest if heaviest > 0 else heaviest
        return next(reason for weight, reason in found if weight >= enough)

    def tendency(self, name: str, mine: Trait, other: Trait) -> float:
        """How surely actions are better the nearer they come to what the other has of a trait."""
        known = [
            (had.level, self.value_of(one))
            for one in self.candidates
            if (had := self.traits[one.action].get(name)) is not None and had.among == mine.among
        ]
        agreed = correlation_or_zero([level for level, _ in known], [worth for _, worth in known])
        return agreed if other.level > mine.level else -agreed

    def holds(self, ground: Argument, of: Candidate) -> bool:
        """Whether the same can be said of an action."""
        return any(one.id == ground.id for one in self.arguments[of.action])

    def most_specific(
        self, weighed: Iterable[tuple[float, Argument]], about: Candidate
    ) -> Reason | None:
        """The most telling of the grounds that weigh something where this action is spoken of."""
        something = self.significance(self.best, about)
        heavy = [one for one in weighed if one[0] >= something]
        if not heavy:
            return None
        enough = SPECIFIC_SHARE * max(weight for weight, _ in heavy)
        ground = next(ground for weight, ground in heavy if weight >= enough)
        return Reason(ground.id, ground.values)

    # Where nothing that holds makes the difference: what came of it.

    def generic_merit(self, about: Candidate) -> Reason:
        """What can be said of a good action that stands out by nothing."""
        # Of a bid that is nearly the best is said what is said of that one.
        for ground in (*self.arguments[about.action], *self.arguments[self.best.action]):
            if ground.always and not ground.against:
                return Reason(ground.id, ground.values)
        others = [one for one in self.candidates if one is not about]
        worse = [one for one in others if self.tells_apart(about, one)]
        if not worse:
            return Reason("alike" if self.same_figure(*self.candidates) else "close")
        found = self.most_specific(self.merits(about, worse), about)
        # What is wrong with another announcement says nothing for a push.
        if about.action.split()[0] == worse[0].action.split()[0]:
            found = found or self.most_specific(self.faults(worse[0]), about)
        if found is not None:
            return found
        if len(worse) < len(others):
            return self.equivalent(about, next(one for one in others if one not in worse))
        return self.generic_gain(about, others)

    def same_figure(self, *those: Candidate) -> bool:
        """Whether the same figure is told of these."""
        return len({self.metric.rounded(one.figure) for one in those}) == 1

    def equivalent(self, about: Candidate, other: Candidate) -> Reason:
        """Another action is as good, or nearly so."""
        ours, theirs = about.action.split(), other.action.split()
        alike = self.same_figure(about, other)
        if ours[0] == theirs[0] == "play" and ours[1] != theirs[1]:
            cards: Values = {"card": ours[1], "card2": theirs[1]}
            return Reason("equal_cards" if alike else "close_cards", cards)
        return Reason("equal" if alike else "close_other")

    def generic_gain(self, about: Candidate, others: Iterable[Candidate]) -> Reason:
        """What an action brings more than any other."""
        gain = min(self.metric.rounded_gain(about.figure, one.figure) for one in others)
        if gain <= 0:
            return Reason("match")
        return Reason(self.metric.reason_id, {"gain": self.metric.format_difference(gain)})

    def generic_fault(self, about: Candidate) -> Reason:
        """What an action costs against the best."""
        cost = self.cost(about)
        if cost <= 0:
            return Reason("match_cost")
        return Reason(
            f"{self.metric.reason_id}_cost", {"loss": self.metric.format_difference(cost)}
        )
