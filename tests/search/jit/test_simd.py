"""SIMD instructions in kernels give the results of NumPy."""

import numpy as np
import pytest

from jasstisch.search.jit.compiler import kernel
from jasstisch.search.jit.simd import (
    EXP_WIDTH,
    LANES,
    add_lanes,
    exp_block,
    fma,
    relu_dot,
    zero_lanes,
)
from jasstisch.search.nets.features import Net
from jasstisch.search.nets.policy import Scratch


@kernel
def score(weights: Net, factor: np.float32) -> float:
    """The score from rows 0, twice 1 and `factor` times 2, with row 3 as output weights."""
    one = np.float32(1)
    lanes = fma(fma(fma(zero_lanes(), one, weights, 0), one, weights, 1), factor, weights, 2)
    return float(relu_dot(add_lanes(lanes, fma(zero_lanes(), one, weights, 1)), weights, 3))


@kernel
def exponentiate(scratch: Scratch, place: int, most: np.float32) -> None:
    exp_block(scratch, place, most)


def random_numbers(seed: int, size: int) -> Net:
    return np.random.default_rng(seed).normal(size=size).astype(np.float32)


def test_fma_and_relu_dot_equal_the_numpy_result() -> None:
    weights = random_numbers(5, 4 * LANES)
    rows = weights.reshape(4, LANES)
    for factor in (0.0, 0.75, -3.0):
        hidden = np.maximum(rows[0] + 2 * rows[1] + factor * rows[2], 0)
        found = score(weights, np.float32(factor))
        assert found == pytest.approx(float(hidden @ rows[3]), abs=1e-5)


def test_exp_block_equals_numpy_exp_for_numbers_up_to_zero() -> None:
    powers = np.concatenate((np.linspace(-60, 0, 95), [-1e4])).astype(np.float32)
    scratch = np.concatenate(([7], powers + 3)).astype(np.float32)
    for start in range(1, len(scratch), EXP_WIDTH):
        exponentiate(scratch, start, np.float32(3))
    assert scratch[1:-1] == pytest.approx(np.exp(powers[:-1]), rel=2e-5)
    assert 0 <= scratch[-1] < 1e-25
    assert scratch[0] == 7, "nothing else is written"
