"""Heuristic evaluation of hands and cards, without search.

The package estimates the points of a hand in each contract and the chance that a card wins a trick.
Search and bots share these estimates; the choice of an action is theirs. Begin with
`hand_evaluation`, then `trick_odds`.
"""
