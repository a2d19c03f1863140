"""A view as the search wants it: the round from its first card on, and what may be hidden where.

All that a seat knows goes into arrays: the hands as far as they are known, the cards played, the
rules, the bids, the standing of the match. Nothing else does, and so no search can know more.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.api import View
from jasstisch.bots.position import Position
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import GameError
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.rules import REGISTRY
from jasstisch.games.trick_taking import UNDERTRUMP, TrickTaking
from jasstisch.games.views import declares_keys
from jasstisch.search.jit.prng import Stream
from jasstisch.search.rounds import round_state
from jasstisch.search.sampling.determinization import Deals, HiddenSpec, replay, sample_deals
from jasstisch.search.sampling.exact_sampler import HiddenCards

__all__ = ["CARD_NUMBERS", "RootState", "rules_of"]

CARD_NUMBERS = JASS.numbers
HIDDEN_CARD_BIT = 1 << 60
"""A card that is none, in hands of which the rest is unknown: while it is held, play goes on."""


def rules_of(view: View) -> type[TrickTaking]:
    """The rules of the game of a view.

    Raises:
        GameError: it is not a game of tricks.
    """
    rules = REGISTRY[view["game"]]
    if not issubclass(rules, TrickTaking):
        raise GameError(f"{view['game']} is no game of tricks")
    return rules


class RootState:
    """What a seat knows in a round of tricks, ready for the search.

    Args:
        view: the view of a seat that may act.

    Attributes:
        seat: the seat that looks.
        rules: the rules of the game.
        position: the same as sets of cards.
        bids: the bid of each seat as far as it is known (DF3); none where nobody bids.
        opening: the round before its first card, each hand as far as it is known.
        plays: the cards played since, in order.
        hidden: the unseen cards and where they may lie.
    """

    def __init__(self, view: View) -> None:
        self.seat: int = view["seat"]
        self.rules = rules_of(view)
        self.position = Position(view, discard_makes_trump=self.rules.discard_makes_trump)
        self.bids: Sequence[int | None] = (
            view["bids"] if declares_keys(view, DifferenzlerView) else ()
        )
        self.initial_state = self.read_rules(view)
        self.read_ranking(view)
        self.plays = self.read_plays(view)
        self.hidden = self.read_hidden(view)

    def read_rules(self, view: View) -> round_state.Round:
        """An empty round by the options of the game, led by the first from forehand who plays."""
        options = view["options"]
        opening = round_state.new_round(self.position.order_from(self.first_leader(view)))
        opening[round_state.SCORING] = self.rules.scoring_kind
        opening[round_state.UNDERTRUMP] = UNDERTRUMP[options["undertrump"]]
        opening[round_state.BOMBS] = self.rules.bomb_rule(options)
        opening[round_state.EIGHTS_COUNT] = self.rules.eights_count(options)
        for seat, bid in enumerate(self.bids):
            opening[round_state.TARGET + seat] = 0 if bid is None else bid
        return opening

    def first_leader(self, view: View) -> int:
        """Who led the first trick, or will lead it: the first from forehand who plays."""
        if view["tricks"]:
            return int(view["tricks"][0]["leader"])
        players, dealer = self.position.players, int(view["dealer"])
        round_table = [(dealer + step) % players for step in range(1, players + 1)]
        return next(seat for seat in round_table if seat in self.position.playing)

    def read_ranking(self, view: View) -> None:
        """How cards rank in the opening, where trump is not made by a discard (MV2)."""
        if not self.rules.discard_makes_trump:
            round_state.set_ranking(self.initial_state, self.position.trump)

    def read_plays(self, view: View) -> NDArray[np.int64]:
        """The cards played, each noted in the hand that it came from."""
        plays: list[int] = []
        order: Sequence[int] = ()
        hands = self.initial_state[round_state.HANDS :]
        for one in view["tricks"]:
            order = self.position.order_from(one["leader"])
            cards = [CARD_NUMBERS[text] for text in one["cards"]]
            plays += cards
            for seat, card in zip(order, cards, strict=True):
                hands[seat] |= 1 << card
        for seat, text in view["trick"]:
            plays.append(CARD_NUMBERS[text])
            hands[seat] |= 1 << CARD_NUMBERS[text]
        hands[self.seat] |= self.position.hand
        return np.array(plays, dtype=np.int64)

    def read_hidden(self, view: View) -> HiddenSpec:
        """Where the unseen cards may lie."""
        position = self.position
        seats = [seat for seat in position.playing if seat != self.seat]
        sizes = [position.sizes[seat] for seat in seats]
        possible = [position.unseen & ~position.void[seat] for seat in seats]
        if declares_keys(view, DifferenzlerView) and view["shown"]:
            shown = (
                1 << CARD_NUMBERS[view["shown"]] & position.unseen
            )  # it stays the dealer's (DF2)
            possible = [
                cards & ~(0 if seat == view["dealer"] else shown)
                for seat, cards in zip(seats, possible, strict=True)
            ]
        if position.absent:
            seats.append(-1)
            sizes.append(position.absent)
            possible.append(position.unseen)
        unseen = HiddenCards(position.unseen, sizes, possible)
        return HiddenSpec(
            unseen.cards, unseen.weights, unseen.sizes, unseen.table, np.array(seats, np.int64)
        )

    @property
    def secret_bid_seats(self) -> NDArray[np.int64]:
        """The seats whose bids are not known."""
        return np.array([seat for seat, bid in enumerate(self.bids) if bid is None], np.int64)

    @property
    def current_state(self) -> round_state.Round:
        """The round as it stands, the hands of the others unknown."""
        state = self.initial_state.copy()
        for seat in self.position.playing:
            if seat != self.seat:
                state[round_state.HANDS + seat] |= HIDDEN_CARD_BIT
        replay(state, self.plays)
        for seat in self.position.playing:
            state[round_state.HANDS + seat] &= ~HIDDEN_CARD_BIT
        return state

    def sample_initial_deals(self, count: int, chance: Stream) -> Deals:
        """So many rounds as they may have begun."""
        deals = np.empty((count, round_state.SIZE), dtype=np.int64)
        sample_deals(self.initial_state, self.hidden, self.plays, deals, chance)
        return deals
