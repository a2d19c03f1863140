"""The worked example of training: it learns, is repeatable, and plays legally."""

import doctest
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import jasstisch as jt
from examples import train, trained
from examples.train import Course
from examples.trained import CARDS, GAME, Net, Trained
from jasstisch import arena
from jasstisch.bots.resolver import resolve
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import GameError
from jasstisch.env import Batch

SHORT = Course(rounds=1024, side_by_side=64, hidden=(32,), rate=1e-2, portion=128)
"""Some seconds: short lessons, and many small steps."""


def taught(course: Course) -> Net:
    """The net at the end of a training run."""
    return list(train.train(course))[-1][1]


@pytest.fixture(scope="module")
def net() -> Net:
    """A net trained for a few seconds."""
    return taught(SHORT)


def test_short_training_improves_play(net: Net) -> None:
    """The trained net takes clearly fewer points than before, on the same random deals."""
    sizes = [trained.FEATURES, *SHORT.hidden, CARDS]
    begun = train.against_chance(Net.new(sizes, np.random.default_rng(1)))
    assert train.against_chance(net) < begun - 2.5


def test_the_same_seed_gives_the_same_net() -> None:
    tiny = replace(SHORT, rounds=32, side_by_side=16)
    one, same, other = taught(tiny), taught(tiny), taught(replace(tiny, seed=2))
    pairs = zip(one.layers, same.layers, other.layers, strict=True)
    for (weights, _), (again, _), (else_, _) in pairs:
        assert (weights == again).all()
        assert not (weights == else_).all()


def test_a_net_from_a_file_plays_in_the_arena(net: Net, tmp_path: Path) -> None:
    net.save(tmp_path / "net.npz")
    player = Trained(tmp_path / "net.npz")
    contest = arena.contest(GAME, [player], against="random")
    report = arena.run(contest, deals=3)
    assert [one["name"] for one in report["bots"]] == ["trained", "random"]


def test_views_and_batches_give_the_same_features(net: Net, tmp_path: Path) -> None:
    """Compared along whole rounds, so the net plays on what it was trained on."""
    net.save(tmp_path / "net.npz")
    player = Trained(tmp_path / "net.npz")
    rng = Random(5)
    for seed in range(4):
        match = jt.Match(jt.game("molotov", dealer=3))
        pack = rng.sample(match.pack, len(match.pack))
        match.deal(pack)
        batch = Batch(match.game, 1, seed=seed)
        numbers = [[JASS.numbers[card] for card in pack]]
        observation, _ = batch.reset(packs=numbers, dealers=[3])
        while not match.rounds:
            (seat,) = match.to_act
            view, legal = match.view(seat), match.legal(seat)
            seen = trained.of_batch(observation)
            from_view = player.seen(view, legal)
            assert (trained.features(from_view) == trained.features(seen)).all()
            assert player.act(view, legal, rng) in legal
            action = rng.choice(legal)
            match.act(seat, action)
            observation, *_ = batch.step([JASS.numbers[action.split()[1]]])


def test_features_are_invariant_under_suit_permutation() -> None:
    """Once there is a trump."""
    batch = Batch(GAME, 64, seed=3)
    for _ in range(20):
        batch.step(batch.random_legal())
    seen = trained.of_batch(batch.observe())
    for trump in range(4):
        rows = np.flatnonzero(seen["trump"] == trump)
        hand = trained.shown(seen["hand"], seen["trump"])[rows]
        assert (hand[:, :9] == seen["hand"][rows, 9 * trump : 9 * trump + 9]).all()
        assert (trained.shown(hand, seen["trump"][rows]) == seen["hand"][rows]).all()


def test_without_a_net_the_bot_explains_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(GameError, match=re.escape("python -m examples.train")):
        Trained(tmp_path / "none.npz")
    home = Path(trained.__file__)
    if not trained.NET.exists():
        with pytest.raises(GameError, match=re.escape("python -m examples.train")):
            resolve(f"{home}:Trained")


def test_training_reports_progress_and_writes_the_net(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "net.npz"
    train.taught(replace(SHORT, rounds=32, side_by_side=16), path)
    told = capsys.readouterr().out
    assert re.fullmatch(r"( +(16|32) rounds, +\d+ s: \d+\.\d points\n){2}", told)
    assert len(Net.load(path).layers) == 2


def test_examples_of_the_page_run() -> None:
    page = Path(trained.__file__).parents[1] / "docs" / "training.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0
