"""What cards are called, why something is refused, and what is said at a table, in four languages.

These words are data, `language.json`, and terminal and browser read the same files: the page is
built with them beside its own messages, under the same names.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from jasstisch.engine.errors import GameError, quote
from jasstisch.i18n.templates import LANGUAGES

__all__ = ["LANGUAGES", "load_common_texts"]


@cache
def load_common_texts(language: str) -> Mapping[str, str]:
    """The words of a language by their names.

    Raises:
        GameError: there are none in this language.
    """
    if language not in LANGUAGES:
        raise GameError(f"no words in {quote(language)}; the languages are {', '.join(LANGUAGES)}")
    file = files("jasstisch.i18n.common").joinpath(f"{language}.json")
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found
