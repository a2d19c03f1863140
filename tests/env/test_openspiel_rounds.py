"""A round as an episode of OpenSpiel: terminal rewards, tight bounds and perfect recall.

Hidden cards are drawn anew, so that OpenSpiel's own search plays it.
"""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from jasstisch.engine.cards import cards_in_set
from jasstisch.engine.errors import GameError
from jasstisch.env import openspiel
from jasstisch.env.matches.encoded_match import round_rewards
from jasstisch.env.matches.i_doubt_it import CLAIM, DOUBT, PASS
from tests.env.test_openspiel import case_id, loaded, state_after, step

openspiel.register()

ROUNDS: list[tuple[str, dict[str, Any]]] = [
    ("molotov", {}),
    ("molotov", {"players": 5, "no_trump": "annul", "long_runs": "weis"}),
    ("offenbach", {"players": 3, "dealer": 0}),
    ("molotow", {"dealer": 2}),
    ("differenzler", {"dealer": 0}),
    ("differenzler", {"players": 3, "bids": "open", "trump": "bottom"}),
    ("jass", {"dealer": 1}),
    ("jass", {"players": 3}),
    ("schieber", {"dealer": 0}),
    ("schieber", {"multipliers": "swiss", "slalom": "on"}),
    ("coiffeur", {"dealer": 0, "lines": "ten"}),
    ("i-doubt-it", {"dealer": 0}),
    ("i-doubt-it", {"players": 2, "max_turns": 20, "last": "any", "lie_fee": 1}),
]

REMEMBERED = [
    (game, parameters)
    for game, parameters in ROUNDS
    if game != "i-doubt-it" and "no_trump" not in parameters
]
"""Those whose observations contain all that a player has learnt in the round."""


def round_of(game: str, parameters: dict[str, Any]) -> Any:
    """A game whose episodes are rounds."""
    return loaded(game, {**parameters, "episode": "round"})


def uniform(seed: int) -> Callable[[], float]:
    """A sampler as OpenSpiel passes it."""
    return Random(seed).random


@pytest.mark.parametrize(("game", "parameters"), ROUNDS, ids=case_id)
def test_episode_is_one_round_and_pays_its_reward_at_the_end(
    game: str, parameters: dict[str, Any]
) -> None:
    made = round_of(game, parameters)
    assert made.get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL
    for seed in range(5):
        state, chance, moves = made.new_initial_state(), Random(seed), 0
        while not state.is_terminal():
            assert not any(state.rewards())
            moves += not state.is_chance_node()
            step(state, chance)
        (finished,) = state.playing.rules.rounds
        assert state.rewards() == state.returns() == round_rewards(made.kind.game, finished)
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
        assert not state.legal_actions()
        assert moves <= made.max_game_length()
        assert len(state.history()) - moves <= made.max_chance_nodes_in_history()
        assert made.min_utility() <= min(state.returns())
        assert max(state.returns()) <= made.max_utility()


@pytest.mark.parametrize(
    ("game", "parameters", "least", "most"),
    [
        ("molotov", {}, -157 - 400, 0),  # two runs of four in each suit
        ("molotov", {"players": 3}, -157 - 240, 0),  # three runs of three in each
        ("molotov", {"players": 6, "long_runs": "weis"}, -157 - 4 * 170, 0),  # six and three
        ("molotow", {}, -3, 3),
        ("differenzler", {}, -157, 0),
        ("jass", {}, -1, 2),
        ("schieber", {}, 0, 157 + 100 + 550 + 20),
        ("schieber", {"weis": "off", "multipliers": "swiss"}, 0, 3 * 257),
        ("coiffeur", {"match_bonus": 0}, 0, 8 * 157),
        ("i-doubt-it", {}, -52, 52),
    ],
)
def test_bounds_of_a_round_follow_from_its_rules(
    game: str, parameters: dict[str, Any], least: int, most: int
) -> None:
    made = round_of(game, parameters)
    assert (made.min_utility(), made.max_utility()) == (least, most)


