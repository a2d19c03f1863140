"""Servers are killed while people play; every acknowledged action must be in the log.

It tests durability, not speed. Begin with `runner`, which `python -m bench.soak` runs.
"""
