"""The bots that are asked in endgames: without a clock, and blind to the history before.

The history of an endgame is the same for all distributions of its cards; inferring hands from it
would be misleading. So the search bots are told to draw no conclusions from it.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from random import Random

import numpy as np

from jasstisch import bots
from jasstisch.bots import Bot, View
from jasstisch.bots.searching import opponent_models
from jasstisch.bots.searching.bidding import search_bids
from jasstisch.bots.searching.budget import CLUB, MASTER, SearchBudget
from jasstisch.bots.searching.root_state import RootState
from jasstisch.bots.searching.trick_games import (
    deal_count,
    evaluate_cards,
    resample_deals,
    rollout_config,
)
from jasstisch.engine.cards import JASS
from jasstisch.equilibria.endgames import CARDS_LEFT_BY_SUIT, SEATS
from jasstisch.search.flat_monte_carlo import UTILITY, RolloutConfig, evaluate_bids, new_sums
from jasstisch.search.jit.prng import Stream, new_stream
from jasstisch.search.sampling.determinization import Deals, replay_all

PERFECT_INFORMATION_SEARCH = replace(
    MASTER, name="solving", max_solved_cards=max(CARDS_LEFT_BY_SUIT), resample_ratio=1
)
"""Pure determinization: every sampled deal is solved with open hands; all deals weigh the same."""

MAX_SAMPLED_DEALS = 512
"""The default maximum number of sampled deals."""

EFFORTS = {
    effort.name: replace(effort, time_limit_s=inf)
    for effort in (CLUB, MASTER, PERFECT_INFORMATION_SEARCH)
}
EVERY_BID = "every-bid"
PLAYERS = ("random", "greedy", *EFFORTS, EVERY_BID)


class HistoryBlindSearcher:
    """A search bot that draws no conclusions about hands from the history of an endgame.

    The history is the same for all distributions; inferring hands from it would be misleading.
    Plays in the endgame itself are used as usual.

    Args:
        effort: the search effort.
        left: the number of cards of each seat at the beginning of the endgame.
    """

    def __init__(self, effort: SearchBudget, left: int) -> None:
        self.effort, self.left = effort, left
        self.name = effort.name

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Returns the action with the highest value."""
        effort, watch, chance = self.effort, self.effort.start_deadline(), new_stream(rng)
        situation, ways = RootState(view), rollout_config(view)
        number = deal_count(view, legal, situation, effort)
        deals = situation.sample_initial_deals(number * effort.resample_ratio, chance)
        opponent_models.assign_models(deals, situation, ways, chance)
        past = len(JASS.texts) - SEATS * self.left
        replay_all(deals, situation.plays[:past])
        situation.plays = situation.plays[past:]
        deals = resample_deals(deals, number, situation, ways, chance, watch)
        if view["phase"] == "bid":
            return self.bid(situation, legal, deals, ways, chance)
        return evaluate_cards(deals, legal, ways, chance, effort, watch)[0].action

    def bid(
        self,
        situation: RootState,
        legal: Sequence[str],
        deals: Deals,
        ways: RolloutConfig,
        chance: Stream,
    ) -> str:
        """Returns the bid with the highest value."""
        watch = self.effort.start_deadline()
        return search_bids(situation, legal, deals, ways, chance, watch)[0].action


class ExhaustiveBidder(HistoryBlindSearcher):
    """A search bot that evaluates every bid instead of fitting a parabola to some.

    With few cards left the cost of a bid is not a smooth function.
    """

    def __init__(self, effort: SearchBudget, left: int) -> None:
        super().__init__(effort, left)
        self.name = EVERY_BID

    def bid(
        self,
        situation: RootState,
        legal: Sequence[str],
        deals: Deals,
        ways: RolloutConfig,
        chance: Stream,
    ) -> str:
        """Returns the bid with the lowest cost in the sampled deals."""
        tried = np.arange(len(legal))
        sums = new_sums(len(tried))
        evaluate_bids(deals, situation.seat, tried, ways, chance, sums)
        return legal[int(sums[:, UTILITY].argmax())]


def make_player(name: str, left: int, worlds: int = MAX_SAMPLED_DEALS) -> Bot:
    """Returns the bot of this name, without a time limit.

    Args:
        name: one of `PLAYERS`.
        left: the number of cards of each seat at the beginning of an endgame.
        worlds: the maximum number of sampled deals.
    """
    if name not in {*EFFORTS, EVERY_BID}:
        return bots.bot(name)
    effort = EFFORTS["master" if name == EVERY_BID else name]
    kind = ExhaustiveBidder if name == EVERY_BID else HistoryBlindSearcher
    return kind(replace(effort, max_deals=min(worlds, effort.max_deals)), left)
