"""Where two pieces of plain JSON differ, and which words are written in one."""

import json
import marshal
import re
from typing import Any

from jasstisch.engine.errors import quote

__all__ = ["first_difference", "identical", "json_text", "same_json", "words_in"]

WORD = re.compile(r"\w+")


def json_text(value: object) -> str:
    """The JSON text of a value; what JSON does not know is written as Python would."""
    return json.dumps(value, sort_keys=True, default=repr)


def same_json(one: object, other: object) -> bool:
    """Whether two values are written alike in JSON, with objects in any order."""
    return identical(one, other) or json_text(one) == json_text(other)


def first_difference(one: object, other: object, path: str = "") -> str:
    """The first place where two values differ, with both sides; empty when they are the same.

    Values of different types differ although they may be equal: `true` is not 1, nor a tuple a
    list.
    """
    return "" if identical(one, other) else _first_difference(one, other, path)


def _first_difference(one: object, other: object, path: str) -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(key for key in other if key not in one)]:
            if key not in one or key not in other:
                return f"{path}[{key!r}] stands on one side only"
            if found := _first_difference(one[key], other[key], f"{path}[{key!r}]"):
                return found
        return ""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            if found := _first_difference(*pair, f"{path}[{number}]"):
                return found
        return ""
    if type(one) is type(other) and one == other:
        return ""
    return f"{path} is {quote(one)} on one side and {quote(other)} on the other"


def identical(*values: Any) -> bool:  # noqa: ANN401 - whatever a game may give
    """Whether values are the same to the last byte, type and order; false where unsure.

    Most that are compared are, and this tells so in a tenth of the time that JSON takes.
    """
    try:
        # The second version writes equal values alike, however they came about.
        return len({marshal.dumps(one, 2) for one in values}) == 1
    except ValueError:  # something that is no plain value
        return False


def words_in(value: object) -> set[str]:
    """All words in the texts of a value, in upper case as cards are."""
    return set(WORD.findall(json_text(value).upper()))
