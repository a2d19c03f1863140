"""What compiled code asks of the processor: the same as NumPy finds, and always the same."""

import numpy as np
import pytest

from jasstisch.search.compiled import kernel
from jasstisch.search.lanes import LANES, rectified_dot, sum_of_rows
from jasstisch.search.policy import Net, Work

ROWS = 5
FIRST, FACTORS, START, END, SIZE = 7, 3, 11, 60, 120


@kernel
def add(weights: Net, paper: Work) -> None:
    sum_of_rows(weights, FIRST, ROWS, paper, FACTORS, START, END)


@kernel
def dot(weights: Net, paper: Work) -> float:
    return float(rectified_dot(weights, FIRST, paper, START))


def chance_numbers(seed: int, size: int) -> Net:
    return np.random.default_rng(seed).normal(size=size).astype(np.float32)


def test_rows_are_added_each_times_its_factor() -> None:
    weights, paper = chance_numbers(1, FIRST + ROWS * LANES), chance_numbers(2, SIZE)
    rows = weights[FIRST:].reshape(ROWS, LANES)
    wanted = paper[START : START + LANES] + paper[FACTORS : FACTORS + ROWS] @ rows
    before = paper.copy()
    add(weights, paper)
    assert paper[END : END + LANES] == pytest.approx(wanted, abs=1e-5)
    others = np.r_[:END, END + LANES : SIZE]
    assert (paper[others] == before[others]).all(), "nothing else is written"


def test_what_is_below_zero_does_not_count() -> None:
    weights, paper = chance_numbers(3, FIRST + LANES), chance_numbers(4, SIZE)
    hidden = np.maximum(paper[START : START + LANES], 0)
    assert dot(weights, paper) == pytest.approx(float(hidden @ weights[FIRST:]), abs=1e-5)
    paper[START : START + LANES] = -1
    assert dot(weights, paper) == 0
