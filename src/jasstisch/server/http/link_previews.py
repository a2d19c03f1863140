"""Link previews for messengers: a title, a sentence and a picture, as Open Graph tags.

Previews are fetched by programs without a cookie, and their content becomes part of a conversation.
So they only say that the link leads to a table. They reveal neither who sits there, nor the game,
nor whether the table exists, which is not looked up. No tag repeats the address, because the
table's id is the secret part of its link.

The language is that of the link, as in `?lang=fr`, otherwise the first one that the client accepts.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qs

from jasstisch.server.net import Origin, Scope
from jasstisch.server.page_languages import fallback

IMAGE_PATH = "/preview.png"
"""The path of the picture, of 1200 by 630 pixels."""

_OPEN_GRAPH_LOCALES = {"de": "de_CH", "fr": "fr_CH", "it": "it_CH", "en": "en_GB"}
"""The languages as Open Graph locales."""

_LANGUAGE_RANGE = re.compile(r"([a-z]{1,8})(?:-[a-z0-9-]*)?(?:\s*;\s*q=([01](?:\.[0-9]{0,3})?))?")


@dataclass(frozen=True, slots=True)
class PreviewText:
    """The texts of a preview in one language.

    Attributes:
        title: the title of the start page.
        text: the sentence below it.
        table_title: the title of any table.
        table_text: the sentence below it.
        picture: the alternative text of the picture.
    """

    title: str
    text: str
    table_title: str
    table_text: str
    picture: str


class LinkPreviews:
    """The previews of the pages, in the languages that the operator offers.

    Args:
        words: the texts, by language.
        languages: the offered languages.
    """

    def __init__(self, words: Mapping[str, PreviewText], languages: Sequence[str]) -> None:
        self._texts = words
        self._languages = languages

    def negotiate_language(self, scope: Scope) -> str:
        """The language of the preview for a request."""
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [])
        header = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
        wanted = (one for one in (*asked, *_accepted_languages(header)) if one in self._languages)
        return next(wanted, fallback(self._languages))

    def meta_tags(self, language: str, site: Origin | None, *, table: bool) -> str:
        """The elements for the head of a page.

        Args:
            language: one of the offered languages.
            site: the origin of the page; without it there is no picture, which needs an absolute
                URL.
            table: whether it is the page of a table, not the start page.
        """
        words = self._texts[language]
        title, text = (words.table_title, words.table_text) if table else (words.title, words.text)
        lines = [
            _name_tag("description", text),
            _property_tag("type", "website"),
            _property_tag("site_name", "Jasstisch"),
            _property_tag("locale", _OPEN_GRAPH_LOCALES[language]),
            _property_tag("title", title),
            _property_tag("description", text),
        ]
        if site is not None:
            lines += [
                *([] if table else [_property_tag("url", f"{site}/")]),
                _property_tag("image", f"{site}{IMAGE_PATH}"),
                _property_tag("image:width", "1200"),
                _property_tag("image:height", "630"),
                _property_tag("image:alt", words.picture),
                _name_tag("twitter:card", "summary_large_image"),
            ]
        return "\n    ".join(lines)


def _accepted_languages(header: str) -> list[str]:
    """The languages in an `Accept-Language` header, most preferred first."""
    found = (_LANGUAGE_RANGE.fullmatch(part.strip()) for part in header.lower().split(","))
    weighed = [(float(wish[2] or 1), wish[1]) for wish in found if wish]
    return [tag for weight, tag in sorted(weighed, key=lambda one: -one[0]) if weight > 0]


def _property_tag(name: str, content: str) -> str:
    return f'<meta property="og:{name}" content="{escape(content)}" />'


def _name_tag(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{escape(content)}" />'
