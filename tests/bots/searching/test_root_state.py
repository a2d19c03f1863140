"""`RootState`: the round that a view describes, and sampled deals of the hidden cards."""

import random
from typing import Any

import numpy as np
import pytest

import jasstisch as jt
from jasstisch.bots.searching.match_utility import utility_params
from jasstisch.bots.searching.root_state import RootState
from jasstisch.engine.cards import JASS, SUITS, card_set
from jasstisch.search import round_utility
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.rounds import round_state
from jasstisch.search.sampling.determinization import replay
from tests.rules import match_builders

RULES = ("undertrump", "long_runs", "no_trump", "ties", "marks", "exact_bonus", "zero_bonus",
         "five_player_marks", "bids", "trump")  # fmt: skip


def cards(texts: list[str]) -> int:
    return card_set([JASS.numbers[text] for text in texts])


def random_match_in_play(name: str, players: int, rng: random.Random) -> jt.Match:
    """A match with random options, somewhere in the play of its first rounds."""
    options = {
        option: rng.choice(values)
        for option, values in match_builders.OPTIONS[name].items()
        if option in RULES
    }
    match = jt.Match(jt.game(name, players=players, **options))
    while len(match.rounds) < rng.randrange(2) or not in_play(match) or rng.random() < 0.95:
        if match.over:
            match = jt.Match(match.game)
        match_builders.step(match, rng)
    return match


def in_play(match: jt.Match) -> bool:
    return not match.over and match.view(None)["phase"] == "play"


def with_true_hands(match: jt.Match, root: RootState) -> round_state.Round:
    """The round of a root state with the true hands and bids of the others."""
    state = root.initial_state.copy()
    for seat in range(match.game.players):
        state[round_state.HANDS + seat] |= cards(match.hand(seat))
        if match.game.name == "differenzler":
            state[round_state.TARGET + seat] = match.view(seat)["bids"][seat]
    replay(state, root.plays)
    return state


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_kernel_round_agrees_with_match_to_its_end(name: str, players: int, seed: int) -> None:
    """With the hidden hands filled in: equal legal cards, turns, points and marks."""
    rng = random.Random(seed)
    match = random_match_in_play(name, players, rng)
    seat = match.to_act[0]
    view = match.view(seat)
    state = with_true_hands(match, RootState(view))
    played = len(match.rounds)
    while len(match.rounds) == played and in_play(match):
        (turn,) = match.to_act
        assert state[round_state.TURN] == turn
        legal = [JASS.numbers[text[-2:]] for text in match.legal(turn)]
        assert round_state.legal_moves(state) == card_set(legal)
        assert match.view(turn)["points"][turn] == round_state.points(state, turn)
        action = rng.choice(match.legal(turn))
        match.act(turn, action)
        round_state.play_card(state, JASS.numbers[action[-2:]])
    assert state[round_state.TURN] == -1
    if len(match.rounds) > played:
        check_result(match.rounds[-1], state, view)
    else:
        assert match.needs_pack, "annulled, or a draw between three"


def check_result(finished: dict[str, Any], state: round_state.Round, view: dict[str, Any]) -> None:
    """Asserts that points, marks and utilities agree."""
    made = utility_params(view)
    utilities = np.zeros(round_state.SEATS)
    round_utility.round_utility(state, made, utilities)
    seats = range(len(finished["points"]))
    assert [round_state.points(state, seat) for seat in seats] == finished["points"]
    if view["game"] == "differenzler":
        assert [-utilities[seat] for seat in seats] == [int(mark) for mark in finished["marks"]]
        figures = [round_utility.metric_value(state, made, seat) for seat in seats]
        assert figures == finished["difference"]
    elif view["game"] == "molotow":
        assert [utilities[seat] for seat in seats] == [int(mark) for mark in finished["marks"]]
    else:
        marks = {"|": round_utility.TALLY, "-": round_utility.NO_MARK, "0": round_utility.SACK}
        found = [round_utility._place_mark(tuple(finished["points"]), made, seat) for seat in seats]
        assert found == [marks[mark] for mark in finished["marks"]]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("name", "players"), match_builders.KINDS)
def test_sampled_deals_agree_with_everything_seen(name: str, players: int, seed: int) -> None:
    """Hands have their sizes, no card occurs twice, and all plays were legal."""
    rng = random.Random(seed)
    match = random_match_in_play(name, players, rng)
    seat = match.to_act[0]
    root = RootState(match.view(seat))
    sizes = match.view(seat)["hand_sizes"]
    for state in root.sample_initial_deals(20, new_stream(rng)):
        for card in root.plays:
            assert round_state.legal_moves(state) >> int(card) & 1
            round_state.play_card(state, int(card))
        assert state[round_state.TURN] == seat
        hands = [int(state[round_state.HANDS + other]) for other in range(players)]
        assert hands[seat] == cards(match.hand(seat))
        assert [hand.bit_count() for hand in hands] == sizes
        everywhere = sum(hands) | int(state[round_state.TRICK_CARDS]) | root.position.unseen
        assert everywhere.bit_count() == sum(sizes) + len(match.trick)


def test_the_shown_trump_card_is_dealt_to_the_dealer__DF2() -> None:
    match = jt.Match(jt.game("differenzler", trump="bottom", dealer=2))
    rng = random.Random(4)
    match.deal(match_builders.shuffled(match, rng))
    shown = JASS.numbers[match.view(0)["shown"]]
    for deal in RootState(match.view(0)).sample_initial_deals(20, new_stream(rng)):
        assert deal[round_state.HANDS + 2] >> shown & 1


def test_current_state_contains_no_hidden_hand() -> None:
    match = match_builders.start(
        "molotov", match_builders.deal({0: "6H", 1: "7H", 2: "KH", 3: "AH"})
    )
    match_builders.play(match, "67H")
    state = RootState(match.view(2)).current_state
    hands = [state[round_state.HANDS + seat] for seat in range(4)]
    assert hands == [0, 0, cards(match.hand(2)), 0]
    assert (state[round_state.TURN], state[round_state.TRICK_SIZE]) == (2, 2)
    assert state[round_state.BEST_CARD] == JASS.numbers["7H"]


def test_tallies_to_go_count_open_sacks__MV9() -> None:
    view = jt.Match(jt.game("molotov", target=7)).view(0)
    view["standing"][2] = {"strokes": "||0", "tallies": 2, "sacks": 1}
    assert list(
        utility_params(view)[round_utility.TALLIES_TO_GO : round_utility.TALLIES_TO_GO + 4]
    ) == [
        7,
        7,
        6,
        7,
    ]


def test_initial_state_contains_a_drawn_trump_and_the_own_bid() -> None:
    match = match_builders.differenzler(
        match_builders.random_hands(4, random.Random(1)), "H", [10, 20, 30, 40]
    )
    opening = RootState(match.view(match.to_act[0])).initial_state
    assert opening[round_state.RANKING] == SUITS.index("H")
    assert list(opening[round_state.TARGET : round_state.TARGET + 4]) == [10, 0, 0, 0]
