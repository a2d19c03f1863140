"""docs/rules.md is complete, machine-readable and correct in its examples."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch.engine import slate, tricks
from jasstisch.engine.cards import JASS, SUITS, card_set
from jasstisch.games.molotow import round_marks
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import REGISTRY

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")

# fmt: off
CLAUSES = [
    "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C8a", "C8b", "C8c", "C8d", "C8e", "C9",
    "C10", "C11", "C12",
    "MV0", "MV1", "MV2", "MV3", "MV4", "MV5", "MV6", "MV7", "MV8", "MV9", "MV10",
    "MW1", "MW2", "MW3", "MW4", "MW5", "MW6", "MW7", "MW8", "MW9",
    "DF1", "DF2", "DF3", "DF4", "DF5", "DF6", "DF7", "DF8", "DF9", "DF10",
    "JS1", "JS2", "JS3", "JS4", "JS5", "JS6", "JS7", "JS8", "JS9", "JS10",
    "ID1", "ID2", "ID3", "ID4", "ID5", "ID6", "ID7", "ID8", "ID9",
    "CT1", "CT2", "CT3", "CT4", "CT5", "CT6",
    "SC1", "SC2", "SC3", "SC4", "SC5", "SC6", "SC7",
    "CO1", "CO2", "CO3", "CO4", "CO5",
]
# fmt: on

HEADING = re.compile(r"^#{3,4} (?P<id>\S+) · (?P<title>\S.*)$", re.MULTILINE)
CLAUSE_ID = re.compile(r"\b(?:C|MV|MW|DF|JS|ID|CT|SC|CO)\d+[a-z]?\b")
CARD_LIST = re.compile(r"[6-9TJQKA][CDHS]( |$)")
READINGS = {
    "free": tricks.FREE,
    "if_void": tricks.IF_VOID,
    "strict": tricks.STRICT,
    "forced": tricks.FORCED,
    "literal": tricks.LITERAL,
}
HEARTS = SUITS.index("H")


def block(clause: str) -> str:
    """The text of a clause, without its heading."""
    found = re.search(rf"^#+ {clause} · .*\n((?:(?!#).*\n)*)", RULES, re.MULTILINE)
    assert found, f"docs/rules.md has no clause {clause}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The cells of the table rows in a text, heading rows included, without code marks."""
    lines = (line.removeprefix("> ") for line in text.splitlines())
    return [
        [cell.strip().replace("`", "").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)]
        for line in lines
        if line.startswith("|") and not line.startswith("|---")
    ]


def cards(text: str) -> int:
    """The set of the cards of a text."""
    return card_set(JASS.parse_all(text))


def test_every_clause_is_a_heading_exactly_once() -> None:
    assert [found["id"] for found in HEADING.finditer(RULES)] == CLAUSES


@pytest.mark.parametrize("clause", CLAUSES)
def test_no_clause_is_empty(clause: str) -> None:
    assert len(block(clause).split()) >= 3


def test_every_heading_of_the_third_level_on_is_a_clause() -> None:
    headings = re.findall(r"^#{3,} .*$", RULES, re.MULTILINE)
    assert [line for line in headings if not HEADING.match(line)] == []


@pytest.mark.parametrize("clause", [c for c in CLAUSES if c[:2] in {"MV", "MW", "DF", "JS", "ID"}])
def test_every_clause_of_a_game_names_its_source(clause: str) -> None:
    if clause != "MV0":  # only points to two other clauses
        assert re.search(r"^\[(seed|completed)\b", block(clause), re.MULTILINE)


def test_clauses_named_in_the_book_and_in_the_package_exist() -> None:
    named = {
        found
        for file in (ROOT / "src").rglob("*")
        if file.suffix in {".py", ".md"}
        for found in CLAUSE_ID.findall(file.read_text(encoding="utf-8"))
    }
    assert (named | set(CLAUSE_ID.findall(RULES))) - set(CLAUSES) == set()


def test_example_of_what_may_be_played__C8() -> None:
    hand = cards("QC 8H JH 6D")
    table = rows(block("C8e"))[1:]
    assert len(table) == 4
    for _, led, playable, _, _ in table:
        found = re.search(r"\d[CDHS]", led)
        suit = SUITS.index(found[0][1]) if found else -1
        legal = tricks.legal_cards(hand, suit, HEARTS, -1, tricks.FREE)
        assert legal == cards(playable), led


