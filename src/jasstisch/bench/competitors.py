"""Benchmarks of other published engines, run in this process if they are installed.

None of them has Molotov or Differenzler, so each plays the most similar game that it has; every
result says what is compared. A *round* is 36 cards played: a deal of bridge counts as 52/36 of one.
"""

import random
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from jasstisch.bench.engine_benchmarks import COPIES, mid_match
from jasstisch.bench.measurement import Benchmark, MetricUnit, Work

_CARDS = 36
"""Cards played in a round."""

_BATCH = 16
"""Rounds between two readings of the clock."""

_ROUNDS = MetricUnit("rounds/s")
_CARDS_PLAYED = MetricUnit("cards/s")
_MICROSECONDS = MetricUnit("µs", units_per_second=1e6)
_MILLISECONDS = MetricUnit("ms", units_per_second=1e3)

_OH_HELL_PARAMETERS = {
    "players": 4,
    "num_suits": 4,
    "num_cards_per_suit": 10,
    "num_tricks_fixed": 9,
}
"""Four players and nine tricks, as in Jass; a card is turned for trump, so the pack needs 40."""

_ITERATIONS = 1000
_PLAYOUTS = 2000


@dataclass(frozen=True, slots=True)
class PeerBenchmark:
    """A benchmark of a competitor, and the name of the comparable engine benchmark."""

    benchmark: Benchmark
    engine_benchmark_name: str


@dataclass(frozen=True, slots=True)
class Peer:
    """A competing engine.

    Attributes:
        name: the name its authors use.
        package: the name of its package; None for Python itself.
        benchmarks: its benchmarks.
    """

    name: str
    package: str | None
    benchmarks: tuple[PeerBenchmark, ...]


def _pyschieber_rounds() -> Work:
    """Plays rounds of Schieber with pyschieber, which uses its own randomness."""
    tournament: Any = import_module("pyschieber.tournament").Tournament
    player: Any = import_module("pyschieber.player.random_player").RandomPlayer

    def play() -> float:
        table = tournament()
        for number in range(4):
            table.register_player(player(name=str(number)))
        table.play(rounds=_BATCH)
        return _BATCH

    return play


def _jass_kit_rounds() -> Work:
    """Plays rounds of Schieber with jass-kit's simulator and its random player."""
    simulation: Any = import_module("jass.game.game_sim").GameSim
    rule: Any = import_module("jass.game.rule_schieber").RuleSchieber
    hands: Any = import_module("jass.game.game_util").deal_random_hand
    agent: Any = import_module("jass.agents.agent_random_schieber").AgentRandomSchieber()

    def play() -> float:
        game = simulation(rule=rule())
        game.init_from_cards(hands=hands(), dealer=0)
        while not game.is_done():
            seen = game.get_observation()
            if seen.trump < 0:
                game.action_trump(agent.action_trump(seen))
            else:
                game.action_play_card(agent.action_play_card(seen))
        return 1

    return play


def _rlcard_bridge_deals() -> Work:
    """Plays deals of bridge with RLCard and its random players, including the auction."""
    environment: Any = import_module("rlcard").make("bridge", config={"seed": 1})
    player: Any = import_module("rlcard.agents.random_agent").RandomAgent
    environment.set_agents([player(environment.num_actions)] * environment.num_players)

    def play() -> float:
        environment.run(is_training=True)
        cards: int = environment.game.round.play_card_count
        return cards / _CARDS

    return play


def _rlcard_bridge_cards() -> Work:
    """Plays the same deals, counted in cards."""
    play = _rlcard_bridge_deals()
    return lambda: _CARDS * play()


