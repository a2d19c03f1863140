"""Positions in which a seat may claim the rest of a round, and the results of playing it out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import jasstisch as jt
from jasstisch.engine.cards import card_set, cards_in_set
from jasstisch.games.trick_taking import TrickTaking
from tests.rules import match_builders

SHORT = {"target": (1, 2, 5, 7, 1000), "rounds": (0, 1, 2, 4)}
"""Matches with these options are soon over, so that ends of matches are tried as well."""


def random_game(name: str, rng: random.Random) -> jt.Game:
    """A game with random options, short enough to be played often."""
    options: dict[str, Any] = {"players": rng.choice(match_builders.PLAYERS[name])}
    for option, values in match_builders.OPTIONS[name].items():
        if option == "dealer":
            options[option] = rng.randrange(options["players"])
        elif option != "players":
            short = [one for one in values if one in SHORT.get(option, (one,))]
            options[option] = rng.choice(short)
    return jt.game(name, **options)


def positions(name: str, rng: random.Random) -> Iterator[tuple[TrickTaking, int]]:
    """Yields, from endless random matches, each position in which a seat may claim the rest."""
    while True:
        game = random_game(name, rng)
        rules = game.rules(game)
        assert isinstance(rules, TrickTaking)
        while rules.phase != "over":
            if rules.pack:
                rules.receive_pack(rng.sample(rules.pack, len(rules.pack)))
                continue
            seat = rules.to_act[0]
            if rules.sure_tricks(seat):
                yield rules, seat
            rules.act(seat, rng.choice(rules.legal(seat)))


def with_hands(rules: TrickTaking, seat: int, hands: dict[int, int]) -> TrickTaking:
    """The same match, with other cards in the hands of others."""
    again = rules.copy()
    for other, hand in hands.items():
        again.hands[other] = hand
    again.give_turn(seat)
    return again


def others_hands(rules: TrickTaking, seat: int) -> dict[int, int]:
    return {other: hand for other, hand in enumerate(rules.hands) if hand and other != seat}


def random_hands(rules: TrickTaking, seat: int, rng: random.Random) -> dict[int, int]:
    """Random hands of the others, of the cards that they may hold as far as this seat knows."""
    unseen = list(cards_in_set(rules.unseen(seat)))
    rng.shuffle(unseen)
    return {
        other: card_set([unseen.pop() for _ in range(hand.bit_count())])
        for other, hand in others_hands(rules, seat).items()
    }


def result(rules: TrickTaking) -> tuple[Any, ...]:
    """The whole result of a round once it is over, without the cards of its tricks."""
    while rules.phase == "decide":
        rules.receive_pack(rules.whole_pack)
    rounds = [
        {**one, "tricks": [(trick["leader"], trick["winner"]) for trick in one["tricks"]]}
        for one in rules.rounds
    ]
    return rules.phase, rounds, rules.standing(), rules.winners, rules.dealer


def play_out(
    rules: TrickTaking, seat: int, rng: random.Random, order: list[str] | None = None
) -> TrickTaking:
    """The match after the round, in which the others played at random."""
    own = order or list(rules.sure_tricks(seat))
    rules = rules.copy()
    while own or rules.trick_in_progress():
        (acting,) = rules.to_act
        assert own or acting != seat
        rules.act(acting, own.pop(0) if acting == seat else rng.choice(rules.legal(acting)))
    return rules


def claimed_result(rules: TrickTaking, seat: int) -> tuple[Any, ...]:
    """The result where the others play the lowest card they may."""
    own = list(rules.sure_tricks(seat))
    rules = rules.copy()
    while own or rules.trick_in_progress():
        (acting,) = rules.to_act
        rules.act(acting, own.pop(0) if acting == seat else rules.legal(acting)[0])
    return result(rules)
