"""Counts of the legal continuations by actions of every kind, kept in `perft_actions.json`.

As `perft`, but counts sequences of all actions: answers, robbing, Weis, contracts, pushes, lays and
doubts. `python -m tests.rules.perft_actions --write` makes the file from the references alone, so
that the engine is measured against numbers that it did not compute. A position is a log.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

import jasstisch as jt
from tests.rules import (
    reference,
    reference_contracts,
    reference_handjass,
    reference_i_doubt_it,
)
from tests.rules.perft import write_or_print

FILE = Path(__file__).with_name("perft_actions.json")
MOST = 700
SCHIEBER = {"target": 1000, "rounds": 0, "multipliers": "none", "weis": "on", "end": "at_once"}
Table = reference_handjass.Table | reference_contracts.Table | reference_i_doubt_it.Table


class Position(TypedDict):
    """A position as a log, and the counts for 1, 2, 3 … further actions."""

    name: str
    game: str
    options: dict[str, Any]
    log: list[list[Any]]
    counts: list[int]


def actor(table: Table) -> int | None:
    """The seat to act at a reference table."""
    return table.actor if isinstance(table, reference_i_doubt_it.Table) else table.actor()


def empty(position: Position) -> Table:
    """A reference table before the first deal."""
    if position["game"] == "jass":
        return reference_handjass.Table(**position["options"])
    if position["game"] in reference_contracts.GAMES:
        return reference_contracts.GAMES[position["game"]](position["options"])
    return reference_i_doubt_it.Table(**position["options"])


def by_reference(position: Position) -> Table:
    """The reference table after the log."""
    table = empty(position)
    for who, what in position["log"]:
        if who == "pack":
            table.shuffle(what.split())
        else:
            table.act(what)
    return table


def at_table(position: Position, further: Sequence[str] = ()) -> jt.Match:
    """A match of the engine after the log and some more actions."""
    match = jt.Match(jt.game(position["game"], **position["options"]))
    for who, what in position["log"]:
        if who == "pack":
            match.deal(what)
        else:
            match.act(who, what)
    for action in further:
        (seat,) = match.to_act
        match.act(seat, action)
    return match


def reference_count(table: Table, depth: int) -> int:
    """The number of sequences of `depth` further actions in this round, by the reference."""
    if actor(table) is None:
        return 1
    if depth == 1:
        return sum(1 for _ in table.legal())
    total = 0
    for action in table.legal():
        after = copy.deepcopy(table)
        after.act(action)
        total += reference_count(after, depth - 1)
    return total


def engine_count(position: Position, depth: int, further: Sequence[str] = ()) -> int:
    """The number of sequences of `depth` further actions in this round, by the engine."""
    match = at_table(position, further)
    if not match.to_act:
        return 1
    legal = match.legal(match.to_act[0])
    if depth == 1:
        return len(legal)
    return sum(engine_count(position, depth - 1, [*further, action]) for action in legal)


def differences(position: Position, depth: int) -> str:
    """The counts of reference and engine for each next action, differences marked."""
    table = by_reference(position)
    lines = [f"{position['name']}, depth {depth}"]
    match = at_table(position)
    legal = list(match.legal(match.to_act[0]))
    for action in dict.fromkeys([*table.legal(), *legal]):
        sides: list[Any] = ["illegal", "illegal"]
        if action in table.legal():
            after = copy.deepcopy(table)
            after.act(action)
            sides[0] = reference_count(after, depth - 1) if depth > 1 else 1
        if action in legal:
            sides[1] = engine_count(position, depth - 1, [action]) if depth > 1 else 1
        mark = "" if sides[0] == sides[1] else "   <--"
        lines.append(f"{action}: reference {sides[0]}, engine {sides[1]}{mark}")
    return "\n".join(lines)


def load() -> list[Position]:
    """The positions of the file."""
    positions: list[Position] = json.loads(FILE.read_text())
    return positions


def counted(position: Position) -> Position:
    """The position with its counts, as deep as they stay small; the first one may be big."""
    table = by_reference(position)
    position["counts"] = [reference_count(table, 1)]
    while len(position["counts"]) < 4:
        number = position["counts"][-1]
        if (
            number * 2 > MOST
            or (number := reference_count(table, len(position["counts"]) + 1)) > MOST
        ):
            break
        position["counts"].append(number)
    return position


def of_jass(players: int, undertrump: str, ending: str) -> list[Position]:
    """The answers, the first trick, the middle and the end of a round with a robber and Weis."""
    rng = random.Random(f"{players} {undertrump} {ending}")
    options = {
        "players": players,
        "dealer": players - 1,
        "target": 7,
        "undertrump": undertrump,
        "ties": "nothing",
    }
    base = Position(name="", game="jass", options=options, log=[], counts=[])
    pack = reference.pack(4)
    while True:
        rng.shuffle(pack)
        log: list[list[Any]] = [["pack", " ".join(pack)]]
        table = by_reference({**base, "log": log})
        made = [at("answers", base, log)]
        kinds = set[str]()
        assert isinstance(table, reference_handjass.Table)
        while table.actor() is not None:
            legal = list(table.legal())
            liked = [action for action in legal if action in {"stay", "rob", ending}]
            action = rng.choice(liked or legal)
            if len(log) == players + 1:
                made.append(at("first cards", base, log))
            if table.round is not None and table.round.to_answer() is None:
                kinds |= {each.split()[-1] for each in legal}
                played = sum(1 for _, what in log if what.startswith("play "))
                if played in {4 * players + 1, 6 * players} and action.startswith("play "):
                    made.append(at(f"after {played} cards", base, log))
            log.append([actor(table), action])
            table.act(action)
        if "weis" in kinds and ("rob" in kinds or players == 4):
            for position in made:
                position["name"] = f"jass {players}, {undertrump}, {ending}: {position['name']}"
            return [counted(position) for position in made]


def of_contract(name: str, say: Sequence[str], **options: Any) -> list[Position]:
    """The announcements, the first trick, the middle and the end of a round of this contract."""
    rng = random.Random(f"{name} {say} {options}")
    options = {"dealer": 3, "match_bonus": 100, "undertrump": "strict", **options}
    base = Position(name="", game=name, options=options, log=[], counts=[])
    pack = reference.pack(4)
    title = f"{name}, {options['undertrump']}, {say[-1]}"
    while True:
        rng.shuffle(pack)
        log: list[list[Any]] = [["pack", " ".join(pack)]]
        table = by_reference({**base, "log": log})
        assert isinstance(table, reference_contracts.Table)
        made: list[Position] = []
        weis = False
        while (seat := table.actor()) is not None:
            legal = table.legal()
            played = len(log) - 1 - len(say)
            if played < 0:
                made.append(at(f"{title}: after {len(log) - 1} announcements", base, log))
                action = say[len(log) - 1]
            else:
                weis |= legal[-1].endswith(" weis")
                if played in {0, 3, 17, 24}:
                    made.append(at(f"{title}: after {played} cards", base, log))
                action = rng.choice(legal)
            log.append([seat, action])
            table.act(action)
        if weis or name == "coiffeur":
            return [counted(position) for position in made]


def of_doubt(players: int, last: str, claims: Sequence[int]) -> list[Position]:
    """Moments of one deal in which one claim is doubted, the fifth: so many claims after it."""
    rng = random.Random(f"{players} {last}")
    options = {
        "players": players,
        "dealer": 0,
        "rounds": 1,
        "max_turns": 50,
        "last": last,
        "lie_fee": 0,
    }
    base = Position(name="", game="i-doubt-it", options=options, log=[], counts=[])
    pack = reference_i_doubt_it.pack()
    rng.shuffle(pack)
    log: list[list[Any]] = [["pack", " ".join(pack)]]
    table = by_reference({**base, "log": log})
    assert isinstance(table, reference_i_doubt_it.Table)
    made: list[Position] = []
    while table.actor is not None and len(made) < len(claims):
        if table.asked is None and table.claims == claims[len(made)]:
            name = f"i-doubt-it {players}, last {last}: after {table.claims} claims"
            made.append(counted(at(name, base, log)))
        action = rng.choice(list(table.legal()))
        if table.asked is not None:
            action = "doubt" if table.claims == 5 else "pass"
        log.append([table.actor, action])
        table.act(action)
    return made


def at(name: str, base: Position, log: Sequence[list[Any]]) -> Position:
    """A position after this log."""
    return {**base, "name": name, "log": [list(entry) for entry in log]}


def positions() -> list[Position]:
    """All positions of the file."""
    made: list[Position] = []
    for players in (2, 3, 4):
        for undertrump in ("strict", "forced"):
            made += of_jass(players, undertrump, "stay")
    made += of_jass(3, "strict", "blind")
    made += of_jass(2, "strict", "blind")
    made += of_contract("schieber", ["push", "trump H"], **SCHIEBER, slalom="off")
    made += of_contract("schieber", ["trump C"], **SCHIEBER, slalom="off", undertrump="forced")
    made += of_contract("schieber", ["push", "slalom bottoms"], **SCHIEBER, slalom="on")
    made += of_contract("coiffeur", ["push", "push", "guschti tops"], lines="ten", suits="swiss")
    made += of_contract(
        "coiffeur", ["push"] * 4 + ["joker 8 bottoms"], lines="eight", suits="french"
    )
    for players, claims in ((2, (0, 15)), (3, (15, 16)), (4, (0, 15, 16, 17)), (8, (0, 8, 14))):
        for last in ("three", "any"):
            made += of_doubt(players, last, claims)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Show the counts by the references, or write them."""
    return write_or_print(FILE, positions, __doc__, arguments)


if __name__ == "__main__":
    sys.exit(main())
