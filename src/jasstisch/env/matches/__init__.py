"""Whole matches encoded as numbers: the common core of all environments of single matches.

This package decides the numbers of actions, the layout of observations, and the rewards. It does
not depend on a library: the adapters for PettingZoo, OpenSpiel and Gymnasium differ only in their
interfaces. Begin with `encoding`, then `encoded_match`.
"""
