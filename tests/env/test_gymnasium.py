"""Rounds as Gymnasium environments, with the observations of the match environments."""

import doctest
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, VectorEnv

import jasstisch as jt
import jasstisch.env.gymnasium
from jasstisch import env
from jasstisch.env.batch import Batch
from jasstisch.env.flat_observation import FlatObservationEncoder
from jasstisch.env.pettingzoo import BID, ViewEncoder
from jasstisch.env.pettingzoo import env as match_env
from tests.env.test_batch import GAMES, ReferenceMatches, case_id, dealt_batch

NAMES = ("coiffeur", "differenzler", "jass", "molotov", "molotow", "offenbach", "schieber")


def lowest_legal(seen: Any) -> Any:
    """The lowest legal action of each round."""
    return seen["action_mask"].argmax(axis=-1)


# One round at a time.


@pytest.mark.parametrize("name", NAMES)
def test_every_game_passes_gymnasiums_check_env(name: str) -> None:
    one = gymnasium.make(f"jasstisch/{name}-v0")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(Box|render|default kwargs).*")
        check_env(one.unwrapped, skip_render_check=True)


def test_episode_is_one_round_with_the_reward_of_the_learners_seat() -> None:
    one = gymnasium.make("jasstisch/differenzler-v0", opponents="greedy", seat=2)
    seen, _ = one.reset(seed=4)
    steps: list[Any] = []
    while not any(over for *_, over, _, _ in steps):
        action = int(lowest_legal(seen)) if steps else BID + 60
        steps.append(one.step(action))
        seen = steps[-1][0]
    assert len(steps) == 10
    assert [bool(info) for *_, info in steps] == [False] * 9 + [True]
    assert not any(truncated for *_, truncated, _ in steps)
    _, reward, _, _, info = steps[-1]
    assert reward == -abs(60 - int(info["points"][2])) == info["rewards"][2]
    with pytest.raises(jt.GameError, match="that round is over"):
        one.unwrapped.step(0)


def test_same_seed_gives_same_round_and_another_seed_differs() -> None:
    def played(seed: int) -> list[Any]:
        one: Any = gymnasium.make("jasstisch/jass-v0").unwrapped
        one.action_space.seed(seed)
        seen, _ = one.reset(seed=seed)
        story, over = [seen["observation"].tolist()], False
        while not over:
            seen, reward, over, _, _ = one.step(one.action_space.sample(seen["action_mask"]))
            story.append((seen["observation"].tolist(), reward))
        return story

    assert played(3) == played(3)
    assert played(3) != played(4)


def test_illegal_action_changes_nothing_and_is_penalised_or_refused() -> None:
    one: Any = gymnasium.make("jasstisch/molotow-v0", illegal=-7.0)
    before, _ = one.reset(seed=1)
    absent = int(before["action_mask"].argmin())
    seen, reward, over, _, info = one.step(absent)
    assert (reward, over, bool(info["illegal"])) == (-7.0, False, True)
    assert (seen["observation"] == before["observation"]).all()
    strict: Any = gymnasium.make("jasstisch/molotow-v0", illegal=None)
    strict.reset(seed=1)
    with pytest.raises(
        jt.GameError, match=rf"actions\[0\] is {absent} .*, which seat 0 may not do"
    ):
        strict.step(absent)


def test_illegal_actions_in_some_rounds_do_not_stop_the_others() -> None:
    envs: Any = gymnasium.make_vec("jasstisch/differenzler-v0", num_envs=6)
    before, _ = envs.reset(seed=2)
    wrong = np.arange(6) % 2 == 0
    seen, rewards, ended, _, infos = envs.step(np.where(wrong, 3, BID + 30))
    assert infos["illegal"].tolist() == infos["_illegal"].tolist() == wrong.tolist()
    assert rewards.tolist() == [-1.0, 0.0] * 3
    assert not ended.any()
    assert (seen["observation"] == before["observation"])[wrong].all()
    assert seen["action_mask"].sum(axis=1)[wrong].tolist() == [158] * 3
    assert (seen["action_mask"].sum(axis=1)[~wrong] <= 9).all()
    # The rounds are now in different phases, and each plays to its own end.
    for number in range(10):
        actions = np.where(seen["action_mask"][:, BID], BID + 30, lowest_legal(seen))
        seen, _, ended, _, _ = envs.step(actions)
        assert ended.tolist() == [
            bool(one) if number == 9 else not one and number == 8 for one in wrong
        ]


# Many rounds at once.


