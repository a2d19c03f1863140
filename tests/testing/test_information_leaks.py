"""In the games of the package a leak is found that is put there: a number or a word is enough."""

from collections.abc import Callable
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.engine.cards import JASS
from jasstisch.games.rules import REGISTRY
from jasstisch.testing import ConformanceError, check_game

Leak = Callable[[Any], object]


def hearts_of_forehand(rules: Any) -> object:
    return sum(JASS.suit(card) == 2 for card in range(36) if rules.hands[0] >> card & 1)


def highest_of_the_blind(rules: Any) -> object:
    return rules.blind.bit_length()


def best_meld_of_seat_one(rules: Any) -> object:
    return len(rules.announceable_melds(1)) if rules.playing else 0


def stoeck_half_played(rules: Any) -> object:
    return rules.stoeck_holder


def bids_of_all(rules: Any) -> object:
    return sum(bid or 0 for bid in rules.bids)


def cards_dropped_last(rules: Any) -> object:
    return max(rules.laid_away)


def top_of_the_middle(rules: Any) -> object:
    return rules.middle[-1] if rules.middle else None


LEAKS: list[tuple[str, dict[str, Any], Leak]] = [
    ("molotov", {"target": 1}, hearts_of_forehand),
    ("offenbach", {"players": 3, "target": 1}, hearts_of_forehand),
    ("molotow", {"rounds": 1}, hearts_of_forehand),
    ("differenzler", {"rounds": 4}, bids_of_all),
    ("jass", {"players": 3, "target": 5}, highest_of_the_blind),
    ("jass", {"target": 5}, best_meld_of_seat_one),
    ("jass", {"target": 5}, cards_dropped_last),
    ("schieber", {"rounds": 4}, best_meld_of_seat_one),
    ("schieber", {"rounds": 4}, stoeck_half_played),
    ("coiffeur", {}, hearts_of_forehand),
    ("i-doubt-it", {"rounds": 1, "max_turns": 20}, top_of_the_middle),
]


@pytest.mark.parametrize(("name", "options", "leak"), LEAKS)
def test_a_hint_at_hidden_cards_in_the_view_is_found(
    name: str, options: dict[str, Any], leak: Leak, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules: Any = REGISTRY[name]
    table = rules.table_view
    # It must be found as a leak, not as a key that is not declared.
    monkeypatch.setattr(rules, "view_type", None)
    leaking = lambda self, seat: table(self, seat) | {"hint": leak(self)}  # noqa: E731
    monkeypatch.setattr(rules, "table_view", leaking)
    with pytest.raises(ConformanceError, match=r"shown what it cannot know: .*\['hint'\]"):
        check_game(jt.game(name, **options))


@pytest.mark.parametrize(
    ("name", "options"),
    [("differenzler", {"rounds": 4}), ("i-doubt-it", {"rounds": 1, "max_turns": 20})],
)
def test_a_hidden_action_told_in_full_is_found(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(self: object, actor: int, action: str, reader: int | None) -> str:
        return action

    monkeypatch.setattr(REGISTRY[name], "redact_action", told)
    with pytest.raises(ConformanceError, match="Override redact_action"):
        check_game(jt.game(name, **options))
