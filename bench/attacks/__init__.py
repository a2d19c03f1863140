"""Latency of other people during attacks on the server, and timing side channels of bots.

It sets no limit; limits are in `jasstisch.server.limits`. Begin with `server_attacks`, which
`python -m bench.attacks` runs.
"""
