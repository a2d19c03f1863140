"""The playthroughs of the engine match the files in `golden/`."""

from __future__ import annotations

import pytest

from tests.rules import golden, match_builders


@pytest.mark.parametrize(("name", "players"), match_builders.ALL_KINDS)
def test_playthrough_matches_its_golden_file(name: str, players: int) -> None:
    """On a failure a diff shows where they differ."""
    difference = golden.changes(name, players)
    assert not difference, (
        f"\n{difference}\nIf the file was wrong: python -m tests.rules.golden --write"
    )


def test_golden_has_one_file_for_each_game_and_number_of_players() -> None:
    """No file is missing, and none is left over."""
    expected = {golden.file_of(name, players) for name, players in match_builders.ALL_KINDS}
    assert set(golden.FOLDER.iterdir()) == expected


def test_playthroughs_contain_the_events_of_the_tricks() -> None:
    """Somewhere trump is made, a molotov falls, a sack is crossed out, and bids are shown."""
    text = "".join(path.read_text() for path in golden.FOLDER.iterdir())
    for event in ("trump is H now", "  molotov ", "Ø", "and 5 for the last trick", "bids:"):
        assert event in text


def test_playthroughs_of_jass_and_i_doubt_it_contain_their_events() -> None:
    """Somebody robs, has Stöck and Weis, takes the blind, is alone, is safe; a lie is found out."""
    text = "".join(path.read_text() for path in golden.FOLDER.glob("jass-*"))
    for event in (" robs ", "Stöck of", "Weis of", "says blind", "is alone", "True", "Ø", "dead"):
        assert event in text
    text = "".join(path.read_text() for path in golden.FOLDER.glob("i-doubt-it-*"))
    for event in (": false", ": true", "drawn from the middle", "middle from the top: nothing"):
        assert event in text


def test_playthroughs_of_schieber_and_coiffeur_contain_their_events() -> None:
    """A push, Weis of a side, Stöck, a short last round; a slate filled, a guschti turned round."""
    text = golden.file_of("schieber", 4).read_text()
    for event in (
        *(" says push\n", "who may not push, says", "Weis of side 0", "Weis of side 1"),
        *("Stöck of side", "silent on a Weis", "factor 3", "trick 2, tops", "trick 2, bottoms"),
    ):
        assert event in text
    last = text.rpartition("ROUND")[2]
    assert 0 < last.count("trick ") < 9
    text = golden.file_of("coiffeur", 4).read_text()
    for event in ("guschti tops\ncontract", "  5 tops ", "  6 bottoms ", "says joker 9 ", "slalom"):
        assert event in text
    assert text.count("ROUND") == 20
