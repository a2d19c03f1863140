"""A seat offered the rest takes all tricks, whatever cards are unseen and whatever the others play.

Positions come from random matches. In each the unseen cards are dealt anew to the others, who then
play at random, while the seat plays the cards of `sure_tricks`. The seat must take every trick, and
neither the result of the round nor the standing nor the winners may depend on the cards of others.
In small endings every deal and every play is tried (test_sure_tricks_endgames.py).
"""

from __future__ import annotations

import random
from itertools import islice

import pytest

import jasstisch as jt
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set
from jasstisch.games.coiffeur import Coiffeur
from jasstisch.games.schieber import Schieber
from jasstisch.games.sure_tricks import can_molotov_occur, sure_order
from tests.rules import match_builders
from tests.rules.sure_trick_positions import (
    claimed_result,
    play_out,
    positions,
    random_game,
    random_hands,
    result,
    with_hands,
)
from tests.support.example_counts import examples

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def cards(text: str) -> int:
    """A set of cards, written as hands in `match_builders`: `"AKC 9D"`."""
    return card_set(JASS.numbers[rank + word[-1]] for word in text.split() for rank in word[:-1])


def order(hand: str, unseen: str, *rankings: int) -> str:
    """The order of a hand; where one ranking is given it holds for all tricks."""
    held = cards(hand)
    each = rankings if len(rankings) > 1 else rankings * held.bit_count()
    return " ".join(JASS.texts[card] for card in sure_order(held, cards(unseen), each))


@pytest.mark.parametrize("name", match_builders.TRICK_GAMES)
def test_the_rest_has_one_result_whatever_others_hold_and_play(name: str) -> None:
    rng = random.Random(f"rest {name}")
    for rules, seat in islice(positions(name, rng), examples(24, 5)):
        own = rules.sure_tricks(seat)
        taken = len(rules.history)
        for _ in range(4):
            deal = with_hands(rules, seat, random_hands(rules, seat, rng))
            assert deal.sure_tricks(seat) == own, "the offer depends on hidden cards"
            same = claimed_result(deal, seat)
            rounds = len(rules.rounds)
            if len(same[1]) > rounds:
                winners = [winner for _, winner in same[1][rounds]["tricks"][taken:]]
                assert winners == [seat] * len(own)
            for _ in range(3):
                assert result(play_out(deal, seat, rng)) == same


@pytest.mark.parametrize("name", ["differenzler", "molotov", "molotow", "offenbach"])
def test_the_rest_has_one_result_in_any_order_where_points_may_be_unwanted(
    name: str,
) -> None:
    """MV6, DF6, MW5: a player who could lose a trick in another order would have a choice."""
    rng = random.Random(f"order {name}")
    for rules, seat in islice(positions(name, rng), examples(24, 5)):
        own = list(rules.sure_tricks(seat))
        for _ in range(4):
            deal = with_hands(rules, seat, random_hands(rules, seat, rng))
            same = claimed_result(deal, seat)
            assert result(play_out(deal, seat, rng, rng.sample(own, len(own)))) == same


def test_side_cards_are_sure_once_high_trumps_draw_all_trumps_of_others__C8c() -> None:
    assert order("J9AH AC", "KQH KC", HEARTS) == "JH 9H AH AC"
    assert order("J9H AC", "KQTH KC", HEARTS) == "", "one trump may still be out"
    assert order("J9H AC", "KQH KC", HEARTS) == "JH 9H AC"
    assert order("J9H", "KQTH KC", HEARTS) == "JH 9H", "nobody holds a higher trump"


def test_lower_trumps_do_not_draw_the_bur__C8c() -> None:
    assert order("9AKH AC", "JH", HEARTS) == ""
    assert order("AC AD", "JH", HEARTS) == ""
    assert order("J9H AC", "AKH", HEARTS) == "JH 9H AC"


def test_a_low_side_card_is_sure_after_enough_leads_of_its_suit() -> None:
    assert order("AKQ9C", "J8C", HEARTS) == "AC KC QC 9C"
    assert order("AK9C", "J8C", HEARTS) == "AC KC 9C"
    assert order("A9C", "J8C", HEARTS) == "", "one of two may have been kept"
    assert order("AC 6D", "9H", SPADES) == "AC 6D", "no diamond is out at all"


