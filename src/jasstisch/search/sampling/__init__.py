"""Sampling of hidden cards: deals that agree with what one seat has seen.

This package decides how such deals are drawn (determinization) and weighted by the observed plays.
It does not decide what is best in them; that is done by the search above it. Begin with
`determinization`.
"""
