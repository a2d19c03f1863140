"""One round of tricks as an array: its state, its steps and random playouts.

Kernels step a round here as `jasstisch.match` does; which card is best is decided elsewhere. Begin
with `round_state`.
"""
