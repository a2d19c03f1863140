"""Analysis of finished rounds: for each decision the best action, and the loss of the choice.

Each decision is evaluated by the view that its player had at that moment, never by what became
known later. Decisions are evaluated independently, each with its own randomness, so they can run on
any executor with equal results.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from jasstisch.analysis.decision_points import (
    DecisionPoint,
    analysable_decisions,
    finished_rounds,
)
from jasstisch.analysis.explanation import explain
from jasstisch.analysis.game_metric import metric_of, min_significant
from jasstisch.bots.searching import Candidate, evaluate_actions
from jasstisch.bots.searching.budget import ADVICE, SearchBudget
from jasstisch.games.i_doubt_it_claims import claim_text
from jasstisch.games.rules import Json
from jasstisch.match.match import Match

THOROUGH = replace(
    ADVICE, name="analysis", max_deals=2048, max_cards_played=0, time_limit_s=float("inf")
)
"""The search effort of each decision: more deals than for a move, and no time limit.

The sampling of likely deals and the solving of the last tricks are the same as for a hint;
otherwise the analysis would call an action a mistake that the hint had suggested. Without a time
limit the result is reproducible.
"""

_MIN_TRIAL_SHARE = 0.5
"""An action with a smaller share of the trials of the best is evaluated again."""

_KEPT_VIEW_KEYS = (
    "phase", "hand", "trick", "trump", "points", "bids", "molotovs", "said", "shown", "turned",
    "claim", "claims", "middle", "hand_sizes", "contract", "line", "by", "pushed", "factor",
    "announced", "weis_shown",
)  # fmt: skip
"""The keys of the view that a decision keeps for display."""

_Progress = Callable[[int, int], None]
"""Called with the number of evaluated decisions and the total."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with its evaluation.

    Attributes:
        round: number of the round, from 1.
        step: the step of the log, from 1.
        seat: the seat that decided.
        trick: number of the trick in which a card was played, from 1; 0 for anything else.
        view: the part of its view that shows the situation.
        candidates: the fully evaluated actions, best first, including the one played; their
            figures as displayed.
        played: the action chosen.
        best: the best action.
        loss: by how much the figure of the game is worse than that of the best: points, sticks,
            strokes or chips; the points of a side are its lead. It is the difference of the
            displayed figures, and may be below 0 if the best is better only for the match.
        loss_of_worth: by how much the value for the match is lower; this decides what is best.
        mistake: whether the loss is significant.
        reason: one of `REASONS`.
        values: the values of the placeholders of its text.
    """

    round: int
    step: int
    seat: int
    trick: int
    view: Json
    candidates: tuple[Candidate, ...]
    played: str
    best: str
    loss: float
    loss_of_worth: float
    mistake: bool
    reason: str
    values: dict[str, int | str]

    @property
    def cost_sort_key(self) -> tuple[float, float]:
        """The sort key among mistakes: the costliest first, then those that cost only the match."""
        return -max(0.0, self.loss), -self.loss_of_worth


@dataclass(frozen=True, slots=True)
class Analysis:
    """The decisions of some finished rounds.

    `dataclasses.asdict` converts it to plain JSON.

    Attributes:
        game: name of the game.
        players: the players' names.
        unit: the unit of losses.
        rounds: the numbers of the rounds.
        decisions: all decisions in the order of the log; those with only one action are omitted.
        lost: for each seat the total loss of its mistakes, in this unit; a mistake that costs only
            the match adds nothing.
    """

    game: str
    players: tuple[str, ...]
    unit: str
    rounds: tuple[int, ...]
    decisions: tuple[Decision, ...]
    lost: tuple[float, ...]

    @property
    def mistakes_by_cost(self) -> tuple[Decision, ...]:
        """The mistakes, the costliest first; then those that cost only the match."""
        mistakes = [one for one in self.decisions if one.mistake]
        return tuple(sorted(mistakes, key=lambda one: one.cost_sort_key))


def analyse(
    match: Match | Mapping[str, Any],
    round: int | None = None,  # noqa: A002 - the game's own term
    *,
    seat: int | None = None,
    effort: SearchBudget = THOROUGH,
    seed: int = 0,
    executor: Executor | None = None,
    progress: _Progress | None = None,
) -> Analysis:
    """Evaluates the decisions of finished rounds.

    Args:
        match: the match, or its record. In a match in progress only the finished rounds can be
            analysed; nothing about the current round is revealed.
        round: number of the round, from 1; all finished rounds when left out.
        seat: the seat whose decisions are evaluated; all seats when left out.
        effort: the search effort for each decision.
        seed: the random seed; a result depends only on the view, the seed and the effort.
        executor: where to evaluate; this thread when left out. It is not shut down.
        progress: called with the number of evaluated decisions and the total.

    Raises:
        GameError: the round is not finished, there is no such seat, or the game cannot be analysed.
        RecordError: the record is invalid.
    """
    if not isinstance(match, Match):
        match = Match.from_record(match)
    asked = analysable_decisions(match, round, seat)
    measured, numbers = metric_of(match.game.name), finished_rounds(match, round)
    decisions = tuple(_analyse_decisions(asked, effort, seed, executor, progress))
    lost = [0.0] * match.game.players
    for one in decisions:
        if one.mistake:
            lost[one.seat] += max(0.0, one.loss)
    return Analysis(
        match.game.name,
        tuple(match.players),
        measured.unit,
        tuple(numbers),
        decisions,
        tuple(_round_figure(one) for one in lost),
    )


def _analyse_decisions(
    asked: Sequence[DecisionPoint],
    effort: SearchBudget,
    seed: int,
    executor: Executor | None,
    progress: _Progress | None,
) -> Iterator[Decision]:
    """Yields the evaluated decisions in order, wherever they are evaluated."""
    tell = progress or _no_progress
    tell(0, len(asked))
    if executor is None:
        for done, one in enumerate(asked, start=1):
            yield analyse_decision(one, effort, seed)
            tell(done, len(asked))
        return
    futures = [executor.submit(analyse_decision, one, effort, seed) for one in asked]
    try:
        for done, future in enumerate(futures, start=1):
            yield future.result()
            tell(done, len(asked))
    finally:
        for future in futures:
            future.cancel()


def _no_progress(done: int, total: int) -> None:
    """Reports no progress."""


def analyse_decision(
    choice: DecisionPoint, effort: SearchBudget = THOROUGH, seed: int = 0
) -> Decision:
    """Evaluates one decision.

    Args:
        choice: one of the decision points that `analysable_decisions` returns.
        effort: the search effort.
        seed: the random seed.
    """
    view, measured = choice.view, metric_of(choice.view["game"])
    action = _normalize_lay(view, choice.played)
    candidates = [
        replace(one, figure=measured.rounded(one.figure))
        for one in _ranked_candidates(choice, action, effort, f"{seed} {choice.step}")
    ]
    best = candidates[0]
    played = next(one for one in candidates if one.action == action)
    reason = explain(view, candidates, action)
    loss_of_worth = best.value - played.value
    return Decision(
        round=choice.round,
        step=choice.step,
        seat=view["seat"],
        trick=len(view["tricks"]) + 1 if view["phase"] == "play" else 0,
        view={key: view[key] for key in _KEPT_VIEW_KEYS if key in view},
        candidates=tuple(candidates),
        played=action,
        best=best.action,
        loss=measured.rounded_gain(best.figure, played.figure),
        loss_of_worth=_round_figure(loss_of_worth),
        mistake=loss_of_worth >= min_significant(view, best.action, action),
        reason=reason.id,
        values=dict(reason.placeholder_values),
    )


def _normalize_lay(view: Json, action: str) -> str:
    """Returns an action as candidates are written: laid cards in the order of the hand (ID2)."""
    verb, *words = action.split()
    if verb != "lay":
        return action
    *cards, _, rank = words
    return claim_text(sorted(cards, key=view["hand"].index), rank)


def _ranked_candidates(
    choice: DecisionPoint, action: str, effort: SearchBudget, seed: str
) -> list[Candidate]:
    """Returns the candidates of a decision, best first, always including the one played.

    Absurd actions are not evaluated with the others, and clearly bad ones get few trials, which
    give no reliable figure. If such an action was chosen, it is evaluated again against the best
    one alone and placed behind it by that result. Otherwise it is omitted.
    """
    candidates = evaluate_actions(choice.view, choice.legal, Random(seed), effort)
    best = candidates[0]
    enough = best.trials * _MIN_TRIAL_SHARE
    known = next((one for one in candidates if one.action == action), None)
    if known is None or known.trials < enough:
        both = evaluate_actions(choice.view, (best.action, action), Random(seed), effort)
        there = {one.action: one for one in both}
        again, rival = there[action], there[best.action]
        again = replace(
            again,
            value=best.value + again.value - rival.value,
            figure=best.figure + again.figure - rival.figure,
        )
        candidates = [*(one for one in candidates if one is not known), again]
    tried = [one for one in candidates if one.trials >= enough or one.action == action]
    return sorted(tried, key=lambda one: -one.value)


def _round_figure(figure: float) -> float:
    """Returns a figure without insignificant digits."""
    return round(figure, 4)
