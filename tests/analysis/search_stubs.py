"""Stubs of the search, and constructed views."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import jasstisch as jt
from jasstisch.bots import View
from jasstisch.bots.searching import Candidate
from jasstisch.bots.searching.budget import SearchBudget

MAX_WEIGHED = 12
"""The most actions that the stubs evaluate."""

Weigh = Callable[[View, Sequence[str], Random, SearchBudget], list[Candidate]]


def candidates(**values: float) -> list[Candidate]:
    """Candidates with these values, best first: `play_7C=-2` or `bid_42=-6`.

    The figure is the negated value, as in Differenzler and Molotov, where fewer points are better.
    """
    found = [
        Candidate(name.replace("_", " "), value, -value, 100) for name, value in values.items()
    ]
    return sorted(found, key=lambda one: -one.value)


def fixed_search(values: Mapping[str, float]) -> Weigh:
    """A search with fixed values for some actions and 0 for all others."""

    def weigh(
        view: View, legal: Sequence[str], rng: Random, effort: SearchBudget
    ) -> list[Candidate]:
        few = legal[:MAX_WEIGHED] if len(legal) > MAX_WEIGHED else legal
        found = [Candidate(one, values.get(one, 0.0), -values.get(one, 0.0), 8) for one in few]
        return sorted(found, key=lambda one: -one.value)

    return weigh


def random_search(
    view: View, legal: Sequence[str], rng: Random, effort: SearchBudget
) -> list[Candidate]:
    """A search that evaluates some of the actions, randomly."""
    few = (
        [legal[rng.randrange(len(legal))] for _ in range(MAX_WEIGHED)]
        if len(legal) > MAX_WEIGHED
        else legal
    )
    found = [
        Candidate(one, rng.uniform(-99, 99), rng.uniform(-99, 99), rng.randint(1, 9))
        for one in dict.fromkeys(few)
    ]
    return sorted(found, key=lambda one: -one.value)


def card_view(game: str, hand: str, trick: str = "", **more: Any) -> dict[str, Any]:
    """The view of seat 0 of four, to play a card to a trick.

    Args:
        game: name of the game.
        hand: the seat's cards.
        trick: the cards played so far, by the seats before seat 0.
        more: anything else a view holds; `tricks` as texts `"3: 6C 7C 8C 9C > 0"`, the leader
            before the cards and the winner after them.
    """
    lie, held = trick.split(), hand.split()
    tricks = [trick_view(one) for one in more.pop("tricks", ())]
    view: dict[str, Any] = {
        "game": game,
        "options": dict(jt.game(game).options),
        "players": ["Anna", "Reto", "Lina", "Beat"],
        "seat": 0,
        "phase": "play",
        "trump": None,
        "hand": held,
        "hand_sizes": [len(held) - (seat > 3 - len(lie)) for seat in range(4)],
        "trick": [[4 - len(lie) + place, card] for place, card in enumerate(lie)],
        "tricks": tricks,
        "points": [0, 0, 0, 0],
        "bids": [None] * 4,
        "melds": [],
        "laid_away": [],
        "turned": None,
    }
    return view | more


def trick_view(text: str) -> dict[str, Any]:
    """A complete trick as views show it."""
    leader, _, rest = text.partition(": ")
    cards, _, winner = rest.partition(" > ")
    return {"leader": int(leader), "cards": cards.split(), "winner": int(winner)}
