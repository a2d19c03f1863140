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

from jasstisch.server.asgi import Scope
from jasstisch.server.front import Site

__all__ = ["PICTURE", "Previews", "Words"]

PICTURE = "/preview.png"
"""Where the picture is, of 1200 by 630 dots."""

LOCALES = {"de": "de_CH", "fr": "fr_CH", "it": "it_CH", "en": "en_GB"}
"""The languages as Open Graph names them."""

WISH = re.compile(r"([a-z]{1,8})(?:-[a-z0-9-]*)?(?:\s*;\s*q=([01](?:\.[0-9]{0,3})?))?")


@dataclass(frozen=True, slots=True)
class Words:
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


class Previews:
    """The previews of the pages, in the languages that the host offers.

    Args:
        words: what they say, by language.
        languages: those offered; the first is for callers who want none of them.
    """

    def __init__(self, words: Mapping[str, Words], languages: Sequence[str]) -> None:
        self._words = words
        self._languages = languages

    def language(self, scope: Scope) -> str:
        """The language of the preview for a request."""
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [])
        header = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
        wanted = (one for one in (*asked, *_wishes(header)) if one in self._languages)
        return next(wanted, self._languages[0])

    def tags(self, language: str, site: Site | None, *, table: bool) -> str:
        """The elements for the head of a page.

        Args:
            language: one of those offered.
            site: where the page was asked for; without it there is no picture, whose address must
                be whole.
            table: whether it is the page of a table, not the start page.
        """
        words = self._words[language]
        title, text = (words.table_title, words.table_text) if table else (words.title, words.text)
        lines = [
            _named("description", text),
            _graph("type", "website"),
            _graph("site_name", "Jasstisch"),
            _graph("locale", LOCALES[language]),
            _graph("title", title),
            _graph("description", text),
        ]
        if site is not None:
            lines += [
                *([] if table else [_graph("url", f"{site}/")]),
                _graph("image", f"{site}{PICTURE}"),
                _graph("image:width", "1200"),
                _graph("image:height", "630"),
                _graph("image:alt", words.picture),
                _named("twitter:card", "summary_large_image"),
            ]
        return "\n    ".join(lines)


def _wishes(header: str) -> list[str]:
    """The languages that an `Accept-Language` names, the dearest first."""
    found = (WISH.fullmatch(part.strip()) for part in header.lower().split(","))
    weighed = [(float(wish[2] or 1), wish[1]) for wish in found if wish]
    return [tag for weight, tag in sorted(weighed, key=lambda one: -one[0]) if weight > 0]


def _graph(name: str, content: str) -> str:
    return f'<meta property="og:{name}" content="{escape(content)}" />'


def _named(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{escape(content)}" />'
