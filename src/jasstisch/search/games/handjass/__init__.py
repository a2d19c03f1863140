"""Handjass in kernels: answers (who plays), and inference from them.

This package decides how the answers of the other seats are inferred and evaluated. It does not
decide which action a bot plays (`jasstisch.bots.searching.handjass`), and melds and strokes are
counted in `jasstisch.search.rounds.handjass`. Begin with `answers`.
"""
