"""Candidate lays at I Doubt It: the few worth evaluating out of thousands of legal ones.

Candidates are any three cards of a rank, claimed truthfully, and a few mixes of the most
dispensable cards, claimed as the ranks of which the seat knows most cards: the fewer cards of a
rank the other seats can hold, the fewer seats can disprove the lie. Cards are laid in the order of
the hand; their order in the middle makes little difference.
"""

from collections.abc import Sequence
from itertools import combinations

from jasstisch.bots.api import View
from jasstisch.bots.searching.i_doubt_it.observation import rank_index
from jasstisch.games.i_doubt_it import CLAIM_SIZE, FULL_DECK
from jasstisch.games.i_doubt_it_claims import claim_text
from jasstisch.search.games.i_doubt_it.rollouts import DOUBT, PASS

ActionCode = tuple[int, int, int, int, int]
"""The rank claimed, or `DOUBT` or `PASS`; the number of cards laid; and their ranks."""

_RANKS_PER_MIX = (6, 3)
"""The number of ranks claimed with the best mix, and with each other mix."""


def answer_actions(legal: Sequence[str]) -> dict[str, ActionCode]:
    """The answers to a claim, by their text."""
    return {text: (DOUBT if text == "doubt" else PASS, 0, 0, 0, 0) for text in legal}


def candidate_lays(view: View, legal: Sequence[str]) -> dict[str, ActionCode]:
    """The lays to evaluate, by their text; if fewer are legal than usual, all legal ones."""
    if len(legal) >= len(FULL_DECK.ranks):
        return plausible_lays(view)
    lays: dict[str, ActionCode] = {}
    for text in legal:
        *cards, _, rank = text.split()[1:]
        _add_lay(lays, cards, FULL_DECK.ranks.index(rank))
    return lays


def plausible_lays(view: View) -> dict[str, ActionCode]:
    """The lays and claims worth evaluating, by their text."""
    hand: list[str] = view["hand"]
    count = min(CLAIM_SIZE, len(hand))
    own = [
        [card for card in hand if rank_index(card) == rank] for rank in range(len(FULL_DECK.ranks))
    ]
    lays: dict[str, ActionCode] = {}
    for rank, cards in enumerate(own):
        if len(cards) >= count:
            _add_lay(lays, cards[:count], rank)
    ranks = _ranked_claims(view)
    for number, cards in enumerate(_discard_mixes(hand, own, count)):
        for rank in ranks[: _RANKS_PER_MIX[number > 0]]:
            _add_lay(lays, cards, rank)
    return lays


def _add_lay(lays: dict[str, ActionCode], cards: Sequence[str], rank: int) -> None:
    """Adds laying these cards, in the order of the hand, as this rank."""
    codes = [rank_index(card) for card in cards]
    first, second, third = codes + [0] * (CLAIM_SIZE - len(codes))
    lays[claim_text(cards, FULL_DECK.ranks[rank])] = (rank, len(cards), first, second, third)


def _discard_mixes(
    hand: Sequence[str], own: Sequence[Sequence[str]], count: int
) -> list[list[str]]:
    """A few sets of cards to get rid of, best first; for small hands all sets of distinct ranks."""
    junk = sorted(hand, key=lambda card: len(own[rank_index(card)]))
    if len(hand) > count + 1:
        sets = [junk[:count], junk[1 : count + 1], [*junk[: count - 1], junk[count]]]
    else:
        sets = [list(cards) for cards in combinations(junk, count)]
    different = {tuple(sorted(map(rank_index, cards))): cards for cards in reversed(sets)}
    return [sorted(cards, key=hand.index) for cards in reversed(different.values())]


def _ranked_claims(view: View) -> list[int]:
    """The ranks, first those of which the seat knows most cards and that were claimed least."""
    known = [0] * len(FULL_DECK.ranks)
    for card in view["hand"]:
        known[rank_index(card)] += 1
    claimed = [0] * len(FULL_DECK.ranks)
    for turn in reversed(view["turns"]):
        if turn["taker"] is not None:
            break
        if turn["count"]:
            claimed[FULL_DECK.ranks.index(turn["rank"])] += 1
            if turn["seat"] == view["seat"]:
                for card in turn["laid"]:
                    known[rank_index(card)] += 1
    return sorted(range(len(FULL_DECK.ranks)), key=lambda rank: 2 * claimed[rank] - known[rank])
