"""The rest is a seat's where it is said so: in every deal of what it cannot see, by every play.

Positions come from matches played by chance. In each the unseen cards are dealt anew to the others,
in small endings in every way there is; then the others play by chance, or in every way there is,
while the seat plays the cards that are named. The seat must take every trick, and nothing of the
round's result, the standing or who has won may depend on what was played to it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest

import jasstisch as jt
from jasstisch import tricks
from jasstisch.cards import JASS, SUITS, card_set, members
from jasstisch.games.coiffeur import Coiffeur
from jasstisch.games.rest import may_bomb, sure_order
from jasstisch.games.schieber import Schieber
from jasstisch.games.trick_taking import TrickTaking
from tests.effort import some
from tests.rules import tables

SHORT = {"target": (1, 2, 5, 7, 1000), "rounds": (0, 1, 2, 4)}
"""Matches with these options are soon over, so that ends of matches are tried as well."""

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def cards(text: str) -> int:
    """A set of cards, written as in hands of `tables`: `"AKC 9D"`."""
    return card_set(JASS.numbers[rank + word[-1]] for word in text.split() for rank in word[:-1])


def order(hand: str, unseen: str, *rankings: int) -> str:
    """The order of a hand; where one ranking is given it holds for all tricks."""
    held = cards(hand)
    each = rankings if len(rankings) > 1 else rankings * held.bit_count()
    return " ".join(JASS.texts[card] for card in sure_order(held, cards(unseen), each))


def any_game(name: str, rng: random.Random) -> jt.Game:
    """A game with options by chance, short enough to be played often."""
    options: dict[str, Any] = {"players": rng.choice(tables.PLAYERS[name])}
    for option, values in tables.OPTIONS[name].items():
        if option == "dealer":
            options[option] = rng.randrange(options["players"])
        elif option != "players":
            short = [one for one in values if one in SHORT.get(option, (one,))]
            options[option] = rng.choice(short)
    return jt.game(name, **options)


def positions(name: str, rng: random.Random) -> Iterator[tuple[TrickTaking, int]]:
    """Matches without end, as they stand wherever the rest is said to be a seat's; and which."""
    while True:
        game = any_game(name, rng)
        rules = game.rules(game)
        assert isinstance(rules, TrickTaking)
        while rules.phase != "over":
            if rules.pack:
                rules.take_pack(rng.sample(rules.pack, len(rules.pack)))
                continue
            seat = rules.to_act[0]
            if rules.rest(seat):
                yield rules, seat
            rules.act(seat, rng.choice(rules.legal(seat)))


def redealt(rules: TrickTaking, seat: int, hands: dict[int, int]) -> TrickTaking:
    """The same match, with other cards in the hands of others."""
    again = rules.copy()
    for other, hand in hands.items():
        again.hands[other] = hand
    again.give_turn(seat)
    return again


def others_hands(rules: TrickTaking, seat: int) -> dict[int, int]:
    return {other: hand for other, hand in enumerate(rules.hands) if hand and other != seat}


def by_chance(rules: TrickTaking, seat: int, rng: random.Random) -> dict[int, int]:
    """Hands of the others by chance, of the cards that they may hold as far as this seat knows."""
    unseen = list(members(rules.unseen(seat)))
    rng.shuffle(unseen)
    return {
        other: card_set([unseen.pop() for _ in range(hand.bit_count())])
        for other, hand in others_hands(rules, seat).items()
    }


def in_every_way(unseen: int, sizes: dict[int, int]) -> Iterator[dict[int, int]]:
    """All hands of these sizes from these cards."""
    if not sizes:
        yield {}
        return
    (first, size), *left = sizes.items()
    for chosen in combinations(members(unseen), size):
        hand = card_set(chosen)
        for more in in_every_way(unseen & ~hand, dict(left)):
            yield {first: hand, **more}


def result(rules: TrickTaking) -> tuple[Any, ...]:
    """All that a round is worth, once it is over, without the cards of its tricks."""
    while rules.phase == "decide":
        rules.take_pack(rules.whole_pack)
    rounds = [
        {**one, "tricks": [(trick["leader"], trick["winner"]) for trick in one["tricks"]]}
        for one in rules.rounds
    ]
    return rules.phase, rounds, rules.standing(), rules.winners, rules.dealer


def finished(
    rules: TrickTaking, seat: int, rng: random.Random, order: list[str] | None = None
) -> TrickTaking:
    """The match after the round, in which the others played by chance."""
    own = order or list(rules.rest(seat))
    rules = rules.copy()
    while own or rules.under_way():
        (acting,) = rules.to_act
        assert own or acting != seat
        rules.act(acting, own.pop(0) if acting == seat else rng.choice(rules.legal(acting)))
    return rules


