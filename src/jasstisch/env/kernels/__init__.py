"""Compiled kernels that deal, step, score and observe a batch of rounds.

This package decides the array layout of a batch and its transitions. It works on arrays only and
has no public names: the classes of `jasstisch.env` validate arguments and call it. The rules come
from `jasstisch.games`, as numbers (`compiled_rules`) or as compiled functions. Begin with
`batch_state`, then `transitions`.
"""
