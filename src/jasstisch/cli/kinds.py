"""How a setting of the server is written, and what is allowed: the kinds of values there are.

A kind reads a text, as flags and the environment have it, and takes a value of a TOML file. Both
raise a `ValueError` whose sentence says what is allowed; one that may hold a password repeats
nothing of it.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import ClassVar, Protocol
from unicodedata import category
from urllib.parse import urlsplit

from jasstisch.errors import quote

__all__ = [
    "ByLanguage",
    "Choice",
    "Folder",
    "Kind",
    "Link",
    "Network",
    "Place",
    "Several",
    "Site",
    "Switch",
    "Text",
    "Whole",
]

NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
PLACE = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[0-9A-Za-z_.-]+):([0-9]{1,5})")
SITE = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?/?", re.IGNORECASE)
HIDDEN = "***"
POSTGRES = ("postgresql", "postgres")

NO_LINE = ("Cc", "Cs", "Zl", "Zp")
"""Categories of signs that stand in no line: controls, halves of signs, ends of lines."""

LONGEST = 1_000
"""Characters of a text that nothing else limits."""

LAST_PORT = 65_535


class Kind(Protocol):
    """How a value is written."""

    @property
    def form(self) -> str:
        """What stands for a value in the help."""

    @property
    def between(self) -> str | None:
        """What is put between the words of a flag that takes several; None for one word."""

    def read(self, text: str) -> object:
        """The value that a text means.

        Raises:
            ValueError: it means none.
        """

    def take(self, found: object) -> object:
        """The value that was found in a file of TOML.

        Raises:
            ValueError: it is none of this kind.
        """

    def told(self, value: object) -> str:
        """A value in words, without what is secret."""

    def written(self, value: object) -> object:
        """A value as a file of TOML has it, without what is secret."""


class _Plain:
    """What most kinds have in common: one word, written as it is."""

    between: ClassVar[str | None] = None

    def told(self, value: object) -> str:
        """A value in words."""
        return str(self.written(value))

    def written(self, value: object) -> object:
        """A value as a file of TOML has it."""
        return value


@dataclass(frozen=True, slots=True)
class Whole(_Plain):
    """A whole number within bounds, both included."""

    low: int
    high: int
    form: str = "N"

    def read(self, text: str) -> int:
        """The number that a text means."""
        return self._within(int(text) if NUMBER.fullmatch(text) else None, text)

    def take(self, found: object) -> int:
        """The number, if it is one within the bounds."""
        return self._within(found if type(found) is int else None, found)

    def _within(self, number: int | None, found: object) -> int:
        if number is not None and self.low <= number <= self.high:
            return number
        wanted = f"a whole number from {self.low} to {self.high} is needed"
        raise ValueError(f"{wanted}, not {quote(found)}")


@dataclass(frozen=True, slots=True)
class Text(_Plain):
    """A line of text."""

    form: str = "TEXT"

    def read(self, text: str) -> str:
        """The text, if it is a line."""
        return self.take(text)

    def take(self, found: object) -> str:
        """The text, if it is a line."""
        return _line(found, LONGEST)


@dataclass(frozen=True, slots=True)
class Site(_Plain):
    """How browsers name a server: scheme, name and perhaps a port."""

    form: str = "URL"

    def read(self, text: str) -> str:
        """The address."""
        return self.take(text)

    def take(self, found: object) -> str:
        """The address, if it names nothing below it."""
        if isinstance(found, str) and SITE.fullmatch(found):
            return found
        raise ValueError(f"an address as https://jass.example.org is needed, not {quote(found)}")


@dataclass(frozen=True, slots=True)
class Network(_Plain):
    """An address, or a network of addresses."""

    form: str = "ADDRESS"

    def read(self, text: str) -> str:
        """The address."""
        return self.take(text)

    def take(self, found: object) -> str:
        """The address or network, as it is written."""
        if isinstance(found, str):
            with suppress(ValueError):
                ip_network(found)
                return found
        wanted = "an address or a network, as 10.0.0.5 or 172.18.0.0/16, is needed"
        raise ValueError(f"{wanted}, not {quote(found)}")


@dataclass(frozen=True, slots=True)
class Folder(_Plain):
    """A folder, as seen from where the server is started."""

    form: str = "DIR"

    def read(self, text: str) -> Path:
        """The folder of a name."""
        return self.take(text)

    def take(self, found: object) -> Path:
        """The folder of a name."""
        return Path(_line(found, LONGEST))

    def written(self, value: object) -> object:
        """Its name."""
        return str(value)


@dataclass(frozen=True, slots=True)
class Link(_Plain):
    """An address that may hold a password, of which nothing is ever repeated."""

    form: str = "URL"

    def read(self, text: str) -> str:
        """The address."""
        return self.take(text)

    def take(self, found: object) -> str:
        """The address."""
        if not isinstance(found, str):
            raise ValueError("an address is needed, as postgresql://user@host/name")
        return _line(found, LONGEST)

    def written(self, value: object) -> object:
        """The address without its password and without what it asks for."""
        return _without_secrets(str(value))


@dataclass(frozen=True, slots=True)
class Choice(_Plain):
    """One of a few words."""

    words: Sequence[str]

    @property
    def form(self) -> str:
        """The words."""
        return "|".join(self.words)

    def read(self, text: str) -> str:
        """The word, if it is one of them."""
        return self.take(text)

    def take(self, found: object) -> str:
        """The word, if it is one of them."""
        if isinstance(found, str) and found in self.words:
            return found
        raise ValueError(f"one of {', '.join(self.words)} is needed, not {quote(found)}")


@dataclass(frozen=True, slots=True)
class Switch(_Plain):
    """Yes or no."""

    form: str = "yes|no"

    def read(self, text: str) -> bool:
        """What a word means."""
        meant = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
        return self.take(meant.get(text.lower(), text))

    def take(self, found: object) -> bool:
        """What was found."""
        if isinstance(found, bool):
            return found
        raise ValueError(f"yes or no is needed (in a file true or false), not {quote(found)}")

    def told(self, value: object) -> str:
        """In words."""
        return "yes" if value else "no"


@dataclass(frozen=True, slots=True)
class Place(_Plain):
    """An address to listen on, with its port."""

    form: str = "HOST:PORT"

    def read(self, text: str) -> tuple[str, int]:
        """Host and port."""
        return self.take(text)

    def take(self, found: object) -> tuple[str, int]:
        """Host and port."""
        parts = PLACE.fullmatch(found) if isinstance(found, str) else None
        if parts is None or int(parts[2]) > LAST_PORT:
            wanted = "an address with its port is needed, as 127.0.0.1:9100 or [::1]:9100"
            raise ValueError(f"{wanted}, not {quote(found)}")
        return parts[1].strip("[]"), int(parts[2])

    def written(self, value: object) -> object:
        """As it is read."""
        if not isinstance(value, tuple):
            return value
        host, port = value
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@dataclass(frozen=True, slots=True)
class Several(_Plain):
    """One or more values of a kind, each once."""

    kind: Kind
    between: ClassVar[str | None] = " "

    @property
    def form(self) -> str:
        """That of one of them."""
        return self.kind.form

    def read(self, text: str) -> tuple[object, ...]:
        """The values between spaces or commas."""
        return self.take([one for one in re.split(r"[\s,]+", text) if one])

    def take(self, found: object) -> tuple[object, ...]:
        """The values of a list."""
        if not isinstance(found, list):
            raise ValueError(f"a list is needed, as [...], not {quote(found)}")
        values = tuple(self.kind.take(one) for one in found)
        if not values or len(set(values)) < len(values):
            raise ValueError("one or more are needed, and each of them once")
        return values

    def told(self, value: object) -> str:
        """One after the other."""
        return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    def written(self, value: object) -> object:
        """As a list."""
        return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class ByLanguage(_Plain):
    """A text in some languages, or one for all of them."""

    languages: Sequence[str]
    longest: int
    form: str = "TEXT"
    between: ClassVar[str | None] = "\n"

    def read(self, text: str) -> Mapping[str, str]:
        """The texts, a line each that begins with `de=`, or one line for all languages."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(lines) == 1 and lines[0].partition("=")[0] not in self.languages:
            return self.take(lines[0])
        named = [line.partition("=") for line in lines]
        if len({name for name, _, _ in named}) < len(named):
            raise ValueError("each language has one text")
        return self.take({name.strip(): told.strip() for name, _, told in named})

    def take(self, found: object) -> Mapping[str, str]:
        """The texts by their languages."""
        if isinstance(found, str):
            found = dict.fromkeys(self.languages, found)
        known = ", ".join(self.languages)
        if not isinstance(found, dict) or not found:
            raise ValueError(f"a text, or one for each language of {known}, is needed")
        for name in found:
            if name not in self.languages:
                raise ValueError(f"a language of {known} is needed, not {quote(name)}")
        return {name: _line(text, self.longest) for name, text in found.items()}


def _line(found: object, longest: int) -> str:
    """A text of one line that shows something.

    Raises:
        ValueError: it is none.
    """
    wanted = f"a line of 1 to {longest} characters is needed"
    if not isinstance(found, str):
        raise ValueError(f"{wanted}, not {quote(found)}")
    line = found.strip()
    if not 1 <= len(line) <= longest or any(category(sign) in NO_LINE for sign in line):
        raise ValueError(wanted)
    return line


def _without_secrets(link: str) -> str:
    """An address without its password and its query, where drivers look for passwords too."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return HIDDEN
    if "@" in f"{parts.path}{parts.query}{parts.fragment}":
        return HIDDEN  # a password with a sign that ends it
    if not parts.netloc:
        # `sqlite:/srv/jass`, or a folder.
        return link if "password" not in link and "?" not in link else HIDDEN
    user, at, host = parts.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    # What stands there alone is the name of a user to Postgres, and a token to NATS.
    shown = f"{name}{colon and ':' + HIDDEN}" if colon or parts.scheme in POSTGRES else HIDDEN
    query = f"?{HIDDEN}" if parts.query else ""
    return f"{parts.scheme}://{shown if at else ''}{at}{host}{parts.path}{query}"
