"""Playthroughs that a person can check line by line, one for each game and number of players.

`python -m tests.rules.golden --write` writes the files in `golden/`; without `--write` it shows
what would change. Packs and choices are random by a fixed seed. Everything is told by the public
names of the engine, except what a trick is worth, which the plain reference says, so that a trick's
worth and the running points beside it come from two sources.

Reading a file: each play shows the hand with the cards that may be played in brackets, then the
card. Running points are those each seat sees of itself.
"""

from __future__ import annotations

import argparse
import difflib
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jasstisch as jt
from tests.rules import reference, tables

FOLDER = Path(__file__).with_name("golden")
SHORT: dict[str, dict[str, Any]] = {
    "molotov": {"target": 2},
    "offenbach": {"target": 2},
    "molotow": {"rounds": 4},
    "differenzler": {"rounds": 4},
}


def file_of(name: str, players: int) -> Path:
    """The file of a game with so many players."""
    return FOLDER / f"{name}-{players}.txt"


def playthrough(name: str, players: int) -> str:
    """A whole match, told."""
    match = jt.Match(jt.game(name, players=players, **SHORT[name]))
    rng = random.Random(f"{name} for {players}")
    lines = [
        f"{name}, {players} players",
        "options: " + " · ".join(f"{key} {value}" for key, value in match.game.options.items()),
    ]
    while not match.over:
        phase = match.view(None)["phase"]
        tellers = {"draw": draw, "deal": deal, "trump": trump, "bid": bid, "play": trick}
        lines += tellers.get(phase, decide)(match, rng)
    lines += ["", "the match is over", f"won by: {', '.join(map(str, match.winners))}"]
    return "\n".join(lines) + "\n"


def draw(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The draw for deal (C5)."""
    match.shuffle(tables.shuffled(match, rng))
    view = match.view(None)
    drawn = " · ".join(f"{seat} {card}" for seat, card in view["draw"])
    yield f"draw for deal: {drawn} -> {view['dealer']} deals first"


def deal(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The deal (C6)."""
    view = match.view(None)
    pack = tables.shuffled(match, rng)
    match.shuffle(pack)
    yield ""
    yield f"ROUND {view['round']}, dealer {view['dealer']}"
    half = len(pack) // 2
    yield f"pack: {' '.join(pack[:half])}"
    yield f"      {' '.join(pack[half:])}"
    for seat in range(match.game.players):
        yield f"hand of {seat}: {' '.join(match.hand(seat))}"


def trump(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The draw of trump (DF2)."""
    pack = tables.shuffled(match, rng)
    match.shuffle(pack)
    yield f"front card of the second pack {pack[0]}: trump is {match.trump}"


def bid(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """A bid, which only its owner sees (DF3)."""
    seat = rng.choice(match.to_act)
    match.act(seat, f"bid {rng.randint(0, 80)}")
    view = match.view(seat)
    others = [match.view(reader)["bids"][seat] for reader in range(match.game.players)]
    seen = [str(reader) for reader, value in enumerate(others) if value is not None]
    yield f"{seat} bids {view['bids'][seat]}, seen by {' '.join(seen)}"


def trick(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """A trick, play by play."""
    done = len(match.rounds)
    number = len(match.view(None)["tricks"]) + 1
    yield ""
    yield f"trick {number}, trump {match.trump or 'not known'}"
    played: list[str] = []
    known = match.trump
    for _ in range(match.game.players):
        (seat,) = match.to_act
        legal = tables.legal(match)
        hand = " ".join(f"[{card}]" if card in legal else card for card in match.hand(seat))
        card = rng.choice(sorted(legal))
        match.act(seat, card)
        played.append(card)
        made = known is None and card[1] != played[0][1]
        known = card[1] if made else known
        told = f", trump is {match.trump or known} now" if made else ""
        yield f"  {seat} plays {card}{told}   from {hand}"
    over = len(match.rounds) > done or match.view(None)["phase"] == "decide"
    taken = match.rounds[-1]["tricks"][-1] if len(match.rounds) > done else last_trick(match)
    worth = sum(reference.value(card, known) for card in played)
    last = " and 5 for the last trick" if over else ""
    yield f"  taken by {taken['winner']}, worth {worth}{last}"
    yield from molotovs(match, number, done)
    if len(match.rounds) > done:
        yield from end_of_round(match)
    else:
        points = (match.view(seat)["points"][seat] for seat in range(match.game.players))
        yield f"  points: {columns(points)}"


def last_trick(match: jt.Match) -> dict[str, Any]:
    """The trick just completed."""
    taken: dict[str, Any] = match.view(None)["last_trick"]
    return taken


def molotovs(match: jt.Match, number: int, done: int) -> Iterator[str]:
    """The molotovs of a trick (MV4)."""
    told = match.rounds[-1] if len(match.rounds) > done else match.view(None)
    for run in told.get("molotovs", []):
        if run["trick"] == number:
            yield f"  molotov {' '.join(run['cards'])}: {run['points']} to {run['seat']}"


def decide(match: jt.Match, rng: random.Random) -> Iterator[str]:
    """The draw of three tied players (MW8)."""
    match.shuffle(tables.shuffled(match, rng))
    for drawn in match.rounds[-1]["draw"]:
        yield "three tied draw: " + " · ".join(f"{seat} {card}" for seat, card in drawn)
    yield from end_of_round(match)


def end_of_round(match: jt.Match) -> Iterator[str]:
    """The result of a round and the slate after it."""
    result = match.rounds[-1]
    yield ""
    yield f"end of the round, trump {result['trump']}"
    if "bids" in result:
        yield f"  bids:       {columns(result['bids'])}"
    yield f"  points:     {columns(result['points'])}   together {sum(result['points'])}"
    if "difference" in result:
        yield f"  difference: {columns(result['difference'])}"
    yield f"  marks:      {columns(result['marks'])}"
    for key in match.standing[0]:
        yield f"  {key + ':':11} {columns(entry[key] for entry in match.standing)}"


def columns(values: Any) -> str:
    """Values by seat, in columns."""
    return " ".join(f"{value!s:>4}" for value in values)


def changes(name: str, players: int) -> str:
    """How the file and the playthrough of today differ; empty where they do not."""
    path = file_of(name, players)
    written = path.read_text() if path.exists() else ""
    return "".join(
        difflib.unified_diff(
            written.splitlines(keepends=True),
            playthrough(name, players).splitlines(keepends=True),
            fromfile=str(path.relative_to(FOLDER.parent)),
            tofile="the engine now",
            n=6,
        )
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Show what differs from the files, or write them."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.golden", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files")
    options = parser.parse_args(arguments)
    different = 0
    for name, players in tables.KINDS:
        if options.write:
            FOLDER.mkdir(exist_ok=True)
            file_of(name, players).write_text(playthrough(name, players))
        elif text := changes(name, players):
            different = 1
            sys.stdout.write(text)
    return different


if __name__ == "__main__":
    sys.exit(main())
