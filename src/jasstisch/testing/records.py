"""A match is a fold over its log: stored and read again at any step, it is the same and goes on."""

import json

from jasstisch.match import Match
from jasstisch.testing.examination import FOLD, Examination, enter, state
from jasstisch.testing.json_diff import first_difference, same

__all__ = ["check_log", "check_resumed", "check_shadow", "check_taken_back"]

COPIED = (
    "What is taken back is played anew on a copy of the rules: keep plain data in self, so that "
    "copy() copies all that changes"
)
"""What to mend where a match with something taken back is not the same."""


def check_log(exam: Examination) -> None:
    """The record holds just what was done, in printed form, and the result at the end."""
    with exam.doing("record()"):
        record = exam.now["record"]
        text = json.dumps(record, allow_nan=False)
    if spot := first_difference(json.loads(text), record, "record()"):
        raise exam.fault(f"the record is not plain JSON: {spot}", "Use lists, not tuples or sets")
    logged = [list(entry) for entry in exam.log]
    if spot := first_difference(logged, record["log"], "log"):
        raise exam.fault(
            f"the log is not what was done: {spot}", "act returns the printed form of the action"
        )


def check_resumed(exam: Examination) -> None:
    """Read again from the text of its record, the match is the same; it becomes the shadow."""
    before = exam.now
    with exam.doing("replaying the match from its record", FOLD):
        again = Match.from_record(json.loads(json.dumps(exam.match.record())))
    if not same(before, state(exam.match)):
        raise exam.fault("replaying the match changed another one", FOLD)
    compare(exam, again, "replayed from its record")
    exam.shadow = again
    exam.report.resumed += 1


def check_shadow(exam: Examination) -> None:
    """The match that was resumed a step before has gone on in the same way."""
    if exam.shadow is not None:
        compare(exam, exam.shadow, "that was resumed a step before and did the same")


def check_taken_back(exam: Examination) -> None:
    """The last action taken back and done again, twice, the match is the same."""
    last = exam.log[-1] if exam.log else ("pack", "")
    if last[0] == "pack":
        return
    with exam.doing("taking the last action back", COPIED):
        again = exam.replayed()
        for _ in range(2):
            again.take_back()
            enter(again, last)
    compare(exam, again, "with the last action taken back and done again", COPIED)


def compare(exam: Examination, other: Match, which: str, mend: str = FOLD) -> None:
    """Two matches show everybody the same."""
    one, two = exam.now, state(other)
    if not same(one, two):
        spot = first_difference(one, two)
        raise exam.fault(f"a match {which} is another one: {spot}", mend)