def _openspiel_deal(rng: random.Random) -> Any:  # noqa: ANN401 - a state of a package without types
    """Returns a deal of Oh Hell in OpenSpiel, before the bidding."""
    state = import_module("pyspiel").load_game("oh_hell", _OH_HELL_PARAMETERS).new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def _openspiel_first_trick(rng: random.Random) -> Any:  # noqa: ANN401 - a state of a package without types
    """Returns a deal of Oh Hell in OpenSpiel after the bidding, before the first card."""
    state = _openspiel_deal(rng)
    for _ in range(_OH_HELL_PARAMETERS["players"]):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def _openspiel_playouts() -> Work:
    """Plays random bids and cards with OpenSpiel's own C++, from a deal to its end.

    A search of a single iteration only plays its root out at random, as many times as its evaluator
    is configured to. Dealing is excluded, which favours OpenSpiel.
    """
    pyspiel: Any = import_module("pyspiel")
    state = _openspiel_deal(random.Random(1))  # noqa: S311 - measured deals are reproducible
    evaluator = pyspiel.RandomRolloutEvaluator(_PLAYOUTS, 1)
    bot = pyspiel.MCTSBot(state.get_game(), evaluator, 2.0, 1, 10, False, 1, False)

    def play() -> float:
        bot.step(state)
        return _PLAYOUTS

    return play


def _openspiel_search() -> Work:
    """Runs searches of `_ITERATIONS` iterations with OpenSpiel, from the first trick of a deal."""
    pyspiel: Any = import_module("pyspiel")
    state = _openspiel_first_trick(random.Random(1))  # noqa: S311 - measured deals are reproducible
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, _ITERATIONS)

    def search() -> float:
        bot.restart()
        bot.step(state)
        return 1

    return search


def _openspiel_steps() -> Work:
    """Plays cards of Oh Hell with OpenSpiel, one call from Python for each."""
    rng = random.Random(1)  # noqa: S311 - measured deals are reproducible
    begin = _openspiel_first_trick(rng)

    def play() -> float:
        state, cards = begin.clone(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            cards += 1
        return cards

    return play


def _deep_copies() -> Work:
    """Copies a match with the generic deep copy of Python.

    It copies the contents of the match, because `Match` itself defines a faster copy.
    """
    held = vars(mid_match())

    def copy() -> float:
        for _ in range(COPIES):
            deepcopy(held)
        return COPIES

    return copy


_OPENSPIEL_STEPS = Benchmark(
    "openspiel-steps",
    "cards of Oh Hell in C++, each stepped from Python, without the dealing",
    _CARDS_PLAYED,
    _openspiel_steps,
)

PEERS = (
    Peer(
        "Python",
        None,
        (
            PeerBenchmark(
                Benchmark(
                    "deepcopy", "copy.deepcopy of the same match", _MICROSECONDS, _deep_copies
                ),
                "copy",
            ),
        ),
    ),
    Peer(
        "pyschieber",
        "pyschieber",
        (
            PeerBenchmark(
                Benchmark(
                    "pyschieber",
                    "random rounds of Schieber in plain Python",
                    _ROUNDS,
                    _pyschieber_rounds,
                ),
                "match",
            ),
        ),
    ),
    Peer(
        "jass-kit",
        "jass-kit",
        (
            PeerBenchmark(
                Benchmark(
                    "jass-kit", "random rounds of Schieber with NumPy", _ROUNDS, _jass_kit_rounds
                ),
                "match",
            ),
        ),
    ),
    Peer(
        "RLCard",
        "rlcard",
        (
            PeerBenchmark(
                Benchmark(
                    "rlcard",
                    "random deals of bridge in plain Python",
                    _ROUNDS,
                    _rlcard_bridge_deals,
                ),
                "match",
            ),
            PeerBenchmark(
                Benchmark(
                    "rlcard-cards", "the same deals of bridge", _CARDS_PLAYED, _rlcard_bridge_cards
                ),
                "match-cards",
            ),
        ),
    ),
    Peer(
        "OpenSpiel",
        "open-spiel",
        (
            PeerBenchmark(
                Benchmark(
                    "openspiel-playouts",
                    "random rounds of Oh Hell in C++, without the dealing",
                    _ROUNDS,
                    _openspiel_playouts,
                ),
                "playouts",
            ),
            PeerBenchmark(
                Benchmark(
                    "openspiel-search",
                    "IS-MCTS on Oh Hell in C++ from the first trick, 1,000 iterations",
                    _MILLISECONDS,
                    _openspiel_search,
                ),
                "search",
            ),
            PeerBenchmark(_OPENSPIEL_STEPS, "card-round"),
            PeerBenchmark(_OPENSPIEL_STEPS, "match-cards"),
        ),
    ),
)
"""The competitors: Python's own copy, two engines of Jass, two collections of games."""
