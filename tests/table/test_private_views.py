"""Private views: readers stay current whatever a game declares as private."""

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
    """Adds to the public view of a game that declares its private part."""

    name = NAME

    def table_view(self, seat: int | None) -> Json:
        taken = [winner for _, _, winner in self.history]
        return super().table_view(seat) | {"own": None if seat is None else taken.count(seat)}


class CountsForSpectators(Molotov):
    """Shows seats less than spectators, who alone are told of changes."""

    name = NAME

    def table_view(self, seat: int | None) -> Json:
        return super().table_view(seat) | {"taken": len(self.history) if seat is None else None}

    def private_view(self, seat: int) -> Json:
        return super().private_view(seat) | {"taken": None}


class ChangesATable:
    """A mixin for games that is no game itself."""

    def table_view(self, seat: int | None) -> Json:
        shown: Json = super().table_view(seat)  # type: ignore[misc]
        return shown | {"looking": seat}


class MixedIn(ChangesATable, Differenzler):
    """Inherits its public view from a class that is no game."""

    name = NAME


class HidesPoints(Molotov):
    """Overrides `visible_points` only."""

    name = NAME

    def visible_points(self, seat: int | None) -> list[int | None]:
        return [own if other == seat else None for other, own in enumerate(self.points())]


class DeclaresAKeySometimes(Differenzler):
    """Declares a key only while the seat's view differs there."""

    name = NAME

    def private_view(self, seat: int) -> Json:
        own, shown = self.table_view(seat), self.table_view(None)
        return {key: value for key, value in own.items() if value != shown[key]}


SAY_NOTHING: list[type[Rules]] = [Sample, CountsWhoLooks, MixedIn]
SAY_IT: list[type[Rules]] = [HidesPoints, DeclaresAKeySometimes, CountsForSpectators]
OPTIONS: dict[type[Rules], dict[str, Any]] = {
    Sample: {},
    CountsWhoLooks: SHORT_OPTIONS["molotov"],
    CountsForSpectators: SHORT_OPTIONS["molotov"],
    HidesPoints: SHORT_OPTIONS["molotov"],
    MixedIn: SHORT_OPTIONS["differenzler"],
    DeclaresAKeySometimes: SHORT_OPTIONS["differenzler"],
}


@pytest.mark.parametrize("rules", [*SAY_NOTHING, *SAY_IT], ids=lambda rules: rules.__name__)
def test_readers_stay_current_whatever_a_game_declares_private(
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


@pytest.mark.parametrize("rules", [HidesPoints, DeclaresAKeySometimes])
def test_the_conformance_kit_accepts_these_declarations(rules: type[Rules]) -> None:
    with registered_name(rules):
        game = jt.game(NAME, **OPTIONS[rules])
        assert check_game(game, matches=1).matches == 1


@pytest.mark.parametrize("rules", SAY_NOTHING, ids=lambda rules: rules.__name__)
def test_without_a_declared_public_view_everything_is_computed_for_each_seat(
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
def test_built_in_games_compute_little_for_each_seat(game: str) -> None:
    match = start_match(game, seed=1, **SHORT_OPTIONS[game]).state.match
    assert match is not None
    private = match.private_view(0).keys() - {"seat", "hand"}
    assert private <= {"bids", "laid_away", "melds", "points", "turns"}
