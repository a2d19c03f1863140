"""Prints matches of every game as seat 0 sees them, as JSON, for the tests of what a page notes.

Matches are played at random from fixed seeds, and cards are taken back now and then. A step is an
event of a table and what a state after it shows: the view, the last action of each seat besides
cards, the phase of the room, and the number of the next pack to be called.
"""

import json
import sys
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

import jasstisch as jt

SHORT: dict[str, dict[str, Any]] = {
    "coiffeur": {},
    "differenzler": {"rounds": 4},
    "i-doubt-it": {"rounds": 2, "max_turns": 20},
    "jass": {"target": 5},
    "molotov": {"target": 1},
    "molotow": {"rounds": 1},
    "offenbach": {"target": 1},
    "schieber": {"rounds": 4},
}
"""Options of matches that end soon."""

TAKEN_BACK = 0.1
"""How often a card that may be taken back is."""

LEFT_OUT = {"options", "players", "last_trick", "melds", "weis", "stoeck", "points", "turn"}
"""Keys of a view that are not noted, nor decide what is."""

KEPT_OF_ROUNDS = {"tricks", "playing", "draw"}
"""The keys of the rounds in a view that are noted."""

LISTED = 200
"""As many legal actions as the server lists."""


def steps_of(match: jt.Match, rng: Random) -> list[dict[str, Any]]:
    """Plays a match to its end, and returns what seat 0 is told."""
    steps: list[dict[str, Any]] = []
    said: list[str | None] = []
    called = 0

    def tell(kind: str, seat: int | None = None, action: str | None = None) -> None:
        phase = "over" if match.over else "between" if match.needs_pack else "playing"
        event = {"kind": kind, "seat": seat, "action": action}
        state = {"view": shown(match.view(0)), "said": list(said), "phase": phase}
        steps.append({"event": event, "next": called + 1} | state)

    tell("started")
    while not match.over:
        if match.needs_pack:
            called += 1
            tell("called")
            tell("settled")
            match.deal(rng.sample(match.pack, len(match.pack)))
            said = [None] * len(match.players)
            tell("pack")
            continue
        seat = rng.choice(match.to_act)
        match.act(seat, rng.choice(list(islice(match.legal(seat), LISTED))))
        action = match.describe_last_action(0)
        if not action.startswith(("play ", "lay ")):
            said[seat] = action
        tell("acted", seat, action)
        ended = match.needs_pack or match.over
        if match.can_undo and not ended and rng.random() < TAKEN_BACK:
            match.undo()
            tell("undone", seat)
    return steps


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """The parts of a view that count here."""
    rounds = [
        {key: value for key, value in one.items() if key in KEPT_OF_ROUNDS}
        for one in view["rounds"]
    ]
    return {key: value for key, value in view.items() if key not in LEFT_OUT} | {"rounds": rounds}


def played(name: str, players: int, seed: int) -> dict[str, Any]:
    """A match of a game, as it was seen and as it stands in its record."""
    rng = Random(seed)  # noqa: S311 - play, no secret
    match = jt.Match(jt.game(name, players=players, **SHORT.get(name, {})))
    return {"steps": steps_of(match, rng), "record": match.record()}


def numbers_of_players(name: str) -> list[int]:
    """The numbers of players that a game allows."""
    allowed = []
    for number in range(2, 9):
        with suppress(jt.GameError):
            jt.game(name, players=number)
            allowed.append(number)
    return allowed


if __name__ == "__main__":
    sys.stdout.write(
        json.dumps(
            [
                played(name, players, seed)
                for name in sorted(jt.games())
                for seed, players in enumerate(numbers_of_players(name))
            ]
        )
    )
