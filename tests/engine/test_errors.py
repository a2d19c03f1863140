"""Messages of exceptions as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jasstisch.engine.errors import count_seats_from_one


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("no seat 4; the seats are 0 to 3", "no seat 5; the seats are 1 to 4"),
        ("no seat -1; the seats are 0 to 3", "no seat 0; the seats are 1 to 4"),
        ("no seat 'x'; the seats are 0 to 3", "no seat 'x'; the seats are 1 to 4"),
        (
            "'play 6C': it is not seat 0's turn but that of seat 2 (C12). Legal: 7C.",
            "'play 6C': it is not seat 1's turn but that of seat 3 (C12). Legal: 7C.",
        ),
        ("hands: seat 0 is dealt 9 cards, not 8", "hands: seat 1 is dealt 9 cards, not 8"),
        ("seats 0, 2, 3 won", "seats 1, 3, 4 won"),
        ("attempt 2 asks the seats [0, 2], not [1]", "attempt 2 asks the seats [1, 3], not [2]"),
        ("the seats (2,) were missing", "the seats (3,) were missing"),
        ("an entry is [0, 'seat 1'], not seat 1", "an entry is [0, 'seat 1'], not seat 2"),
        ("name one for each of the 4 seats, or two", "name one for each of the 4 seats, or two"),
        ("step 3: the bid 42 is no action", "step 3: the bid 42 is no action"),
    ],
)
def test_seats_of_a_message_count_from_1(message: str, shown: str) -> None:
    assert count_seats_from_one(message) == shown


@given(st.text())
def test_nothing_but_seats_changes(text: str) -> None:
    converted = count_seats_from_one(text)
    assert "seat" in text or converted == text


@given(st.integers(0, 63), st.integers(0, 63))
def test_quoted_text_is_left_alone(seat: int, other: int) -> None:
    quoted = repr(f"it's seat {other}")
    converted = count_seats_from_one(f"seat {seat} said {quoted}")
    assert converted == f"seat {seat + 1} said {quoted}"
