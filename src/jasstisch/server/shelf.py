"""The words and rule sheets that the page reads, also those of games from other packages.

Each language is put together once. Where a file of a game's words is not as it must be the host is
told so, and the game is shown by its own names, as one without words.
"""

import msgspec

from jasstisch import rulebook
from jasstisch.errors import GameError
from jasstisch.games.rules import REGISTRY
from jasstisch.server import messages
from jasstisch.server.log import failure, log

__all__ = ["Shelf"]


class Shelf:
    """Hands out words and sheets."""

    def __init__(self) -> None:
        self._words: dict[str, dict[str, messages.GameWords]] = {}

    def words(self, lang: str) -> dict[str, messages.GameWords]:
        """For each game that can be played here its words.

        Raises:
            GameError: no such language.
        """
        if lang not in rulebook.LANGUAGES:
            raise GameError(f"no words in this language; there is {', '.join(rulebook.LANGUAGES)}")
        if lang not in self._words:
            self._words[lang] = {game: _words(game, lang) for game in sorted(REGISTRY)}
        return self._words[lang]

    def sheet(self, game: str, lang: str) -> str:
        """The rule sheet of a game: in a language, else in the first there is.

        Raises:
            GameError: the game has no sheet.
        """
        there = rulebook.languages(game)
        return rulebook.sheet(game, lang if lang in there or not there else there[0])


def _words(game: str, lang: str) -> messages.GameWords:
    try:
        words, facts = rulebook.words(game, lang), rulebook.facts(game)
    except (GameError, OSError, UnicodeError) as error:
        log.error("words_unreadable", game=game, lang=lang, says=str(error), **failure(error))
        words, facts = rulebook.Words(game), rulebook.Facts()
    return messages.GameWords(
        name=words.name,
        about=words.about,
        options=msgspec.convert(
            words.options, dict[str, messages.OptionWords], from_attributes=True
        ),
        phases=dict(words.phases),
        actions=msgspec.convert(
            words.actions, dict[str, messages.ActionWords], from_attributes=True
        ),
        contracts=dict(words.contracts),
        columns=dict(words.columns),
        order=facts.order,
        places=dict(facts.places),
        effects=msgspec.convert(facts.effects, dict[str, dict[str, list[messages.OptionValue]]]),
        example=msgspec.convert(facts.example, messages.Example | None, from_attributes=True),
        emblem=msgspec.convert(facts.emblem, messages.Drawing | None, from_attributes=True),
        ranks=REGISTRY[game].deck.ranks,
        sheet=bool(rulebook.languages(game)),
    )
