"""Solves small games with hidden cards: equilibria by regret minimization, and best responses.

The games are those of `jasstisch.equilibria.game_tree`. If seats bid, a strategy has a column for
each bid.

`solve` is counterfactual regret minimization (CFR+: alternating updates, regrets never fall below
zero, later rounds weigh more in the average). In two-player zero-sum games it converges to an
equilibrium. In other games there is no guarantee; `best_response_gains` says how close it came:
what each seat would gain by its best strategy while the others keep theirs, exactly.
"""

from typing import NamedTuple

import numpy as np

from jasstisch.equilibria.game_tree import TERMINAL, Floats, GameTree, Ints
from jasstisch.search.jit.compiler import kernel

MAX_CANDIDATE_BIDS = 12
"""The number of bids considered for each hand."""

TRIAL_ROUNDS = 40
"""Rounds of regret minimization with all bids that select them."""


class Profile(NamedTuple):
    """A strategy profile: how all seats play.

    Attributes:
        bids: the bids that each seat may choose with each hand; one if there is no bidding.
        bidding: the probability of each of them.
        cards: the probability of each action of an information set, by bid.
    """

    bids: Ints
    bidding: Floats
    cards: Floats

    def with_seat(self, tree: GameTree, seat: int, other: "Profile") -> "Profile":
        """Returns the profile with one seat of another profile."""
        columns = max(self.bids.shape[2], other.bids.shape[2])
        made, theirs = self.widened(columns), other.widened(columns)
        made.bids[seat], made.bidding[seat] = theirs.bids[seat], theirs.bidding[seat]
        its_own = np.repeat(tree.owner == seat, np.diff(tree.first))
        made.cards[its_own] = theirs.cards[its_own]
        return made

    def widened(self, columns: int) -> "Profile":
        """Returns a copy with this many bids for each seat; added bids have probability zero."""
        more = columns - self.bids.shape[2]
        return Profile(
            np.pad(self.bids, ((0, 0), (0, 0), (0, more)), mode="edge"),
            np.pad(self.bidding, ((0, 0), (0, 0), (0, more))),
            np.pad(self.cards, ((0, 0), (0, more)), mode="edge"),
        )


def attainable_bids(tree: GameTree) -> Ints:
    """Returns the scores that each seat can reach, a row for each; no other bid is useful.

    The mean difference is smallest at a median of the scores, which is attainable.
    """
    seats = tree.scores.shape[1]
    if not tree.by_bid:
        return np.zeros((seats, 1), np.int64)
    ends = tree.scores[tree.seat == TERMINAL].astype(np.int64)
    reached = [np.unique(ends[:, seat]) for seat in range(seats)]
    most = max(map(len, reached))
    return np.array([np.pad(row, (0, most - len(row)), mode="edge") for row in reached])


def all_bids(tree: GameTree) -> Ints:
    """Returns all attainable bids of each seat, for each hand."""
    return np.repeat(attainable_bids(tree)[:, np.newaxis], int(tree.hands.max()) + 1, axis=1)


def uniform_profile(tree: GameTree, bids: Ints) -> Profile:
    """Returns the profile that chooses these bids and all actions uniformly."""
    counts, numbers = np.diff(tree.first), bids.shape[2]
    cards = np.repeat(1 / counts, counts)[:, np.newaxis].repeat(numbers, axis=1)
    bidding = np.full(bids.shape, 1 / numbers)
    return Profile(bids, bidding, np.ascontiguousarray(cards))


class Scratch(NamedTuple):
    """Scratch memory for a deal.

    Attributes:
        reach: the reach probability of each node for each seat and bid.
        values: the value of each node for one seat with each bid.
    """

    reach: Floats
    values: Floats


# The following functions are compiled. All bids of a seat are processed at once.


@kernel
def bid_utility(score: float, bid: int, by_bid: bool) -> float:
    """Returns the utility of a score."""
    return -abs(bid - score) if by_bid else score


