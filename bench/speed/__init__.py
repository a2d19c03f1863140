"""The speed of analysis, self-play data, environments and the arena.

Server load is in `bench.load`, the engine's own speed in `jasstisch.bench`. Begin with
`analysis_time`.
"""
