"""Cards, tricks, melds and marks as pure functions on ints, and the errors of the package.

The package decides what any Jass game shares: how cards rank, beat each other and count. It holds
no game, no players and no state; games are in `jasstisch.games`. Numba compiles the same functions.
Begin with `cards`, then `tricks`.
"""
