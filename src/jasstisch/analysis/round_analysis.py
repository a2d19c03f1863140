"""A finished round, decision by decision: what was best then, and what the choice has cost.

Each decision is judged by the view its player had at that moment and by nothing that came out
later. Decisions are judged one by one with chance of their own, so that they can be spread over any
executor and come out the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from jasstisch.analysis.explanation import explain
from jasstisch.analysis.game_metric import metric_of, min_significant
from jasstisch.bots.searching import Candidate, evaluate_actions
from jasstisch.bots.searching.budget import ADVICE, SearchBudget
from jasstisch.engine.errors import GameError, quote
from jasstisch.games.claim_space import claim_text
from jasstisch.games.rules import Json
from jasstisch.match.match import Match

__all__ = [
    "THOROUGH",
    "Analysis",
    "Decision",
    "DecisionPoint",
    "analysable_decisions",
    "analyse",
    "analyse_decision",
    "check_analysable",
]

THOROUGH = replace(ADVICE, name="analysis", worlds=2048, plays=0, limit=float("inf"))
"""How hard each decision is thought over: in more deals than a move. Likely deals and the last
tricks are taken as a hint takes them, or the one would call a mistake what the other advised. No
clock cuts it short, so the result is repeatable."""

MIN_TRIAL_SHARE = 0.5
"""An action that was tried less than this part of the trials of the best is tried again."""

KEPT_VIEW_KEYS = (
    "phase", "hand", "trick", "trump", "points", "bids", "molotovs", "said", "shown", "turned",
    "claim", "claims", "middle", "hand_sizes", "contract", "line", "by", "pushed", "factor",
    "announced", "weis_shown",
)  # fmt: skip
"""What a decision keeps of the view, to be shown with it."""

Progress = Callable[[int, int], None]
"""Hears how many decisions of how many have been judged."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice that a player had, and what became clear about it.

    Attributes:
        round: number of the round, from 1.
        step: the step of the log, from 1.
        seat: whose choice it was.
        trick: number of the trick in which a card was played, from 1; 0 for anything else.
        view: what of his view shows the situation.
        candidates: the actions weighed to the end, best first, the one played among them; their
            figures as they are told.
        played: what he did.
        best: what would have been best.
        loss: by how much the figure of the game is worse than that of the best: points, sticks,
            strokes or chips; the points of a side are those by which it leads. It is the difference
            of the figures told, and may be below 0 where the best is better for the match only.
        loss_of_worth: by how much the match is worth less; this is what is best or not.
        mistake: whether that is enough to speak of.
        reason: one of `REASONS`.
        values: what stands in the gaps of its text.
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
    def cost_order(self) -> tuple[float, float]:
        """Its place among mistakes: the dearest first, then those that cost the match alone."""
        return -max(0.0, self.loss), -self.loss_of_worth


@dataclass(frozen=True, slots=True)
class Analysis:
    """The decisions of some finished rounds.

    `dataclasses.asdict` makes plain JSON of it.

    Attributes:
        game: name of the game.
        players: the players' names.
        unit: what losses are counted in.
        rounds: the numbers of the rounds.
        decisions: all choices in the order of the log; where there was but one action is none.
        lost: for each seat what its mistakes have cost, in this unit; one that costs the match
            alone adds nothing.
    """

    game: str
    players: tuple[str, ...]
    unit: str
    rounds: tuple[int, ...]
    decisions: tuple[Decision, ...]
    lost: tuple[float, ...]

    @property
    def costliest(self) -> tuple[Decision, ...]:
        """The mistakes, dearest first by the loss that is told; then those that cost the match."""
        mistakes = [one for one in self.decisions if one.mistake]
        return tuple(sorted(mistakes, key=lambda one: one.cost_order))


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A decision to be judged, with all that is needed for it; see `to_judge`."""

    round: int
    step: int
    view: Json
    legal: Sequence[str]
    played: str


def analyse(
    match: Match | Mapping[str, Any],
    round: int | None = None,  # noqa: A002 - the word of the game
    *,
    seat: int | None = None,
    effort: SearchBudget = THOROUGH,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Judges the decisions of finished rounds.

    Args:
        match: the match, or its record. Of a match still going on the finished rounds can be
            analysed; of the round in progress nothing is told.
        round: number of the round, from 1; all that are finished when left out.
        seat: whose decisions; those of all when left out.
        effort: how hard each decision is thought over.
        seed: of all chance; the result of a decision depends on its view, the seed and the effort.
        executor: where the decisions are judged; in this thread when left out. It is not shut down.
        progress: hears how many decisions of how many have been judged.

    Raises:
        GameError: the round is not finished, there is no such seat, or the game cannot be analysed.
        RecordError: the record does not hold.
    """
    if not isinstance(match, Match):
        match = Match.from_record(match)
    asked = analysable_decisions(match, round, seat)
    measured, numbers = metric_of(match.game.name), finished_rounds(match, round)
    decisions = tuple(analyse_decisions(asked, effort, seed, executor, progress))
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
        tuple(round_figure(one) for one in lost),
    )


def analysable_decisions(
    match: Match | Mapping[str, Any], number: int | None = None, seat: int | None = None
) -> tuple[DecisionPoint, ...]:
    """The decisions of finished rounds that are to be judged: where there was a choice.

    Raises:
        GameError: the round is not finished, there is no such seat, or the game cannot be analysed.
        RecordError: the record does not hold.
    """
    if not isinstance(match, Match):
        match = Match.from_record(match)
    check_analysable(match, number, seat)
    numbers = finished_rounds(match, number)
    return tuple(
        one
        for one in decision_points(match)
        if one.round in numbers and seat in (None, one.view["seat"]) and len(one.legal) > 1
    )


