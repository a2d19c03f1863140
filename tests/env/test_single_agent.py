"""One seat learns and the others play by themselves, as they would at a table."""

from random import Random
from typing import Any

import numpy as np
import pytest

import jasstisch as jt
from jasstisch import env
from jasstisch.bots.greedy import GreedyBot
from jasstisch.env.opponents import greedy_player
from jasstisch.games.rules import REGISTRY, Game
from tests.env.test_batch import Beside, named, started

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("molotov", {"players": 3, "undertrump": "free"}),
    ("molotov", {"players": 5, "long_runs": "weis"}),
    ("offenbach", {"players": 5}),
    ("molotow", {"undertrump": "literal", "marks": "swiss"}),
    ("molotow", {}),
    ("differenzler", {}),
    ("differenzler", {"players": 3, "undertrump": "free", "trump": "bottom"}),
    ("jass", {}),
    ("jass", {"players": 3}),
    ("jass", {"players": 2, "undertrump": "forced"}),
    ("schieber", {"multipliers": "swiss", "slalom": "on"}),
    ("schieber", {"weis": "off", "undertrump": "forced"}),
    ("coiffeur", {"lines": "ten", "match_bonus": 0}),
    ("coiffeur", {"suits": "french"}),
]


@pytest.mark.parametrize(("name", "options"), TABLES, ids=named)
def test_greedy_in_a_batch_is_the_bot_greedy(name: str, options: dict[str, Any]) -> None:
    game = jt.game(name, **options)
    batch, beside = started(game, seed=3, envs=12)
    bot, rng = GreedyBot(), Random(1)
    compiled = greedy_player(game, batch.rounds.laws)
    while (batch.turn >= 0).any():
        found = np.full(12, -1)
        acting = batch.turn >= 0
        compiled.act(batch.rounds.tables, acting, found)
        for number, match in enumerate(beside.matches):
            if acting[number]:
                seat = match.to_act[0]
                action = bot.act(match.view(seat), match.legal(seat), rng)
                assert expected(batch, beside, number, action) == found[number]
        # Two thirds go on as it plays, the others by chance: it has to do with both.
        done = np.where(np.arange(12) % 3 > 0, found, batch.random_legal())
        batch.step(done)
        for number in range(12):
            if acting[number]:
                beside.act(number, int(done[number]))


def expected(batch: env.Batch, beside: Beside, number: int, action: str) -> int:
    """What a bot does in a match, as the number of the next step of a batch."""
    if action.endswith(" weis") and not beside.announcing[number]:
        return env.WEIS
    texts = {text: number for number, text in batch.actions.items()}
    return texts[action.removesuffix(" weis").removeprefix("play ")]


# What the learner sees and earns.

ENVS = 40

GAMES = ("molotov", "molotow", "differenzler", "jass", "schieber", "coiffeur")


def lowest(_observation: Any, masks: Any) -> Any:
    """The lowest action that is legal in each round."""
    return masks.argmax(axis=1)


def started_against(name: str, opponents: Any, seats: Any = 0, *, redeal: bool = False) -> Any:
    """A learner at rounds of a game."""
    batch = env.Batch(jt.game(name), ENVS, redeal=redeal)
    learner = env.SingleAgentBatch(batch, opponents, seats)
    learner.reset(seed=5)
    return learner


