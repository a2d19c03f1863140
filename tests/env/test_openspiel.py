"""OpenSpiel games pass OpenSpiel's tests, play as `Match` does and show no hidden cards."""

import doctest
import json
import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import outcome_sampling_mccfr
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

import jasstisch as jt
from jasstisch.engine.errors import GameError
from jasstisch.env import openspiel
from jasstisch.env.matches.encoding import encoding_for
from jasstisch.env.matches.view_encoder import ViewEncoder
from jasstisch.games.rules import REGISTRY
from tests.env.test_pettingzoo import total_rewards

openspiel.register()

SHORT: list[tuple[str, dict[str, Any]]] = [
    ("molotov", {"target": 1}),
    ("molotov", {"players": 5, "target": 1, "five_player_marks": "2_1_2", "no_trump": "annul"}),
    ("offenbach", {"players": 3, "target": 1}),
    ("molotow", {"rounds": 1, "dealer": 2}),
    ("differenzler", {"rounds": 4}),
    ("differenzler", {"players": 3, "rounds": 4, "bids": "open", "trump": "bottom"}),
    ("jass", {"target": 5}),
    ("jass", {"players": 2, "target": 5}),
    ("schieber", {"rounds": 4}),
    ("schieber", {"multipliers": "swiss", "weis": "off"}),
    ("coiffeur", {"dealer": 0}),
    ("i-doubt-it", {"rounds": 1}),
    ("i-doubt-it", {"players": 2, "rounds": 2, "max_turns": 20, "last": "any", "lie_fee": 1}),
]
"""Games with parameters; some matches are as short as possible."""

SHORTEST: list[tuple[str, dict[str, Any]]] = [
    ("molotov", {"target": 1, "dealer": 0}),
    ("offenbach", {"target": 1, "players": 3, "dealer": 0}),
    ("molotow", {"rounds": 1, "dealer": 0}),
    ("differenzler", {"rounds": 4, "players": 3}),
    ("jass", {"target": 5, "players": 2}),
    ("schieber", {"rounds": 4}),
    ("i-doubt-it", {"rounds": 1, "players": 3, "max_turns": 20}),
]
"""Games for OpenSpiel's own simulation, which serializes every state."""


def case_id(case: Any) -> str:
    """The id of a test case in reports."""
    if isinstance(case, str):
        return case
    return ",".join(f"{name}={value}" for name, value in case.items())


def players_of(game: str) -> tuple[int, int]:
    """The fewest and the most players of a game."""
    option = next(one for one in REGISTRY[game].options if one.name == "players")
    counts = [count for count in range(2, 9) if option.allows(count, 4)]
    return counts[0], counts[-1]


def loaded(game: str, parameters: dict[str, Any]) -> Any:
    """A game of OpenSpiel."""
    return pyspiel.load_game(f"jasstisch_{game.replace('-', '_')}", parameters)


def step(state: Any, chance: Random) -> None:
    """Applies a random action, of a player or of a chance node."""
    state.apply_action(chance.choice(state.legal_actions()))


def state_after(game: str, parameters: dict[str, Any], steps: int, seed: int = 1) -> Any:
    """A state after this many actions of players."""
    state, chance = loaded(game, parameters).new_initial_state(), Random(seed)
    while steps and not state.is_terminal():
        steps -= not state.is_chance_node()
        step(state, chance)
    while state.is_chance_node():
        step(state, chance)
    return state


