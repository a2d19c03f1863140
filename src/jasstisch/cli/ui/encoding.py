"""Output for any encoding: characters that it lacks become the nearest ASCII character.

A Windows console or a pipe may lack suit symbols and umlauts. Each character is replaced by one of
the same width, so that columns stay aligned. A suit symbol becomes its letter, so that a card reads
as it is typed: `J♣` becomes `JC`.
"""

import codecs
import io
import unicodedata
from typing import TextIO

ERROR_HANDLER = "jasstisch.nearest"
"""The name of the codec error handler that replaces characters."""

_PRESERVED_CHARACTERS = "\n\u00a0\u202f"
"""Characters to keep although they are not printable: the line feed, and spaces of French."""

_ASCII_FALLBACKS = {
    "♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "◉": "D", "✿": "H", "▼": "S",
    "Ø": "X", "·": "-", "–": "-", "—": "-", "−": "-", "×": "x", "…": ".",
    "«": '"', "»": '"', "“": '"', "”": '"', "„": '"', "’": "'",
    "•": "*", "→": ">", "←": "<",
    "─": "-", "━": "-", "│": "|", "▌": "|", "═": "=",
}  # fmt: skip


def printable_line(text: str) -> str:
    """Removes control characters from a text: line ends, escapes, lone surrogates."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def printable_text(text: str) -> str:
    """Does the same for a text of several lines; keeps non-breaking spaces."""
    return "".join(sign if sign in _PRESERVED_CHARACTERS else printable_line(sign) for sign in text)


def _ascii_fallback(sign: str) -> str:
    """Returns the nearest ASCII character: base letter, look-alike, or question mark."""
    base = unicodedata.normalize("NFKD", sign)[:1]
    return _ASCII_FALLBACKS.get(sign) or (base if base.isascii() and base else "?")


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(map(_ascii_fallback, lost)), error.end


codecs.register_error(ERROR_HANDLER, _replace_unencodable)


def configure_stdio(typed: TextIO, *printed: TextIO) -> None:
    """Makes the standard streams safe for any text, whatever their encoding."""
    if isinstance(typed, io.TextIOWrapper):
        typed.reconfigure(errors="replace")
    for stream in printed:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERROR_HANDLER)
