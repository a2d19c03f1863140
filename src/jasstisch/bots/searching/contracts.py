"""Search for Schieber and Coiffeur: cards, announcements and pushes.

Cards are evaluated as in any game of tricks, for the side instead of the seat. Announcements are
evaluated by playouts: every available contract is played to the end in the same sampled deals, and
so is a push, after which the partner is assumed to announce by the trained contract model. Past
announcements, pushes and melds make some deals likelier than others. A Weis is always announced: it
may bring points, and it shows the partner the seat's cards.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.api import View
from jasstisch.bots.greedy.coiffeur import PAR_POINTS
from jasstisch.bots.searching import opponent_models
from jasstisch.bots.searching.batching import run_batches
from jasstisch.bots.searching.budget import Candidate, Deadline, SearchBudget
from jasstisch.bots.searching.registry import register_searcher
from jasstisch.bots.searching.root_state import CARD_NUMBERS, RootState, rules_of
from jasstisch.bots.searching.trick_games import evaluate_cards, rollout_config, sample_deals
from jasstisch.engine.cards import card_set
from jasstisch.games.contracts import CONTRACTS, PUSH, ContractGame, SlateLine, contract_text
from jasstisch.games.rules import Game
from jasstisch.games.weis import WEIS
from jasstisch.search import flat_monte_carlo
from jasstisch.search.games import announcements
from jasstisch.search.jit.prng import Stream, new_stream
from jasstisch.search.rounds import contracts, round_state
from jasstisch.search.sampling.determinization import Deals, HiddenSpec, resample
from jasstisch.search.sampling.exact_sampler import HiddenCards

_Ints = NDArray[np.int64]

_CONTRACT_NUMBERS = {text: place for place, text in enumerate(CONTRACTS)}
"""The number of each contract."""

_RESAMPLE_RATIO = 3
"""The resampling ratio: one of so many deals is kept, by the likelihood of the announcement."""

_WEIS_COUNTS_RATE = 0.7
"""The fraction of the points of the seat's own Weis that it brings on average."""

_FINALISTS = 3
"""The number of contracts that are tried in further deals after all were tried in some."""

_CARDS_PER_ROUND = 36
"""The number of cards played in a round."""


class SideRootState(RootState):
    """The information of a seat in a game of two sides, as a search root.

    Attributes:
        announced_weis: the points of the best meld that each seat has announced, 0 without any.
        seats_played: the seats that have played a card, as a bit set.
        contracts: the contracts that were available to the announcer, as a set of their numbers.
        contract: the number of the contract, -1 before the announcement.
        forehand: the seat that could announce first.
    """

    def __init__(self, view: View) -> None:
        self.forehand = (int(view["dealer"]) + 1) % 4
        self.contract = -1 if view["contract"] is None else _CONTRACT_NUMBERS[view["contract"]]
        super().__init__(view)
        points = {one["seat"]: one["points"] for one in view["announced"]}
        self.announced_weis: _Ints = np.array([points.get(seat, 0) for seat in range(4)], np.int64)
        opened = range(4) if view["tricks"] else [seat for seat, _ in view["trick"]]
        counts = view["options"].get("weis") == "on"
        self.seats_played = sum(1 << seat for seat in opened) if counts else 0
        announcer = self.seat if view["by"] is None else view["by"]
        self.contracts = sum(
            {1 << _CONTRACT_NUMBERS[text] for text in _available_contracts(view, announcer)}
        )

    def first_leader(self, view: View) -> int:
        """The seat that leads the first trick; forehand while no contract is announced."""
        if view["tricks"]:
            return int(view["tricks"][0]["leader"])
        if view["trick"]:
            return int(view["trick"][0][0])
        return self.forehand if self.contract < 0 else int(view["to_act"][0])

    def read_ranking(self, view: View) -> None:
        """Sets the ranking of the initial state, and the announcer."""
        self.initial_state[round_state.HAS_SIDES] = 1
        if self.contract >= 0:
            leader, pushed = int(self.initial_state[round_state.TURN]), int(view["pushed"])
            contracts.start_contract(self.initial_state, self.contract, view["by"], pushed, leader)

    def read_hidden(self, view: View) -> HiddenSpec:
        """The possible locations of unseen cards; those of melds that were shown are known."""
        position, known = self.position, self.known_cards(view)
        seats = [seat for seat in position.playing if seat != self.seat]
        possible = [
            position.unseen
            & ~position.void[seat]
            & ~sum(cards for other, cards in known.items() if other != seat)
            for seat in seats
        ]
        sizes = [position.sizes[seat] for seat in seats]
        unseen = HiddenCards(position.unseen, sizes, possible)
        return HiddenSpec(
            unseen.cards,
            unseen.weights,
            unseen.sizes,
            unseen.completion_weights,
            np.array(seats, np.int64),
        )

    def known_cards(self, view: View) -> dict[int, int]:
        """The unseen cards that a seat has shown; if two seats show, those of the best meld."""
        shown = view["weis_shown"]
        if shown is None:
            return {}
        ours = [one for one in view["announced"] if one["seat"] % 2 == shown["seat"] % 2]
        melds = shown["melds"] if len(ours) == 1 else shown["melds"][:1]
        cards = card_set([CARD_NUMBERS[text] for meld in melds for text in meld["cards"]])
        return {shown["seat"]: cards & self.position.unseen}

    def sample_initial_deals(self, count: int, chance: Stream) -> Deals:
        """Samples this number of initial deals, weighted by announcements and Weis."""
        if self.contract < 0:
            return super().sample_initial_deals(count, chance)
        deals = super().sample_initial_deals(_RESAMPLE_RATIO * count, chance)
        weights = np.ones(len(deals))
        announcements.reweight_by_announcements(
            deals, self.seat, self.forehand, self.contracts, self.contract, weights
        )
        announcements.reweight_by_weis(
            deals, self.seat, self.seats_played, self.announced_weis, weights
        )
        kept = np.empty((count, deals.shape[1]), dtype=np.int64)
        resample(deals, weights, kept, chance)
        return kept


