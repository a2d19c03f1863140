"""What compiled code asks of the processor: the same as NumPy finds, and always the same."""

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
    """Of rows 0 and twice 1, `factor` times row 2, and row 3 for the output."""
    one = np.float32(1)
    lanes = fma(fma(fma(zero_lanes(), one, weights, 0), one, weights, 1), factor, weights, 2)
    return float(relu_dot(add_lanes(lanes, fma(zero_lanes(), one, weights, 1)), weights, 3))


@kernel
def raise_e(paper: Scratch, place: int, most: np.float32) -> None:
    exp_block(paper, place, most)


def chance_numbers(seed: int, size: int) -> Net:
    return np.random.default_rng(seed).normal(size=size).astype(np.float32)


def test_a_score_is_what_its_rows_add_up_to() -> None:
    weights = chance_numbers(5, 4 * LANES)
    rows = weights.reshape(4, LANES)
    for factor in (0.0, 0.75, -3.0):
        hidden = np.maximum(rows[0] + 2 * rows[1] + factor * rows[2], 0)
        found = score(weights, np.float32(factor))
        assert found == pytest.approx(float(hidden @ rows[3]), abs=1e-5)


def test_e_is_raised_to_numbers_from_nothing_to_far_below() -> None:
    powers = np.concatenate((np.linspace(-60, 0, 95), [-1e4])).astype(np.float32)
    paper = np.concatenate(([7], powers + 3)).astype(np.float32)
    for start in range(1, len(paper), EXP_WIDTH):
        raise_e(paper, start, np.float32(3))
    assert paper[1:-1] == pytest.approx(np.exp(powers[:-1]), rel=2e-5)
    assert 0 <= paper[-1] < 1e-25
    assert paper[0] == 7, "nothing else is written"
