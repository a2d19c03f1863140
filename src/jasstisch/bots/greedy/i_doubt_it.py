"""I Doubt It by rules of thumb: count the cards, lie when it must, doubt when that pays.

A claim is as likely true as its layer could have made it honestly, against his having had to lie.
A likely lie is doubted once there is enough in the middle to burden the liar with; one who is
caught again and again is not spared even that long. Last cards are doubted where the hands that
would be left make it worth the risk. Three of a rank are claimed as what they are. A lie parts with
single cards and names the rank that the others are least likely to disprove.
"""

import math
from collections.abc import Sequence

from jasstisch.bots import View
from jasstisch.bots.greedy.register import plays
from jasstisch.bots.greedy.whereabouts import RANKS, SUITS, Whereabouts
from jasstisch.games.i_doubt_it import ANSWERS, PACK, THREE
from jasstisch.games.lays import written

__all__ = ["choose", "doubts", "lie", "truth", "truth_told", "worth"]

PACE = 2.0
"""How much sooner a smaller hand goes out: so many times its lays squared."""

LIKELY_LIE = 0.1
"""A claim less likely true than this is taken for a lie."""

NO_TRUST = 0.5
"""The same of a player who has been caught in most of his claims."""

BURDEN = 12
"""From how many cards on a lie is worth doubting, if not more were dealt to a player."""

CAUTION = 6.0
"""How many chips a doubt of last cards must promise, for the chances are only guessed."""

LAST_DOUBTED = 0.6
"""How often somebody who answers later is expected to doubt last cards."""

TIRED = 0.5
"""How much less a rank is believed each time it has been claimed over the same middle."""


@plays("i-doubt-it")
def choose(view: View, legal: Sequence[str]) -> str:
    """Doubts or passes, or lays cards and claims a rank; `legal` is too long to be gone through."""
    seen = Whereabouts(view)
    if view["claim"]:
        return legal[ANSWERS.index("doubt" if doubts(view, seen) else "pass")]
    count = min(THREE, len(seen.hand))
    laid, rank = truth_told(seen, count) or lie(view, seen, count)
    return written([PACK.texts[card] for card in sorted(laid)], PACK.ranks[rank])


# Doubting.


def truth(seen: Whereabouts, layer: int, rank: int, count: int) -> float:
    """The chance that a claim is true.

    Who holds enough of some rank claims one that he holds; who does not claims any.

    Args:
        seen: what is known, the claimed cards counted to the layer's hand.
        layer: who claims.
        rank: index of the rank claimed.
        count: how many cards.
    """
    able = [seen.holds(layer, one, count) for one in range(RANKS)]
    if not able[rank]:
        return 0.0
    unable = 1.0
    for one in able:
        unable *= 1 - one
    honest = (1 - unable) * able[rank] / sum(able)
    return honest / (honest + unable / RANKS)


def worth(sizes: Sequence[int], seat: int, *, over: bool = False) -> float:
    """The chips a seat may expect of a deal with hands of these sizes (ID6, ID8).

    An empty hand has won; else the smaller ones win sooner.

    Args:
        sizes: cards in each hand.
        seat: whose chips.
        over: whether the deal ends here, whoever holds what.
    """
    least = min(sizes)
    if over or not least:
        winners = sizes.count(least)
        paid = sum(sizes) - len(sizes) * least
        return 0.0 if winners > 1 else float(paid if sizes[seat] == least else least - sizes[seat])
    speed = [math.pow(math.ceil(size / THREE), -PACE) for size in sizes]
    return sum(sizes) * speed[seat] / sum(speed) - sizes[seat]


def doubts(view: View, seen: Whereabouts) -> bool:
    """Whether to doubt the open claim."""
    layer, count = view["claim"]["seat"], view["claim"]["count"]
    chance = truth(seen, layer, PACK.ranks.index(view["claim"]["rank"]), count)
    last = not view["hand_sizes"][layer] or view["claims"] == view["options"]["max_turns"]
    if not chance and (last or view["options"]["lie_fee"]):
        return True
    if last:
        return gain(view, seen, chance) > CAUTION
    if 2 * seen.caught[layer] > seen.claims[layer] + 1:
        return chance < NO_TRUST
    dealt = sum(seen.sizes, len(seen.pile)) // len(seen.sizes)
    return chance < LIKELY_LIE and view["middle"] + count >= max(BURDEN, dealt)


def gain(view: View, seen: Whereabouts, chance: float) -> float:
    """How many chips more a doubt may be expected to bring than to pass."""
    layer = view["claim"]["seat"]
    sizes: list[int] = view["hand_sizes"]
    stake = view["middle"] + view["claim"]["count"]
    over = view["claims"] == view["options"]["max_turns"]

    def after(taker: int | None) -> float:
        left = [size + stake * (seat == taker) for seat, size in enumerate(sizes)]
        return worth(left, seen.seat, over=over)

    caught = (1 - chance) * after(layer)
    fee: int = view["options"]["lie_fee"]
    doubted = chance * after(seen.seat) + caught + (1 - chance) * fee
    later = (layer - seen.seat) % len(sizes) - 1
    nobody: float = (1 - LAST_DOUBTED) ** later
    by_another = chance * after((seen.seat + 1) % len(sizes)) + caught
    return doubted - nobody * after(None) - (1 - nobody) * by_another


# Laying.


def truth_told(seen: Whereabouts, count: int) -> tuple[list[int], int] | None:
    """Cards of one rank and that rank; None where no rank has enough.

    Best a rank with none to spare, and one that the next player, who may have to draw these cards,
    hardly holds himself.
    """
    ranks = [rank for rank in range(RANKS) if len(seen.own(rank)) >= count]
    if not ranks:
        return None
    after = seen.places[(seen.seat + 1) % len(seen.sizes)]
    rank = min(ranks, key=lambda one: (len(seen.own(one)), sum(after[one::RANKS])))
    return seen.own(rank)[:count], rank


def lie(view: View, seen: Whereabouts, count: int) -> tuple[list[int], int]:
    """Cards to be rid of, and the rank to claim.

    Single cards go first, and of these such as the player before hardly holds: from him come the
    cards one may have to draw. Who has just drawn two of the rank claimed last claims that again;
    else it is a rank of which nobody is likely to hold so many that he knows better.
    """
    players = len(seen.sizes)
    before = seen.places[(seen.seat - 1) % players]

    def use(card: int) -> tuple[int, float]:
        rank = card % RANKS
        return len(seen.own(rank)), sum(before[rank::RANKS])

    laid = sorted(seen.hand, key=use)[:count]
    claimed = claims_in_the_middle(view)
    if claimed and len(seen.hand) == THREE and len(seen.own(claimed[-1])) == THREE - 1:
        return laid, claimed[-1]
    others = [seat for seat in range(players) if seat != seen.seat]

    def believed(rank: int) -> float:
        chance = TIRED ** claimed.count(rank)
        for seat in others:
            chance *= 1 - seen.holds(seat, rank, SUITS + 1 - count)
        return chance

    return laid, max(range(RANKS), key=believed)


def claims_in_the_middle(view: View) -> list[int]:
    """The ranks (by index) claimed since the middle was last taken, in order."""
    claimed: list[int] = []
    for turn in view["turns"]:
        if turn["taker"] is not None:
            claimed.clear()
        elif turn["rank"]:
            claimed.append(PACK.ranks.index(turn["rank"]))
    return claimed
