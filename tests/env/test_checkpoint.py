"""Environments are copied, saved, restored and pickled exactly, also for another process."""

import pickle
from collections.abc import Callable, Iterator
from copy import deepcopy
from io import BytesIO
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import jasstisch as jt
import jasstisch.env.gymnasium
from jasstisch.engine.errors import GameError
from jasstisch.env import Batch, DoubtBatch, SingleAgentBatch, pettingzoo

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("molotow", {}),
    ("differenzler", {"players": 3}),
    ("jass", {}),
    ("schieber", {}),
    ("coiffeur", {}),
]
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": lambda batch: batch.copy(),
    "deepcopy": deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}


def first_legal(_observation: Any, masks: Any) -> Any:
    """A policy that takes the action with the lowest number."""
    return masks.argmax(axis=1)


def batch_of(game: str, options: dict[str, Any]) -> Batch | DoubtBatch:
    made = jt.game(game, **options)
    return DoubtBatch(made, 5, redeal=True) if game == "i-doubt-it" else Batch(made, 5, redeal=True)


def play(batch: Any, steps: int) -> Iterator[dict[str, Any]]:
    """Random actions; yields all that each step tells."""
    for _ in range(steps):
        if getattr(batch, "bids_due", False):
            batch.bid(np.full((batch.num_envs, batch.game.players), 30))
        observation, rewards, ended, _, info = batch.step(batch.random_legal())
        yield {**observation, "rewards": rewards, "ended": ended, **info}


def learn(batch: SingleAgentBatch, steps: int) -> Iterator[dict[str, Any]]:
    """The highest legal action of the learner; yields all that each step tells."""
    for _ in range(steps):
        masks = batch.action_masks()
        actions = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        observation, rewards, ended, _, info = batch.step(actions)
        yield {**observation, "rewards": rewards, "ended": ended, **info}


def assert_equal_steps(one: Iterator[dict[str, Any]], other: Iterator[dict[str, Any]]) -> None:
    for first, second in zip(one, other, strict=True):
        assert first.keys() == second.keys()
        for name, value in first.items():
            np.testing.assert_array_equal(value, second[name], err_msg=name)


@pytest.mark.parametrize(("game", "options"), [*GAMES, ("i-doubt-it", {"max_turns": 20})])
def test_restored_batch_repeats_what_followed(game: str, options: dict[str, Any]) -> None:
    batch = batch_of(game, options)
    list(play(batch, 15))
    saved = batch.state()
    after = list(play(batch, 40))
    batch.restore(saved)
    assert_equal_steps(iter(after), play(batch, 40))


def test_state_can_be_saved_by_numpy_and_restored_to_another_batch() -> None:
    batch = Batch(jt.game("jass"), 4, seed=3)
    list(play(batch, 10))
    file = BytesIO()
    # A flag of `savez` is not a name of an array, whatever its type says.
    np.savez(file, **batch.state())  # type: ignore[arg-type]
    file.seek(0)
    other = Batch(jt.game("jass"), 4)
    with np.load(file) as arrays:
        other.restore(arrays)
    assert_equal_steps(play(batch, 10), play(other, 10))


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize(("game", "options"), [*GAMES, ("i-doubt-it", {"max_turns": 20})])
def test_copied_batch_continues_identically_and_independently(
    game: str, options: dict[str, Any], way: str
) -> None:
    batch = batch_of(game, options)
    list(play(batch, 15))
    before = batch.state()
    copy = COPIES[way](batch)
    after = list(play(copy, 40))
    for name, array in batch.state().items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)
    assert_equal_steps(iter(after), play(batch, 40))


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_copied_single_agent_batch_continues_identically(
    game: str, options: dict[str, Any], way: str
) -> None:
    made = jt.game(game, **options)
    opponents: list[Any] = ["random", "greedy", first_legal, "random"][: made.players]
    batch = SingleAgentBatch(Batch(made, 5, redeal=True), opponents)
    list(learn(batch, 5))
    copy = COPIES[way](batch)
    saved = batch.state()
    after = list(learn(batch, 20))
    assert_equal_steps(iter(after), learn(copy, 20))
    batch.restore(saved)
    assert_equal_steps(iter(after), learn(batch, 20))


def test_copy_of_a_single_agent_batch_shares_its_policies() -> None:
    class Net:
        """A policy that must not be copied, as a large net."""

        calls = 0

        def __call__(self, observation: Any, masks: Any) -> Any:
            self.calls += 1
            return first_legal(observation, masks)

        def __deepcopy__(self, _memo: Any) -> "Net":
            raise AssertionError("the net was copied")

    net = Net()
    batch = SingleAgentBatch(Batch(jt.game("molotow"), 2), net)
    calls = net.calls
    list(learn(batch.copy(), 1))
    assert net.calls > calls


