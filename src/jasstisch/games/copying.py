"""A deep copy of the state of a match, fast for what such a state is mostly made of.

Numbers, texts, and lists, tuples and dictionaries of them are copied here; everything else, with
whatever is in it, by `copy.deepcopy`. Both keep the same memo, so what two places share their
copies share too.
"""

from copy import deepcopy
from types import NoneType
from typing import Any

__all__ = ["Memo", "copied"]

Memo = dict[int, Any]
"""What has been copied so far, or belongs to both, by the `id` of the original as in `deepcopy`."""

PLAIN = frozenset({int, str, bool, NoneType, float})
"""What never changes and holds nothing."""


def copied(value: Any, memo: Memo) -> Any:  # noqa: ANN401 - whatever a game keeps
    """A copy of this value and of all that is in it.

    Args:
        value: what is copied.
        memo: filled as the copy is made; what stands in it already is taken as its own copy.
    """
    kind = type(value)
    if kind in PLAIN:
        return value
    if (known := memo.get(id(value))) is not None:
        return known
    if kind is tuple:
        return _tuple(value, memo)
    if kind is list:
        return _list(value, memo)
    if kind is dict and PLAIN.issuperset(map(type, value)):
        return _dict(value, memo)
    return deepcopy(value, memo)


def _tuple(value: tuple[Any, ...], memo: Memo) -> tuple[Any, ...]:
    if PLAIN.issuperset(map(type, value)):
        return value
    made = tuple([copied(one, memo) for one in value])
    return value if all(one is other for one, other in zip(value, made, strict=True)) else made


def _list(value: list[Any], memo: Memo) -> list[Any]:
    made = memo[id(value)] = value[:]
    if not PLAIN.issuperset(map(type, value)):
        made[:] = [memo.get(id(one)) or copied(one, memo) for one in value]
    return made


def _dict(value: dict[Any, Any], memo: Memo) -> dict[Any, Any]:
    made = memo[id(value)] = value.copy()
    if not PLAIN.issuperset(map(type, value.values())):
        for key, one in value.items():
            made[key] = copied(one, memo)
    return made