@pytest.mark.parametrize("name", GAMES)
def test_the_learner_is_shown_its_turns_only_and_earns_what_its_seat_earns(name: str) -> None:
    seats = np.arange(ENVS) % 4
    learner = started_against(name, lowest, seats)
    plain = env.Batch(jt.game(name), ENVS)
    plain.reset(seed=5)
    if plain.bids_due:
        plain.bid(np.zeros((ENVS, 4), dtype=int))
        learner.step(np.full(ENVS, env.BID))
    fresh = np.zeros(ENVS, dtype=np.bool_)  # dealt anew, for the learner was not asked: Jass
    while (learner.batch.turn >= 0).any():
        go_on(plain, seats)
        if name == "jass":
            fresh |= plain.turn != learner.batch.turn
        seen = learner.observe()
        assert (seen["turn"] == np.where(seen["turn"] < 0, -1, seats)).all()
        for key, array in plain.observe(seats).items():
            assert (array == seen[key])[~fresh].all()
        masks = learner.action_masks()
        actions = np.where(masks.any(axis=1), lowest(None, masks), -1)
        _, earned, ended, truncated, info = learner.step(actions)
        theirs = np.zeros((ENVS, 4), dtype=int)
        alike = np.where(fresh, first(plain), actions)
        theirs += plain.step(alike)[1]
        theirs += go_on(plain, seats)
        assert (earned == theirs[np.arange(ENVS), seats])[~fresh].all()
        assert not earned[~ended].any()
        assert not truncated.any()
        assert bool(info) == bool(ended.any())
        if info:
            assert (info["rewards"] == theirs)[ended & ~fresh].all()
            assert (info["points"] == plain.points())[ended & ~fresh].all()
    assert fresh.sum() < ENVS // 2


def first(batch: env.Batch) -> Any:
    """The lowest action of each round, -1 where it is over."""
    masks = batch.action_masks()
    return np.where(masks.any(axis=1), masks.argmax(axis=1), -1)


def go_on(batch: env.Batch, seats: Any) -> Any:
    """Lets the other seats play their lowest actions; what all have earned by it."""
    earned = np.zeros((batch.num_envs, 4), dtype=int)
    while ((batch.turn >= 0) & (batch.turn != seats)).any():
        # Whoever has reached the learner waits: one round after the other goes on by itself.
        actions = np.where(batch.turn == seats, -1, first(batch))
        rewards = np.zeros((batch.num_envs, 4), dtype=np.int32)
        batch.rounds.act(actions, rewards, np.zeros(ENVS, dtype=np.bool_))
        earned += rewards
    return earned


