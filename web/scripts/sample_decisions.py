"""Prints moments of every game as seat 0 sees them, as JSON, for the tests of what people type.

Matches are played at random from fixed seeds. A moment is what the server tells: the view, what is
legal, and which cards in hand are not and why.
"""

import json
import sys
from itertools import islice
from random import Random
from typing import Any

import jasstisch as jt

MATCHES = 2
STEPS = 90
"""Actions of a match that are looked at, those of all seats together."""

LISTED = 200
"""As many legal actions as the server lists."""


def moment(match: jt.Match) -> dict[str, Any]:
    """What seat 0 may know and do."""
    legal = list(islice(match.legal(0), LISTED))
    why = {card: match.refusal(0, f"play {card}") for card in map(str, match.hand(0))}
    refused = {
        card: {"clause": one.clause, "reason": one.reason}
        for card, one in why.items()
        if one is not None
    }
    more = len(match.legal(0)) > LISTED
    return {"view": match.view(0), "turn": {"legal": legal, "more": more, "refused": refused}}


def moments(game: str, seed: int) -> list[dict[str, Any]]:
    """The decisions of seat 0 in a match of this game."""
    rng = Random(seed)  # noqa: S311 - play, no secret
    match = jt.Match(jt.game(game))
    found = []
    for _ in range(STEPS):
        while match.needs_pack:
            pack = list(match.pack)
            rng.shuffle(pack)
            match.deal(pack)
        if match.over:
            break
        if 0 in match.to_act:
            found.append(moment(match))
        seat = match.to_act[0]
        match.act(seat, rng.choice(list(islice(match.legal(seat), LISTED))))
    return found


if __name__ == "__main__":
    seeds = range(MATCHES)
    sys.stdout.write(
        json.dumps(
            {game: [one for seed in seeds for one in moments(game, seed)] for game in jt.games()}
        )
    )
