"""The texts and rule sheets of games for the page, including games of other packages.

The texts of each language are assembled once. If a text file of a game is invalid, the error is
logged for the operator, and the game is shown with its internal names, like one without texts.
"""

import msgspec

from jasstisch import i18n
from jasstisch.engine.errors import GameError
from jasstisch.games.rules import REGISTRY
from jasstisch.server.api import bodies, messages
from jasstisch.server.observability import describe_exception, log


class LocalizedTexts:
    """Provides texts and rule sheets."""

    def __init__(self) -> None:
        self._cache: dict[str, dict[str, bodies.GameTexts]] = {}

    def game_texts(self, lang: str) -> dict[str, bodies.GameTexts]:
        """The texts of each game that can be played here.

        Raises:
            GameError: the language does not exist.
        """
        if lang not in i18n.LANGUAGES:
            raise GameError(f"no words in this language; there is {', '.join(i18n.LANGUAGES)}")
        if lang not in self._cache:
            self._cache[lang] = {game: _load_game_texts(game, lang) for game in sorted(REGISTRY)}
        return self._cache[lang]

    def rule_sheet(self, game: str, lang: str) -> str:
        """The rule sheet of a game, in a language if it exists, otherwise in the first one.

        Raises:
            GameError: the game has no rule sheet.
        """
        there = i18n.sheet_languages(game)
        return i18n.rule_sheet(game, lang if lang in there or not there else there[0])


def _load_game_texts(game: str, lang: str) -> bodies.GameTexts:
    try:
        words, facts = i18n.load_game_texts(game, lang), i18n.load_game_metadata(game)
    except (GameError, OSError, UnicodeError) as error:
        log.error(
            "words_unreadable", game=game, lang=lang, says=str(error), **describe_exception(error)
        )
        words, facts = i18n.GameTexts(game), i18n.GameMetadata()
    return bodies.GameTexts(
        name=words.name,
        about=words.about,
        options=msgspec.convert(words.options, dict[str, bodies.OptionTexts], from_attributes=True),
        phases=dict(words.phases),
        actions=msgspec.convert(words.actions, dict[str, bodies.ActionTexts], from_attributes=True),
        contracts=dict(words.contracts),
        columns=dict(words.columns),
        order=facts.order,
        places=dict(facts.places),
        seats=list(facts.seats),
        effects=msgspec.convert(facts.effects, dict[str, dict[str, list[messages.OptionValue]]]),
        example=msgspec.convert(
            facts.example, bodies.RuleSheetExample | None, from_attributes=True
        ),
        emblem=msgspec.convert(facts.emblem, bodies.Emblem | None, from_attributes=True),
        ranks=REGISTRY[game].deck.ranks,
        sheet=bool(i18n.sheet_languages(game)),
    )