def test_make_vec_returns_a_vector_environment_over_a_batch() -> None:
    made = gymnasium.make_vec("jasstisch/molotov-v0", num_envs=64, players=5)
    assert isinstance(made, VectorEnv)
    envs: Any = made
    assert isinstance(envs, jasstisch.env.gymnasium.RoundVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.single_action_space == gymnasium.spaces.Discrete(36)
    assert envs.action_space.shape == (64,)
    seen, infos = envs.reset(seed=1)
    assert infos == {}
    for number in range(21):
        assert envs.observation_space.contains(seen)
        assert (seen["action_mask"] == envs.action_masks()).all()
        seen, rewards, terminations, truncations, infos = envs.step(lowest_legal(seen))
        assert rewards.shape == (64,)
        assert rewards.dtype == np.float64
        assert not truncations.any()
        assert terminations.all() == (number % 7 == 6)
        assert bool(infos) == terminations.all()
        if infos:
            parts = {
                one.name: infos["final_obs"]["observation"][:, one.array_slice]
                for one in envs.parts
            }
            assert (parts["turn"] == -1).all()
            assert not parts["hand"].any()
            assert not infos["final_obs"]["action_mask"].any()
            assert infos["_final_obs"].all()
            assert (infos["final_info"]["rewards"][:, 0] == rewards).all()
            assert infos["final_info"]["_points"].all()
            assert (seen["action_mask"].sum(axis=1) > 0).all()
    envs.close()
    assert envs.closed


def test_same_seed_gives_same_vector_and_other_seeds_or_opponents_differ() -> None:
    def seen(seed: int, **more: Any) -> Any:
        envs = gymnasium.make_vec("jasstisch/molotow-v0", num_envs=20, **more)
        return envs.reset(seed=seed)[0]["observation"]

    assert (seen(1) == seen(1)).all()
    assert not (seen(1) == seen(2)).all()
    assert not (seen(1) == seen(1, opponents="greedy")).all()


def test_opponent_policy_gets_observations_of_the_learners_shape() -> None:
    asked = []

    def policy(observation: Any, masks: Any) -> Any:
        asked.append((observation.shape, masks.shape))
        return masks.argmax(axis=1)

    envs: Any = gymnasium.make_vec(
        "jasstisch/schieber-v0", num_envs=8, opponents=policy, seat=[0, 1, 2, 3] * 2
    )
    seen, _ = envs.reset(seed=1)
    seats = seen["observation"][:, envs.parts[0].array_slice].ravel()
    assert seats.tolist() == [0, 1, 2, 3] * 2
    for _ in range(12):
        seen = envs.step(lowest_legal(seen))[0]
    size = seen["observation"].shape[1]
    assert {(one[1], two[1]) for one, two in asked} == {(size, seen["action_mask"].shape[1])}


def test_packs_and_dealers_can_be_given() -> None:
    envs: Any = gymnasium.make_vec("jasstisch/molotov-v0", num_envs=2, seat=1)
    packs = np.tile(np.arange(36), (2, 1))
    seen, _ = envs.reset(options={"packs": packs, "dealers": [0, 0]})
    assert np.flatnonzero(seen["action_mask"][0]).tolist() == [0, 1, 2, 12, 13, 14, 24, 25, 26]
    with pytest.raises(jt.GameError, match="reset has no option 'pack'; its options are packs, "):
        envs.reset(options={"pack": packs})
    dealt: Any = gymnasium.make_vec("jasstisch/molotov-v0", num_envs=9, dealer=2)
    parts = {one.name: one.array_slice for one in dealt.parts}
    assert (dealt.reset(seed=1)[0]["observation"][:, parts["dealer"]] == 2).all()


# Observations.


@pytest.mark.parametrize(("name", "options"), GAMES, ids=case_id)
def test_flat_observation_equals_the_encoded_view_of_the_match(
    name: str, options: dict[str, Any]
) -> None:
    game = jt.game(name, **options)
    batch, reference = dealt_batch(game, seed=2, envs=5)
    flat = FlatObservationEncoder(game)
    encoder = ViewEncoder(game)
    step = 0
    while (batch.turn >= 0).any():
        for number, match in enumerate(reference.matches):
            if match.to_act and batch.turn[number] >= 0 and step % 3 == number % 3:
                assert_same_observations(batch, reference, number, flat, encoder)
        done = batch.random_legal()
        for number, action in enumerate(done):
            if action >= 0:
                reference.act(number, int(action))
        batch.step(done)
        step += 1


def assert_same_observations(
    batch: Batch,
    reference: ReferenceMatches,
    number: int,
    flat: FlatObservationEncoder,
    encoder: ViewEncoder,
) -> None:
    """Asserts that seats see the same in both; standing and slate are as before the round."""
    match = reference.matches[number]
    turn = match.to_act[0]
    melding = reference.announcing[number]  # a match is given it together with the card
    for seat in [turn] if melding else range(match.game.players):
        view = match.view(seat)
        expected = encoder(view, match.legal(seat), (env.WEIS,) if melding else ())["observation"]
        found = flat(batch, np.full(batch.num_envs, seat))[number]
        for part in flat.parts:
            assert (found[part.array_slice] == expected[part.array_slice]).all(), part.name


@pytest.mark.parametrize("trump", ["random", "bottom"])
def test_observation_before_bidding_equals_that_of_a_match(trump: str) -> None:
    game = jt.game("differenzler", trump=trump, dealer=3)
    batch = Batch(game, 1)
    pack = list(range(36))
    batch.reset(packs=[pack], trumps=[0], dealers=[3])
    match = jt.Match(game)
    match.deal(match.pack)
    while match.needs_pack:
        match.deal(match.pack)
    expected = ViewEncoder(game)(match.view(0), match.legal(0))
    assert (
        FlatObservationEncoder(game)(batch, np.zeros(1, dtype=np.int64))[0]
        == expected["observation"]
    ).all()
    learner = env.SingleAgentBatch(batch, "random")
    assert (learner.action_masks()[0] == expected["action_mask"]).all()


def test_actions_equal_those_of_the_match_environments() -> None:
    assert env.BID == BID
    for name in NAMES:
        one: Any = gymnasium.make(f"jasstisch/{name}-v0").unwrapped
        match_actions = match_env(name).actions
        assert list(one.actions) == list(match_actions)


def test_module_docstring_example_runs() -> None:
    assert doctest.testmod(jasstisch.env.gymnasium).failed == 0


def test_unknown_option_and_rendering_of_many_rounds_are_refused() -> None:
    with pytest.raises(jt.GameError, match="differenzler has no option 'colour'"):
        gymnasium.make("jasstisch/differenzler-v0", colour="red")
    with pytest.raises(jt.GameError, match="many rounds are not drawn"):
        gymnasium.make_vec("jasstisch/differenzler-v0", num_envs=2, render_mode="human")
