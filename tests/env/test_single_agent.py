"""A single-agent batch: a learner plays one seat, and opponents the others, as in a match."""

from random import Random
from typing import Any

import numpy as np
import pytest

import jasstisch as jt
from jasstisch import env
from jasstisch.bots.greedy import GreedyBot
from jasstisch.env.opponents import greedy_player
from jasstisch.games.rules import REGISTRY, Game
from tests.env.test_batch import ReferenceMatches, case_id, dealt_batch

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


@pytest.mark.parametrize(("name", "options"), TABLES, ids=case_id)
def test_compiled_greedy_opponent_plays_like_the_greedy_bot(
    name: str, options: dict[str, Any]
) -> None:
    game = jt.game(name, **options)
    batch, reference = dealt_batch(game, seed=3, envs=12)
    bot, rng = GreedyBot(), Random(1)
    compiled = greedy_player(game, batch.rounds.compiled_rules)
    while (batch.turn >= 0).any():
        found = np.full(12, -1)
        acting = batch.turn >= 0
        compiled.act(batch.rounds.state, acting, found)
        for number, match in enumerate(reference.matches):
            if acting[number]:
                seat = match.to_act[0]
                action = bot.act(match.view(seat), match.legal(seat), rng)
                assert expected_action(batch, reference, number, action) == found[number]
        # Two thirds of the rounds continue with its actions, the others with random ones.
        done = np.where(np.arange(12) % 3 > 0, found, batch.random_legal())
        batch.step(done)
        for number in range(12):
            if acting[number]:
                reference.act(number, int(done[number]))


def expected_action(batch: env.Batch, reference: ReferenceMatches, number: int, action: str) -> int:
    """The number of a bot's action as the next step of a batch."""
    if action.endswith(" weis") and not reference.announcing[number]:
        return env.WEIS
    texts = {text: number for number, text in batch.actions.items()}
    return texts[action.removesuffix(" weis").removeprefix("play ")]


# Observations and rewards of the learner.

ENVS = 40

GAMES = ("molotov", "molotow", "differenzler", "jass", "schieber", "coiffeur")


def lowest_legal(_observation: Any, masks: Any) -> Any:
    """The lowest legal action of each round."""
    return masks.argmax(axis=1)


def learner_against(name: str, opponents: Any, seats: Any = 0, *, redeal: bool = False) -> Any:
    """A learner against these opponents, after a reset."""
    batch = env.Batch(jt.game(name), ENVS, redeal=redeal)
    learner = env.SingleAgentBatch(batch, opponents, seats)
    learner.reset(seed=5)
    return learner


@pytest.mark.parametrize("name", GAMES)
def test_learner_sees_only_its_own_turns_and_gets_the_rewards_of_its_seat(name: str) -> None:
    seats = np.arange(ENVS) % 4
    learner = learner_against(name, lowest_legal, seats)
    plain = env.Batch(jt.game(name), ENVS)
    plain.reset(seed=5)
    if plain.bids_due:
        plain.bid(np.zeros((ENVS, 4), dtype=int))
        learner.step(np.full(ENVS, env.BID))
    fresh = np.zeros(ENVS, dtype=np.bool_)  # redealt because the learner never acted (Jass)
    while (learner.batch.turn >= 0).any():
        play_other_seats(plain, seats)
        if name == "jass":
            fresh |= plain.turn != learner.batch.turn
        seen = learner.observe()
        assert (seen["turn"] == np.where(seen["turn"] < 0, -1, seats)).all()
        for key, array in plain.observe(seats).items():
            assert (array == seen[key])[~fresh].all()
        masks = learner.action_masks()
        actions = np.where(masks.any(axis=1), lowest_legal(None, masks), -1)
        _, earned, ended, truncated, info = learner.step(actions)
        theirs = np.zeros((ENVS, 4), dtype=int)
        followed = np.where(fresh, first(plain), actions)
        theirs += plain.step(followed)[1]
        theirs += play_other_seats(plain, seats)
        assert (earned == theirs[np.arange(ENVS), seats])[~fresh].all()
        assert not earned[~ended].any()
        assert not truncated.any()
        assert bool(info) == bool(ended.any())
        if info:
            assert (info["rewards"] == theirs)[ended & ~fresh].all()
            assert (info["points"] == plain.points())[ended & ~fresh].all()
    assert fresh.sum() < ENVS // 2


def first(batch: env.Batch) -> Any:
    """The lowest legal action of each round, -1 where it is over."""
    masks = batch.action_masks()
    return np.where(masks.any(axis=1), masks.argmax(axis=1), -1)


