"""The layout of an observation: named parts of one flat array."""

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any, NamedTuple

NONE = -1
"""The value of what is hidden from the observer or does not exist."""

MAX_VALUE = 2**31 - 1

PartSpec = tuple[str, tuple[int, ...], tuple[int, int]]
"""The name of a part, the shape of its numbers, and their bounds."""


class Part(NamedTuple):
    """One part of an observation.

    Attributes:
        name: its name, as in a batch's observation.
        shape: the shape of its numbers.
        low: their minimum.
        high: their maximum.
        array_slice: its slice of the array.
    """

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    array_slice: slice


def assign_slices(pieces: Iterable[PartSpec]) -> tuple[Part, ...]:
    """Assigns adjacent slices to the parts."""
    parts, begin = [], 0
    for name, shape, (low, high) in pieces:
        end = begin + prod(shape)
        parts.append(Part(name, shape, low, high, slice(begin, end)))
        begin = end
    return tuple(parts)


def encode_optional(value: int | None) -> int:
    """Encodes a number that may be missing."""
    return NONE if value is None else value


def standing_values(standing: Iterable[Mapping[str, Any]]) -> list[int]:
    """The numbers of a standing, seat by seat."""
    return [int(value) for one in standing for value in one.values() if isinstance(value, int)]
