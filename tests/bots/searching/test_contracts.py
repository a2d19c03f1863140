"""Club and master at Schieber and Coiffeur: sampled deals, announcements and card play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import jasstisch as jt
from jasstisch.bots.searching import SearchBudget
from jasstisch.bots.searching.budget import CLUB, MASTER
from jasstisch.bots.searching.contracts import SideRootState
from jasstisch.bots.searching.match_utility import utility_params
from jasstisch.engine.cards import JASS
from jasstisch.games.contracts import CONTRACTS
from jasstisch.search import round_utility
from jasstisch.search.games import announcements
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.rounds import round_state
from jasstisch.search.sampling.determinization import replay
from tests.bots.searching.fast_searchers import (
    FAST_EFFORTS,
    cards,
    check_legal_play,
    evaluate,
    fast_efforts,
    random_options,
    random_positions,
)
from tests.rules import contract_builders, match_builders
from tests.rules.contract_builders import coiffeur, quiet_hands, schieber, tell
from tests.rules.match_builders import play

QUICK = replace(CLUB, time_limit_s=60.0)
DEEP = replace(MASTER, time_limit_s=60.0)
both = pytest.mark.parametrize("effort", [QUICK, DEEP], ids=["club", "master"])
games = pytest.mark.parametrize("name", ["schieber", "coiffeur"])

STRONG, WEAK = "J9AKH AC A6D 7S 8S", "TQC 9QD 8TQH 9QS"


def random_matches(name: str, seed: int, count: int) -> Iterator[jt.Match]:
    """A match with random options, at `count` decisions of random play."""
    rng = random.Random(f"{name} {seed}")
    match = jt.Match(jt.game(name, **random_options(name, rng)))
    return random_positions(match, rng, count, 0.1)


# Sampled deals.


@games
@pytest.mark.parametrize("seed", range(8))
def test_sampled_deals_agree_with_everything_seen__C8__SC3(name: str, seed: int) -> None:
    for match in random_matches(name, seed, 12):
        (observer,) = match.to_act
        view = match.view(observer)
        side = SideRootState(view)
        for deal in side.sample_initial_deals(4, new_stream(random.Random(seed))):
            check_deal(deal, side, view)


def check_deal(deal: round_state.Round, side: SideRootState, view: dict[str, Any]) -> None:
    """Asserts that hands are disjoint, have their sizes and contain the known cards."""
    hands = [int(deal[round_state.HANDS + seat]) for seat in range(4)]
    assert [hand.bit_count() for hand in hands] == [9] * 4
    assert sum(hands).bit_count() == 36
    assert hands[side.seat] & side.position.hand == side.position.hand
    for seat, known in side.known_cards(view).items():
        assert hands[seat] & known == known
    for seat in side.position.playing:
        remaining = hands[seat] & (side.position.unseen | side.position.hand)
        assert not remaining & side.position.void[seat]


@games
@pytest.mark.parametrize("seed", range(8))
def test_round_utility_equals_the_points_of_the_match__CT3__CT5__CT6__SC5__CO4(
    name: str, seed: int
) -> None:
    """With the hidden hands filled in, the kernel counts cards and match bonus as `Match` does."""
    rng = random.Random(seed)
    for match in random_matches(name, seed, 8):
        (observer,) = match.to_act
        view = match.view(observer)
        done = len(match.rounds)
        if view["phase"] != "play":
            continue
        side = SideRootState(view)
        deal = side.initial_state.copy()
        for seat in range(4):
            deal[round_state.HANDS + seat] |= cards(match.hand(seat))
        plays = list(side.plays)
        while len(match.rounds) == done and not match.over:
            (turn,) = match.to_act
            action = rng.choice(list(match.legal(turn)))
            plays.append(JASS.numbers[action.split()[1]])
            match.act(turn, action)
        if len(plays) < 36:  # the match was over in the middle of it (SC6)
            continue
        replay(deal, np.array(plays))
        utilities = np.zeros(round_state.SEATS)
        round_utility.round_utility(deal, utility_params(view), utilities)
        assert list(utilities[:4]) == point_leads(
            match.rounds[-1], counts_for_both=name == "schieber"
        )


def point_leads(result: dict[str, Any], *, counts_for_both: bool) -> list[float]:
    """The lead in points of the side of each seat over the other, without Weis and Stöck."""
    counted = [
        points - weis - stoeck
        for points, weis, stoeck in zip(
            result["points"], result["weis"], result["stoeck"], strict=True
        )
    ]
    if not counts_for_both:
        counted = [0 if seat % 2 != result["by"] % 2 else counted[seat] for seat in range(4)]
    lead = result["factor"] * (counted[0] - counted[1])
    return [lead, -lead, lead, -lead]


@pytest.mark.parametrize("contract", ["trump S", "tops", "bottoms"])
def test_announcer_is_dealt_more_cards_that_fit_the_contract__CT2(contract: str) -> None:
    match = schieber(contract_builders.random_hands(3), contract)
    play(match, next(contract_builders.first_plays(match)).removeprefix("play "))
    wanted = {"trump S": "JS 9S AS KS", "tops": "AC AD AH AS", "bottoms": "6C 6D 6H 6S"}[contract]
    view = match.view(1)
    informed = SideRootState(view)
    uninformed = SideRootState(view)
    uninformed.contract = -1  # as before an announcement
    root_states = {True: informed, False: uninformed}
    held = {
        knows: np.mean(
            [
                (int(deal[round_state.HANDS]) & cards(wanted.split())).bit_count()
                for deal in side.sample_initial_deals(400, new_stream(random.Random(1)))
            ]
        )
        for knows, side in root_states.items()
    }
    assert held[True] > held[False] + 0.4


def test_deals_with_other_melds_than_announced_lose_weight__SC3() -> None:
    """A deal keeps its weight only if both seats that hold a meld have announced it."""
    hands = quiet_hands({1: "678S", 2: "9TJD"})
    match = schieber(hands, "trump H")
    side = SideRootState(match.view(0))
    deal = side.initial_state.copy()
    for seat, hand in enumerate(hands):
        deal[round_state.HANDS + seat] = cards(hand)
    for announced, unchanged in (([0, 20, 20, 0], True), ([0, 20, 0, 0], False)):
        found = np.ones(1)
        announcements.reweight_by_weis(deal[None, :], 0, 0b1111, np.array(announced), found)
        assert (found[0] == 1) == unchanged


# Announcements.


@both
@pytest.mark.parametrize(
    ("hand", "said"),
    [
        (STRONG, "trump H"),
        (WEAK, "push"),
        ("AKQC AKD AKS AKH", "tops"),
        ("678C 67D 67S 67H", "bottoms"),
    ],
)
def test_a_good_contract_is_announced_and_a_poor_hand_pushed__SC1(
    hand: str, said: str, effort: SearchBudget
) -> None:
    assert evaluate(schieber(match_builders.deal({0: hand})), effort)[0].action == said


@both
def test_of_two_equal_suits_the_one_counting_double_is_valued_higher__SC5(
    effort: SearchBudget,
) -> None:
    match = schieber(match_builders.deal({0: "J9AKH J9AKS 6C"}), multipliers="swiss")
    values = {one.action: one.value for one in evaluate(match, effort)}
    assert values["trump S"] > values["trump H"] > 0


@both
def test_a_strong_hand_values_the_line_with_the_higher_factor_more__CO1(
    effort: SearchBudget,
) -> None:
    """Spades count threefold and clubs once; both are as strong."""
    match = coiffeur(match_builders.deal({0: "J9AKC J9AKS 6D"}))
    values = {one.action: one.value for one in evaluate(match, effort)}
    assert values["trump S"] > values["trump C"] > values["trump D"]


@both
def test_a_weak_hand_is_pushed_and_announces_a_cheap_line_if_forced__CO2(
    effort: SearchBudget,
) -> None:
    match = coiffeur(match_builders.deal({0: WEAK}))
    assert evaluate(match, effort)[0].action == "push"
    tell(match, "push, push, push, push")
    best = evaluate(match, effort)[0].action
    assert best != "push"
    assert best in {"trump C", "trump H", "trump S", "trump D"}


# Card play.


@both
def test_a_ten_is_smeared_to_the_trick_of_the_partner(effort: SearchBudget) -> None:
    match = schieber(
        match_builders.deal({0: "6C", 1: "AC", 2: "TC 7C", 3: "8C"}), "bottoms", weis="off"
    )
    play(match, "6C AC")
    best = {one.action: one.value for one in evaluate(match, effort)}
    assert best["play TC"] > best["play 7C"]


@both
def test_the_trick_of_the_partner_is_not_trumped(effort: SearchBudget) -> None:
    match = schieber(
        match_builders.deal({0: "AC", 1: "6C", 2: "6H 7H TD 7S 8S 9S 7D 8D 9D", 3: "8C"}),
        "trump H",
        weis="off",
    )
    play(match, "AC 6C")
    assert evaluate(match, effort)[0].action not in {"play 6H", "play 7H"}


@both
def test_a_weis_is_announced_where_it_may_count__SC3(effort: SearchBudget) -> None:
    match = schieber(quiet_hands({0: "QKAC"}), "trump H")
    assert evaluate(match, effort)[0].action.endswith(" weis")
    silent = schieber(quiet_hands({0: "QKAC"}), "trump H", weis="off")
    assert not evaluate(silent, effort)[0].action.endswith(" weis")


# Conduct.


@fast_efforts
@games
def test_whole_matches_are_played_by_the_rules__SC6__CO5(name: str, effort: SearchBudget) -> None:
    """With random options, for up to four rounds."""
    rng = random.Random(name)
    options = random_options(name, rng)
    if name == "schieber":
        options |= {"rounds": 4, "slalom": "on"}
    match = jt.Match(jt.game(name, **options))
    check_legal_play(match, effort, rng, rounds=4)


@fast_efforts
@games
@pytest.mark.parametrize("say", ["", "push, trump H", "push, tops"])
@pytest.mark.parametrize("seed", range(3))
def test_hidden_cards_do_not_matter(seed: int, say: str, name: str, effort: SearchBudget) -> None:
    """The hands of two others change seats; the evaluation stays the same."""
    hands = contract_builders.random_hands(seed)
    found = []
    for others in (hands[1:3], hands[2:0:-1]):
        match = contract_builders.announced(name, [hands[0], *others, hands[3]], say)
        seat = match.to_act[0]
        found.append(evaluate(match, effort, seed) if seat == 0 else None)
    assert found[0] == found[1]


@fast_efforts
@games
@pytest.mark.parametrize("say", ["", "trump H"])
def test_same_seed_gives_same_evaluation_and_another_seed_differs(
    say: str, name: str, effort: SearchBudget
) -> None:
    match = contract_builders.announced(name, contract_builders.random_hands(1), say)
    assert evaluate(match, effort, 5) == evaluate(match, effort, 5)
    assert evaluate(match, effort, 5) != evaluate(match, effort, 6)


@both
@games
@pytest.mark.parametrize("say", ["", "trump H"])
def test_a_search_ends_when_its_time_is_over(say: str, name: str, effort: SearchBudget) -> None:
    """The clock advances a second with each reading: after a few readings the move is made."""
    seconds = iter(range(1000))
    hurried = replace(
        effort,
        max_deals=512,
        max_cards_played=80_000,
        time_limit_s=2.0,
        clock=lambda: next(seconds),
    )
    match = contract_builders.announced(name, contract_builders.random_hands(1), say)
    assert evaluate(match, hurried)
    assert next(seconds) <= 8


@pytest.mark.parametrize("contract", [text for text in CONTRACTS if "guschti" not in text])
def test_every_contract_is_played_to_its_end__CT4(contract: str) -> None:
    match = schieber(contract_builders.random_hands(2), contract, slalom="on", end="round")
    rng = random.Random(1)
    while not match.rounds:
        match.act(match.to_act[0], evaluate(match, FAST_EFFORTS[0], rng.randrange(100))[0].action)
    assert match.rounds[0]["contract"] == contract
    assert len(match.rounds[0]["tricks"]) == 9