class TestOpenSpielCompatibility:
    @pytest.mark.parametrize(("game", "parameters"), SHORTEST, ids=case_id)
    def test_random_simulation_with_serialization(
        self, game: str, parameters: dict[str, Any], capfd: pytest.CaptureFixture[str]
    ) -> None:
        pyspiel.random_sim_test(loaded(game, parameters), num_sims=1, serialize=True, verbose=False)
        capfd.readouterr()

    @pytest.mark.parametrize(("game", "parameters"), SHORT, ids=case_id)
    def test_python_game_simulation(self, game: str, parameters: dict[str, Any]) -> None:
        """OpenSpiel's Python test copies each state and serializes some, also with `pickle`."""
        np.random.seed(1)  # OpenSpiel draws from this generator
        games_sim_test.GamesSimTest("sim_game").sim_game(loaded(game, parameters))

    def test_algorithm_based_on_information_states_runs(self) -> None:
        game = loaded("molotow", {"rounds": 1, "dealer": 0})
        np.random.seed(1)  # OpenSpiel draws from this generator
        solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
        solver.iteration()
        state = state_after("molotow", {"rounds": 1, "dealer": 0}, 0)
        policy = solver.average_policy().action_probabilities(state)
        assert sum(policy.values()) == pytest.approx(1)

    @pytest.mark.parametrize("game", jt.games())
    def test_every_game_is_registered_and_loads_without_parameters(self, game: str) -> None:
        made = loaded(game, {})
        known = {one.short_name: one for one in pyspiel.registered_games()}
        kind = known[f"jasstisch_{game.replace('-', '_')}"]
        assert kind.default_loadable
        assert (kind.min_num_players, kind.max_num_players) == players_of(game)
        assert made.kind.game == jt.game(game)
        assert pickle.loads(pickle.dumps(made)).kind.game == made.kind.game
        state = made.new_initial_state()
        assert str(pickle.loads(pickle.dumps(state))) == str(state)

    def test_game_type_survives_pickling(self) -> None:
        kind = loaded("schieber", {}).get_type()
        assert pickle.loads(pickle.dumps(kind)) == kind

    def test_rl_environment_plays_a_match_to_its_end(self) -> None:
        table = rl_environment.Environment(loaded("molotow", {"rounds": 1}))
        table.seed(1)
        moment, earned = table.reset(), np.zeros(4)
        while not moment.last():
            player = moment.observations["current_player"]
            moment = table.step([moment.observations["legal_actions"][player][0]])
            earned += moment.rewards
        assert earned.tolist() == table.get_state.returns()


@pytest.mark.parametrize(("game", "parameters"), SHORT, ids=case_id)
def test_state_agrees_with_match_on_legal_actions_and_returns(
    game: str, parameters: dict[str, Any]
) -> None:
    """Chance nodes deal the pack; lengths and returns stay in bounds; rewards sum to returns."""
    made, chance = loaded(game, parameters), Random(2)
    state, match = made.new_initial_state(), jt.Match(made.kind.game)
    earned = np.zeros(made.num_players())
    moves, dealt, pending = 0, list[int](), tuple[int, ...]()
    encoder = ViewEncoder(match.game)
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        if state.is_chance_node():
            if not dealt:
                assert_same_between_rounds(state, match, encoder)
            outcomes = dict(state.chance_outcomes())
            left = [card for card in match.pack if card_number(match, card) not in dealt]
            assert outcomes == pytest.approx(
                {card_number(match, card): 1 / len(left) for card in left}
            )
            dealt.append(action)
            if len(left) == 2:
                dealt += [card for card in outcomes if card != action]
                match.deal([match.game.rules.deck.texts[card] for card in dealt])
                dealt.clear()
            state.apply_action(action)
            continue
        seat = match.to_act[0]
        assert state.current_player() == seat
        seen = encoder(match.view(seat), match.legal(seat), pending)
        assert state.legal_actions() == np.flatnonzero(seen["action_mask"]).tolist()
        text = made.kind.action_encoder.decode(action, pending)
        pending = () if text else (*pending, action)
        if text:
            match.act(seat, text)
        state.apply_action(action)
        earned += state.rewards()
        moves += 1
    assert match.over
    assert_same_between_rounds(state, match, encoder)
    assert state.playing.match().record() == match.record()
    assert state.returns() == earned.tolist() == total_rewards(match)
    assert moves <= made.max_game_length()
    assert len(state.history()) - moves <= made.max_chance_nodes_in_history()
    assert all(made.min_utility() <= one <= made.max_utility() for one in state.returns())


def assert_same_between_rounds(state: Any, match: jt.Match, encoder: ViewEncoder) -> None:
    """Asserts that players see the same as in the match while nobody is to act."""
    for player in range(match.game.players):
        seen = encoder(match.view(player), ())["observation"]
        assert state.observation_tensor(player) == seen.tolist()
        assert json.loads(state.observation_string(player)) == {"view": match.view(player)}


def card_number(match: jt.Match, card: str) -> int:
    """The number of a card."""
    return match.game.rules.deck.numbers[card]


