"""Kernel rounds with a contract and partners, compared with matches of Schieber and Coiffeur."""

import random

import pytest

import jasstisch as jt
from jasstisch.engine.cards import JASS, card_set
from jasstisch.games.contracts import CONTRACTS
from jasstisch.games.trick_taking import UNDERTRUMP
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.rounds import contracts, round_state
from tests.rules import contract_builders
from tests.search import kernel_positions
from tests.search.kernel_positions import cards

PLACE_OF = {text: place for place, text in enumerate(CONTRACTS)}
SILENT = {"weis": "off", "end": "round"}
"""Only cards and the match bonus count, and every round is played to its end."""


def match_with(contract: str, seed: int) -> jt.Match:
    """A match with random hands, in which this contract is announced."""
    hands = contract_builders.random_hands(seed)
    if contract.startswith("guschti"):
        return contract_builders.coiffeur(hands, contract, lines="ten", dealer=3)
    return contract_builders.schieber(hands, contract, slalom="on", dealer=3, **SILENT)


def opening(match: jt.Match) -> round_state.Round:
    """The round of a match before its first card."""
    view = match.view(0)
    state = round_state.new_round(range(4))
    state[round_state.UNDERTRUMP] = UNDERTRUMP[view["options"]["undertrump"]]
    for seat in range(4):
        state[round_state.HANDS + seat] = card_set(
            [JASS.numbers[text] for text in match.hand(seat)]
        )
    contracts.start_contract(
        state, PLACE_OF[view["contract"]], view["by"], int(view["pushed"]), match.to_act[0]
    )
    return state


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("seed", range(6))
def test_kernel_round_agrees_with_match__CT3__CT4__CT5__CT6(contract: str, seed: int) -> None:
    match, rng = match_with(contract, seed), random.Random(seed)
    state = opening(match)
    while not match.rounds:
        (seat,) = match.to_act
        assert state[round_state.TURN] == seat
        legal = [JASS.texts[card] for card in kernel_positions.legal_cards(state)]
        allowed = [action.removeprefix("play ") for action in match.legal(seat)]
        assert sorted(legal) == sorted(allowed)
        card = rng.choice(allowed)
        match.act(seat, f"play {card}")
        round_state.play_card(state, JASS.numbers[card])
    bonus = match.game.options["match_bonus"]
    assert isinstance(bonus, int)
    counted = [contracts.side_points(state, seat, bonus) for seat in range(4)]
    assert counted == match.rounds[0]["points"]


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("seed", range(4))
def test_playout_equals_single_plays_in_every_contract(contract: str, seed: int) -> None:
    rng = random.Random(seed)
    stepped = opening(match_with(contract, seed))
    for _ in range(rng.randrange(30)):
        round_state.play_card(stepped, rng.choice(kernel_positions.legal_cards(stepped)))
    played_out, stepped = kernel_positions.play_out_in_single_plays(stepped, seed)
    kernel_positions.assert_same_points(played_out, stepped, 4)


@pytest.mark.parametrize("bonus", [0, 100, 257])
def test_side_with_all_tricks_gets_the_match_bonus_and_the_other_nothing__CT6(bonus: int) -> None:
    match = contract_builders.schieber(contract_builders.WHOLE_SUITS, "tops", dealer=3, **SILENT)
    state = opening(match)
    while state[round_state.TURN] >= 0:
        round_state.play_card(state, kernel_positions.legal_cards(state)[-1])
    assert [contracts.side_points(state, seat, bonus) for seat in range(4)] == [
        157 + bonus, 0, 157 + bonus, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("hands", "extra"),
    [
        (["678S", "9TJD", "QKAC", ""], [0, 0, 40, 0]),
        (["678S", "9TJD", "KQH 678C", ""], [0, 20, 20, 0]),
        (["JC JD JH JS 678S", "9C 9D 9H 9S", "", ""], [220, 0, 0, 0]),
        (["678S", "678D", "678C", "QKAD"], [0, 0, 0, 40]),
    ],
)
def test_the_side_with_the_best_meld_scores_all_of_its_melds__SC3__SC4(
    hands: list[str], extra: list[int]
) -> None:
    dealt = contract_builders.quiet_hands(dict(enumerate(hands)))
    state = round_state.new_round(range(4))
    for seat, hand in enumerate(dealt):
        state[round_state.HANDS + seat] = cards(" ".join(hand))
    contracts.start_contract(state, PLACE_OF["trump H"], 0, 0, 0)
    contracts.score_melds(state, 0)
    assert list(state[round_state.EXTRA_POINTS : round_state.EXTRA_POINTS + 4]) == extra


@pytest.mark.parametrize("seed", range(40))
def test_kernel_counts_the_melds_and_stoeck_scored_in_the_match__SC3__SC4(seed: int) -> None:
    """All seats announce their melds, as the kernel assumes."""
    rng = random.Random(seed)
    contract = rng.choice([text for text in CONTRACTS if not text.startswith("guschti")])
    hands = contract_builders.random_hands(seed)
    match = contract_builders.schieber(hands, contract, slalom="on", dealer=3, end="round")
    state = opening(match)
    contracts.score_melds(state, 0)
    while not match.rounds:
        (seat,) = match.to_act
        plays = match.legal(seat)
        match.act(seat, rng.choice([one for one in plays if one.endswith("weis")] or list(plays)))
    result = match.rounds[0]
    counted = [
        int(state[round_state.EXTRA_POINTS + side] + state[round_state.EXTRA_POINTS + side + 2])
        for side in (0, 1)
    ]
    assert counted == [result["weis"][side] + result["stoeck"][side] for side in (0, 1)]


@pytest.mark.parametrize(
    ("hand", "announcer", "pushed"),
    [("J9AKH 6H AS AD 7C 8S", 0, 0), ("9TC 8TQD 8TS 8KH", 2, 1)],
)
def test_forehand_announces_a_strong_hand_and_pushes_a_weak_one__SC1(
    hand: str, announcer: int, pushed: int
) -> None:
    state = round_state.new_round(range(4))
    for seat, one in enumerate(contract_builders.quiet_hands({0: hand})):
        state[round_state.HANDS + seat] = cards(" ".join(one))
    contracts.simulate_announcing(state, 0, 0b111111, 0.0, new_stream(random.Random(1)))
    assert (state[round_state.ANNOUNCER], state[round_state.PUSHED]) == (announcer, pushed)
    assert state[round_state.TURN] == 0, "forehand leads, whoever announces"
