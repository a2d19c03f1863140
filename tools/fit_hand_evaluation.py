"""Fits the weights of the hand evaluation: `python -m tools.fit_hand_evaluation`.

Random deals are announced in every contract by forehand and played to their end by the learned net.
A least-squares fit explains the points of the side by the features of forehand's hand in
`games.evaluation.hand_evaluation`, with a row of weights for each kind of contract. The rows are
printed as in that module, with the share of the variance that they explain.
"""

import argparse
import random
import sys

import numpy as np
from numpy.typing import NDArray

from jasstisch.cli.arguments import int_range
from jasstisch.games.contracts import CONTRACTS
from jasstisch.games.evaluation import hand_evaluation
from jasstisch.search import flat_monte_carlo
from jasstisch.search.jit.compiler import allocating_kernel
from jasstisch.search.jit.prng import Stream, new_stream
from jasstisch.search.nets import policy
from jasstisch.search.rounds import contracts, random_playouts, round_state
from jasstisch.search.rounds.round_state import Round
from tools.training_recipes import RECIPES, empty_round, load_weights

Floats = NDArray[np.float64]

RIDGE_PENALTY = 1.0
"""Ridge penalty: the weights are shrunk as by this many further deals without effect."""


@allocating_kernel
def play_deals(
    empty: Round, contract: int, number: int, ways: flat_monte_carlo.RolloutConfig, chance: Stream
) -> tuple[Floats, Floats]:
    """Plays random deals in one contract; returns features of forehand's hands and side points."""
    pack = np.arange(36)
    state = empty.copy()
    seen, taken = np.empty((number, hand_evaluation.FEATURE_COUNT)), np.empty(number)
    for row in range(number):
        round_state.copy_into(empty, state)
        random_playouts.deal_hands(state, pack, chance)
        seen[row] = hand_evaluation.hand_features(state[round_state.HANDS], contract)
        contracts.start_contract(state, contract, 0, 0, 0)
        policy.finish_round(state, ways.nets, ways.scratch, chance)
        taken[row] = contracts.side_points(state, 0, 0)
    return seen, taken


def fit(seen: Floats, taken: Floats) -> tuple[Floats, float]:
    """Returns the fitted weights and the share of the variance that they explain."""
    square = seen.T @ seen + RIDGE_PENALTY * np.eye(hand_evaluation.FEATURE_COUNT)
    weights = np.linalg.solve(square, seen.T @ taken).astype(np.float64)
    return weights, 1 - float(np.var(taken - seen @ weights) / np.var(taken))


def main() -> int:
    """Plays, fits and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int_range(100), default=20_000, help="for each contract")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = new_stream(random.Random(arguments.seed))  # noqa: S311 - a fit is reproducible
    empty = empty_round(RECIPES["contracts"])
    nets = policy.fold_nets([load_weights("contracts-learned")])
    ways = flat_monte_carlo.RolloutConfig(nets, policy.new_scratch(), np.zeros(1))
    played: dict[int, list[tuple[Floats, Floats]]] = {}
    for contract in range(len(CONTRACTS)):
        found = play_deals(empty, contract, arguments.deals, ways, chance)
        played.setdefault(hand_evaluation.contract_kind(contract), []).append(found)
    for kind, parts in sorted(played.items()):
        seen, taken = (np.concatenate(column) for column in zip(*parts, strict=True))
        weights, explained = fit(seen, taken)
        print(f"{hand_evaluation.CONTRACT_KINDS[kind]}: {explained:.1%} of the spread is explained")
        print(f"({', '.join(str(round(float(one), 2)) for one in weights)})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
