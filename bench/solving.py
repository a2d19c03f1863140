"""Small games with hidden cards solved: an equilibrium by regret, and what a best response takes.

A game is all its deals, one as likely as its weight says, each with the tree of what may be played.
What a seat knows at a node is an information set: it plays alike at all nodes of one. Besides, each
seat may choose a secret number before the first card, which decides nothing but what its own score
is worth to it (its bid at Differenzler); so a strategy has a column for each such number.

`solve` is counterfactual regret minimisation (CFR+: the seats in turn, regrets never fall below
nothing, later rounds weigh more in the mean). With two players, one winning what the other loses,
it finds an equilibrium; in other games nothing promises that, and `gains` says how near it came:
what each seat would win by the best of all its strategies while the others keep theirs, exactly.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.compiled import kernel

__all__ = [
    "Grown",
    "Known",
    "Profile",
    "Standing",
    "Tree",
    "attainable",
    "even",
    "gains",
    "grow",
    "solve",
    "values",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

OVER = -1
"""Nobody's turn: the game is over at this node."""

NO_BIDS = np.empty((0, 0), np.int64)


class Standing(Protocol):
    """A game as it stands in one deal."""

    @property
    def turn(self) -> int:
        """The seat to act; -1 when all is over."""
        ...

    def legal(self) -> Sequence[str]:
        """What it may do; the same wherever it knows the same."""
        ...

    def after(self, action: str) -> Self:
        """The game once it has done this; this one stays as it is."""
        ...

    def known(self, seat: int) -> Hashable:
        """All that a seat knows: what it was dealt and all that was done."""
        ...

    def scores(self) -> Sequence[float]:
        """What each seat has reached at the end; many are good where there are no bids."""
        ...


class Known(NamedTuple):
    """An information set: what a seat knows whose turn it is.

    Attributes:
        seat: the seat.
        hand: the number of its hand among those it may be dealt.
        deal: a deal in which it knows this.
        done: all that was done since the deal.
        actions: what it may do.
        before: the information set in which it acted last, and which of the actions it then did;
            -1 for both at its first turn.
    """

    seat: int
    hand: int
    deal: int
    done: tuple[str, ...]
    actions: tuple[str, ...]
    before: tuple[int, int]


class Tree(NamedTuple):
    """All deals of a game and all that may be played in them; a node comes before those below it.

    Attributes:
        by_bid: whether a score is worth the more the nearer it is to a bid, else itself.
        weights: how likely each deal is.
        hands: the number of the hand of each seat in each deal.
        roots: the first node of each deal, and last the number of nodes.
        seat: whose turn it is at each node, -1 at an end.
        info: the information set that it is in, -1 at an end.
        below: the first edge of each node, and last the number of edges.
        edges: the nodes they lead to.
        owner: the seat of each information set.
        first: the first action of each information set, and last the number of all actions.
        order: all nodes, the latest first.
        steps: where in it each earlier step begins, and last the number of nodes.
        scores: those of all seats at each end.
    """

    by_bid: bool
    weights: Floats
    hands: Ints
    roots: Ints
    seat: Ints
    info: Ints
    below: Ints
    edges: Ints
    owner: Ints
    first: Ints
    order: Ints
    steps: Ints
    scores: Floats


class Profile(NamedTuple):
    """How all seats play.

    Attributes:
        bids: the secret numbers that each seat may choose, a row for each; one if there are none.
        bidding: how likely each seat with each hand chooses each of them.
        cards: how likely each action of an information set is, by the number chosen.
    """

    bids: Ints
    bidding: Floats
    cards: Floats

    def with_seat(self, tree: Tree, seat: int, other: "Profile") -> "Profile":
        """The same, but one seat plays as it does in another profile."""
        columns = max(self.bids.shape[1], other.bids.shape[1])
        made, theirs = self.widened(columns), other.widened(columns)
        made.bids[seat], made.bidding[seat] = theirs.bids[seat], theirs.bidding[seat]
        its_own = np.repeat(tree.owner == seat, np.diff(tree.first))
        made.cards[its_own] = theirs.cards[its_own]
        return made

    def widened(self, columns: int) -> "Profile":
        """A copy with so many numbers for each seat, those added never chosen."""
        more = columns - self.bids.shape[1]
        return Profile(
            np.pad(self.bids, ((0, 0), (0, more)), mode="edge"),
            np.pad(self.bidding, ((0, 0), (0, 0), (0, more))),
            np.pad(self.cards, ((0, 0), (0, more)), mode="edge"),
        )


