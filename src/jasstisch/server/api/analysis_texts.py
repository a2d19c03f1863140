"""The reasons of an analysis as plain texts, for clients that do not draw cards.

The texts are read as files, because importing their package would import the search modules, which
the server's own process does not need.
"""

from collections.abc import Sequence

from jasstisch.i18n.templates import Segment, Values, load_sections, render

_SUIT_SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def reason_text(language: str, reason: str, values: Values, names: Sequence[str]) -> str:
    """Formats a reason as text.

    Args:
        language: one of the languages of the texts.
        reason: the id of the reason.
        values: the values for the placeholders.
        names: the players' names, by seat.
    """
    text = _sections(language)["reason"].get(reason, "")
    return "".join(_render_piece(piece, language, names) for piece in render(text, values))


def unit_text(language: str, unit: str) -> str:
    """The name of a unit in a language; its internal name if there is no text."""
    return _sections(language)["report"].get(unit, unit)


def _sections(language: str) -> dict[str, dict[str, str]]:
    return load_sections("analysis", language)


def _render_piece(piece: Segment, language: str, names: Sequence[str]) -> str:
    kind, text = piece
    match kind:
        case "card":
            return f"{_rank_text(text[0])}{_SUIT_SYMBOLS[text[1]]}"
        case "suit":
            return _SUIT_SYMBOLS[text]
        case "rank":
            return _rank_text(text)
        case "ranks":
            return _sections(language)["name"][text]
        case "seat":
            return names[int(text)]
        case "number":
            return text.replace("-", "−").replace(".", _sections(language)["report"]["decimal"])
        case _:
            return text


def _rank_text(rank: str) -> str:
    return "10" if rank == "T" else rank
