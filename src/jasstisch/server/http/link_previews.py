"""What messengers show of a link: a title, a sentence and a picture, by the tags of Open Graph.

Who asks for them is a program without a cookie, and whatever it learns stands in a conversation.
So they tell that a table is on offer and nothing of it: neither who sits there, nor what is played,
nor whether there is such a table, which nobody looks up. No tag repeats the address, for the
table's id is the secret of its link.

The language is what the link says, as `?lang=fr`, else the first that the caller wants.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qs

from jasstisch.server.net import Origin, Scope

__all__ = ["IMAGE_PATH", "LinkPreviews", "PreviewText"]

IMAGE_PATH = "/preview.png"
"""Where the picture is, of 1200 by 630 dots."""

OPEN_GRAPH_LOCALES = {"de": "de_CH", "fr": "fr_CH", "it": "it_CH", "en": "en_GB"}
"""The languages as Open Graph names them."""

LANGUAGE_RANGE = re.compile(r"([a-z]{1,8})(?:-[a-z0-9-]*)?(?:\s*;\s*q=([01](?:\.[0-9]{0,3})?))?")


@dataclass(frozen=True, slots=True)
class PreviewText:
    """What a preview says in one language.

    Attributes:
        title: of the start page.
        text: the sentence below it.
        table_title: of any table.
        table_text: the sentence below it.
        picture: what is to be seen in the picture, for those who do not see it.
    """

    title: str
    text: str
    table_title: str
    table_text: str
    picture: str


class LinkPreviews:
    """The previews of the pages, in the languages that the host offers.

    Args:
        words: what they say, by language.
        languages: those offered; the first is for callers who want none of them.
    """

    def __init__(self, words: Mapping[str, PreviewText], languages: Sequence[str]) -> None:
        self._texts = words
        self._languages = languages

    def negotiate_language(self, scope: Scope) -> str:
        """The language of the preview for a request."""
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [])
        header = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
        wanted = (one for one in (*asked, *_accepted_languages(header)) if one in self._languages)
        return next(wanted, self._languages[0])

    def meta_tags(self, language: str, site: Origin | None, *, table: bool) -> str:
        """The elements for the head of a page.

        Args:
            language: one of those offered.
            site: where the page was asked for; without it there is no picture, whose address must
                be whole.
            table: whether it is the page of a table, not the start page.
        """
        words = self._texts[language]
        title, text = (words.table_title, words.table_text) if table else (words.title, words.text)
        lines = [
            _name_tag("description", text),
            _property_tag("type", "website"),
            _property_tag("site_name", "Jasstisch"),
            _property_tag("locale", OPEN_GRAPH_LOCALES[language]),
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
    """The languages that an `Accept-Language` names, the dearest first."""
    found = (LANGUAGE_RANGE.fullmatch(part.strip()) for part in header.lower().split(","))
    weighed = [(float(wish[2] or 1), wish[1]) for wish in found if wish]
    return [tag for weight, tag in sorted(weighed, key=lambda one: -one[0]) if weight > 0]


def _property_tag(name: str, content: str) -> str:
    return f'<meta property="og:{name}" content="{escape(content)}" />'


def _name_tag(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{escape(content)}" />'
