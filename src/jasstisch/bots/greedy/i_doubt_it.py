"""Heuristics for I Doubt It: count cards, lie only when forced to, doubt when that pays.

The probability that a claim is true compares how likely the seat could make it honestly with how
likely it was forced to lie. A probable lie is doubted once the middle holds enough cards to be a
burden; against a player caught repeatedly, it is doubted earlier. A claim with a seat's last cards
is doubted if the hands that would result make it worth the risk. Three cards of a rank are claimed
truthfully. A lie gives away single cards and names the rank that the other seats are least likely
to disprove.
"""

import math
from collections.abc import Sequence

from jasstisch.bots.api import View
from jasstisch.bots.greedy.i_doubt_it_card_tracker import RANKS, SUITS, CardTracker
from jasstisch.bots.greedy.registry import register_strategy
from jasstisch.games.i_doubt_it import ANSWERS, CLAIM_SIZE, FULL_DECK
from jasstisch.games.i_doubt_it_claims import claim_text

_PACE_FACTOR = 2.0
"""The exponent that makes smaller hands go out sooner: the square of the number of lays."""

_LIE_THRESHOLD = 0.1
"""A claim with a lower probability of being true than this is taken for a lie."""

_KNOWN_LIAR_THRESHOLD = 0.5
"""The same threshold for a player who has been caught in most of their claims."""

_DOUBT_THRESHOLD_CARDS = 12
"""The number of cards from which a lie is worth doubting, unless more were dealt to a player."""

_LAST_CARDS_MIN_GAIN = 6.0
"""The gain in chips that a doubt of last cards must promise, since the odds are only estimates."""

_LATER_DOUBT_RATE = 0.6
"""The probability that a seat that answers later doubts last cards."""

_REPEAT_DISCOUNT = 0.5
"""The factor on the belief in a rank for each time it was claimed over the same middle."""


@register_strategy("i-doubt-it")
def choose_action(view: View, legal: Sequence[str]) -> str:
    """Doubts or passes, or lays cards and claims a rank; `legal` is too long to be enumerated."""
    seen = CardTracker(view)
    if view["claim"]:
        return legal[ANSWERS.index("doubt" if should_doubt(view, seen) else "pass")]
    count = min(CLAIM_SIZE, len(seen.hand))
    laid, rank = truthful_claim(seen, count) or choose_lie(view, seen, count)
    return claim_text([FULL_DECK.texts[card] for card in sorted(laid)], FULL_DECK.ranks[rank])


# Doubts.


def truth_probability(seen: CardTracker, layer: int, rank: int, count: int) -> float:
    """The probability that a claim is true.

    A seat that holds enough of some rank claims a rank that it holds; any other seat claims any
    rank.

    Args:
        seen: the beliefs of the seat that judges, with the claimed cards in the layer's hand.
        layer: the seat that claims.
        rank: index of the rank claimed.
        count: how many cards.
    """
    able = [seen.probability_holds(layer, one, count) for one in range(RANKS)]
    if not able[rank]:
        return 0.0
    unable = 1.0
    for one in able:
        unable *= 1 - one
    honest = (1 - unable) * able[rank] / sum(able)
    return honest / (honest + unable / RANKS)


def expected_deal_chips(sizes: Sequence[int], seat: int, *, over: bool = False) -> float:
    """The expected chips of a seat in a deal with hands of these sizes (ID6, ID8).

    A seat with an empty hand has won; otherwise smaller hands are more likely to win.

    Args:
        sizes: cards in each hand.
        seat: the seat whose chips are estimated.
        over: whether the deal ends here, whatever the hands.
    """
    least = min(sizes)
    if over or not least:
        winners = sizes.count(least)
        paid = sum(sizes) - len(sizes) * least
        return 0.0 if winners > 1 else float(paid if sizes[seat] == least else least - sizes[seat])
    speed = [math.pow(math.ceil(size / CLAIM_SIZE), -_PACE_FACTOR) for size in sizes]
    return sum(sizes) * speed[seat] / sum(speed) - sizes[seat]


