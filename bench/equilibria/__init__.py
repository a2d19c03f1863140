"""Game theory on small games: game trees, regret minimization, exploitability.

It measures how far bots are from an equilibrium and decides no rule. Begin with `game_tree`, then
`cfr`.
"""