def test_bounds_of_a_match_follow_from_its_target_or_its_slate() -> None:
    assert loaded("coiffeur", {}).max_utility() == 257 * sum(range(1, 9))
    assert loaded("schieber", {"rounds": 4}).max_utility() == 4 * 827
    assert loaded("schieber", {"target": 1000}).max_utility() < 12 * 1000
    assert loaded("differenzler", {"rounds": 4}).min_utility() == -4 * 157


def test_unknown_episode_is_refused() -> None:
    kind = type(loaded("molotow", {}))
    with pytest.raises(GameError, match="an episode is 'match' or 'round', not 'day'"):
        kind({"episode": "day"})


class TestOpenSpielSearch:
    def test_mcts_plays_a_round(self) -> None:
        np.random.seed(1)  # OpenSpiel draws from this generator
        made = round_of("molotow", {"dealer": 0})
        rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        bot = mcts.MCTSBot(made, 2.0, 5, rollouts, random_state=np.random.RandomState(2))
        state = state_after("molotow", {"dealer": 0, "episode": "round"}, 20)
        while not state.is_terminal():
            state.apply_action(bot.step(state))
        assert len(state.playing.rules.rounds) == 1

    @pytest.mark.parametrize(("game", "parameters"), ROUNDS[::2], ids=case_id)
    def test_ismcts_chooses_a_legal_action(self, game: str, parameters: dict[str, Any]) -> None:
        state = state_after(game, {**parameters, "episode": "round"}, 12)
        rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        bot = ismcts.ISMCTSBot(
            state.get_game(), rollouts, 2.0, 4, random_state=np.random.RandomState(3)
        )
        assert bot.step(state) in state.legal_actions()


class TestInformationStateTensor:
    @pytest.mark.parametrize(("game", "parameters"), REMEMBERED, ids=case_id)
    def test_is_the_same_exactly_where_the_string_is(
        self, game: str, parameters: dict[str, Any]
    ) -> None:
        """The histories begin with the same deal, so that many of them differ in little."""
        made, chance = round_of(game, parameters), Random(1)
        assert made.get_type().provides_information_state_tensor
        dealt = made.new_initial_state()
        while dealt.is_chance_node():
            step(dealt, chance)
        strings: dict[tuple[int, bytes], str] = {}
        tensors: dict[tuple[int, str], bytes] = {}
        for _ in range(6):
            state = dealt.clone()
            while not state.is_terminal():
                for player in range(state.num_players()):
                    text = state.information_state_string(player)
                    numbers = np.array(state.information_state_tensor(player)).tobytes()
                    assert strings.setdefault((player, numbers), text) == text
                    assert tensors.setdefault((player, text), numbers) == numbers
                # The lower actions are taken more often, so that histories meet again.
                legal = state.legal_actions()
                state.apply_action(legal[min(chance.randrange(3), len(legal) - 1)])

    @pytest.mark.parametrize(
        ("game", "parameters"),
        [
            ("i-doubt-it", {"episode": "round"}),
            ("molotov", {"no_trump": "annul", "episode": "round"}),
            ("molotov", {"episode": "match"}),
        ],
        ids=case_id,
    )
    def test_is_not_offered_where_something_would_be_forgotten(
        self, game: str, parameters: dict[str, Any]
    ) -> None:
        assert not loaded(game, parameters).get_type().provides_information_state_tensor


