"""Game trees of small games with hidden cards: all deals and all lines of play.

The knowledge of a seat at a node is its information set: it plays alike at all nodes of one, with
perfect recall. In addition, each seat may choose a secret number before the first card that affects
only its own utility: its bid in Differenzler. The trees are arrays for use in compiled code.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TERMINAL = -1
"""The turn at a terminal node."""


class GameState(Protocol):
    """The state of a game in one deal."""

    @property
    def turn(self) -> int:
        """The seat to act; -1 when the game is over."""
        ...

    def legal(self) -> Sequence[str]:
        """The legal actions; the same throughout an information set."""
        ...

    def after(self, action: str) -> Self:
        """Returns the state after an action; this one is unchanged."""
        ...

    def information(self, seat: int) -> Hashable:
        """Returns the knowledge of a seat: its cards and all actions."""
        ...

    def scores(self) -> Sequence[float]:
        """Returns the final scores of all seats; high is good if there is no bidding."""
        ...


class InformationSet(NamedTuple):
    """An information set: the knowledge of a seat whose turn it is.

    Attributes:
        seat: the seat.
        hand: the index of its hand among those it may be dealt.
        deal: a deal in which it has this knowledge.
        done: all actions since the deal.
        actions: the legal actions.
        before: the information set in which it acted last, and the index of that action; -1 for
            both at its first turn.
    """

    seat: int
    hand: int
    deal: int
    done: tuple[str, ...]
    actions: tuple[str, ...]
    before: tuple[int, int]


class GameTree(NamedTuple):
    """All deals of a game and all lines of play; a node precedes its children.

    Attributes:
        by_bid: whether the utility of a score is its closeness to a bid, else the score itself.
        weights: the probability of each deal.
        hands: the index of the hand of each seat in each deal.
        roots: the first node of each deal, and at the end the number of nodes.
        seat: the seat to act at each node, -1 at a terminal node.
        info: its information set, -1 at a terminal node.
        below: the first edge of each node, and at the end the number of edges.
        edges: the child nodes.
        owner: the seat of each information set.
        first: the first action of each information set, and at the end the number of actions.
        order: all nodes, the deepest first.
        steps: the start of each earlier level in it, and at the end the number of nodes.
        scores: the scores of all seats at each terminal node.
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
    """A game tree with the meaning of its indices.

    Attributes:
        tree: the tree.
        information_sets: its information sets.
        hand_ids: for each seat the index of each hand.
        hands_of_deals: for each seat and hand the index of a deal in which it holds the hand.
    """

    tree: GameTree
    information_sets: list[InformationSet]
    hand_ids: list[dict[Hashable, int]]
    hands_of_deals: list[list[int]]


class TreeBuilder:
    """Builds a tree deal by deal."""

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
        """Adds a deal with all lines of play."""
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
        """Adds a node and its subtree.

        Args:
            standing: the state at the node.
            done: all actions since the deal.
            last: for each seat the information set in which it acted last, and its action.
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
        """Returns the index of the information set of a seat."""
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
        """Returns the tree with all deals equally likely."""
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
    """Returns the prefix sums, with the total at the end."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def build_tree(starts: Sequence[GameState], seats: int, *, by_bid: bool = False) -> LabelledTree:
    """Returns the tree of a game.

    Args:
        starts: the state after each deal, all equally likely.
        seats: the number of seats.
        by_bid: whether seats bid secretly what they will score.
    """
    growing = TreeBuilder(seats)
    for start in starts:
        growing.add_deal(start)
    return growing.build(by_bid=by_bid)
