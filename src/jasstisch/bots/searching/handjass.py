"""Search for Jass as individuals: answers, robbing and cards, all evaluated by playouts.

Sampled deals contain every hand of the match, including those dropped or laid away. They are
weighted by the likelihood of the answers, the Weis announced and the cards played. The utility is
the value of the marks of the round. A Weis that may score is always announced: points never cost a
mark.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

import numpy as np

from jasstisch.bots.api import View
from jasstisch.bots.searching import opponent_models
from jasstisch.bots.searching.batching import rank_candidates, run_batches
from jasstisch.bots.searching.budget import Candidate, Deadline, SearchBudget
from jasstisch.bots.searching.registry import register_searcher
from jasstisch.bots.searching.root_state import CARD_NUMBERS, RootState
from jasstisch.bots.searching.trick_games import (
    RESAMPLE_CHUNK_SIZE,
    evaluate_in_deals,
    rollout_config,
)
from jasstisch.engine import tricks
from jasstisch.engine.cards import card_set, cards_in_set
from jasstisch.games.handjass import SIXES
from jasstisch.search import flat_monte_carlo
from jasstisch.search.games.handjass import answers
from jasstisch.search.jit.prng import Stream, new_stream
from jasstisch.search.nets import bid_model, policy
from jasstisch.search.rounds import round_state
from jasstisch.search.sampling.determinization import (
    Deals,
    HiddenSpec,
    replay_all,
    resample,
    weight_by_plays,
)
from jasstisch.search.sampling.exact_sampler import HiddenCards

_ANSWERS = {"stay": answers.STAY, "drop": answers.DROP, "blind": answers.BLIND}
_WEIS_SUFFIX = " weis"

_RESAMPLE_RATIO = 4
"""The resampling ratio: one of at least so many deals is kept, by the likelihood of the answers."""

_LIKELIHOOD_EXPONENT = 0.2
"""The exponent on the likelihood of the plays: 0 ignores them, 1 trusts the model fully."""

_BLIND_POINTS = {2: 46.0, 3: 52.0}
"""The expected points of the blind, by the number of seats left."""

_TURNED_CARD_FACTOR = 0.8
"""The additional points for each point of a turned card in the blind."""

_WEIS_DEALS = 24
"""The number of deals in which a Weis is evaluated."""

_WEIS_TIME_S = 0.004
"""The seconds reserved for that."""


class _HiddenZone(NamedTuple):
    """A location of unseen cards.

    Attributes:
        seat: its index in a deal; -1 for a location that never matters.
        size: the number of unseen cards in it.
        possible: the set of the cards that it may hold.
    """

    seat: int
    size: int
    possible: int


class _SeatKnowledge(RootState):
    """The information of a seat at Jass, as a search root.

    Attributes:
        phase: whether the seat has to answer or to play a card.
        members: the seats still in the match.
        public_state: the public state besides the cards.
    """

    def __init__(self, view: View) -> None:
        self.phase: str = view["phase"]
        self.members = [seat for seat, one in enumerate(view["standing"]) if not one["safe"]]
        super().__init__(view)
        self.public_state = self.read_table(view)

    def new_initial_state(self, view: View) -> round_state.Round:
        """The empty round, with the seats that play."""
        opening = super().new_initial_state(view)
        opening[round_state.SEATS_IN_PLAY] = sum(1 << seat for seat in self.position.playing)
        return opening

    def read_hidden(self, view: View) -> HiddenSpec:
        """The possible locations of unseen cards: hands, dropped, laid away, or the blind."""
        places = self.hidden_zones(view)
        owner = self.holder_of_shown_card(view)
        known = self.known_cards(view)
        if owner >= 0:
            known[owner] = known.get(owner, 0) | 1 << CARD_NUMBERS[view["shown"]]
        possible = [
            place.possible & ~sum(cards for seat, cards in known.items() if seat != place.seat)
            for place in places
        ]
        unseen = HiddenCards(self.position.unseen, [place.size for place in places], possible)
        seats = np.array([place.seat for place in places], dtype=np.int64)
        return HiddenSpec(
            unseen.cards, unseen.weights, unseen.sizes, unseen.completion_weights, seats
        )

    def hidden_zones(self, view: View) -> list[_HiddenZone]:
        """All locations of unseen cards with their sizes (JS3, JS4)."""
        position = self.position
        places = []
        for seat in self.members:
            if seat == self.seat:
                continue
            if seat in position.playing:
                unseen = position.unseen & ~position.void[seat]
                places.append(_HiddenZone(seat, position.sizes[seat], unseen))
            else:
                places.append(_HiddenZone(seat, 9, position.unseen))
        if len(self.members) == 4:
            return places
        turned = 1 << CARD_NUMBERS[view["turned"]] if view["turned"] else 0
        if view["blind"] is None:
            own = turned if len(self.members) == 3 else 0
            self.initial_state[round_state.HANDS + answers.BLIND_HAND] = own
            places.append(_HiddenZone(answers.BLIND_HAND, 9 - own.bit_count(), position.unseen))
        elif view["blind"] != self.seat:
            places.append(_HiddenZone(answers.LAID_AWAY, 9, position.unseen))
        if len(self.members) == 2:
            places.append(_HiddenZone(-1, 8, position.unseen))
        return places

    def holder_of_shown_card(self, view: View) -> int:
        """The seat that holds the turned card, -1 if it lies open or has been played."""
        if not self.position.unseen >> CARD_NUMBERS[view["shown"]] & 1:
            return -1
        if view["robbed"] is not None:
            return int(view["robbed"])
        return int(view["dealer"] if len(self.members) == 4 else view["blind"])

    def known_cards(self, view: View) -> dict[int, int]:
        """The unseen cards of melds that have been shown."""
        shown = view["weis_shown"]
        if shown is None:
            return {}
        cards = card_set([CARD_NUMBERS[text] for meld in shown["melds"] for text in meld["cards"]])
        return {shown["seat"]: cards & self.position.unseen}

    def read_table(self, view: View) -> answers.PublicState:
        """The public answers, robbing and announcements."""
        said = [answers.NOT_ASKED if one is None else _ANSWERS[one] for one in view["said"]]
        announced_points = {one["seat"]: one["points"] for one in view["announced"]}
        opened = self.position.playing if view["tricks"] else [seat for seat, _ in view["trick"]]
        scored = view["weis"] if view["tricks"] else []
        everybody = range(4)
        return answers.PublicState(
            observer=self.seat,
            forehand=(view["dealer"] + 1) % self.position.players,
            seats_in_match=sum(1 << seat for seat in self.members),
            answers=_int_array([said[seat] if seat < len(said) else -1 for seat in everybody]),
            turned_card=CARD_NUMBERS[view["turned"]] if view["turned"] else -1,
            trump_card=CARD_NUMBERS[view["shown"]],
            robber=-1 if view["robbed"] is None else view["robbed"],
            blind_estimate=self.blind_estimate(view),
            seats_played=sum(1 << seat for seat in opened),
            announced_weis=_int_array([announced_points.get(seat, 0) for seat in everybody]),
            scored_weis=_int_array([*scored, 0, 0, 0, 0][:4] if scored else [-1] * 4),
            bid_weights=bid_model.load_weights()[policy.LEARNED],
        )

    def after_robbing(self) -> "_SeatKnowledge":
        """The same after the six of trumps was exchanged for the turned card (JS5)."""
        six = SIXES[self.position.trump]
        after = copy(self)
        after.initial_state = self.initial_state.copy()
        after.initial_state[round_state.HANDS + self.seat] ^= (
            1 << six | 1 << self.public_state.turned_card
        )
        after.public_state = self.public_state._replace(turned_card=six)
        return after

    def blind_estimate(self, view: View) -> float:
        """The expected points of the blind before it was taken; 0 if there was none."""
        if len(self.members) == 4:
            return 0.0
        plain = _BLIND_POINTS[len(self.members)]
        if len(self.members) == 2:
            return plain  # the turned card lies on the dead hand (JS3)
        return plain + _TURNED_CARD_FACTOR * tricks.card_points(
            CARD_NUMBERS[view["shown"]], self.position.trump
        )


@register_searcher("jass")
def evaluate_actions(
    view: View, legal: Sequence[str], rng: Random, budget: SearchBudget
) -> list[Candidate]:
    """Evaluates each answer, each card with and without Weis, and robbing."""
    return evaluate_with_rollout(rollout_config(view), view, legal, rng, budget)


def evaluate_with_rollout(
    rollout: flat_monte_carlo.RolloutConfig,
    view: View,
    legal: Sequence[str],
    rng: Random,
    budget: SearchBudget,
) -> list[Candidate]:
    """The same with a given rollout configuration."""
    search = _HandjassSearch(
        _SeatKnowledge(view), budget, rollout, new_stream(rng), budget.start_deadline()
    )
    if view["phase"] == "answer":
        return search.evaluate_answers(legal)
    best_meld = view["melds"][0]["points"] if view["melds"] else 0
    if "rob" not in legal:
        return search.evaluate_cards(legal, best_meld)
    half = search.with_half_budget()
    robbed = half.with_same_stream().evaluate_robbing()
    plays = [play for play in legal if play != "rob"]
    return sorted([robbed, *half.evaluate_cards(plays, best_meld)], key=lambda one: -one.value)


@dataclass(frozen=True)
class _HandjassSearch:
    """The search for one decision.

    Attributes:
        seat: the information of the seat.
        budget: the search budget.
        rollout: the rollout configuration.
        chance: the random stream.
        deadline: the deadline.
    """

    seat: _SeatKnowledge
    budget: SearchBudget
    rollout: flat_monte_carlo.RolloutConfig
    chance: Stream
    deadline: Deadline

    def with_half_budget(self) -> "_HandjassSearch":
        """The same search with half the budget."""
        budget = self.budget
        worlds, plays = budget.max_deals // 2, budget.max_cards_played // 2
        return replace(self, budget=replace(budget, max_deals=worlds, max_cards_played=plays))

    def with_same_stream(self) -> "_HandjassSearch":
        """The same search from the same random state, so that both sample the same deals."""
        return replace(self, chance=self.chance.copy())

    def evaluate_answers(self, legal: Sequence[str]) -> list[Candidate]:
        """Evaluates each answer (JS4)."""
        table = self.seat.public_state
        deals = self.sample_deals(table, len(legal))
        tried = sum(1 << _ANSWERS[answer] for answer in legal)
        sums = flat_monte_carlo.new_sums(len(_ANSWERS))
        run_batches(
            deals,
            lambda part: answers.evaluate_answers(
                part, table, tried, self.rollout, self.chance, sums
            ),
            self.deadline,
        )
        return rank_candidates([(answer, sums[_ANSWERS[answer]]) for answer in legal])

    def evaluate_robbing(self) -> Candidate:
        """Evaluates robbing, by the best card of the hand after it (JS5)."""
        robbed = replace(self, seat=self.seat.after_robbing())
        cards = int(round_state.legal_moves(robbed.seat.current_state))
        deals = robbed.sample_deals(robbed.seat.public_state, cards.bit_count())
        sums = self.evaluate_in_deals(deals, cards)
        return rank_candidates([("rob", sums[card]) for card in cards_in_set(cards)])[0]

    def evaluate_cards(self, legal: Sequence[str], best_meld: int) -> list[Candidate]:
        """Evaluates each card, and with the first one the choice to announce a Weis or not (JS7).

        Args:
            legal: the plays to evaluate.
            best_meld: the points of the best meld that may be announced; 0 without any.
        """
        same = self.with_same_stream()
        table = self.seat.public_state
        plays = dict.fromkeys([play.removesuffix(_WEIS_SUFFIX) for play in legal])
        cards = [CARD_NUMBERS[play.split()[1]] for play in plays]
        earlier = self.deadline.earlier_by(_WEIS_TIME_S)
        search = replace(self, deadline=earlier) if best_meld else self
        sums = search.evaluate_in_deals(self.sample_deals(table, len(cards)), card_set(cards))
        candidates = rank_candidates(
            [(play, sums[card]) for play, card in zip(plays, cards, strict=True)]
        )
        if not best_meld:
            return candidates
        missed = same.weis_utility(CARD_NUMBERS[candidates[0].action.split()[1]])
        kept = [replace(one, value=one.value - missed) for one in candidates]
        announced = [replace(one, action=one.action + _WEIS_SUFFIX) for one in candidates]
        may_score = best_meld >= max(table.announced_weis)
        both = [*announced, *kept] if may_score else [*kept, *announced]
        return sorted([one for one in both if one.action in legal], key=lambda one: -one.value)

    def weis_utility(self, card: int) -> float:
        """The difference in utility between announcing and not announcing a Weis with a card."""
        few = replace(
            self,
            budget=replace(
                self.budget, max_deals=_WEIS_DEALS, max_cards_played=0, resample_ratio=1
            ),
        )
        table = self.seat.public_state
        kept = table._replace(seats_played=table.seats_played | 1 << table.observer)
        worths = []
        for one in (table, kept):
            same, sums = few.with_same_stream(), flat_monte_carlo.new_sums()
            flat_monte_carlo.evaluate_cards(
                same.sample_deals(one, 1), 1 << card, same.rollout, same.chance, sums
            )
            worths.append(sums[card, flat_monte_carlo.UTILITY] / _WEIS_DEALS)
        return float(worths[0] - worths[1])

    def evaluate_in_deals(self, deals: Deals, cards: int) -> flat_monte_carlo.Sums:
        """Evaluates each of these cards in the deals."""
        return evaluate_in_deals(
            deals, cards, self.rollout, self.chance, self.budget, self.deadline
        )

    def sample_deals(self, table: answers.PublicState, actions: int) -> Deals:
        """Samples possible current rounds in which to try actions, weighted by likelihood.

        Args:
            table: the public state.
            actions: the number of candidate actions.
        """
        seat, budget = self.seat, self.budget
        to_come = sum(seat.position.sizes[one] for one in seat.position.playing)
        sifting = max(budget.resample_ratio, _RESAMPLE_RATIO)
        asked = sifting * len(seat.plays) if budget.resample_ratio > 1 else 0
        number = budget.deal_count(actions, to_come, asked)
        deals = seat.sample_initial_deals(number * sifting, self.chance)
        weights = np.ones(len(deals))
        answers.reweight_by_answers(deals, table, weights)
        if seat.phase == "play":
            answers.reweight_by_melds(deals, table, weights)
            answers.empty_dropped_hands(deals)
            answers.score_melds(deals, table)
        opponent_models.assign_models(deals, seat, self.rollout, self.chance)
        if seat.phase == "play":
            self.replay_and_resample(deals, weights)
        kept = np.empty((number, deals.shape[1]), dtype=np.int64)
        resample(deals, weights, kept, self.chance)
        return kept

    def replay_and_resample(self, deals: Deals, weights: answers.Floats) -> None:
        """Replays the plays in the deals; when resampling, also weights the deals by them."""
        plays, rollout = self.seat.plays, self.rollout
        if self.budget.resample_ratio == 1 or not len(plays):
            replay_all(deals, plays)
            return
        likely = np.zeros(len(deals))
        for start in range(0, len(deals), RESAMPLE_CHUNK_SIZE):
            part = slice(start, start + RESAMPLE_CHUNK_SIZE)
            weight_by_plays(
                deals[part], self.seat.seat, plays, rollout.nets, rollout.scratch, likely[part]
            )
            if self.deadline.has_passed():
                weights[part.stop :] = 0.0
                break
        if likely.any():  # a hand of trumps alone may undertrump (C9): too rare to be sampled
            weights *= likely**_LIKELIHOOD_EXPONENT


def _int_array(values: Sequence[int]) -> "np.typing.NDArray[np.int64]":
    return np.array(values, dtype=np.int64)
