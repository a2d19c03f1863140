"""The engine compared with the reference, a second implementation of the rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.engine import tricks
from tests.rules import match_builders, reference

CARD = {card: number for number, card in enumerate(reference.pack(4))}
MODES = {
    "free": tricks.FREE,
    "if_void": tricks.IF_VOID,
    "strict": tricks.STRICT,
    "forced": tricks.FORCED,
    "literal": tricks.LITERAL,
}


def engine_playable(
    hand: list[str], table: list[str], trump: str | None, undertrump: str
) -> set[str]:
    """`tricks.legal_cards`, with cards as texts."""
    lying = [card for card in table if table[0][1] != trump and card[1] == trump]
    top = max(lying, key=lambda card: reference.strength(card, trump), default=None)
    found = tricks.legal_cards(
        sum(1 << CARD[card] for card in hand),
        reference.SUITS.index(table[0][1]) if table else -1,
        reference.SUITS.index(trump) if trump else -1,
        CARD[top] if top else -1,
        MODES[undertrump],
    )
    return {card for card, number in CARD.items() if found >> number & 1}


def position(rng: random.Random) -> tuple[list[str], list[str], str | None]:
    """A hand, the cards on the table and the trump; hands of few suits are frequent."""
    suits = rng.sample("CDHS", rng.choice((1, 2, 2, 3, 4, 4)))
    pack = reference.pack(4)
    rng.shuffle(pack)
    trump = rng.choice("CDHS") if rng.random() < 0.85 else None
    hand = [card for card in pack if card[1] in suits][: rng.randint(1, 9)]
    rest = [card for card in pack if card not in hand]
    table = rest[: rng.randint(0, 4)]
    if trump is None:
        table = [card for card in table if card[1] == table[0][1]]
    return hand, table, trump


@pytest.mark.parametrize("undertrump", reference.UNDERTRUMP)
def test_playable_cards_agree_with_the_reference_on_random_positions__C8_C9(
    undertrump: str,
) -> None:
    """On 4,000 random positions engine and reference allow exactly the same cards."""
    rng = random.Random(undertrump)
    restricted = 0
    for _ in range(4000):
        hand, table, trump = position(rng)
        expected = reference.playable(hand, table, trump, undertrump)
        found = engine_playable(hand, table, trump, undertrump)
        assert found == expected, f"hand {hand}, table {table}, trump {trump}"
        restricted += expected != reference.playable(hand, table, trump, "free")
    assert (restricted > 50) == (undertrump != "free")


def test_playable_cards_agree_with_the_reference_on_all_subsets_of_ten_cards__C9() -> None:
    """For every subset of ten cards as hand, over a random lead and ruff, in all five variants."""
    rng = random.Random(9)
    small = [rank + suit for suit in "CH" for rank in "6T9J"] + ["8S", "AS"]
    for mask in range(1, 1 << len(small)):
        hand = [card for bit, card in enumerate(small) if mask >> bit & 1]
        table = [rng.choice(("AC", "8C", "7S")), rng.choice(("7H", "8H", "QH", "AH"))]
        for undertrump in reference.UNDERTRUMP:
            expected = reference.playable(hand, table, "H", undertrump)
            assert engine_playable(hand, table, "H", undertrump) == expected, (hand, table)


@pytest.mark.parametrize("trump", [None, *"CDHS"])
def test_value_of_every_card_agrees_with_the_reference__C3(trump: str | None) -> None:
    """Single cards and sets of cards, under each trump."""
    index = reference.SUITS.index(trump) if trump else -1
    for card, number in CARD.items():
        assert tricks.card_points(number, index) == reference.value(card, trump)
        assert tricks.points(1 << number, index) == reference.value(card, trump)
    rng = random.Random(trump)
    for _ in range(200):
        taken = rng.sample(sorted(CARD), rng.randint(0, 36))
        worth = sum(reference.value(card, trump) for card in taken)
        assert tricks.points(sum(1 << CARD[card] for card in taken), index) == worth


OPTIONS: list[dict[str, Any]] = [
    {"game": "molotov", "players": 3, "target": 2},
    {"game": "molotov", "players": 3, "target": 2, "undertrump": "if_void", "no_trump": "plain"},
    {"game": "molotov", "players": 3, "target": 2, "no_trump": "annul", "ties": "generous"},
    {"game": "molotov", "players": 4},
    {"game": "molotov", "players": 4, "undertrump": "if_void", "ties": "generous"},
    {"game": "molotov", "players": 5, "target": 3},
    {"game": "molotov", "players": 5, "target": 3, "five_player_marks": "2-1-2"},
    {"game": "molotov", "players": 5, "target": 3, "long_runs": "weis", "ties": "generous"},
    {"game": "molotov", "players": 6, "target": 3},
    {"game": "molotov", "players": 6, "target": 3, "long_runs": "weis"},
    {"game": "offenbach", "players": 3, "target": 2},
    {"game": "offenbach", "players": 4, "target": 2},
    {"game": "offenbach", "players": 5, "target": 2},
    {"game": "offenbach", "players": 5, "target": 2, "five_player_marks": "3-1-1"},
    {"game": "molotow"},
    {"game": "molotow", "undertrump": "literal"},
    {"game": "molotow", "undertrump": "strict", "marks": "swiss"},
    {"game": "differenzler"},
    {"game": "differenzler", "undertrump": "free", "trump": "bottom", "bids": "open"},
    {"game": "differenzler", "players": 3, "exact_bonus": 10, "show_points": "all"},
]


def check_round(match: jt.Match, rng: random.Random, dealer: int) -> None:
    """Play one round at random and compare every step and the result with the reference."""
    game, options = match.game, match.game.options
    pack = match_builders.shuffled(match, rng)
    match.deal(pack)
    hands = match_builders.dealt(pack, dealer, game.players)
    trump = None
    bids: list[int] = []
    if game.name == "differenzler":
        trump = str(match.trump) if match.trump else None
        if match.needs_pack:
            front = match_builders.shuffled(match, rng)
            match.deal(front)
            trump = front[0][1]
        assert match.trump == trump
        bids = [rng.randint(0, 157) for _ in hands]
        for turn in range(game.players):
            seat = (dealer + 1 + turn) % game.players
            match.act(seat, f"bid {bids[seat]}")

    def choose(seat: int, cards: list[str]) -> str:
        assert match.to_act == (seat,)
        assert match_builders.legal(match) == set(cards)
        card = rng.choice(cards)
        match.act(seat, card)
        return card

    done = len(match.rounds)
    found = reference.play_round(
        hands, (dealer + 1) % game.players, choose, str(options["undertrump"]), trump
    )
    if found.trump is None and options.get("no_trump") == "annul":
        assert len(match.rounds) == done
        return
    if match.needs_pack and game.name == "molotow" and len(match.rounds) == done:
        match.deal(match_builders.shuffled(match, rng))
    result = match.rounds[-1]
    assert result["dealer"] == dealer
    assert result["trump"] == found.trump
    assert [trick["winner"] for trick in result["tricks"]] == found.winners
    assert [trick["leader"] for trick in result["tricks"]] == [t[0][0] for t in found.tricks]
    assert [trick["cards"] for trick in result["tricks"]] == [
        [card for _, card in trick] for trick in found.tricks
    ]
    check_scores(result, found, options, bids)


def check_scores(
    result: dict[str, Any], found: reference.Played, options: Any, bids: list[int]
) -> None:
    """Points and marks of a finished round."""
    players = len(found.hands)
    if bids:
        points = found.card_points()
        differences = [abs(bid - score) for bid, score in zip(bids, points, strict=True)]
        assert result["bids"] == bids
        assert result["difference"] == differences
        assert result["points"] == points
    elif "long_runs" in options:
        long_runs = options["long_runs"]
        eights = options["no_trump"] == "eights"
        assert result["points"] == found.molotov_points(long_runs, eights=eights)
        assert [
            (run["trick"], run["seat"], sorted(run["cards"]), run["points"])
            for run in result["molotovs"]
        ] == [
            (number, seat, sorted(run), worth)
            for number, seat, run, worth in found.molotovs(long_runs)
        ]
        places = {3: "||0", 4: "||-0", 6: "|||-00"}.get(
            players, "|||-0" if options["five_player_marks"] == "3-1-1" else "||-00"
        )
        expected = reference.tally_marks(result["points"], places, options["ties"])
        assert result["marks"] == expected
    else:
        assert result["points"] == found.card_points()
        loser = [int(mark == "-1") for mark in result["marks"]].index(1) if result["draw"] else 0
        expected_sticks = reference.stick_marks(
            result["points"], options["marks"], lambda _tied: loser
        )
        assert result["marks"] == [f"{mark:+d}" if mark else "0" for mark in expected_sticks]


@pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: " ".join(str(value) for value in options.values())
)
def test_whole_matches_agree_with_the_reference__C_MV_MW_DF(options: dict[str, Any]) -> None:
    """Legal cards, tricks, trump, points and marks of random matches."""
    chosen = dict(options)
    game = jt.game(chosen.pop("game"), dealer=1, **chosen)
    rng = random.Random(repr(options))
    for _ in range(20):
        match = jt.Match(game)
        dealer = 1
        while not match.over:
            done = len(match.rounds)
            check_round(match, rng, dealer)
            if len(match.rounds) > done:
                dealer = (dealer + 1) % game.players
