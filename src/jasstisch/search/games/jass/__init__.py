"""Jass each for himself for kernels: who plays, melds and strokes, and what answers tell."""
