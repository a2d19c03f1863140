"""The texts and rule sheets of games for the page, including games of other packages.

The texts are assembled once, as JSON. Their version, a hash of all of them, is part of the page: it
lets browsers keep them for good. If a text file of a game is invalid, the error is
logged for the operator, and the game is shown with its internal names, like one without texts.
"""

from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

import msgspec

from jasstisch import i18n
from jasstisch.engine.errors import GameError
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import REGISTRY
from jasstisch.server.api import bodies, messages
from jasstisch.server.http.files import CACHE_IMMUTABLE, CACHE_REVALIDATE, File, document
from jasstisch.server.observability import describe_exception, log

_VERSION_LENGTH = 16


class _Sources(NamedTuple):
    """What is known about a game in a language."""

    texts: i18n.GameTexts
    facts: i18n.GameMetadata


class LocalizedTexts:
    """Provides texts and rule sheets."""

    def game_texts(self, game: str, lang: str, version: str | None = None) -> File:
        """The texts of a game in a language.

        Args:
            game: the name of the game.
            lang: the language.
            version: the version that is asked for; None for whatever is current.

        Raises:
            GameError: the game or the language does not exist.
        """
        _check(lang)
        if game not in REGISTRY:
            raise GameError(f"no game is called {game}; there is {', '.join(sorted(REGISTRY))}")
        return self._file(self._texts[lang][game], version)

    def catalogue(self, lang: str, version: str | None = None) -> File:
        """All games as they are listed in a language; the version is as in `game_texts`.

        Raises:
            GameError: the language does not exist.
        """
        _check(lang)
        return self._file(self._catalogues[lang], version)

    @cached_property
    def games(self) -> list[str]:
        """The names of all games, the best known first."""
        facts = {game: found.facts for game, found in self._sources[i18n.LANGUAGES[0]].items()}
        return sorted(facts, key=lambda game: _place(game, facts[game]))

    @cached_property
    def version(self) -> str:
        """A hash of all texts."""
        whole = sha256()
        for lang in i18n.LANGUAGES:
            for body in (self._catalogues[lang], *self._texts[lang].values()):
                whole.update(body)
        return whole.hexdigest()[:_VERSION_LENGTH]

    def rule_sheet(self, game: str, lang: str) -> str:
        """The rule sheet of a game, in a language if it exists, otherwise in the first one.

        Raises:
            GameError: the game has no rule sheet.
        """
        there = i18n.sheet_languages(game)
        return i18n.rule_sheet(game, lang if lang in there or not there else there[0])

    @cached_property
    def _sources(self) -> dict[str, dict[str, _Sources]]:
        """The sources by language and game."""
        return {
            lang: {game: _load_sources(game, lang) for game in sorted(REGISTRY)}
            for lang in i18n.LANGUAGES
        }

    @cached_property
    def _texts(self) -> dict[str, dict[str, bytes]]:
        """The encoded texts by language and game."""
        return {
            lang: {game: msgspec.json.encode(_texts(game, *one)) for game, one in found.items()}
            for lang, found in self._sources.items()
        }

    @cached_property
    def _catalogues(self) -> dict[str, bytes]:
        """The encoded lists of games by language."""
        return {
            lang: msgspec.json.encode([_summary(game, *found[game]) for game in self.games])
            for lang, found in self._sources.items()
        }

    def _file(self, body: bytes, version: str | None) -> File:
        current = version == self.version
        return document(body, cached=CACHE_IMMUTABLE if current else CACHE_REVALIDATE)


def _check(lang: str) -> None:
    """Checks that there are texts in a language.

    Raises:
        GameError: there are none.
    """
    if lang not in i18n.LANGUAGES:
        raise GameError(f"no texts in this language; there is {', '.join(i18n.LANGUAGES)}")


def _place(game: str, facts: i18n.GameMetadata) -> tuple[bool, int, str]:
    """The place of a game in the list; those without one follow by their names."""
    return (facts.order is None, facts.order or 0, game)


def _load_sources(game: str, lang: str) -> _Sources:
    try:
        return _Sources(i18n.load_game_texts(game, lang), i18n.load_game_metadata(game))
    except (GameError, OSError, UnicodeError) as error:
        log.error(
            "words_unreadable", game=game, lang=lang, says=str(error), **describe_exception(error)
        )
        return _Sources(i18n.GameTexts(game), i18n.GameMetadata())


def _summary(game: str, words: i18n.GameTexts, facts: i18n.GameMetadata) -> bodies.GameSummary:
    return bodies.GameSummary(
        name=game,
        label=words.name,
        players=_player_counts(game),
        emblem=msgspec.convert(facts.emblem, bodies.Emblem | None, from_attributes=True),
    )


def _player_counts(game: str) -> list[int]:
    """For how many players a game is, in ascending order."""
    option = next(one for one in REGISTRY[game].options if one.name == "players")
    match option:
        case Choice(values=values):
            return sorted(value for value in values if isinstance(value, int))
        case Whole(low=low, high=high):
            return list(range(low, high + 1))
        case _:
            raise TypeError(f"{game}: the number of players cannot be {option!r}")


def _texts(game: str, words: i18n.GameTexts, facts: i18n.GameMetadata) -> bodies.GameTexts:
    return bodies.GameTexts(
        name=words.name,
        about=words.about,
        options=msgspec.convert(words.options, dict[str, bodies.OptionTexts], from_attributes=True),
        phases=dict(words.phases),
        actions=msgspec.convert(words.actions, dict[str, bodies.ActionTexts], from_attributes=True),
        contracts=dict(words.contracts),
        columns=dict(words.columns),
        places=dict(facts.places),
        seats=list(facts.seats),
        effects=msgspec.convert(facts.effects, dict[str, dict[str, list[messages.OptionValue]]]),
        example=msgspec.convert(
            facts.example, bodies.RuleSheetExample | None, from_attributes=True
        ),
        ranks=REGISTRY[game].deck.ranks,
        sheet=bool(i18n.sheet_languages(game)),
    )
