from typing import Any

import pytest
from rich.console import Console

from jasstisch.cli.game.illegal_move_text import explain
from jasstisch.cli.game.prompts import CardPrompt
from jasstisch.cli.ui.card_style import STYLES, style_for
from jasstisch.cli.ui.encoding import _ascii_fallback, printable_line, printable_text
from jasstisch.cli.ui.hand_view import numbered_hand
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.score_tables import _trick_winner, match_table, round_result_table
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import Refusal

FRENCH, SWISS = STYLES["french"], STYLES["swiss"]


def printed(thing: object, width: int = 80) -> list[str]:
    """The printed lines, without trailing blanks."""
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(thing)
    return [line.rstrip() for line in capture.get().rstrip("\n").split("\n")]


@pytest.mark.parametrize("deck", STYLES)
def test_every_card_is_understood_in_print_and_in_notation(deck: str) -> None:
    faces = STYLES[deck]
    for card in JASS.texts:
        suit = faces.suit_names[card[1]]
        for typed in (card, card.lower(), faces.card_text(card).plain, faces.input_form(card)):
            assert faces.parse_card(typed) == card
        assert faces.parse_card(f"{faces.rank_text(card)} {suit[:3]}") == card
        assert faces.parse_card(f" {card[0]}  {suit} ") == card


@pytest.mark.parametrize("typed", ["", "1", "JX", "11C", "J", "clubs", "JCC", "1C", "C", "l", "q"])
def test_invalid_cards_are_refused(typed: str) -> None:
    assert all(faces.parse_card(typed) is None for faces in STYLES.values())


def test_decks_have_their_own_names__C1() -> None:
    assert FRENCH.card_text("TH").plain == "10♥"
    assert SWISS.card_text("TH").plain == "B roses"
    assert SWISS.card_text("JC").plain == "U acorns"
    assert SWISS.card_text("QD").plain == "O bells"
    assert SWISS.card_text("AS").plain == "A shields"


def test_swiss_suits_have_a_symbol_and_a_colour_each() -> None:
    drawn = style_for("swiss", drawn=True)
    cards = [drawn.card_text(f"J{suit}") for suit in "CDHS"]
    assert len({card.plain for card in cards}) == len({str(card.style) for card in cards}) == 4
    assert all(card.cell_len == 2 for card in cards)
    assert [drawn.parse_card(card.plain) for card in cards] == ["JC", "JD", "JH", "JS"]
    assert drawn.input_form("JH") == "U roses", "what is typed needs no sign"
    assert printed(numbered_hand(["6C", "JC", "JH"], ["JC"], drawn, width=80)) == [
        " acorns        roses",
        " 6♧    U♧      U✿",
        "(1)    2      (3)",
    ]


def test_a_long_hand_wraps_between_suits() -> None:
    hand = ["6C", "7C", "6D", "7D", "8D"]
    assert printed(numbered_hand(hand, {"6C", "8D"}, FRENCH, width=30)) == [
        " 6♣    7♣",
        " 1    (2)",
        " 6♦    7♦    8♦",
        "(3)   (4)    5",
    ]
    assert printed(numbered_hand(hand, None, SWISS, width=80)) == [
        " acorns        bells",
        " 6     7       6     7     8",
    ]


@pytest.mark.parametrize(
    ("trick", "ranking", "seat"),
    [
        ([], tricks.PLAIN, None),
        ([[2, "6C"], [3, "AS"]], tricks.PLAIN, 2),
        ([[2, "6C"], [3, "7C"], [0, "6S"]], 3, 0),
        ([[2, "AS"], [3, "9S"], [0, "JS"]], 3, 0),
        ([[2, "7C"], [3, "AC"], [0, "6S"]], tricks.TOPS, 3),
        ([[2, "7C"], [3, "AC"], [0, "6C"]], tricks.BOTTOMS, 0),
    ],
)
def test_the_winning_card_of_the_trick_is_marked__C7__CT4(
    trick: list[list[Any]], ranking: int, seat: int | None
) -> None:
    assert _trick_winner(trick, ranking) == seat


def written(
    game: str, rounds: list[dict[str, Any]], standing: list[dict[str, Any]]
) -> dict[str, Any]:
    """A view with these finished rounds."""
    players = [f"Player {number}" for number, _ in enumerate(standing, 1)]
    return {"game": game, "players": players, "rounds": rounds, "standing": standing}


def test_round_sheet_of_molotov() -> None:
    finished = {
        "points": [8, 51, 40, 78],
        "marks": ["|", "-", "|", "0"],
        "molotovs": [{"seat": 1, "points": 20}],
    }
    view = written("molotov", [finished], [{"strokes": text} for text in ("||Ø", "", "|", "0")])
    assert printed(round_result_table(view, PlayerNames(["Anna", "b", "c", "d"]))) == [
        "      Points  Molotovs  Mark  Slate",
        "Anna       8         ·     |  ||Ø",
        "b         51        20     -  ·",
        "c         40         ·     |  |",
        "d         78         ·     0  0",
    ]


