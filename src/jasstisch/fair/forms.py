"""Reading plain JSON that may come from anybody: what is needed, and where it was not found."""

from collections.abc import Mapping, Sequence

from jasstisch.errors import quote
from jasstisch.fair.errors import FairError

__all__ = ["MOST_SEATS", "fields", "items", "number", "seat"]

MOST_SEATS = 16
MOST_NUMBER = 2**32 - 1


def fields(plain: object, keys: tuple[str, ...], what: str, pack: int) -> Mapping[str, object]:
    """An object with these keys and no other."""
    if not isinstance(plain, dict) or set(plain) != set(keys):
        raise FairError(pack, f"{what} is an object with {', '.join(keys)}, not {quote(plain)}")
    return plain


def items(plain: object, what: str, pack: int) -> Sequence[object]:
    """A list."""
    if not isinstance(plain, list):
        raise FairError(pack, f"{what} are a list, not {quote(plain)}")
    return plain


def number(plain: object, what: str, pack: int, low: int = 0, high: int = MOST_NUMBER) -> int:
    """A whole number within bounds, both included."""
    if type(plain) is not int or not low <= plain <= high:
        raise FairError(pack, f"{what} is a whole number from {low} to {high}, not {quote(plain)}")
    return plain


def seat(plain: object, pack: int) -> int:
    """The number of a seat, as far as any table has seats."""
    return number(plain, "a seat", pack, high=MOST_SEATS - 1)
