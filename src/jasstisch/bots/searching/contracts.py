"""Schieber and Coiffeur: which card to play, what to announce, and when to push.

Cards are found as in any game of tricks, for the side and not for the seat. What to announce is
found by playing: every contract that is open is played to the end in the same imagined deals, and
so is a push, of whose partner it is thought that he announces by heart. What was announced, pushed
and melded makes some deals likelier than others. Weis are announced whenever there are any: they
may bring points, and say to the partner what one holds.
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
from jasstisch.bots.searching.registry import searcher_for_games
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

__all__ = ["evaluate_actions", "evaluate_with"]

Ints = NDArray[np.int64]

CONTRACT_NUMBERS = {text: place for place, text in enumerate(CONTRACTS)}
"""The number of each contract."""

RESAMPLE_RATIO = 3
"""Of so many deals one is kept, for being likely by what was announced."""

WEIS_COUNTS_RATE = 0.7
"""The part of the points of one's Weis that it brings on average."""

FINALISTS = 3
"""So many contracts are tried in more deals, once all have been in some."""

CARDS_PER_ROUND = 36
"""How many cards are played in a round."""


class SideRootState(RootState):
    """What a seat knows at a game of two sides.

    Attributes:
        told: the points of the best meld that each seat has announced, 0 without any.
        opened: the seats that have played a card, as a set with a bit for each.
        contracts: the contracts that were open to who announced, as a set of their numbers.
        contract: the number of the contract, -1 before the announcement.
        forehand: who could announce first.
    """

    def __init__(self, view: View) -> None:
        self.forehand = (int(view["dealer"]) + 1) % 4
        self.contract = -1 if view["contract"] is None else CONTRACT_NUMBERS[view["contract"]]
        super().__init__(view)
        points = {one["seat"]: one["points"] for one in view["announced"]}
        self.announced_weis: Ints = np.array([points.get(seat, 0) for seat in range(4)], np.int64)
        opened = range(4) if view["tricks"] else [seat for seat, _ in view["trick"]]
        counts = view["options"].get("weis") == "on"
        self.seats_played = sum(1 << seat for seat in opened) if counts else 0
        announcer = self.seat if view["by"] is None else view["by"]
        self.contracts = sum(
            {1 << CONTRACT_NUMBERS[text] for text in available_contracts(view, announcer)}
        )

    def first_leader(self, view: View) -> int:
        """Who led the first trick, or will lead it; forehand while a contract is due."""
        if view["tricks"]:
            return int(view["tricks"][0]["leader"])
        if view["trick"]:
            return int(view["trick"][0][0])
        return self.forehand if self.contract < 0 else int(view["to_act"][0])

    def read_ranking(self, view: View) -> None:
        """How the cards rank in the opening, and who announced it."""
        self.initial_state[round_state.HAS_SIDES] = 1
        if self.contract >= 0:
            leader, pushed = int(self.initial_state[round_state.TURN]), int(view["pushed"])
            contracts.start_contract(self.initial_state, self.contract, view["by"], pushed, leader)

    def read_hidden(self, view: View) -> HiddenSpec:
        """Where the unseen cards may lie; those of melds that were shown are known."""
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
            unseen.cards, unseen.weights, unseen.sizes, unseen.table, np.array(seats, np.int64)
        )

    def known_cards(self, view: View) -> dict[int, int]:
        """The unseen cards that a seat has shown; of two who show, those of the best meld."""
        shown = view["weis_shown"]
        if shown is None:
            return {}
        ours = [one for one in view["announced"] if one["seat"] % 2 == shown["seat"] % 2]
        melds = shown["melds"] if len(ours) == 1 else shown["melds"][:1]
        cards = card_set([CARD_NUMBERS[text] for meld in melds for text in meld["cards"]])
        return {shown["seat"]: cards & self.position.unseen}

    def sample_initial_deals(self, count: int, chance: Stream) -> Deals:
        """So many rounds as they may have begun, likelier ones more often."""
        if self.contract < 0:
            return super().sample_initial_deals(count, chance)
        deals = super().sample_initial_deals(RESAMPLE_RATIO * count, chance)
        found = np.ones(len(deals))
        announcements.reweight_by_announcements(
            deals, self.seat, self.forehand, self.contracts, self.contract, found
        )
        announcements.reweight_by_weis(
            deals, self.seat, self.seats_played, self.announced_weis, found
        )
        kept = np.empty((count, deals.shape[1]), dtype=np.int64)
        resample(deals, found, kept, chance)
        return kept


