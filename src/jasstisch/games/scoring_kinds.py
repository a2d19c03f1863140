"""The kinds of scoring of a round, as numbers that compiled code can read.

Kernels cannot use classes. Each game class names its kind of scoring, and compiled code decides
everything about marks by that number alone.
"""

(
    BY_POINTS,  # points alone; the game's metric says whether many are good
    BY_DIFFERENCE,  # the difference between points and bid (DF6)
    BY_PLACE,  # few points are good, and each place earns a mark (MV8)
    BY_STICKS,  # sticks for highest and lowest, potatoes from a hundred (MW4 - MW8)
    BY_STROKES,  # at least twenty-one points, and the two best (JS9)
    BY_SIDE,  # the points of two sides (CT1)
) = range(6)
