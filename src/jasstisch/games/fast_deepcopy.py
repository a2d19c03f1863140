"""A deep copy of the state of a match, optimised for plain containers.

Numbers, texts, and lists, tuples and dictionaries of them are copied here; every other object is
copied by `copy.deepcopy`. Both use the same memo, so objects that are shared stay shared in the
copy.
"""

from copy import deepcopy
from types import NoneType
from typing import Any

Memo = dict[int, Any]
"""Copies made so far and objects that both share, by the `id` of the original as in `deepcopy`."""

_IMMUTABLE_TYPES = frozenset({int, str, bool, NoneType, float})
"""Immutable types without references to other objects."""


def fast_deepcopy(value: Any, memo: Memo) -> Any:  # noqa: ANN401 - whatever a game keeps
    """A deep copy of a value.

    Args:
        value: the value to copy.
        memo: copies by the `id` of the original. It is filled during the copy; an object that is in
            it already is replaced by its entry.
    """
    kind = type(value)
    if kind in _IMMUTABLE_TYPES:
        return value
    if (known := memo.get(id(value))) is not None:
        return known
    if kind is tuple:
        return _copy_tuple(value, memo)
    if kind is list:
        return _copy_list(value, memo)
    if kind is dict and _IMMUTABLE_TYPES.issuperset(map(type, value)):
        return _copy_dict(value, memo)
    return deepcopy(value, memo)


def _copy_tuple(value: tuple[Any, ...], memo: Memo) -> tuple[Any, ...]:
    if _IMMUTABLE_TYPES.issuperset(map(type, value)):
        return value
    made = tuple([fast_deepcopy(one, memo) for one in value])
    return value if all(one is other for one, other in zip(value, made, strict=True)) else made


def _copy_list(value: list[Any], memo: Memo) -> list[Any]:
    made = memo[id(value)] = value[:]
    if not _IMMUTABLE_TYPES.issuperset(map(type, value)):
        made[:] = [memo.get(id(one)) or fast_deepcopy(one, memo) for one in value]
    return made


def _copy_dict(value: dict[Any, Any], memo: Memo) -> dict[Any, Any]:
    made = memo[id(value)] = value.copy()
    if not _IMMUTABLE_TYPES.issuperset(map(type, value.values())):
        for key, one in value.items():
            made[key] = fast_deepcopy(one, memo)
    return made
