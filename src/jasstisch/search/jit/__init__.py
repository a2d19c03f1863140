"""Numba compilation: decorators, the cache on disk, intrinsics, SIMD and a random generator.

This package decides how Python functions become machine code and where that is cached. It does not
know cards or games; kernels are elsewhere in `jasstisch.search`. Begin with `compiler`.
"""
