"""Prompts in Jass and I Doubt It, and how their answers are parsed."""

import re
from random import Random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.cli.game.i_doubt_it_prompt import ClaimPrompt, suggest_claims
from jasstisch.cli.game.prompts import MenuPrompt
from jasstisch.cli.ui.card_style import STYLES
from tests.cli.screen_player import run_cli, scripted_answers
from tests.cli.ui.test_score_tables import printed

FRENCH, SWISS = STYLES["french"], STYLES["swiss"]
FOREHAND = ["--players", "2", "--dealer", "2", "--bots", "random"]
KINGS = ["play", "jass", *FOREHAND, "--seed", "299"]
"""Forehand holds four kings and the six of trumps; the queen of trumps is turned."""
JACKS = ["play", "i-doubt-it", *FOREHAND, "--seed", "22"]
"""Forehand holds 26 cards, three of them jacks."""


def screen_of(words: list[str], *typed: str) -> str:
    """The screen after these lines were typed."""
    return run_cli(words, scripted_answers(*typed))[1]


# Stay, drop or the blind (JS3, JS4).


def test_the_turned_card_and_the_blind_are_announced__JS3() -> None:
    four = screen_of(["play", "jass", "--seed", "12", "--dealer", "1", "--bots", "random"])
    assert "Trump: ♥ hearts, turned up was Q♥; You hold it\n" in four
    two = screen_of(KINGS)
    assert "Trump: ♠ spades, turned up was Q♠; a blind of nine cards lies on the table\n" in two


@pytest.mark.parametrize(
    ("typed", "goes_on"),
    [
        ("1", "You lead."),
        ("stay", "You lead."),
        ("ST", "You lead."),
        ("3", "Your hand now "),
        ("b", "Your hand now "),
        ("2", "Everybody else has dropped: Random writes two strokes."),
        ("drop", "Everybody else has dropped: Random writes two strokes."),
    ],
)
def test_menus_accept_number_word_or_abbreviation(typed: str, goes_on: str) -> None:
    screen = screen_of(KINGS, typed)
    assert re.search(
        r"^ 1  stay   You need .+\n 2  drop   You sit .+\n 3  blind  You give up ",
        screen,
        re.MULTILINE,
    )
    assert goes_on in screen


@pytest.mark.parametrize("typed", ["4", "0", "", "JC", "staying", "rob", "play KC"])
def test_an_invalid_answer_lists_the_valid_ones(typed: str) -> None:
    screen = screen_of(KINGS, typed)
    assert "Type a number, or the word beside it: stay or drop or blind." in screen
    assert screen.count("Your answer, 1-3 or ?: ") == 2


def test_many_actions_stand_in_columns_each_with_its_number(steigern: str) -> None:
    """A bid in a game of another package with 67 actions."""
    match = jt.Match(jt.game(steigern, dealer=3))
    match.deal(match.pack)
    prompt = MenuPrompt(match.view(0), match.legal(0), FRENCH, 80)
    assert prompt.question == "Your answer, 1-67 or ?: "
    *_, menu = prompt.render_choices()
    lines = printed(menu)
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    numbers = [int(number) for line in lines for number in re.findall(r"(\d+)  [bp]", line)]
    assert sorted(numbers) == list(range(1, 68))
    assert any("67  pass" in line for line in lines)
    assert prompt.parse("67") == prompt.parse("p") == "pass"
    assert prompt.parse("1") == match.legal(0)[0]
    assert prompt.help == "Type a number, or the words beside it, such as bid 50 trump C."


def test_of_thousands_of_actions_the_first_and_the_unlike_ones_are_listed() -> None:
    legal = [f"discard {number}" for number in range(8008)]
    view: dict[str, Any] = {"game": "discards", "hand": ["6C"], "phase": "discard"}
    prompt = MenuPrompt(view, [*legal, "give up"], FRENCH, 80)
    assert prompt.question == "Your answer, 1-160 or ?: "
    assert prompt.parse("160") == "give up"
    assert prompt.parse("159") == "discard 158"
    assert prompt.parse("discard 8007") == "discard 8007"
    assert "There are 8,009 actions" in prompt.help
    assert prompt.help.endswith("such as discard 8007.")


