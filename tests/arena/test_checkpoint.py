"""Checkpoints: an interrupted run continues, and other files are not touched."""

from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch import arena
from jasstisch.arena.duplicate_boards import BoardResult
from jasstisch.engine.errors import GameError

DUEL = arena.contest(jt.game("molotov"), ["greedy"], against="random")


def played(path: Path, deals: int, seed: int = 1) -> list[BoardResult]:
    """The boards of a run with a checkpoint."""
    session = arena.ContestRun(DUEL, deals, seed)
    with arena.open_checkpoint(session, path) as book:
        for boards in session.play():
            book.add(boards)
    return session.boards


def test_a_run_continues_from_its_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "boards"
    first = played(path, 3)
    content = path.read_bytes()
    both = played(path, 5)
    assert both[:3] == first
    assert both == played(tmp_path / "other", 5)
    assert path.read_bytes().startswith(content)
    assert [board.timings for board in both[:3]] == [board.timings for board in first]


def test_a_finished_run_plays_no_more(tmp_path: Path) -> None:
    path = tmp_path / "boards"
    boards = played(path, 3)
    content = path.read_bytes()
    assert played(path, 2) == boards[:2]
    assert path.read_bytes() == content


def test_a_truncated_line_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "boards"
    boards = played(path, 3)
    content = path.read_bytes()
    path.write_bytes(content[:-20])
    assert played(path, 3) == boards
    assert path.read_bytes().count(b"\n") == content.count(b"\n")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a letter", "is no file of boards: it has b'a letter'"),
        (b"{}", "is no file of boards: it has b'{}'"),
        (b"[1]\n", "is no file of boards"),
        (b'{"format": "jasstisch-record/1"}\n', 'its format is "jasstisch-record/1", not "jass'),
    ],
)
def test_a_file_that_is_no_checkpoint_is_refused_and_unchanged(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "letter"
    path.write_bytes(content)
    with pytest.raises(GameError) as refused:
        played(path, 2)
    assert said in str(refused.value)
    assert path.read_bytes() == content


def test_boards_of_another_contest_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "boards"
    played(path, 2)
    with pytest.raises(GameError, match="holds other boards: its seed is 1, not 2"):
        played(path, 2, seed=2)


@pytest.mark.parametrize("damage", [b'{"number": 0}\n', b"{}\n"])
def test_a_line_without_a_board_is_refused(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "boards"
    played(path, 2)
    path.write_bytes(path.read_bytes() + damage)
    with pytest.raises(GameError, match="a line holds no board"):
        played(path, 3)


def test_boards_out_of_order_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "boards"
    played(path, 2)
    head, first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + second + first)
    with pytest.raises(GameError, match="not in their order"):
        played(path, 2)
