"""The tables of a server while they are in memory.

The registry loads them, and an actor is the only writer of each; what happens at a table is
decided in `jasstisch.table`. Begin with `registry`, then `actor`.
"""