def all_results(rules: TrickTaking, seat: int, own: list[str]) -> Iterator[tuple[Any, ...]]:
    """The results of all that the others can play."""
    if not own and not rules.under_way():
        yield result(rules)
        return
    (acting,) = rules.to_act
    left = own[1:] if acting == seat else own
    for action in own[:1] if acting == seat else rules.legal(acting):
        after = rules.copy()
        after.act(acting, action)
        yield from all_results(after, seat, left)


def claimed(rules: TrickTaking, seat: int) -> tuple[Any, ...]:
    """The result where the others play the lowest card they may."""
    own = list(rules.rest(seat))
    rules = rules.copy()
    while own or rules.under_way():
        (acting,) = rules.to_act
        rules.act(acting, own.pop(0) if acting == seat else rules.legal(acting)[0])
    return result(rules)


@pytest.mark.parametrize("name", tables.TRICK_GAMES)
def test_the_rest_is_taken_and_comes_to_the_same_whatever_others_hold_and_play(name: str) -> None:
    rng = random.Random(f"rest {name}")
    for rules, seat in islice(positions(name, rng), some(24, 5)):
        own = rules.rest(seat)
        taken = len(rules.history)
        for _ in range(4):
            deal = redealt(rules, seat, by_chance(rules, seat, rng))
            assert deal.rest(seat) == own, "it follows from what the seat cannot see"
            same = claimed(deal, seat)
            rounds = len(rules.rounds)
            if len(same[1]) > rounds:
                winners = [winner for _, winner in same[1][rounds]["tricks"][taken:]]
                assert winners == [seat] * len(own)
            for _ in range(3):
                assert result(finished(deal, seat, rng)) == same


@pytest.mark.parametrize("name", ["differenzler", "molotov", "molotow", "offenbach"])
def test_where_points_may_be_too_many_it_is_offered_only_if_no_order_keeps_any_away(
    name: str,
) -> None:
    """MV6, DF6, MW5: a player who could lose a trick has a choice."""
    rng = random.Random(f"order {name}")
    for rules, seat in islice(positions(name, rng), some(24, 5)):
        own = list(rules.rest(seat))
        for _ in range(4):
            deal = redealt(rules, seat, by_chance(rules, seat, rng))
            same = claimed(deal, seat)
            assert result(finished(deal, seat, rng, rng.sample(own, len(own)))) == same


@pytest.mark.parametrize("name", tables.TRICK_GAMES)
def test_small_endings_come_to_the_same_in_every_deal_and_by_every_play(name: str) -> None:
    rng = random.Random(f"small rest {name}")
    small = (one for one in positions(name, rng) if is_small(*one))
    for rules, seat in islice(small, some(3, 1)):
        own = rules.rest(seat)
        sizes = {other: hand.bit_count() for other, hand in others_hands(rules, seat).items()}
        for hands in in_every_way(rules.unseen(seat), sizes):
            deal = redealt(rules, seat, hands)
            assert deal.rest(seat) == own
            same = claimed(deal, seat)
            assert all(one == same for one in all_results(deal, seat, list(own)))


def is_small(rules: TrickTaking, seat: int) -> bool:
    """Whether all deals of such a position and all that can be played to them are soon tried."""
    others = len(others_hands(rules, seat))
    return len(rules.rest(seat)) == 2 and others <= 3 and rules.unseen(seat).bit_count() <= 7


def test_a_trump_on_top_draws_one_of_those_out_and_then_the_side_cards_are_sure__C8c() -> None:
    assert order("J9AH AC", "KQH KC", HEARTS) == "JH 9H AH AC"
    assert order("J9H AC", "KQTH KC", HEARTS) == "", "one trump may still be out"
    assert order("J9H AC", "KQH KC", HEARTS) == "JH 9H AC"
    assert order("J9H", "KQTH KC", HEARTS) == "JH 9H", "nobody holds a higher trump"


def test_the_bur_may_be_kept_so_that_no_trump_below_it_draws_it__C8c() -> None:
    assert order("9AKH AC", "JH", HEARTS) == ""
    assert order("AC AD", "JH", HEARTS) == ""
    assert order("J9H AC", "AKH", HEARTS) == "JH 9H AC"


def test_a_side_card_is_sure_below_the_cards_that_its_suit_has_been_led_as_often_as_they_are() -> (
    None
):
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


