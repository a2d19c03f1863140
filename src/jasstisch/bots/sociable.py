"""The bot `sociable`: plays I Doubt It as people do at a table, truthfully and slow to doubt.

It claims as `greedy` does: truthfully if it holds three cards of a rank, otherwise with a lie that
the other seats can hardly disprove. It judges other claims by its own cards alone. A lie that these
prove is doubted as soon as the middle holds enough cards to be a burden. It passes on everything
else, with two exceptions that depend on the claimant's hand: the fewer cards that hand has left,
the more often it doubts, most of all if the claim is of every card of the rank that lies elsewhere.
The more cards lie in the middle, the rarer are doubts that may be wrong.
"""

from collections.abc import Sequence
from random import Random

from jasstisch.bots.api import View
from jasstisch.bots.greedy.i_doubt_it import choose_lie, truthful_claim
from jasstisch.bots.greedy.i_doubt_it_card_tracker import SUITS, CardTracker
from jasstisch.engine.errors import GameError
from jasstisch.games.i_doubt_it import ANSWERS, CLAIM_SIZE, FULL_DECK
from jasstisch.games.i_doubt_it_claims import claim_text

_DOUBT_THRESHOLD_CARDS = 9
"""The middle size from which a sure lie is doubted; a smaller middle is mostly the liar's own."""

_LAST_CARDS_DOUBT_RATE = 0.15
"""The probability to doubt an empty hand that claims every card of the rank that lies elsewhere."""

_DOUBT_RATE = 0.03
"""The same for any other claim that the bot's own cards do not disprove."""

_KNOWN_LIAR_DOUBT_RATE = 0.8
"""The same for any claim of a player who has been caught in most of their claims."""


class SociableBot:
    """A player that seldom doubts."""

    name = "sociable"
    games = ("i-doubt-it",)

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Doubts or passes, or lays cards and claims a rank.

        Raises:
            GameError: the game is not I Doubt It.
        """
        if view["game"] not in self.games:
            raise GameError(f"sociable cannot play {view['game']}; it plays {self.games[0]}")
        if view["claim"]:
            doubts = rng.random() < doubt_probability(view)
            return legal[ANSWERS.index("doubt" if doubts else "pass")]
        return _choose_claim(view)


def _choose_claim(view: View) -> str:
    """The cards to lay and the rank to claim (ID2, ID5)."""
    seen = CardTracker(view)
    count = min(CLAIM_SIZE, len(seen.hand))
    laid, rank = truthful_claim(seen, count) or choose_lie(view, seen, count)
    return claim_text([FULL_DECK.texts[card] for card in sorted(laid)], FULL_DECK.ranks[rank])


def doubt_probability(view: View) -> float:
    """The probability to doubt the open claim; 1 for a sure lie that is worth doubting."""
    claim, sizes = view["claim"], view["hand_sizes"]
    left: int = sizes[claim["seat"]]
    stake: int = view["middle"] + claim["count"]
    known = [
        card for card in [*view["hand"], *own_cards_in_middle(view)] if card[0] == claim["rank"]
    ]
    elsewhere = SUITS - len(known)
    if claim["count"] > elsewhere:
        return float(not left or stake >= _DOUBT_THRESHOLD_CARDS or view["options"]["lie_fee"] > 0)
    if _is_known_liar(view, claim["seat"]):
        return _KNOWN_LIAR_DOUBT_RATE
    dealt = len(FULL_DECK.texts) // len(sizes)
    shrunk = max(0.0, 1 - left / dealt)
    rarely = _LAST_CARDS_DOUBT_RATE if claim["count"] == elsewhere else _DOUBT_RATE
    return rarely * shrunk * (1 - stake / len(FULL_DECK.texts))


def _is_known_liar(view: View, seat: int) -> bool:
    """Whether a player has been caught in most of their claims in this deal."""
    claims = [turn for turn in view["turns"] if turn["seat"] == seat and turn["count"]]
    caught = [turn for turn in claims if turn["truth"] is False]
    return 2 * len(caught) > len(claims)


def own_cards_in_middle(view: View) -> list[str]:
    """The bot's own laid cards that are still in the middle (ID4, ID5)."""
    pile: list[str | None] = [None] * (len(FULL_DECK.texts) % len(view["players"]))
    for turn in view["turns"]:
        del pile[len(pile) - turn["drew"] :]
        pile += turn["laid"] or [None] * turn["count"]
        if turn["taker"] is not None:
            pile.clear()
    return [card for card in pile if card is not None]
