"""Small games with hidden cards solved: an equilibrium by regret, and what a best response takes.

The games are those of `bench.equilibria.game_tree`. Where seats bid, a strategy has a column for
each bid.

`solve` is counterfactual regret minimisation (CFR+: the seats in turn, regrets never fall below
nothing, later rounds weigh more in the mean). With two players, one winning what the other loses,
it finds an equilibrium; in other games nothing promises that, and `gains` says how near it came:
what each seat would win by the best of all its strategies while the others keep theirs, exactly.
"""

from typing import NamedTuple

import numpy as np

from bench.equilibria.game_tree import TERMINAL, Floats, GameTree, Ints
from jasstisch.search.jit.compiler import kernel

__all__ = [
    "Profile",
    "all_bids",
    "attainable_bids",
    "best_response_gains",
    "best_response_value",
    "expected_values",
    "solve",
    "uniform_profile",
]

MAX_CANDIDATE_BIDS = 12
"""How many bids with a hand come into question."""

TRIAL_ROUNDS = 40
"""How many rounds of regret with all bids find out which."""


class Profile(NamedTuple):
    """How all seats play.

    Attributes:
        bids: the secret numbers that each seat may choose with each hand; one if there are none.
        bidding: how likely it chooses each of them.
        cards: how likely each action of an information set is, by the number chosen.
    """

    bids: Ints
    bidding: Floats
    cards: Floats

    def with_seat(self, tree: GameTree, seat: int, other: "Profile") -> "Profile":
        """The same, but one seat plays as it does in another profile."""
        columns = max(self.bids.shape[2], other.bids.shape[2])
        made, theirs = self.widened(columns), other.widened(columns)
        made.bids[seat], made.bidding[seat] = theirs.bids[seat], theirs.bidding[seat]
        its_own = np.repeat(tree.owner == seat, np.diff(tree.first))
        made.cards[its_own] = theirs.cards[its_own]
        return made

    def widened(self, columns: int) -> "Profile":
        """A copy with so many numbers for each seat, those added never chosen."""
        more = columns - self.bids.shape[2]
        return Profile(
            np.pad(self.bids, ((0, 0), (0, 0), (0, more)), mode="edge"),
            np.pad(self.bidding, ((0, 0), (0, 0), (0, more))),
            np.pad(self.cards, ((0, 0), (0, more)), mode="edge"),
        )


def attainable_bids(tree: GameTree) -> Ints:
    """The numbers that each seat may reach, a row for each; nothing else need be bid.

    What is missed on average is least at a median of what one reaches, which one can reach.
    """
    seats = tree.scores.shape[1]
    if not tree.by_bid:
        return np.zeros((seats, 1), np.int64)
    ends = tree.scores[tree.seat == TERMINAL].astype(np.int64)
    reached = [np.unique(ends[:, seat]) for seat in range(seats)]
    most = max(map(len, reached))
    return np.array([np.pad(row, (0, most - len(row)), mode="edge") for row in reached])


def all_bids(tree: GameTree) -> Ints:
    """All that each seat may reach, with each hand."""
    return np.repeat(attainable_bids(tree)[:, np.newaxis], int(tree.hands.max()) + 1, axis=1)


def uniform_profile(tree: GameTree, bids: Ints) -> Profile:
    """All of these bids and all actions equally likely."""
    counts, numbers = np.diff(tree.first), bids.shape[2]
    cards = np.repeat(1 / counts, counts)[:, np.newaxis].repeat(numbers, axis=1)
    bidding = np.full(bids.shape, 1 / numbers)
    return Profile(bids, bidding, np.ascontiguousarray(cards))


class Scratch(NamedTuple):
    """Scratch paper for a deal.

    Attributes:
        reach: how likely each seat with each bid plays to each node.
        worth: what each node is worth to one seat with each bid.
    """

    reach: Floats
    values: Floats


# What follows is compiled. A seat that has bid is followed with all its bids at once.


@kernel
def bid_utility(score: float, bid: int, by_bid: bool) -> float:
    """What a score is worth."""
    return -abs(bid - score) if by_bid else score


@kernel
def compute_reach(tree: GameTree, deal: int, profile: Profile, reach: Floats) -> None:
    """Finds how likely each seat plays to each node of a deal, if all others let it.

    Args:
        tree: the game.
        deal: the deal.
        profile: how all play.
        reach: the answer, by node of the deal, seat and bid.
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
    """How likely the others play to a node."""
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
    """Finds what each node of a deal is worth to a seat with each bid.

    Args:
        tree: the game.
        deal: the deal.
        profile: how all play.
        seat: the seat.
        paper: what `look_down` found; on it the answer is written, weighted by how likely the deal
            and the others lead to the node.
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
    """Adds by how much each bid and action of a seat would have been better than what it does."""
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
    """What was done, later rounds weighing more."""

    sums: Profile
    weight: float