def check_analysable(match: Match, number: int | None, seat: int | None) -> None:
    """Refuses at once what `analyse` would refuse, for whoever has to prepare for it.

    Raises:
        GameError: the round is not finished, there is no such seat, or the game cannot be analysed.
    """
    metric_of(match.game.name)
    finished_rounds(match, number)
    check_seat(match, seat)


def finished_rounds(match: Match, number: int | None) -> range:
    """The rounds to be analysed.

    Raises:
        GameError: there is no such round, or it is not over.
    """
    done = len(match.rounds)
    if not done:
        raise GameError("no round of this match is finished; only finished rounds are analysed")
    if number is None:
        return range(1, done + 1)
    if type(number) is not int or not 1 <= number <= done:
        raise GameError(
            f"round {quote(number)} is not finished; the finished rounds are 1 to {done}"
        )
    return range(number, number + 1)


def check_seat(match: Match, seat: int | None) -> None:
    """Refuses a seat that the match does not have.

    Raises:
        GameError: there is no such seat.
    """
    last = match.game.players - 1
    if seat is not None and (type(seat) is not int or not 0 <= seat <= last):
        raise GameError(f"no seat {quote(seat)}; the seats are 0 to {last}")


def decision_points(match: Match) -> Iterator[DecisionPoint]:
    """All actions of the finished rounds, each with what its player knew and might have done.

    A deal that is void and dealt again (MV7) belongs to no round, and so to no analysis. Nor does
    what others laid once all tricks left were somebody's who took them: a table lays it for them
    where he takes the rest at once, and whatever they lay comes to the same.
    """
    again = Match(match.game, match.players)
    dealt: list[DecisionPoint] = []
    laid: set[int] = set()
    log = match.record()["log"]
    for step, (who, action) in enumerate(log, start=1):
        before = len(again.rounds)
        if who == "pack":
            if again.view(None)["phase"] == "deal":
                dealt = []
            again.deal(action)
        else:
            view, legal = again.view(who), again.legal(who)
            laid |= forced_steps(view, again.sure_tricks(who), log, step)
            if step not in laid:
                dealt.append(DecisionPoint(before + 1, step, view, legal, action))
            again.act(who, action)
        if len(again.rounds) > before:
            yield from dealt
            dealt = []


def forced_steps(
    view: Json, rest: Sequence[str], log: Sequence[Sequence[Any]], step: int
) -> set[int]:
    """The steps in which others lay their cards once a seat takes all tricks left; else none.

    Args:
        view: that of the seat to act.
        rest: how it takes them, where they are its own for sure.
        log: of the match, with what is played.
        step: the step at which it acts, from 1.
    """
    if not rest:
        return set()
    cards = sum(view["hand_sizes"])
    left = list(enumerate(log[step - 1 : step - 1 + cards], start=step))
    own = [action for _, (who, action) in left if who == view["seat"]]
    taken = own == [*rest] and len(left) == cards
    return {one for one, (who, _) in left if who != view["seat"]} if taken else set()


def analyse_decisions(
    asked: Sequence[DecisionPoint],
    effort: SearchBudget,
    seed: int,
    executor: Executor | None,
    progress: Progress | None,
) -> Iterator[Decision]:
    """The decisions in their order, wherever they are judged."""
    tell = progress or no_progress
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


def no_progress(done: int, total: int) -> None:
    """Tells nobody."""


def analyse_decision(
    choice: DecisionPoint, effort: SearchBudget = THOROUGH, seed: int = 0
) -> Decision:
    """What can be said about one decision.

    Args:
        choice: one of those that `to_judge` gives.
        effort: how hard it is thought over.
        seed: of all chance.
    """
    view, measured = choice.view, metric_of(choice.view["game"])
    action = normalize_lay(view, choice.played)
    candidates = [
        replace(one, figure=measured.rounded(one.figure))
        for one in ranked_candidates(choice, action, effort, f"{seed} {choice.step}")
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
        view={key: view[key] for key in KEPT_VIEW_KEYS if key in view},
        candidates=tuple(candidates),
        played=action,
        best=best.action,
        loss=measured.rounded_gain(best.figure, played.figure),
        loss_of_worth=round_figure(loss_of_worth),
        mistake=loss_of_worth >= min_significant(view, best.action, action),
        reason=reason.id,
        values=dict(reason.values),
    )


def normalize_lay(view: Json, action: str) -> str:
    """An action as candidates are written: cards laid stand in the order of the hand (ID2)."""
    verb, *words = action.split()
    if verb != "lay":
        return action
    *cards, _, rank = words
    return claim_text(sorted(cards, key=view["hand"].index), rank)


def ranked_candidates(
    choice: DecisionPoint, action: str, effort: SearchBudget, seed: str
) -> list[Candidate]:
    """The candidates of a decision, best first, the one played always among them.

    What nobody would think of is not weighed with the others, and what soon turns out bad is not
    weighed long: its few trials tell no figure. Such an action is weighed once more against the
    best, just these two, where it was chosen, and stands as far behind it as it came out there;
    where it was not, it is left out.
    """
    candidates = evaluate_actions(choice.view, choice.legal, Random(seed), effort)
    best = candidates[0]
    enough = best.trials * MIN_TRIAL_SHARE
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


def round_figure(figure: float) -> float:
    """A figure without digits that mean nothing."""
    return round(figure, 4)
