"""The types of settings: how a value is parsed, checked and printed.

A type parses a string (a flag or an environment variable) and converts a TOML value. Both raise a
`ValueError` whose message says what is allowed. The message of a type that may hold a password does
not repeat the value.
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

_INTEGER_PATTERN = re.compile(r"[+-]?[0-9]{1,18}")
_HOST_PORT_PATTERN = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[0-9A-Za-z_.-]+):([0-9]{1,5})")
_ORIGIN_PATTERN = re.compile(
    r"https?://(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?/?", re.IGNORECASE
)
_MASK = "***"
_POSTGRES_SCHEMES = ("postgresql", "postgres")

_FORBIDDEN_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories not allowed in a line: controls, surrogates, line ends."""

_MAX_TEXT_LENGTH = 1_000
"""Maximum length in characters of a text that has no other limit."""

_MAX_PORT = 65_535


class SettingType(Protocol):
    """The type of a setting."""

    @property
    def metavar(self) -> str:
        """The placeholder of a value in the help."""

    @property
    def separator(self) -> str | None:
        """The separator of the values of a flag that takes several; None for a single value."""

    def parse(self, text: str) -> object:
        """Parses a string.

        Raises:
            ValueError: it is not a valid value.
        """

    def from_toml(self, found: object) -> object:
        """Converts a value of a TOML file.

        Raises:
            ValueError: it is not a valid value.
        """

    def format_value(self, value: object) -> str:
        """Returns a value in words, without secrets."""

    def to_toml(self, value: object) -> object:
        """Returns a value for a TOML file, without secrets."""


class _PlainValue:
    """Base of most types: a single value, printed as it is."""

    separator: ClassVar[str | None] = None

    def format_value(self, value: object) -> str:
        """Returns a value in words."""
        return str(self.to_toml(value))

    def to_toml(self, value: object) -> object:
        """Returns a value for a TOML file."""
        return value


@dataclass(frozen=True, slots=True)
class Int(_PlainValue):
    """A whole number within bounds, both included."""

    low: int
    high: int
    metavar: str = "N"

    def parse(self, text: str) -> int:
        """Parses a number within the bounds."""
        return self._check_range(int(text) if _INTEGER_PATTERN.fullmatch(text) else None, text)

    def from_toml(self, found: object) -> int:
        """Checks that a value is a number within the bounds."""
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
        """Parses a line of text."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """Checks that a value is a line of text."""
        return _single_line(found, _MAX_TEXT_LENGTH)


@dataclass(frozen=True, slots=True)
class Origin(_PlainValue):
    """The origin of a server in browsers: scheme, host and optional port."""

    metavar: str = "URL"

    def parse(self, text: str) -> str:
        """Parses an origin."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """Checks that a value is an origin, without a path."""
        if isinstance(found, str) and _ORIGIN_PATTERN.fullmatch(found):
            return found
        raise ValueError(
            f"an address such as https://jass.example.org is needed, not {quote(found)}"
        )


@dataclass(frozen=True, slots=True)
class Network(_PlainValue):
    """An IP address, or a network of addresses."""

    metavar: str = "ADDRESS"

    def parse(self, text: str) -> str:
        """Parses an address or a network."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """Checks that a value is an address or a network."""
        if isinstance(found, str):
            with suppress(ValueError):
                ip_network(found)
                return found
        wanted = "an address or a network, such as 10.0.0.5 or 172.18.0.0/16, is needed"
        raise ValueError(f"{wanted}, not {quote(found)}")


@dataclass(frozen=True, slots=True)
class Directory(_PlainValue):
    """A folder, relative to the working directory of the server."""

    metavar: str = "DIR"

    def parse(self, text: str) -> Path:
        """Parses the name of a folder."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> Path:
        """Converts the name of a folder."""
        return Path(_single_line(found, _MAX_TEXT_LENGTH))

    def to_toml(self, value: object) -> object:
        """Returns the name of the folder."""
        return str(value)


@dataclass(frozen=True, slots=True)
class SecretUrl(_PlainValue):
    """A URL that may hold a password; it is never printed in full."""

    metavar: str = "URL"

    def parse(self, text: str) -> str:
        """Parses a URL."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """Checks that a value is a URL."""
        if not isinstance(found, str):
            raise ValueError("an address is needed, such as postgresql://user@host/name")
        return _single_line(found, _MAX_TEXT_LENGTH)

    def to_toml(self, value: object) -> object:
        """Returns the URL without password and query."""
        return _redact(str(value))


@dataclass(frozen=True, slots=True)
class Choice(_PlainValue):
    """One of a few words."""

    words: Sequence[str]

    @property
    def metavar(self) -> str:
        """The allowed words."""
        return "|".join(self.words)

    def parse(self, text: str) -> str:
        """Parses one of the words."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> str:
        """Checks that a value is one of the words."""
        if isinstance(found, str) and found in self.words:
            return found
        raise ValueError(f"one of {', '.join(self.words)} is needed, not {quote(found)}")


