"""The texts of a game: the names of its options, actions and scores, in four languages.

They are data: `game.language.json` beside the rule sheets, and `common.language.json` for names
that are the same in every game. Facts that need no translation are in `game.json`. A game without
texts is shown by its identifiers: its name, the names and values of its options, its action texts.

An action or a contract may be a pattern, `trump {suit}`: the part of the action that matches a
placeholder fills the placeholder of the same name in the text. A placeholder named `suit…` holds a
suit, `card…` a card, any other a number.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, TypeVar

from jasstisch.engine.cards import SUITS
from jasstisch.engine.errors import GameError, quote
from jasstisch.i18n import game_files
from jasstisch.i18n.templates import LANGUAGES, Segment, render

_Value = TypeVar("_Value")

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_PLACEHOLDER_PATTERNS = {
    "suit": re.compile(f"[{SUITS}]"),
    "card": re.compile(f"[2-9TJQKA][{SUITS}]"),
}
_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class OptionTexts:
    """The texts of an option.

    Attributes:
        label: its name.
        help: its meaning, in a sentence.
        values: the names of its values, by value; numbers need none.
    """

    label: str
    help: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ActionTexts:
    """The texts of an action, or of all actions that match a pattern.

    Attributes:
        label: its name, as on a button.
        note: its meaning, in a sentence.
    """

    label: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class GameTexts:
    """All texts of a game in one language.

    Attributes:
        name: the name of the game.
        about: its description, in a sentence.
        options: the texts of its options.
        phases: the question to a player who chooses an action, by phase.
        actions: the texts of its actions, by action text or pattern.
        contracts: the texts of contracts whose name differs from that of the action.
        columns: the names of the values of a round and of a standing, by key.
    """

    name: str
    about: str = ""
    options: Mapping[str, OptionTexts] = field(default_factory=dict)
    phases: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, ActionTexts] = field(default_factory=dict)
    contracts: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)

    def action_label(self, action: str) -> list[Segment] | None:
        """The name of an action, as segments; None where it has no text."""
        return self._render_match(action, {text: one.label for text, one in self.actions.items()})

    def action_note(self, action: str) -> list[Segment] | None:
        """The meaning of an action, as segments; None where it has no note."""
        return (
            self._render_match(action, {text: one.note for text, one in self.actions.items()})
            or None
        )

    def contract_label(self, text: str) -> list[Segment] | None:
        """The name of a contract, as segments; that of its action where it has none of its own."""
        return self._render_match(text, self.contracts) or self.action_label(text)

    def _render_match(self, action: str, texts: Mapping[str, str]) -> list[Segment] | None:
        for pattern in (action, *texts):
            filled = _match_pattern(pattern, action) if pattern in texts else None
            if filled is not None:
                return list(render(texts[pattern], filled))
        return None


@dataclass(frozen=True, slots=True)
class SheetExample:
    """The example of a rule sheet: the cards shown beside its numbered steps.

    Attributes:
        section: index of its section in the sheet, from 0.
        steps: the cards of each step.
        best: index of the step whose card takes the trick, None where there is none.
    """

    section: int
    steps: tuple[tuple[str, ...], ...]
    best: int | None = None


@dataclass(frozen=True, slots=True)
class Emblem:
    """A game's emblem, a chalk drawing of 72 by 72 units, as SVG paths.

    Attributes:
        chalk: the white paths.
        fire: the red paths.
    """

    chalk: tuple[str, ...]
    fire: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameMetadata:
    """The facts about a game that need no translation.

    Attributes:
        order: its position in the list of games, the best known first; None for the end.
        places: for each option that changes the text of a section of the sheet, the index of that
            section, from 0.
        effects: for an option that only has an effect with certain values of others, these values.
        example: the example of its sheet.
        emblem: its emblem.
        seats: the keys of its views whose value is a seat, shown by the name of its player.
    """

    order: int | None = None
    places: Mapping[str, int] = field(default_factory=dict)
    effects: Mapping[str, Mapping[str, tuple[int | str | None, ...]]] = field(default_factory=dict)
    example: SheetExample | None = None
    emblem: Emblem | None = None
    seats: tuple[str, ...] = ()


def load_game_texts(game: str, lang: str = "en") -> GameTexts:
    """The texts of a game in a language, else in English, else only its identifier as its name.

    They include the texts that all games share.

    Raises:
        GameError: the language is unknown, or a file of texts is invalid; the message names the
            file, the JSON path and the expected value.
    """
    if lang not in LANGUAGES:
        raise GameError(f"no words in {quote(lang)}; the languages are {', '.join(LANGUAGES)}")
    common = _common(lang)
    for language in (lang, "en"):
        text = game_files.read_text(game, f"{language}.json")
        if text is not None:
            own = _FileParser(f"{game}.{language}.json").words(text, needed=("name",))
            return GameTexts(
                own.name,
                own.about,
                {**common.options, **own.options},
                own.phases,
                {**common.actions, **own.actions},
                own.contracts,
                {**common.columns, **own.columns},
            )
    return GameTexts(game, "", common.options, {}, common.actions, {}, common.columns)


def load_game_metadata(game: str) -> GameMetadata:
    """The metadata of a game; empty where it has no such file.

    Raises:
        GameError: the file is invalid.
    """
    text = game_files.read_text(game, "json")
    return GameMetadata() if text is None else _FileParser(f"{game}.json").facts(text)


def _match_pattern(pattern: str, action: str) -> dict[str, str] | None:
    """The parts of an action at the placeholders of a pattern; None if it does not match."""
    filled: dict[str, str] = {}
    wanted, given = pattern.split(), action.split()
    if len(wanted) != len(given):
        return None
    for part, word in zip(wanted, given, strict=True):
        gap = _PLACEHOLDER.fullmatch(part)
        if gap is None and part != word:
            return None
        if gap is not None:
            kind = next((one for one in _PLACEHOLDER_PATTERNS if gap[1].startswith(one)), "")
            if not _PLACEHOLDER_PATTERNS.get(kind, _NUMBER).fullmatch(word):
                return None
            filled[gap[1]] = word
    return filled


@cache
def _common(lang: str) -> GameTexts:
    """The texts that all games share."""
    file = files("jasstisch.games").joinpath("texts", f"common.{lang}.json")
    return _FileParser(file.name).words(file.read_text(encoding="utf-8"))


class _FileParser:
    """Parses and validates a file of texts; errors name the JSON path.

    Args:
        file: its name, for error messages.
    """

    def __init__(self, file: str) -> None:
        self.file = file

    def words(self, text: str, needed: tuple[str, ...] = ()) -> GameTexts:
        """Parses the texts of a game or the shared texts."""
        readers: dict[str, Callable[[object, str], Any]] = {
            "name": self.text,
            "about": self.text,
            "options": self.table(self.option),
            "phases": self.table(self.text),
            "actions": self.table(self.action),
            "contracts": self.table(self.text),
            "columns": self.table(self.text),
        }
        found = GameTexts(**{"name": ""} | self.record(self.json(text), "", readers, needed))
        for pattern, label in chain(
            found.contracts.items(),
            *(((it, one.label), (it, one.note)) for it, one in found.actions.items()),
        ):
            if not set(_PLACEHOLDER.findall(label)) <= set(_PLACEHOLDER.findall(pattern)):
                raise self.fault(pattern, "has only the gaps of its pattern", label)
        return found

    def facts(self, text: str) -> GameMetadata:
        """Parses the metadata of a game."""
        readers: dict[str, Callable[[object, str], Any]] = {
            "order": self.number,
            "places": self.table(self.number),
            "effects": self.table(self.table(self.list_of(self.value))),
            "example": self.example,
            "emblem": self.emblem,
            "seats": self.list_of(self.text),
        }
        return GameMetadata(**self.record(self.json(text), "", readers))

    # The parts of a file.

    def option(self, value: object, place: str) -> OptionTexts:
        readers = {"label": self.text, "help": self.text, "values": self.table(self.text)}
        return OptionTexts(**self.record(value, place, readers, needed=("label",)))

    def action(self, value: object, place: str) -> ActionTexts:
        readers = {"label": self.text, "note": self.text}
        return ActionTexts(**self.record(value, place, readers, needed=("label",)))

    def example(self, value: object, place: str) -> SheetExample:
        steps = self.list_of(self.list_of(self.text))
        readers = {"section": self.number, "steps": steps, "best": self.number}
        return SheetExample(**self.record(value, place, readers, needed=("section", "steps")))

    def emblem(self, value: object, place: str) -> Emblem:
        readers = {"chalk": self.list_of(self.text), "fire": self.list_of(self.text)}
        return Emblem(**self.record(value, place, readers, needed=("chalk",)))

    # Generic JSON values.

    def json(self, text: str) -> dict[str, Any]:
        try:
            read = json.loads(text)
        except ValueError as error:
            raise GameError(f"{self.file} is not JSON: {error}") from error
        return dict(self.items(read, ""))

    def record(
        self,
        value: object,
        place: str,
        readers: Mapping[str, Callable[[object, str], Any]],
        needed: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        """Parses an object with given keys into keyword arguments."""
        given = dict(self.items(value, place))
        for name in given:
            if name not in readers:
                raise self.fault(_child_path(place, name), f"is none of {', '.join(readers)}")
        for name in needed:
            if name not in given:
                raise self.fault(_child_path(place, name), "is missing")
        return {name: readers[name](one, _child_path(place, name)) for name, one in given.items()}

    def table(
        self, read: Callable[[object, str], _Value]
    ) -> Callable[[object, str], dict[str, _Value]]:
        """A parser for objects whose values all have one type."""
        return lambda value, place: {
            name: read(one, _child_path(place, name)) for name, one in self.items(value, place)
        }

    def list_of(
        self, read: Callable[[object, str], _Value]
    ) -> Callable[[object, str], tuple[_Value, ...]]:
        """A parser for lists whose items all have one type."""

        def reading(value: object, place: str) -> tuple[_Value, ...]:
            if not isinstance(value, list):
                raise self.fault(place, "is a list", value)
            return tuple(
                read(one, _child_path(place, str(index))) for index, one in enumerate(value)
            )

        return reading

    def items(self, value: object, place: str) -> Iterator[tuple[str, object]]:
        if not isinstance(value, dict):
            raise self.fault(place, "is an object", value)
        yield from value.items()

    def text(self, value: object, place: str) -> str:
        if not isinstance(value, str):
            raise self.fault(place, "is a text", value)
        return value

    def number(self, value: object, place: str) -> int:
        if type(value) is not int or value < 0:
            raise self.fault(place, "is a whole number from 0 on", value)
        return value

    def value(self, value: object, place: str) -> int | str | None:
        if value is not None and type(value) not in (int, str):
            raise self.fault(place, "is the value of an option", value)
        assert value is None or isinstance(value, int | str)
        return value

    def fault(self, place: str, wanted: str, found: object = None) -> GameError:
        """The error for an unexpected value at a path of the file."""
        instead = "" if found is None else f", not {quote(found)}"
        return GameError(f"{self.file}: {place or 'the whole'} {wanted}{instead}")


def _child_path(place: str, name: str) -> str:
    """The path of a member of the value at a path."""
    return f"{place}.{name}" if place else name
