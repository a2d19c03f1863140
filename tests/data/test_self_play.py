"""Self-play gives the rows of what was played, the same ones for any number of workers."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import jasstisch as jt
from jasstisch import arena, data
from jasstisch.arena.duplicate_boards import ContestTask, MoveTimer, play_deal
from jasstisch.bots import View
from jasstisch.data import selfplay
from jasstisch.engine.errors import GameError

GAME = jt.game("molotow", rounds=2)
FOUR = ("greedy", "random", "random", "random")


def told(executor: Any = None, **how: Any) -> Any:
    """The rows of some self-play as one table."""
    settings = {"deals": 5, "seed": 3, **how}
    return pa.Table.from_batches(data.self_play(GAME, FOUR, executor=executor, **settings))


def test_rows_are_those_of_the_matches_of_the_arena() -> None:
    assignment = ContestTask(GAME, (FOUR,), seed=3)
    matches = [play_deal(assignment, number, FOUR, MoveTimer()) for number in range(5)]
    wanted = pa.Table.from_batches(data.from_matches((None, match) for match in matches))
    assert told() == wanted
    assert set(told()["player"].to_pylist()) == {"greedy", "random"}
    assert set(told()["won"].to_pylist()) == {None}


def test_whole_matches_have_winners() -> None:
    table = told(matches=True, deals=2)
    assert set(table["won"].to_pylist()) == {True, False}
    assert set(table["round"].to_pylist()) == {1, 2}
    assert set(table["match"].to_pylist()) == {1, 2}


def test_equal_seeds_give_equal_files_for_any_number_of_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfplay, "DEALS_PER_CHUNK", 2)
    monkeypatch.setattr(selfplay, "_MAX_PENDING_CHUNKS", 3)
    here, there, other = (tmp_path / f"{name}.parquet" for name in ("here", "there", "other"))

    def write(path: Path, seed: int, executor: Any = None) -> None:
        data.write(path, data.self_play(GAME, FOUR, deals=11, seed=seed, executor=executor))

    write(here, 1)
    with ThreadPoolExecutor(3) as executor:
        write(there, 1, executor)
    write(other, 2)
    assert here.read_bytes() == there.read_bytes() != other.read_bytes()


@pytest.mark.outside
def test_processes_play_as_one_does() -> None:
    with arena.process_pool(2) as pool:
        assert told(pool) == told()


def test_few_chunks_are_ahead_of_who_takes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "DEALS_PER_CHUNK", 1)
    monkeypatch.setattr(selfplay, "_MAX_PENDING_CHUNKS", 2)
    begun: list[int] = []

    class Counting(ThreadPoolExecutor):
        def submit(self, *args: Any, **kwargs: Any) -> Any:
            begun.append(1)
            return super().submit(*args, **kwargs)

    with Counting(1) as executor:
        rows = data.self_play(GAME, FOUR, deals=20, executor=executor)
        next(rows)
        assert len(begun) == 2
        rows.close()  # type: ignore[attr-defined]


class Mine:
    """A bot that is handed over as an object."""

    name = "mine"

    def act(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        """The first there is."""
        return legal[0]


def test_bots_may_be_objects_and_partners_are_one() -> None:
    rows = data.self_play(jt.game("schieber"), [Mine(), "random"], deals=1)
    table = pa.Table.from_batches(rows)
    players = dict(zip(table["seat"].to_pylist(), table["player"].to_pylist(), strict=True))
    assert players == {0: "mine", 1: "random", 2: "mine", 3: "random"}


@pytest.mark.parametrize(
    ("game", "bots", "deals", "said"),
    [
        ("molotow", ["random"], 1, "4 seats need as many bots, not 1"),
        ("schieber", ["random"] * 4, 1, "2 sides need as many bots, not 4"),
        ("molotow", ["nobody"] * 4, 1, "unknown bot 'nobody'"),
        ("molotow", ["random"] * 4, 0, "1 deal or more can be played, not 0"),
    ],
)
def test_what_makes_no_table_is_refused_at_once(
    game: str, bots: list[str], deals: int, said: str
) -> None:
    with pytest.raises(GameError, match=said):
        data.self_play(jt.game(game), bots, deals=deals)
