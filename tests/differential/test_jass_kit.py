"""Our rules compared with those of jass-kit, with which a Swiss university studies Schieber.

Whole rounds are played in both at once. At every card both must agree on the player to act, and for
every trick on its winner and points (C3, C7, CT4, CT5). The seats of jass-kit run the other way
round the table; otherwise only the names of cards and contracts have to be translated.

Its legal cards are those of `undertrump="strict"` (C9) with one difference: when a trick led in a
plain suit has two trumps, jass-kit forbids only trumps below the one of lower plain rank, while in
this rule book the better of the two has to be beaten (C8d, C8e). If our rules are given the trump
of jass-kit, both agree on every position, and no position is left out.
"""

import importlib.util
import random
from collections import Counter
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set, cards_in_set, shuffled
from tests.differential.random_positions import (
    NAMES,
    RANKINGS,
    describe_position,
    position_kind,
    random_position,
    top_trump,
)
from tests.support.example_counts import examples

# `make test` installs the package. Without it this module fails, and says what is missing.
if importlib.util.find_spec("jass") is None:
    raise ModuleNotFoundError(
        "jass-kit is not installed: pip install --no-deps -r requirements/peers.txt"
    )

import numpy as np
from jass.game import const
from jass.game.game_sim import GameSim
from jass.game.rule_schieber import RuleSchieber

ROUNDS = examples(10_000, 1_000)
MATCHES = examples(20, 4)
POSITIONS = examples(20_000, 5_000)
TOTAL = 157

TRUMPS = [getattr(const, name) for name in (*SUITS, "OBE_ABE", "UNE_UFE")]
"""The six contracts in jass-kit, by the ranking of their tricks."""

JASS_KIT_CARDS = [const.card_ids[text[1] + text[0].replace("T", "10")] for text in JASS.texts]
"""The number of each of our cards in jass-kit, by our number."""


def opposite(seat: int) -> int:
    """A seat in a numbering that runs the other way round, which jass-kit's does."""
    return -seat % 4


def one_hot(cards: int) -> Any:
    """A set of cards in the form of jass-kit."""
    found = np.zeros(36, np.int32)
    found[[JASS_KIT_CARDS[card] for card in cards_in_set(cards)]] = 1
    return found


def jass_kit_round(hands: list[int], forehand: int, ranking: int) -> GameSim:
    """A round of jass-kit in which the cards are dealt and the contract is announced."""
    theirs = GameSim(RuleSchieber())
    dealt = np.array([one_hot(hands[opposite(seat)]) for seat in range(4)])
    theirs.init_from_cards(dealt, dealer=opposite(forehand - 1))
    theirs.action_trump(TRUMPS[ranking])
    return theirs


def check_random_round(rng: random.Random) -> None:
    """Plays a random round by our rules and in jass-kit; both must agree after every card."""
    pack, ranking, seat = rng.sample(range(36), 36), rng.choice(RANKINGS), rng.randrange(4)
    hands = [card_set(pack[9 * one : 9 * one + 9]) for one in range(4)]
    theirs = jass_kit_round(hands, seat, ranking)
    taken = [0, 0]
    for number in range(9):
        led = best = top = -1
        played, holder = 0, seat
        for _ in range(4):
            assert theirs.state.player == opposite(seat)
            legal = tricks.legal_cards(hands[seat], led, ranking, top, tricks.STRICT)
            card = rng.choice(tuple(cards_in_set(legal)))
            theirs.action_play_card(JASS_KIT_CARDS[card])
            hands[seat] ^= 1 << card
            played |= 1 << card
            led = JASS.suit(card) if led < 0 else led
            best, top = tricks.best_card_after(card, best, top, ranking)
            holder = seat if best == card else holder
            seat = (seat + 1) % 4
        worth = tricks.points(played, ranking) + tricks.LAST_TRICK * (number == 8)
        assert theirs.state.trick_winner[number] == opposite(holder), NAMES[ranking]
        assert theirs.state.trick_points[number] == worth, NAMES[ranking]
        taken[holder % 2] += worth
        seat = holder
    assert theirs.is_done()
    assert list(theirs.state.points) == taken
    assert sum(taken) == TOTAL