@dataclass(frozen=True, slots=True)
class Grown:
    """A tree and what its numbers stand for.

    Attributes:
        tree: the tree.
        known: its information sets.
        hands: for each seat what it knows before the first action, by the number of its hand.
        dealt: for each seat and hand the number of a deal in which it holds it.
    """

    tree: Tree
    known: list[Known]
    hands: list[dict[Hashable, int]]
    dealt: list[list[int]]


class Growing:
    """A tree that grows deal by deal."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.known: list[Known] = []
        self.numbers: dict[Hashable, int] = {}
        self.hands: list[dict[Hashable, int]] = [{} for _ in range(seats)]
        self.dealt: list[list[int]] = [[] for _ in range(seats)]
        self.in_deal: list[list[int]] = []
        self.roots: list[int] = []
        self.seat: list[int] = []
        self.info: list[int] = []
        self.depth: list[int] = []
        self.below: list[list[int]] = []
        self.scores: list[Sequence[float]] = []

    def add_deal(self, start: Standing) -> None:
        """Adds a deal and all that may be played in it."""
        held = []
        for seat in range(self.seats):
            hand = start.known(seat)
            if hand not in self.hands[seat]:
                self.hands[seat][hand] = len(self.hands[seat])
                self.dealt[seat].append(len(self.roots))
            held.append(self.hands[seat][hand])
        self.in_deal.append(held)
        self.roots.append(len(self.seat))
        self.add(start, (), [(-1, -1)] * self.seats)

    def add(self, standing: Standing, done: tuple[str, ...], last: list[tuple[int, int]]) -> int:
        """Adds a node and all below it.

        Args:
            standing: the game there.
            done: all that was done since the deal.
            last: for each seat where it acted last, and what it did.
        """
        node = len(self.seat)
        seat = standing.turn
        self.seat.append(seat)
        self.depth.append(len(done))
        self.below.append([])
        if seat == OVER:
            self.info.append(-1)
            self.scores.append(standing.scores())
            return node
        self.scores.append((0.0,) * self.seats)
        actions = tuple(standing.legal())
        info = self.number(seat, standing, done, actions, last[seat])
        self.info.append(info)
        for number, action in enumerate(actions):
            then = [*last]
            then[seat] = (info, number)
            self.below[node].append(self.add(standing.after(action), (*done, action), then))
        return node

    def number(
        self,
        seat: int,
        standing: Standing,
        done: tuple[str, ...],
        actions: tuple[str, ...],
        before: tuple[int, int],
    ) -> int:
        """The number of the information set that a seat is in."""
        key = seat, standing.known(seat)
        found = self.numbers.setdefault(key, len(self.known))
        if found == len(self.known):
            deal = len(self.roots) - 1
            hand = self.in_deal[deal][seat]
            self.known.append(Known(seat, hand, deal, done, actions, before))
        same = self.known[found]
        assert (same.actions, same.before) == (actions, before), "a seat knows what it may and did"
        return found

    def grown(self, *, by_bid: bool) -> Grown:
        """The tree with all deals alike likely."""
        depth = np.array(self.depth)
        order = np.argsort(-depth, kind="stable")
        changes = np.flatnonzero(np.diff(depth[order])) + 1
        tree = Tree(
            by_bid,
            np.full(len(self.roots), 1 / len(self.roots)),
            np.array(self.in_deal),
            np.array([*self.roots, len(self.seat)]),
            np.array(self.seat),
            np.array(self.info),
            sums_before([len(edges) for edges in self.below]),
            np.array([node for edges in self.below for node in edges], np.int64),
            np.array([one.seat for one in self.known], np.int64),
            sums_before([len(one.actions) for one in self.known]),
            order,
            np.array([0, *changes, len(order)]),
            np.array(self.scores, np.float64),
        )
        return Grown(tree, self.known, self.hands, self.dealt)


def sums_before(counts: Sequence[int]) -> Ints:
    """How many there are before each, and last how many there are."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def grow(starts: Sequence[Standing], seats: int, *, by_bid: bool = False) -> Grown:
    """The tree of a game.

    Args:
        starts: the game after each deal, all equally likely.
        seats: how many play.
        by_bid: whether seats bid in secret what they will reach.
    """
    growing = Growing(seats)
    for start in starts:
        growing.add_deal(start)
    return growing.grown(by_bid=by_bid)


