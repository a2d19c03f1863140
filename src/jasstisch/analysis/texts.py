"""The texts of reasons and reports, in four languages.

They are data files, `texts/LANGUAGE.json`, with the same structure as those of the tutorials; the
web client is built with the same files. `jasstisch.i18n.templates` describes the placeholders.
"""

from jasstisch.engine.errors import GameError, quote
from jasstisch.i18n.templates import LANGUAGES, load_sections


def reason_texts(language: str) -> dict[str, str]:
    """Returns the texts of a language by the ids of reasons.

    Raises:
        GameError: there are none in this language.
    """
    return dict(_sections(language)["reason"])


def report_texts(language: str) -> dict[str, str]:
    """Returns the headings of a report in a language by name.

    Raises:
        GameError: there are none in this language.
    """
    return dict(_sections(language)["report"])


def suit_and_rank_names(language: str) -> dict[str, str]:
    """Returns the names of Swiss suits and the plurals of ranks, by their letters.

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
