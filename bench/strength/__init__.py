"""How strong the bots are, and what each of their parts is worth.

Exact results in small games are in `bench.equilibria`. Begin with `bot_strength`, which `python -m
bench.strength` runs.
"""