def attainable(tree: Tree) -> Ints:
    """The numbers that each seat may reach, a row for each; nothing else need be bid.

    What is missed on average is least at a median of what one reaches, which one can reach.
    """
    seats = tree.scores.shape[1]
    if not tree.by_bid:
        return np.zeros((seats, 1), np.int64)
    ends = tree.scores[tree.seat == OVER].astype(np.int64)
    reached = [np.unique(ends[:, seat]) for seat in range(seats)]
    most = max(map(len, reached))
    return np.array([np.pad(row, (0, most - len(row)), mode="edge") for row in reached])


def even(tree: Tree, bids: Ints) -> Profile:
    """All bids and all actions equally likely."""
    seats, numbers = bids.shape
    counts = np.diff(tree.first)
    cards = np.repeat(1 / counts, counts)[:, np.newaxis].repeat(numbers, axis=1)
    bidding = np.full((seats, int(tree.hands.max()) + 1, numbers), 1 / numbers)
    return Profile(bids, bidding, np.ascontiguousarray(cards))


class Paper(NamedTuple):
    """Scratch paper for a deal.

    Attributes:
        reach: how likely each seat with each bid plays to each node.
        worth: what each node is worth to one seat with each bid.
    """

    reach: Floats
    worth: Floats


# What follows is compiled. A seat that has bid is followed with all its bids at once.


@kernel
def utility(score: float, bid: int, by_bid: bool) -> float:
    """What a score is worth."""
    return -abs(bid - score) if by_bid else score