def available_contracts(view: View, announcer: int) -> list[str]:
    """The contracts that are or were open to a seat."""
    crossed_out = (
        view["standing"][announcer]["lines"] if contract_rules(view).plays_each_line_once else ()
    )
    lines = [line for line in available_lines(view) if line.text not in crossed_out]
    return [contract_text(text) for line in lines for text in line.announcements]


def contract_rules(view: View) -> type[ContractGame]:
    """The rules of the game of a view, in which contracts are announced."""
    rules = rules_of(view)
    assert issubclass(rules, ContractGame)
    return rules


def available_lines(view: View) -> tuple[SlateLine, ...]:
    """What may be announced at this table, in the order of the slate."""
    return contract_rules(view).lines(Game(view["game"], view["options"]))


@searcher_for_games("schieber", "coiffeur")
def evaluate_actions(
    view: View, legal: Sequence[str], rng: Random, effort: SearchBudget
) -> list[Candidate]:
    """What each card with and without Weis, each announcement, or a push leads to."""
    return evaluate_with(rollout_config(view), view, legal, rng, effort)


def evaluate_with(
    ways: flat_monte_carlo.RolloutConfig,
    view: View,
    legal: Sequence[str],
    rng: Random,
    effort: SearchBudget,
    look: Callable[[View], SideRootState] = SideRootState,
) -> list[Candidate]:
    """The same where rounds are played to their end in some ways of one's own.

    Args:
        ways: the nets, and what points are worth.
        view: the view of a seat that may act.
        legal: the actions open to it.
        rng: the only source of chance.
        effort: how hard to think.
        look: makes of a view what the seat knows.
    """
    watch, chance, side = effort.start_deadline(), new_stream(rng), look(view)
    effort = effort.scaled(effort.sides)
    if view["phase"] == "announce":
        return evaluate_announcements(side, view, legal, ways, chance, effort, watch)
    plays = list(dict.fromkeys([play.removesuffix(WEIS) for play in legal]))
    asked = effort.resample_cost(len(side.plays))
    number = effort.deal_count(len(plays), sum(view["hand_sizes"]), asked)
    deals = sample_deals(side, number, effort, ways, chance, watch)
    found = evaluate_cards(deals, plays, ways, chance, effort, watch)
    return add_weis_variants(view, legal, found)


def add_weis_variants(view: View, legal: Sequence[str], found: list[Candidate]) -> list[Candidate]:
    """The same with and without Weis, as far as it is legal."""
    points = sum(meld["points"] for meld in view["melds"])
    more = WEIS_COUNTS_RATE * points * view["factor"]
    announced = [
        replace(one, action=one.action + WEIS, value=one.value + more, figure=one.figure + more)
        for one in found
    ]
    both = [one for one in (*announced, *found) if one.action in legal]
    return sorted(both, key=lambda one: -one.value)


