"""The coach: what was best in each decision of a finished round, and what is best now.

A decision is judged by what its player could know. The candidates come from the searching players;
this package says what a choice has cost and why, in the words of the game. The texts are data in
four languages, which the web client is built with, too.
"""

from jasstisch.extras import require

require("search", "the analysis")

from jasstisch.analysis.hints import Hint, hint
from jasstisch.analysis.measures import is_measured, measure
from jasstisch.analysis.reasons import REASONS
from jasstisch.analysis.reports import (
    AnalysisReport,
    ReportedCandidate,
    ReportedDecision,
    report,
)
from jasstisch.analysis.rounds import THOROUGH, Analysis, Choice, Decision, analyse, judge, to_judge
from jasstisch.analysis.texts import LANGUAGES, card_names, reason_texts, report_texts

__all__ = [
    "LANGUAGES",
    "REASONS",
    "THOROUGH",
    "Analysis",
    "AnalysisReport",
    "Choice",
    "Decision",
    "Hint",
    "ReportedCandidate",
    "ReportedDecision",
    "analyse",
    "card_names",
    "hint",
    "is_measured",
    "judge",
    "measure",
    "reason_texts",
    "report",
    "report_texts",
    "to_judge",
]