def play_other_seats(batch: env.Batch, seats: Any) -> Any:
    """Plays the lowest legal actions of all seats but the learner's; returns the rewards of all."""
    earned = np.zeros((batch.num_envs, 4), dtype=int)
    while ((batch.turn >= 0) & (batch.turn != seats)).any():
        # Rounds that have reached the turn of the learner wait for the others.
        actions = np.where(batch.turn == seats, -1, first(batch))
        rewards = np.zeros((batch.num_envs, 4), dtype=np.int32)
        batch.rounds.act(actions, rewards, np.zeros(ENVS, dtype=np.bool_))
        earned += rewards
    return earned


def test_opponent_policy_sees_only_the_rounds_in_which_its_seat_acts() -> None:
    asked = []

    def policy(observation: Any, masks: Any) -> Any:
        assert (observation["seat"] == observation["turn"]).all()
        assert (observation["seat"] == 2).all()
        assert (env.unpack_masks(observation["legal"]) == masks).all()
        asked.append(len(masks))
        return lowest_legal(observation, masks)

    learner = learner_against("molotow", ["random", "random", policy, "greedy"])
    # Its first calls come before the learner acts, where it plays before the learner.
    assert asked[len(asked) // 2 :] == [10, 10]
    asked[:] = asked[len(asked) // 2 :]
    for _ in range(9):
        learner.step(lowest_legal(None, learner.action_masks()))
    assert sum(asked) == 9 * ENVS


def test_opponent_policy_bids_by_action_number_for_its_seat() -> None:
    def policy(observation: Any, masks: Any) -> Any:
        bidding = masks[:, env.BID :].all(axis=1)
        return np.where(bidding, env.BID + 10 * observation["seat"], masks.argmax(axis=1))

    learner = learner_against("differenzler", [policy, policy, "greedy", policy], 1)
    assert learner.action_masks()[:, env.BID :].all()
    assert learner.actions[env.BID + 42] == "bid 42"
    learner.step(np.full(ENVS, env.BID + 77))
    bids = np.stack([learner.batch.observe(seat)["bids"][:, seat] for seat in range(4)])
    assert [set(bids[seat].tolist()) for seat in (0, 1, 3)] == [{0}, {77}, {30}]
    assert len(set(bids[2].tolist())) > 5


def test_at_end_is_called_before_finished_rounds_are_redealt() -> None:
    batch = env.Batch(jt.game("differenzler"), 8, redeal=True)
    left = []
    learner = env.SingleAgentBatch(
        batch, "random", at_end=lambda ended: left.append(batch.observe(0)["hand_sizes"][ended])
    )
    for _ in range(3):
        for turn in range(10):
            bidding = turn == 0
            actions = lowest_legal(None, learner.action_masks()) + 40 * bidding
            ended = learner.step(actions)[2]
            assert ended.all() == (turn == 9)
        assert (learner.observe()["hand_sizes"] == 9).all()
    assert np.concatenate(left).tolist() == [[0] * 4] * 8 * 3


def test_rounds_in_which_the_learner_never_acts_are_redealt__JS6() -> None:
    def drops(_observation: Any, masks: Any) -> Any:
        return np.where(masks[:, env.DROP], env.DROP, masks.argmax(axis=1))

    learner = learner_against("jass", drops)
    dealers = learner.batch.observe()["dealer"]
    assert (dealers != 0).all()  # the learner never deals: all others would drop before it
    assert (learner.batch.turn == 0).all()


def test_randomness_of_opponents_does_not_depend_on_batch_size() -> None:
    def rewards(envs: int) -> Any:
        learner = env.SingleAgentBatch(env.Batch(jt.game("differenzler"), envs), "random")
        learner.reset(seed=2)
        learner.step(np.full(envs, env.BID + 40))
        for _ in range(8):
            learner.step(lowest_legal(None, learner.action_masks()))
        return learner.step(lowest_legal(None, learner.action_masks()))[4]["rewards"]

    assert (rewards(5) == rewards(30)[:5]).all()
    assert len({tuple(row) for row in rewards(30).tolist()}) == 30


@pytest.mark.parametrize(
    "name", ["molotov", "molotow", "differenzler", "jass", "schieber", "coiffeur"]
)
def test_learned_opponents_play_legal_cards_and_beat_chance(name: str) -> None:
    """The learner acts at random; the same seed gives the same rounds."""
    rewards = []
    for _ in range(2):
        batch = env.Batch(jt.game(name), 300, seed=5, redeal=True)
        learner = env.SingleAgentBatch(batch, "learned", seed=2)
        chance = np.random.default_rng(3)
        own = others = 0.0
        for _ in range(30):
            masks = learner.action_masks()
            drawn = np.where(masks, chance.random(masks.shape), -1).argmax(axis=1)
            _, _, ended, _, info = learner.step(drawn)
            if ended.any():
                # At Coiffeur only the announcer's side is rewarded; its cards tell more.
                earned = info["points" if name in PARTNERED else "rewards"][ended]
                own += earned[:, 0].sum()
                others += earned[:, 1].sum()
        rewards.append((own, others))
    assert rewards[0] == rewards[1]
    assert rewards[0][1] > rewards[0][0]


@pytest.mark.parametrize("name", GAMES)
def test_bot_as_opponent_plays_as_at_a_table(name: str) -> None:
    learners = [
        env.SingleAgentBatch(env.Batch(jt.game(name), 6, seed=9), opponent, seed=2)
        for opponent in ("greedy", GreedyBot())
    ]
    while (learners[0].batch.turn >= 0).any():
        masks = learners[0].action_masks()
        assert (masks == learners[1].action_masks()).all()
        actions = np.where(masks.any(axis=1), lowest_legal(None, masks), -1)
        rewards = [learner.step(actions)[1] for learner in learners]
        assert (rewards[0] == rewards[1]).all()


@pytest.mark.parametrize("name", GAMES)
def test_club_plays_and_takes_its_chance_from_the_seed(name: str) -> None:
    def play() -> list[Any]:
        learner = env.SingleAgentBatch(env.Batch(jt.game(name), 2, seed=4), "club", seed=6)
        while (learner.batch.turn >= 0).any():
            masks = learner.action_masks()
            learner.step(np.where(masks.any(axis=1), lowest_legal(None, masks), -1))
        return [learner.batch.match(number).record() for number in range(2)]

    assert play() == play()


class Stubborn:
    """A bot that always plays the same card, at Molotov."""

    name = "stubborn"
    games = ("molotov",)

    def act(self, view: Any, legal: Any, rng: Random) -> str:
        """Plays a card that does not exist."""
        return "play ten"


def test_illegal_action_of_a_bot_names_its_round_and_what_is_legal() -> None:
    with pytest.raises(jt.GameError, match=r"stubborn chose 'play ten' in round 0; legal: play "):
        env.SingleAgentBatch(env.Batch(jt.game("molotov"), 1), Stubborn())
    with pytest.raises(jt.GameError, match="stubborn does not play schieber; it plays molotov"):
        env.SingleAgentBatch(env.Batch(jt.game("schieber"), 1), Stubborn())


PARTNERED = ("schieber", "coiffeur")
"""The games in which seats 0 and 2 are partners."""


# Refusals.


def test_greedy_opponent_without_compiled_heuristics_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = env.Batch(jt.game("schieber"), 1)
    monkeypatch.setitem(REGISTRY, "tysiac", batch.game.rules)
    with pytest.raises(jt.GameError, match="greedy does not play tysiac in a batch; it plays coif"):
        greedy_player(Game("tysiac", batch.game.options), batch.rounds.compiled_rules)


def test_invalid_opponents_and_seats_are_refused() -> None:
    batch = env.Batch(jt.game("schieber"), 3)
    named = "an opponent is random, greedy, learned, another bot or a policy"
    with pytest.raises(jt.GameError, match=f"{named}: unknown bot 'clubs'; the bots are club"):
        env.SingleAgentBatch(batch, "clubs")
    with pytest.raises(jt.GameError, match=f"{named}, not 7"):
        env.SingleAgentBatch(batch, 7)  # type: ignore[arg-type]
    with pytest.raises(jt.GameError, match="opponents are one, or one for each of 4 seats"):
        env.SingleAgentBatch(batch, ["random"])
    with pytest.raises(jt.GameError, match=r"seats\[1\] is a number from 0 to 3, not 4"):
        env.SingleAgentBatch(batch, "random", [0, 4, 1])


def test_illegal_action_of_the_learner_is_refused_and_changes_nothing() -> None:
    learner = learner_against("differenzler", "random")
    before = [part.tobytes() for part in learner.batch.rounds.state]
    with pytest.raises(jt.GameError, match=r"actions\[0\] is 5, but a bid is due, 36 for 0 points"):
        learner.step(np.full(ENVS, 5))
    assert [part.tobytes() for part in learner.batch.rounds.state] == before
    learner.step(np.full(ENVS, env.BID))
    with pytest.raises(jt.GameError, match=r"actions\[0\] is 36, which seat 0 may not do"):
        learner.step(np.full(ENVS, 36))


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (np.full(ENVS, 99), "an opponent chose 99 in round"),
        (np.full(ENVS, 1.5), r"a policy chooses whole numbers of shape \(\d+,\), not float64"),
    ],
)
def test_illegal_choices_of_an_opponent_policy_are_refused(chosen: Any, message: str) -> None:
    with pytest.raises(jt.GameError, match=message):
        env.SingleAgentBatch(
            env.Batch(jt.game("molotow"), ENVS),
            lambda _observation, masks: chosen[: len(masks)],
        )


def test_learner_seats_are_copied_from_the_given_array() -> None:
    given = np.zeros(4, dtype=np.int64)
    learner = env.SingleAgentBatch(env.Batch(jt.game("molotov"), 4), "random", given)
    given[:] = [1, 2, 3, 0]
    assert learner.seats.tolist() == [0, 0, 0, 0]