@kernel
def look_down(tree: Tree, deal: int, profile: Profile, reach: Floats) -> None:
    """Finds how likely each seat plays to each node of a deal, if all others let it.

    Args:
        tree: the game.
        deal: the deal.
        profile: how all play.
        reach: the answer, by node of the deal, seat and bid.
    """
    root = tree.roots[deal]
    seats, bids = profile.bids.shape
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
def let_by_others(reach: Floats, node: int, seat: int) -> float:
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
def look_back(tree: Tree, deal: int, profile: Profile, seat: int, paper: Paper) -> None:
    """Finds what each node of a deal is worth to a seat with each bid.

    Args:
        tree: the game.
        deal: the deal.
        profile: how all play.
        seat: the seat.
        paper: what `look_down` found; on it the answer is written, weighted by how likely the deal
            and the others lead to the node.
    """
    root, worth = tree.roots[deal], paper.worth
    bids = profile.bids.shape[1]
    for node in range(tree.roots[deal + 1] - 1, root - 1, -1):
        mover, here = tree.seat[node], node - root
        if mover < 0:
            likely = tree.weights[deal] * let_by_others(paper.reach, here, seat)
            for bid in range(bids):
                worth[here, bid] = likely * utility(
                    tree.scores[node, seat], profile.bids[seat, bid], tree.by_bid
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
def note_regrets(
    tree: Tree, deal: int, profile: Profile, seat: int, paper: Paper, regrets: Profile
) -> None:
    """Adds by how much each bid and action of a seat would have been better than what it does."""
    root, worth = tree.roots[deal], paper.worth
    bids = profile.bids.shape[1]
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


class Weighed(NamedTuple):
    """What was done, later rounds weighing more."""

    sums: Profile
    weight: float


@kernel
def note_plays(
    tree: Tree, deal: int, profile: Profile, seat: int, paper: Paper, weighed: Weighed
) -> None:
    """Adds how likely each bid and each action of a seat is done, weighted."""
    root, sums, weight = tree.roots[deal], weighed.sums, weighed.weight
    bids = profile.bids.shape[1]
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
def shares_of(tree: Tree, amounts: Profile, seat: int, profile: Profile) -> None:
    """Has a seat do everything in proportion to its amount, all alike where there is none.

    Amounts below nothing are raised to nothing.
    """
    bids = profile.bids.shape[1]
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
def learn(
    tree: Tree, profile: Profile, regrets: Profile, sums: Profile, paper: Paper, rounds: int
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
                look_down(tree, deal, profile, paper.reach)
                look_back(tree, deal, profile, seat, paper)
                note_regrets(tree, deal, profile, seat, paper, regrets)
                note_plays(tree, deal, profile, seat, paper, Weighed(sums, 1.0 * number * number))
            shares_of(tree, regrets, seat, profile)


@kernel
def add_values(tree: Tree, profile: Profile, paper: Paper, found: Floats) -> None:
    """Adds what each seat may expect."""
    for deal in range(len(tree.weights)):
        look_down(tree, deal, profile, paper.reach)
        for seat in range(len(found)):
            look_back(tree, deal, profile, seat, paper)
            for bid in range(profile.bids.shape[1]):
                share = profile.bidding[seat, tree.hands[deal, seat], bid]
                found[seat] += share * paper.worth[0, bid]


@kernel
def weigh_ends(tree: Tree, profile: Profile, seat: int, paper: Paper, weights: Floats) -> None:
    """Finds how likely chance and the others let a seat come to each end."""
    for deal in range(len(tree.weights)):
        look_down(tree, deal, profile, paper.reach)
        for node in range(tree.roots[deal], tree.roots[deal + 1]):
            if tree.seat[node] < 0:
                likely = let_by_others(paper.reach, node - tree.roots[deal], seat)
                weights[node] = tree.weights[deal] * likely


class Answer(NamedTuple):
    """How a best response is found.

    Attributes:
        weights: those of `weigh_ends`.
        worth: what each node is worth to the seat, weighted.
        sums: what each of its actions is worth over all nodes of an information set; empty.
    """

    weights: Floats
    worth: Floats
    sums: Floats


@kernel
def respond(tree: Tree, seat: int, bid: int, answer: Answer, found: Floats) -> None:
    """Finds the most a seat may expect with each hand when it has bid this.

    Args:
        tree: the game.
        seat: the seat.
        bid: its bid.
        answer: the weights, and scratch paper.
        found: to it is added what each hand may expect, weighted by how likely it is.
    """
    worth = answer.worth
    for step in range(len(tree.steps) - 1):
        nodes = tree.order[tree.steps[step] : tree.steps[step + 1]]
        for node in nodes:
            worth[node] = 0.0
            if tree.seat[node] < 0:
                score = tree.scores[node, seat]
                worth[node] = answer.weights[node] * utility(score, bid, tree.by_bid)
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
def best_action(tree: Tree, info: int, sums: Floats) -> int:
    """Which action of an information set is worth most."""
    low = best = tree.first[info]
    for action in range(low, tree.first[info + 1]):
        if sums[action] > sums[best]:
            best = action
    return best - low


# What others call.


def paper_for(tree: Tree, profile: Profile) -> Paper:
    """Scratch paper that is large enough for each deal."""
    nodes = int(np.diff(tree.roots).max())
    seats, bids = profile.bids.shape
    return Paper(np.zeros((nodes, seats, bids)), np.zeros((nodes, bids)))


def nothing(profile: Profile) -> Profile:
    """Amounts of nothing for all that may be done."""
    return Profile(profile.bids, np.zeros_like(profile.bidding), np.zeros_like(profile.cards))


def solve(tree: Tree, rounds: int) -> Profile:
    """How all play in the mean over so many rounds of regret."""
    profile = even(tree, attainable(tree))
    regrets, sums = nothing(profile), nothing(profile)
    learn(tree, profile, regrets, sums, paper_for(tree, profile), rounds)
    mean = even(tree, profile.bids)
    for seat in range(len(mean.bids)):
        shares_of(tree, sums, seat, mean)
    return mean


def values(tree: Tree, profile: Profile) -> Floats:
    """What each seat may expect when all play so."""
    found = np.zeros(len(profile.bids))
    add_values(tree, profile, paper_for(tree, profile), found)
    return found


def best(tree: Tree, profile: Profile, seat: int) -> float:
    """The most that a seat may expect of any strategy, the others playing so."""
    weights, worth = np.zeros(len(tree.seat)), np.zeros(len(tree.seat))
    weigh_ends(tree, profile, seat, paper_for(tree, profile), weights)
    bids = attainable(tree)[seat]
    found = np.zeros((len(bids), int(tree.hands.max()) + 1))
    for number, bid in enumerate(bids):
        answer = Answer(weights, worth, np.zeros(tree.first[-1]))
        respond(tree, seat, bid, answer, found[number])
    return float(found.max(axis=0).sum())


def gains(tree: Tree, profile: Profile) -> Floats:
    """What each seat would win by its best strategy while the others keep theirs."""
    most = [best(tree, profile, seat) for seat in range(len(profile.bids))]
    return np.array(most) - values(tree, profile)
