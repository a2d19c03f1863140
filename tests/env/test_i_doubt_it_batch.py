"""A batch of deals of I Doubt It has the observations, results and payments of `Match`."""

from random import Random
from typing import Any

import numpy as np
import pytest

import jasstisch as jt
from jasstisch import env
from jasstisch.env.matches.i_doubt_it import CLAIM, DOUBT, PASS, DoubtObservationEncoder
from jasstisch.env.matches.view_encoder import ViewEncoder
from jasstisch.games.i_doubt_it import FULL_DECK, IDoubtIt
from tests.env.test_batch import case_id

ENVS = 5

TABLES: list[dict[str, Any]] = [
    {},
    {"players": 2, "last": "any", "lie_fee": 1},
    {"players": 3, "lie_fee": 1},
    {"players": 5, "last": "any", "max_turns": 30},
    {"players": 8, "max_turns": 60},
]


def flat(
    observation: env.Observation, number: int, observation_encoder: DoubtObservationEncoder
) -> dict[str, list[int]]:
    """One deal of an observation, flattened as in a match environment."""
    found = {}
    for name, array in observation.items():
        one = array[number]
        if array.dtype == np.uint64:
            one = env.unpack_masks(one, len(FULL_DECK.texts))
        found[name] = np.asarray(one, dtype=int).ravel().tolist()
    return {part.name: found[part.name] for part in observation_encoder.parts if part.name in found}


class ReferenceMatches:
    """One match for each deal of a batch, given the same pack and the same action numbers."""

    def __init__(self, batch: env.DoubtBatch, options: dict[str, Any], packs: list[Any]) -> None:
        self.batch = batch
        self.encoder = ViewEncoder(batch.game)
        rules = batch.game.rules(batch.game)
        assert isinstance(rules, IDoubtIt)
        self.observation_encoder = DoubtObservationEncoder(rules)
        self.pending: list[tuple[int, ...]] = [()] * len(packs)
        self.matches = []
        for number, pack in enumerate(packs):
            dealer = number % batch.game.players
            match = jt.Match(jt.game("i-doubt-it", **options, dealer=dealer, rounds=1))
            match.deal([FULL_DECK.texts[card] for card in pack])
            self.matches.append(match)

    @property
    def turns(self) -> list[int]:
        """The seat to act in each match, -1 where it is over."""
        return [match.to_act[0] if match.to_act else -1 for match in self.matches]

    def assert_same_observation(self, number: int, reader: int) -> None:
        """Asserts that a seat sees and may do the same in a deal of the batch and in its match."""
        match, to_act = self.matches[number], self.turns[number] == reader
        pending = self.pending[number] if to_act else ()
        expected = self.encoder(match.view(reader), match.legal(reader), pending)
        found = flat(self.batch.observe(reader), number, self.observation_encoder)
        assert {part.name for part in self.observation_encoder.parts} - {*found} == {
            "round",
            "standing",
        }
        for part in self.observation_encoder.parts:
            if part.name in found:
                assert found[part.name] == expected["observation"][part.array_slice].tolist(), (
                    part.name
                )
        if to_act:
            assert (self.batch.action_masks()[number] == expected["action_mask"]).all()

    def repeat(self, number: int, action: int, rewards: list[int], left: Any) -> None:
        """Repeats in a match the action taken in a deal, and compares the outcome."""
        match, pending = self.matches[number], self.pending[number]
        text = self.encoder.decode(action, pending)
        self.pending[number] = (*pending, action) if text is None else ()
        if text is not None:
            match.act(self.turns[number], text)
        if match.over:
            assert rewards == match.rounds[-1]["chips"]
            assert left[number].tolist() == match.rounds[-1]["left"]
        else:
            assert not any(rewards)