def test_examples_of_undertrumping__C9() -> None:
    examples = [row for row in rows(block("C9")) if CARD_LIST.match(row[1])]
    assert len(examples) == 6
    for _, hand, *playable, _ in examples:
        for reading, text in zip(READINGS, playable, strict=True):
            legal = tricks.legal_cards(
                cards(hand), SUITS.index("C"), HEARTS, JASS.parse("TH"), READINGS[reading]
            )
            assert legal == cards(hand if text == "all" else text), (hand, reading)


def test_marks_of_the_examples__MV8() -> None:
    examples = [row for row in rows(block("MV8")) if re.fullmatch(r"\d+( \d+){3}", row[1])]
    assert len(examples) == 5
    for _, scores, marks, _, _ in examples:
        points = [int(score) for score in scores.split()]
        assert slate.marks_by_place(points, ["|", "|", "-", "0"]) == marks.split(), scores


def test_slate_of_the_example__MV9() -> None:
    strokes = ""
    examples = [row for row in rows(block("MV9")) if row[1].isdecimal()]
    assert len(examples) == 6
    for _, _, mark, written, tallies, sacks, _ in examples:
        strokes = slate.add_mark(strokes, mark)
        assert strokes == written
        assert (strokes.count("|"), strokes.count("0")) == (int(tallies), int(sacks))
    assert slate.add_mark("||0", "|") == "||Ø"


def test_marks_of_the_examples__MW9() -> None:
    examples = [row for row in rows(block("MW9")) if re.fullmatch(r"\d+( \d+){3}", row[1])]
    assert len(examples) == 8
    for _, scores, marks, clause, _ in examples:
        points = [int(score) for score in scores.split()]
        given = round_marks(points, 3)
        if given is None:
            assert clause == "MW8"
        else:
            assert given == [int(mark.replace("−", "-")) for mark in marks.split()], scores


def test_differences_of_the_example_add_up__DF6() -> None:
    examples = [[int(n) for n in row[2:5]] for row in rows(block("DF6")) if row[1][-1:].isdecimal()]
    assert len(examples) == 4
    assert all(abs(bid - points) == difference for bid, points, difference in examples)
    assert sum(points for _, points, _ in examples) == 157


def test_cards_without_a_trump_are_worth_157_with_the_last_trick__CT5() -> None:
    values = [[int(cell) for cell in row[2:-1]] for row in rows(block("CT5"))[1:]]
    assert [len(row) for row in values] == [9, 9]
    assert [4 * sum(row) + tricks.LAST_TRICK for row in values] == [tricks.ALL_POINTS] * 2


def test_every_suit_has_one_factor_at_a_time__SC5_CO1() -> None:
    factors = {
        row[1].strip('"'): [int(cell) for cell in row[2:-1]] for row in rows(block("SC5"))[1:]
    }
    assert factors == {"none": [1] * 5, "swiss": [1, 2, 1, 2, 3], "french": [2, 1, 1, 2, 3]}
    suits = {row[1].strip('"'): row[2:-1] for row in rows(block("CO1")) if row[2] in SUITS}
    assert suits == {"swiss": list("CHSD"), "french": list("SCDH")}


def test_points_written_in_the_examples__CO4() -> None:
    factors = {"trump H with factor 2": 2, "bottoms, factor 6": 6, "joker 8 tops": 8}
    told = {row[1]: row[2:4] for row in rows(block("CO4"))}
    for line, factor in factors.items():
        taken = sum(int(number) for number in re.findall(r"\d+", told[line][0]))
        assert int(told[line][1]) == factor * taken, line


def usually(option: Whole) -> list[int]:
    """The default of an option; by number of players where it depends on it."""
    each = [count // players for players, count in option.defaults_by_players.items()]
    return sorted(set(each), key=each.count, reverse=True) or [option.default]


@pytest.mark.parametrize("game", jt.games())
def test_the_list_of_options_is_complete(game: str) -> None:
    listed = rows(RULES.split("## All options")[1])
    starts = [number for number, row in enumerate(listed) if row[1]] + [len(listed)]
    parts = {listed[a][1].split(" ")[0]: listed[a:b] for a, b in pairwise(starts)}
    own = parts["every"] + (parts["molotov"] if game == "offenbach" else []) + parts[game]
    text = {row[2].split(" ")[-1]: row[3] for row in own}
    for option in REGISTRY[game].options:
        told = re.findall(r"[\w-]+", text[option.name])
        if isinstance(option, Choice):
            values = [str(value) for value in option.values]
            named = [word for word in told if word in values]
            assert named[0] == values[0]
            assert set(named) == set(values)
        elif isinstance(option, Whole):
            numbers = [int(word) for word in told if word.isdecimal()]
            usual = usually(option)
            assert numbers[0] == usual[0]
            assert {*usual, option.low, option.high} <= set(numbers)
