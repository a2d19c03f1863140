"""Jass (every player alone) for kernels: the answers before play, their inference and value.

It estimates what staying, dropping or taking the blind is worth, and reweights sampled deals by the
answers and melds seen. It does not step a round of tricks, which `jasstisch.search.rounds.jass`
does, and it does not choose an answer. Begin with `answers`.
"""