class TestResampling:
    @pytest.mark.parametrize("episode", ["round", "match"])
    @pytest.mark.parametrize(("game", "parameters"), ROUNDS, ids=case_id)
    def test_keeps_what_the_player_knows_and_changes_the_rest(
        self, game: str, parameters: dict[str, Any], episode: str
    ) -> None:
        made, chance = loaded(game, {**parameters, "episode": episode}), Random(3)
        state, changed = made.new_initial_state(), 0
        for _ in range(200):
            if state.is_terminal():
                state = made.new_initial_state()
            if not state.is_chance_node() and chance.random() < 0.2:
                player = state.current_player()
                other = state.resample_from_infostate(player, uniform(chance.randrange(99)))
                texts = [one.information_state_string(player) for one in (state, other)]
                assert texts[0] == texts[1]
                assert other.legal_actions() == state.legal_actions()
                assert other.returns() == state.returns()
                changed += str(other) != str(state)
            step(state, chance)
        assert changed

    def test_same_sampler_gives_the_same_state(self) -> None:
        state = state_after("schieber", {"episode": "round"}, 10)
        player = state.current_player()
        made = [state.resample_from_infostate(player, uniform(seed)) for seed in (5, 5, 6)]
        assert str(made[0]) == str(made[1]) != str(made[2])

    def test_hands_do_not_depend_on_those_of_the_present_state(self) -> None:
        """Each unseen card lies as often with each of the three others, at the beginning."""
        state = state_after("molotow", {"episode": "round", "dealer": 3}, 0)
        held = Counter[int]()
        card = next(card for card in range(36) if state.playing.rules.hands[1] >> card & 1)
        for seed in range(300):
            other = state.resample_from_infostate(0, uniform(seed)).playing.rules
            (owner,) = (seat for seat in range(4) if other.hands[seat] >> card & 1)
            held[owner] += 1
        assert sorted(held) == [1, 2, 3]
        assert min(held.values()) > 70  # of 100 expected

    def test_hidden_bids_are_drawn_too(self) -> None:
        state = state_after("differenzler", {"episode": "round", "dealer": 0}, 4)
        player = state.current_player()
        bids = [
            tuple(state.resample_from_infostate(player, uniform(seed)).playing.rules.bids)
            for seed in range(8)
        ]
        assert len(set(bids)) == 8
        assert {one[player] for one in bids} == {state.playing.rules.bids[player]}

    def test_hidden_claim_may_have_been_made_with_cards_that_lay_open_before(self) -> None:
        """Seat 1 takes up three cards turned up; whether it lays them afterwards is open."""
        state = round_of("i-doubt-it", {"players": 2, "dealer": 1}).new_initial_state()
        chance = Random(1)
        while state.is_chance_node():
            step(state, chance)
        hand = state.playing.rules.hand
        own = list(cards_in_set(hand(0)))
        rank = next(rank for rank in range(13) if len([c for c in own if c % 13 == rank]) >= 3)
        open_cards = [card for card in own if card % 13 == rank][:3]
        for number in (*open_cards, CLAIM + rank, DOUBT):
            state.apply_action(number)
        assert all(hand(1) >> card & 1 for card in open_cards)
        hidden = [card for card in cards_in_set(hand(1)) if card not in open_cards][:3]
        for number in (*hidden, CLAIM, PASS):
            state.apply_action(number)
        held = Counter[int]()
        for seed in range(60):
            other = state.resample_from_infostate(0, uniform(seed)).playing.rules
            held[sum(other.hand(1) >> card & 1 for card in open_cards)] += 1
        assert held[3] > held[2] > 0

    def test_is_refused_in_mid_deal_and_within_an_action_of_another_player(self) -> None:
        state = round_of("i-doubt-it", {"dealer": 0}).new_initial_state()
        state.apply_action(0)
        with pytest.raises(GameError, match="no state is resampled for player 0 in mid-deal"):
            state.resample_from_infostate(0, uniform(1))
        while state.is_chance_node():
            step(state, Random(1))
        player = state.current_player()
        state.apply_action(state.legal_actions()[0])
        assert state.resample_from_infostate(player, uniform(1)).playing.pending
        with pytest.raises(GameError, match="another player has begun an action"):
            state.resample_from_infostate((player + 1) % 4, uniform(1))


def test_states_of_a_round_are_copied_and_written_as_they_are() -> None:
    state = state_after("jass", {"episode": "round"}, 9)
    written = pyspiel.serialize_game_and_state(state.get_game(), state)
    _, read = pyspiel.deserialize_game_and_state(written)
    walkers = (state, state.clone(), read)
    for pair in pairwise(walkers):
        chances = Random(3), Random(3)
        one, other = (walker.clone() for walker in pair)
        while not one.is_terminal():
            step(one, chances[0])
            step(other, chances[1])
        assert one.returns() == other.returns()
        assert other.is_terminal()
