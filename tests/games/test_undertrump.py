"""C9: what undertrumping forbids, by each of its five variants.

The trick of most tests is AC, ruffed with QH, so that H is trump: 6 7 8 T H are lower, K A 9 J H
higher. Seat 2 is to play. In the games that begin without a trump QH has just made it.
"""

from __future__ import annotations

from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, reference
from tests.rules.match_builders import cards, check_choice, deal, differenzler, molotow, play, start
from tests.rules.test_reference import engine_playable

# Hand of seat 2, then the cards it may play by each variant.
SCENES = {
    "suit led, lower and higher trumps": (
        "67C 6KJH 6789S",
        {
            "free": "67C 6KJH",
            "if_void": "67C KJH",
            "strict": "67C KJH",
            "forced": "67C KJH",
            "literal": "67C KJH",
        },
    ),
    "suit led, only lower trumps": (
        "67C 67TH 6789S",
        {
            "free": "67C 67TH",
            "if_void": "67C",
            "strict": "67C",
            "forced": "67C",
            "literal": "67C",
        },
    ),
    "suit led, no trumps": (
        "67C 6789TJQS",
        dict.fromkeys(reference.UNDERTRUMP, "67C"),
    ),
    "suit led, only the Bur": (
        "67C JH 6789TJS",
        dict.fromkeys(reference.UNDERTRUMP, "67C JH"),
    ),
    "void, lower and higher trumps": (
        "678H KH 6789S 6D",
        {
            "free": "678H KH 6789S 6D",
            "if_void": "678H KH 6789S 6D",
            "strict": "KH 6789S 6D",
            "forced": "KH 6789S 6D",
            "literal": "KH",
        },
    ),
    "void, higher trumps and the Bur": (
        "67H KJH 6789S 6D",
        {
            "free": "67H KJH 6789S 6D",
            "if_void": "67H KJH 6789S 6D",
            "strict": "KJH 6789S 6D",
            "forced": "KJH 6789S 6D",
            "literal": "KJH",
        },
    ),
    "void, the Bur the only higher trump": (
        "67H JH 6789S 67D",
        {
            "free": "67H JH 6789S 67D",
            "if_void": "67H JH 6789S 67D",
            "strict": "JH 6789S 67D",
            "forced": "JH 6789S 67D",
            "literal": "67H JH 6789S 67D",
        },
    ),
    "void, the Bur the only trump": (
        "JH 6789S 678TD",
        dict.fromkeys(reference.UNDERTRUMP, "JH 6789S 678TD"),
    ),
    "void, only lower trumps": (
        "678H 6789S 67D",
        {
            "free": "678H 6789S 67D",
            "if_void": "678H 6789S 67D",
            "strict": "6789S 67D",
            "forced": "6789S 67D",
            "literal": "678H",
        },
    ),
    "void, no trumps": (
        "6789TS 678TD",
        dict.fromkeys(reference.UNDERTRUMP, "6789TS 678TD"),
    ),
}

# Hands of trumps alone, which a player has only late in a round.
TRUMPS_ONLY = {
    "lower and higher": (
        "68TKH",
        {
            "free": "68TKH",
            "if_void": "68TKH",
            "strict": "68TKH",
            "forced": "KH",
            "literal": "KH",
        },
    ),
    "the Bur the only higher one": (
        "68TJH",
        {
            "free": "68TJH",
            "if_void": "68TJH",
            "strict": "68TJH",
            "forced": "JH",
            "literal": "68TJH",
        },
    ),
    "lower ones only": ("68TH", dict.fromkeys(reference.UNDERTRUMP, "68TH")),
    "higher ones only": ("KA9JH", dict.fromkeys(reference.UNDERTRUMP, "KA9JH")),
}

AT_THE_TABLE = [
    ("molotov", "free"),
    ("molotov", "if_void"),
    ("offenbach", "free"),
    ("offenbach", "if_void"),
    ("molotow", "if_void"),
    ("molotow", "literal"),
    ("molotow", "strict"),
    ("differenzler", "if_void"),
    ("differenzler", "free"),
]


def ruffed(name: str, hand: str, **options: Any) -> jt.Match:
    """A match in which seat 0 led AC, seat 1 ruffed with QH, and seat 2 is to play this hand."""
    hands = deal({0: "AC", 1: "QH", 2: hand}, void={1: "C"})
    if name == "differenzler":
        match = differenzler(hands, "H", **options)
    else:
        match = start(name, hands, **options)
    play(match, "AC QH")
    assert match.trump == "H"
    return match


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize(("name", "undertrump"), AT_THE_TABLE)
def test_legal_cards_over_a_ruff_at_the_table__C9(name: str, undertrump: str, scene: str) -> None:
    """At the table exactly these cards are legal and the others are refused with the clause."""
    hand, allowed = SCENES[scene]
    match = ruffed(name, hand, undertrump=undertrump)
    check_choice(match, allowed[undertrump], "C")


@pytest.mark.parametrize("undertrump", reference.UNDERTRUMP)
@pytest.mark.parametrize("scene", [*SCENES, *TRUMPS_ONLY])
def test_legal_cards_over_a_ruff_in_every_variant__C9(scene: str, undertrump: str) -> None:
    """All five variants, also those that no game offers yet."""
    hand, allowed = {**SCENES, **TRUMPS_ONLY}[scene]
    found = engine_playable(cards(hand), ["AC", "QH"], "H", undertrump)
    assert found == set(cards(allowed[undertrump]))