def test_match_sheet_of_differenzler_shows_every_round_of_every_player__DF9() -> None:
    rounds = [
        {"bids": [42, 0], "points": [57, 100], "difference": [15, 100], "marks": ["15", "100"]},
        {"bids": [57, 100], "points": [57, 100], "difference": [0, 0], "marks": ["-10", "-10"]},
    ]
    view = written("differenzler", rounds, [{"difference": 5}, {"difference": 90}])
    assert printed(match_table(view, PlayerNames(["Anna", "Beat"]))) == [
        "bid, points, difference",
        "Round         Anna         Beat",
        "1       42  57  15    0 100 100",
        "2       57  57 -10  100 100 -10",
        "Total            5           90",
    ]


def test_match_sheet_of_molotow_shows_sticks_and_potatoes__MW9() -> None:
    rounds = [{"points": [120, 37], "marks": ["-3", "+3"]}]
    standing = [{"sticks": 0, "potatoes": 3, "net": -3}, {"sticks": 3, "potatoes": 0, "net": 3}]
    assert printed(match_table(written("molotow", rounds, standing), PlayerNames(["a", "b"])))[
        2:
    ] == [
        "1         120 -3   37 +3",
        "Sticks         0       3",
        "Potatoes       3       0",
        "Net           -3      +3",
    ]


def wins(seats: PlayerNames, those: int | list[int]) -> str:
    """A sentence about players."""
    return seats.translator.plain("news.wins", who=seats.subject(those))


def test_seats_are_named() -> None:
    seats = PlayerNames(["You", "bot:greedy", "bot:greedy", "bot:club", "bot:", ""], 0)
    assert seats.names == ["You", "Greedy 1", "Greedy 2", "Club", "Computer", "Player 6"]
    assert wins(seats, 0) == "You win the match."
    assert wins(seats, 1) == "Greedy 1 wins the match."
    assert wins(seats, [0, 3]) == "You and Club win the match."
    assert wins(seats, [1, 2]) == "Greedy 1 and Greedy 2 win the match."
    assert seats.join_names([0, 1, 3]) == "You, Greedy 1 and Club"


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("follow", "♣ clubs were led and you hold ♣ clubs; you may follow or trump (♥ hearts)."),
        ("follow_trump", "Trumps (♥ hearts) were led and you hold trumps; "),
        ("follow_or_trump", "♣ clubs were led and you hold ♣ clubs; you may follow or trump (♥"),
        ("undertrump", "You hold no ♣ clubs, and a higher trump lies in the trick (♥ hearts); "),
        ("overtrump", "You hold no ♣ clubs, but a higher trump than the one in the trick (♥ "),
        ("trump_if_you_can", "You hold no ♣ clubs, but trumps (♥ hearts); you may follow or "),
        ("shuffled", "As the match says."),
    ],
)
def test_every_reason_is_a_sentence_with_clause_and_legal_cards(reason: str, said: str) -> None:
    view = {"game": "jass", "hand": ["6D"], "trick": [[1, "AC"]], "trump": "H", "melds": []}
    refusal = Refusal("C8d", reason, "as the match says")
    question = CardPrompt(view, ["play 7C", "play JH"], FRENCH, 80)
    lines = explain(refusal, "play 6D", question, FRENCH).plain.split("\n")
    assert lines[0].startswith(f"6♦ may not be played. {said}")
    assert lines[0].endswith("  C8d")
    assert lines[1] == "You may play 7♣, J♥."


def test_every_refusal_code_of_cards_has_a_sentence() -> None:
    """The terminal has a text for each reason code of the rules."""
    view = {"game": "jass", "hand": ["6D"], "trick": [[1, "AC"]], "trump": "H", "melds": []}
    question = CardPrompt(view, ["play 7C"], FRENCH, 80)
    codes = {"follow", "follow_trump", "follow_or_trump", "undertrump", "overtrump"}
    for code in codes | {"trump_if_you_can", "not_held", "unknown", "bid"}:
        text = explain(Refusal("C8", code, "RAW"), "play 6D", question, FRENCH).plain
        assert "RAW" not in text


@pytest.mark.parametrize(
    ("sign", "ascii_sign"),
    [("♣", "C"), ("♥", "H"), ("Ø", "X"), ("ä", "a"), ("É", "E"), ("→", ">"), ("漢", "?")],
)
def test_characters_missing_in_the_encoding_become_one_ascii_character(
    sign: str, ascii_sign: str
) -> None:
    assert _ascii_fallback(sign) == ascii_sign
    assert f"1{sign}2".encode("ascii", errors="jasstisch.nearest") == f"1{ascii_sign}2".encode()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437", "latin-1"])
def test_all_output_fits_every_encoding(encoding: str) -> None:
    text = "♣♦♥♠Ø·–—−×…«»“”„’•→←─━│▌═"
    assert len(text.encode(encoding, errors="jasstisch.nearest")) == len(text)


def test_no_text_can_control_a_terminal() -> None:
    assert printable_line("a\x1b[2J\n\ud800\u202eé") == "a?[2J???é"
    assert printable_text("a\x9b2J\n«\u202fb»") == "a?2J\n«\u202fb»"
