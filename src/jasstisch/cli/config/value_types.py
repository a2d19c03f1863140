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

from jasstisch.engine.errors import quote

__all__ = [
    "Bool",
    "Choice",
    "Directory",
    "HostPort",
    "Int",
    "ListOf",
    "LocalizedText",
    "Network",
    "Origin",
    "SecretUrl",
    "SettingType",
    "Text",
]

INTEGER_PATTERN = re.compile(r"[+-]?[0-9]{1,18}")
HOST_PORT_PATTERN = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[0-9A-Za-z_.-]+):([0-9]{1,5})")
ORIGIN_PATTERN = re.compile(
    r"https?://(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?/?", re.IGNORECASE
)
MASK = "***"
POSTGRES_SCHEMES = ("postgresql", "postgres")

FORBIDDEN_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")
"""Categories of signs that stand in no line: controls, halves of signs, ends of lines."""

MAX_TEXT_LENGTH = 1_000
"""Characters of a text that nothing else limits."""

MAX_PORT = 65_535


class SettingType(Protocol):
    """How a value is written."""

    @property
    def metavar(self) -> str:
        """What stands for a value in the help."""

    @property
    def separator(self) -> str | None:
        """What is put between the words of a flag that takes several; None for one word."""

    def parse(self, text: str) -> object:
        """The value that a text means.

        Raises:
            ValueError: it means none.
        """

    def from_toml(self, found: object) -> object:
        """The value that was found in a file of TOML.

        Raises:
            ValueError: it is none of this kind.
        """

    def describe(self, value: object) -> str:
        """A value in words, without what is secret."""

    def to_toml(self, value: object) -> object:
        """A value as a file of TOML has it, without what is secret."""


class _PlainValue:
    """What most kinds have in common: one word, written as it is."""

    separator: ClassVar[str | None] = None

    def describe(self, value: object) -> str:
        """A value in words."""
        return str(self.to_toml(value))

    def to_toml(self, value: object) -> object:
        """A value as a file of TOML has it."""
        return value


@dataclass(frozen=True, slots=True)
class Int(_PlainValue):
    """A whole number within bounds, both included."""

    low: int
    high: int
    metavar: str = "N"

    def parse(self, text: str) -> int:
        """The number that a text means."""
        return self._check_range(int(text) if INTEGER_PATTERN.fullmatch(text) else None, text)

    def from_toml(self, found: object) -> int:
        """The number, if it is one within the bounds."""
        return self._check_range(found if type(found) is int else None, found)

    def _check_range(self, number: int | None, found: object) -> int:
        if number is not None and self.low <= number <= self.high:
            return number
        wanted = f"a whole number from {self.low} to {self.high} is needed"
        raise ValueError(f"{wanted}, not {quote(found)}")


@dataclass(frozen=True, slots=True)
class Text(_PlainValue):
    """A line of text."""

    metavar: str = "TEXT"

    def parse(self, text: str) -> str:
        """The text, if it is a line."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """The text, if it is a line."""
        return _single_line(found, MAX_TEXT_LENGTH)


@dataclass(frozen=True, slots=True)
class Origin(_PlainValue):
    """How browsers name a server: scheme, name and perhaps a port."""

    metavar: str = "URL"

    def parse(self, text: str) -> str:
        """The address."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """The address, if it names nothing below it."""
        if isinstance(found, str) and ORIGIN_PATTERN.fullmatch(found):
            return found
        raise ValueError(
            f"an address such as https://jass.example.org is needed, not {quote(found)}"
        )


@dataclass(frozen=True, slots=True)
class Network(_PlainValue):
    """An address, or a network of addresses."""

    metavar: str = "ADDRESS"

    def parse(self, text: str) -> str:
        """The address."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """The address or network, as it is written."""
        if isinstance(found, str):
            with suppress(ValueError):
                ip_network(found)
                return found
        wanted = "an address or a network, such as 10.0.0.5 or 172.18.0.0/16, is needed"
        raise ValueError(f"{wanted}, not {quote(found)}")


@dataclass(frozen=True, slots=True)
class Directory(_PlainValue):
    """A folder, as seen from where the server is started."""

    metavar: str = "DIR"

    def parse(self, text: str) -> Path:
        """The folder of a name."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> Path:
        """The folder of a name."""
        return Path(_single_line(found, MAX_TEXT_LENGTH))

    def to_toml(self, value: object) -> object:
        """Its name."""
        return str(value)


