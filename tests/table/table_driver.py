"""Tables for tests: seeded shuffles, people named by one letter, random play."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from jasstisch.games import game as find_game
from jasstisch.games import games
from jasstisch.table import PackSource, Table, commands, events
from tests.rules.scored_rounds import played

if TYPE_CHECKING:
    from collections.abc import Sequence

GAMES = games()

SHORT_OPTIONS: dict[str, dict[str, Any]] = {
    "coiffeur": {},
    "differenzler": {"rounds": 4},
    "i-doubt-it": {"rounds": 2, "max_turns": 40},
    "jass": {"target": 5},
    "molotov": {"target": 1},
    "molotow": {"rounds": 2},
    "offenbach": {"target": 1},
    "schieber": {"rounds": 4},
}
"""Options with which a match of each game is soon over."""
ID = "AbCdEfGhIjKlMnOpQrStUv"


def new_table(
    game: str = "molotov",
    seats: Sequence[str | None] = (None, None, "greedy", "random"),
    *,
    thinking_time: int | None = None,
    pause: int = 0,
    **options: int | str | None,
) -> Table:
    """A new table; None in `seats` is an open seat."""
    every = dict(find_game(game, players=len(seats), **options).options)
    return Table(events.TableCreated(ID, game, every, list(seats), thinking_time, pause))


def host_table(people: str = "ab", game: str = "molotov", **rules: object) -> TableDriver:
    """A table hosted by A, with these people on its first seats."""
    created = new_table(game, [None] * 4).state.creation_event
    host = TableDriver(Table(replace(created, host="a", starters="host", **rules)))
    host.seat_people(*people)
    return host


class TableDriver:
    """Drives a table with a shuffle of its own, and records all events."""

    def __init__(self, table: Table, seed: int = 0) -> None:
        self.table = table
        self.state = table.state
        self.rng = Random(seed)
        self.log: list[events.Event] = [table.state.creation_event]
        self.dealer = PackSource(self.shuffle)

    def shuffle(self, pack: Sequence[str]) -> list[str]:
        return self.rng.sample(pack, len(pack))

    def execute(self, *asked: commands.Command) -> list[events.Event]:
        """Executes commands; returns their events."""
        done = [event for one in asked for event in self.table.execute(one, self.dealer)]
        self.log += done
        return done

    def seat_people(self, *people: str) -> None:
        """Seats people, each named like their token, on the first open seats."""
        for person in people:
            free = next(
                seat
                for seat, place in enumerate(self.state.seats)
                if place.person is None and place.bot is None
            )
            self.execute(commands.Sit(person, free, person.upper()))

    def next_command(self) -> commands.Command:
        """A random legal action, or the readiness of a person for the next round."""
        match = self.state.match
        assert match is not None
        if self.state.phase in ("between", "over"):
            people = [
                place.person for place in self.state.seats if place.person and not place.ready
            ]
            return commands.ReadyUp(people[0])
        seat = self.rng.choice(match.to_act)
        action = self.rng.choice(match.legal(seat))
        person = self.state.seats[seat].person
        if person is not None and not self.state.seats[seat].is_away:
            return commands.Act(person, action)
        return commands.BotAct(seat, action)

    def random_step(self) -> list[events.Event]:
        """Executes the next command; returns its events."""
        return self.execute(self.next_command())

    def play_until(self, phase: str) -> None:
        """Plays randomly until the table is in this phase."""
        while self.state.phase != phase:
            self.random_step()


def start_match(
    game: str = "molotov",
    people: Sequence[str] = ("a", "b"),
    seed: int = 0,
    **options: int | str | None,
) -> TableDriver:
    """A table of four after the start: the people first, then bots."""
    seats = [None] * len(people) + ["greedy"] * (4 - len(people))
    host = TableDriver(new_table(game, seats, thinking_time=None, pause=0, **options), seed)
    host.seat_people(*people)
    host.execute(commands.StartMatch(people[0]))
    return host


def tied_table(rounds: int = 4) -> TableDriver:
    """A table of Molotow one card before the end of a round after which three are tied."""
    match = played("molotow", (20, 20, 20, 97), rounds=rounds)
    seats = [None, "greedy", "greedy", "greedy"]
    host = TableDriver(
        new_table("molotow", seats, rounds=rounds, dealer=match.game.options["dealer"])
    )
    host.seat_people("a")
    (*log, _) = ((actor, text) for actor, text in match.record()["log"])
    host.execute(commands.ResumeMatch("a", log))
    return host