def should_doubt(view: View, seen: CardTracker) -> bool:
    """Whether to doubt the open claim."""
    layer, count = view["claim"]["seat"], view["claim"]["count"]
    chance = truth_probability(seen, layer, FULL_DECK.ranks.index(view["claim"]["rank"]), count)
    last = not view["hand_sizes"][layer] or view["claims"] == view["options"]["max_turns"]
    if not chance and (last or view["options"]["lie_fee"]):
        return True
    if last:
        return _doubt_gain(view, seen, chance) > _LAST_CARDS_MIN_GAIN
    if 2 * seen.caught_lie_counts[layer] > seen.claim_counts[layer] + 1:
        return chance < _KNOWN_LIAR_THRESHOLD
    dealt = sum(seen.sizes, len(seen.middle_pile)) // len(seen.sizes)
    return chance < _LIE_THRESHOLD and view["middle"] + count >= max(_DOUBT_THRESHOLD_CARDS, dealt)


def _doubt_gain(view: View, seen: CardTracker, chance: float) -> float:
    """The expected gain in chips of a doubt over a pass."""
    layer = view["claim"]["seat"]
    sizes: list[int] = view["hand_sizes"]
    stake = view["middle"] + view["claim"]["count"]
    over = view["claims"] == view["options"]["max_turns"]

    def after(taker: int | None) -> float:
        left = [size + stake * (seat == taker) for seat, size in enumerate(sizes)]
        return expected_deal_chips(left, seen.seat, over=over)

    caught = (1 - chance) * after(layer)
    fee: int = view["options"]["lie_fee"]
    doubted = chance * after(seen.seat) + caught + (1 - chance) * fee
    later = (layer - seen.seat) % len(sizes) - 1
    nobody: float = (1 - _LATER_DOUBT_RATE) ** later
    by_another = chance * after((seen.seat + 1) % len(sizes)) + caught
    return doubted - nobody * after(None) - (1 - nobody) * by_another


# Lays.


def truthful_claim(seen: CardTracker, count: int) -> tuple[list[int], int] | None:
    """Cards of one rank and that rank; None if no rank has enough cards.

    It prefers a rank with no card to spare, and one that the next player hardly holds, since that
    player may have to draw these cards.
    """
    ranks = [rank for rank in range(RANKS) if len(seen.own_cards_of_rank(rank)) >= count]
    if not ranks:
        return None
    after = seen.probabilities[(seen.seat + 1) % len(seen.sizes)]
    rank = min(ranks, key=lambda one: (len(seen.own_cards_of_rank(one)), sum(after[one::RANKS])))
    return seen.own_cards_of_rank(rank)[:count], rank


def choose_lie(view: View, seen: CardTracker, count: int) -> tuple[list[int], int]:
    """The cards to get rid of, and the rank to claim.

    Single cards go first, and of these the ranks that the previous player hardly holds, because
    cards to be drawn come from that player. A seat that has just drawn two of the last claimed rank
    claims that rank again; otherwise it claims the rank of which the other seats are least likely
    to hold enough cards to disprove the claim.
    """
    players = len(seen.sizes)
    before = seen.probabilities[(seen.seat - 1) % players]

    def use(card: int) -> tuple[int, float]:
        rank = card % RANKS
        return len(seen.own_cards_of_rank(rank)), sum(before[rank::RANKS])

    laid = sorted(seen.hand, key=use)[:count]
    claimed = _claims_since_last_take(view)
    if (
        claimed
        and len(seen.hand) == CLAIM_SIZE
        and len(seen.own_cards_of_rank(claimed[-1])) == CLAIM_SIZE - 1
    ):
        return laid, claimed[-1]
    others = [seat for seat in range(players) if seat != seen.seat]

    def believed(rank: int) -> float:
        chance = _REPEAT_DISCOUNT ** claimed.count(rank)
        for seat in others:
            chance *= 1 - seen.probability_holds(seat, rank, SUITS + 1 - count)
        return chance

    return laid, max(range(RANKS), key=believed)


def _claims_since_last_take(view: View) -> list[int]:
    """The ranks (by index) claimed since the middle was last taken, in order."""
    claimed: list[int] = []
    for turn in view["turns"]:
        if turn["taker"] is not None:
            claimed.clear()
        elif turn["rank"]:
            claimed.append(FULL_DECK.ranks.index(turn["rank"]))
    return claimed
