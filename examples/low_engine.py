"""The bot of `low.py` as a program without Jasstisch: it reads and writes lines of JSON.

Try it: jasstisch arena molotov "exec:python3 examples/low_engine.py" --against random
"""

import json
import sys
from typing import Any

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = POINTS | {"J": 20, "9": 14}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Answers a request."""
    match question["ask"]:
        case "hello":
            games = ["molotov", "offenbach"]
            return {"protocol": "jasstisch-bot/1", "name": "low-engine", "games": games}
        case "act":
            return {"action": choose_action(question)}
        case _:  # "prepare", and requests of later versions
            return {}


def choose_action(question: dict[str, Any]) -> str:
    """The card with the fewest points; any action if no card can be played."""
    legal: list[str] = question["legal"]
    cards = [action for action in legal if action.startswith("play ")]
    if not cards:
        chance: int = question["chance"]
        return legal[chance % len(legal)]
    return min(cards, key=lambda action: card_points(action.split()[1], question["view"]["trump"]))


def card_points(card: str, trump: str | None) -> int:
    """The points of a card such as `JC`, whose suit is the second letter."""
    points = TRUMP_POINTS if card[1] == trump else POINTS
    return points.get(card[0], 0)


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
