"""Shared texts: the names of cards, reasons of refusals and chat phrases, in four languages.

They are data, `language.json`. Terminal and browser use the same files: the web client is built
with them beside its own messages, under the same keys. Texts of one game are in `game_texts`
instead.
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
    """The shared texts of a language, by key.

    Raises:
        GameError: the language is unknown.
    """
    if language not in LANGUAGES:
        raise GameError(f"no words in {quote(language)}; the languages are {', '.join(LANGUAGES)}")
    file = files("jasstisch.i18n.common").joinpath(f"{language}.json")
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found
