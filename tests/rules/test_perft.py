"""The engine allows exactly as many ways to go on as the plain reference counted."""

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
    """What may be played by the engine's pure function."""

    def options(played: Sequence[str]) -> set[str]:
        hand, table, trump = perft.to_play(position, played)
        return engine_playable(hand, table, trump, undertrump)

    return options


def check(position: perft.Position, undertrump: str, options: perft.Options) -> None:
    """The deepest count is that of the file; a divide shows the first depth that differs."""
    played = position["played"].split()
    counts = position["counts"][undertrump]
    if perft.count(options, played, len(counts)) == counts[-1]:
        return
    for depth, number in enumerate(counts, start=1):
        found = perft.count(options, played, depth)
        assert found == number, perft.differences(position, undertrump, options, depth)


@pytest.mark.parametrize(("position", "name", "undertrump"), AT_TABLE)
def test_ways_to_go_on_in_a_match__C8_C9(position: str, name: str, undertrump: str) -> None:
    """In a match of each game, by each of its readings, the counts are those of the file."""
    chosen = POSITIONS[position]
    check(chosen, undertrump, perft.at_table(chosen, name, undertrump))


@pytest.mark.parametrize("undertrump", reference.UNDERTRUMP)
@pytest.mark.parametrize("position", POSITIONS)
def test_ways_to_go_on_by_the_pure_function__C8_C9(position: str, undertrump: str) -> None:
    """`tricks.legal_cards` gives the counts of the file by all five readings."""
    chosen = POSITIONS[position]
    check(chosen, undertrump, by_tricks(chosen, undertrump))


@pytest.mark.parametrize("undertrump", reference.UNDERTRUMP)
@pytest.mark.parametrize("position", POSITIONS)
def test_the_file_is_what_the_reference_counts(position: str, undertrump: str) -> None:
    """The numbers are no snapshot of the engine: the reference gives them."""
    chosen = POSITIONS[position]
    check(chosen, undertrump, perft.by_reference(chosen, undertrump))


def test_the_readings_differ_somewhere__C9() -> None:
    """Every two readings of undertrumping part ways in some position of the file."""
    for one in reference.UNDERTRUMP:
        for other in reference.UNDERTRUMP:
            if one != other:
                assert any(
                    position["counts"][one] != position["counts"][other]
                    for position in POSITIONS.values()
                ), f"{one} and {other} are never told apart"


def test_a_difference_is_shown_by_the_next_card() -> None:
    """On a failure the counts stand side by side for each next card, the wrong ones marked."""
    position = next(iter(POSITIONS.values()))
    free = perft.by_reference(position, "free")
    first = min(free([]))
    text = perft.differences(position, "free", lambda played: free(played) - {first}, 1)
    assert f"{first}: reference 1, engine illegal   <--" in text