def test_whole_rounds_agree_with_jass_kit__C3_C7_CT4_CT5() -> None:
    """In 10,000 rounds of the six contracts: the turns, the winner and points of each trick."""
    rng = random.Random(157)
    for _ in range(ROUNDS):
        check_random_round(rng)


@pytest.mark.parametrize("name", ["schieber", "coiffeur"])
def test_rounds_of_whole_matches_agree_with_jass_kit__SC1_CT5(name: str) -> None:
    """The rounds of matches without Weis and match bonus are played again in jass-kit.

    Rounds of Slalom and Guschti are left out, because only Coiffeur has them.
    """
    rng = random.Random(name)
    options: dict[str, Any] = {"weis": "off"} if name == "schieber" else {}
    contracts: Counter[str] = Counter()
    for _ in range(MATCHES):
        match = jt.Match(jt.game(name, match_bonus=0, **options))
        while not match.over:
            if match.needs_pack:
                match.deal(shuffled(match.pack, rng))
            else:
                (seat,) = match.to_act
                match.act(seat, rng.choice(match.legal(seat)))
        for played in match.rounds:
            if played["contract"] in NAMES and len(played["tricks"]) == 9:
                contracts[played["contract"]] += 1
                check_played_round(played)
    assert len(contracts) == 6, contracts


def check_played_round(played: dict[str, Any]) -> None:
    """Plays a finished round in jass-kit; winners of tricks and points must agree."""
    hands = [0] * 4
    for trick in played["tricks"]:
        for turn, card in enumerate(trick["cards"]):
            hands[(trick["leader"] + turn) % 4] |= card_set([JASS.numbers[card]])
    theirs = jass_kit_round(hands, played["tricks"][0]["leader"], NAMES.index(played["contract"]))
    for number, trick in enumerate(played["tricks"]):
        for turn, card in enumerate(trick["cards"]):
            assert theirs.state.player == opposite((trick["leader"] + turn) % 4)
            theirs.action_play_card(JASS_KIT_CARDS[JASS.numbers[card]])
        assert theirs.state.trick_winner[number] == opposite(trick["winner"]), played
    assert list(theirs.state.points) == played["points"][:2], played


def jass_kit_trump_to_beat(table: list[int], ranking: int) -> int:
    """The trump in a trick below which jass-kit allows no trump; -1 without one."""
    if not table or JASS.suit(table[0]) == ranking:
        return -1
    return min((card for card in table if JASS.suit(card) == ranking), default=-1)


def test_legal_cards_agree_with_jass_kit_except_over_two_trumps__C8_C9_CT4() -> None:
    """The only difference is which of two trumps has to be beaten, and it does occur."""
    rng = random.Random(36)
    rule = RuleSchieber()
    kinds: Counter[str] = Counter()
    differences = 0
    for _ in range(POSITIONS):
        hand, table, ranking = position = random_position(rng)
        kinds[position_kind(*position)] += 1
        led = JASS.suit(table[0]) if table else -1
        lying = [JASS_KIT_CARDS[card] for card in table]
        found = rule.get_valid_cards(one_hot(hand), lying, len(table), TRUMPS[ranking])
        theirs = {card for card in range(36) if found[JASS_KIT_CARDS[card]]}
        adjusted, ours = (
            set(cards_in_set(tricks.legal_cards(hand, led, ranking, top, tricks.STRICT)))
            for top in (jass_kit_trump_to_beat(table, ranking), top_trump(table, ranking))
        )
        assert theirs == adjusted, describe_position(*position)
        if theirs != ours:
            differences += 1
            assert [JASS.suit(card) for card in table[1:]] == [ranking, ranking], describe_position(
                *position
            )
            assert ours < theirs, describe_position(*position)
    assert differences > 0
    assert len(kinds) == 12, kinds