def test_without_a_trump_the_ranking_of_each_trick_decides__CT4() -> None:
    assert order("67C", "AKC", tricks.BOTTOMS) == "6C 7C"
    assert order("67C", "AKC", tricks.TOPS) == ""
    assert order("AC 6D", "KQC 78D", tricks.TOPS, tricks.BOTTOMS) == "AC 6D"
    assert order("AC 6D", "KQC 78D", tricks.BOTTOMS, tricks.TOPS) == "6D AC"
    assert order("AC 6D", "KQC 78D", tricks.TOPS, tricks.TOPS) == ""


def test_a_run_is_possible_with_one_own_card_and_cards_of_others__MV4() -> None:
    assert can_molotov_occur(cards("7C"), cards("68C"))
    assert can_molotov_occur(cards("7D"), cards("TJQS"))
    assert not can_molotov_occur(cards("78C"), cards("6C")), "two of them are never in one trick"
    assert not can_molotov_occur(cards("7C"), cards("8TC 6D"))
    assert not can_molotov_occur(cards("AC"), cards("K6C 7D"))


def test_the_rest_is_offered_only_to_the_leader_with_two_or_more_cards() -> None:
    for name in match_builders.TRICK_GAMES:
        rng = random.Random(f"turn {name}")
        for rules, seat in islice(positions(name, rng), 3):
            assert rules.to_act == (seat,)
            assert not rules.trick
            assert rules.hands[seat].bit_count() == len(rules.sure_tricks(seat)) >= 2
            assert all(
                not rules.sure_tricks(other) for other in range(rules.players) if other != seat
            )


def test_no_rest_is_offered_where_a_side_may_win_before_the_round_is_over__SC6() -> None:
    rng = random.Random("at once")
    seen = {True: 0, False: 0}
    for position, seat in islice(positions("schieber", rng), examples(80, 40)):
        rules = position.copy()
        assert isinstance(rules, Schieber)
        at_once = rules.game.options["end"] == "at_once" and not rules.game.options["rounds"]
        if not at_once:
            continue
        near = 1000 - rules.written_points()[seat % 2] - 1
        rules.total = [near if side == seat % 2 else 0 for side in range(2)]
        seen[bool(rules.sure_tricks(seat))] += 1
    assert seen[True] == 0
    assert seen[False] > 0


def test_no_rest_is_offered_while_weis_may_be_announced__JS7_SC3() -> None:
    game = jt.game("jass", players=2, dealer=1)
    match = jt.Match(game)
    own = "J9AKQT876"
    front = [f"{rank}H" for rank in own]
    others = [card for card in match.pack if card not in front]
    pack = []
    for packet in range(3):
        pack += front[3 * packet : 3 * packet + 3] + others[3 * packet : 3 * packet + 3]
    left = [card for card in others if card not in pack]
    match.deal([*pack, *left])
    assert match.trump is not None
    assert SUITS.index(match.trump) >= 0
    match.act(0, "stay")
    match.act(1, "stay")
    assert match.sure_tricks(0) == ()


class UndecidedCoiffeur(Coiffeur):
    """A subclass without its own `rest_is_decided`, whose scoring might differ."""


def test_a_subclass_without_its_own_rest_is_decided_offers_no_rest() -> None:
    rng = random.Random("silent")
    for position, seat in islice(positions("coiffeur", rng), 3):
        undecided = UndecidedCoiffeur(position.game)
        vars(undecided).update(vars(position.copy()))
        assert position.sure_tricks(seat)
        assert undecided.hands == position.hands
        assert undecided.sure_tricks(seat) == ()


def test_a_game_without_tricks_offers_no_rest() -> None:
    match = jt.Match(jt.game("i-doubt-it", players=2, dealer=0))
    match.deal(match.pack)
    assert all(match.sure_tricks(seat) == () for seat in range(2))


def test_playing_out_the_rest_ends_the_round() -> None:
    rng = random.Random("played")
    for _ in range(20):
        match = jt.Match(random_game("schieber", rng))
        while not match.over:
            if match.needs_pack:
                match.deal(rng.sample(match.pack, len(match.pack)))
                continue
            (seat,) = match.to_act
            if not match.sure_tricks(seat):
                match.act(seat, rng.choice(match.legal(seat)))
                continue
            finished_rounds = len(match.rounds)
            for acting, action in match.play_out_sure_tricks(seat):
                assert len(match.rounds) == finished_rounds
                match.act(acting, action)
            assert len(match.rounds) == finished_rounds + 1
            return
    pytest.fail("no rest was offered")


def test_playing_out_a_rest_that_is_not_sure_is_refused() -> None:
    match = jt.Match(jt.game("molotov", dealer=3))
    match.deal(match.pack)
    with pytest.raises(jt.GameError, match="not sure"):
        match.play_out_sure_tricks(0)
