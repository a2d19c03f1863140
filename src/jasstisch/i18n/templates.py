"""Text templates with placeholders: loading them by language, and rendering them into segments.

The texts are data files, `texts/language.json`, with sections and names as in the ids of tutorial
hints. A placeholder `{points}` stands for a value, whose kind follows from its name. A placeholder
that is a card `{7C}` or a rank `{J}` stands for itself, so that it can be shown in the reader's
deck.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

from jasstisch.engine.errors import GameError, quote

Values = Mapping[str, int | str]
"""The values of the placeholders of a text. The name of a placeholder determines its kind: `card…`
is a card, `cards…` are cards separated by spaces, `suit…` is a suit letter, `ranks…` a rank letter
whose name is shown in the plural, `seat…` a seat, and any other a number."""

LANGUAGES = ("en", "de", "fr", "it")
"""The languages of the texts, the default first."""

_SegmentKind = Literal["text", "card", "suit", "rank", "ranks", "seat", "number"]
Segment = tuple[_SegmentKind, str]
"""A part of a text, by kind: plain text, or a value with its own presentation such as a card."""

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_CARD = re.compile(r"[2-9TJQKA][CDHS]")
_RANK = re.compile(r"[2-9TJQKA]")
_NAMED_KINDS: tuple[_SegmentKind, ...] = ("card", "suit", "ranks", "seat")


@cache
def load_tutorial_texts(language: str) -> dict[str, str]:
    """All tutorial texts of a language, by the ids of hints.

    Raises:
        GameError: the language is unknown.
    """
    if language not in LANGUAGES:
        raise GameError(f"no hints in {quote(language)}; the languages are {', '.join(LANGUAGES)}")
    return {
        f"{section}.{name}": text
        for section, some in load_sections("tutorials", language).items()
        for name, text in some.items()
    }


@cache
def load_sections(room: str, language: str) -> dict[str, dict[str, str]]:
    """The texts of a package, by section and name, read without importing the package.

    Args:
        room: the folder of the package, such as `tutorials`.
        language: one of `LANGUAGES`.
    """
    file = files("jasstisch").joinpath(room, "texts", f"{language}.json")
    found: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def placeholders(text: str) -> list[str]:
    """The names of the placeholders of a text, in order."""
    return _PLACEHOLDER.findall(text)


def render(text: str, values: Values) -> Iterator[Segment]:
    """The segments of a text with these values in its placeholders.

    Raises:
        KeyError: a value is missing.
    """
    for index, part in enumerate(_PLACEHOLDER.split(text)):
        if index % 2:
            yield from _render_placeholder(part, values)
        elif part:
            yield "text", part


def _render_placeholder(placeholder: str, values: Values) -> Iterator[Segment]:
    if _CARD.fullmatch(placeholder):
        yield "card", placeholder
    elif _RANK.fullmatch(placeholder):
        yield "rank", placeholder
    elif placeholder.startswith("cards"):
        for index, card in enumerate(str(values[placeholder]).split()):
            if index:
                yield "text", " "
            yield "card", card
    else:
        kind: _SegmentKind = next(
            (one for one in _NAMED_KINDS if placeholder.startswith(one)), "number"
        )
        yield kind, str(values[placeholder])
