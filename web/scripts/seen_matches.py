"""Prints matches of every game as seat 0 sees them, as JSON, for the tests of what a page notes.

Matches are played at random from fixed seeds, and cards are taken back now and then. A step is an
event of a table and what a state after it shows: the view, the last action of each seat besides
cards, the phase of the room, and the number of the next pack to be called.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

import jasstisch as jt
from jasstisch.games.options import Choice, Value
from jasstisch.games.rules import REGISTRY

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

LEFT_OUT = {"players", "last_trick", "melds", "weis", "stoeck", "points", "turn"}
"""Keys of a view that are not noted, nor decide what is."""

KEPT_OF_ROUNDS = {"tricks", "playing", "draw"}
"""The keys of the rounds in a view that are noted."""

LISTED = 200
"""As many legal actions as the server lists."""


Cards = tuple[str, ...]


def steps_of(match: jt.Match, rng: Random, packs: Iterator[Cards]) -> list[dict[str, Any]]:
    """Plays a match to its end, first with these packs, and returns what seat 0 is told."""
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
            match.deal(next(packs, None) or rng.sample(match.pack, len(match.pack)))
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


def played(
    name: str, players: int, seed: int = 0, packs: Sequence[Cards] = (), **options: Value
) -> dict[str, Any]:
    """A match of a game, as it was seen and as it stands in its record."""
    rng = Random(seed)  # noqa: S311 - play, no secret
    match = jt.Match(jt.game(name, players=players, **{**SHORT.get(name, {}), **options}))
    kind = ", void rounds" if packs else ", other options" if options else ""
    steps = steps_of(match, rng, iter(packs))
    return {"name": f"{name}, {players} players{kind}", "steps": steps, "record": match.record()}


def trumpless() -> Cards:
    """A pack that gives each of three players three cards of every suit, so that all follow."""
    return tuple(rank + suit for suit in "CDHS" for rank in "6789TJQKA")


def with_other_options(name: str, players: int) -> dict[str, Any]:
    """A match with the last value of each option that has a few, none of them a default."""
    other = {one.name: one.values[-1] for one in REGISTRY[name].options if isinstance(one, Choice)}
    return played(name, players, **{**other, **SHORT.get(name, {})})


def with_void_rounds() -> list[dict[str, Any]]:
    """Matches whose first two rounds, or second one, are void (MV7)."""
    options: dict[str, Value] = {"dealer": 1, "no_trump": "annul"}
    packs = trumpless(), trumpless()
    mixed = tuple(Random(1).sample(trumpless(), 36))  # noqa: S311 - play, no secret
    return [
        played("offenbach", 3, packs=packs, **options),
        played("molotov", 3, packs=(mixed, trumpless()), target=2, **options),
    ]


def numbers_of_players(name: str) -> list[int]:
    """The numbers of players that a game allows."""
    allowed = []
    for number in range(2, 9):
        with suppress(jt.GameError):
            jt.game(name, players=number)
            allowed.append(number)
    return allowed


if __name__ == "__main__":
    allowed = {name: numbers_of_players(name) for name in sorted(jt.games())}
    matches = [
        played(name, players, seed)
        for name, numbers in allowed.items()
        for seed, players in enumerate(numbers)
    ]
    matches += [
        with_other_options(name, numbers[0])
        for name, numbers in allowed.items()
        if name != "coiffeur"  # its options change points alone, and its matches are long
    ]
    sys.stdout.write(json.dumps(matches + with_void_rounds()))
