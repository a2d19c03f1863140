"""The bot `sociable`: I Doubt It as people play it round a table, truthful and slow to doubt.

It claims as `greedy` does: the truth where it holds three of a rank, else a lie that the others can
hardly disprove. What it thinks of the claims of others it takes from its own cards alone. A lie
that these prove is doubted as soon as there is something in the middle to burden the liar with. All
else is passed, unless a hand has shrunk: the fewer cards are left in it, the less it is believed,
least where the claim is of every card of the rank that lies elsewhere. And the more there is in the
middle, the rarer is a doubt that may be wrong.
"""

from collections.abc import Sequence
from random import Random

from jasstisch.bots.api import View
from jasstisch.bots.greedy.card_tracker import SUITS, CardTracker
from jasstisch.bots.greedy.i_doubt_it import choose_lie, truthful_claim
from jasstisch.engine.errors import GameError
from jasstisch.games.claim_space import claim_text
from jasstisch.games.i_doubt_it import ANSWERS, CLAIM_SIZE, FULL_DECK

__all__ = ["SociableBot", "doubt_probability", "own_cards_in_middle"]

DOUBT_THRESHOLD_CARDS = 9
"""From how many cards on a sure lie is worth a doubt; of fewer most are the liar's own."""

LAST_CARDS_DOUBT_RATE = 0.15
"""How often a claim of all the cards of a rank that lie elsewhere is doubted of an empty hand."""

DOUBT_RATE = 0.03
"""The same of any other claim that its own cards do not disprove."""

KNOWN_LIAR_DOUBT_RATE = 0.8
"""The same of any claim of somebody who has been caught in most of his."""


class SociableBot:
    """A player that leaves the others their claims, mostly."""

    name = "sociable"
    games = ("i-doubt-it",)

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Doubts or passes, or lays cards and claims a rank.

        Raises:
            GameError: it is another game.
        """
        if view["game"] not in self.games:
            raise GameError(f"sociable cannot play {view['game']}; it plays {self.games[0]}")
        if view["claim"]:
            doubts = rng.random() < doubt_probability(view)
            return legal[ANSWERS.index("doubt" if doubts else "pass")]
        return choose_claim(view)


def choose_claim(view: View) -> str:
    """What it lays and claims (ID2, ID5)."""
    seen = CardTracker(view)
    count = min(CLAIM_SIZE, len(seen.hand))
    laid, rank = truthful_claim(seen, count) or choose_lie(view, seen, count)
    return claim_text([FULL_DECK.texts[card] for card in sorted(laid)], FULL_DECK.ranks[rank])


def doubt_probability(view: View) -> float:
    """How likely it is to doubt the open claim; 1 for a sure lie that is worth it."""
    claim, sizes = view["claim"], view["hand_sizes"]
    left: int = sizes[claim["seat"]]
    stake: int = view["middle"] + claim["count"]
    known = [
        card for card in [*view["hand"], *own_cards_in_middle(view)] if card[0] == claim["rank"]
    ]
    elsewhere = SUITS - len(known)
    if claim["count"] > elsewhere:
        return float(not left or stake >= DOUBT_THRESHOLD_CARDS or view["options"]["lie_fee"] > 0)
    if is_known_liar(view, claim["seat"]):
        return KNOWN_LIAR_DOUBT_RATE
    dealt = len(FULL_DECK.texts) // len(sizes)
    shrunk = max(0.0, 1 - left / dealt)
    rarely = LAST_CARDS_DOUBT_RATE if claim["count"] == elsewhere else DOUBT_RATE
    return rarely * shrunk * (1 - stake / len(FULL_DECK.texts))


def is_known_liar(view: View, seat: int) -> bool:
    """Whether somebody has been caught in most of the claims he has made in this deal."""
    claims = [turn for turn in view["turns"] if turn["seat"] == seat and turn["count"]]
    caught = [turn for turn in claims if turn["truth"] is False]
    return 2 * len(caught) > len(claims)


def own_cards_in_middle(view: View) -> list[str]:
    """Cards it has laid itself that are in the middle still (ID4, ID5)."""
    pile: list[str | None] = [None] * (len(FULL_DECK.texts) % len(view["players"]))
    for turn in view["turns"]:
        del pile[len(pile) - turn["drew"] :]
        pile += turn["laid"] or [None] * turn["count"]
        if turn["taker"] is not None:
            pile.clear()
    return [card for card in pile if card is not None]