@kernel
def compute_reach(tree: GameTree, deal: int, profile: Profile, reach: Floats) -> None:
    """Computes the reach probability of each seat for each node of a deal.

    Args:
        tree: the game.
        deal: the deal.
        profile: the strategy profile.
        reach: the result, by node of the deal, seat and bid.
    """
    root = tree.roots[deal]
    seats, _, bids = profile.bids.shape
    for seat in range(seats):
        for bid in range(bids):
            reach[0, seat, bid] = profile.bidding[seat, tree.hands[deal, seat], bid]
    for node in range(root, tree.roots[deal + 1]):
        mover = tree.seat[node]
        for edge in range(tree.below[node], tree.below[node + 1]):
            child = tree.edges[edge] - root
            action = tree.first[tree.info[node]] + edge - tree.below[node]
            for seat in range(seats):
                for bid in range(bids):
                    reach[child, seat, bid] = reach[node - root, seat, bid]
            for bid in range(bids):
                reach[child, mover, bid] *= profile.cards[action, bid]


@kernel
def counterfactual_reach(reach: Floats, node: int, seat: int) -> float:
    """Returns the reach probability of the other seats for a node."""
    likely = 1.0
    for other in range(reach.shape[1]):
        if other != seat:
            total = 0.0
            for bid in range(reach.shape[2]):
                total += reach[node, other, bid]
            likely *= total
    return likely


@kernel
def compute_values(tree: GameTree, deal: int, profile: Profile, seat: int, paper: Scratch) -> None:
    """Computes the value of each node of a deal for a seat with each bid.

    Args:
        tree: the game.
        deal: the deal.
        profile: the strategy profile.
        seat: the seat.
        paper: the result of `compute_reach`; the values are written there, weighted by the
            probability of the deal and the reach of the others.
    """
    root, worth = tree.roots[deal], paper.values
    own_bids = profile.bids[seat, tree.hands[deal, seat]]
    bids = len(own_bids)
    for node in range(tree.roots[deal + 1] - 1, root - 1, -1):
        mover, here = tree.seat[node], node - root
        if mover < 0:
            likely = tree.weights[deal] * counterfactual_reach(paper.reach, here, seat)
            for bid in range(bids):
                worth[here, bid] = likely * bid_utility(
                    tree.scores[node, seat], own_bids[bid], tree.by_bid
                )
            continue
        for bid in range(bids):
            worth[here, bid] = 0.0
        for edge in range(tree.below[node], tree.below[node + 1]):
            child = tree.edges[edge] - root
            action = tree.first[tree.info[node]] + edge - tree.below[node]
            for bid in range(bids):
                share = profile.cards[action, bid] if seat == mover else 1.0
                worth[here, bid] += share * worth[child, bid]


@kernel
def add_regrets(
    tree: GameTree, deal: int, profile: Profile, seat: int, paper: Scratch, regrets: Profile
) -> None:
    """Adds the regrets of all bids and actions of a seat."""
    root, worth = tree.roots[deal], paper.values
    bids = profile.bids.shape[2]
    hand = tree.hands[deal, seat]
    mean = 0.0
    for bid in range(bids):
        mean += profile.bidding[seat, hand, bid] * worth[0, bid]
    for bid in range(bids):
        regrets.bidding[seat, hand, bid] += worth[0, bid] - mean
    for node in range(root, tree.roots[deal + 1]):
        if tree.seat[node] != seat:
            continue
        for edge in range(tree.below[node], tree.below[node + 1]):
            child = tree.edges[edge] - root
            action = tree.first[tree.info[node]] + edge - tree.below[node]
            for bid in range(bids):
                regrets.cards[action, bid] += worth[child, bid] - worth[node - root, bid]


class AverageStrategy(NamedTuple):
    """The accumulated average strategy; later rounds weigh more."""

    sums: Profile
    weight: float


@kernel
def add_to_average(
    tree: GameTree, deal: int, profile: Profile, seat: int, paper: Scratch, weighed: AverageStrategy
) -> None:
    """Adds the weighted probabilities of the bids and actions of a seat."""
    root, sums, weight = tree.roots[deal], weighed.sums, weighed.weight
    bids = profile.bids.shape[2]
    hand = tree.hands[deal, seat]
    for bid in range(bids):
        sums.bidding[seat, hand, bid] += weight * profile.bidding[seat, hand, bid]
    for node in range(root, tree.roots[deal + 1]):
        if tree.seat[node] != seat:
            continue
        for edge in range(tree.below[node], tree.below[node + 1]):
            action = tree.first[tree.info[node]] + edge - tree.below[node]
            for bid in range(bids):
                share = paper.reach[node - root, seat, bid] * profile.cards[action, bid]
                sums.cards[action, bid] += weight * share