@pytest.mark.parametrize(("game", "parameters"), SHORT, ids=case_id)
def test_cloned_and_deserialized_states_continue_identically(
    game: str, parameters: dict[str, Any]
) -> None:
    for steps in (2, 40):
        state = state_after(game, parameters, steps)
        written = pyspiel.serialize_game_and_state(state.get_game(), state)
        _, read = pyspiel.deserialize_game_and_state(written)
        walkers, chances = (state.clone(), read, state.clone()), [Random(3) for _ in range(3)]
        for _ in range(30):
            assert all_equal([str(one) for one in walkers])
            assert all_equal([(one.returns(), one.rewards()) for one in walkers])
            if walkers[0].is_terminal():
                break
            for walker, chance in zip(walkers, chances, strict=True):
                step(walker, chance)
        for player in range(state.num_players()):
            assert all_equal([one.information_state_string(player) for one in walkers])
        assert str(state_after(game, parameters, steps)) == str(state)


def all_equal(values: list[Any]) -> bool:
    """Whether all are the same."""
    return all(one == values[0] for one in values)


class TestObservers:
    @pytest.mark.parametrize(("game", "parameters"), SHORT, ids=case_id)
    def test_observation_tensor_equals_the_array_of_the_view_encoder(
        self, game: str, parameters: dict[str, Any]
    ) -> None:
        state = state_after(game, parameters, 17)
        match = state.playing.match()
        observation = make_observation(state.get_game())
        encoder = ViewEncoder(match.game)
        for player in range(state.num_players()):
            observation.set_from(state, player)
            seen = encoder(match.view(player), match.legal(player), pending_choice(state, player))
            assert (observation.tensor == seen["observation"]).all()
            assert state.observation_tensor(player) == observation.tensor.tolist()
            parts = {one.name: one.shape for one in state.get_game().kind.observation_encoder.parts}
            assert {name: one.shape for name, one in observation.dict.items()} == parts

    def test_observation_string_contains_the_view_and_the_pending_choice(self) -> None:
        state = state_after("i-doubt-it", {}, 0)
        seat = state.current_player()
        state.apply_action(state.legal_actions()[0])
        view = state.playing.match().view
        own, other = (json.loads(state.observation_string(one)) for one in (seat, (seat + 1) % 4))
        assert own == {"view": view(seat), "begun": list(state.playing.pending)}
        assert other == {"view": view((seat + 1) % 4)}

    @pytest.mark.parametrize(("game", "parameters"), SHORT, ids=case_id)
    def test_perfect_recall_gives_different_histories_different_strings(
        self, game: str, parameters: dict[str, Any]
    ) -> None:
        """No seat acts twice on the same string, and each string contains its earlier hands."""
        state, chance = loaded(game, parameters).new_initial_state(), Random(4)
        seen: list[dict[str, tuple[Any, ...]]] = [{} for _ in range(state.num_players())]
        hands: list[list[list[str]]] = [[] for _ in seen]
        for _ in range(250):
            if state.is_terminal():
                break
            if not state.is_chance_node():
                player = state.current_player()
                text = state.information_state_string(player)
                assert text not in seen[player]
                seen[player][text] = ()
                held = json.loads(text)["view"]["hand"]
                if not hands[player] or not set(held) <= set(hands[player][-1]):
                    hands[player].append(held)
                remembered = json.loads(text)["memory"]
                for hand in hands[player]:
                    assert any(set(hand) <= set(json.loads(one)) for one in remembered)
            step(state, chance)

    @pytest.mark.parametrize(("game", "parameters"), SHORT[:-1], ids=case_id)
    def test_hidden_cards_change_neither_string_nor_tensor(
        self, game: str, parameters: dict[str, Any]
    ) -> None:
        """Two matches differ in hidden cards alone.

        The last table is left out: with two players, the own hand reveals the other one.
        """
        made, deals = loaded(game, parameters), Random(5)
        rules = made.kind.game.rules(made.kind.game)
        states = [made.new_initial_state(), made.new_initial_state()]
        player = 0
        packs = 0
        while states[0].is_chance_node():
            pack = deals.sample(states[0].playing.rules.pack, len(states[0].playing.rules.pack))
            deal_pack(states[0], pack)
            first = states[0].playing.rules
            if first.hand(player):
                kept = own_places(states[1].clone(), pack, player)
                if has_blind(first):
                    kept |= set(range(len(pack) - 10, len(pack)))
                moved = [place for place in range(len(pack)) if place not in kept]
                others = moved[1:] + moved[:1]
                changed = list(pack)
                for place, other in zip(moved, others, strict=True):
                    changed[place] = pack[other]
                deal_pack(states[1], changed)
            else:
                deal_pack(states[1], pack)
            packs += 1
        assert packs >= 1
        assert rules.players == made.num_players()
        one, other = states
        if one.playing.rules.to_act != other.playing.rules.to_act:
            pytest.fail("the deals were meant to differ in hidden cards only")
        assert str(one) != str(other)
        for kind in (one.observation_string, one.information_state_string):
            again = getattr(other, kind.__name__)
            assert kind(player) == again(player)
        assert one.observation_tensor(player) == other.observation_tensor(player)

    def test_unsupported_observer_arguments_are_refused(self) -> None:
        game = loaded("molotow", {})
        with pytest.raises(GameError, match="takes no parameters, not colour"):
            game.make_py_observer(None, {"colour": 1})
        everybody = pyspiel.IIGObservationType(
            perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
        )
        with pytest.raises(GameError, match="what is public and what is its own player's"):
            game.make_py_observer(everybody)

    def test_perfect_recall_observer_has_a_string_and_no_tensor(self) -> None:
        game = loaded("molotow", {})
        observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
        assert observer.tensor is None
        assert "memory" in json.loads(observer.string_from(state_after("molotow", {}, 3), 0))
        assert not game.get_type().provides_information_state_tensor


