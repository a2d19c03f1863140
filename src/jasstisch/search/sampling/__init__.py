"""Sampling of hidden cards: deals that agree with what one seat has seen.

It draws such deals (determinization) and weighs them by the plays seen; what is best in them is
decided elsewhere. Begin with `determinization`.
"""
