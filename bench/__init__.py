"""Benchmarks of speed and strength, run by hand on an idle machine."""
