"""Validation of untrusted plain JSON, with errors that say what is expected and where."""

from collections.abc import Mapping, Sequence

from jasstisch.engine.errors import quote
from jasstisch.fairness.errors import FairError

MAX_SEATS = 16
MAX_NUMBER = 2**32 - 1


def require_object(
    plain: object, keys: tuple[str, ...], what: str, pack: int
) -> Mapping[str, object]:
    """An object with these keys and no other."""
    if not isinstance(plain, dict) or set(plain) != set(keys):
        raise FairError(pack, f"{what} is an object with {', '.join(keys)}, not {quote(plain)}")
    return plain


def require_list(plain: object, what: str, pack: int) -> Sequence[object]:
    """A list."""
    if not isinstance(plain, list):
        raise FairError(pack, f"{what} are a list, not {quote(plain)}")
    return plain


def require_int(plain: object, what: str, pack: int, low: int = 0, high: int = MAX_NUMBER) -> int:
    """A whole number within bounds, both included."""
    if type(plain) is not int or not low <= plain <= high:
        raise FairError(pack, f"{what} is a whole number from {low} to {high}, not {quote(plain)}")
    return plain


def require_seat(plain: object, pack: int) -> int:
    """The number of a seat, as far as any table has seats."""
    return require_int(plain, "a seat", pack, high=MAX_SEATS - 1)