def pending_choice(state: Any, player: int) -> tuple[int, ...]:
    """The pending choice of a player."""
    pending: tuple[int, ...] = state.playing.pending
    return pending if player == state.current_player() else ()


def deal_pack(state: Any, pack: list[int]) -> None:
    """Deals a pack in this order."""
    for card in pack[:-1]:
        state.apply_action(card)


def own_places(state: Any, pack: list[int], player: int) -> set[int]:
    """The places in a pack of the cards that a player is dealt or shown."""
    deal_pack(state, pack)
    view = state.playing.match().view(player)
    known = {*view["hand"], view.get("shown"), view.get("turned")}
    texts = state.playing.rules.deck.texts
    return {place for place, card in enumerate(pack) if texts[card] in known}


def has_blind(rules: Any) -> bool:
    """Whether the end of the pack lies on the table as a blind."""
    return hasattr(rules, "blind")


class TestParameters:
    def test_every_option_is_a_parameter(self) -> None:
        for game in jt.games():
            specification = loaded(game, {}).get_type().parameter_specification
            names = {option.name for option in REGISTRY[game].options}
            assert specification.keys() == {"episode", *names}

    def test_parameters_set_the_options(self) -> None:
        chosen = {"players": 5, "dealer": 3, "five_player_marks": "2_1_2", "target": 2}
        options = loaded("molotov", chosen).kind.game.options
        found = {name: options[name] for name in chosen}
        assert found == {**chosen, "five_player_marks": "2-1-2"}
        assert loaded("molotov", {}).kind.game.options["dealer"] is None

    def test_default_of_an_option_depends_on_the_number_of_players(self) -> None:
        game = loaded("i-doubt-it", {"players": 6}).kind.game
        assert game == jt.game("i-doubt-it", players=6)

    def test_invalid_parameter_value_is_refused_with_the_allowed_ones(self) -> None:
        kind = type(loaded("molotow", {}))
        with pytest.raises(GameError, match="rounds is a whole number from 1 to 60, not 61"):
            kind({"rounds": 61})
        with pytest.raises(GameError, match="marks is 'seed' or 'swiss', not 'x'"):
            kind({"marks": "x"})


def test_bids_are_hidden_until_all_are_made() -> None:
    state = state_after("differenzler", {}, 0)
    state.apply_action(36 + 42)
    first, second = (json.loads(state.information_state_string(one)) for one in (0, 1))
    assert first["view"]["bids"] == [42, None, None, None]
    assert second["view"]["bids"] == [None] * 4
    assert second["view"]["has_bid"] == [True, False, False, False]


def test_actions_of_chance_and_players_have_readable_names() -> None:
    state = loaded("molotow", {"dealer": 0}).new_initial_state()
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 0) == "deal 6C"
    assert encoding_for(jt.game("molotow")).action_encoder.texts[0] == "play 6C"
    state.apply_action(3)
    assert str(state).endswith("pack: 9C")


@pytest.mark.outside
def test_interpreter_exits_cleanly_after_register() -> None:
    """OpenSpiel frees the registered games only after the interpreter has shut down."""
    code = (
        "import pyspiel; from jasstisch.env import openspiel; openspiel.register();"
        "openspiel.register(); pyspiel.load_game('jasstisch_molotow').new_initial_state()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_module_docstring_example_runs() -> None:
    result = doctest.testmod(openspiel)
    assert result.attempted > 5
    assert result.failed == 0
