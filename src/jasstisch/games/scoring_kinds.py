"""What a finished round is judged by, as a number that a game gives and compiled code reads.

Kernels know no classes. A game says on its class which of these it is scored by, and whatever
compiled code needs to know of its marks it decides by that number and nothing else.
"""

__all__ = [
    "BY_DIFFERENCE", "BY_PLACE", "BY_POINTS", "BY_SIDE", "BY_STICKS", "BY_STROKES",
]  # fmt: skip

(
    BY_POINTS,  # nothing but points; the game's figure says whether many of them are good
    BY_DIFFERENCE,  # how far the points lie from a bid (DF6)
    BY_PLACE,  # few points, and a mark for the place among all (MV8)
    BY_STICKS,  # highest and lowest, and who has a hundred (MW4 - MW8)
    BY_STROKES,  # twenty-one and the two best (JS9)
    BY_SIDE,  # what two sides have (CT1)
) = range(6)
