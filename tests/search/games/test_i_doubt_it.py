"""I Doubt It in kernels: deals agree with `Match`, and playouts end."""

from __future__ import annotations

import itertools
import random

import pytest

import jasstisch as jt
from jasstisch.bots.searching.i_doubt_it.observation import rank_index, to_counts
from jasstisch.bots.searching.i_doubt_it.policies import POLICY_TABLE
from jasstisch.engine.cards import cards_in_set
from jasstisch.games.i_doubt_it import FULL_DECK
from jasstisch.search.games.i_doubt_it import deal_state as doubt
from jasstisch.search.games.i_doubt_it.policy import doubt_probability, play_out
from jasstisch.search.jit.prng import new_stream
from tests.games.test_i_doubt_it import start
from tests.search.games.i_doubt_it_deals import PLAYERS, random_deal_match, rules_of, to_kernel_deal


def apply_action(deal: doubt.Deal, match: jt.Match, action: str) -> None:
    """Applies an action to a kernel deal before the match takes it."""
    (seat,) = match.to_act
    words = action.split()
    if words[0] == "lay":
        ranks = [rank_index(card) for card in words[1:-2]]
        deal[doubt.OPEN_CARDS : doubt.OPEN_CARDS + len(ranks)] = ranks
        doubt.lay(deal, FULL_DECK.ranks.index(words[-1]), len(ranks))
    elif action == "doubt":
        doubt.doubt(deal, seat)
    elif (seat + 1) % match.game.players == deal[doubt.CLAIMANT]:
        doubt.accept(deal)


def assert_equal(deal: doubt.Deal, match: jt.Match) -> None:
    """Asserts that a kernel deal has the state of the match."""
    rules = rules_of(match)
    everybody = slice(0, match.game.players)
    if match.over:
        assert deal[doubt.OVER]
        assert deal[doubt.NET_CHIPS :][everybody].tolist() == match.rounds[0]["chips"]
        assert deal[doubt.HAND_SIZES :][everybody].tolist() == match.rounds[0]["left"]
        return
    hands = [
        to_counts([FULL_DECK.texts[card] for card in cards_in_set(hand)]) for hand in rules.hands
    ]
    pile = deal[doubt.PILE : doubt.PILE + deal[doubt.MIDDLE_SIZE]] % doubt.OWNER_BASE
    assert not deal[doubt.OVER]
    assert deal[doubt.HANDS :][everybody].tolist() == hands
    assert deal[doubt.HAND_SIZES :][everybody].tolist() == rules.hand_sizes()
    assert pile.tolist() == [FULL_DECK.rank(card) for card in rules.middle]
    assert deal[doubt.NET_CHIPS :][everybody].tolist() == rules.fees
    assert deal[doubt.CLAIM_NUMBER] == rules.claims
    turn = rules.turns[-1].seat if rules.phase == "answer" else rules.to_act[0]
    assert deal[doubt.CLAIMANT] == turn


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seed", range(6))
def test_kernel_deal_agrees_with_match_after_every_action__ID1_ID9(players: int, seed: int) -> None:
    """Random deals with all house rules."""
    last = ("three", "any")[seed % 2]
    match, player = random_deal_match(
        players, 100 * players + seed, last=last, lie_fee=seed // 2 % 2
    )
    player.step(match)
    deal = to_kernel_deal(match)
    while not match.over:
        before = len(match.record()["log"])
        twin = jt.Match.from_record(match.record())
        player.step(match)
        apply_action(deal, twin, match.record()["log"][before][1])
        assert_equal(deal, match)


@pytest.mark.parametrize("players", PLAYERS)
def test_playouts_end_with_each_pair_of_policies(players: int) -> None:
    """Cards and chips are conserved."""
    chance = new_stream(random.Random(players))
    for pair in itertools.product(range(len(POLICY_TABLE)), repeat=2):
        match, player = random_deal_match(players, players)
        player.step(match)
        deal = to_kernel_deal(match)
        deal[doubt.POLICIES : doubt.POLICIES + players] = [
            pair[seat % 2] for seat in range(players)
        ]
        play_out(deal, POLICY_TABLE, 10_000, chance)
        assert deal[doubt.OVER]
        assert deal[doubt.NET_CHIPS : doubt.NET_CHIPS + players].sum() == 0
        assert (
            deal[doubt.HAND_SIZES : doubt.HAND_SIZES + players].sum() + deal[doubt.MIDDLE_SIZE]
            == 52
        )


@pytest.mark.parametrize("count", [1, 2, 3])
def test_ranks_at_least_finds_the_ranks_held_at_least_count_times(count: int) -> None:
    hand = to_counts(["2C", "3C", "3D", "4C", "4D", "4H", "AC", "AD", "AH", "AS"])
    expected = [rank for rank, held in ((0, 1), (1, 2), (2, 3), (12, 4)) if held >= count]
    found = doubt.ranks_with_min_count(hand, count)
    assert [rank for rank in range(13) if doubt.count_of(found, rank)] == expected


def test_holding_more_of_the_claimed_rank_raises_the_doubt_probability() -> None:
    match = start({0: "2C 3C 4C"})
    deal = to_kernel_deal(match)
    deal[doubt.OPEN_CARDS : doubt.OPEN_CARDS + 3] = [0, 1, 2]
    king = FULL_DECK.ranks.index("K")
    doubt.lay(deal, king, 3)
    deal[doubt.MIDDLE_SIZE] = 12
    chances = []
    for held in range(3):
        deal[doubt.HANDS + 1] = held << doubt.BITS_PER_RANK * king
        chances.append(doubt_probability(deal, 1, POLICY_TABLE[2]))
    assert chances[2] > chances[1] > chances[0]
