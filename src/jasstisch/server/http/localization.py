"""The words and rule sheets that the page reads, also those of games from other packages.

Each language is put together once. Where a file of a game's words is not as it must be the host is
told so, and the game is shown by its own names, as one without words.
"""

import msgspec

from jasstisch import i18n
from jasstisch.engine.errors import GameError
from jasstisch.games.rules import REGISTRY
from jasstisch.server.api import messages
from jasstisch.server.observability import describe_exception, log

__all__ = ["LocalizedTexts"]


class LocalizedTexts:
    """Hands out words and sheets."""

    def __init__(self) -> None:
        self._cache: dict[str, dict[str, messages.GameTexts]] = {}

    def game_texts(self, lang: str) -> dict[str, messages.GameTexts]:
        """For each game that can be played here its words.

        Raises:
            GameError: no such language.
        """
        if lang not in i18n.LANGUAGES:
            raise GameError(f"no words in this language; there is {', '.join(i18n.LANGUAGES)}")
        if lang not in self._cache:
            self._cache[lang] = {game: _load_game_texts(game, lang) for game in sorted(REGISTRY)}
        return self._cache[lang]

    def rule_sheet(self, game: str, lang: str) -> str:
        """The rule sheet of a game: in a language, else in the first there is.

        Raises:
            GameError: the game has no sheet.
        """
        there = i18n.sheet_languages(game)
        return i18n.rule_sheet(game, lang if lang in there or not there else there[0])


def _load_game_texts(game: str, lang: str) -> messages.GameTexts:
    try:
        words, facts = i18n.load_game_texts(game, lang), i18n.load_game_metadata(game)
    except (GameError, OSError, UnicodeError) as error:
        log.error(
            "words_unreadable", game=game, lang=lang, says=str(error), **describe_exception(error)
        )
        words, facts = i18n.GameTexts(game), i18n.GameMetadata()
    return messages.GameTexts(
        name=words.name,
        about=words.about,
        options=msgspec.convert(
            words.options, dict[str, messages.OptionTexts], from_attributes=True
        ),
        phases=dict(words.phases),
        actions=msgspec.convert(
            words.actions, dict[str, messages.ActionTexts], from_attributes=True
        ),
        contracts=dict(words.contracts),
        columns=dict(words.columns),
        order=facts.order,
        places=dict(facts.places),
        effects=msgspec.convert(facts.effects, dict[str, dict[str, list[messages.OptionValue]]]),
        example=msgspec.convert(facts.example, messages.Example | None, from_attributes=True),
        emblem=msgspec.convert(facts.emblem, messages.Emblem | None, from_attributes=True),
        ranks=REGISTRY[game].deck.ranks,
        sheet=bool(i18n.sheet_languages(game)),
    )
