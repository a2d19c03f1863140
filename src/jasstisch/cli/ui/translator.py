"""Texts of the terminal in four languages.

The texts are in data files, `texts/LANGUAGE.json`, by section and name. A placeholder `{n}` stands
for a value. A placeholder with words, `{n:card|cards}`, stands for the word that agrees with the
value. For a number these are singular and plural. For a subject they are the forms for another
person, for you, for several others, and for you with others; trailing forms that equal the previous
one may be left out. Texts shared with the page are in `jasstisch.i18n.common`.
"""

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rich.text import Text

from jasstisch import i18n
from jasstisch.engine.errors import shorten
from jasstisch.i18n import LANGUAGES, GameTexts
from jasstisch.i18n.common import load_common_texts
from jasstisch.i18n.templates import load_sections

_PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}]*))?\}")

_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables that select the language, by precedence."""

_LANGUAGE_ALIASES = {"gsw": "de"}
"""Languages with texts under another name: Swiss German uses the German ones."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Players as the subject of a sentence.

    Attributes:
        joined_names: their names, joined.
        plural_form: the index of the form that agrees with them.
    """

    joined_names: str
    plural_form: int


TemplateValue = Text | str | int | Subject
"""The values of placeholders."""


@dataclass(frozen=True)
class Translator:
    """The texts of one language.

    Attributes:
        language: one of `jasstisch.i18n.LANGUAGES`.
    """

    language: str

    def __call__(self, name: str, /, **values: TemplateValue) -> Text:
        """Returns a text with its placeholders filled.

        Args:
            name: `section.name`.
            values: the values; styled texts keep their style.
        """
        return Text().join(_format_template(self.texts[name], values))

    def plain(self, name: str, /, **values: TemplateValue) -> str:
        """Returns the same without styles."""
        return self(name, **values).plain

    def shared_text(self, name: str, /, **values: TemplateValue) -> Text:
        """Returns a text shared with the page."""
        return Text().join(_format_template(self.shared_texts[name], values))

    def accepted_answers(self, name: str) -> list[str]:
        """Returns the accepted answers for `yes` or `no`."""
        return self.texts[f"word.{name}"].split()

    def game_texts(self, game: str) -> GameTexts:
        """Returns the texts of a game."""
        return i18n.load_game_texts(game, self.language)

    def join_names(self, names: list[str]) -> str:
        """Joins names in a sentence: `You, Greedy 1 and Greedy 2`."""
        both = f" {self.texts['word.and']} "
        return both.join([", ".join(names[:-1]), names[-1]] if names[1:] else names)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """All texts by section and name."""
        return {
            f"{section}.{name}": text
            for section, some in load_sections("cli/ui", self.language).items()
            for name, text in some.items()
        }

    @cached_property
    def shared_texts(self) -> Mapping[str, str]:
        """The texts shared with the page."""
        return load_common_texts(self.language)


def _format_template(text: str, values: Mapping[str, TemplateValue]) -> Iterator[Text]:
    """Yields the parts of a text with its placeholders filled.

    Raises:
        KeyError: a value is missing.
    """
    end = 0
    for gap in _PLACEHOLDER.finditer(text):
        yield Text(text[end : gap.start()])
        end = gap.end()
        value = values[gap[1]]
        yield _to_text(value) if gap[2] is None else Text(_pluralize(value, gap[2].split("|")))
    yield Text(text[end:])


def _to_text(value: TemplateValue) -> Text:
    """Returns a value as text."""
    if isinstance(value, Text):
        return value
    return Text(value.joined_names if isinstance(value, Subject) else str(value))


def _pluralize(value: TemplateValue, forms: list[str]) -> str:
    """Returns the form that agrees with a value."""
    form = value.plural_form if isinstance(value, Subject) else int(value != 1)
    return forms[min(form, len(forms) - 1)]


ENGLISH = Translator("en")


def translator_for(language: str | None) -> Translator:
    """Returns the translator of a language, or of that of the environment."""
    return Translator(language or environment_language(os.environ))


def environment_language(environment: Mapping[str, str]) -> str:
    """Returns the language of the environment, such as `de_CH.UTF-8`; English by default."""
    wanted = next(filter(None, (environment.get(name) for name in _LOCALE_VARIABLES)), "")
    name = re.split(r"[_.@-]", wanted.lower())[0]
    name = _LANGUAGE_ALIASES.get(name, name)
    return name if name in LANGUAGES else LANGUAGES[0]


def add_language_flag(parser: argparse.ArgumentParser) -> None:
    """Adds the flag for the language of a match; None without it."""
    parser.add_argument(
        "--lang",
        metavar="LANG",
        type=parse_language,
        help=f"one of {', '.join(LANGUAGES)} (default: the language of the environment)",
    )


def parse_language(name: str) -> str:
    """Argument type for a supported language."""
    if name not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise argparse.ArgumentTypeError(f"one of {known} is needed, not {shorten(name)!r}")
    return name