def test_state_of_another_batch_is_refused_and_changes_nothing() -> None:
    batch = Batch(jt.game("molotow"), 2, seed=1)
    before = batch.state()
    with pytest.raises(GameError, match=r"this state is of jasstisch\.game\('jass', .* not of "):
        batch.restore(Batch(jt.game("jass"), 2).state())
    with pytest.raises(GameError, match="restore it to a batch of the same size"):
        batch.restore(Batch(jt.game("molotow"), 3).state())
    with pytest.raises(GameError, match="this state is of another kind of batch"):
        batch.restore({})
    for name, array in batch.state().items():
        np.testing.assert_array_equal(array, before[name], err_msg=name)


def test_actions_and_seats_of_a_batch_are_read_only() -> None:
    batch: Any = SingleAgentBatch(Batch(jt.game("molotow"), 2), "random")
    copy = pickle.loads(pickle.dumps(batch))
    for one in (batch, copy):
        with pytest.raises(ValueError, match="read-only"):
            one.seats[0] = 1
        with pytest.raises(TypeError):
            one.actions[0] = "6C"
        with pytest.raises(TypeError):
            one.batch.actions[0] = "6C"


# Gymnasium and PettingZoo.


def play_gymnasium(env: Any, steps: int) -> list[Any]:
    """The first legal action of the learner."""
    told = []
    for _ in range(steps):
        masks = env.action_masks()
        told.append(env.step(masks.argmax(axis=-1)))
    return told


def play_pettingzoo(env: Any, steps: int) -> list[Any]:
    told = []
    for agent in env.agent_iter(steps):
        observation, reward, over, _, _ = env.last()
        told.append((agent, observation, reward, over))
        env.step(None if over else int(observation["action_mask"].argmax()))
    return told


ENVIRONMENTS: dict[str, tuple[Callable[[], Any], Callable[[Any, int], list[Any]]]] = {
    "single": (
        lambda: jasstisch.env.gymnasium.RoundEnv(game="jass", opponents=first_legal),
        play_gymnasium,
    ),
    "vector": (
        lambda: jasstisch.env.gymnasium.RoundVectorEnv(
            num_envs=3, game="schieber", opponents="greedy"
        ),
        play_gymnasium,
    ),
    "pettingzoo": (lambda: pettingzoo.env("schieber"), play_pettingzoo),
    "claims": (lambda: pettingzoo.env("i-doubt-it"), play_pettingzoo),
}


def started(name: str) -> tuple[Any, Callable[[Any, int], list[Any]]]:
    """An environment in the middle of an episode, and how to go on with it."""
    make, go_on = ENVIRONMENTS[name]
    env = make()
    env.reset(seed=5)
    go_on(env, 4)
    return env, go_on


def assert_equal(one: Any, other: Any) -> None:
    """Compares nested results that contain arrays."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key, value in one.items():
            assert_equal(value, other[key])
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for pair in zip(one, other, strict=True):
            assert_equal(*pair)
    else:
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_copied_environment_continues_identically(name: str, way: str) -> None:
    env, go_on = started(name)
    copy = COPIES[way](env)
    after = go_on(env, 5)
    assert_equal(after, go_on(copy, 5))


def test_parallel_environment_can_be_pickled_and_goes_on() -> None:
    env = pettingzoo.parallel_env("differenzler", rounds=4)
    seen, _ = env.reset(seed=2)
    actions = {agent: int(one["action_mask"].argmax()) for agent, one in seen.items()}
    copy = pickle.loads(pickle.dumps(env))
    assert_equal(env.step(actions), copy.step(actions))


def go_on_elsewhere(pickled: bytes) -> Any:
    """What an environment tells in a new process."""
    name, env = pickle.loads(pickled)
    return ENVIRONMENTS[name][1](env, 3)


@pytest.mark.outside
def test_environments_go_on_in_a_spawned_process() -> None:
    begun = {name: started(name) for name in ENVIRONMENTS}
    texts = [pickle.dumps((name, env)) for name, (env, _) in begun.items()]
    with get_context("spawn").Pool(1) as pool:
        elsewhere = pool.map(go_on_elsewhere, texts)
    for (env, go_on), told in zip(begun.values(), elsewhere, strict=True):
        assert_equal(go_on(env, 3), told)
