"""Any terminal can show what we print: signs its encoding lacks become the nearest ASCII sign.

A Windows console or a pipe may know neither suit symbols nor umlauts. Each sign is replaced by one
of the same width, so that columns stay in line, and suits by their letters, so that a card reads
as it is typed: `J♣` becomes `JC`.
"""

import codecs
import io
import unicodedata
from typing import TextIO

__all__ = ["NEAREST_SIGN", "harmless", "prepare", "printable"]

NEAREST_SIGN = "jasstisch.nearest"
"""How what an encoding lacks is replaced, as the name of a handler of errors."""

KEPT = "\n\u00a0\u202f"
"""Signs that are no letters but belong to texts: the line end, and spaces of French."""

NEAREST = {
    "♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "◉": "D", "✿": "H", "▼": "S",
    "Ø": "X", "·": "-", "–": "-", "—": "-", "−": "-", "×": "x", "…": ".",
    "«": '"', "»": '"', "“": '"', "”": '"', "„": '"', "’": "'",
    "•": "*", "→": ">", "←": "<",
    "─": "-", "━": "-", "│": "|", "▌": "|", "═": "=",
}  # fmt: skip


def printable(text: str) -> str:
    """The text without anything that a terminal would obey: line ends, escapes, lone surrogates."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def harmless(text: str) -> str:
    """The same for a text of several lines, with the spaces at which no line may break."""
    return "".join(sign if sign in KEPT else printable(sign) for sign in text)


def nearest(sign: str) -> str:
    """The nearest ASCII sign: its base letter, a look-alike, or a question mark."""
    base = unicodedata.normalize("NFKD", sign)[:1]
    return NEAREST.get(sign) or (base if base.isascii() and base else "?")


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(map(nearest, lost)), error.end


codecs.register_error(NEAREST_SIGN, _replace)


def prepare(typed: TextIO, *printed: TextIO) -> None:
    """Makes reading and printing safe for any text, whatever the encoding of the streams."""
    if isinstance(typed, io.TextIOWrapper):
        typed.reconfigure(errors="replace")
    for stream in printed:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=NEAREST_SIGN)
