"""Means, differences and ratios against values computed by hand."""

import math

import pytest

from jasstisch.arena.estimates import estimate, paired_difference, ratio


def test_the_interval_of_a_mean_is_1_96_standard_errors() -> None:
    """Of 1 2 3 4 the variance is 5/3, the standard error √(5/12)."""
    found = estimate([1, 2, 3, 4])
    assert found.mean == 2.5
    assert found.ci95 == pytest.approx(1.96 * math.sqrt(5 / 12))


def test_paired_differences_remove_shared_luck() -> None:
    """The values are far apart and their differences 2 1 3 close together."""
    found = paired_difference([103, 5, 58], [101, 4, 55])
    assert found.mean == 2
    assert found.ci95 == pytest.approx(1.96 / math.sqrt(3))
    assert found.ci95 < estimate([103, 5, 58]).ci95 / 20


def test_equal_differences_have_no_uncertainty() -> None:
    assert paired_difference([7, 1, 4], [5, -1, 2]).ci95 == 0


def test_the_ratio_is_that_of_the_means() -> None:
    """Means 3 and 2; what is beyond one and a half times the second is ±0.5, over 2."""
    found = ratio([2, 4], [1, 3])
    assert found.mean == 1.5
    assert found.ci95 == pytest.approx(1.96 * 0.5 / 2)


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        paired_difference([1, 2, 3], [1, 2])
