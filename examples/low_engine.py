"""The bot of `low.py` as a program without Jasstisch: a line of JSON comes in, a line goes out.

Try it: jasstisch arena molotov "exec:python3 examples/low_engine.py" --against random
"""

import json
import sys
from typing import Any

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = POINTS | {"J": 20, "9": 14}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """What is answered to a question."""
    match question["ask"]:
        case "hello":
            games = ["molotov", "offenbach"]
            return {"protocol": "jasstisch-bot/1", "name": "low-engine", "games": games}
        case "act":
            return {"action": chosen(question)}
        case _:  # "prepare", and what later versions may tell
            return {}


def chosen(question: dict[str, Any]) -> str:
    """The card that counts least; where it is not about cards, anything."""
    legal: list[str] = question["legal"]
    cards = [action for action in legal if action.startswith("play ")]
    if not cards:
        chance: int = question["chance"]
        return legal[chance % len(legal)]
    return min(cards, key=lambda action: worth(action.split()[1], question["view"]["trump"]))


def worth(card: str, trump: str | None) -> int:
    """What a card such as `JC` counts, the suit being its second letter."""
    points = TRUMP_POINTS if card[1] == trump else POINTS
    return points.get(card[0], 0)


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
