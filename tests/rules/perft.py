"""Counts of the legal continuations of fixed positions, kept in `perft.json`.

`python -m tests.rules.perft --write` makes the file from the reference alone, so that the engine is
measured against numbers that it did not compute. A position is a deal and the cards
played so far; counted are the sequences of so many further cards. The last seat deals.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypedDict

import jasstisch as jt
from tests.rules import match_builders, reference

FILE = Path(__file__).with_name("perft.json")
MOST = 600
Options = Callable[[Sequence[str]], set[str]]


class Position(TypedDict):
    """A position and, for each variant of C9, the counts for 1, 2, 3 … further cards."""

    name: str
    players: int
    trump: str | None
    pack: str
    played: str
    counts: dict[str, list[int]]


def to_play(position: Position, played: Sequence[str]) -> tuple[list[str], list[str], str | None]:
    """The hand whose turn it is, the cards on the table, and the trump."""
    players = position["players"]
    hands = match_builders.dealt(position["pack"].split(), players - 1, players)
    leader, trump, trick = 0, position["trump"], list[tuple[int, str]]()
    for card in played:
        trick.append(((leader + len(trick)) % len(hands), card))
        if trump is None and card[1] != trick[0][1][1]:
            trump = card[1]
        if len(trick) == len(hands):
            leader, trick = reference.winner(trick, trump), []
    hand = hands[(leader + len(trick)) % len(hands)]
    return [card for card in hand if card not in played], [card for _, card in trick], trump


def by_reference(position: Position, undertrump: str) -> Options:
    """The legal cards after the cards played, by the reference."""

    def options(played: Sequence[str]) -> set[str]:
        hand, table, trump = to_play(position, played)
        return reference.playable(hand, table, trump, undertrump)

    return options


def at_table(position: Position, name: str, undertrump: str) -> Options:
    """The legal cards after the cards played, in a match of this game."""
    players, trump = position["players"], position["trump"]
    game = jt.game(name, players=players, undertrump=undertrump, dealer=players - 1)

    def options(played: Sequence[str]) -> set[str]:
        match = jt.Match(game)
        match.deal(position["pack"])
        if name in match_builders.CONTRACT_GAMES:
            match.act(0, f"trump {trump}")
        elif trump is not None:
            match.deal(match_builders.ordered("A" + trump))
            for seat in range(players):
                match.act(seat, "bid 0")
        match_builders.play(match, played)
        return match_builders.legal(match)

    return options


def count(options: Options, played: Sequence[str], depth: int) -> int:
    """The number of sequences of `depth` further cards."""
    found = options(played)
    if depth == 1:
        return len(found)
    return sum(count(options, [*played, card], depth - 1) for card in sorted(found))


def divide(options: Options, played: Sequence[str], depth: int) -> dict[str, int]:
    """The count split by the next card."""
    return {
        card: 1 if depth == 1 else count(options, [*played, card], depth - 1)
        for card in sorted(options(played))
    }


def differences(position: Position, undertrump: str, options: Options, depth: int) -> str:
    """The counts of the reference and of other options, a line for each next card."""
    played = position["played"].split()
    expected = divide(by_reference(position, undertrump), played, depth)
    found = divide(options, played, depth)
    hand, table, trump = to_play(position, played)
    lines = [f"{position['name']}, undertrump {undertrump}, depth {depth}"]
    lines += [f"hand {' '.join(sorted(hand))}, table {' '.join(table)}, trump {trump}"]
    lines += [
        f"{card}: reference {expected.get(card, 'illegal')}, engine {found.get(card, 'illegal')}"
        f"{'' if expected.get(card) == found.get(card) else '   <--'}"
        for card in sorted({*expected, *found})
    ]
    return "\n".join(lines)


def load() -> list[Position]:
    """The positions of the file."""
    positions: list[Position] = json.loads(FILE.read_text())
    return positions


def random_play(position: Position, rng: random.Random) -> list[str] | None:
    """A whole round that every variant of C9 allows; None where no card is legal in all."""
    played: list[str] = []
    while len(played) < len(position["pack"].split()):
        allowed = [by_reference(position, mode)(played) for mode in reference.UNDERTRUMP]
        common = sorted(set.intersection(*allowed))
        if not common:
            return None
        played.append(rng.choice(common))
    return played


def positions() -> list[Position]:
    """Three positions for each size of table, with and without a trump known from the start."""
    made: list[Position] = []
    for players, trump in [(3, None), (4, None), (5, None), (6, None), (3, "H"), (4, "S")]:
        rng = random.Random(f"{players} {trump}")
        found = of_one_deal(players, trump, rng)
        while not distinguishes_variants(found[1]):
            found = of_one_deal(players, trump, rng)
        made += found
    return made


def of_one_deal(players: int, trump: str | None, rng: random.Random) -> list[Position]:
    """The beginning, the middle and the end of one round."""
    base = Position(name="", players=players, trump=trump, pack="", played="", counts={})
    cards = None
    while cards is None:
        base["pack"] = match_builders.packed(match_builders.random_hands(players, rng), players - 1)
        cards = random_play(base, rng)
    size = len(cards) // players
    made = []
    for name, number in [
        ("first cards", 0),
        ("in the middle", size // 2 * players + 2),
        ("last tricks", (size - (3 if players < 5 else 2)) * players),
    ]:
        position = base.copy()
        position["name"] = f"{players} players, trump {trump or 'to be made'}, {name}"
        position["played"] = " ".join(cards[:number])
        position["counts"] = {mode: counts(position, mode) for mode in reference.UNDERTRUMP}
        made.append(position)
    return made


def distinguishes_variants(position: Position) -> bool:
    """Whether at least three variants of C9 give different counts."""
    return len({tuple(found) for found in position["counts"].values()}) >= 3


def counts(position: Position, undertrump: str) -> list[int]:
    """Counts by the reference while they stay small; in the last trick nobody has a choice."""
    found: list[int] = []
    played = position["played"].split()
    left = len(position["pack"].split()) - len(played)
    for depth in range(1, left - position["players"] + 2):
        number = count(by_reference(position, undertrump), played, depth)
        if number > MOST:
            break
        found.append(number)
    return found


def write_or_print(
    file: Path,
    positions: Callable[[], object],
    description: str | None,
    words: Sequence[str] | None,
) -> int:
    """Prints positions with their counts by the reference, or writes them.

    Args:
        file: the file that `--write` writes.
        positions: computes them.
        description: the docstring of the program.
        words: the arguments of the program; None for those of the process.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m tests.rules.{file.stem}", description=description
    )
    parser.add_argument("--write", action="store_true", help=f"write {file.name}")
    options = parser.parse_args(words)
    text = json.dumps(positions(), indent=1) + "\n"
    if options.write:
        file.write_text(text)
    else:
        sys.stdout.write(text)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Show the counts by the reference, or write them."""
    return write_or_print(FILE, positions, __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