@pytest.mark.parametrize("options", TABLES, ids=case_id)
@pytest.mark.parametrize("doubts", [0.1, 0.5])
def test_batch_agrees_with_match_on_actions_observations_and_payments(
    options: dict[str, Any], doubts: float
) -> None:
    batch = env.DoubtBatch(jt.game("i-doubt-it", **options), ENVS)
    rng = Random(3)
    packs = [rng.sample(range(52), 52) for _ in range(ENVS)]
    batch.reset(packs=packs)
    reference = ReferenceMatches(batch, options, packs)
    while (batch.turn >= 0).any():
        playing = batch.turn >= 0
        assert batch.turn.tolist() == reference.turns
        for reader in range(batch.game.players):
            number = rng.choice(np.flatnonzero(playing).tolist())
            reference.assert_same_observation(number, reader)
        actions = batch.random_legal()
        for answering in np.flatnonzero(batch.action_masks()[:, PASS]):
            actions[answering] = DOUBT if rng.random() < doubts else PASS
        _, rewards, ended, truncated, info = batch.step(actions)
        assert not truncated.any()
        for one in np.flatnonzero(playing).tolist():
            reference.repeat(one, int(actions[one]), rewards[one].tolist(), info.get("left"))
        assert [match.over for match in reference.matches] == (~playing | ended).tolist()


def test_hidden_cards_do_not_change_an_observation() -> None:
    """Cards that the seat does not hold are redealt; its own keep their places in the pack."""
    batch = env.DoubtBatch(jt.game("i-doubt-it", players=3), 1)
    rng = Random(5)
    pack = rng.sample(range(52), 52)
    for seat in range(3):
        own = [place for place in range(51) if (place + 1) % 3 == seat]
        free = [place for place in range(52) if place not in own]
        moved = dict(zip(free, rng.sample(free, len(free)), strict=True))
        seen = []
        for order in (pack, [pack[moved.get(place, place)] for place in range(52)]):
            batch.reset(packs=[order], dealers=[0])
            # Seats before this one lay something and are believed.
            while batch.turn[0] != seat or not batch.action_masks()[0, :CLAIM].any():
                mask = batch.action_masks()[0]
                batch.step([PASS if mask[PASS] else int(mask.argmax())])
            observation = batch.observe(seat)
            seen.append({name: array.tobytes() for name, array in observation.items()})
        assert seen[0] == seen[1]


def test_deals_do_not_depend_on_batch_size_and_finished_deals_are_redealt() -> None:
    game = jt.game("i-doubt-it")
    small, large = (env.DoubtBatch(game, envs, seed=4, redeal=True) for envs in (3, 20))
    for _ in range(2):
        hands = [
            np.stack([one.observe(seat)["hand"] for seat in range(4)]) for one in (small, large)
        ]
        assert (hands[0] == hands[1][:, :3]).all()
        assert not (hands[1][:, 0] == hands[1][:, 1]).all()
        small.reset()
        large.reset()
    ended = np.zeros(20, dtype=int)
    dealers = large.observe()["dealer"]
    while not ended.all():
        observation, _, over, _, _ = large.step(large.random_legal())
        assert (observation["hand_sizes"] == 13)[over].all()
        assert (observation["dealer"] == (dealers + ended + over) % 4).all()
        ended += over


def test_actions_have_names_and_invalid_arguments_are_refused() -> None:
    batch = env.DoubtBatch(jt.game("i-doubt-it"), 2)
    assert [batch.actions[number] for number in (0, CLAIM, DOUBT, PASS)] == [
        "lay 2C",
        "as 2",
        "doubt",
        "pass",
    ]
    actions = batch.random_legal()
    actions[1] = CLAIM
    with pytest.raises(jt.GameError, match=r"actions\[1\] is 52 \(as 2\), which seat 2 may not do"):
        batch.step(actions)
    with pytest.raises(jt.GameError, match="a batch of deals plays i-doubt-it, not molotov"):
        env.DoubtBatch(jt.game("molotov"), 2)
    with pytest.raises(jt.GameError, match=r"packs\[0\] must hold each card of the pack once"):
        batch.reset(packs=[[0] * 52, list(range(52))])
    with pytest.raises(jt.GameError, match=r"dealers\[1\] is a number from 0 to 3, not 4"):
        batch.reset(dealers=[0, 4])
