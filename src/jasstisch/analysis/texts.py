"""The texts of reasons and reports, in four languages.

Data files, `texts/language.json`, with sections and names as those of the guides; the web client is
built with the same files. What stands in the gaps is read as in `jasstisch.i18n.templates`.
"""

from jasstisch.engine.errors import GameError, quote
from jasstisch.i18n.templates import LANGUAGES, load_sections

__all__ = ["LANGUAGES", "card_names", "reason_texts", "report_texts"]


def reason_texts(language: str) -> dict[str, str]:
    """The texts of a language by the ids of reasons.

    Raises:
        GameError: there are none in this language.
    """
    return dict(_sections(language)["reason"])


def report_texts(language: str) -> dict[str, str]:
    """The headings of a report in a language, by their names.

    Raises:
        GameError: there are none in this language.
    """
    return dict(_sections(language)["report"])


def card_names(language: str) -> dict[str, str]:
    """What suits of the Swiss deck and several cards of a rank are called, by their letters.

    Raises:
        GameError: there are no texts in this language.
    """
    return dict(_sections(language)["name"])


def _sections(language: str) -> dict[str, dict[str, str]]:
    if language not in LANGUAGES:
        raise GameError(
            f"no analysis in {quote(language)}; the languages are {', '.join(LANGUAGES)}"
        )
    return load_sections("analysis", language)
