"""Check of views against the declared `TypedDict` of the game: their keys and types.

Only types that JSON can represent are distinguished. Where a tuple is declared, a list of that form
is valid.
"""

import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from jasstisch.engine.errors import quote
from jasstisch.testing.conformance_run import ConformanceRun

_DECLARE_ADVICE = (
    "Put it right in table_view(seat), finish_round(...) or standing(), or declare what the view "
    "holds"
)


def check_declared_types(run: ConformanceRun) -> None:
    """Checks every reader's view against the declared type, if the game declares one.

    Raises:
        ConformanceError: a key is missing, undeclared or of another type; the message names it.
    """
    declared = run.game.rules.view_type
    if declared is None:
        return
    if not is_typeddict(declared):
        raise run.violation_error(
            f"view of the class is {quote(declared)}",
            "Name a TypedDict there: class RamschView(CommonView), from jasstisch.games.views",
        )
    for reader in run.readers:
        view = run.view(reader) | {"rounds": []}
        found = next(type_mismatches(view, declared, f"view({reader})"), None)
        if found is not None:
            raise run.violation_error(found, _DECLARE_ADVICE)
    _check_new_rounds(run, declared)


def _check_new_rounds(run: ConformanceRun, declared: type) -> None:
    """Checks the rounds finished since the last call; earlier ones never change."""
    rounds = run.view(None)["rounds"]
    for place in range(run.type_checked_rounds, len(rounds)):
        for wanted in get_args(_hints(declared)["rounds"]):
            found = next(
                type_mismatches(rounds[place], wanted, f"view(None)['rounds'][{place}]"), None
            )
            if found is not None:
                raise run.violation_error(found, _DECLARE_ADVICE)
    run.type_checked_rounds = len(rounds)


def type_mismatches(value: object, wanted: object, path: str) -> Iterator[str]:
    """The mismatches of a value with a type, one sentence for each; `path` is its position."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if is_typeddict(wanted):
        yield from _key_mismatches(value, wanted, path)
    elif origin in (Union, types.UnionType):
        yield from _union_mismatches(value, wanted, path)
    elif origin in (list, dict, tuple) and isinstance(value, dict if origin is dict else list):
        if origin is tuple and len(value) != len(parts):
            yield _mismatch(value, wanted, path)
            return
        for place, one, part in _members(value, parts, origin is tuple):
            if type(one) is not part:  # a fast path: most values are valid texts and numbers
                yield from type_mismatches(one, part, f"{path}[{place!r}]")
    elif not _is_plain(value, wanted):
        yield _mismatch(value, wanted, path)


def _members(
    value: dict[str, object] | list[object], parts: tuple[object, ...], each: bool
) -> Iterator[tuple[object, object, object]]:
    """The path, value and type of each member; the types are for `each` in turn, or for all."""
    found = value.items() if isinstance(value, dict) else enumerate(value)
    for number, (place, one) in enumerate(found):
        yield place, one, parts[number] if each else parts[-1]


@cache
def _hints(declared: type) -> Mapping[str, object]:
    return get_type_hints(declared)


def _key_mismatches(value: object, declared: object, path: str) -> Iterator[str]:
    """The keys of an object that are missing, undeclared or of another type."""
    assert isinstance(declared, type)
    name = declared.__name__
    if not isinstance(value, dict):
        yield f"{path} is {quote(value)}, which is no {name}"
        return
    hints = _hints(declared)
    required: frozenset[str] = getattr(declared, "__required_keys__", frozenset())
    for key in sorted(required - value.keys()):
        yield f"{path} lacks {key!r}, which {name} declares"
    for key, one in value.items():
        if key not in hints:
            yield f"{path} has {key!r}, which {name} does not declare"
        elif type(one) is not hints[key]:
            yield from type_mismatches(one, hints[key], f"{path}[{key!r}]")


def _union_mismatches(value: object, wanted: object, path: str) -> Iterator[str]:
    """The mismatches with a union: those with the most similar member type, or one in total."""
    parts = get_args(wanted)
    if type(value) in parts:
        return
    tried = [(part, list(type_mismatches(value, part, path))) for part in parts]
    if any(not found for _, found in tried):
        return
    whole = _mismatch(value, wanted, path)
    alike = [found for part, found in tried if isinstance(value, _json_kind(part))]
    yield from alike[0] if alike else [whole]


def _json_kind(wanted: object) -> type | tuple[type, ...]:
    """The JSON container type of a type with members; () for a type without members."""
    if is_typeddict(wanted) or get_origin(wanted) is dict:
        return dict
    return list if get_origin(wanted) in (list, tuple) else ()


def _is_plain(value: object, wanted: object) -> bool:
    """Whether a value without members has a type; a bool does not count as a number."""
    if get_origin(wanted) is Literal:
        return any(type(value) is type(one) and value == one for one in get_args(wanted))
    if wanted in (Any, object):
        return True
    if wanted is float:
        return type(value) in (int, float)
    return type(value) is wanted or (value is None and wanted is None)


def _mismatch(value: object, wanted: object, path: str) -> str:
    return f"{path} is {quote(value)}, where {_type_name(wanted)} is declared"


def _type_name(wanted: object) -> str:
    """The name of a type as in source code."""
    origin, parts = get_origin(wanted), get_args(wanted)
    if wanted in (None, type(None)):
        return "None"
    if origin in (Union, types.UnionType):
        return " | ".join(_type_name(part) for part in parts)
    if origin is Literal:
        return " | ".join(repr(one) for one in parts)
    if origin is not None:
        return f"{origin.__name__}[{', '.join(_type_name(part) for part in parts)}]"
    return str(getattr(wanted, "__name__", wanted))
