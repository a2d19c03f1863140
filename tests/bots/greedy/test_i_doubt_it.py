"""Greedy at I Doubt It: beliefs, doubts, lays and claims."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import jasstisch as jt
from jasstisch import arena
from jasstisch.bots.greedy.i_doubt_it import _doubt_gain, expected_deal_chips, truth_probability
from jasstisch.bots.greedy.i_doubt_it_card_tracker import (
    _CARDS,
    RANKS,
    CardTracker,
    poisson_binomial_tail,
)
from jasstisch.games.i_doubt_it import FULL_DECK
from jasstisch.games.i_doubt_it_claims import LegalClaims
from tests.games.test_i_doubt_it import Player, all_pass, lay, start, unseen
from tests.rules.match_builders import cards

GREEDY = jt.bot("greedy")


def act(match: jt.Match) -> str:
    """The action that greedy chooses."""
    (seat,) = match.to_act
    legal = match.legal(seat)
    action = GREEDY.act(match.view(seat), legal, random.Random(0))
    assert action in legal
    return action


def location_probabilities(seen: CardTracker, card: str) -> list[float]:
    """The probabilities of a card to be in each hand and, last, in the middle."""
    return [chances[FULL_DECK.numbers[card]] for chances in seen.probabilities]


# Beliefs.


@pytest.mark.parametrize(
    ("count", "chances", "expected"),
    [
        (0, [], 1.0),
        (1, [], 0.0),
        (1, [0.5], 0.5),
        (3, [1.0, 1.0, 1.0, 0.0], 1.0),
        (3, [0.5] * 4, 5 / 16),
        (2, [0.2, 0.0, 0.6, 0.0], 0.12),
    ],
)
def test_poisson_binomial_tail_is_the_probability_of_at_least_count(
    count: int, chances: Sequence[float], expected: float
) -> None:
    assert poisson_binomial_tail(count, chances) == pytest.approx(expected)


def test_unseen_cards_start_with_probabilities_in_proportion_to_hand_sizes() -> None:
    match = start({0: "2C"}, players=3)
    seen = CardTracker(match.view(0))
    assert location_probabilities(seen, "2C") == [0.0] * 4
    other = match.hand(1)[0]
    assert location_probabilities(seen, other) == pytest.approx([0.0, 17 / 35, 17 / 35, 1 / 35])


def test_revealed_cards_are_known_to_be_in_the_hand_that_took_them() -> None:
    match = start({0: "2C 3D 4H"})
    lay(match, "2C 3D 4H", rank="K")
    match.act(1, "doubt")
    seen = CardTracker(match.view(2))
    for card in ("2C", "3D", "4H"):
        assert location_probabilities(seen, card) == pytest.approx([1, 0, 0, 0, 0])
    assert seen.caught_lie_counts == [1, 0, 0, 0]
    assert seen.claim_counts == [1, 0, 0, 0]


def test_own_cards_are_tracked_through_the_middle() -> None:
    match = start({1: "234C"})
    unseen(match, 1)
    lay(match, "234C", rank="K")
    all_pass(match)
    assert location_probabilities(CardTracker(match.view(1)), "3C") == pytest.approx(
        [0, 0, 0, 0, 1]
    )
    lay(match, rank="2" if match.hand(2)[0][0] != "2" else "3")
    match.act(3, "doubt")
    seen = CardTracker(match.view(1))
    for card in ("2C", "3C", "4C"):
        assert location_probabilities(seen, card) == pytest.approx([0, 0, 1, 0, 0])


def test_a_player_who_draws_cards_just_laid_is_known_to_hold_them__ID5() -> None:
    match = start({6: "234C 5D 6H 7S 9C"}, players=7)
    unseen(match, 6)
    lay(match, "5D 6H 7S")
    all_pass(match)
    unseen(match, 6)
    lay(match, "2C 3C 4C")
    all_pass(match)
    assert match.to_act == (0,)
    seen = CardTracker(match.view(6))
    assert location_probabilities(seen, "4C")[0] == pytest.approx(1)
    assert location_probabilities(seen, "3C")[0] == pytest.approx(1)
    assert location_probabilities(seen, "2C")[7] == pytest.approx(1)
    assert seen.sizes == match.view(None)["hand_sizes"]


def test_middle_is_empty_after_taking_the_own_cards_back() -> None:
    match = start({0: "234C"})
    lay(match, "234C", rank="K")
    match.act(1, "doubt")
    seen = CardTracker(match.view(0))
    assert seen.probabilities[-1] == [0.0] * _CARDS
    assert seen.sizes == [13] * 4


def test_cards_of_a_claimed_rank_are_likelier_to_be_in_the_middle() -> None:
    """Unseen cards go into the middle with a part of each card, most of the rank claimed."""
    match = start({1: "2C"})
    lay(match, rank="K")
    all_pass(match)
    seen = CardTracker(match.view(1))
    king = next(card for card in ("KC", "KD", "KH", "KS") if card not in match.hand(1))
    other = next(card for card in ("5C", "5D", "5H", "5S") if card not in match.hand(1))
    assert location_probabilities(seen, king)[-1] > location_probabilities(seen, other)[-1] > 0


def test_passing_lowers_the_probability_of_holding_the_claimed_rank() -> None:
    match = start({0: "2C 3C 4C"})
    lay(match, "2C 3C 4C", rank="K")
    match.act(1, "pass")
    match.act(2, "pass")
    match.act(3, "doubt")
    seen = CardTracker(match.view(0))
    king = next(card for card in ("KC", "KD", "KH", "KS") if card not in match.hand(0))
    chances = location_probabilities(seen, king)
    assert chances[1] == pytest.approx(chances[2])
    assert chances[3] > 1 / 3 > chances[1]


@pytest.mark.parametrize("players", [2, 3, 4, 7])
@pytest.mark.parametrize("last", ["three", "any"])
def test_certain_beliefs_are_true_and_probabilities_sum_to_one(players: int, last: str) -> None:
    """Each card is somewhere; certainties are true; no card of its own is elsewhere."""
    player = Player(players)
    match = jt.Match(jt.game("i-doubt-it", players=players, rounds=1, last=last, max_turns=40))
    while not match.over:
        player.step(match)
        view = match.view(None)
        if view["phase"] not in {"lay", "answer"}:
            continue
        seat = len(match.record()["log"]) % players
        check_beliefs(match, CardTracker(match.view(seat)), view)


def check_beliefs(match: jt.Match, seen: CardTracker, view: dict[str, Any]) -> None:
    """Compares the beliefs of a seat with the true hands, including the cards of an open claim."""
    hands = [set(match.hand(seat)) for seat in range(len(view["players"]))]
    claim = view["claim"]
    if claim:
        rules: Any = match._rules
        hands[claim["seat"]] |= {FULL_DECK.texts[card] for card in rules.turns[-1].laid}
    assert seen.sizes == [len(hand) for hand in hands]
    assert len(seen.middle_pile) == view["middle"]
    for card, text in enumerate(FULL_DECK.texts):
        chances = [there[card] for there in seen.probabilities]
        if text in match.hand(seen.seat):
            assert chances == [0.0] * len(chances)
            continue
        if claim and claim["seat"] == seen.seat:
            continue  # its own open claim: nothing to decide
        assert sum(chances) == pytest.approx(1)
        for seat, hand in enumerate(hands):
            if chances[seat] > 1 - 1e-9:
                assert text in hand


# Doubting.


def test_claim_disproved_by_own_cards_has_truth_probability_zero() -> None:
    """Two cards of a rank in hand disprove a claim of three."""
    match = start({1: "KC KD", 2: "KH"})
    lay(match, rank="K")
    assert truth_probability(CardTracker(match.view(1)), 0, FULL_DECK.ranks.index("K"), 3) == 0
    match.act(1, "pass")
    assert 0 < truth_probability(CardTracker(match.view(2)), 0, FULL_DECK.ranks.index("K"), 3) < 1


def test_claim_of_three_cards_known_to_be_held_is_believed() -> None:
    """A player who openly took three kings may well lay them."""
    match = start({0: "KC KD KH", 1: "2C 3C 4C"})
    lay(match, "KC KD KH", rank="Q")
    match.act(1, "doubt")
    unseen(match, 3)
    lay(match, "KC KD KH", rank="K")
    assert truth_probability(CardTracker(match.view(1)), 0, FULL_DECK.ranks.index("K"), 3) > 0.85
    assert act(match) == "pass"


def lay_undoubted_claims(match: jt.Match, number: int) -> None:
    """Makes this many claims that nobody doubts."""
    for _ in range(number):
        lay(match, rank="K")
        all_pass(match)


def test_a_certain_lie_is_doubted_unless_the_middle_is_empty() -> None:
    """Over an empty middle it passes, because the liar would only take their own cards back."""
    kings = {1: "KC KD KH", 2: "2C 3C 4C", 3: "5C 6C 7C"}
    match = start(kings)
    lay(match, rank="K")
    assert act(match) == "pass"
    match = start(kings)
    lay_undoubted_claims(match, 4)
    lay(match, rank="K")
    assert act(match) == "doubt"


def test_a_fee_makes_every_certain_lie_worth_doubting__ID9() -> None:
    match = start({1: "KC KD KH"}, lie_fee=1)
    lay(match, rank="K")
    assert act(match) == "doubt"


def test_players_caught_often_are_doubted_more() -> None:
    match = start({0: "2C 3C 4C 5D", 1: "KC KD KH", 2: "2D 3D 4D", 3: "2H 3H 4H"})
    for _ in range(2):
        lay(match, "2C 3C 4C", rank="A")
        match.act(1, "doubt")
        for _ in range(3):
            lay(match)
            all_pass(match)
    lay(match, "2C 3C 5D", rank="K")
    assert act(match) == "doubt"


def about_to_win(hands: dict[int, str], laid: str, rank: str) -> jt.Match:
    """Eight players: seat 0 lays its last three cards over a middle of 28."""
    match = start({0: f"9C 9D TS {laid}", **hands}, players=8)
    lay(match, "9C 9D TS", rank="9")
    all_pass(match)
    unseen(match, 7)
    lay(match, laid, rank=rank)
    return match


def test_last_cards_known_to_be_a_lie_are_doubted__ID6() -> None:
    match = about_to_win({1: "2C 3C 4C KC KD KH"}, "5C 6C 7C", "K")
    assert act(match) == "doubt"


@pytest.mark.parametrize("seat", [1, 4, 7])
def test_doubting_last_cards_gains_less_the_likelier_the_claim_is_true__ID6(seat: int) -> None:
    """A sure lie is worth doubting; a true claim costs the doubter the whole middle, too."""
    match = about_to_win({}, "5C 6C 7C", "K")
    while match.to_act != (seat,):
        match.act(match.to_act[0], "pass")
    view = match.view(seat)
    gains = [_doubt_gain(view, CardTracker(view), chance / 10) for chance in range(11)]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0 > gains[10]


def test_the_last_player_to_answer_doubts_more__ID3() -> None:
    """Earlier players can leave the doubt to the later ones."""
    match = about_to_win({}, "5C 6C 7C", "K")
    first = match.view(1)
    for seat in range(1, 7):
        match.act(seat, "pass")
    last = match.view(7)
    assert _doubt_gain(last, CardTracker(last), 0.1) > _doubt_gain(first, CardTracker(first), 0.1)


def test_the_last_claim_of_a_deal_is_doubted_for_its_payment__ID8() -> None:
    """A caught layer no longer has the smallest hand and is not paid."""
    match = start({3: "2C 3C 4C", 0: "KC KD"}, max_turns=20)
    for _ in range(19):
        first = match.hand(match.to_act[0])[0][0]
        lay(match, rank="2" if first != "2" else "3")
        match.act(match.to_act[0], "doubt")
    lay(match, "2C 3C 4C", rank="K")
    view = match.view(1)
    assert _doubt_gain(match.view(0), CardTracker(match.view(0)), 0.0) > 0
    assert act(match) == "doubt"
    match.act(0, "pass")
    assert _doubt_gain(view, CardTracker(view), 1.0) < 0


@pytest.mark.parametrize(
    ("sizes", "over", "expected"),
    [
        ([0, 3, 5], False, 8.0),
        ([3, 0, 5], False, -3.0),
        ([3, 4, 5], True, 3.0),
        ([4, 3, 5], True, -1.0),
        ([3, 3, 5], True, 0.0),
        ([0, 3, 5], True, 8.0),
        ([6, 6, 6], False, 0.0),
    ],
)
def test_expected_chips_of_hand_sizes__ID6_ID8(
    sizes: list[int], over: bool, expected: float
) -> None:
    assert expected_deal_chips(sizes, 0, over=over) == pytest.approx(expected)


def test_smaller_hands_are_worth_more() -> None:
    assert (
        expected_deal_chips([3, 9, 9], 0)
        > expected_deal_chips([6, 9, 9], 0)
        > 0
        > expected_deal_chips([12, 9, 9], 0)
    )
    assert expected_deal_chips([9, 3, 9], 0) < expected_deal_chips([9, 9, 9], 0)


# Laying.


def test_three_of_a_rank_are_claimed_truthfully__ID2() -> None:
    match = start({0: "KC KD KH 2C 4S 5D 6H 7C 8S 9D TH JC 3D"})
    assert act(match) == "lay KC KD KH as K"


def test_a_rank_held_three_times_is_laid_before_one_held_four_times() -> None:
    match = start({0: "KC KD KH KS 4C 4D 4H 7C 8S 9D TH JC 3D"})
    assert act(match) == "lay 4C 4D 4H as 4"


def test_a_rank_the_next_player_can_hardly_hold_is_preferred__ID5() -> None:
    """The next player may have to draw them: seat 1 openly took the fourth five."""
    match = start({0: "5C 5D 5H 4C 4D 4H", 1: "5S 2C 3C"})
    lay(match, "5C 4C 4D", rank="A")
    match.act(1, "doubt")
    lay(match, "5S 2C 3C", rank="A")
    match.act(2, "doubt")
    unseen(match, 2)
    assert match.to_act == (0,)
    assert act(match) == "lay 4C 4D 4H as 4"


def test_without_three_of_a_rank_greedy_lies_with_single_cards() -> None:
    match = start({0: "KC KD 2C 2S 5D 5H 7C 8S 9D TH JC 3D AS"})
    words = act(match).split()
    assert not {"KC", "KD", "2C", "2S", "5D", "5H"} & set(words)
    assert words[-1] in "K25"


def test_a_rank_just_claimed_is_not_claimed_again_at_once() -> None:
    """A pair makes a lie hard to disprove, but not over the same middle a second time."""
    match = start({0: "KC KD 2C 2S 4D 5H 7C 8S 9D TH JC 3D AS"})
    first = act(match)
    match.act(0, first)
    all_pass(match)
    unseen(match, 3, rank="6")
    assert act(match)[-1] in {"K", "2"} - {first[-1]}


def test_drawing_two_of_the_rank_just_claimed_repeats_the_claim__ID5() -> None:
    """Two drawn kings and one other card: three kings are the likeliest lie."""
    match = start({0: "2C 3C 4C 5D 6D 7D 9H", 6: "KC KD KH 2S 3S 4S 5S"}, players=7)
    for laid, of_the_last in (("2C 3C 4C", "2S 3S 4S"), ("5D 6D 7D", "KC KD KH")):
        lay(match, laid)
        all_pass(match)
        unseen(match, 5)
        lay(match, of_the_last, rank="K")
        all_pass(match)
    assert match.hand(0) == ["KD", "9H", "KH"]
    assert act(match) == "lay KD 9H KH as K"


def test_last_cards_are_laid_with_last_any__ID5() -> None:
    match = start(players=7, last="any")
    unseen(match, 14)
    words = act(match).split()
    assert words[1:-2] == match.hand(0)


@pytest.mark.parametrize(("turns", "held"), [(0, 26), (10, 41)])
def test_greedy_chooses_among_thousands_of_lays__ID2(turns: int, held: int) -> None:
    """It never enumerates them; its lay is one of them."""
    match = start(players=2)
    unseen(match, turns)
    if turns:
        lay(match, rank="2" if match.hand(0)[0][0] != "2" else "3")
        match.act(1, "doubt")
        unseen(match, 1)
    assert len(match.hand(0)) == held
    assert len(match.legal(0)) > 30_000
    assert act(match).startswith("lay ")


class NonIterableLays(LegalClaims):
    """Lays that must not be enumerated."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("thousands of actions are being listed")


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_no_bot_enumerates_all_lays__ID2(name: str) -> None:
    match = start(players=2)
    legal = NonIterableLays(match.hand(0), 3, FULL_DECK.ranks)
    assert jt.bot(name).act(match.view(0), legal, random.Random(1)) in match.legal(0)


# Strength.


def test_greedy_wins_most_deals_against_three_random_bots() -> None:
    """It wins about two thirds; the target is 40 %, and one in four is chance.

    This many claims leave time for hands to grow small (ID8).
    """
    game = jt.game("i-doubt-it", max_turns=100)
    table = arena.contest(game, ["greedy", "random", "random", "random"])
    greedy = arena.run(table, deals=5, seed=3)["bots"][0]
    assert greedy["wins"] > 0.5
    assert greedy["mean"] > 10


def test_deals_among_greedy_bots_mostly_end_by_going_out__ID6() -> None:
    """Deals among four greedy bots nearly always end by themselves."""
    ended = arena.run(arena.contest(jt.game("i-doubt-it"), ["greedy"] * 4), deals=12, seed=3)
    assert ended["out"] > 0.75
    assert ended["claims"] < 60


def test_rank_and_card_counts_equal_those_of_the_pack() -> None:
    assert (
        RANKS * 4
        == _CARDS
        == len(cards(f"{FULL_DECK.ranks}C {FULL_DECK.ranks}D {FULL_DECK.ranks}H")) + RANKS
    )
