"""The registry of games by name: the built-in games and those of other packages.

Another package lists the module of its game in the entry-point group `jasstisch.games`. Importing
the module registers the game. Entry points are loaded only when an unknown game or the list of all
games is requested, because loading takes as long as all other imports together. A module that
cannot be imported, defines no game or uses the name of another game does not affect other games.
"""

import re
from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Generic, TypeVar

from jasstisch.engine.errors import GameError, quote

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_R = TypeVar("_R")

ENTRY_POINT_GROUP = "jasstisch.games"
"""The entry-point group in which other packages offer games."""

MAX_NAME_LENGTH = 40
"""The longest name of a game, in characters."""

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
"""Names occur in records, addresses, file names and commands."""


class Registry(MutableMapping[str, _R], Generic[_R]):
    """The rules of each game, by its name.

    The type of the rules is a parameter, so that this module need not import them.
    """

    def __init__(self) -> None:
        self._rules: dict[str, _R] = {}
        self._problems: dict[str, str] | None = None

    def __contains__(self, name: object) -> bool:
        # Names may come from JSON, where lists and objects are not hashable.
        if isinstance(name, str) and name not in self._rules:
            self.load_entry_points()
        return isinstance(name, str) and name in self._rules

    def __getitem__(self, name: str) -> _R:
        if name not in self._rules:
            self.load_entry_points()
        return self._rules[name]

    def __setitem__(self, name: str, rules: _R) -> None:
        """Registers the rules of a game; a class that is defined anew replaces its old self.

        Raises:
            GameError: it is no name of a game, or another game has this name.
        """
        if not (_NAME.fullmatch(name) and len(name) <= MAX_NAME_LENGTH):
            raise GameError(
                f"{quote(name)} is no name of a game: a name is 1 to {MAX_NAME_LENGTH} lower-case "
                "letters and digits, in words joined by hyphens, such as 'i-doubt-it'"
            )
        known = self._rules.get(name, rules)
        if _source_of(known) != _source_of(rules):
            raise GameError(
                f"the name {name!r} is taken: it is that of the game {_source_of(known)}; choose "
                f"another name for {_source_of(rules)}"
            )
        self._rules[name] = rules

    def __delitem__(self, name: str) -> None:
        del self._rules[name]

    def __iter__(self) -> Iterator[str]:
        self.load_entry_points()
        return iter(self._rules)

    def __len__(self) -> int:
        self.load_entry_points()
        return len(self._rules)

    def load_entry_points(self) -> Mapping[str, str]:
        """Imports the modules that other packages offer, once.

        Returns:
            For each entry point that registered no game, its name and a sentence that says why.
        """
        if self._problems is None:
            self._problems = {}  # a module imported below may look up a game itself
            from importlib.metadata import entry_points  # noqa: PLC0415 - only when it is needed

            offers = entry_points(group=ENTRY_POINT_GROUP)
            for offer in sorted(offers, key=lambda one: (one.name, one.value)):
                fault = self._load(offer)
                if fault is not None:
                    source = f"{offer.value} of {offer.dist.name}" if offer.dist else offer.value
                    self._problems[offer.name] = f"game {offer.name!r} of {source} {fault}"
        return self._problems

    def _load(self, offer: "EntryPoint") -> str | None:
        """Imports one entry point; returns its problem, or None where it registered a game."""
        before = dict(self._rules)
        try:
            offer.load()
            unchanged = self._rules == before
            fault = "is no game: its module has no class with a name" if unchanged else None
        except GameError as error:
            fault = f"cannot be registered: {error}"
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it may raise anything
            fault = f"cannot be loaded: {error!r}"
        if fault is not None:
            self._rules = before
        return fault


def _source_of(rules: object) -> str:
    """Where a class is defined, as its module and name."""
    return f"{rules.__module__}.{getattr(rules, '__qualname__', rules)}"
