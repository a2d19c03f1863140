"""A person at a terminal is warned before the time of their turn runs out."""

import time
from threading import Event

import pytest

from jasstisch.cli.game.time_warnings import time_warnings, warning_moments


@pytest.mark.parametrize(
    ("seconds", "moments"),
    [(5, []), (12, []), (13, [10]), (30, [10]), (39, [13, 10]), (60, [20, 10]), (120, [40, 10])],
)
def test_warnings_come_at_a_third_of_the_turn_and_ten_seconds_before_its_end(
    seconds: int, moments: list[int]
) -> None:
    assert warning_moments(seconds) == moments


def test_warning_comes_while_the_person_types_and_none_after_that() -> None:
    told: list[int] = []
    warned = Event()

    def warn(seconds: int) -> None:
        told.append(seconds)
        warned.set()

    with time_warnings(13.05, warn):
        assert not told
        assert warned.wait(30)
    with time_warnings(13.05, warn):
        pass
    time.sleep(0.1)
    assert told == [10]


def test_turn_without_a_limit_has_no_warnings() -> None:
    with time_warnings(None, lambda left: pytest.fail(f"warned {left} s before")):
        pass
