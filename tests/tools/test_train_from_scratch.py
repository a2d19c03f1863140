"""The nets can be trained from scratch: each command finds the output of the one before."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jasstisch.bots import bot
from jasstisch.search.nets import bid_model, features, policy
from tools import train_imitation, train_policy, training_checkpoint, training_recipes

FEW_ROUNDS = 40


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder for weights."""
    monkeypatch.setattr(training_recipes, "WEIGHTS_DIR", tmp_path / "weights")
    monkeypatch.setattr(training_checkpoint, "TRAININGS_DIR", tmp_path / "runs")
    train_imitation.available_nets.cache_clear()
    yield tmp_path / "weights"
    train_imitation.available_nets.cache_clear()


def imitated(game: str, player: str) -> None:
    """A net trained on very few games of a bot with very little search."""
    model = replace(train_imitation.SPECS[player], rounds=FEW_ROUNDS, epochs=2)
    if player == "club":
        model = replace(model, player=bot("greedy"))
    train_imitation.train(game, model, 1)


@pytest.mark.parametrize("game", training_recipes.RECIPES)
def test_the_three_commands_produce_the_weights_of_a_game(
    game: str, weights: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imitated(game, "greedy")
    train_policy.train(game, 2, 1)
    imitated(game, "club")
    made = {file.stem: np.load(file) for file in weights.iterdir()}
    kinds = ["", "-bids"] if game == "differenzler" else [""]
    assert {*made} == {f"{game}-{one}{kind}" for one in policy.POLICY_NAMES for kind in kinds}
    size = features.PARTNER_NET_SIZE if game == "contracts" else features.NET_SIZE
    for name, numbers in made.items():
        assert numbers.shape == ((bid_model.FEATURE_COUNT,) if name.endswith("-bids") else (size,))
        assert np.isfinite(numbers).all()
        assert np.any(numbers != 0)
    assert "foretold" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_weights(weights: Path) -> None:
    imitated("molotow", "greedy")
    train_policy.train("molotow", 2, 1)
    before = np.load(weights / "molotow-learned.npy")
    train_policy.train("molotow", 2, 1)
    assert np.array_equal(np.load(weights / "molotow-learned.npy"), before)
    train_policy.train("molotow", 2, 2)
    assert not np.array_equal(np.load(weights / "molotow-learned.npy"), before)


def test_the_imitated_club_bot_is_legal_and_repeatable(weights: Path) -> None:
    imitated("molotow", "greedy")
    train_policy.train("molotow", 2, 1)
    model = train_imitation.SPECS["club"]
    first, again = (
        train_imitation.generate_rounds(training_recipes.RECIPES["molotow"], model, 2, 1)
        for _ in range(2)
    )
    assert np.array_equal(first.plays, again.plays)
    assert (np.sort(first.plays, axis=1) == np.arange(36)).all()


def test_the_second_imitation_uses_the_net_of_the_first(
    weights: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imitated("molotow", "greedy")
    train_policy.train("molotow", 2, 1)
    assert len(train_imitation.available_nets("molotow")) == 2
    capsys.readouterr()
    imitated("molotow", "club")
    assert "before" not in capsys.readouterr().out
    train_imitation.available_nets.cache_clear()
    assert len(train_imitation.available_nets("molotow")) == 3
    imitated("molotow", "club")
    assert "molotow before: " in capsys.readouterr().out
