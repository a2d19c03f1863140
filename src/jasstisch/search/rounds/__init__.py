"""One round of tricks as an array: its state, its transitions and random playouts.

This package decides how kernels represent and step a round, with the same results as
`jasstisch.games.trick_taking`. It does not decide which card is best, and it does not know matches.
Begin with `round_state`.
"""
