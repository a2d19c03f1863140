"""Prints moments of I Doubt It as a page receives them, as JSON, for the browser tests.

Five players with ten cards each reach their last card together, so that drawing from the middle,
missing a turn and the last cards come when a test wants them. Views and legal actions are the
engine's own. The reader sits on seat 0 and lays first.
"""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import jasstisch as jt

PLAYERS = 5


def begun(**options: int | str) -> jt.Match:
    """A match after its first deal; the pack is in order, two cards lie in the middle."""
    match = jt.Match(jt.game("i-doubt-it", players=PLAYERS, dealer=PLAYERS - 1, **options))
    match.deal(" ".join(match.pack))
    return match


def claim(match: jt.Match, rank: str = "K") -> str:
    """Lays the first legal cards under this claim and returns the action."""
    (seat,) = match.to_act
    laid = match.legal(seat)[0].split(" as ")[0]
    match.act(seat, f"{laid} as {rank}")
    return f"{laid} as {rank}"


def passes(match: jt.Match, times: int = PLAYERS - 1) -> None:
    """Lets this many seats pass, one after the other."""
    for _ in range(times):
        match.act(match.to_act[0], "pass")


def down_to_one(match: jt.Match, but: int = 0) -> None:
    """Has all players lay three times without a doubt, but omits the last `but` passes."""
    for turn in range(3 * PLAYERS):
        claim(match)
        passes(match, PLAYERS - 1 - (but if turn == 3 * PLAYERS - 1 else 0))


def moment(match: jt.Match) -> dict[str, Any]:
    """View, turn and room phase for seat 0."""
    turn = None
    if 0 in match.to_act:
        legal = list(islice(match.legal(0), 200))
        turn = {"legal": legal, "more": len(match.legal(0)) > 200, "refused": {}, "seconds": None}
    phase = "over" if match.over else "between" if match.needs_pack else "playing"
    return {"view": match.view(0), "turn": turn, "phase": phase}


def scene(match: jt.Match, *then: str) -> dict[str, Any]:
    """The moment as seat 0 receives it, and the moment after each of the following actions."""
    now, steps = moment(match), []
    for action in then:
        seat = match.to_act[0]
        match.act(seat, action)
        steps.append({"seat": seat, "action": action.split(" ")[0], **moment(match)})
    return {**now, "reader": 0, "steps": steps}


def scenes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every moment by its name."""
    match = begun()
    down_to_one(match, but=1)
    yield "drawing", scene(match, "pass")

    # A lie about the last three cards is caught: the middle is empty, and four players miss a turn.
    match = begun()
    down_to_one(match)
    claim(match, "A")
    yield "missing", scene(match, "pass", "doubt")

    match = begun(last="any")
    down_to_one(match)
    yield "last_card", scene(match)

    # The claim about the last card was true: the doubt ends the deal.
    match = begun(last="any")
    down_to_one(match)
    (card,) = match.hand(0)
    match.act(0, f"lay {card} as {card[0]}")
    yield "last_doubted", scene(match, "pass", "doubt")

    match = begun(lie_fee=1)
    claim(match, "A")
    yield "fee", scene(match, "doubt")

    match = begun(rounds=1, max_turns=20)
    while match.view(None)["claims"] < 19:
        claim(match)
        match.act(match.to_act[0], "doubt")
    claim(match)
    passes(match, PLAYERS - 2)
    yield "last_claim", scene(match, "pass")


json.dump(dict(scenes()), sys.stdout)
