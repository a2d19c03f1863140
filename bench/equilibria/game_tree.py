"""Small games with hidden cards as trees: all deals, and in each all that may be played.

What a seat knows at a node is an information set: it plays alike at all nodes of one, and never
forgets what it did. Besides, each seat may choose a secret number before the first card, which
decides nothing but what its own score is worth to it: its bid at Differenzler. The trees are
arrays, so that compiled code can go through them.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "TERMINAL",
    "Floats",
    "GameState",
    "GameTree",
    "InformationSet",
    "Ints",
    "LabelledTree",
    "build_tree",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TERMINAL = -1
"""Nobody's turn: the game is over at this node."""


class GameState(Protocol):
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

    def information(self, seat: int) -> Hashable:
        """All that a seat knows: what it was dealt and all that was done."""
        ...

    def scores(self) -> Sequence[float]:
        """What each seat has reached at the end; many are good where there are no bids."""
        ...


class InformationSet(NamedTuple):
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


class GameTree(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class LabelledTree:
    """A tree and what its numbers stand for.

    Attributes:
        tree: the tree.
        known: its information sets.
        hands: for each seat what it knows before the first action, by the number of its hand.
        dealt: for each seat and hand the number of a deal in which it holds it.
    """

    tree: GameTree
    information_sets: list[InformationSet]
    hand_ids: list[dict[Hashable, int]]
    hands_of_deals: list[list[int]]


class TreeBuilder:
    """A tree that grows deal by deal."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.known: list[InformationSet] = []
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

    def add_deal(self, start: GameState) -> None:
        """Adds a deal and all that may be played in it."""
        held = []
        for seat in range(self.seats):
            hand = start.information(seat)
            if hand not in self.hands[seat]:
                self.hands[seat][hand] = len(self.hands[seat])
                self.dealt[seat].append(len(self.roots))
            held.append(self.hands[seat][hand])
        self.in_deal.append(held)
        self.roots.append(len(self.seat))
        self.add(start, (), [(-1, -1)] * self.seats)

    def add(self, standing: GameState, done: tuple[str, ...], last: list[tuple[int, int]]) -> int:
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
        if seat == TERMINAL:
            self.info.append(-1)
            self.scores.append(standing.scores())
            return node
        self.scores.append((0.0,) * self.seats)
        actions = tuple(standing.legal())
        info = self.information_set_id(seat, standing, done, actions, last[seat])
        self.info.append(info)
        for number, action in enumerate(actions):
            then = [*last]
            then[seat] = (info, number)
            self.below[node].append(self.add(standing.after(action), (*done, action), then))
        return node

    def information_set_id(
        self,
        seat: int,
        standing: GameState,
        done: tuple[str, ...],
        actions: tuple[str, ...],
        before: tuple[int, int],
    ) -> int:
        """The number of the information set that a seat is in."""
        key = seat, standing.information(seat)
        found = self.numbers.setdefault(key, len(self.known))
        if found == len(self.known):
            deal = len(self.roots) - 1
            hand = self.in_deal[deal][seat]
            self.known.append(InformationSet(seat, hand, deal, done, actions, before))
        same = self.known[found]
        assert (same.actions, same.before) == (actions, before), "a seat knows what it may and did"
        return found

    def build(self, *, by_bid: bool) -> LabelledTree:
        """The tree with all deals alike likely."""
        depth = np.array(self.depth)
        order = np.argsort(-depth, kind="stable")
        changes = np.flatnonzero(np.diff(depth[order])) + 1
        tree = GameTree(
            by_bid,
            np.full(len(self.roots), 1 / len(self.roots)),
            np.array(self.in_deal),
            np.array([*self.roots, len(self.seat)]),
            np.array(self.seat),
            np.array(self.info),
            prefix_sums([len(edges) for edges in self.below]),
            np.array([node for edges in self.below for node in edges], np.int64),
            np.array([one.seat for one in self.known], np.int64),
            prefix_sums([len(one.actions) for one in self.known]),
            order,
            np.array([0, *changes, len(order)]),
            np.array(self.scores, np.float64),
        )
        return LabelledTree(tree, self.known, self.hands, self.dealt)


def prefix_sums(counts: Sequence[int]) -> Ints:
    """How many there are before each, and last how many there are."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def build_tree(starts: Sequence[GameState], seats: int, *, by_bid: bool = False) -> LabelledTree:
    """The tree of a game.

    Args:
        starts: the game after each deal, all equally likely.
        seats: how many play.
        by_bid: whether seats bid in secret what they will reach.
    """
    growing = TreeBuilder(seats)
    for start in starts:
        growing.add_deal(start)
    return growing.build(by_bid=by_bid)