@dataclass(frozen=True, slots=True)
class SecretUrl(_PlainValue):
    """An address that may hold a password, of which nothing is ever repeated."""

    metavar: str = "URL"

    def parse(self, text: str) -> str:
        """The address."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """The address."""
        if not isinstance(found, str):
            raise ValueError("an address is needed, such as postgresql://user@host/name")
        return _single_line(found, MAX_TEXT_LENGTH)

    def to_toml(self, value: object) -> object:
        """The address without its password and without what it asks for."""
        return _redact(str(value))


@dataclass(frozen=True, slots=True)
class Choice(_PlainValue):
    """One of a few words."""

    words: Sequence[str]

    @property
    def metavar(self) -> str:
        """The words."""
        return "|".join(self.words)

    def parse(self, text: str) -> str:
        """The word, if it is one of them."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """The word, if it is one of them."""
        if isinstance(found, str) and found in self.words:
            return found
        raise ValueError(f"one of {', '.join(self.words)} is needed, not {quote(found)}")


@dataclass(frozen=True, slots=True)
class Bool(_PlainValue):
    """Yes or no."""

    metavar: str = "yes|no"

    def parse(self, text: str) -> bool:
        """What a word means."""
        meant = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
        return self.from_toml(meant.get(text.lower(), text))

    def from_toml(self, found: object) -> bool:
        """What was found."""
        if isinstance(found, bool):
            return found
        raise ValueError(f"yes or no is needed (in a file true or false), not {quote(found)}")

    def describe(self, value: object) -> str:
        """In words."""
        return "yes" if value else "no"


@dataclass(frozen=True, slots=True)
class HostPort(_PlainValue):
    """An address to listen on, with its port."""

    metavar: str = "HOST:PORT"

    def parse(self, text: str) -> tuple[str, int]:
        """Host and port."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> tuple[str, int]:
        """Host and port."""
        parts = HOST_PORT_PATTERN.fullmatch(found) if isinstance(found, str) else None
        if parts is None or int(parts[2]) > MAX_PORT:
            wanted = "an address with a port, such as 127.0.0.1:9100 or [::1]:9100, is needed"
            raise ValueError(f"{wanted}, not {quote(found)}")
        return parts[1].strip("[]"), int(parts[2])

    def to_toml(self, value: object) -> object:
        """As it is read."""
        if not isinstance(value, tuple):
            return value
        host, port = value
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@dataclass(frozen=True, slots=True)
class ListOf(_PlainValue):
    """One or more values of a kind, each once."""

    item_type: SettingType
    separator: ClassVar[str | None] = " "

    @property
    def metavar(self) -> str:
        """That of one of them."""
        return self.item_type.metavar

    def parse(self, text: str) -> tuple[object, ...]:
        """The values between spaces or commas."""
        return self.from_toml([one for one in re.split(r"[\s,]+", text) if one])

    def from_toml(self, found: object) -> tuple[object, ...]:
        """The values of a list."""
        if not isinstance(found, list):
            raise ValueError(f"a list such as [...] is needed, not {quote(found)}")
        values = tuple(self.item_type.from_toml(one) for one in found)
        if not values or len(set(values)) < len(values):
            raise ValueError("one or more values are needed, each only once")
        return values

    def describe(self, value: object) -> str:
        """One after the other."""
        return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    def to_toml(self, value: object) -> object:
        """As a list."""
        return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class LocalizedText(_PlainValue):
    """A text in some languages, or one for all of them."""

    languages: Sequence[str]
    max_length: int
    metavar: str = "TEXT"
    separator: ClassVar[str | None] = "\n"

    def parse(self, text: str) -> Mapping[str, str]:
        """The texts, a line each that begins with `de=`, or one line for all languages."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(lines) == 1 and lines[0].partition("=")[0] not in self.languages:
            return self.from_toml(lines[0])
        named = [line.partition("=") for line in lines]
        if len({name for name, _, _ in named}) < len(named):
            raise ValueError("each language can have only one text")
        return self.from_toml({name.strip(): told.strip() for name, _, told in named})

    def from_toml(self, found: object) -> Mapping[str, str]:
        """The texts by their languages."""
        if isinstance(found, str):
            found = dict.fromkeys(self.languages, found)
        known = ", ".join(self.languages)
        if not isinstance(found, dict) or not found:
            raise ValueError(f"a text, or one for each language of {known}, is needed")
        for name in found:
            if name not in self.languages:
                raise ValueError(f"a language of {known} is needed, not {quote(name)}")
        return {name: _single_line(text, self.max_length) for name, text in found.items()}


def _single_line(found: object, longest: int) -> str:
    """A text of one line that shows something.

    Raises:
        ValueError: it is none.
    """
    wanted = f"a line of 1 to {longest} characters is needed"
    if not isinstance(found, str):
        raise ValueError(f"{wanted}, not {quote(found)}")
    line = found.strip()
    if not 1 <= len(line) <= longest or any(
        category(sign) in FORBIDDEN_CATEGORIES for sign in line
    ):
        raise ValueError(wanted)
    return line


def _redact(link: str) -> str:
    """An address without its password and its query, where drivers look for passwords too."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return MASK
    if "@" in f"{parts.path}{parts.query}{parts.fragment}":
        return MASK  # a password with a sign that ends it
    if not parts.netloc:
        # `sqlite:/srv/jass`, or a folder.
        return link if "password" not in link and "?" not in link else MASK
    user, at, host = parts.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    # What stands there alone is the name of a user to Postgres, and a token to NATS.
    shown = f"{name}{colon and ':' + MASK}" if colon or parts.scheme in POSTGRES_SCHEMES else MASK
    query = f"?{MASK}" if parts.query else ""
    return f"{parts.scheme}://{shown if at else ''}{at}{host}{parts.path}{query}"
