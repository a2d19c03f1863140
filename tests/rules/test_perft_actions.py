"""The engine allows exactly as many continuations by all actions as the references counted."""

from __future__ import annotations

import pytest

from tests.rules import perft_actions

POSITIONS = {position["name"]: position for position in perft_actions.load()}


@pytest.mark.parametrize("name", POSITIONS)
def test_continuations_in_a_match_are_as_many_as_in_the_file__JS_SC_CO_ID(name: str) -> None:
    """At every depth; on a failure the counts for each next action are shown."""
    position = POSITIONS[name]
    for depth, number in enumerate(position["counts"], start=1):
        found = perft_actions.engine_count(position, depth)
        assert found == number, perft_actions.differences(position, depth)


@pytest.mark.parametrize("name", POSITIONS)
def test_continuations_by_the_references_are_as_many_as_in_the_file(name: str) -> None:
    """The numbers are no snapshot of the engine: the references give them."""
    position = POSITIONS[name]
    table = perft_actions.by_reference(position)
    for depth, number in enumerate(position["counts"], start=1):
        assert perft_actions.reference_count(table, depth) == number


def test_positions_cover_all_kinds_of_actions() -> None:
    """Answers, robbing, Weis, contracts, pushes, and lays of one to three cards are legal."""
    kinds = set()
    for position in POSITIONS.values():
        for action in perft_actions.by_reference(position).legal():
            words = action.split()
            kinds.add(words[0] if words[0] != "lay" else f"lay {len(words) - 3}")
            kinds.add(words[-1])
    assert kinds >= {"trump", "tops", "slalom", "guschti", "joker", "push"}
    assert kinds >= {"stay", "drop", "blind", "rob", "weis", "play", "lay 1", "lay 2", "lay 3"}


def test_differences_are_reported_for_each_next_action() -> None:
    """The counts of reference and engine for each next action, here all equal."""
    name = next(name for name in POSITIONS if "answers" in name)
    text = perft_actions.differences(POSITIONS[name], 2)
    assert "stay: reference 3, engine 3\n" in text
    assert "<--" not in text
