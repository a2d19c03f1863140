"""Our rules compared with those of pyschieber, an independent implementation of Schieber.

pyschieber plays Schieber with the four suits, tops and bottoms. Its legal cards are what this rule
book calls `undertrump="forced"` (C8 with C9, CT4). It has no rounds without a trump yet (C8b);
everything else is compared on every position, and no position is left out. No difference has been
found: in particular both never force the Bur on a trump lead (C8c), and both force it on a hand of
nothing but trumps (C9). The winners of tricks (C7, CT4) and the values of cards (C3, CT5) are
compared too. pyschieber has neither Weis nor match.
"""

import importlib.util
import random
from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set, cards_in_set
from jasstisch.games.contracts import CONTRACTS, ContractGame
from jasstisch.games.options import Choice
from jasstisch.games.rules import REGISTRY
from tests.differential.random_positions import (
    NAMES,
    RANKINGS,
    describe_position,
    position_kind,
    random_position,
    top_trump,
)

# `make test` installs the package. Without it this module fails, and says what is missing.
if importlib.util.find_spec("pyschieber") is None:
    raise ModuleNotFoundError(
        "pyschieber is not installed: pip install --no-deps -r requirements/peers.txt"
    )

from pyschieber.card import Card
from pyschieber.rules.count_rules import count_stich
from pyschieber.rules.stich_rules import allowed_cards, stich_rules
from pyschieber.stich import PlayedCard
from pyschieber.suit import Suit
from pyschieber.trumpf import Trumpf

POSITIONS = 50_000
TRICKS = 10_000

SUIT_NAMES = {"C": "ACORN", "D": "BELL", "H": "ROSE", "S": "SHIELD"}
VALUES = dict(zip("6789TJQKA", range(6, 15), strict=True))
PYSCHIEBER_CARDS = [Card(Suit[SUIT_NAMES[text[1]]], VALUES[text[0]]) for text in JASS.texts]
"""Each of our cards in pyschieber, by our number."""

NUMBERS = {card: number for number, card in enumerate(PYSCHIEBER_CARDS)}
TRUMPS = [Trumpf[name] for name in (*(SUIT_NAMES[suit] for suit in SUITS), "OBE_ABE", "UNDE_UFE")]
"""The six contracts in pyschieber, by the ranking of their tricks."""


def theirs(hand: int, table: list[int], ranking: int) -> int:
    """The set of cards that pyschieber lets a hand play to the cards on the table."""
    held = [PYSCHIEBER_CARDS[card] for card in cards_in_set(hand)]
    allowed = allowed_cards(held, [PYSCHIEBER_CARDS[card] for card in table], TRUMPS[ranking])
    return card_set(NUMBERS[card] for card in allowed)


def ours(hand: int, table: list[int], ranking: int) -> int:
    """The set of cards that our rules let a hand play to the cards on the table."""
    led = JASS.suit(table[0]) if table else -1
    return tricks.legal_cards(hand, led, ranking, top_trump(table, ranking), tricks.FORCED)


def test_legal_cards_agree_with_pyschieber__C8_C9_CT3_CT4() -> None:
    """On 50,000 random positions of the six contracts, of each kind at least 200."""
    rng = random.Random(132)
    kinds: Counter[str] = Counter()
    contracts: Counter[str] = Counter()
    for _ in range(POSITIONS):
        position = random_position(rng)
        kinds[position_kind(*position)] += 1
        contracts[NAMES[position[2]]] += 1
        assert JASS.texts_of(ours(*position)) == JASS.texts_of(theirs(*position)), (
            describe_position(*position)
        )
    assert sum(kinds.values()) == POSITIONS
    assert min(kinds.values()) >= 200, kinds
    assert len(kinds) == 12, kinds
    assert min(contracts.values()) > 8_000, contracts
    assert len(contracts) == 6, contracts


def forced_games() -> list[str]:
    """The games that can be played with the forced reading."""
    return [
        name
        for name in jt.games()
        for option in REGISTRY[name].options
        if isinstance(option, Choice) and "forced" in option.values
    ]


def ranking_of(view: Mapping[str, Any]) -> int:
    """The ranking of the trick in progress: that of the contract, or the trump suit."""
    if view.get("contract"):
        return CONTRACTS[view["contract"]].rankings[len(view["tricks"])]
    return SUITS.index(view["trump"])


@pytest.mark.parametrize("name", forced_games())
def test_legal_plays_in_whole_matches_agree_with_pyschieber__JS2_CT3(name: str) -> None:
    """In whole matches of a game with `undertrump="forced"`, at every turn."""
    rng = random.Random(name)
    compared: Counter[int] = Counter()
    for _ in range(5):
        match = jt.Match(jt.game(name, undertrump="forced"))
        while not match.over:
            if match.needs_pack:
                match.deal(rng.sample(match.pack, len(match.pack)))
                continue
            (seat,) = match.to_act
            legal = match.legal(seat)
            words = [action.split() for action in legal]
            plays = [word[1] for word in words if word[0] == "play" and len(word) == 2]
            if plays:
                ranking = ranking_of(match.view(None))
                hand = card_set(JASS.parse_all(match.hand(seat)))
                table = JASS.parse_all([card for _, card in match.trick])
                assert plays == JASS.texts_of(theirs(hand, table, ranking)), match.record()
                compared[ranking] += 1
            match.act(seat, rng.choice(legal))
    assert compared.total() > 500
    every = RANKINGS if issubclass(REGISTRY[name], ContractGame) else range(len(SUITS))
    assert set(compared) == set(every), compared


def test_trick_winners_agree_with_pyschieber__C7_CT4() -> None:
    """With each of the six contracts, in random tricks of four cards."""
    rng = random.Random(7)
    for _ in range(TRICKS):
        ranking, table = rng.choice(RANKINGS), rng.sample(range(36), 4)
        best = 0
        for seat in range(1, 4):
            if tricks.beats(table[seat], table[best], ranking):
                best = seat
        played: list[Any] = [
            PlayedCard(SimpleNamespace(id=seat), PYSCHIEBER_CARDS[card])
            for seat, card in enumerate(table)
        ]
        taken = stich_rules[TRUMPS[ranking]](played_cards=played)
        assert taken.player.id == best, describe_position(0, table, ranking)


@pytest.mark.parametrize("ranking", RANKINGS, ids=NAMES)
def test_card_values_agree_with_pyschieber__C3_CT5(ranking: int) -> None:
    for card, other in enumerate(PYSCHIEBER_CARDS):
        assert tricks.card_points(card, ranking) == count_stich([other], TRUMPS[ranking])
        last = count_stich([other], TRUMPS[ranking], last=True)
        assert tricks.card_points(card, ranking) + tricks.LAST_TRICK == last
