"""How well the computer players play, and how fast: bots against bots on the same deals.

Each deal is played once in every different seating of the bots, with the same pack and the same
dealer, so that luck of the cards cancels out. The result of a deal depends on game, bots, seed and
its number only. A deal is won by the best figure of all (equals share it, and if all are equal
nobody has won); with `--matches` whole matches are played instead, and won as their rules say. As
in:

    python -m bench.bots differenzler --deals 2000 --seed 1
    python -m bench.bots molotov greedy random random random --option players=4
    python -m bench.bots jass greedy random random random --deals 125
    python -m bench.bots i-doubt-it greedy random random random --deals 125 --matches

Of jass the share of all strokes written is printed too, and of i-doubt-it in which share of the
deals somebody went out. 125 deals in four seatings are 500 rounds.
"""

import argparse
import json
import math
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import jasstisch as jt
from jasstisch import slate
from jasstisch.bots import Bot, bot

HIGH_IS_GOOD = ("i-doubt-it", "jass", "molotow")
"""The games in which the higher figure is the better one."""


def round_figures(finished: dict[str, Any], game: str) -> list[int]:
    """The own figure of a game for each seat in a round: difference, sticks, strokes or points."""
    if game == "differenzler":
        figures: list[int] = finished["difference"]
    elif game == "molotow":
        figures = [int(mark) for mark in finished["marks"]]
    elif game == "i-doubt-it":
        figures = finished["chips"]
    elif game == "jass":
        figures = [mark.count(slate.TALLY) for mark in finished["marks"]]
    else:
        figures = finished["points"]
    return figures


def interval(figures: Sequence[float]) -> float:
    """Half the width of the 95 % interval of a mean."""
    return 1.96 * statistics.stdev(figures) / math.sqrt(len(figures))


def share(own: Sequence[float], total: Sequence[float]) -> dict[str, float]:
    """The part of all strokes, deal by deal, that is one's own, with its 95 % interval."""
    part = sum(own) / sum(total)
    beyond = [mine - part * all_ for mine, all_ in zip(own, total, strict=True)]
    return {
        "share": round(part, 3),
        "share_ci95": round(interval(beyond) / statistics.fmean(total), 3),
    }


def winners(figures: Sequence[int], game: str) -> list[int]:
    """The seats with the best figure of a deal; nobody where all are equal."""
    best = max(figures) if game in HIGH_IS_GOOD else min(figures)
    won = [seat for seat, figure in enumerate(figures) if figure == best]
    return won if len(won) < len(figures) else []


def endings(finished: Sequence[dict[str, Any]]) -> dict[str, float]:
    """How deals of I Doubt It ended: the share in which somebody went out, and their claims."""
    return {
        "out": round(statistics.fmean([0 in one["left"] for one in finished]), 3),
        "claims": round(statistics.fmean([one["claims"] for one in finished]), 1),
    }


def shuffled(pack: Sequence[str], rng: random.Random) -> list[str]:
    """A shuffled copy of a pack."""
    cards = list(pack)
    rng.shuffle(cards)
    return cards


class Table:
    """The bots to compare, and the time each spent on its moves."""

    def __init__(
        self, game: jt.Game, names: Sequence[str], seed: int, *, matches: bool = False
    ) -> None:
        self.game = game
        self.matches = matches
        self.names = names
        self.seed = seed
        self.bots: dict[str, Bot] = {name: bot(name) for name in names}
        self.seconds = dict.fromkeys(names, 0.0)
        self.moves = dict.fromkeys(names, 0)
        self.finished: list[dict[str, Any]] = []

    def deal(self, number: int) -> dict[str, tuple[float, float]]:
        """The mean figure of each bot in one deal and its share of wins, over all seatings."""
        figures: dict[str, list[int]] = {name: [] for name in self.names}
        wins: dict[str, list[int]] = {name: [] for name in self.names}
        for seating in sorted(set(permutations(self.names))):
            match = self.play(number, seating)
            self.finished += match.rounds
            rounds = [round_figures(one, self.game.name) for one in match.rounds]
            sums = [sum(one[seat] for one in rounds) for seat in range(len(seating))]
            won = match.winners if self.matches else winners(sums, self.game.name)
            for seat, name in enumerate(seating):
                figures[name].append(sums[seat])
                wins[name].append(seat in won)
        return {
            name: (statistics.fmean(figures[name]), statistics.fmean(wins[name]))
            for name in figures
        }

    def play(self, number: int, seating: Sequence[str]) -> jt.Match:
        """One deal, or the match that begins with it, in one seating."""
        match = jt.Match(self.game, list(seating))
        packs = random.Random(f"{self.seed}/{number}/packs")
        chance = [random.Random(f"{self.seed}/{number}/{seat}") for seat in range(len(seating))]
        while not (match.over if self.matches else match.rounds):
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
        return match

    def compare(self, deals: int) -> Iterator[dict[str, Any]]:
        """For each bot means with the half widths of their 95 % intervals, and its speed."""
        played = [self.deal(number) for number in range(deals)]
        total = [sum([one[name][0] for name in self.names]) for one in played]
        for name in dict.fromkeys(self.names):
            figures = [one[name][0] for one in played]
            wins = [one[name][1] for one in played]
            strokes = [figure * self.names.count(name) for figure in figures]
            yield {
                "name": name,
                "mean": round(statistics.fmean(figures), 3),
                "ci95": round(interval(figures), 3),
                **(share(strokes, total) if self.game.name == "jass" else {}),
                "wins": round(statistics.fmean(wins), 3),
                "wins_ci95": round(interval(wins), 3),
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
    parser.add_argument("--matches", action="store_true", help="play whole matches")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], type=parsed_option)
    arguments = parser.parse_args()
    if arguments.deals < 2:
        parser.error("--deals is 2 or more, for the interval needs a spread")
    try:
        table = Table(*game_and_bots(arguments), arguments.seed, matches=arguments.matches)
    except jt.GameError as error:
        parser.error(str(error))
    figures = {
        "game": table.game.name,
        "options": dict(table.game.options),
        "matches" if arguments.matches else "deals": arguments.deals,
        "seed": arguments.seed,
        "bots": list(table.compare(arguments.deals)),
    }
    if table.game.name == "i-doubt-it":
        figures |= endings(table.finished)
    json.dump(figures, sys.stdout, indent=2)
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
