"""Analysis: the best action in each decision of a finished round, and hints for the current one.

A decision is evaluated by what its player could know. The search bots supply the values of the
candidates; this package computes the loss of a choice and explains it in the terms of the game. The
texts are data in four languages, shared with the web client.
"""

from jasstisch.extras import require

require("search", "the analysis")

from jasstisch.analysis.decision_points import DecisionPoint, analysable_decisions
from jasstisch.analysis.game_metric import has_metric, metric_of
from jasstisch.analysis.hints import Hint, hint
from jasstisch.analysis.reasons import REASONS
from jasstisch.analysis.reports import (
    AnalysisReport,
    ReportedCandidate,
    ReportedDecision,
    report,
)
from jasstisch.analysis.round_analysis import (
    THOROUGH,
    Analysis,
    Decision,
    analyse,
    analyse_decision,
)
from jasstisch.analysis.texts import reason_texts, report_texts, suit_and_rank_names
from jasstisch.i18n.templates import LANGUAGES

__all__ = [
    "LANGUAGES",
    "REASONS",
    "THOROUGH",
    "Analysis",
    "AnalysisReport",
    "Decision",
    "DecisionPoint",
    "Hint",
    "ReportedCandidate",
    "ReportedDecision",
    "analysable_decisions",
    "analyse",
    "analyse_decision",
    "has_metric",
    "hint",
    "metric_of",
    "reason_texts",
    "report",
    "report_texts",
    "suit_and_rank_names",
]
