"""The strength of the bots, and the contribution of each of their parts.

Exact results in small games are in `bench.equilibria`. Begin with `bot_strength`, which `python -m
bench.strength` runs.
"""
