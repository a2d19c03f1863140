"""Where not only cards are played there are as many ways to go on as the file of counts says."""

from __future__ import annotations

import pytest

from tests.rules import perft_actions

POSITIONS = {position["name"]: position for position in perft_actions.load()}


@pytest.mark.parametrize("name", POSITIONS)
def test_ways_to_go_on_in_a_match__JS_SC_CO_ID(name: str) -> None:
    """At every depth the engine counts what the file says; a divide shows where it does not."""
    position = POSITIONS[name]
    for depth, number in enumerate(position["counts"], start=1):
        found = perft_actions.found(position, depth)
        assert found == number, perft_actions.differences(position, depth)


@pytest.mark.parametrize("name", POSITIONS)
def test_the_file_of_actions_is_what_the_references_count(name: str) -> None:
    """The numbers are no snapshot of the engine: the references give them."""
    position = POSITIONS[name]
    table = perft_actions.by_reference(position)
    for depth, number in enumerate(position["counts"], start=1):
        assert perft_actions.expected(table, depth) == number


def test_the_positions_are_of_all_kinds() -> None:
    """Answers, robbing, Weis, contracts, pushes, lays of one to three cards are counted."""
    kinds = set()
    for position in POSITIONS.values():
        for action in perft_actions.by_reference(position).legal():
            words = action.split()
            kinds.add(words[0] if words[0] != "lay" else f"lay {len(words) - 3}")
            kinds.add(words[-1])
    assert kinds >= {"trump", "tops", "slalom", "guschti", "joker", "push"}
    assert kinds >= {"stay", "drop", "blind", "rob", "weis", "play", "lay 1", "lay 2", "lay 3"}


def test_a_difference_is_shown_by_the_next_action() -> None:
    """On a failure the counts of both sides stand side by side for each next action."""
    name = next(name for name in POSITIONS if "answers" in name)
    text = perft_actions.differences(POSITIONS[name], 2)
    assert "stay: reference 3, engine 3\n" in text
    assert "<--" not in text
