"""Soak test: servers are killed during play; every acknowledged action must be in the log.

It tests durability, not speed. Begin with `runner`, which `python -m bench.soak` runs.
"""
