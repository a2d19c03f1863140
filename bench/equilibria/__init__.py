"""Equilibria in the figures: the exploitability of bots, and balanced play at I Doubt It.

The tools are in `jasstisch.equilibria`.
"""
