"""A training that stops goes on as if it had not, and what it reached can be drawn."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies

from jasstisch.search import features, policy
from tools import learning_curve, nets, runs, train

STEPS = 6

END_OF_A_ZIP = 22
"""The bytes without which it cannot be read."""

Command = Callable[..., int]


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of weights and trainings of one's own, with a net for rules of thumb."""
    monkeypatch.setattr(nets, "WEIGHTS", tmp_path / "weights")
    monkeypatch.setattr(runs, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(learning_curve, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(train, "REPORT", 2)
    rng = np.random.default_rng(1)
    for game in ("molotow", "differenzler"):
        nets.keep(f"{game}-thumb", rng.normal(scale=0.2, size=features.NET))
    nets.keep("differenzler-thumb-bids", np.ones(26))


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    """Calls the command of a module with some words."""

    def call(main: Callable[[], int], *words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["tool", *words])
        return main()

    return call


def interrupted(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Has the next training end by Ctrl+C after so many steps."""
    taken, step = [0], train.step

    def counted(*words: object) -> None:
        if taken[0] == after:
            raise KeyboardInterrupt
        taken[0] += 1
        step(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(train, "step", counted)


@pytest.mark.parametrize("game", ["molotow", "differenzler"])
def test_an_interrupted_training_ends_with_the_weights_of_one_that_was_not(
    game: str, monkeypatch: pytest.MonkeyPatch, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    train.train(game, STEPS, 1)
    whole = {file.name: np.load(file) for file in nets.WEIGHTS.glob("*-learned*")}
    runs.file_of(game, STEPS, 1).unlink()
    with monkeypatch.context() as patch:
        interrupted(patch, 5)
        assert command(train.main, game, "--steps", str(STEPS)) == 130
    assert len(runs.read(runs.file_of(game, STEPS, 1)).gains) == 4
    assert command(train.main, game, "--steps", str(STEPS)) == 0
    said = capsys.readouterr().out
    assert f"{game} goes on after 4 of 6 steps" in said
    assert f"{game} is over: its weights stand in {nets.WEIGHTS}" in said
    for name, numbers in whole.items():
        assert np.array_equal(np.load(nets.WEIGHTS / name), numbers)
    assert len(whole) == (2 if game == "differenzler" else 1)


def test_a_training_stops_when_its_minutes_are_over_and_writes_no_weights(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    minutes = iter([0.0, 0.0, 40.0, 70.0, 70.0, 70.0])
    monkeypatch.setattr("tools.train.time.monotonic", lambda: next(minutes))
    assert not train.train("molotow", STEPS, 1, minutes=1)
    assert "the same command goes on" in capsys.readouterr().out
    assert not (nets.WEIGHTS / "molotow-learned.npy").exists()
    run = runs.unfinished("molotow", STEPS, 1)
    assert run is not None
    assert (len(run.gains), run.seconds) == (2, 40.0)


def test_a_training_begins_anew_when_it_is_over_or_its_company_is_another() -> None:
    train.train("molotow", 2, 1)
    assert runs.unfinished("molotow", 2, 1) is None
    train.train("molotow", STEPS, 1, minutes=0)
    run = runs.Run.begun("molotow", STEPS, 1)
    run.gains.append(0.1)
    run.write()
    assert runs.unfinished("molotow", STEPS, 1) is not None
    nets.keep("molotow-thumb", run.nets[policy.THUMB] + 1)
    assert runs.unfinished("molotow", STEPS, 1) is None


def test_a_training_begins_anew_when_the_bids_of_its_company_are_others() -> None:
    run = runs.Run.begun("differenzler", STEPS, 1)
    run.gains.append(0.1)
    run.write()
    assert runs.unfinished("differenzler", STEPS, 1) is not None
    nets.keep("differenzler-thumb-bids", np.zeros(26))
    assert runs.unfinished("differenzler", STEPS, 1) is None


def test_what_is_left_of_a_write_that_was_cut_off_is_no_training() -> None:
    run = runs.Run.begun("molotow", STEPS, 1)
    run.gains.append(0.1)
    run.write()
    runs.file_of("molotow", STEPS, 1).with_suffix(".new").write_bytes(b"PK half")
    assert [len(one) for one in learning_curve.runs(runs.RUNS).values()] == [1]


def test_a_seed_below_zero_is_refused(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command(train.main, "molotow", "--seed", "-1")
    assert "a whole number of 0 or more" in capsys.readouterr().err


@pytest.mark.parametrize("text", [b"", b"no numbers", b"PK\x03\x04 cut off"])
def test_a_damaged_file_is_named_and_nothing_is_trained(
    text: bytes, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    file = runs.file_of("molotow", STEPS, 1)
    file.parent.mkdir()
    file.write_bytes(text)
    with pytest.raises(SystemExit):
        command(train.main, "molotow", "--steps", str(STEPS))
    said = capsys.readouterr().err
    assert str(file) in said
    assert "delete it to begin anew" in said
    assert file.read_bytes() == text


@given(data=strategies.data())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_damage_to_a_file_is_taken_for_a_training(data: strategies.DataObject) -> None:
    file = runs.file_of("differenzler", STEPS, 1)
    if not file.exists():
        runs.Run.begun("differenzler", STEPS, 1).write()
    whole = file.read_bytes()
    left = whole[: data.draw(strategies.integers(0, len(whole) - END_OF_A_ZIP))]
    torn = file.with_name("differenzler-7-1.npz")
    torn.write_bytes(left + data.draw(strategies.binary(max_size=40)))
    with pytest.raises(runs.RunError, match=r"differenzler-7-1\.npz holds no training"):
        runs.read(torn)


def test_a_training_without_its_company_says_what_makes_it(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command(train.main, "molotov")
    said = capsys.readouterr().err
    assert "molotov-thumb.npy" in said
    assert "python -m tools.imitate molotov" in said


def test_a_curve_has_every_step_once_in_longer_and_longer_parts() -> None:
    run = runs.Run.begun("differenzler", 1000, 1)
    run.gains = np.linspace(-1, 0, 1000).tolist()
    played, reached = learning_curve.curve(run)
    assert played[0] == 100 * train.ROUNDS
    assert played[-1] == 1000 * train.ROUNDS
    assert (np.diff(np.diff(played)) >= -train.ROUNDS).all()
    assert (np.diff(reached) < 0).all()  # less difference is better
    shares = np.diff(played, prepend=0) / played[-1]
    assert shares @ reached == pytest.approx(-10 * np.mean(run.gains))


def test_the_curves_of_all_trainings_are_drawn_and_told(
    tmp_path: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    for game, steps in (("molotow", 300), ("molotow", 900), ("differenzler", 300)):
        run = runs.Run.begun(game, steps, 1)
        run.gains, run.seconds = np.linspace(-1, 0, 300).tolist(), 1800.0
        run.write()
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


def test_without_a_training_or_with_another_kind_of_file_nothing_is_drawn(
    tmp_path: Path, command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command(learning_curve.main, str(tmp_path / "curve.svg"))
    assert "python -m tools.train makes one" in capsys.readouterr().err
    train.train("molotow", 2, 1)
    with pytest.raises(SystemExit):
        command(learning_curve.main, str(tmp_path / "curve.gif"))
    assert ".png or .svg" in capsys.readouterr().err
