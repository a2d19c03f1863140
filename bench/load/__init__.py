"""Load on a server: many tables, several nodes, reconnects, appends to the store.

It measures and changes nothing in the server. Begin with `generator`, which `python -m bench.load`
runs.
"""
