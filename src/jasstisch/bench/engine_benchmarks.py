"""Benchmarks of this engine: the rules in plain Python, compiled, and as a search.

Rounds are those of Differenzler for four players unless another game is named: 36 cards, dealt,
with a drawn trump, played at random and scored. A bar is the project's own target on one core.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable

import numpy as np

import jasstisch as jt
from jasstisch.bench.measurement import Benchmark, MetricUnit, Work
from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import JASS
from jasstisch.env import BID, Batch, CardRound, SingleAgentBatch
from jasstisch.search import flat_monte_carlo, round_utility
from jasstisch.search.jit import prng
from jasstisch.search.jit.compiler import kernel
from jasstisch.search.nets import policy
from jasstisch.search.rounds import round_state
from jasstisch.search.rounds.random_playouts import play_random_rounds
from jasstisch.search.sampling import determinization
from jasstisch.search.sampling.exact_sampler import Floats, HiddenCards, Ints, sample_hands

_ROUNDS = MetricUnit("rounds/s")
_CARDS = MetricUnit("cards/s")
_DECISIONS = MetricUnit("decisions/s")
_MICROSECONDS = MetricUnit("µs", units_per_second=1e6)
_MILLISECONDS = MetricUnit("ms", units_per_second=1e3)
_SECONDS = MetricUnit("s", units_per_second=1)

_MATCH_ROUNDS = 16
COPIES = 20
_COMPILED_ROUNDS = 20_000
_WORLDS = 20_000
_ITERATIONS = 1000
_CARDS_HELD = 9
_ENVS = 4096

_SPREAD_HAND = sum(1 << card for card in range(0, 36, 4))
"""The hand that is searched: two or three cards of each suit."""

_COLD_START_SCRIPT = """
import os, sys
sys.modules["scipy"] = sys.modules["coverage"] = None
{work}
os._exit(0)
"""
"""A new process that does some work and exits.