@dataclass(frozen=True, slots=True)
class Bool(_PlainValue):
    """Yes or no."""

    metavar: str = "yes|no"

    def parse(self, text: str) -> bool:
        """Parses yes or no."""
        meant = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
        return self.from_toml(meant.get(text.lower(), text))

    def from_toml(self, found: object) -> bool:
        """Checks that a value is a boolean."""
        if isinstance(found, bool):
            return found
        raise ValueError(f"yes or no is needed (in a file true or false), not {quote(found)}")

    def format_value(self, value: object) -> str:
        """Returns yes or no."""
        return "yes" if value else "no"


@dataclass(frozen=True, slots=True)
class HostPort(_PlainValue):
    """A listen address with its port."""

    metavar: str = "HOST:PORT"

    def parse(self, text: str) -> tuple[str, int]:
        """Parses host and port."""
        return self.from_toml(text)

    def from_toml(self, found: object) -> tuple[str, int]:
        """Converts a string to host and port."""
        parts = _HOST_PORT_PATTERN.fullmatch(found) if isinstance(found, str) else None
        if parts is None or int(parts[2]) > _MAX_PORT:
            wanted = "an address with a port, such as 127.0.0.1:9100 or [::1]:9100, is needed"
            raise ValueError(f"{wanted}, not {quote(found)}")
        return parts[1].strip("[]"), int(parts[2])

    def to_toml(self, value: object) -> object:
        """Returns host and port as they are parsed."""
        if not isinstance(value, tuple):
            return value
        host, port = value
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@dataclass(frozen=True, slots=True)
class ListOf(_PlainValue):
    """One or more distinct values of a type."""

    item_type: SettingType
    separator: ClassVar[str | None] = " "

    @property
    def metavar(self) -> str:
        """The placeholder of one value."""
        return self.item_type.metavar

    def parse(self, text: str) -> tuple[object, ...]:
        """Parses values separated by spaces or commas."""
        return self.from_toml([one for one in re.split(r"[\s,]+", text) if one])

    def from_toml(self, found: object) -> tuple[object, ...]:
        """Converts a list of values."""
        if not isinstance(found, list):
            raise ValueError(f"a list such as [...] is needed, not {quote(found)}")
        values = tuple(self.item_type.from_toml(one) for one in found)
        if not values or len(set(values)) < len(values):
            raise ValueError("one or more values are needed, each only once")
        return values

    def format_value(self, value: object) -> str:
        """Returns the values, separated by spaces."""
        return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    def to_toml(self, value: object) -> object:
        """Returns the values as a list."""
        return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class LocalizedText(_PlainValue):
    """A text for each language, or one for all of them."""

    languages: Sequence[str]
    max_length: int
    metavar: str = "TEXT"
    separator: ClassVar[str | None] = "\n"

    def parse(self, text: str) -> Mapping[str, str]:
        """Parses lines that each begin with `de=`, `fr=` …, or one line for all languages."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(lines) == 1 and lines[0].partition("=")[0] not in self.languages:
            return self.from_toml(lines[0])
        named = [line.partition("=") for line in lines]
        if len({name for name, _, _ in named}) < len(named):
            raise ValueError("each language can have only one text")
        return self.from_toml({name.strip(): line.strip() for name, _, line in named})

    def from_toml(self, found: object) -> Mapping[str, str]:
        """Converts a table of texts by language, or one text for all languages."""
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
    """Returns a text of one line, stripped.

    Raises:
        ValueError: it is not a visible line, or too long.
    """
    wanted = f"a line of 1 to {longest} characters is needed"
    if not isinstance(found, str):
        raise ValueError(f"{wanted}, not {quote(found)}")
    line = found.strip()
    if not 1 <= len(line) <= longest or any(
        category(sign) in _FORBIDDEN_CATEGORIES for sign in line
    ):
        raise ValueError(wanted)
    return line


def _redact(link: str) -> str:
    """Returns a URL without password and query; drivers read passwords from both."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return _MASK
    if "@" in f"{parts.path}{parts.query}{parts.fragment}":
        return _MASK  # a password with an unescaped separator
    if not parts.netloc:
        # `sqlite:/srv/jass`, or a folder.
        return link if "password" not in link and "?" not in link else _MASK
    user, at, host = parts.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    # A user part without a colon is a user name for Postgres and a token for NATS.
    shown = (
        f"{name}{colon and ':' + _MASK}" if colon or parts.scheme in _POSTGRES_SCHEMES else _MASK
    )
    query = f"?{_MASK}" if parts.query else ""
    return f"{parts.scheme}://{shown if at else ''}{at}{host}{parts.path}{query}"