def test_announcements_are_shown_at_the_table__JS4() -> None:
    words = ["play", "jass", "--players", "3", "--bots", "random", "--seed", "3"]
    screen = screen_of(words)
    assert "Random 2 takes the blind.\n" in screen
    assert "Trump ♥ hearts · Random 2 has the blind\n" in screen
    assert re.search(r"^Random 2  takes the blind  · +\nYou +· +·", screen, re.MULTILINE)
    assert " 1  stay  You need 21 points, or you write a null.\n 2  drop  " in screen


def test_the_rules_command_marks_the_house_rules_of_the_table() -> None:
    screen = screen_of([*KINGS, "--target", "9"], "r")
    assert "- `target` = **`9`**: " in screen
    assert "- `ties` = `nothing`: " in screen
    assert screen.count("Your answer, 1-3 or ?: ") == 2


# Announcing (CT2).


def test_s_is_spades_where_a_suit_is_asked_for_and_the_slate_has_its_word__CT2() -> None:
    words = ["play", "schieber", "--dealer", "4", "--bots", "random", "--seed", "1"]
    assert "You announce ♠ spades trump." in screen_of(words, "s")
    asked = screen_of(words, "?", "slate")
    assert "Here s is a suit, and slate shows the slate.\n" in asked
    assert "No round is finished yet." in asked
    joker = ["play", "coiffeur", *words[2:]]
    assert "You announce Joker ×8: ♠ spades trump." in screen_of(joker, "8", "s")
    assert re.search("♠ spades trump +×3 +open", screen_of(joker, "slate"))


# Robbing and Weis (JS5, JS7).


def test_the_turned_card_is_robbed_by_the_number_after_the_cards__JS5() -> None:
    screen = screen_of(KINGS, "1", "10", "4")
    assert "Q♠ lies on the table" in screen
    assert "10  rob  take Q♠ from the table for your 6♠\n" in screen
    assert "You take Q♠ from the table for the 6♠.\n" in screen
    after = screen[screen.index("You take") :]
    assert "6♠ lies on the table" in after
    assert "Q♠    K♠" in after
    assert "10  rob" not in after


@pytest.mark.parametrize(
    ("answers", "robbed"),
    [([""], True), (["y"], True), (["rob"], True), (["perhaps", "1"], True), (["n"], False)],
)
def test_a_card_played_before_robbing_asks_whether_to_rob__JS5(
    answers: list[str], *, robbed: bool
) -> None:
    screen = screen_of(KINGS, "1", "9", *answers)
    assert screen.count("Rob first: Q♠ for your 6♠? [Y/n] ") == len(answers)
    assert screen.count("Type y or n. ") == answers.count("perhaps")
    assert ("You take Q♠ from the table for the 6♠.\n" in screen) == robbed
    assert ("Announce your Weis of 100?" in screen) != robbed


@pytest.mark.parametrize("typed", ["9 weis", "9w", "ks W", "K♠ weis", "play KS weis", "k spades w"])
def test_weis_is_announced_with_the_card__JS7(typed: str) -> None:
    screen = screen_of(KINGS, "1", typed, "n")
    assert "Your Weis K♣ K♦ K♥ K♠ (100)\n" in screen
    assert "You announce a Weis of 100." in screen
    assert "Announce your Weis" not in screen


@pytest.mark.parametrize(
    ("answers", "announced"),
    [([""], True), (["y"], True), (["1"], True), (["perhaps", "Y"], True), (["n"], False)],
)
def test_an_unannounced_weis_is_asked_for__JS7(answers: list[str], *, announced: bool) -> None:
    screen = screen_of(KINGS, "1", "9", "n", *answers)
    assert screen.count("Announce your Weis of 100? [Y/n] ") == len(answers)
    assert screen.count("Type y or n. ") == answers.count("perhaps")
    assert ("You announce a Weis of 100." in screen) == announced
    assert "Trick 1   You K♠" in screen


