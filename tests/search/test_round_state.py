"""Kernel rounds: playouts, deals, points and voids. Other modules compare them with matches."""

import random

import numpy as np
import pytest

from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import SUITS
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.rounds import random_playouts, round_state
from tests.rules import match_builders
from tests.search import kernel_positions
from tests.search.kernel_positions import card, cards


def dealt(
    seed: int, trump: int, bombs: int = melds.NO_BOMBS, players: int = 4
) -> round_state.Round:
    rng = random.Random(seed)
    state = round_state.new_round(range(players))
    round_state.set_ranking(state, trump)
    state[round_state.BOMBS] = bombs
    state[round_state.UNDERTRUMP], state[round_state.EIGHTS_COUNT] = rng.randrange(5), 1
    for seat, hand in enumerate(match_builders.random_hands(players, rng)):
        state[round_state.HANDS + seat] = cards(" ".join(hand))
    return state


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_playout_equals_single_plays(players: int, seed: int) -> None:
    """Started anywhere in a round, with the same random numbers, both end the same."""
    rng = random.Random(seed)
    stepped = dealt(seed, rng.randrange(-1, 4), melds.BOMBS_FIFTY, players)
    for _ in range(rng.randrange(20)):
        if stepped[round_state.TURN] >= 0:
            round_state.play_card(stepped, rng.choice(kernel_positions.legal_cards(stepped)))
    played_out, stepped = kernel_positions.play_out_in_single_plays(stepped, seed)
    for word in (round_state.RANKING, round_state.TURN):
        assert played_out[word] == stepped[word]
    kernel_positions.assert_same_points(played_out, stepped, players)


@pytest.mark.parametrize("seed", range(10))
def test_a_round_with_a_trump_is_worth_157__C3(seed: int) -> None:
    state = dealt(seed, seed % 4)
    random_playouts.finish_round(state, new_stream(random.Random(seed)))
    assert sum(round_state.points(state, seat) for seat in range(4)) == 157


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_card_is_dealt_to_one_seat_and_to_each_equally_often(players: int) -> None:
    """In 6,000 deals each seat gets each card equally often, within five standard errors."""
    state, pack = round_state.new_round(range(players)), np.arange(36)
    chance = new_stream(random.Random(players))
    got = np.zeros((players, 36))
    for _ in range(6000):
        random_playouts.deal_hands(state, pack, chance)
        hands = [int(state[round_state.HANDS + seat]) for seat in range(players)]
        assert [hand.bit_count() for hand in hands] == [36 // players] * players
        assert sum(hands) == (1 << 36) - 1
        got += [[hand >> card & 1 for card in range(36)] for hand in hands]
    share = 1 / players
    spread = 5 * (6000 * share * (1 - share)) ** 0.5
    assert np.abs(got - 6000 * share).max() < spread


def test_cards_captured_before_their_suit_became_trump_are_valued_anew__C10() -> None:
    """Seat 0 holds the jack and nine of hearts already when seat 2 makes hearts trump."""
    hands = ["AC 6D", "7C 7D", "8C 8H", "9C 9D"]
    state = kernel_positions.differenzler_ending(hands, [0] * 4, "C")
    round_state.set_ranking(state, -1)
    state[round_state.CAPTURED_CARDS] = cards("9JH")
    round_state.revalue_captured(state)
    assert round_state.points(state, 0) == 2
    for one in ("AC", "7C", "8C", "9C", "6D", "7D", "8H"):
        round_state.play_card(state, card(one))
    assert state[round_state.RANKING] == SUITS.index("H")
    assert round_state.points(state, 0) == 11 + 20 + 14


def test_winner_of_a_bombed_trick_gets_the_points_of_the_bomb__MV4() -> None:
    state = kernel_positions.differenzler_ending(["6H 6C", "7H 7C", "8H 8C", "9H 9C"], [0] * 4, "S")
    state[round_state.BOMBS] = melds.BOMBS_FIFTY
    for one in ("6H", "7H", "8H", "9H"):
        round_state.play_card(state, card(one))
    assert [round_state.points(state, seat) for seat in range(4)] == [0, 0, 0, 50]


def test_seats_out_of_play_are_skipped() -> None:
    state = round_state.new_round([1, 3])
    state[round_state.UNDERTRUMP] = tricks.STRICT
    round_state.set_ranking(state, 0)
    state[round_state.HANDS + 1], state[round_state.HANDS + 3] = cards("6H 6C"), cards("AH AC")
    for one in ("6H", "AH", "AC", "6C"):
        round_state.play_card(state, card(one))
    assert state[round_state.TURN] == -1
    assert (
        np.count_nonzero(
            state[round_state.CAPTURED_CARDS : round_state.CAPTURED_CARDS + round_state.SEATS]
        )
        == 1
    )
    assert round_state.points(state, 3) == 11 + 11 + tricks.LAST_TRICK


def test_discarding_shows_a_void_and_trumping_does_not() -> None:
    """Seat 1 discards; seat 2 trumps, which shows no void (C8d); seat 3 follows."""
    hands = ["AS KC", "7D 8D", "6H 8C", "9S TC"]
    state = kernel_positions.differenzler_ending(hands, [0] * 4, "H")
    for text in ("AS", "7D", "6H", "9S"):
        round_state.play_card(state, card(text))
    assert state[round_state.VOIDS] == 1 << 4 * 1 + SUITS.index("S")


def test_each_seat_has_its_own_policy_index() -> None:
    state = round_state.new_round(range(6))
    state[round_state.POLICIES] = 0x30_00_21
    assert [int(round_state.policy_index(state, seat)) for seat in range(6)] == [1, 2, 0, 0, 0, 3]
