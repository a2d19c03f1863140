"""Which of the thousands of ways to lay at I Doubt It are worth weighing.

Any three of a rank as what they are. Else the cards that are easiest to miss, in a few mixtures,
claimed as the ranks of which one knows most cards oneself: the fewer the others can hold, the fewer
of them can disprove the lie. The order of the cards laid is that of the hand; in what order they
come to lie makes little difference.
"""

from collections.abc import Sequence
from itertools import combinations

from jasstisch.bots import View
from jasstisch.bots.searching.doubt.seen import rank_of
from jasstisch.games.i_doubt_it import PACK, THREE
from jasstisch.games.lays import written
from jasstisch.search.doubt.playouts import DOUBT, PASS

__all__ = ["Action", "answers", "asked", "lays"]

Action = tuple[int, int, int, int, int]
"""The rank claimed or `DOUBT` or `PASS`, how many cards are laid, and their ranks."""

RANKS_TRIED = (6, 3)
"""How many ranks are claimed with the best mixture, and how many with the others."""


def answers(legal: Sequence[str]) -> dict[str, Action]:
    """The answers to a claim, by their text."""
    return {text: (DOUBT if text == "doubt" else PASS, 0, 0, 0, 0) for text in legal}


def asked(view: View, legal: Sequence[str]) -> dict[str, Action]:
    """The lays to weigh, by their text: where fewer are open than any hand has, just those."""
    if len(legal) >= len(PACK.ranks):
        return lays(view)
    found: dict[str, Action] = {}
    for text in legal:
        *cards, _, rank = text.split()[1:]
        add(found, cards, PACK.ranks.index(rank))
    return found


def lays(view: View) -> dict[str, Action]:
    """Ways to lay and claim that are worth weighing, by their text."""
    hand: list[str] = view["hand"]
    count = min(THREE, len(hand))
    own = [[card for card in hand if rank_of(card) == rank] for rank in range(len(PACK.ranks))]
    found: dict[str, Action] = {}
    for rank, cards in enumerate(own):
        if len(cards) >= count:
            add(found, cards[:count], rank)
    ranks = ranks_to_claim(view)
    for number, cards in enumerate(mixtures(hand, own, count)):
        for rank in ranks[: RANKS_TRIED[number > 0]]:
            add(found, cards, rank)
    return found


def add(found: dict[str, Action], cards: Sequence[str], rank: int) -> None:
    """Adds laying these cards, in the order of the hand, as this rank."""
    codes = [rank_of(card) for card in cards]
    first, second, third = codes + [0] * (THREE - len(codes))
    found[written(cards, PACK.ranks[rank])] = (rank, len(cards), first, second, third)


def mixtures(hand: Sequence[str], own: Sequence[Sequence[str]], count: int) -> list[list[str]]:
    """A few sets of cards to be rid of, the best first; all of a small hand, each rank once."""
    junk = sorted(hand, key=lambda card: len(own[rank_of(card)]))
    if len(hand) > count + 1:
        sets = [junk[:count], junk[1 : count + 1], [*junk[: count - 1], junk[count]]]
    else:
        sets = [list(cards) for cards in combinations(junk, count)]
    different = {tuple(sorted(map(rank_of, cards))): cards for cards in reversed(sets)}
    return [sorted(cards, key=hand.index) for cards in reversed(different.values())]


def ranks_to_claim(view: View) -> list[int]:
    """The ranks, those first of which one knows most cards and that have been claimed least."""
    known = [0] * len(PACK.ranks)
    for card in view["hand"]:
        known[rank_of(card)] += 1
    claimed = [0] * len(PACK.ranks)
    for turn in reversed(view["turns"]):
        if turn["taker"] is not None:
            break
        if turn["count"]:
            claimed[PACK.ranks.index(turn["rank"])] += 1
            if turn["seat"] == view["seat"]:
                for card in turn["laid"]:
                    known[rank_of(card)] += 1
    return sorted(range(len(PACK.ranks)), key=lambda rank: 2 * claimed[rank] - known[rank])
