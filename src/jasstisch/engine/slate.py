"""Marks on the slate (strokes and sacks, sticks and potatoes) and the places that earn them.

Pure functions on plain data, independent of any game: which score is best, which places earn which
marks and how ties count are arguments.
"""

from collections.abc import Sequence

TALLY = "|"
SACK = "0"
CROSSED = "Ø"
NOTHING = "-"


def add_mark(strokes: str, mark: str) -> str:
    """A player's line on the slate after one more mark (MV9).

    Args:
        strokes: the line so far, such as `"||0"`.
        mark: `"|"`, `"0"`, `"-"`, or several tallies `"||"`. Each tally crosses out the oldest open
            sack; it adds a stroke only when no sack is open.
    """
    for sign in mark:
        if sign == TALLY and SACK in strokes:
            strokes = strokes.replace(SACK, CROSSED, 1)
        elif sign != NOTHING:
            strokes += sign
    return strokes


def marks_by_place(
    ranking: Sequence[int], marks: Sequence[str], *, generous: bool = False
) -> list[str]:
    """The mark of each seat when places earn marks (MV8, C11).

    Args:
        ranking: one number for each seat; the smallest takes the first place.
        marks: the mark of each place, best first; equal marks stand side by side.
        generous: whether players tied across a border between marks all earn the best of these
            marks; otherwise they write nothing.
    """
    result = []
    for seat in range(len(ranking)):
        first, sharing = rank_of(ranking, seat)
        straddles = marks[first] != marks[first + sharing - 1]
        result.append(NOTHING if straddles and not generous else marks[first])
    return result


def rank_of(ranking: Sequence[int], seat: int) -> tuple[int, int]:
    """The place that a seat takes, from 0, and how many share it; the smallest number is first.

    Only ints and loops, so that compiled code can use it.
    """
    better = equal = 0
    for other in ranking:
        better += other < ranking[seat]
        equal += other == ranking[seat]
    return better, equal


def leaders(figures: Sequence[int], among: Sequence[int]) -> list[int]:
    """Those of the given seats with the smallest figure; several when they are equal."""
    best = min(figures[seat] for seat in among)
    return [seat for seat in among if figures[seat] == best]