@kernel
def regret_matching(tree: GameTree, amounts: Profile, seat: int, profile: Profile) -> None:
    """Sets the strategy of a seat proportional to its regrets, uniform if all are zero.

    Negative regrets are raised to zero.
    """
    bids = profile.bids.shape[2]
    for hand in range(profile.bidding.shape[1]):
        total = 0.0
        for bid in range(bids):
            amounts.bidding[seat, hand, bid] = max(0.0, amounts.bidding[seat, hand, bid])
            total += amounts.bidding[seat, hand, bid]
        for bid in range(bids):
            share = amounts.bidding[seat, hand, bid] / total if total > 0 else 1 / bids
            profile.bidding[seat, hand, bid] = share
    for info in range(len(tree.owner)):
        if tree.owner[info] != seat:
            continue
        low, high = tree.first[info], tree.first[info + 1]
        for bid in range(bids):
            total = 0.0
            for action in range(low, high):
                amounts.cards[action, bid] = max(0.0, amounts.cards[action, bid])
                total += amounts.cards[action, bid]
            for action in range(low, high):
                share = amounts.cards[action, bid] / total if total > 0 else 1 / (high - low)
                profile.cards[action, bid] = share


@kernel
def run_cfr(
    tree: GameTree, profile: Profile, regrets: Profile, sums: Profile, paper: Scratch, rounds: int
) -> None:
    """Traverses all deals for each seat in each round and updates its strategy.

    Args:
        tree: the game.
        profile: the strategy profile; updated.
        regrets: all zero; updated.
        sums: all zero; afterwards the average strategy, later rounds weighing more.
        paper: scratch memory.
        rounds: the number of rounds.
    """
    for number in range(1, rounds + 1):
        for seat in range(len(profile.bids)):
            for deal in range(len(tree.weights)):
                compute_reach(tree, deal, profile, paper.reach)
                compute_values(tree, deal, profile, seat, paper)
                add_regrets(tree, deal, profile, seat, paper, regrets)
                add_to_average(
                    tree, deal, profile, seat, paper, AverageStrategy(sums, 1.0 * number * number)
                )
            regret_matching(tree, regrets, seat, profile)


@kernel
def add_values(tree: GameTree, profile: Profile, paper: Scratch, found: Floats) -> None:
    """Adds the expected value of each seat."""
    for deal in range(len(tree.weights)):
        compute_reach(tree, deal, profile, paper.reach)
        for seat in range(len(found)):
            compute_values(tree, deal, profile, seat, paper)
            for bid in range(profile.bids.shape[2]):
                share = profile.bidding[seat, tree.hands[deal, seat], bid]
                found[seat] += share * paper.values[0, bid]


@kernel
def weigh_terminals(
    tree: GameTree, profile: Profile, seat: int, paper: Scratch, weights: Floats
) -> None:
    """Computes the probability that chance and the others lead to each terminal node."""
    for deal in range(len(tree.weights)):
        compute_reach(tree, deal, profile, paper.reach)
        for node in range(tree.roots[deal], tree.roots[deal + 1]):
            if tree.seat[node] < 0:
                likely = counterfactual_reach(paper.reach, node - tree.roots[deal], seat)
                weights[node] = tree.weights[deal] * likely


class BestResponseScratch(NamedTuple):
    """Scratch memory for a best response.

    Attributes:
        weights: the result of `weigh_terminals`.
        values: the value of each node for the seat, weighted.
        sums: the total value of each action of an information set; zero at first.
    """

    weights: Floats
    values: Floats
    sums: Floats


@kernel
def best_response_values(
    tree: GameTree, seat: int, bid: int, answer: BestResponseScratch, found: Floats
) -> None:
    """Computes the maximum expected value of a seat for each hand and one bid.

    Args:
        tree: the game.
        seat: the seat.
        bid: its bid.
        answer: the weights, and scratch memory.
        found: the expected value of each hand is added here, weighted by its probability.
    """
    worth = answer.values
    for step in range(len(tree.steps) - 1):
        nodes = tree.order[tree.steps[step] : tree.steps[step + 1]]
        for node in nodes:
            worth[node] = 0.0
            if tree.seat[node] < 0:
                score = tree.scores[node, seat]
                worth[node] = answer.weights[node] * bid_utility(score, bid, tree.by_bid)
            for edge in range(tree.below[node], tree.below[node + 1]):
                worth[node] += worth[tree.edges[edge]]
                if tree.seat[node] == seat:
                    action = tree.first[tree.info[node]] + edge - tree.below[node]
                    answer.sums[action] += worth[tree.edges[edge]]
        for node in nodes:
            if tree.seat[node] == seat:
                chosen = best_action(tree, tree.info[node], answer.sums)
                worth[node] = worth[tree.edges[tree.below[node] + chosen]]
    for deal in range(len(tree.weights)):
        found[tree.hands[deal, seat]] += worth[tree.roots[deal]]


