"""Rounds of trick-taking games for the kernels, with chosen hands."""

import random
from collections.abc import Sequence

import numpy as np

from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set
from jasstisch.games import scoring_kinds
from jasstisch.search.jit.prng import new_stream, next_u64, nth_card, randbelow_from_word
from jasstisch.search.rounds import random_playouts, round_state
from jasstisch.search.sampling.determinization import Deals
from tests.rules import match_builders


def card(text: str) -> int:
    return JASS.numbers[text]


def cards(text: str) -> int:
    return card_set(card(one) for one in match_builders.cards(text))


def differenzler_ending(
    hands: Sequence[str], targets: Sequence[int], trump: str
) -> round_state.Round:
    """The end of a round of Differenzler, with these cards left and these points wanted."""
    state = round_state.new_round(range(len(hands)))
    state[round_state.SCORING] = scoring_kinds.BY_DIFFERENCE
    state[round_state.UNDERTRUMP] = tricks.IF_VOID
    round_state.set_ranking(state, SUITS.index(trump))
    for seat, (hand, target) in enumerate(zip(hands, targets, strict=True)):
        state[round_state.HANDS + seat] = cards(hand)
        state[round_state.TARGET + seat] = target
    return state


def sample_deals(*states: round_state.Round) -> Deals:
    return np.array(states)


def legal_cards(state: round_state.Round) -> list[int]:
    allowed = round_state.legal_moves(state)
    return [one for one in range(36) if allowed >> one & 1]


def play_out_in_single_plays(
    state: round_state.Round, seed: int
) -> tuple[round_state.Round, round_state.Round]:
    """The end of a round by a playout, and by single plays with the same random numbers."""
    played_out, chance = state.copy(), new_stream(random.Random(seed))
    random_playouts.finish_round(played_out, chance.copy())
    luck = next_u64(chance)
    while state[round_state.TURN] >= 0:
        legal = int(round_state.legal_moves(state))
        place, luck = randbelow_from_word(np.uint64(luck), legal.bit_count())
        round_state.play_card(state, nth_card(legal, place))
        if state[round_state.TRICK_SIZE] == 0:
            luck = next_u64(chance)
    return played_out, state


def assert_same_points(one: round_state.Round, other: round_state.Round, players: int) -> None:
    """Asserts that both rounds have the same cards left and taken, and the same points."""
    for block in (
        round_state.HANDS,
        round_state.CAPTURED_CARDS,
        round_state.EXTRA_POINTS,
        round_state.CAPTURED_POINTS,
    ):
        there = slice(block, block + players)
        assert list(one[there]) == list(other[there])
