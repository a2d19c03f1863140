"""As games of OpenSpiel they pass its tests, play as `Match` does and tell what may be known."""

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
from tests.env.test_pettingzoo import came_to

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
"""Games with parameters; some are as short as they get."""

SHORTEST: list[tuple[str, dict[str, Any]]] = [
    ("molotov", {"target": 1, "dealer": 0}),
    ("offenbach", {"target": 1, "players": 3, "dealer": 0}),
    ("molotow", {"rounds": 1, "dealer": 0}),
    ("differenzler", {"rounds": 4, "players": 3}),
    ("jass", {"target": 5, "players": 2}),
    ("schieber", {"rounds": 4}),
    ("i-doubt-it", {"rounds": 1, "players": 3, "max_turns": 20}),
]
"""Those that OpenSpiel's own test plays, which writes and reads them all along."""


def named(case: Any) -> str:
    """A case in the words of the test's report."""
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
    """One action by chance, of a player or of chance itself."""
    state.apply_action(chance.choice(state.legal_actions()))


def begun(game: str, parameters: dict[str, Any], steps: int, seed: int = 1) -> Any:
    """A state after so many actions of players."""
    state, chance = loaded(game, parameters).new_initial_state(), Random(seed)
    while steps and not state.is_terminal():
        steps -= not state.is_chance_node()
        step(state, chance)
    while state.is_chance_node():
        step(state, chance)
    return state


class TestOpenSpielsOwn:
    @pytest.mark.parametrize(("game", "parameters"), SHORTEST, ids=named)
    def test_random_simulation_with_serialization(
        self, game: str, parameters: dict[str, Any], capfd: pytest.CaptureFixture[str]
    ) -> None:
        pyspiel.random_sim_test(loaded(game, parameters), num_sims=1, serialize=True, verbose=False)
        capfd.readouterr()

    @pytest.mark.parametrize(("game", "parameters"), SHORT, ids=named)
    def test_the_simulation_of_its_python_tests(
        self, game: str, parameters: dict[str, Any]
    ) -> None:
        """Which copies each state, and writes some of them, also by `pickle`."""
        np.random.seed(1)  # it draws from this one
        games_sim_test.GamesSimTest("sim_game").sim_game(loaded(game, parameters))

    def test_an_algorithm_that_goes_by_information_states_runs(self) -> None:
        game = loaded("molotow", {"rounds": 1, "dealer": 0})
        np.random.seed(1)  # it draws from this one
        solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
        solver.iteration()
        state = begun("molotow", {"rounds": 1, "dealer": 0}, 0)
        policy = solver.average_policy().action_probabilities(state)
        assert sum(policy.values()) == pytest.approx(1)

    @pytest.mark.parametrize("game", jt.games())
    def test_every_game_is_known_and_loads_without_parameters(self, game: str) -> None:
        made = loaded(game, {})
        known = {one.short_name: one for one in pyspiel.registered_games()}
        kind = known[f"jasstisch_{game.replace('-', '_')}"]
        assert kind.default_loadable
        assert (kind.min_num_players, kind.max_num_players) == players_of(game)
        assert made.kind.game == jt.game(game)
        assert pickle.loads(pickle.dumps(made)).kind.game == made.kind.game
        state = made.new_initial_state()
        assert str(pickle.loads(pickle.dumps(state))) == str(state)

    def test_the_type_of_a_game_is_written_and_read(self) -> None:
        kind = loaded("schieber", {}).get_type()
        assert pickle.loads(pickle.dumps(kind)) == kind

    def test_its_environment_for_learning_steps_a_match_to_its_end(self) -> None:
        table = rl_environment.Environment(loaded("molotow", {"rounds": 1}))
        table.seed(1)
        moment, earned = table.reset(), np.zeros(4)
        while not moment.last():
            player = moment.observations["current_player"]
            moment = table.step([moment.observations["legal_actions"][player][0]])
            earned += moment.rewards
        assert earned.tolist() == table.get_state.returns()


