"""An analysis as plain JSON, with its types: the output of `jasstisch replay --analyse --json`."""

from typing import Any, TypedDict

from jasstisch.analysis.round_analysis import Analysis, Decision


class ReportedCandidate(TypedDict):
    """An evaluated action: `value` for the match, `figure` in the game's unit."""

    action: str
    value: float
    figure: float
    trials: int


class ReportedDecision(TypedDict):
    """A decision; the keys are the attributes of `Decision`."""

    round: int
    step: int
    seat: int
    trick: int
    view: dict[str, Any]
    candidates: list[ReportedCandidate]
    played: str
    best: str
    loss: float
    loss_of_worth: float
    mistake: bool
    reason: str
    values: dict[str, int | str]


class AnalysisReport(TypedDict):
    """An analysis; the keys are the attributes of `Analysis`."""

    game: str
    players: list[str]
    unit: str
    rounds: list[int]
    decisions: list[ReportedDecision]
    lost: list[float]


def report(analysis: Analysis) -> AnalysisReport:
    """Returns an analysis as plain JSON."""
    return {
        "game": analysis.game,
        "players": list(analysis.players),
        "unit": analysis.unit,
        "rounds": list(analysis.rounds),
        "decisions": [_decision(one) for one in analysis.decisions],
        "lost": list(analysis.lost),
    }


def _decision(decision: Decision) -> ReportedDecision:
    return {
        "round": decision.round,
        "step": decision.step,
        "seat": decision.seat,
        "trick": decision.trick,
        "view": decision.view,
        "candidates": [
            {
                "action": weighed.action,
                "value": float(weighed.value),
                "figure": float(weighed.figure),
                "trials": int(weighed.trials),
            }
            for weighed in decision.candidates
        ],
        "played": decision.played,
        "best": decision.best,
        "loss": float(decision.loss),
        "loss_of_worth": float(decision.loss_of_worth),
        "mistake": bool(decision.mistake),
        "reason": decision.reason,
        "values": decision.values,
    }
