"""Training checkpoints: an interrupted training continues unchanged, and curves can be drawn."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies

from jasstisch.search.nets import features, policy
from tools import learning_curve, train_policy, training_checkpoint, training_recipes

STEPS = 6

END_OF_A_ZIP = 22
"""The bytes without which it cannot be read."""

Command = Callable[..., int]


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Temporary folders for weights and checkpoints, with a net for heuristics."""
    monkeypatch.setattr(training_recipes, "WEIGHTS_DIR", tmp_path / "weights")
    monkeypatch.setattr(training_checkpoint, "TRAININGS_DIR", tmp_path / "runs")
    monkeypatch.setattr(learning_curve, "TRAININGS_DIR", tmp_path / "runs")
    monkeypatch.setattr(train_policy, "REPORT_EVERY_STEPS", 2)
    rng = np.random.default_rng(1)
    for game in ("molotow", "differenzler"):
        training_recipes.save_weights(
            f"{game}-thumb", rng.normal(scale=0.2, size=features.NET_SIZE)
        )
    training_recipes.save_weights("differenzler-thumb-bids", np.ones(26))


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    """Calls the command of a module with arguments."""

    def call(main: Callable[[], int], *words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["tool", *words])
        return main()

    return call


def interrupted(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Interrupts the next training with Ctrl+C after so many steps."""
    taken, step = [0], train_policy.train_step

    def counted(*words: object) -> None:
        if taken[0] == after:
            raise KeyboardInterrupt
        taken[0] += 1
        step(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(train_policy, "train_step", counted)


@pytest.mark.parametrize("game", ["molotow", "differenzler"])
def test_an_interrupted_training_ends_with_the_same_weights(
    game: str, monkeypatch: pytest.MonkeyPatch, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    train_policy.train(game, STEPS, 1)
    whole = {file.name: np.load(file) for file in training_recipes.WEIGHTS_DIR.glob("*-learned*")}
    training_checkpoint.training_path(game, STEPS, 1).unlink()
    with monkeypatch.context() as patch:
        interrupted(patch, 5)
        assert command(train_policy.main, game, "--steps", str(STEPS)) == 130
    assert (
        len(
            training_checkpoint.load_training(
                training_checkpoint.training_path(game, STEPS, 1)
            ).gains
        )
        == 4
    )
    assert command(train_policy.main, game, "--steps", str(STEPS)) == 0
    said = capsys.readouterr().out
    assert f"{game} goes on after 4 of 6 steps" in said
    assert f"{game} is over: its weights are in {training_recipes.WEIGHTS_DIR}" in said
    for name, numbers in whole.items():
        assert np.array_equal(np.load(training_recipes.WEIGHTS_DIR / name), numbers)
    assert len(whole) == (2 if game == "differenzler" else 1)


def test_a_training_stops_at_its_time_limit_without_weights(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    minutes = iter([0.0, 0.0, 40.0, 70.0, 70.0, 70.0])
    monkeypatch.setattr("tools.train_policy.time.monotonic", lambda: next(minutes))
    assert not train_policy.train("molotow", STEPS, 1, minutes=1)
    assert "the same command goes on" in capsys.readouterr().out
    assert not (training_recipes.WEIGHTS_DIR / "molotow-learned.npy").exists()
    run = training_checkpoint.find_unfinished("molotow", STEPS, 1)
    assert run is not None
    assert (len(run.gains), run.seconds) == (2, 40.0)


def test_a_finished_training_or_other_opponents_start_anew() -> None:
    train_policy.train("molotow", 2, 1)
    assert training_checkpoint.find_unfinished("molotow", 2, 1) is None
    train_policy.train("molotow", STEPS, 1, minutes=0)
    run = training_checkpoint.Training.start("molotow", STEPS, 1)
    run.gains.append(0.1)
    run.save()
    assert training_checkpoint.find_unfinished("molotow", STEPS, 1) is not None
    training_recipes.save_weights("molotow-thumb", run.nets[policy.HEURISTIC] + 1)
    assert training_checkpoint.find_unfinished("molotow", STEPS, 1) is None


def test_other_bids_of_the_opponents_start_anew() -> None:
    run = training_checkpoint.Training.start("differenzler", STEPS, 1)
    run.gains.append(0.1)
    run.save()
    assert training_checkpoint.find_unfinished("differenzler", STEPS, 1) is not None
    training_recipes.save_weights("differenzler-thumb-bids", np.zeros(26))
    assert training_checkpoint.find_unfinished("differenzler", STEPS, 1) is None


def test_a_truncated_write_is_not_a_checkpoint() -> None:
    run = training_checkpoint.Training.start("molotow", STEPS, 1)
    run.gains.append(0.1)
    run.save()
    training_checkpoint.training_path("molotow", STEPS, 1).with_suffix(".new").write_bytes(
        b"PK half"
    )
    assert [
        len(one)
        for one in learning_curve.load_trainings(training_checkpoint.TRAININGS_DIR).values()
    ] == [1]


def test_a_negative_seed_is_refused(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command(train_policy.main, "molotow", "--seed", "-1")
    assert "a whole number of 0 or more" in capsys.readouterr().err


@pytest.mark.parametrize("text", [b"", b"no numbers", b"PK\x03\x04 cut off"])
def test_a_damaged_file_is_named_and_nothing_is_trained(
    text: bytes, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    file = training_checkpoint.training_path("molotow", STEPS, 1)
    file.parent.mkdir()
    file.write_bytes(text)
    with pytest.raises(SystemExit):
        command(train_policy.main, "molotow", "--steps", str(STEPS))
    said = capsys.readouterr().err
    assert str(file) in said
    assert "delete it to begin anew" in said
    assert file.read_bytes() == text


@given(data=strategies.data())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_damaged_file_is_accepted_as_a_checkpoint(data: strategies.DataObject) -> None:
    file = training_checkpoint.training_path("differenzler", STEPS, 1)
    if not file.exists():
        training_checkpoint.Training.start("differenzler", STEPS, 1).save()
    whole = file.read_bytes()
    left = whole[: data.draw(strategies.integers(0, len(whole) - END_OF_A_ZIP))]
    torn = file.with_name("differenzler-7-1.npz")
    torn.write_bytes(left + data.draw(strategies.binary(max_size=40)))
    with pytest.raises(
        training_checkpoint.TrainingFileError, match=r"differenzler-7-1\.npz holds no training"
    ):
        training_checkpoint.load_training(torn)


def test_missing_opponent_weights_name_the_command_that_makes_them(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command(train_policy.main, "molotov")
    said = capsys.readouterr().err
    assert "molotov-thumb.npy" in said
    assert "python -m tools.train_imitation molotov" in said


def test_a_curve_has_every_step_once_in_growing_parts() -> None:
    run = training_checkpoint.Training.start("differenzler", 1000, 1)
    run.gains = np.linspace(-1, 0, 1000).tolist()
    played, reached = learning_curve.curve(run)
    assert played[0] == 100 * train_policy.ROUNDS_PER_STEP
    assert played[-1] == 1000 * train_policy.ROUNDS_PER_STEP
    assert (np.diff(np.diff(played)) >= -train_policy.ROUNDS_PER_STEP).all()
    assert (np.diff(reached) < 0).all()  # less difference is better
    shares = np.diff(played, prepend=0) / played[-1]
    assert shares @ reached == pytest.approx(-10 * np.mean(run.gains))


def test_all_learning_curves_are_drawn_and_printed(
    tmp_path: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    for game, steps in (("molotow", 300), ("molotow", 900), ("differenzler", 300)):
        run = training_checkpoint.Training.start(game, steps, 1)
        run.gains, run.seconds = np.linspace(-1, 0, 300).tolist(), 1800.0
        run.save()
    pictures = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for picture in pictures:
        assert command(learning_curve.main, str(picture)) == 0
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    drawn = pictures[0].read_text("utf-8")
    for text in (
        "Molotow",
        "Differenzler",
        "rounds played",
        "points of difference",
        "57.6 k rounds",
    ):
        assert f"<!-- {text} -->" in drawn
    told = capsys.readouterr().out
    assert re.search(r"molotow +19.2 k rounds, seed 1: 0.50 hours, -0.83 to -0.11 sticks", told)
    assert "300 of 900 steps taken" in told


def test_without_a_checkpoint_nothing_is_drawn(
    tmp_path: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command(learning_curve.main, str(tmp_path / "curve.svg"))
    assert "python -m tools.train_policy makes one" in capsys.readouterr().err
    train_policy.train("molotow", 2, 1)
    with pytest.raises(SystemExit):
        command(learning_curve.main, str(tmp_path / "curve.gif"))
    assert ".png or .svg" in capsys.readouterr().err
