"""What a seat can infer from its view."""

from typing import Any

import pytest

from jasstisch.bots.greedy.trick_estimates import (
    expected_added_trick_points,
    higher_cards_of_suit,
    holder_probability,
    possible_places,
)
from jasstisch.bots.position import Position
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set
from tests.rules import match_builders


def cards(text: str) -> int:
    return card_set(JASS.numbers[card] for card in match_builders.cards(text))


def card(text: str) -> int:
    return JASS.numbers[text]


def suit(letter: str) -> int:
    return tricks.SUIT_CARDS[SUITS.index(letter)]


def position(match: Any) -> Position:
    (seat,) = match.to_act
    begins_without_trump = match.game.name != "differenzler"
    return Position(match.view(seat), discard_makes_trump=begins_without_trump)


def test_position_describes_the_trick_captured_cards_and_hand_sizes() -> None:
    match = match_builders.start(
        "molotov", match_builders.deal({0: "6H 9S", 1: "7H", 2: "KH 8S", 3: "AH"})
    )
    match_builders.play(match, "67KAH")
    match_builders.play(match, [match.hand(3)[0]])
    seen = position(match)
    assert seen.seat == 0
    assert seen.taken == [0, 0, 0, cards("67KAH")]
    assert seen.trick == [card(text) for _, text in match.trick]
    assert (seen.best, seen.winner) == (seen.trick[0], 3)
    assert seen.to_come == [1, 2]
    assert seen.sizes == [8, 8, 8, 7]
    others = [text for seat in (1, 2, 3) for text in match.hand(seat)]
    assert seen.unseen == card_set(card(text) for text in others)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_unseen_cards_are_those_in_the_other_hands(players: int) -> None:
    """Five play without the six of diamonds, which is nowhere (MV1)."""
    hands = match_builders.deal({}, players)
    seen = position(match_builders.start("molotov", hands))
    assert seen.unseen == card_set(card(text) for hand in hands[1:] for text in hand)


def test_discarding_before_there_is_a_trump_shows_a_void() -> None:
    match = match_builders.start(
        "molotov", match_builders.deal({0: "6H", 1: "8H", 2: "9S"}, void={2: "H"})
    )
    match_builders.play(match, "6H 8H 9S")
    assert position(match).void == [0, 0, suit("H"), 0]


def test_trumping_a_plain_suit_shows_no_void() -> None:
    hands = match_builders.deal({0: "6H", 1: "98H", 2: "6S"}, void={2: "H"})
    match = match_builders.differenzler(hands, "S")
    match_builders.play(match, "6H 8H 6S")
    assert position(match).void == [0, 0, 0, 0]


def test_not_following_a_trump_lead_shows_a_void_except_for_the_bur() -> None:
    match = match_builders.differenzler(
        match_builders.deal({0: "6S", 1: "JS 7H"}, void={1: "S"}), "S"
    )
    match_builders.play(match, "6S 7H")
    assert position(match).void == [0, suit("S") & ~cards("JS"), 0, 0]


def test_higher_cards_follow_the_trump_order_in_the_trump_suit_only() -> None:
    assert higher_cards_of_suit(card("9H"), SUITS.index("S")) == cards("TJQKAH")
    assert higher_cards_of_suit(card("9H"), SUITS.index("H")) == cards("JH")
    assert higher_cards_of_suit(card("AH"), -1) == 0


def later_holders(seen: Position, suit: int) -> list[float]:
    """The probability of each later seat to hold an unseen card of a suit."""
    places = possible_places(seen, suit)
    return [holder_probability(seen, seat, suit, places) for seat in seen.to_come]


def test_holder_probabilities_exclude_seats_with_a_shown_void() -> None:
    match = match_builders.start(
        "molotov", match_builders.deal({0: "AH 9S", 1: "8H", 2: "6S", 3: "7H"}, void={2: "H"})
    )
    match_builders.play(match, "AH 8H 6S 7H")
    match_builders.play(match, ["9D" if "9D" in match.hand(2) else match.hand(2)[0]])
    seen = position(match)
    assert seen.seat == 3
    assert later_holders(seen, SUITS.index("H")) == [0.5, 0.5]


def test_the_last_seat_of_a_trick_expects_no_points_to_come() -> None:
    match = match_builders.start(
        "molotov", match_builders.deal({0: "6H", 1: "7H", 2: "KH", 3: "AH"})
    )
    match_builders.play(match, "67KH")
    assert expected_added_trick_points(position(match), card("AH"), -1) == 0


def jass_position(match: Any) -> Position:
    (seat,) = match.to_act
    return Position(match.view(seat), discard_makes_trump=False)


def test_a_seat_that_dropped_neither_plays_nor_holds_cards__JS4() -> None:
    """Seat 1 has dropped: seat 2 plays after seat 0, and its voids are its own."""
    match = match_builders.jass("6C", {0: "KH", 2: "AH", 3: "9S"}, say="stay drop stay stay")
    match_builders.play(match, "KH AH")
    seen = jass_position(match)
    assert (seen.seat, seen.playing, seen.winner, seen.to_come) == (3, [0, 2, 3], 2, [])
    assert seen.sizes == [8, 0, 8, 9]
    assert seen.absent == 9
    match.act(3, match.legal(3)[0])
    order = {2: [3, 0], 3: [0, 2]}
    assert jass_position(match).to_come == order[match.to_act[0]]


def test_a_void_is_assigned_to_the_right_seat_if_another_has_dropped__JS4() -> None:
    hands: dict[match_builders.Place, str] = {0: "KH 6S", 2: "789TS QS 67D 8C", 3: "AH"}
    match = match_builders.jass("6C", hands, say="stay drop stay stay")
    match_builders.play(match, ["KH", "7S"])
    assert jass_position(match).void == [0, 0, suit("H"), 0]


@pytest.mark.parametrize("players", [2, 3])
def test_cards_of_the_blind_are_unseen_and_in_no_hand__JS3(players: int) -> None:
    match = match_builders.jass("KH", players=players, say="stay " * players)
    seen = jass_position(match)
    others = [text for seat in range(1, players) for text in match.hand(seat)]
    assert not card_set(card(text) for text in others) & ~seen.unseen
    assert seen.absent == 36 - 9 * players - 1, "the turned card lies open"
    assert not seen.unseen >> card("KH") & 1


def test_cards_laid_away_are_known_to_be_out_of_play__JS4() -> None:
    match = match_builders.jass("KH", {0: "678C"}, 3, say="blind stay stay")
    seen = jass_position(match)
    assert not seen.unseen & cards("678C")
    assert seen.absent == 0


def test_cards_possibly_out_of_play_lower_the_holder_probabilities__JS4() -> None:
    match = match_builders.jass("6C", {0: "KH"}, say="stay drop stay stay")
    assert later_holders(jass_position(match), SUITS.index("H")) == [pytest.approx(1 / 3)] * 2


@pytest.mark.parametrize(("undertrump", "void"), [("if_void", suit("H")), ("free", 0)])
def test_undertrumping_shows_a_void_if_it_is_only_allowed_without_the_suit__C9(
    undertrump: str, void: int
) -> None:
    hands = match_builders.deal({0: "6H", 1: "9S", 2: "6S", 3: "7H"}, void={1: "H", 2: "H"})
    match = match_builders.differenzler(hands, "S", undertrump=undertrump)
    match_builders.play(match, "6H 9S 6S")
    assert position(match).void == [0, 0, void, 0]