@pytest.mark.parametrize("undertrump", reference.UNDERTRUMP)
def test_no_variant_forces_the_bur_on_a_trump_lead__C8c_C9(undertrump: str) -> None:
    """When trump is led the Bur alone is free and any lower trump is legal, in every variant."""
    assert engine_playable(cards("JH 67S"), ["QH"], "H", undertrump) == set(cards("JH 67S"))
    assert engine_playable(cards("6JH 67S"), ["QH"], "H", undertrump) == set(cards("6JH"))
    assert engine_playable(cards("67H 67S"), ["QH", "KH"], "H", undertrump) == set(cards("67H"))


REASONS = [
    ("if_void", "67C 6KJH 6789S", "6H", "C9", "undertrump"),
    ("if_void", "67C 6KJH 6789S", "6S", "C8d", "follow_or_trump"),
    ("strict", "67C 6KJH 6789S", "6H", "C9", "undertrump"),
    ("strict", "678H KH 6789S 6D", "6H", "C9", "undertrump"),
    ("literal", "67C 6KJH 6789S", "6H", "C9", "undertrump"),
    ("literal", "678H KH 6789S 6D", "6S", "C9", "overtrump"),
    ("literal", "678H 6789S 67D", "6S", "C9", "trump_if_you_can"),
]


@pytest.mark.parametrize(("undertrump", "hand", "card", "clause", "reason"), REASONS)
def test_refusals_name_the_reason__C9(
    undertrump: str, hand: str, card: str, clause: str, reason: str
) -> None:
    """The refusal says whether a trump was too low, a higher one due, or any trump due."""
    error = match_builders.refused(
        ruffed("molotow", hand, undertrump=undertrump), 2, f"play {card}"
    )
    assert (error.clause, error.reason) == (clause, reason)


def test_lower_trump_with_a_higher_one_due_is_refused__C9() -> None:
    """With `literal` a player without the suit led may not undertrump either."""
    match = ruffed("molotow", "678H KH 6789S 6D", undertrump="literal")
    error = match_builders.refused(match, 2, "play 6H")
    assert error.clause == "C9"
    assert error.reason in {"undertrump", "overtrump"}


@pytest.mark.parametrize(
    ("undertrump", "allowed"),
    [("if_void", "6C A9H"), ("strict", "6C A9H"), ("literal", "6C A9H")],
)
def test_undertrumping_means_below_the_highest_trump_in_the_trick__C9(
    undertrump: str, allowed: str
) -> None:
    """After a second, higher ruff that trump is to be beaten, not the first one."""
    hands = deal({0: "AC", 1: "7H", 2: "KH", 3: "6C 68QA9H 678S"}, void={1: "C", 2: "C"})
    match = molotow(hands, undertrump=undertrump)
    play(match, "AC 7H KH")
    check_choice(match, allowed, "C")


def test_a_lower_ruff_does_not_lower_the_trump_to_beat__C9() -> None:
    """A permitted undertrump does not lower what the next player must beat."""
    hands = deal({0: "AC", 1: "KH", 2: "7H", 3: "6C 68QA9H 678S"}, void={1: "C", 2: "C"})
    match = molotow(hands)
    play(match, "AC KH 7H")
    check_choice(match, "6C A9H", "C")


def late_ruff(name: str, **options: Any) -> jt.Match:
    """Seat 2 has four trumps only, 7 8 K J H, when AD has been ruffed with QH."""
    hands = [
        cards("AC AKQS AK68D TD"),
        cards("KC 6Q9TAH 68TS"),
        cards("6789TC 78KJH"),
        cards("QJC 79JS 79JQD"),
    ]
    match = start(name, hands, **options)
    play(match, "AC KC 6C QC")
    play(match, "6D 6H 7C 7D")
    play(match, "6S 8C 7S AS")
    play(match, "KS 8S 9C 9S")
    play(match, "QS TS TC JS")
    play(match, "AD QH")
    return match


@pytest.mark.parametrize(
    ("name", "undertrump"),
    [("molotov", "free"), ("molotov", "if_void"), ("molotow", "if_void"), ("molotow", "strict")],
)
def test_a_hand_of_trumps_only_may_undertrump__C9(name: str, undertrump: str) -> None:
    """A player with nothing but trumps may play any of them, with `strict` too."""
    check_choice(late_ruff(name, undertrump=undertrump), "78KJH", "")


def test_undertrumping_binds_the_card_after_the_one_that_made_trump__C9() -> None:
    """With `if_void` a lower trump is refused right after the discard that made trump."""
    match = ruffed("molotov", "67C 6KJH 6789S", undertrump="if_void")
    assert match_builders.refused(match, 2, "play 6H").clause == "C9"
    match.act(2, "play KH")


def test_molotov_allows_undertrumping__MV3() -> None:
    """By default a lower trump may be thrown under a higher one, the suit led held or not."""
    for hand in ("67C 6KJH 6789S", "678H KH 6789S 6D"):
        match = ruffed("molotov", hand)
        assert match.game.options["undertrump"] == "free"
        match.act(2, "play 6H")


def test_molotow_and_differenzler_bind_only_players_with_the_suit_led__MW2_DF4() -> None:
    """By default both games refuse a lower trump only to a player with the suit led."""
    for name in ("molotow", "differenzler"):
        match = ruffed(name, "67C 6KJH 6789S")
        assert match.game.options["undertrump"] == "if_void"
        assert match_builders.refused(match, 2, "play 6H").clause == "C9"
        ruffed(name, "678H KH 6789S 6D").act(2, "play 6H")


@pytest.mark.parametrize("undertrump", ["if_void", "literal", "strict"])
def test_no_option_of_molotow_forces_the_bur__MW2(undertrump: str) -> None:
    """With the Bur as the only higher trump there is always another card to play."""
    for hand in ("67H JH 6789S 67D", "JH 6789S 678TD", "67C JH 6789TJS"):
        match = ruffed("molotow", hand, undertrump=undertrump)
        assert match_builders.legal(match) - {"JH"}
