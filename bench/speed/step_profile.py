"""Profiles one card stepped from Python: what each layer costs, down to an empty call.

The cards of a round of Molotow are played by chance, by `Match`, by its bare rules, and by
`env.CardRound`. An empty method and an empty compiled function show what no implementation behind
one call for each card can fall below. Example:

    python -m bench.speed.step_profile --write
"""

import sys
from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

import jasstisch as jt
from bench.figures_page import Section, figures_parser, print_section
from jasstisch.bench.engine_benchmarks import card_round_cards, match_cards
from jasstisch.bench.measurement import REPEATS, Benchmark, MetricUnit, Work, measure_repeatedly
from jasstisch.engine.cards import cards_in_set
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.search.jit.compiler import kernel

NS = MetricUnit("ns", 1e9)

CALLS = 200
"""Calls between two readings of the clock, where a state does not change."""


class _Empty:
    def play(self, card: int) -> int:
        return card


@kernel
def _empty_kernel(_state: NDArray[np.int64], card: int) -> int:
    return card


def _calls(call: Callable[[], object]) -> Work:
    def work() -> float:
        for _ in range(CALLS):
            call()
        return CALLS

    return work


def _empty_method() -> Work:
    empty = _Empty()
    return _calls(lambda: empty.play(3))


def _empty_function() -> Work:
    state = np.zeros(64, dtype=np.int64)
    return _calls(lambda: _empty_kernel(state, 3))


def _choice() -> Work:
    rng, cards = Random(1), tuple(range(5))
    return _calls(lambda: rng.choice(cards))


def _rules() -> Work:
    """The rules of the same match, without its log, its texts and its checks."""
    rng, game = Random(1), jt.game("molotow", dealer=0)
    rules = game.rules(game)
    assert isinstance(rules, TrickTaking)
    match = jt.Match.from_rules(rules, [])
    match.deal(Random(1).sample(match.pack, len(match.pack)))

    def play() -> float:
        state, cards = rules.copy(), 0
        while state.playable:
            state.play(rng.choice(tuple(cards_in_set(state.playable))))
            cards += 1
        return cards

    return play


ROWS = (
    ("an empty method of a Python object, called", _empty_method),
    ("an empty compiled function, called with an array and a number", _empty_function),
    ("`random.Random.choice` among five cards, part of the rows below", _choice),
    ("a card of `env.CardRound`: chosen and played", card_round_cards),
    ("a card of the bare rules in plain Python: chosen and played", _rules),
    ("a card of `Match`: `to_act`, `legal`, chosen, `act`", match_cards),
)


def main() -> int:
    """Measures, prints the table, and saves it if requested."""
    parser = figures_parser("bench.speed.step_profile", __doc__)
    arguments = parser.parse_args()
    rows = []
    for title, setup in ROWS:
        found = measure_repeatedly(Benchmark("step", title, NS, setup), 3.0)
        low, high = found.spread
        per_second = f"{1e9 / found.median:,.0f}"
        rows.append(
            [title, NS.format(found.median), f"{NS.format(low)} – {NS.format(high)}", per_second]
        )
        print(f"· {title}: {NS.format(found.median)} ns", file=sys.stderr, flush=True)
    section = Section(
        "python -m bench.speed.step_profile",
        ["one step", "ns", "spread", "a second"],
        rows,
        [f"Median and range of {REPEATS} repeats."],
    )
    print_section("steps", section, keep=arguments.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