def _available_contracts(view: View, announcer: int) -> list[str]:
    """The contracts that are or were available to a seat."""
    crossed_out = (
        view["standing"][announcer]["lines"] if _contract_rules(view).plays_each_line_once else ()
    )
    lines = [line for line in _available_lines(view) if line.text not in crossed_out]
    return [contract_text(text) for line in lines for text in line.announcements]


def _contract_rules(view: View) -> type[ContractGame]:
    """The rules of the contract game of a view."""
    rules = rules_of(view)
    assert issubclass(rules, ContractGame)
    return rules


def _available_lines(view: View) -> tuple[SlateLine, ...]:
    """The lines that may be announced at this table, in the order of the slate."""
    return _contract_rules(view).make_slate_lines(Game(view["game"], view["options"]))


@register_searcher("schieber", "coiffeur")
def evaluate_actions(
    view: View, legal: Sequence[str], rng: Random, budget: SearchBudget
) -> list[Candidate]:
    """Evaluates each card with and without Weis, each announcement, or a push."""
    return evaluate_with_rollout(rollout_config(view), view, legal, rng, budget)


def evaluate_with_rollout(
    rollout: flat_monte_carlo.RolloutConfig,
    view: View,
    legal: Sequence[str],
    rng: Random,
    budget: SearchBudget,
    look: Callable[[View], SideRootState] = SideRootState,
) -> list[Candidate]:
    """The same with a given rollout configuration.

    Args:
        rollout: the rollout configuration: policy nets and utility.
        view: the view of a seat that may act.
        legal: the legal actions.
        rng: the only source of randomness.
        budget: the search budget.
        look: makes the search root of a view.
    """
    deadline, chance, side = budget.start_deadline(), new_stream(rng), look(view)
    budget = budget.scaled(budget.partner_game_cards_factor)
    if view["phase"] == "announce":
        return _evaluate_announcements(side, view, legal, rollout, chance, budget, deadline)
    plays = list(dict.fromkeys([play.removesuffix(WEIS) for play in legal]))
    asked = budget.resample_cost(len(side.plays))
    number = budget.deal_count(len(plays), sum(view["hand_sizes"]), asked)
    deals = sample_deals(side, number, budget, rollout, chance, deadline)
    candidates = evaluate_cards(deals, plays, rollout, chance, budget, deadline)
    return _add_weis_variants(view, legal, candidates)


def _add_weis_variants(
    view: View, legal: Sequence[str], candidates: list[Candidate]
) -> list[Candidate]:
    """Adds the variants with and without Weis to the evaluated cards, as far as they are legal."""
    points = sum(meld["points"] for meld in view["melds"])
    more = _WEIS_COUNTS_RATE * points * view["factor"]
    announced = [
        replace(one, action=one.action + WEIS, value=one.value + more, figure=one.figure + more)
        for one in candidates
    ]
    both = [one for one in (*announced, *candidates) if one.action in legal]
    return sorted(both, key=lambda one: -one.value)


