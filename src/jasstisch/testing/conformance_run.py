"""One run of the conformance tests, and the errors it reports.

A `ConformanceRun` plays a match at random and keeps its own log, because it does not trust that of
the match. Its errors name the game, the options, the step, the violation and how to fix it.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from jasstisch.engine.errors import quote
from jasstisch.games.rules import Game, Json
from jasstisch.match.match import Match

Entry = tuple[int | str, str]
"""An entry of a log: `("pack", cards)` or `(seat, action)`."""

_MAX_KEPT_ACTIONS = 200
MAX_LISTED = 60
"""The most legal actions that are all checked; of more only a sample is."""


REPLAY_ADVICE = (
    "All state follows from the log: keep it in self, begin it in __init__ (never in the class, "
    "which all matches share), and take chance from packs alone"
)
"""The advice where a replayed match differs."""


class ConformanceError(AssertionError):
    """A game violates a property of every game; the message says what to fix.

    Attributes:
        game: the game with its options.
        step: the number of entries in the log, 0 before the first pack.
        record: the match so far, for `Match.from_record`; None where there was no match yet.
    """

    def __init__(self, game: Game, step: int, text: str, record: Json | None = None) -> None:
        super().__init__(text)
        self.game = game
        self.step = step
        self.record = record


@dataclass
class Report:
    """The coverage of a conformance run; all counts only grow.

    Attributes:
        matches: matches played to their end.
        steps: packs and actions in them.
        rounds: rounds finished in them.
        tried_actions: legal actions tried on a copy of the match, in some spelling.
        refusals: refused attempts, none of which changed the match.
        resumed: how often a match was stored, restored and went on identically.
        indistinguishable_matches: other matches compared that are indistinguishable to a seat or
            spectator. If this is 0 for a game with hidden information, it was not checked for
            leaks.
    """

    matches: int = 0
    steps: int = 0
    rounds: int = 0
    tried_actions: int = 0
    refusals: int = 0
    resumed: int = 0
    indistinguishable_matches: int = 0


def describe_game(game: Game) -> str:
    """A game with the options that are not at their default, for messages."""
    chosen = [
        f"{option.name}={game.options[option.name]!r}"
        for option in game.rules.options
        if game.options[option.name] != option.default_for(game.players)
    ]
    return f"{game.name}({', '.join(chosen)})"


def sample_evenly(actions: Sequence[str], max_count: int = 40) -> list[str]:
    """At most this number of actions, evenly spread, including the first and the last."""
    count = len(actions)
    if count <= max_count:
        return list(actions)
    return [actions[number * (count - 1) // (max_count - 1)] for number in range(max_count)]


def match_state(match: Match) -> Json:
    """Everything a match shows to any reader, for comparisons."""
    seats = range(match.game.players)
    legal = [match.legal(seat) for seat in seats]
    return {
        "record": match.record(),
        "pack": list(match.pack),
        "to_act": list(match.to_act),
        "legal": [[len(actions), *sample_evenly(actions, MAX_LISTED)] for actions in legal],
        "hand": [match.hand(seat) for seat in seats],
        "view": {str(reader): match.view(reader) for reader in (None, *seats)},
    }


@dataclass
class ConformanceRun:
    """One match played at random, with the state that the checks need.

    Attributes:
        match: the match.
        log: the log, kept apart from the match.
        past_actions: action texts that were legal at some time.
        resumed_copy: the match resumed from its record one step before, driven in parallel.
        type_checked_rounds: the number of finished rounds whose type has been checked.
    """

    game: Game
    rng: random.Random
    report: Report
    match: Match = field(init=False)
    log: list[Entry] = field(init=False, default_factory=list)
    past_actions: list[str] = field(init=False, default_factory=list)
    resumed_copy: Match | None = field(init=False, default=None)
    type_checked_rounds: int = field(init=False, default=0)
    _now: Json | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        with self.blame_game("making a match"):
            self.match = Match(self.game)

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.game.players)

    @property
    def readers(self) -> tuple[int | None, ...]:
        """All readers: a spectator (None) and all seats."""
        return (None, *self.seats)

    @property
    def current_state(self) -> Json:
        """The `match_state` after the last step, cached at the first call."""
        if self._now is None:
            with self.blame_game("views, legal and record"):
                self._now = match_state(self.match)
        return self._now

    def view(self, reader: int | None) -> Json:
        """The view of a reader after the last step, read-only."""
        view: Json = self.current_state["view"][str(reader)]
        return view

    # Violations.

    def violation_error(self, found: str, advice: str) -> ConformanceError:
        """The error to raise: the violation found, and what the author has to fix."""
        text = f"{describe_game(self.game)}, step {len(self.log)}: {found}. {advice}"
        return ConformanceError(self.game, len(self.log), text, self._record())

    def _record(self) -> Json | None:
        log: list[list[object]] = [list(entry) for entry in self.log]
        return {
            "format": "jasstisch-record/1",
            "game": self.game.name,
            "options": dict(self.game.options),
            "players": [f"Player {seat + 1}" for seat in self.seats],
            "log": log,
            "result": None,
        }

    @contextmanager
    def blame_game(self, what: str, advice: str = "") -> Iterator[None]:
        """A context whose exceptions are reported as violations by the game, during `what`."""
        try:
            yield
        except ConformanceError:
            raise
        except Exception as error:
            problem = f"{what} raised {type(error).__name__}: {quote(str(error))}"
            raise self.violation_error(
                problem, advice or "Follow the traceback above into the game"
            ) from error

    # Progress.

    def sometimes(self, weight: float) -> bool:
        """True in the first `weight` steps, then ever more rarely, so that long ones end too."""
        return self.rng.random() * (len(self.log) + 1) < weight

    def random_entry(self) -> Entry:
        """A random possible entry: a shuffled pack, or a legal action of a seat to act."""
        match = self.match
        if match.needs_pack:
            return "pack", " ".join(self.rng.sample(match.pack, len(match.pack)))
        seat = self.rng.choice(match.to_act)
        legal = match.legal(seat)
        return seat, legal[self.rng.randrange(len(legal))]

    def step(self) -> None:
        """Carries out one random entry, in the match and in its resumed copy."""
        entry = self.random_entry()
        words = "It is listed as legal: legal, refusal and act must agree"
        with self.blame_game(f"{entry[1]!r} from {entry[0]!r}", words):
            apply_entry(self.match, entry)
        self.log.append(entry)
        self._now = None
        self.report.steps += 1
        if self.resumed_copy is not None:
            with self.blame_game(f"{entry[1]!r} in a match resumed from its record"):
                apply_entry(self.resumed_copy, entry)

    def keep_actions(self, actions: Sequence[str]) -> None:
        """Keeps some of these action texts, to try them when they are no longer legal."""
        for action in sample_evenly(actions, 8):
            if action in self.past_actions:
                continue
            if len(self.past_actions) < _MAX_KEPT_ACTIONS:
                self.past_actions.append(action)
            else:
                self.past_actions[self.rng.randrange(_MAX_KEPT_ACTIONS)] = action

    def replay_match(self, log: Sequence[Entry] | None = None) -> Match:
        """A new match with this log, by default that of the match so far."""
        copy = Match(self.game)
        for entry in self.log if log is None else log:
            apply_entry(copy, entry)
        return copy


def apply_entry(match: Match, entry: Entry) -> None:
    """Carries out one entry of a log."""
    who, what = entry
    if isinstance(who, str):
        match.deal(what)
    else:
        match.act(who, what)