@kernel
def best_action(tree: GameTree, info: int, sums: Floats) -> int:
    """Returns the action of an information set with the highest value."""
    low = best = tree.first[info]
    for action in range(low, tree.first[info + 1]):
        if sums[action] > sums[best]:
            best = action
    return int(best - low)


# Public functions.


def new_scratch(tree: GameTree, profile: Profile) -> Scratch:
    """Returns scratch memory that is large enough for each deal."""
    nodes = int(np.diff(tree.roots).max())
    seats, _, bids = profile.bids.shape
    return Scratch(np.zeros((nodes, seats, bids)), np.zeros((nodes, bids)))


def zero_profile(profile: Profile) -> Profile:
    """Returns a profile of zeros."""
    return Profile(profile.bids, np.zeros_like(profile.bidding), np.zeros_like(profile.cards))


def solve(tree: GameTree, rounds: int) -> Profile:
    """Returns the average strategy profile over this many rounds of regret minimization.

    If there is bidding, a shorter trial with all bids selects the ones to consider.
    """
    bids = all_bids(tree)
    if bids.shape[2] > MAX_CANDIDATE_BIDS:
        trial = solve_with_bids(tree, bids, TRIAL_ROUNDS)
        likely = np.sort(np.argsort(-trial.bidding, axis=2)[:, :, :MAX_CANDIDATE_BIDS], axis=2)
        bids = np.take_along_axis(bids, likely, axis=2)
    return solve_with_bids(tree, bids, rounds)


def solve_with_bids(tree: GameTree, bids: Ints, rounds: int) -> Profile:
    """Does the same with these bids only."""
    profile, mean = uniform_profile(tree, bids), uniform_profile(tree, bids)
    regrets, sums = zero_profile(profile), zero_profile(profile)
    run_cfr(tree, profile, regrets, sums, new_scratch(tree, profile), rounds)
    for seat in range(len(bids)):
        regret_matching(tree, sums, seat, mean)
    return mean


def expected_values(tree: GameTree, profile: Profile) -> Floats:
    """Returns the expected value of each seat."""
    found = np.zeros(len(profile.bids))
    add_values(tree, profile, new_scratch(tree, profile), found)
    return found


def best_response_value(
    tree: GameTree, profile: Profile, seat: int, *, own_bids: bool = False
) -> float:
    """Returns the maximum expected value of a seat against the others.

    Args:
        tree: the game.
        profile: the strategy profile.
        seat: the seat.
        own_bids: whether it keeps its bids, and only its actions may change.
    """
    weights, worth = np.zeros(len(tree.seat)), np.zeros(len(tree.seat))
    weigh_terminals(tree, profile, seat, new_scratch(tree, profile), weights)
    bids = profile.bids[seat] if own_bids else all_bids(tree)[seat]
    found: dict[int, Floats] = {}
    for bid in np.unique(bids):
        found[bid] = np.zeros(len(bids))
        answer = BestResponseScratch(weights, worth, np.zeros(tree.first[-1]))
        best_response_values(tree, seat, bid, answer, found[bid])
    reached = np.array([[found[bid][hand] for bid in row] for hand, row in enumerate(bids)])
    chosen = profile.bidding[seat] * reached if own_bids else reached.max(axis=1)
    return float(chosen.sum())


def best_response_gains(tree: GameTree, profile: Profile, *, own_bids: bool = False) -> Floats:
    """Returns what each seat would gain by its best response while the others keep their strategy.

    Args:
        tree: the game.
        profile: the strategy profile.
        own_bids: whether each seat keeps its bids, and only its actions may change.
    """
    seats = range(len(profile.bids))
    most = [best_response_value(tree, profile, seat, own_bids=own_bids) for seat in seats]
    return np.array(most) - expected_values(tree, profile)