def evaluate_announcements(
    side: SideRootState,
    view: View,
    legal: Sequence[str],
    ways: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    effort: SearchBudget,
    watch: Deadline,
) -> list[Candidate]:
    """What each announcement leads to, and to push: all in some deals, the best in more."""
    tries = ContractTrials(side, view, ways, chance, watch)
    worth = coiffeur_candidates(view, tries) if tries.by_lines else schieber_candidates(tries)
    push = PUSH in legal and not tries.by_lines
    contracts = {CONTRACT_NUMBERS[contract_text(text)] for text in legal if text != PUSH}
    for most in (len(contracts), FINALISTS):
        ranked = sorted([worth(text) for text in legal], key=lambda one: -one.value)
        order = [
            CONTRACT_NUMBERS[contract_text(one.action)] for one in ranked if one.action != PUSH
        ]
        best = list(dict.fromkeys(order))[:most]
        if best:
            number = effort.deal_count(len(best) + push, CARDS_PER_ROUND)
            tries.play(max(1, number // 2), sum(1 << one for one in best), push)
    return sorted([worth(text) for text in legal], key=lambda one: -one.value)


class ContractTrials:
    """Deals that are played out in several contracts and after a push, and what came of them.

    Attributes:
        by_lines: whether each side plays each line once, as at Coiffeur (CO1).
        factors: what each contract multiplies by, 0 where it is not open; nothing of lines.
        sums: for each contract what `announcing.try_contracts` adds up.
        pushed: what `announcing.try_push` adds up.
    """

    def __init__(
        self,
        side: SideRootState,
        view: View,
        ways: flat_monte_carlo.RolloutConfig,
        chance: Stream,
        watch: Deadline,
    ) -> None:
        options, rules = view["options"], contract_rules(view)
        self.side, self.ways, self.chance, self.watch = side, ways, chance, watch
        self.by_lines = rules.plays_each_line_once
        self.trial = announcements.AnnouncementSetting(
            seat=side.seat,
            pushed=int(view["pushed"]),
            leader=-1 if rules.announcer_leads else side.forehand,
            bonus=options["match_bonus"],
            melds=int(options.get("weis") == "on"),
        )
        self.factors = np.zeros(len(CONTRACTS))
        if not self.by_lines:
            for line in available_lines(view):
                self.factors[CONTRACT_NUMBERS[line.text]] = line.factor
        self.sums, self.pushed = (
            flat_monte_carlo.zero_sums(len(CONTRACTS)),
            flat_monte_carlo.zero_sums(1),
        )

    def play(self, number: int, contracts: int, push: bool) -> None:
        """Plays so many deals in each contract of a set, and after a push if that is open."""
        deals = self.side.sample_initial_deals(number, self.chance)
        opponent_models.assign_models(deals, self.side, self.ways, self.chance)

        def study(part: Deals) -> None:
            announcements.evaluate_contracts(
                part, contracts, self.trial, self.ways, self.chance, self.sums
            )
            if push:
                announcements.evaluate_push(
                    part, self.factors, self.trial, self.ways, self.chance, self.pushed
                )

        run_batches(deals, study, self.watch)


def schieber_candidates(tries: ContractTrials) -> Callable[[str], Candidate]:
    """At Schieber an announcement is worth the lead of one's side, times its factor."""

    def worth(text: str) -> Candidate:
        if text == PUSH:
            trials, total = tries.pushed[0, 0], tries.pushed[0, 1]
        else:
            place = CONTRACT_NUMBERS[text]
            trials, total = tries.sums[place, 0], tries.factors[place] * tries.sums[place, 1]
        lead = float(total / max(1.0, trials))
        return Candidate(text, lead, lead, int(trials))

    return worth


def coiffeur_candidates(view: View, tries: ContractTrials) -> Callable[[str], Candidate]:
    """At Coiffeur a line is worth what it brings beyond the usual; a push brings nothing more."""
    factors = {text: line.factor for line in available_lines(view) for text in line.announcements}
    sums = tries.sums

    def worth(text: str) -> Candidate:
        if text == PUSH:
            return Candidate(text, 0.0, 0.0, int(sums[:, 0].max()))
        place = CONTRACT_NUMBERS[contract_text(text)]
        own = float(sums[place, 2] / max(1.0, sums[place, 0]))
        beyond = own - PAR_POINTS[text.split(maxsplit=1)[0]]
        worth = factors[text] * beyond
        return Candidate(text, worth, worth, int(sums[place, 0]))

    return worth