Its finalization is not counted. SciPy and coverage are blocked: Numba loads them where they are
installed, and only competitors and tests need them.
"""

_PLAY_ROUND_SCRIPT = """
from random import Random
import numpy as np
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.rounds.random_playouts import play_random_rounds
from jasstisch.search.rounds.round_state import new_round
play_random_rounds(new_round([0, 1, 2, 3]), np.arange(36), 1, True, new_stream(Random(1)))
"""

_PREPARE_BOTS_SCRIPT = """
from jasstisch.bots.searching.warmup import prepare_game
prepare_game("differenzler")
"""
"""Loads all that `club` and `master` need for a game, and plays a round with them."""


def _child_cpu_time() -> float:
    """Returns the CPU seconds of child processes."""
    used = os.times()
    return used.children_user + used.children_system


def _match_rounds() -> Work:
    """Plays random matches of Differenzler through `Match`."""
    rng = random.Random(1)  # noqa: S311 - measured deals are reproducible
    game = jt.game("differenzler", rounds=_MATCH_ROUNDS)
    pack = list(JASS.texts)

    def play() -> float:
        match = jt.Match(game)
        while not match.over:
            if match.needs_pack:
                rng.shuffle(pack)
                match.deal(pack)
            else:
                seat = match.to_act[0]
                legal = match.legal(seat)
                match.act(seat, legal[int(rng.random() * len(legal))])
        return _MATCH_ROUNDS

    return play


def molotow_in_play() -> tuple[random.Random, jt.Match]:
    """Returns a source of chance, and a match of Molotow before its first card."""
    rng = random.Random(1)  # noqa: S311 - measured deals are reproducible
    match = jt.Match(jt.game("molotow", dealer=0))
    match.deal(rng.sample(match.pack, len(match.pack)))
    return rng, match


def match_cards() -> Work:
    """Plays the cards of a round through `Match`, one call from Python for each."""
    rng, begin = molotow_in_play()

    def play() -> float:
        match, cards = begin.copy(), 0
        while match.to_act:
            (seat,) = match.to_act
            match.act(seat, rng.choice(match.legal(seat)))
            cards += 1
        return cards

    return play


def card_round_cards() -> Work:
    """Plays the cards of the same round through `CardRound`."""
    rng, match = molotow_in_play()
    begin = CardRound(match)

    def play() -> float:
        state, cards = begin.copy(), 0
        while state.legal:
            state.play(rng.choice(state.legal_cards()))
            cards += 1
        return cards

    return play


def mid_match() -> jt.Match:
    """Returns a match of Differenzler in the middle of its third round."""
    rng = random.Random(1)  # noqa: S311 - measured deals are reproducible
    match = jt.Match(jt.game("differenzler", rounds=_MATCH_ROUNDS))
    while len(match.rounds) < 2 or len(match.view(None)["tricks"]) < 5:
        if match.needs_pack:
            match.deal(rng.sample(match.pack, len(match.pack)))
        else:
            seat = match.to_act[0]
            match.act(seat, rng.choice(match.legal(seat)))
    return match


def _match_copies() -> Work:
    """Copies a match in progress."""
    match = mid_match()

    def copy() -> float:
        for _ in range(COPIES):
            match.copy()
        return COPIES

    return copy


def _plain_rounds() -> Work:
    """Plays random rounds with the functions of `tricks` alone."""
    rng = random.Random(1)  # noqa: S311 - measured deals are reproducible
    pack = list(range(36))

    def play() -> float:
        rng.shuffle(pack)
        hands = [sum([1 << card for card in pack[9 * seat : 9 * seat + 9]]) for seat in range(4)]
        _plain_round(hands, rng.randrange(4), rng.random)
        return 1

    return play


def _plain_round(hands: list[int], trump: int, pick: Callable[[], float]) -> list[int]:
    """Plays one random round from these hands; returns the points of each seat."""
    legal_cards, beats, void = tricks.legal_cards, tricks.beats, tricks.IF_VOID
    taken = [0, 0, 0, 0]
    winner = 0
    for _ in range(9):
        seat = winner
        led = best = top = -1
        cards = 0
        for _ in range(4):
            choice = legal_cards(hands[seat], led, trump, top, void)
            for _ in range(int(pick() * choice.bit_count())):
                choice &= choice - 1
            bit = choice & -choice
            card = bit.bit_length() - 1
            hands[seat] ^= bit
            cards |= bit
            if led < 0:
                led, best = card // 9, card
            elif beats(card, best, trump):
                best, winner = card, seat
                if card // 9 == trump:
                    top = card
            seat = (seat + 1) & 3
        taken[winner] |= cards
    scores = [tricks.points(cards, trump) for cards in taken]
    scores[winner] += tricks.LAST_TRICK
    return scores


def _differenzler_rules() -> round_state.Round:
    """Returns an empty round of Differenzler for four players."""
    state = round_state.new_round([0, 1, 2, 3])
    state[round_state.UNDERTRUMP] = tricks.IF_VOID
    return state


def _molotov_rules() -> round_state.Round:
    """Returns an empty round of Molotov for four players."""
    state = round_state.new_round([0, 1, 2, 3])
    state[round_state.UNDERTRUMP] = tricks.FREE
    state[round_state.BOMBS] = melds.BOMBS_FIFTY
    state[round_state.EIGHTS_COUNT] = 1
    return state


def _one_round(rng: random.Random) -> list[int]:
    """Plays one compiled random round of Differenzler; returns the points of each seat."""
    pack = np.arange(36)
    points = play_random_rounds(_differenzler_rules(), pack, 1, True, prng.new_stream(rng))
    return [int(own) for own in points[:4]]


def _compiled_rounds(rules: Callable[[], round_state.Round], *, trumps: bool) -> Callable[[], Work]:
    """Plays compiled random rounds by these rules."""

    def begin() -> Work:
        state, pack = rules(), np.arange(36)
        stream = prng.new_stream(random.Random(1))  # noqa: S311 - measured deals are reproducible

        def play() -> float:
            play_random_rounds(state, pack, _COMPILED_ROUNDS, trumps, stream)
            return _COMPILED_ROUNDS

        return play

    return begin


def _sampled_deals() -> Work:
    """Samples hidden hands for a seat before the first card: 27 unseen cards, 9 each."""
    unseen = HiddenCards(tricks.WHOLE_PACK & ~_SPREAD_HAND, (9, 9, 9), [tricks.WHOLE_PACK] * 3)
    stream = prng.new_stream(random.Random(1))  # noqa: S311 - measured deals are reproducible
    hands = np.zeros(3, dtype=np.int64)

    def deal() -> float:
        _sample_deals(
            unseen.cards,
            unseen.weights,
            unseen.sizes,
            unseen.completion_weights,
            hands,
            stream,
            _WORLDS,
        )
        return _WORLDS

    return deal


@kernel
def _sample_deals(
    cards: Ints,
    weights: Floats,
    sizes: Ints,
    table: Floats,
    hands: Ints,
    stream: prng.Stream,
    count: int,
) -> None:
    """Deals the unseen cards out this many times."""
    for _ in range(count):
        sample_hands(cards, weights, sizes, table, hands, stream)


def _searches(nets: Callable[[], policy.Nets]) -> Callable[[], Work]:
    """Runs searches of `_ITERATIONS` iterations or more from the first card of Differenzler.

    Each of the nine cards is tried in as many sampled deals, always from the beginning: no state is
    kept between searches.

    Args:
        nets: the nets that play the rounds to their end; without any they are played at random.
    """

    def begin() -> Work:
        opening = _differenzler_rules()
        round_state.set_ranking(opening, 1)
        opening[round_state.HANDS] = _SPREAD_HAND
        for seat in range(4):
            opening[round_state.TARGET + seat] = 39
        ways = flat_monte_carlo.RolloutConfig(
            nets(), policy.new_scratch(), np.zeros(round_utility.PARAM_COUNT)
        )
        stream = prng.new_stream(random.Random(1))  # noqa: S311 - measured deals are reproducible
        no_plays = np.zeros(0, dtype=np.int64)
        made = np.empty((-(-_ITERATIONS // _CARDS_HELD), round_state.SIZE), dtype=np.int64)

        def search() -> float:
            unseen = HiddenCards(
                tricks.WHOLE_PACK & ~_SPREAD_HAND, (9, 9, 9), [tricks.WHOLE_PACK] * 3
            )
            hidden = determinization.HiddenSpec(
                unseen.cards,
                unseen.weights,
                unseen.sizes,
                unseen.completion_weights,
                np.array([1, 2, 3]),
            )
            determinization.sample_deals(opening, hidden, no_plays, made, stream)
            flat_monte_carlo.evaluate_cards(
                made, _SPREAD_HAND, ways, stream, flat_monte_carlo.new_sums()
            )
            return 1

        return search

    return begin


def _random_rollout() -> policy.Nets:
    """Returns no net: rounds are played to their end at random."""
    return policy.fold_nets([])


def _batch_cards() -> Work:
    """Steps random rounds of Molotov in a batch from Python, with observations and rewards."""
    batch = Batch(jt.game("molotov"), _ENVS, seed=1, redeal=True)

    def play() -> float:
        for _ in JASS.texts:
            batch.step(batch.random_legal())
        return _ENVS * len(JASS.texts)

    return play


def _decisions_against(opponents: str) -> Callable[[], Work]:
    """Plays rounds of Differenzler in which one seat of a batch decides and the others are bots."""

    def begin() -> Work:
        batch = Batch(jt.game("differenzler"), _ENVS, seed=1, redeal=True)
        learner = SingleAgentBatch(batch, opponents)
        bids = np.full(_ENVS, BID + tricks.ALL_POINTS // 4)

        def play() -> float:
            learner.step(bids)
            for _ in range(_CARDS_HELD):
                learner.step(learner.action_masks().argmax(axis=1))
            return _ENVS * (1 + _CARDS_HELD)

        return play

    return begin


def _cold_start(work: str) -> Callable[[], Work]:
    """Starts new processes that do this, with a filled cache of compiled code.

    They start on one core: the linear algebra of NumPy, which is not used here, would otherwise run
    a busy-waiting thread on each other core.
    """

    def begin() -> Work:
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}

        def start() -> float:
            # The running Python, with a fixed script.
            command = [sys.executable, "-c", _COLD_START_SCRIPT.format(work=work)]
            subprocess.run(command, check=True, env=environment)  # noqa: S603
            return 1

        return start

    return begin


ENGINE_BENCHMARKS = (
    Benchmark("match", "Match: packs, bids, plays, scoring, log", _ROUNDS, _match_rounds),
    Benchmark(
        "copy",
        "Match.copy, in the middle of the third round of Differenzler",
        _MICROSECONDS,
        _match_copies,
    ),
    Benchmark("bare", "the bare rules of a round, in plain Python", _ROUNDS, _plain_rounds),
    Benchmark(
        "match-cards",
        "Match: cards of Molotow, each stepped from Python as a text",
        _CARDS,
        match_cards,
    ),
    Benchmark(
        "card-round",
        "CardRound: the same cards, each stepped from Python as a number, compiled",
        _CARDS,
        card_round_cards,
        target=1_000_000,
    ),
    Benchmark(
        "playouts",
        "the same rules compiled: random rounds of Differenzler",
        _ROUNDS,
        _compiled_rounds(_differenzler_rules, trumps=True),
        target=1_000_000,
        published_results="best C++ engine of Jass 289,000; OpenSpiel's C++ Oh Hell 154,000",
    ),
    Benchmark(
        "playouts-molotov",
        "compiled random rounds of Molotov, bombs counted",
        _ROUNDS,
        _compiled_rounds(_molotov_rules, trumps=False),
    ),
    Benchmark(
        "world",
        "a sampled world: 27 unseen cards dealt out",
        _MICROSECONDS,
        _sampled_deals,
        target=2,
    ),
    Benchmark(
        "search",
        "search from the first trick: 9 cards in 112 imagined deals, finished by chance",
        _MILLISECONDS,
        _searches(_random_rollout),
        target=5,
        published_results="OpenSpiel's IS-MCTS 18 – 22",
    ),
    Benchmark(
        "search-learned",
        "the same as `master` searches: finished by the learned policy",
        _MILLISECONDS,
        _searches(lambda: policy.playout_nets("differenzler")),
    ),
    Benchmark(
        "batch",
        "batch environment: random legal cards of Molotov stepped from Python",
        _CARDS,
        _batch_cards,
        target=2_000_000,
    ),
    Benchmark(
        "batch-random",
        "decisions of one seat in a batch of Differenzler, the others playing by chance",
        _DECISIONS,
        _decisions_against("random"),
    ),
    Benchmark(
        "batch-greedy",
        "the same, the others played by `greedy`",
        _DECISIONS,
        _decisions_against("greedy"),
    ),
    Benchmark(
        "batch-learned",
        "the same, the others played by the trained net",
        _DECISIONS,
        _decisions_against("learned"),
    ),
    Benchmark(
        "start",
        "cold start: a new process plays a compiled round, from the cache",
        _SECONDS,
        _cold_start(_PLAY_ROUND_SCRIPT),
        target=1,
        clock=_child_cpu_time,
    ),
    Benchmark(
        "start-players",
        "the same until `club` and `master` are ready for Differenzler",
        _SECONDS,
        _cold_start(_PREPARE_BOTS_SCRIPT),
        clock=_child_cpu_time,
    ),
)
"""The benchmarks of this engine, slowest first within a kind."""