def test_an_invalid_or_late_weis_is_refused__JS7() -> None:
    late = screen_of(KINGS, "1", "9", "n", "n", "1 weis")
    assert "Weis is announced with your first card, and only with a meld in your hand.  JS7" in late
    none = screen_of(["play", "jass", *FOREHAND, "--seed", "2"], "1", "1 w")
    assert "and only with a meld in your hand.  JS7" in none


# Laying cards under a claim (ID2).


def question(hand: str, *, swiss: bool = False) -> ClaimPrompt:
    """The question to a player with this hand."""
    view: dict[str, Any] = {"hand": hand.split()}
    return ClaimPrompt(view, ["lay"], SWISS if swiss else FRENCH, 80)


HAND = "3C TC 7D KD AS TS"
IN_ORDER = ["3C", "7D", "TC", "TS", "KD", "AS"]


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("3C 7D KD as J", "lay 3C 7D KD as J"),
        ("lay 3c 7d kd AS j", "lay 3C 7D KD as J"),
        ("1 2 5 as jack", "lay 3C 7D KD as J"),
        ("5,2, 1 = 10", "lay KD 7D 3C as T"),
        ("10♣ 10s as as tens", "lay TC TS AS as T"),
        ("as 3c kd as ace", "lay AS 3C KD as A"),
        ("3 4", "lay TC TS"),
        ("1 2 as", "lay 3C 7D AS"),
        ("a", "lay TC TS AS as T"),
        ("A", "lay TC TS AS as T"),
    ],
)
def test_cards_are_named_by_text_number_or_letter__ID2(typed: str, action: str) -> None:
    assert question(HAND).cards == IN_ORDER
    assert question(HAND).parse(typed) == action


@pytest.mark.parametrize(
    "typed", ["", "9", "1 2 3 as zebra", "1 2 99", "pass", "1 2 3 as", "x", "g"]
)
def test_texts_that_name_no_cards_are_unchanged(typed: str) -> None:
    asked = question(HAND)
    assert asked.parse(typed) in {typed, "lay 3C 7D TC AS"}


def test_ranks_and_cards_have_the_names_of_the_deck() -> None:
    assert question(HAND, swiss=True).parse("1 2 5 as unders") == "lay 3C 7D KD as J"
    assert question(HAND, swiss=True).parse("1 2 5 = o") == "lay 3C 7D KD as Q"
    assert FRENCH.count_text("J", 3) == "three jacks"
    assert FRENCH.count_text("6", 1) == "one six"
    assert FRENCH.count_text("6", 2) == "two sixes"
    assert SWISS.count_text("T", 3) == "three banners"


def test_the_rank_is_asked_for_when_only_cards_are_named__ID2() -> None:
    screen = screen_of(JACKS, "19 20 21", "x", "", "19 20 21", "Jacks")
    assert screen.count("Claim three of which rank, 2 to A (Enter: back)? ") == 3
    assert "You lay J♣ J♦ J♠ as three jacks.\n" in screen


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Type a letter, or three different cards and a rank, as in 1 2 3 as J."),
        ("1 1 2 as J", "Type a letter, or three different cards and a rank"),
        ("1 2 as J", "Type a letter, or three different cards and a rank"),
        ("1 2 3 4", "Type a letter, or three different cards and a rank"),
        ("doubt", "Type a letter, or three different cards and a rank"),
        ("JC", "Type a letter, or three different cards and a rank"),
        ("AS 3C JC as J", "You do not hold A♠, 3♣."),
        ("?", "Without a rank you are asked for it. Any rank may be claimed, true or not."),
    ],
)
def test_an_invalid_lay_is_explained_and_asked_again(typed: str, said: str) -> None:
    screen = screen_of(JACKS, typed)
    assert said in " ".join(screen.split())
    assert screen.count("Three cards and a rank, a-e or ?: ") == 2


