"""Checks of the log: a match stored and restored at any step is the same and continues alike."""

import json

from jasstisch.match.match import Match
from jasstisch.testing.conformance_run import (
    REPLAY_ADVICE,
    ConformanceRun,
    apply_entry,
    match_state,
)
from jasstisch.testing.json_diff import first_difference, same_json

_COPY_ADVICE = (
    "What is taken back is played anew on a copy of the rules: keep plain data in self, so that "
    "copy() copies all that changes"
)
"""The advice where a match differs after an undo."""


def check_log(run: ConformanceRun) -> None:
    """Checks that the record holds exactly the entries, in canonical text, and the result."""
    with run.blame_game("record()"):
        record = run.current_state["record"]
        text = json.dumps(record, allow_nan=False)
    if spot := first_difference(json.loads(text), record, "record()"):
        raise run.violation_error(
            f"the record is not plain JSON: {spot}", "Use lists, not tuples or sets"
        )
    logged = [list(entry) for entry in run.log]
    if spot := first_difference(logged, record["log"], "log"):
        raise run.violation_error(
            f"the log is not what was done: {spot}", "act returns the printed form of the action"
        )


def check_resumed(run: ConformanceRun) -> None:
    """Checks that the match restored from its record is the same; it becomes the resumed copy."""
    before = run.current_state
    with run.blame_game("replaying the match from its record", REPLAY_ADVICE):
        again = Match.from_record(json.loads(json.dumps(run.match.record())))
    if not same_json(before, match_state(run.match)):
        raise run.violation_error("replaying the match changed another one", REPLAY_ADVICE)
    _compare_states(run, again, "replayed from its record")
    run.resumed_copy = again
    run.report.resumed += 1


def check_resumed_copy(run: ConformanceRun) -> None:
    """Checks that the match resumed one step before has continued in the same way."""
    if run.resumed_copy is not None:
        _compare_states(run, run.resumed_copy, "that was resumed a step before and did the same")


def check_undo(run: ConformanceRun) -> None:
    """Checks that undoing and repeating the last action, twice, gives the same match."""
    last = run.log[-1] if run.log else ("pack", "")
    if last[0] == "pack":
        return
    with run.blame_game("taking the last action back", _COPY_ADVICE):
        again = run.replay_match()
        for _ in range(2):
            again.undo()
            apply_entry(again, last)
    _compare_states(run, again, "with the last action taken back and done again", _COPY_ADVICE)


def _compare_states(
    run: ConformanceRun, other: Match, which: str, advice: str = REPLAY_ADVICE
) -> None:
    """Checks that two matches show the same to every reader."""
    one, two = run.current_state, match_state(other)
    if not same_json(one, two):
        spot = first_difference(one, two)
        raise run.violation_error(f"a match {which} is another one: {spot}", advice)
