"""A tree searched through many imagined deals: information-set Monte-Carlo tree search.

There is one tree for all deals, for the seat that looks can not tell them apart: a node stands for
the cards played since. Each card that may be played is tried in each deal, with the same luck for
all. From there a pass goes down the tree by the cards that may be played in its deal, adds one
node, has the round finished and adds what it is worth to each seat to all nodes it came through.
Every seat goes for what is worth most to itself (max^n), and a card that is seldom possible is
judged by the passes in which it was. Who is thought to play in another manner than the learned one
plays in that manner instead, by its net.

The playing policy says how likely each card is, so that passes go where good players go; cards that
do better than it thought are then found by what they brought.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.chance import Stream, bits
from jasstisch.search.compiled import allocating_kernel, kernel
from jasstisch.search.deals import Deals
from jasstisch.search.flat import FIGURE, TRIALS, WORTH, Sums, Ways, finish
from jasstisch.search.machine import entry
from jasstisch.search.policy import AT_SHARES, LEARNED, choose, net_of_mover, weigh
from jasstisch.search.rounds import SEATS, TURN, Round, copy, legal, manner, play
from jasstisch.search.worth import figure, worth

__all__ = ["Tree", "new_tree", "root_sums", "search"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

CARDS = 36

LONGEST = 37
"""The most nodes on the way through a round, the root among them."""


class Tree(NamedTuple):
    """The nodes, 0 the root, each a row of these arrays.

    Attributes:
        used: the number of nodes.
        below: the node that each card leads to, 0 where nobody has been.
        visits: passes that came through.
        available: passes in which its card might have been played.
        worths: the sum of what these were worth to each seat.
        figures: the sum of the own figures of the seat that looks.
        spread: count, sum and sum of squares of what passes were worth to it.
    """

    used: Ints
    below: NDArray[np.int32]
    visits: Ints
    available: Ints
    worths: Floats
    figures: Floats
    spread: Floats


def new_tree(passes: int) -> Tree:
    """A tree that nobody has gone through, with room for so many passes."""
    size = passes + 1
    return Tree(
        np.ones(1, dtype=np.int64),
        np.zeros((size, CARDS), dtype=np.int32),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros((size, SEATS)),
        np.zeros(size),
        np.zeros(3),
    )


@allocating_kernel
def search(
    deals: Deals, cards: int, tree: Tree, ways: Ways, curiosity: float, chance: Stream
) -> None:
    """Goes through the tree once for each deal and each card that may be played first.

    Args:
        deals: the round as it may stand, the same seat to play in all.
        cards: the cards to begin with.
        tree: the tree, with room for a node for each of them in every deal.
        ways: how rounds are finished and valued.
        curiosity: how much cards are tried that have been tried little.
        chance: where chance comes from.
    """
    state, luck = deals[0].copy(), chance.copy()
    path = np.zeros(LONGEST, dtype=np.int64)
    worths = np.zeros(SEATS)
    for row in range(len(deals)):
        seed = bits(chance)
        left = cards
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            luck[0] = seed
            copy(deals[row], state)
            go(state, card, tree, ways, curiosity, path, worths, luck)


@kernel
def go(
    state: Round,
    first: int,
    tree: Tree,
    ways: Ways,
    curiosity: float,
    path: Ints,
    worths: Floats,
    chance: Stream,
) -> None:
    """Goes through the tree once, beginning with this card, and adds up what came of it."""
    looker = state[TURN]
    length = descend(state, first, tree, ways, curiosity * deviation(tree), path, chance)
    finish(state, ways, chance)
    worth(state, ways.stakes, worths)
    own = figure(state, ways.stakes, looker)
    for step in range(length):
        node = path[step]
        tree.visits[node] += 1
        for seat in range(SEATS):
            tree.worths[node, seat] += worths[seat]
        tree.figures[node] += own
    tree.spread[0] += 1
    tree.spread[1] += worths[looker]
    tree.spread[2] += worths[looker] ** 2


@kernel
def deviation(tree: Tree) -> float:
    """How far passes lie apart in what they are worth: the unit of curiosity."""
    count = tree.spread[0]
    if count < 2:
        return 1.0
    mean = tree.spread[1] / count
    return np.sqrt(max(1e-6, tree.spread[2] / count - mean * mean))


@kernel
def descend(
    state: Round, first: int, tree: Tree, ways: Ways, curiosity: float, path: Ints, chance: Stream
) -> int:
    """Plays down the tree until a new node is added or the round is over.

    Returns:
        How many nodes the way has; they are in `path`.
    """
    path[0] = 0
    length = 1
    node = 0
    while state[TURN] >= 0:
        cards = legal(state)
        note_available(cards, tree, node)
        if length == 1:
            card = first
        elif searches(state, ways):
            card = pick(state, cards, tree, node, ways, curiosity)
        else:
            card = choose(state, ways.nets, ways.paper, chance)
        fresh = tree.below[node, card] == 0
        node = add(tree, node, card) if fresh else tree.below[node, card]
        play(state, card)
        path[length] = node
        length += 1
        if fresh:
            break
    return length


@kernel
def note_available(cards: int, tree: Tree, node: int) -> None:
    """Counts for the nodes below this one that their cards might be played."""
    while cards:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        child = tree.below[node, card]
        if child:
            tree.available[child] += 1


@kernel
def searches(state: Round, ways: Ways) -> bool:
    """Whether the seat whose turn it is is thought to find out what is best for it."""
    return len(ways.nets) == 0 or manner(state, state[TURN]) == LEARNED


@kernel
def pick(state: Round, cards: int, tree: Tree, node: int, ways: Ways, curiosity: float) -> int:
    """The card of a set to go on by."""
    seat = state[TURN]
    many = cards & (cards - 1) != 0
    learned = many and len(ways.nets) > 0
    total = 1.0 * cards.bit_count()
    if learned:
        total = weigh(state, cards, ways.nets[net_of_mover(state)], ways.paper)
    hope = tree.worths[node, seat] / max(1, tree.visits[node])
    untried = np.sqrt(1 + tree.visits[node])
    best, most = -1, -1e18
    place = AT_SHARES
    while cards:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        bonus = curiosity * (entry(ways.paper, place) if learned else 1.0) / total
        place += 1
        child = tree.below[node, card]
        if child:
            visits = tree.visits[child]
            score = tree.worths[child, seat] / visits
            score += bonus * np.sqrt(tree.available[child]) / (1 + visits)
        else:
            score = hope + bonus * untried
        if score > most:
            best, most = card, score
    return best


@kernel
def add(tree: Tree, node: int, card: int) -> int:
    """A new node below one."""
    child = tree.used[0]
    tree.used[0] += 1
    tree.below[node, card] = child
    tree.available[child] = 1
    return child


@kernel
def root_sums(tree: Tree, seat: int, sums: Sums) -> None:
    """What the passes found out about each card that may be played now."""
    for card in range(CARDS):
        child = tree.below[0, card]
        if child:
            sums[card, TRIALS] += tree.visits[child]
            sums[card, WORTH] += tree.worths[child, seat]
            sums[card, FIGURE] += tree.figures[child]