def test_the_hand_is_grouped_by_rank_with_a_number_below_each_card() -> None:
    shown = printed(question("3C 7D 7S TC KD KH KS").shown)
    assert shown == [
        "3♣     7♦   7♠     10♣    K♦   K♥   K♠",
        "1      2    3      4      5    6    7",
    ]


def test_a_pack_of_52_has_french_faces_whatever_the_deck() -> None:
    assert screen_of([*JACKS, "--deck", "swiss"]) == screen_of(JACKS)


def test_a_few_plausible_claims_are_suggested() -> None:
    """A true claim first, then a half-true one, then a lie about the most frequent rank."""
    proposed = [
        (claim.cards, claim.rank, claim.true_count)
        for claim in suggest_claims(["3C", "7D", "7S", "KC", "KD", "KH"], 3)
    ]
    assert proposed == [
        (("KC", "KD", "KH"), "K", 3),
        (("7D", "7S", "3C"), "7", 2),
        (("3C", "7D", "7S"), "3", 1),
        (("3C", "7D", "7S"), "K", 0),
    ]
    assert "a  K♣ K♦ K♥    as three kings   true" in " ".join(
        printed(list(question("3C 7D 7S KC KD KH").render_choices())[-1])
    )


@pytest.mark.parametrize("size", [1, 2, 3])
def test_every_hand_has_a_possible_claim(size: int) -> None:
    rng = Random(size)
    pack = list(jt.Match(jt.game("i-doubt-it")).pack)
    for held in range(size, 52):
        hand = rng.sample(pack, held)
        claims = suggest_claims(hand, size)
        assert 1 <= len(claims) <= 5
        assert len(set(claims)) == len(claims)
        for claim in claims:
            assert set(claim.cards) <= set(hand)
            assert len(set(claim.cards)) == size


def test_the_last_cards_may_be_laid_if_the_table_allows_it__ID5() -> None:
    asked = question("7D 7S")
    assert asked.question == "Two cards and a rank, a or ?: "
    assert asked.parse("a") == "lay 7D 7S as 7"
    assert question("7D").question == "One card and a rank, a or ?: "
    assert question("7D").ask_follow_up("lay 7D", lambda _: "8") == "lay 7D as 8"


# Doubting (ID3).


def test_the_doubt_prompt_shows_the_claim_and_own_cards_of_its_rank__ID3() -> None:
    screen = screen_of(JACKS, "a")
    claim = screen[screen.index("\nClaim 2 of at most 50") :]
    assert re.match(
        r"\nClaim 2 of at most 50 · \w+ cards? in the middle\n +Cards  Chips  Claim +\n"
        r"Random +23 +0  three \w+ *\nYou +\d+ +0  · +\n",
        claim,
    )
    assert re.search(r"^You hold (no|one|two|three|four) \w+\.$", claim, re.MULTILINE)
    assert " 1  doubt  I doubt it\n 2  pass\n" in claim


@pytest.mark.parametrize("typed", ["1", "doubt", "d", "DOUBT"])
def test_a_doubt_turns_the_cards_up__ID3(typed: str) -> None:
    screen = screen_of(JACKS, "a", typed)
    assert re.search(
        r"^You doubt it: (\S+ ){2}\S+\. (A lie! Random takes|True! You take) \d+ cards\.$",
        screen,
        re.MULTILINE,
    )


def test_any_few_actions_make_a_menu() -> None:
    """A future game is playable without further code."""
    asked = MenuPrompt({"game": "molotov", "hand": ["JC"]}, ["obenabe", "undenufe"], FRENCH, 80)
    assert asked.question == "Your answer, 1-2 or ?: "
    assert (asked.parse("2"), asked.parse("o")) == ("undenufe", "obenabe")