def _evaluate_announcements(
    side: SideRootState,
    view: View,
    legal: Sequence[str],
    rollout: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    budget: SearchBudget,
    deadline: Deadline,
) -> list[Candidate]:
    """Evaluates all announcements and a push in some deals, then the best ones in more."""
    tries = _ContractTrials(side, view, rollout, chance, deadline)
    worth = _coiffeur_candidates(view, tries) if tries.by_lines else _schieber_candidates(tries)
    push = PUSH in legal and not tries.by_lines
    contracts = {_CONTRACT_NUMBERS[contract_text(text)] for text in legal if text != PUSH}
    for most in (len(contracts), _FINALISTS):
        ranked = sorted([worth(text) for text in legal], key=lambda one: -one.value)
        order = [
            _CONTRACT_NUMBERS[contract_text(one.action)] for one in ranked if one.action != PUSH
        ]
        best = list(dict.fromkeys(order))[:most]
        if best:
            number = budget.deal_count(len(best) + push, _CARDS_PER_ROUND)
            tries.play(max(1, number // 2), sum(1 << one for one in best), push)
    return sorted([worth(text) for text in legal], key=lambda one: -one.value)


class _ContractTrials:
    """Playouts of the same deals in several contracts and after a push, with their results.

    Attributes:
        by_lines: whether each side plays each line once, as at Coiffeur (CO1).
        factors: the multiplier of each contract, 0 if it is not available; unused for lines.
        sums: the sums of `announcements.evaluate_contracts` for each contract.
        pushed: the sums of `announcements.evaluate_push`.
    """

    def __init__(
        self,
        side: SideRootState,
        view: View,
        rollout: flat_monte_carlo.RolloutConfig,
        chance: Stream,
        deadline: Deadline,
    ) -> None:
        options, rules = view["options"], _contract_rules(view)
        self.side, self.rollout, self.chance, self.deadline = side, rollout, chance, deadline
        self.by_lines = rules.plays_each_line_once
        self.trial = announcements.AnnouncementContext(
            seat=side.seat,
            pushed=int(view["pushed"]),
            leader=-1 if rules.announcer_leads else side.forehand,
            match_bonus=options["match_bonus"],
            counts_weis=int(options.get("weis") == "on"),
        )
        self.factors = np.zeros(len(CONTRACTS))
        if not self.by_lines:
            for line in _available_lines(view):
                self.factors[_CONTRACT_NUMBERS[line.text]] = line.factor
        self.sums, self.pushed = (
            flat_monte_carlo.new_sums(len(CONTRACTS)),
            flat_monte_carlo.new_sums(1),
        )

    def play(self, number: int, contracts: int, push: bool) -> None:
        """Plays this number of deals in each contract of a set, and after a legal push."""
        deals = self.side.sample_initial_deals(number, self.chance)
        opponent_models.assign_models(deals, self.side, self.rollout, self.chance)

        def study(part: Deals) -> None:
            announcements.evaluate_contracts(
                part, contracts, self.trial, self.rollout, self.chance, self.sums
            )
            if push:
                announcements.evaluate_push(
                    part, self.factors, self.trial, self.rollout, self.chance, self.pushed
                )

        run_batches(deals, study, self.deadline)


def _schieber_candidates(tries: _ContractTrials) -> Callable[[str], Candidate]:
    """Values of announcements at Schieber: the lead of the seat's side, times the factor."""

    def worth(text: str) -> Candidate:
        if text == PUSH:
            trials, total = tries.pushed[0, 0], tries.pushed[0, 1]
        else:
            place = _CONTRACT_NUMBERS[text]
            trials, total = tries.sums[place, 0], tries.factors[place] * tries.sums[place, 1]
        lead = float(total / max(1.0, trials))
        return Candidate(text, lead, lead, int(trials))

    return worth


def _coiffeur_candidates(view: View, tries: _ContractTrials) -> Callable[[str], Candidate]:
    """Values of lines at Coiffeur: the points above the line's par; a push has the value 0."""
    factors = {text: line.factor for line in _available_lines(view) for text in line.announcements}
    sums = tries.sums

    def worth(text: str) -> Candidate:
        if text == PUSH:
            return Candidate(text, 0.0, 0.0, int(sums[:, 0].max()))
        place = _CONTRACT_NUMBERS[contract_text(text)]
        own = float(sums[place, 2] / max(1.0, sums[place, 0]))
        beyond = own - PAR_POINTS[text.split(maxsplit=1)[0]]
        worth = factors[text] * beyond
        return Candidate(text, worth, worth, int(sums[place, 0]))

    return worth
