"""What the terminal says in a match, in the language of who sits there.

The texts are data files, `texts/language.json`, by section and name. A gap `{n}` stands for a
value. A gap with words, `{n:card|cards}`, stands for the one of them that agrees with the value:
the first for one thing and the second for several; for who does something, those for somebody else,
for you, for several others, and for you with others, of which the last ones may be left out where
they are as the one before. What the page says too lies in `jasstisch.vocabulary`.
"""

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rich.text import Text

from jasstisch import rulebook
from jasstisch.errors import shorten
from jasstisch.guides.texts import sections
from jasstisch.rulebook import LANGUAGES, Words
from jasstisch.vocabulary import vocabulary

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Speech",
    "Value",
    "Who",
    "environment_language",
    "language",
    "speech_in",
]

GAP = re.compile(r"\{(\w+)(?::([^{}]*))?\}")

SETTINGS = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where the environment says which language is wanted, the one that holds first."""

SPOKEN = {"gsw": "de"}
"""Languages for which there are texts under another name: Swiss German is written as German."""


@dataclass(frozen=True, slots=True)
class Who:
    """Players of whom something is said.

    Attributes:
        names: what they are called, in a sentence.
        form: which of the words of a gap agrees with them.
    """

    names: str
    form: int


Value = Text | str | int | Who
"""What may stand in a gap."""


@dataclass(frozen=True)
class Speech:
    """One language.

    Attributes:
        language: one of `jasstisch.rulebook.LANGUAGES`.
    """

    language: str

    def __call__(self, name: str, /, **values: Value) -> Text:
        """A text with these values in its gaps.

        Args:
            name: `section.name`.
            values: what stands in the gaps; a text in its colours keeps them.
        """
        return Text().join(filled(self.texts[name], values))

    def plain(self, name: str, /, **values: Value) -> str:
        """The same without colours."""
        return self(name, **values).plain

    def shared(self, name: str, /, **values: Value) -> Text:
        """A text that the page says too."""
        return Text().join(filled(self.vocabulary[name], values))

    def answers(self, name: str) -> list[str]:
        """What may be typed for `yes` or `no`."""
        return self.texts[f"word.{name}"].split()

    def words(self, game: str) -> Words:
        """The words for a game."""
        return rulebook.words(game, self.language)

    def listed(self, names: list[str]) -> str:
        """Names in a sentence: `You, Greedy 1 and Greedy 2`."""
        both = f" {self.texts['word.and']} "
        return both.join([", ".join(names[:-1]), names[-1]] if names[1:] else names)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """All texts by section and name."""
        return {
            f"{section}.{name}": text
            for section, some in sections("cli", self.language).items()
            for name, text in some.items()
        }

    @cached_property
    def vocabulary(self) -> Mapping[str, str]:
        """The texts that the page says too."""
        return vocabulary(self.language)


def filled(text: str, values: Mapping[str, Value]) -> Iterator[Text]:
    """The parts of a text with these values in its gaps.

    Raises:
        KeyError: a value is missing.
    """
    end = 0
    for gap in GAP.finditer(text):
        yield Text(text[end : gap.start()])
        end = gap.end()
        value = values[gap[1]]
        yield written(value) if gap[2] is None else Text(agreeing(value, gap[2].split("|")))
    yield Text(text[end:])


def written(value: Value) -> Text:
    """A value as it stands in a text."""
    if isinstance(value, Text):
        return value
    return Text(value.names if isinstance(value, Who) else str(value))


def agreeing(value: Value, words: list[str]) -> str:
    """The one of these words that agrees with a value."""
    form = value.form if isinstance(value, Who) else int(value != 1)
    return words[min(form, len(words) - 1)]


ENGLISH = Speech("en")


def speech_in(language: str | None) -> Speech:
    """What is said in a language, or in that of the environment."""
    return Speech(language or environment_language(os.environ))


def environment_language(environment: Mapping[str, str]) -> str:
    """The language that the environment asks for, as `de_CH.UTF-8` does; English without one."""
    wanted = next(filter(None, (environment.get(name) for name in SETTINGS)), "")
    name = re.split(r"[_.@-]", wanted.lower())[0]
    name = SPOKEN.get(name, name)
    return name if name in LANGUAGES else LANGUAGES[0]


def language(name: str) -> str:
    """A language there are texts in, as the type of an argument."""
    if name not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise argparse.ArgumentTypeError(f"one of {known} is needed, not {shorten(name)!r}")
    return name
