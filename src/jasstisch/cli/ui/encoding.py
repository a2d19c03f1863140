"""Any terminal can show what we print: signs its encoding lacks become the nearest ASCII sign.

A Windows console or a pipe may know neither suit symbols nor umlauts. Each sign is replaced by one
of the same width, so that columns stay in line, and suits by their letters, so that a card reads
as it is typed: `J♣` becomes `JC`.
"""

import codecs
import io
import unicodedata
from typing import TextIO

__all__ = ["ERROR_HANDLER", "configure_stdio", "sanitize_line", "sanitize_text"]

ERROR_HANDLER = "jasstisch.nearest"
"""How what an encoding lacks is replaced, as the name of a handler of errors."""

PRESERVED_CHARACTERS = "\n\u00a0\u202f"
"""Signs that are no letters but belong to texts: the line end, and spaces of French."""

ASCII_FALLBACKS = {
    "♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "◉": "D", "✿": "H", "▼": "S",
    "Ø": "X", "·": "-", "–": "-", "—": "-", "−": "-", "×": "x", "…": ".",
    "«": '"', "»": '"', "“": '"', "”": '"', "„": '"', "’": "'",
    "•": "*", "→": ">", "←": "<",
    "─": "-", "━": "-", "│": "|", "▌": "|", "═": "=",
}  # fmt: skip


def sanitize_line(text: str) -> str:
    """The text without anything that a terminal would obey: line ends, escapes, lone surrogates."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def sanitize_text(text: str) -> str:
    """The same for a text of several lines, with the spaces at which no line may break."""
    return "".join(sign if sign in PRESERVED_CHARACTERS else sanitize_line(sign) for sign in text)


def ascii_fallback(sign: str) -> str:
    """The nearest ASCII sign: its base letter, a look-alike, or a question mark."""
    base = unicodedata.normalize("NFKD", sign)[:1]
    return ASCII_FALLBACKS.get(sign) or (base if base.isascii() and base else "?")


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(map(ascii_fallback, lost)), error.end


codecs.register_error(ERROR_HANDLER, _replace_unencodable)


def configure_stdio(typed: TextIO, *printed: TextIO) -> None:
    """Makes reading and printing safe for any text, whatever the encoding of the streams."""
    if isinstance(typed, io.TextIOWrapper):
        typed.reconfigure(errors="replace")
    for stream in printed:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERROR_HANDLER)
