"""What the terminal says in a match, in the language of who sits there.

The texts are data files, `texts/language.json`, by section and name. A gap `{n}` stands for a
value. A gap with words, `{n:card|cards}`, stands for the one of them that agrees with the value:
the first for one thing and the second for several; for who does something, those for somebody else,
for you, for several others, and for you with others, of which the last ones may be left out where
they are as the one before. What the page says too lies in `jasstisch.i18n.common`.
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

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Subject",
    "TemplateValue",
    "Translator",
    "environment_language",
    "parse_language",
    "translator_for",
]

PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}]*))?\}")

LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where the environment says which language is wanted, the one that holds first."""

LANGUAGE_ALIASES = {"gsw": "de"}
"""Languages for which there are texts under another name: Swiss German is written as German."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Players of whom something is said.

    Attributes:
        names: what they are called, in a sentence.
        form: which of the words of a gap agrees with them.
    """

    names: str
    plural_form: int


TemplateValue = Text | str | int | Subject
"""What may stand in a gap."""


@dataclass(frozen=True)
class Translator:
    """One language.

    Attributes:
        language: one of `jasstisch.i18n.LANGUAGES`.
    """

    language: str

    def __call__(self, name: str, /, **values: TemplateValue) -> Text:
        """A text with these values in its gaps.

        Args:
            name: `section.name`.
            values: what stands in the gaps; a text in its colours keeps them.
        """
        return Text().join(format_template(self.texts[name], values))

    def plain(self, name: str, /, **values: TemplateValue) -> str:
        """The same without colours."""
        return self(name, **values).plain

    def shared_text(self, name: str, /, **values: TemplateValue) -> Text:
        """A text that the page says too."""
        return Text().join(format_template(self.shared_texts[name], values))

    def accepted_answers(self, name: str) -> list[str]:
        """What may be typed for `yes` or `no`."""
        return self.texts[f"word.{name}"].split()

    def game_texts(self, game: str) -> GameTexts:
        """The words for a game."""
        return i18n.load_game_texts(game, self.language)

    def join_names(self, names: list[str]) -> str:
        """Names in a sentence: `You, Greedy 1 and Greedy 2`."""
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
        """The texts that the page says too."""
        return load_common_texts(self.language)


def format_template(text: str, values: Mapping[str, TemplateValue]) -> Iterator[Text]:
    """The parts of a text with these values in its gaps.

    Raises:
        KeyError: a value is missing.
    """
    end = 0
    for gap in PLACEHOLDER.finditer(text):
        yield Text(text[end : gap.start()])
        end = gap.end()
        value = values[gap[1]]
        yield to_text(value) if gap[2] is None else Text(pluralize(value, gap[2].split("|")))
    yield Text(text[end:])


def to_text(value: TemplateValue) -> Text:
    """A value as it stands in a text."""
    if isinstance(value, Text):
        return value
    return Text(value.names if isinstance(value, Subject) else str(value))


def pluralize(value: TemplateValue, words: list[str]) -> str:
    """The one of these words that agrees with a value."""
    form = value.plural_form if isinstance(value, Subject) else int(value != 1)
    return words[min(form, len(words) - 1)]


ENGLISH = Translator("en")


def translator_for(language: str | None) -> Translator:
    """What is said in a language, or in that of the environment."""
    return Translator(language or environment_language(os.environ))


def environment_language(environment: Mapping[str, str]) -> str:
    """The language that the environment asks for, as `de_CH.UTF-8` does; English without one."""
    wanted = next(filter(None, (environment.get(name) for name in LOCALE_VARIABLES)), "")
    name = re.split(r"[_.@-]", wanted.lower())[0]
    name = LANGUAGE_ALIASES.get(name, name)
    return name if name in LANGUAGES else LANGUAGES[0]


def parse_language(name: str) -> str:
    """A language there are texts in, as the type of an argument."""
    if name not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise argparse.ArgumentTypeError(f"one of {known} is needed, not {shorten(name)!r}")
    return name
