"""Numbers of packs or matches as text."""

from collections.abc import Iterable


def number_ranges(numbers: Iterable[int]) -> str:
    """Writes ascending numbers as text, such as `1–3, 5`."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = ranges[-1][0], number
        else:
            ranges.append((number, number))
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ranges)
