"""Numba compilation: decorators, the cache on disk, intrinsics, SIMD and a generator.

It knows nothing of cards; kernels are elsewhere in `jasstisch.search`. Begin with `compiler`.
"""
