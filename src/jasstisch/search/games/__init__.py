"""Kernels for games that need more than a round of tricks.

Contracts and announcements, Jass each for himself and I Doubt It have one each; what all games
share is one level up. Begin with `contracts`.
"""
