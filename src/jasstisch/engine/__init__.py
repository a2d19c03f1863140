"""Cards, tricks, melds and marks as pure functions on ints, and the errors of all.

It knows no game, no players and no state; games are in `jasstisch.games`. Numba compiles the same
functions. Begin with `cards`, then `tricks`.
"""
