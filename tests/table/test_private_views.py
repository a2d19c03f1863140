"""What a seat sees otherwise than a spectator: readers keep up whatever a game says of it."""

from random import Random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.games.differenzler import Differenzler
from jasstisch.games.molotov import Molotov
from jasstisch.games.rules import Json, Rules
from jasstisch.table import commands
from jasstisch.testing import check_game
from tests.table.client_copies import ChangingReaders
from tests.table.table_driver import GAMES, SHORT_OPTIONS, TableDriver, new_table, start_match
from tests.testing.sample_game import NAME, Sample, registered_name


class CountsWhoLooks(Molotov):
    """Adds to the table of a game that says it, and leaves it at that."""

    name = NAME

    def table_view(self, seat: int | None) -> Json:
        taken = [winner for _, _, winner in self.history]
        return super().table_view(seat) | {"own": None if seat is None else taken.count(seat)}


class CountsForSpectators(Molotov):
    """Shows a seat less than a spectator, who alone is told when it changes."""

    name = NAME

    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | {"taken": len(self.history) if seat is None else None}

    def private_view(self, seat: int) -> Json:
        return super().private_view(seat) | {"taken": None}


class ChangesATable:
    """What a game can be mixed with; no game itself."""

    def table_view(self, seat: int | None) -> Json:
        shown: Json = super().table_view(seat)  # type: ignore[misc]
        return shown | {"looking": seat}


class MixedIn(ChangesATable, Differenzler):
    """Has its table from a class that is no game."""

    name = NAME


class HidesPoints(Molotov):
    """Overrides `visible_points` and nothing else."""

    name = NAME

    def visible_points(self, seat: int | None) -> list[int | None]:
        return [own if other == seat else None for other, own in enumerate(self.points())]


class SaysItNowAndThen(Differenzler):
    """Names a key only while the seat sees something otherwise there."""

    name = NAME

    def private_view(self, seat: int) -> Json:
        own, shown = self.table_view(seat), self.table_view(None)
        return {key: value for key, value in own.items() if value != shown[key]}


SAY_NOTHING: list[type[Rules]] = [Sample, CountsWhoLooks, MixedIn]
SAY_IT: list[type[Rules]] = [HidesPoints, SaysItNowAndThen, CountsForSpectators]
OPTIONS: dict[type[Rules], dict[str, Any]] = {
    Sample: {},
    CountsWhoLooks: SHORT_OPTIONS["molotov"],
    CountsForSpectators: SHORT_OPTIONS["molotov"],
    HidesPoints: SHORT_OPTIONS["molotov"],
    MixedIn: SHORT_OPTIONS["differenzler"],
    SaysItNowAndThen: SHORT_OPTIONS["differenzler"],
}


@pytest.mark.parametrize("rules", [*SAY_NOTHING, *SAY_IT], ids=lambda rules: rules.__name__)
def test_readers_keep_up_whatever_a_game_says_of_what_a_seat_sees_otherwise(
    rules: type[Rules],
) -> None:
    with registered_name(rules) as game:
        host = TableDriver(new_table(game, **OPTIONS[rules]))
        host.seat_people("a", "b")
        readers = ChangingReaders(host)
        for seat in (0, 1, None):
            readers.join(seat)
        readers.execute(commands.StartMatch("a"))
        seen = set()
        while host.state.match_number < 2:  # into the rematch
            readers.execute(host.next_command())
            shown = host.state.spectator_view()
            seen |= {key for key, own in host.state.private_view(0).items() if own != shown[key]}
        assert seen - {"seat", "hand"}


@pytest.mark.parametrize("rules", [HidesPoints, SaysItNowAndThen])
def test_the_conformance_kit_has_nothing_against_a_game_that_says_it_so(rules: type[Rules]) -> None:
    with registered_name(rules):
        game = jt.game(NAME, **OPTIONS[rules])
        assert check_game(game, matches=1).matches == 1


@pytest.mark.parametrize("rules", SAY_NOTHING, ids=lambda rules: rules.__name__)
def test_of_a_game_that_says_nothing_of_its_own_table_all_of_it_is_worked_out_for_each_seat(
    rules: type[Rules],
) -> None:
    with registered_name(rules) as game:
        match = jt.Match(jt.game(game))
        rng = Random(0)
        while match.needs_pack:
            match.deal(rng.sample(match.pack, len(match.pack)))
        assert match.private_view(0) == {
            "seat": 0,
            "hand": match.hand(0),
            **match._rules.table_view(0),
        }


@pytest.mark.parametrize("game", GAMES)
def test_of_the_games_here_little_is_worked_out_for_each_seat(game: str) -> None:
    match = start_match(game, seed=1, **SHORT_OPTIONS[game]).state.match
    assert match is not None
    private = match.private_view(0).keys() - {"seat", "hand"}
    assert private <= {"bids", "laid_away", "melds", "points", "turns"}
