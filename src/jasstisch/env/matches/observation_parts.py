"""An observation as one array: its parts by name, one behind the other."""

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any, NamedTuple

__all__ = [
    "MAX_VALUE",
    "NONE",
    "Part",
    "PartSpec",
    "assign_slices",
    "encode_optional",
    "standing_values",
]

NONE = -1
"""What the reader may not know, and what there is not."""

MAX_VALUE = 2**31 - 1

PartSpec = tuple[str, tuple[int, ...], tuple[int, int]]
"""The name of a part, the shape of its numbers, and their bounds."""


class Part(NamedTuple):
    """One part of an observation.

    Attributes:
        name: as in a batch's observation.
        shape: of its numbers.
        low: the lowest that they can be.
        high: the highest.
        where: where it lies in the array.
    """

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    where: slice


def assign_slices(pieces: Iterable[PartSpec]) -> tuple[Part, ...]:
    """The parts, one behind the other."""
    parts, begin = [], 0
    for name, shape, (low, high) in pieces:
        end = begin + prod(shape)
        parts.append(Part(name, shape, low, high, slice(begin, end)))
        begin = end
    return tuple(parts)


def encode_optional(value: int | None) -> int:
    """A number that may be missing."""
    return NONE if value is None else value


def standing_values(standing: Iterable[Mapping[str, Any]]) -> list[int]:
    """The numbers of a standing, seat by seat."""
    return [int(value) for one in standing for value in one.values() if isinstance(value, int)]