def test_a_policy_sees_only_the_rounds_in_which_it_acts_as_the_seat_to_act() -> None:
    asked = []

    def policy(observation: Any, masks: Any) -> Any:
        assert (observation["seat"] == observation["turn"]).all()
        assert (observation["seat"] == 2).all()
        assert (env.unpack_masks(observation["legal"]) == masks).all()
        asked.append(len(masks))
        return lowest(observation, masks)

    learner = started_against("molotow", ["random", "random", policy, "greedy"])
    # It plays before the learner for the first time where it leads or sits before it.
    assert asked[len(asked) // 2 :] == [10, 10]
    asked[:] = asked[len(asked) // 2 :]
    for _ in range(9):
        learner.step(lowest(None, learner.action_masks()))
    assert sum(asked) == 9 * ENVS


def test_a_policy_bids_by_number_for_its_seat() -> None:
    def policy(observation: Any, masks: Any) -> Any:
        bidding = masks[:, env.BID :].all(axis=1)
        return np.where(bidding, env.BID + 10 * observation["seat"], masks.argmax(axis=1))

    learner = started_against("differenzler", [policy, policy, "greedy", policy], 1)
    assert learner.action_masks()[:, env.BID :].all()
    assert learner.actions[env.BID + 42] == "bid 42"
    learner.step(np.full(ENVS, env.BID + 77))
    bids = np.stack([learner.batch.observe(seat)["bids"][:, seat] for seat in range(4)])
    assert [set(bids[seat].tolist()) for seat in (0, 1, 3)] == [{0}, {77}, {30}]
    assert len(set(bids[2].tolist())) > 5


def test_rounds_that_end_are_dealt_anew_and_seen_once_more_before() -> None:
    batch = env.Batch(jt.game("differenzler"), 8, redeal=True)
    left = []
    learner = env.SingleAgentBatch(
        batch, "random", at_end=lambda ended: left.append(batch.observe(0)["hand_sizes"][ended])
    )
    for _ in range(3):
        for turn in range(10):
            bidding = turn == 0
            actions = lowest(None, learner.action_masks()) + 40 * bidding
            ended = learner.step(actions)[2]
            assert ended.all() == (turn == 9)
        assert (learner.observe()["hand_sizes"] == 9).all()
    assert np.concatenate(left).tolist() == [[0] * 4] * 8 * 3


def test_a_round_that_is_over_before_the_learner_is_asked_counts_for_nothing__JS6() -> None:
    def drops(_observation: Any, masks: Any) -> Any:
        return np.where(masks[:, env.DROP], env.DROP, masks.argmax(axis=1))

    learner = started_against("jass", drops)
    dealers = learner.batch.observe()["dealer"]
    assert (dealers != 0).all()  # the learner never deals: all others would drop before it
    assert (learner.batch.turn == 0).all()


def test_chance_of_opponents_is_that_of_the_round_in_a_batch_of_any_size() -> None:
    def rewards(envs: int) -> Any:
        learner = env.SingleAgentBatch(env.Batch(jt.game("differenzler"), envs), "random")
        learner.reset(seed=2)
        learner.step(np.full(envs, env.BID + 40))
        for _ in range(8):
            learner.step(lowest(None, learner.action_masks()))
        return learner.step(lowest(None, learner.action_masks()))[4]["rewards"]

    assert (rewards(5) == rewards(30)[:5]).all()
    assert len({tuple(row) for row in rewards(30).tolist()}) == 30


# What is refused.


def test_a_game_whose_rules_of_thumb_are_not_compiled_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = env.Batch(jt.game("schieber"), 1)
    monkeypatch.setitem(REGISTRY, "tysiac", batch.game.rules)
    with pytest.raises(jt.GameError, match="greedy does not play tysiac in a batch; it plays coif"):
        greedy_player(Game("tysiac", batch.game.options), batch.rounds.laws)


def test_what_cannot_be_is_refused() -> None:
    batch = env.Batch(jt.game("schieber"), 3)
    with pytest.raises(jt.GameError, match="an opponent is random, greedy or a policy, not 'club'"):
        env.SingleAgentBatch(batch, "club")
    with pytest.raises(jt.GameError, match="opponents are one, or one for each of 4 seats"):
        env.SingleAgentBatch(batch, ["random"])
    with pytest.raises(jt.GameError, match=r"seats\[1\] is a number from 0 to 3, not 4"):
        env.SingleAgentBatch(batch, "random", [0, 4, 1])


def test_an_action_of_the_learner_that_is_not_legal_changes_nothing() -> None:
    learner = started_against("differenzler", "random")
    before = [table.tobytes() for table in learner.batch.rounds.tables]
    with pytest.raises(jt.GameError, match=r"actions\[0\] is 5, but a bid is due, 36 for 0 points"):
        learner.step(np.full(ENVS, 5))
    assert [table.tobytes() for table in learner.batch.rounds.tables] == before
    learner.step(np.full(ENVS, env.BID))
    with pytest.raises(jt.GameError, match=r"actions\[0\] is 36, which seat 0 may not do"):
        learner.step(np.full(ENVS, 36))


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (np.full(ENVS, 99), "an opponent chose 99 in round"),
        (np.full(ENVS, 1.5), r"a policy chooses whole numbers of shape \(\d+,\), not float64"),
    ],
)
def test_a_policy_that_chooses_what_is_not_legal_is_refused(chosen: Any, said: str) -> None:
    with pytest.raises(jt.GameError, match=said):
        env.SingleAgentBatch(
            env.Batch(jt.game("molotow"), ENVS),
            lambda _observation, masks: chosen[: len(masks)],
        )


def test_the_seats_of_the_learner_stay_whatever_becomes_of_the_array_they_were_given_in() -> None:
    given = np.zeros(4, dtype=np.int64)
    learner = env.SingleAgentBatch(env.Batch(jt.game("molotov"), 4), "random", given)
    given[:] = [1, 2, 3, 0]
    assert learner.seats.tolist() == [0, 0, 0, 0]
