"""Compiled functions that deal, step, score and observe a batch of rounds.

They work on arrays and have no public names; the classes of `jasstisch.env` call them. Begin with
`batch_state`, then `transitions`.
"""