def test_a_run_may_come_together_of_one_card_led_and_those_of_others__MV4() -> None:
    assert may_bomb(cards("7C"), cards("68C"))
    assert may_bomb(cards("7D"), cards("TJQS"))
    assert not may_bomb(cards("78C"), cards("6C")), "two of them are never in one trick"
    assert not may_bomb(cards("7C"), cards("8TC 6D"))
    assert not may_bomb(cards("AC"), cards("K6C 7D"))


def test_nobody_is_offered_the_rest_in_the_middle_of_a_trick_or_with_one_card() -> None:
    for name in tables.TRICK_GAMES:
        rng = random.Random(f"turn {name}")
        for rules, seat in islice(positions(name, rng), 3):
            assert rules.to_act == (seat,)
            assert not rules.trick
            assert rules.hands[seat].bit_count() == len(rules.rest(seat)) >= 2
            assert all(not rules.rest(other) for other in range(rules.players) if other != seat)


def test_no_rest_is_offered_where_a_side_may_win_before_the_round_is_over__SC6() -> None:
    rng = random.Random("at once")
    seen = {True: 0, False: 0}
    for position, seat in islice(positions("schieber", rng), some(80, 40)):
        rules = position.copy()
        assert isinstance(rules, Schieber)
        at_once = rules.game.options["end"] == "at_once" and not rules.game.options["rounds"]
        if not at_once:
            continue
        near = 1000 - rules.written()[seat % 2] - 1
        rules.total = [near if side == seat % 2 else 0 for side in range(2)]
        seen[bool(rules.rest(seat))] += 1
    assert seen[True] == 0
    assert seen[False] > 0


def test_no_rest_is_offered_while_weis_may_come__JS7_SC3() -> None:
    game = jt.game("jass", players=2, dealer=1)
    match = jt.Match(game)
    own = "J9AKQT876"
    front = [f"{rank}H" for rank in own]
    others = [card for card in match.pack if card not in front]
    pack = []
    for packet in range(3):
        pack += front[3 * packet : 3 * packet + 3] + others[3 * packet : 3 * packet + 3]
    left = [card for card in others if card not in pack]
    match.shuffle([*pack, *left])
    assert match.trump is not None
    assert SUITS.index(match.trump) >= 0
    match.act(0, "stay")
    match.act(1, "stay")
    assert match.rest(0) == ()


class Silent(Coiffeur):
    """A game like another one that says nothing of what is left, though its rules may differ."""


def test_a_game_that_does_not_say_that_all_comes_to_the_same_offers_no_rest() -> None:
    rng = random.Random("silent")
    for position, seat in islice(positions("coiffeur", rng), 3):
        silent = Silent(position.game)
        vars(silent).update(vars(position.copy()))
        assert position.rest(seat)
        assert silent.hands == position.hands
        assert silent.rest(seat) == ()


def test_in_a_game_without_tricks_there_is_no_rest() -> None:
    match = jt.Match(jt.game("i-doubt-it", players=2, dealer=0))
    match.shuffle(match.pack)
    assert all(match.rest(seat) == () for seat in range(2))


def test_the_rest_is_offered_in_a_good_share_of_matches() -> None:
    """Among players who know the game; a person with the lead is asked no oftener than that."""
    offered = played = 0
    for name in ("schieber", "coiffeur"):
        for seed in range(some(8, 3)):
            rng = random.Random(f"share {name} {seed}")
            match = jt.Match(jt.game(name))
            bot = jt.bot("greedy")
            held = False
            while not match.over:
                if match.needs_pack:
                    match.shuffle(rng.sample(match.pack, len(match.pack)))
                    continue
                (seat,) = match.to_act
                held = held or bool(match.rest(seat))
                match.act(seat, bot.act(match.view(seat), match.legal(seat), rng))
            offered, played = offered + held, played + 1
    assert offered * 2 > played


def test_the_actions_of_a_rest_end_the_round() -> None:
    rng = random.Random("played")
    for _ in range(20):
        match = jt.Match(any_game("schieber", rng))
        while not match.over:
            if match.needs_pack:
                match.shuffle(rng.sample(match.pack, len(match.pack)))
                continue
            (seat,) = match.to_act
            if not match.rest(seat):
                match.act(seat, rng.choice(match.legal(seat)))
                continue
            finished_rounds = len(match.rounds)
            for acting, action in match.rest_played(seat):
                assert len(match.rounds) == finished_rounds
                match.act(acting, action)
            assert len(match.rounds) == finished_rounds + 1
            return
    pytest.fail("no rest was offered")


def test_nobody_plays_a_rest_that_is_not_his() -> None:
    match = jt.Match(jt.game("molotov", dealer=3))
    match.shuffle(match.pack)
    with pytest.raises(jt.GameError, match="not sure"):
        match.rest_played(0)
