"""The engine allows exactly as many continuations as the reference counted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.rules import match_builders, perft, reference
from tests.rules.test_reference import engine_playable

POSITIONS = {position["name"]: position for position in perft.load()}
GAMES = {
    None: [
        ("molotov", "free"),
        ("molotov", "if_void"),
        ("offenbach", "free"),
        ("offenbach", "if_void"),
        ("molotow", "if_void"),
        ("molotow", "literal"),
        ("molotow", "strict"),
    ],
    "known": [
        ("differenzler", "if_void"),
        ("differenzler", "free"),
        ("schieber", "strict"),
        ("schieber", "forced"),
        ("coiffeur", "strict"),
        ("coiffeur", "forced"),
    ],
}
AT_TABLE = [
    (position["name"], name, undertrump)
    for position in POSITIONS.values()
    for name, undertrump in GAMES["known" if position["trump"] else None]
    if position["players"] in match_builders.PLAYERS[name]
]


def by_tricks(position: perft.Position, undertrump: str) -> perft.Options:
    """The legal cards by the engine's pure function."""

    def options(played: Sequence[str]) -> set[str]:
        hand, table, trump = perft.to_play(position, played)
        return engine_playable(hand, table, trump, undertrump)

    return options


def check(position: perft.Position, undertrump: str, options: perft.Options) -> None:
    """The deepest count is that of the file; on a failure the first depth that differs is shown."""
    played = position["played"].split()
    counts = position["counts"][undertrump]
    if perft.count(options, played, len(counts)) == counts[-1]:
        return
    for depth, number in enumerate(counts, start=1):
        found = perft.count(options, played, depth)
        assert found == number, perft.differences(position, undertrump, options, depth)


@pytest.mark.parametrize(("position", "name", "undertrump"), AT_TABLE)
def test_continuations_in_a_match_are_as_many_as_in_the_file__C8_C9(
    position: str, name: str, undertrump: str
) -> None:
    """In a match of each game, with each of its values of `undertrump`."""
    chosen = POSITIONS[position]
    check(chosen, undertrump, perft.at_table(chosen, name, undertrump))


@pytest.mark.parametrize("undertrump", reference.UNDERTRUMP)
@pytest.mark.parametrize("position", POSITIONS)
def test_continuations_by_legal_cards_are_as_many_as_in_the_file__C8_C9(
    position: str, undertrump: str
) -> None:
    """`tricks.legal_cards` gives the counts of the file in all five variants."""
    chosen = POSITIONS[position]
    check(chosen, undertrump, by_tricks(chosen, undertrump))


@pytest.mark.parametrize("undertrump", reference.UNDERTRUMP)
@pytest.mark.parametrize("position", POSITIONS)
def test_continuations_by_the_reference_are_as_many_as_in_the_file(
    position: str, undertrump: str
) -> None:
    """The numbers are no snapshot of the engine: the reference gives them."""
    chosen = POSITIONS[position]
    check(chosen, undertrump, perft.by_reference(chosen, undertrump))


def test_every_two_undertrump_variants_differ_somewhere__C9() -> None:
    """Every two variants have different counts in some position of the file."""
    for one in reference.UNDERTRUMP:
        for other in reference.UNDERTRUMP:
            if one != other:
                assert any(
                    position["counts"][one] != position["counts"][other]
                    for position in POSITIONS.values()
                ), f"{one} and {other} never differ"


def test_differences_are_reported_for_each_next_card() -> None:
    """The counts of both for each next card, differences marked."""
    position = next(iter(POSITIONS.values()))
    free = perft.by_reference(position, "free")
    first = min(free([]))
    text = perft.differences(position, "free", lambda played: free(played) - {first}, 1)
    assert f"{first}: reference 1, engine illegal   <--" in text
