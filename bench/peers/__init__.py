"""Comparisons with published engines: speed, and strength against pyschieber.

The speed benchmarks themselves are in `jasstisch.bench`. Begin with `speed_report`, which `python
-m bench.peers` runs.
"""
