"""The root state of a search: the round so far, and the possible locations of hidden cards.

All information of a seat is put into arrays: the known parts of the hands, the cards played, the
rules, the bids, the standing of the match. Nothing else is, so that no search can use hidden
information.
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

CARD_NUMBERS = JASS.numbers
_HIDDEN_CARD_BIT = 1 << 60
"""A placeholder for an unknown card: a hand that holds it is not empty, so play goes on."""


def rules_of(view: View) -> type[TrickTaking]:
    """Returns the rules of the game of a view.

    Raises:
        GameError: the game is not a game of tricks.
    """
    rules = REGISTRY[view["game"]]
    if not issubclass(rules, TrickTaking):
        raise GameError(f"{view['game']} is not a game of tricks")
    return rules


class RootState:
    """The information of a seat in a round of tricks, encoded for the search.

    Args:
        view: the view of a seat that may act.

    Attributes:
        seat: the seat whose information this is.
        rules: the rules of the game.
        position: the same information as sets of cards.
        bids: the bid of each seat as far as it is known (DF3); empty in games without bids.
        initial_state: the round before its first card, each hand as far as it is known.
        plays: the cards played since, in order.
        hidden: the unseen cards and their possible locations.
    """

    def __init__(self, view: View) -> None:
        self.seat: int = view["seat"]
        self.rules = rules_of(view)
        self.position = Position(view, discard_makes_trump=self.rules.discard_makes_trump)
        self.bids: Sequence[int | None] = (
            view["bids"] if declares_keys(view, DifferenzlerView) else ()
        )
        self.initial_state = self.new_initial_state(view)
        self.read_ranking(view)
        self.plays = self.read_plays(view)
        self.hidden = self.read_hidden(view)

    def new_initial_state(self, view: View) -> round_state.Round:
        """The empty round with the options of the game and the first leader."""
        options = view["options"]
        opening = round_state.new_round(self.position.order_from(self.first_leader(view)))
        opening[round_state.SCORING] = self.rules.scoring_kind
        opening[round_state.UNDERTRUMP] = UNDERTRUMP[options["undertrump"]]
        opening[round_state.BOMBS] = self.rules.molotov_points_rule(options)
        opening[round_state.EIGHTS_COUNT] = self.rules.are_eights_counted(options)
        for seat, bid in enumerate(self.bids):
            opening[round_state.TARGET + seat] = 0 if bid is None else bid
        return opening

    def first_leader(self, view: View) -> int:
        """The seat that leads the first trick: the first playing seat from forehand."""
        if view["tricks"]:
            return int(view["tricks"][0]["leader"])
        players, dealer = self.position.players, int(view["dealer"])
        round_table = [(dealer + step) % players for step in range(1, players + 1)]
        return next(seat for seat in round_table if seat in self.position.playing)

    def read_ranking(self, view: View) -> None:
        """Sets the ranking of the initial state, unless a discard makes trump (MV2)."""
        if not self.rules.discard_makes_trump:
            round_state.set_ranking(self.initial_state, self.position.trump)

    def read_plays(self, view: View) -> NDArray[np.int64]:
        """The cards played, each of which is added to the hand that it came from."""
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
        """The possible locations of the unseen cards."""
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
            unseen.cards,
            unseen.weights,
            unseen.sizes,
            unseen.completion_weights,
            np.array(seats, np.int64),
        )

    @property
    def secret_bid_seats(self) -> NDArray[np.int64]:
        """The seats whose bids are unknown."""
        return np.array([seat for seat, bid in enumerate(self.bids) if bid is None], np.int64)

    @property
    def current_state(self) -> round_state.Round:
        """The current round, with the hands of the other seats unknown."""
        state = self.initial_state.copy()
        for seat in self.position.playing:
            if seat != self.seat:
                state[round_state.HANDS + seat] |= _HIDDEN_CARD_BIT
        replay(state, self.plays)
        for seat in self.position.playing:
            state[round_state.HANDS + seat] &= ~_HIDDEN_CARD_BIT
        return state

    def sample_initial_deals(self, count: int, chance: Stream) -> Deals:
        """Samples this number of initial deals."""
        deals = np.empty((count, round_state.SIZE), dtype=np.int64)
        sample_deals(self.initial_state, self.hidden, self.plays, deals, chance)
        return deals
