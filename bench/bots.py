"""How well the computer players play, and how fast: bots against bots on the same deals.

Each deal is played once in every different seating of the bots, with the same pack and the same
dealer, so that luck of the cards cancels out. The result of a deal depends on game, bots, seed and
its number only. Examples:

    python -m bench.bots differenzler --deals 2000 --seed 1
    python -m bench.bots molotov greedy random random random --option players=4
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import jasstisch as jt
from jasstisch.bots import Bot, bot


def round_figures(finished: dict[str, Any], game: str) -> list[int]:
    """The game's own figure of each seat in a finished round: difference, sticks or points."""
    if game == "differenzler":
        figures: list[int] = finished["difference"]
    elif game == "molotow":
        figures = [int(mark) for mark in finished["marks"]]
    else:
        figures = finished["points"]
    return figures


def shuffled(pack: Sequence[str], rng: random.Random) -> list[str]:
    """A shuffled copy of a pack."""
    cards = list(pack)
    rng.shuffle(cards)
    return cards


class Table:
    """The bots to compare, and the time each spent on its moves."""

    def __init__(self, game: jt.Game, names: Sequence[str], seed: int) -> None:
        self.game = game
        self.names = names
        self.seed = seed
        self.bots: dict[str, Bot] = {name: bot(name) for name in names}
        self.seconds = dict.fromkeys(names, 0.0)
        self.moves = dict.fromkeys(names, 0)

    def deal(self, number: int) -> dict[str, float]:
        """The mean figure of each bot in one deal, over all seatings."""
        figures: dict[str, list[int]] = {name: [] for name in self.names}
        for seating in sorted(set(permutations(self.names))):
            finished = self.play(number, seating)
            for name, figure in zip(seating, round_figures(finished, self.game.name), strict=True):
                figures[name].append(figure)
        return {name: statistics.fmean(played) for name, played in figures.items()}

    def play(self, number: int, seating: Sequence[str]) -> dict[str, Any]:
        """The finished round of one deal in one seating."""
        match = jt.Match(self.game, list(seating))
        packs = random.Random(f"{self.seed}/{number}/packs")
        chance = [random.Random(f"{self.seed}/{number}/{seat}") for seat in range(len(seating))]
        while not match.rounds:
            if match.needs_pack:
                match.shuffle(shuffled(match.pack, packs))
                continue
            seat = match.to_act[0]
            view, legal = match.view(seat), match.legal(seat)
            player = self.bots[seating[seat]]
            start = time.perf_counter()
            action = player.act(view, legal, chance[seat])
            self.seconds[seating[seat]] += time.perf_counter() - start
            self.moves[seating[seat]] += 1
            match.act(seat, action)
        return match.rounds[0]

    def compare(self, deals: int) -> Iterator[dict[str, Any]]:
        """For each bot its mean, the half width of the 95 % interval and its speed."""
        played = [self.deal(number) for number in range(deals)]
        for name in dict.fromkeys(self.names):
            figures = [one[name] for one in played]
            yield {
                "name": name,
                "mean": round(statistics.fmean(figures), 3),
                "ci95": round(1.96 * statistics.stdev(figures) / len(figures) ** 0.5, 3),
                "ms_per_move": round(1000 * self.seconds[name] / self.moves[name], 3),
            }


def parsed_option(text: str) -> tuple[str, int | str]:
    """A house rule as `name=value`; numbers become ints."""
    name, _, value = text.partition("=")
    return name, int(value) if value.isdigit() else value


def game_and_bots(arguments: argparse.Namespace) -> tuple[jt.Game, list[str]]:
    """The game with its options, and the name of the bot for each seat."""
    game = jt.game(arguments.game, **dict(arguments.option))
    names = arguments.bots or ["greedy"]
    if len(names) == 1:
        names *= game.players
    if len(names) != game.players:
        raise jt.GameError(f"{game.players} players are {game.players} bots, or one for all seats")
    return game, names


def main() -> int:
    """Prints the comparison as one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("game", choices=jt.games())
    parser.add_argument("bots", nargs="*", help="one for each seat, or one for all (greedy)")
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], type=parsed_option)
    arguments = parser.parse_args()
    if arguments.deals < 2:
        parser.error("--deals is 2 or more, for the interval needs a spread")
    try:
        table = Table(*game_and_bots(arguments), arguments.seed)
    except jt.GameError as error:
        parser.error(str(error))
    figures = {
        "game": table.game.name,
        "options": dict(table.game.options),
        "deals": arguments.deals,
        "seed": arguments.seed,
        "bots": list(table.compare(arguments.deals)),
    }
    json.dump(figures, sys.stdout, indent=2)
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