@kernel
def add_to_average(
    tree: GameTree, deal: int, profile: Profile, seat: int, paper: Scratch, weighed: AverageStrategy
) -> None:
    """Adds how likely each bid and each action of a seat is done, weighted."""
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
    """Has a seat do everything in proportion to its amount, all alike where there is none.

    Amounts below nothing are raised to nothing.
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
    """Goes through all deals so often for each seat, which then plays by its regrets so far.

    Args:
        tree: the game.
        profile: how all play; changed.
        regrets: empty.
        sums: empty; afterwards what was done, later rounds weighing more.
        paper: scratch paper.
        rounds: how often.
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
    """Adds what each seat may expect."""
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
    """Finds how likely chance and the others let a seat come to each end."""
    for deal in range(len(tree.weights)):
        compute_reach(tree, deal, profile, paper.reach)
        for node in range(tree.roots[deal], tree.roots[deal + 1]):
            if tree.seat[node] < 0:
                likely = counterfactual_reach(paper.reach, node - tree.roots[deal], seat)
                weights[node] = tree.weights[deal] * likely


class BestResponseScratch(NamedTuple):
    """How a best response is found.

    Attributes:
        weights: those of `weigh_ends`.
        worth: what each node is worth to the seat, weighted.
        sums: what each of its actions is worth over all nodes of an information set; empty.
    """

    weights: Floats
    values: Floats
    sums: Floats


@kernel
def best_response_values(
    tree: GameTree, seat: int, bid: int, answer: BestResponseScratch, found: Floats
) -> None:
    """Finds the most a seat may expect with each hand when it has bid this.

    Args:
        tree: the game.
        seat: the seat.
        bid: its bid.
        answer: the weights, and scratch paper.
        found: to it is added what each hand may expect, weighted by how likely it is.
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
    """Which action of an information set is worth most."""
    low = best = tree.first[info]
    for action in range(low, tree.first[info + 1]):
        if sums[action] > sums[best]:
            best = action
    return int(best - low)


# What others call.


def new_scratch(tree: GameTree, profile: Profile) -> Scratch:
    """Scratch paper that is large enough for each deal."""
    nodes = int(np.diff(tree.roots).max())
    seats, _, bids = profile.bids.shape
    return Scratch(np.zeros((nodes, seats, bids)), np.zeros((nodes, bids)))


def zero_profile(profile: Profile) -> Profile:
    """Amounts of nothing for all that may be done."""
    return Profile(profile.bids, np.zeros_like(profile.bidding), np.zeros_like(profile.cards))


def solve(tree: GameTree, rounds: int) -> Profile:
    """How all play in the mean over so many rounds of regret.

    Where there are bids, a shorter trial with all of them finds those that come into question.
    """
    bids = all_bids(tree)
    if bids.shape[2] > MAX_CANDIDATE_BIDS:
        trial = solve_with_bids(tree, bids, TRIAL_ROUNDS)
        likely = np.sort(np.argsort(-trial.bidding, axis=2)[:, :, :MAX_CANDIDATE_BIDS], axis=2)
        bids = np.take_along_axis(bids, likely, axis=2)
    return solve_with_bids(tree, bids, rounds)


def solve_with_bids(tree: GameTree, bids: Ints, rounds: int) -> Profile:
    """The same with these bids alone."""
    profile, mean = uniform_profile(tree, bids), uniform_profile(tree, bids)
    regrets, sums = zero_profile(profile), zero_profile(profile)
    run_cfr(tree, profile, regrets, sums, new_scratch(tree, profile), rounds)
    for seat in range(len(bids)):
        regret_matching(tree, sums, seat, mean)
    return mean


def expected_values(tree: GameTree, profile: Profile) -> Floats:
    """What each seat may expect when all play so."""
    found = np.zeros(len(profile.bids))
    add_values(tree, profile, new_scratch(tree, profile), found)
    return found


def best_response_value(
    tree: GameTree, profile: Profile, seat: int, *, own_bids: bool = False
) -> float:
    """The most that a seat may expect of any strategy, the others playing so.

    Args:
        tree: the game.
        profile: how all play.
        seat: the seat.
        own_bids: whether it bids as it does, and only its actions may be others.
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
    """What each seat would win by its best strategy while the others keep theirs.

    Args:
        tree: the game.
        profile: how all play.
        own_bids: whether each seat bids as it does, and only its actions may be others.
    """
    seats = range(len(profile.bids))
    most = [best_response_value(tree, profile, seat, own_bids=own_bids) for seat in seats]
    return np.array(most) - expected_values(tree, profile)
