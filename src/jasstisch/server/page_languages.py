"""The languages of the page, in the order in which it lists them."""

from collections.abc import Sequence

LANGUAGES = ("de", "fr", "it", "en")


def fallback(languages: Sequence[str]) -> str:
    """The language for browsers that accept none of these: English, or the first without it."""
    return "en" if "en" in languages else languages[0]
