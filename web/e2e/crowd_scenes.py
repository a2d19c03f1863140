"""Prints moments at full tables as a page receives them, as JSON, for the browser tests.

Each has as many players as its game allows, and something lies on the mat. Views and legal actions
are the engine's own. The reader sits on seat 0.
"""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import jasstisch as jt


def begun(game: str, players: int, **options: int | str) -> jt.Match:
    """A match after its first deal; the pack is in order."""
    match = jt.Match(jt.game(game, players=players, dealer=players - 1, **options))
    match.deal(" ".join(match.pack))
    return match


def scene(match: jt.Match) -> dict[str, Any]:
    """The moment as seat 0 receives it."""
    turn = None
    if 0 in match.to_act:
        legal = list(islice(match.legal(0), 200))
        turn = {"legal": legal, "more": len(match.legal(0)) > 200, "refused": {}, "seconds": None}
    return {"view": match.view(0), "turn": turn, "phase": "playing", "reader": 0, "steps": []}


def scenes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every moment by its name."""
    for players in (4, 6):
        match = begun("molotov", players)
        while True:
            for _ in range(players - 1):
                match.act(match.to_act[0], match.legal(match.to_act[0])[0])
            if match.view(0)["trump"] is not None:
                break
            match.act(match.to_act[0], match.legal(match.to_act[0])[0])
        yield f"crowd_of_{players}", scene(match)

    match = begun("i-doubt-it", 8)
    laid = match.legal(0)[0].split(" as ")[0]
    match.act(0, f"{laid} as K")
    while match.to_act[0] != 1 or match.view(1)["phase"] != "lay":
        match.act(match.to_act[0], "pass")
    laid = match.legal(1)[0].split(" as ")[0]
    match.act(1, f"{laid} as Q")
    while match.to_act[0] != 0:
        match.act(match.to_act[0], "pass")
    yield "crowd_of_8", scene(match)


if __name__ == "__main__":
    json.dump(dict(scenes()), sys.stdout)
