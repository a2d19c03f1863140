"""The table of whether response times reveal forced cards."""

import pytest

from bench.attacks import timing_side_channel


def test_equal_distributions_have_distance_zero_and_disjoint_ones_one() -> None:
    assert timing_side_channel.ks_distance([0.1, 0.2, 0.3], [0.3, 0.1, 0.2]) == 0.0
    assert timing_side_channel.ks_distance([0.001, 0.002], [0.2, 0.3, 0.4]) == 1.0
    assert timing_side_channel.ks_distance([0.1, 0.1], [0.1, 0.2]) == 0.5


def test_more_samples_reduce_the_uncertainty() -> None:
    assert timing_side_channel.ks_threshold(50, 50) == pytest.approx(0.2716)
    assert (
        timing_side_channel.ks_threshold(500, 500)
        < timing_side_channel.ks_threshold(50, 500)
        < timing_side_channel.ks_threshold(50, 50)
    )


def test_each_bot_is_a_row_with_both_kinds_of_moves() -> None:
    section = timing_side_channel.section(
        ["--rounds", "1", "--write"], {"master": ([0.5, 0.5], [0.501] * 3)}
    )
    assert section.command == "python -m bench.attacks.timing_side_channel --rounds 1"
    (row,) = section.rows
    assert row == ["master", "2", "500.0", "500.0", "3", "501.0", "501.0", "1.00", "1.24"]
    assert section.markdown()