@pytest.mark.parametrize(("game", "parameters"), SHORT, ids=named)
def test_a_match_beside_allows_the_same_and_ends_the_same(
    game: str, parameters: dict[str, Any]
) -> None:
    """Chance is the order of the pack; bounds hold; rewards add up to the returns."""
    made, chance = loaded(game, parameters), Random(2)
    state, match = made.new_initial_state(), jt.Match(made.kind.game)
    earned = np.zeros(made.num_players())
    moves, dealt, begun = 0, list[int](), tuple[int, ...]()
    sight = ViewEncoder(match.game)
    while not state.is_terminal():
        action = chance.choice(state.legal_actions())
        if state.is_chance_node():
            if not dealt:
                between_rounds(state, match, sight)
            outcomes = dict(state.chance_outcomes())
            left = [card for card in match.pack if numbered(match, card) not in dealt]
            assert outcomes == pytest.approx(
                {numbered(match, card): 1 / len(left) for card in left}
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
        seen = sight(match.view(seat), match.legal(seat), begun)
        assert state.legal_actions() == np.flatnonzero(seen["action_mask"]).tolist()
        text = made.kind.actions.decode(action, begun)
        begun = () if text else (*begun, action)
        if text:
            match.act(seat, text)
        state.apply_action(action)
        earned += state.rewards()
        moves += 1
    assert match.over
    between_rounds(state, match, sight)
    assert state.playing.match().record() == match.record()
    assert state.returns() == earned.tolist() == came_to(match)
    assert moves <= made.max_game_length()
    assert len(state.history()) - moves <= made.max_chance_nodes_in_history()
    assert all(made.min_utility() <= one <= made.max_utility() for one in state.returns())


def between_rounds(state: Any, match: jt.Match, sight: ViewEncoder) -> None:
    """Where nobody acts the players see the same as in the match, too."""
    for player in range(match.game.players):
        seen = sight(match.view(player), ())["observation"]
        assert state.observation_tensor(player) == seen.tolist()
        assert json.loads(state.observation_string(player)) == {"view": match.view(player)}


def numbered(match: jt.Match, card: str) -> int:
    """The number of a card."""
    return match.game.rules.deck.numbers[card]


@pytest.mark.parametrize(("game", "parameters"), SHORT, ids=named)
def test_a_state_that_was_copied_or_written_goes_on_alike(
    game: str, parameters: dict[str, Any]
) -> None:
    for steps in (2, 40):
        state = begun(game, parameters, steps)
        written = pyspiel.serialize_game_and_state(state.get_game(), state)
        _, read = pyspiel.deserialize_game_and_state(written)
        walkers, chances = (state.clone(), read, state.clone()), [Random(3) for _ in range(3)]
        for _ in range(30):
            assert alike([str(one) for one in walkers])
            assert alike([(one.returns(), one.rewards()) for one in walkers])
            if walkers[0].is_terminal():
                break
            for walker, chance in zip(walkers, chances, strict=True):
                step(walker, chance)
        for player in range(state.num_players()):
            assert alike([one.information_state_string(player) for one in walkers])
        assert str(begun(game, parameters, steps)) == str(state)


def alike(values: list[Any]) -> bool:
    """Whether all are the same."""
    return all(one == values[0] for one in values)


class TestObservers:
    @pytest.mark.parametrize(("game", "parameters"), SHORT, ids=named)
    def test_the_tensor_is_the_array_of_every_other_environment(
        self, game: str, parameters: dict[str, Any]
    ) -> None:
        state = begun(game, parameters, 17)
        match = state.playing.match()
        observation = make_observation(state.get_game())
        sight = ViewEncoder(match.game)
        for player in range(state.num_players()):
            observation.set_from(state, player)
            seen = sight(match.view(player), match.legal(player), acting(state, player))
            assert (observation.tensor == seen["observation"]).all()
            assert state.observation_tensor(player) == observation.tensor.tolist()
            parts = {one.name: one.shape for one in state.get_game().kind.observations.parts}
            assert {name: one.shape for name, one in observation.dict.items()} == parts

    def test_the_text_is_the_view_and_what_has_been_begun(self) -> None:
        state = begun("i-doubt-it", {}, 0)
        seat = state.current_player()
        state.apply_action(state.legal_actions()[0])
        view = state.playing.match().view
        own, other = (json.loads(state.observation_string(one)) for one in (seat, (seat + 1) % 4))
        assert own == {"view": view(seat), "begun": list(state.playing.pending)}
        assert other == {"view": view((seat + 1) % 4)}

    @pytest.mark.parametrize(("game", "parameters"), SHORT, ids=named)
    def test_with_perfect_recall_two_pasts_that_differ_for_a_player_have_two_texts(
        self, game: str, parameters: dict[str, Any]
    ) -> None:
        """Along a match no text comes twice to whoever acts, and each tells those before it."""
        state, chance = loaded(game, parameters).new_initial_state(), Random(4)
        seen: list[dict[str, tuple[Any, ...]]] = [{} for _ in range(state.num_players())]
        hands: list[list[list[str]]] = [[] for _ in seen]
        for _ in range(250):
            if state.is_terminal():
                break
            if not state.is_chance_node():
                player = state.current_player()
                told = state.information_state_string(player)
                assert told not in seen[player]
                seen[player][told] = ()
                held = json.loads(told)["view"]["hand"]
                if not hands[player] or not set(held) <= set(hands[player][-1]):
                    hands[player].append(held)
                remembered = json.loads(told)["memory"]
                for hand in hands[player]:
                    assert any(set(hand) <= set(json.loads(one)) for one in remembered)
            step(state, chance)

    @pytest.mark.parametrize(("game", "parameters"), SHORT[:-1], ids=named)
    def test_what_a_player_cannot_know_changes_no_text_and_no_tensor(
        self, game: str, parameters: dict[str, Any]
    ) -> None:
        """Two matches in which the others hold other cards; of two hands one tells the other."""
        made, deals = loaded(game, parameters), Random(5)
        rules = made.kind.game.rules(made.kind.game)
        states = [made.new_initial_state(), made.new_initial_state()]
        player = 0
        packs = 0
        while states[0].is_chance_node():
            pack = deals.sample(states[0].playing.rules.pack, len(states[0].playing.rules.pack))
            dealt(states[0], pack)
            first = states[0].playing.rules
            if first.hand(player):
                kept = own_places(states[1].clone(), pack, player)
                if packs_shown(first):
                    kept |= set(range(len(pack) - 10, len(pack)))
                moved = [place for place in range(len(pack)) if place not in kept]
                others = moved[1:] + moved[:1]
                changed = list(pack)
                for place, other in zip(moved, others, strict=True):
                    changed[place] = pack[other]
                dealt(states[1], changed)
            else:
                dealt(states[1], pack)
            packs += 1
        assert packs >= 1
        assert rules.players == made.num_players()
        one, other = states
        if one.playing.rules.to_act != other.playing.rules.to_act:
            pytest.fail("the deals were to differ in what is hidden alone")
        assert str(one) != str(other)
        for kind in (one.observation_string, one.information_state_string):
            again = getattr(other, kind.__name__)
            assert kind(player) == again(player)
        assert one.observation_tensor(player) == other.observation_tensor(player)

    def test_what_is_not_offered_is_refused(self) -> None:
        game = loaded("molotow", {})
        with pytest.raises(GameError, match="takes no parameters, not colour"):
            game.make_py_observer(None, {"colour": 1})
        everybody = pyspiel.IIGObservationType(
            perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
        )
        with pytest.raises(GameError, match="what is public and what is its own player's"):
            game.make_py_observer(everybody)

    def test_perfect_recall_has_a_text_and_no_tensor(self) -> None:
        game = loaded("molotow", {})
        observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
        assert observer.tensor is None
        assert "memory" in json.loads(observer.string_from(begun("molotow", {}, 3), 0))
        assert not game.get_type().provides_information_state_tensor


def acting(state: Any, player: int) -> tuple[int, ...]:
    """What a player has begun."""
    begun: tuple[int, ...] = state.playing.pending
    return begun if player == state.current_player() else ()


def dealt(state: Any, pack: list[int]) -> None:
    """Deals a pack in this order."""
    for card in pack[:-1]:
        state.apply_action(card)


def own_places(state: Any, pack: list[int], player: int) -> set[int]:
    """Where in a pack lie the cards that a player gets or sees of it."""
    dealt(state, pack)
    view = state.playing.match().view(player)
    known = {*view["hand"], view.get("shown"), view.get("turned")}
    texts = state.playing.rules.deck.texts
    return {place for place, card in enumerate(pack) if texts[card] in known}


def packs_shown(rules: Any) -> bool:
    """Whether the end of the pack lies on the table, as the blind of Jass does."""
    return hasattr(rules, "blind")


class TestParameters:
    def test_every_option_is_a_parameter(self) -> None:
        for game in jt.games():
            told = loaded(game, {}).get_type().parameter_specification
            assert told.keys() == {option.name for option in REGISTRY[game].options}

    def test_options_are_chosen_by_them(self) -> None:
        chosen = {"players": 5, "dealer": 3, "five_player_marks": "2_1_2", "target": 2}
        options = loaded("molotov", chosen).kind.game.options
        told = {name: options[name] for name in chosen}
        assert told == {**chosen, "five_player_marks": "2-1-2"}
        assert loaded("molotov", {}).kind.game.options["dealer"] is None

    def test_a_number_that_is_not_chosen_goes_by_the_players(self) -> None:
        game = loaded("i-doubt-it", {"players": 6}).kind.game
        assert game == jt.game("i-doubt-it", players=6)

    def test_a_value_that_is_not_allowed_is_refused_in_words(self) -> None:
        kind = type(loaded("molotow", {}))
        with pytest.raises(GameError, match="rounds is a whole number from 1 to 60, not 61"):
            kind({"rounds": 61})
        with pytest.raises(GameError, match="marks is 'seed' or 'swiss', not 'x'"):
            kind({"marks": "x"})


def test_bids_are_hidden_until_all_are_made() -> None:
    state = begun("differenzler", {}, 0)
    state.apply_action(36 + 42)
    first, second = (json.loads(state.information_state_string(one)) for one in (0, 1))
    assert first["view"]["bids"] == [42, None, None, None]
    assert second["view"]["bids"] == [None] * 4
    assert second["view"]["has_bid"] == [True, False, False, False]


def test_chance_and_players_are_named() -> None:
    state = loaded("molotow", {"dealer": 0}).new_initial_state()
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 0) == "deal 6C"
    assert encoding_for(jt.game("molotow")).actions.texts[0] == "play 6C"
    state.apply_action(3)
    assert str(state).endswith("pack: 9C")


@pytest.mark.outside
def test_python_ends_in_peace_after_the_games_were_registered() -> None:
    """OpenSpiel lets go of what was registered when Python is gone already."""
    code = (
        "import pyspiel; from jasstisch.env import openspiel; openspiel.register();"
        "openspiel.register(); pyspiel.load_game('jasstisch_molotow').new_initial_state()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_example_of_the_module_runs() -> None:
    result = doctest.testmod(openspiel)
    assert result.attempted > 5
    assert result.failed == 0
