"""A deep copy of the state of a match, fast for what such a state is mostly made of.

Numbers, texts, and lists, tuples and dictionaries of them are copied here; everything else, with
whatever is in it, by `copy.deepcopy`. Both keep the same memo, so what two places share their
copies share too.
"""

from copy import deepcopy
from types import NoneType
from typing import Any

__all__ = ["Memo", "fast_deepcopy"]

Memo = dict[int, Any]
"""What has been copied so far, or belongs to both, by the `id` of the original as in `deepcopy`."""

IMMUTABLE_TYPES = frozenset({int, str, bool, NoneType, float})
"""What never changes and holds nothing."""


def fast_deepcopy(value: Any, memo: Memo) -> Any:  # noqa: ANN401 - whatever a game keeps
    """A copy of this value and of all that is in it.

    Args:
        value: what is copied.
        memo: filled as the copy is made; what stands in it already is taken as its own copy.
    """
    kind = type(value)
    if kind in IMMUTABLE_TYPES:
        return value
    if (known := memo.get(id(value))) is not None:
        return known
    if kind is tuple:
        return _copy_tuple(value, memo)
    if kind is list:
        return _copy_list(value, memo)
    if kind is dict and IMMUTABLE_TYPES.issuperset(map(type, value)):
        return _copy_dict(value, memo)
    return deepcopy(value, memo)


def _copy_tuple(value: tuple[Any, ...], memo: Memo) -> tuple[Any, ...]:
    if IMMUTABLE_TYPES.issuperset(map(type, value)):
        return value
    made = tuple([fast_deepcopy(one, memo) for one in value])
    return value if all(one is other for one, other in zip(value, made, strict=True)) else made


def _copy_list(value: list[Any], memo: Memo) -> list[Any]:
    made = memo[id(value)] = value[:]
    if not IMMUTABLE_TYPES.issuperset(map(type, value)):
        made[:] = [memo.get(id(one)) or fast_deepcopy(one, memo) for one in value]
    return made


def _copy_dict(value: dict[Any, Any], memo: Memo) -> dict[Any, Any]:
    made = memo[id(value)] = value.copy()
    if not IMMUTABLE_TYPES.issuperset(map(type, value.values())):
        for key, one in value.items():
            made[key] = fast_deepcopy(one, memo)
    return made
