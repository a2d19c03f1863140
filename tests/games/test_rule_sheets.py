"""The rule sheets: complete and the same in each language, with correct examples."""

import re
from collections import Counter
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch import i18n
from jasstisch.engine import melds, slate, tricks
from jasstisch.engine.cards import JASS, SUITS, card_set
from jasstisch.games.handjass import Handjass
from jasstisch.games.i_doubt_it import IDoubtIt, Turn
from jasstisch.games.molotow import round_marks
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import REGISTRY
from tests.docs.test_rules import usually
from tests.rules import match_builders

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")

SECTIONS = {"molotov": 9, "offenbach": 9, "jass": 10, "i-doubt-it": 9, "schieber": 9, "coiffeur": 9}
"""Sections of the sheets that have one of their own; the others have eight."""

SHEETS = [(game, lang) for game in i18n.games_with_sheet() for lang in i18n.LANGUAGES]
TRANSLATIONS = [(game, lang) for game, lang in SHEETS if lang != "en"]
AT_THE_TABLE = [(game, lang) for game in jt.games() for lang in i18n.LANGUAGES]

NAMED_IN_FULL = {"schieber": ("CT", "SC"), "coiffeur": ("CT", "CO")}
"""Games whose sheets name every clause of these sections of the rule book."""

CLAUSE = re.compile(r"\b(?:C|MV|MW|DF|JS|ID|CT|SC|CO)\d+\b")


def prose(text: str) -> str:
    """A sheet without its code spans."""
    return re.sub(r"`[^`]*`", "", text)


def code(text: str) -> list[str]:
    """The code spans of a sheet."""
    return re.findall(r"`([^`]*)`", text)


def in_one_line(game: str, lang: str) -> str:
    """A sheet in one line, so that searches match across line ends."""
    return i18n.rule_sheet(game, lang).replace("\n", " ")


@pytest.mark.parametrize(("game", "lang"), SHEETS)
def test_every_game_has_a_sheet_in_every_language(game: str, lang: str) -> None:
    text = i18n.rule_sheet(game, lang)
    assert text.startswith("# ")
    assert text.count("\n## ") == SECTIONS.get(game, 8)


@pytest.mark.parametrize(("game", "lang"), SHEETS)
def test_options_are_named_in_words_outside_the_list_of_house_rules(game: str, lang: str) -> None:
    names = {option.name for option in REGISTRY[game].options}
    lines = i18n.rule_sheet(game, lang).splitlines()
    text = "\n".join(line for line in lines if not line.startswith("- `"))
    assert not names & {*code(text)}


def test_games_with_a_sheet_are_all_games() -> None:
    assert i18n.games_with_sheet() == tuple(sorted(jt.games()))


def test_the_default_language_of_a_sheet_is_english() -> None:
    assert i18n.rule_sheet("molotow") == i18n.rule_sheet("molotow", "en")


@pytest.mark.parametrize(("game", "lang"), AT_THE_TABLE)
def test_sheet_names_every_option_and_its_values(game: str, lang: str) -> None:
    house_rules = i18n.rule_sheet(game, lang).rsplit("\n## ", 1)[1]
    entries = dict(re.findall(r"^- `(\w+)`((?:.*\n(?!- |\n))*.*\n)", house_rules, re.MULTILINE))
    options = {option.name: option for option in REGISTRY[game].options}
    assert list(entries) == list(options)
    for name, option in options.items():
        stated = re.findall(r"[\w-]+", entries[name])
        if isinstance(option, Choice):
            values = [str(value) for value in option.values]
            named = [word for word in stated if word in values]
            assert named[0] == values[0], name
            assert set(named) == set(values), name
        elif isinstance(option, Whole):
            numbers = [int(word) for word in stated if word.isdecimal()]
            usual = usually(option)
            assert numbers[0] == usual[0], name
            assert {*usual, option.low, option.high} <= set(numbers), name


@pytest.mark.parametrize(("game", "lang"), TRANSLATIONS)
def test_translations_have_the_numbers_clauses_and_layout_of_the_english_sheet(
    game: str, lang: str
) -> None:
    english, other = i18n.rule_sheet(game), i18n.rule_sheet(game, lang)
    for what, pattern in {
        "numbers": r"(?<![\w`])[+−]?\d+",
        "clauses": CLAUSE.pattern,
        "headings": r"^#+",
        "list entries": r"^(?:- |\d\. )",
        "table rows": r"^\|",
        "bold words": r"\*\*[^*]+\*\*",
    }.items():
        counts = [Counter(re.findall(pattern, text, re.MULTILINE)) for text in (english, other)]
        if what == "bold words":
            assert counts[0].total() == counts[1].total(), what
        else:
            assert counts[0] == counts[1], what
    assert set(code(english)) <= set(code(other))


@pytest.mark.parametrize(("game", "lang"), SHEETS)
def test_clauses_named_in_a_sheet_are_in_the_rule_book(game: str, lang: str) -> None:
    named = set(CLAUSE.findall(i18n.rule_sheet(game, lang)))
    assert named
    assert named <= set(re.findall(r"^### (\S+) · ", RULES, re.MULTILINE))


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("game", NAMED_IN_FULL)
def test_sheet_names_every_clause_of_its_sections(game: str, lang: str) -> None:
    letters = "|".join(NAMED_IN_FULL[game])
    clauses = re.findall(rf"^### ((?:{letters})\d+) · ", RULES, re.MULTILINE)
    assert len(clauses) >= 11
    assert set(clauses) - set(CLAUSE.findall(i18n.rule_sheet(game, lang))) == set()


@pytest.mark.parametrize(("game", "lang"), SHEETS)
def test_paragraphs_and_lists_keep_to_the_width_of_the_page(game: str, lang: str) -> None:
    lines = i18n.rule_sheet(game, lang).splitlines()
    assert [line for line in lines if len(line) > 100 and not line.startswith("|")] == []


@pytest.mark.parametrize("game", i18n.games_with_sheet())
def test_french_sheets_set_thin_spaces_and_typographic_marks(game: str) -> None:
    text = prose(i18n.rule_sheet(game, "fr"))
    assert not re.search(r"[^\u202f\s][;!?]|[^\u202f\s|-]:|'|\"", text)
    assert not re.search(r" [;:!?»]|« ", text)


@pytest.mark.parametrize(("game", "lang"), TRANSLATIONS)
def test_translations_are_set_in_swiss_typography(game: str, lang: str) -> None:
    text = prose(i18n.rule_sheet(game, lang))
    assert not re.search(r"[ß„“”\"']", text)


@pytest.mark.parametrize(
    ("game", "trump", "played", "winner", "sum_of_points"),
    [
        ("molotov", "", "8C AC JD TC", 2, "0 + 11 + 20 + 10 = **41"),
        ("molotow", "H", "7C TH AH 6H", 2, "0 + 10 + 11 + 0 = **21"),
        ("differenzler", "S", "TD KD 6S 7D", 2, "10 + 4 + 0 + 0 = **14"),
        ("jass", "H", "KS 9H 7C", 1, "4 + 14 + 0 = **18"),
        ("schieber", "H", "AS 8H KH 6S", 2, "11 + 0 + 4 + 0 = **15"),
    ],
)
@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_example_trick_has_winner_and_points_as_in_the_sheet(
    game: str, trump: str, played: str, winner: int, sum_of_points: str, lang: str
) -> None:
    cards = JASS.parse_all(played)
    led = JASS.suit(cards[0])
    suit = SUITS.index(trump) if trump else -1
    best = cards[0]
    for card in cards[1:]:
        suit = tricks.trump_after(card, led, suit)
        best = card if tricks.beats(card, best, suit) else best
    assert cards.index(best) == winner
    points = [tricks.card_points(card, suit) for card in cards]
    assert " + ".join(map(str, points)) + f" = **{sum(points)}" == sum_of_points
    assert sum_of_points in " ".join(i18n.rule_sheet(game, lang).split())


def test_example_of_undertrumping_is_correct__C9() -> None:
    hand = card_set(JASS.parse_all("QC 8H AH 6D"))
    legal = tricks.legal_cards(hand, 0, SUITS.index("H"), JASS.parse("TH"), tricks.IF_VOID)
    assert JASS.texts_of(legal) == ["QC", "AH"]


# The examples of Handjass.

JASS_HANDS: dict[match_builders.Place, str] = {
    0: "KQJ68S AH KJ6C",
    1: "K9H 789TD QAC 9C",
    2: "J6H AKJ6D 78TC",
}
"""Hands in which the example trick can happen; D is seat 3 and has the rest."""


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_example_of_handjass_plays_as_in_the_sheet__C9_JS7(lang: str) -> None:
    match = match_builders.jass("7H", JASS_HANDS, say="stay stay stay drop")
    match.act(0, "play KS weis")
    match.act(1, "play 9H weis")
    assert match.view(None)["announced"] == [{"seat": 0, "points": 20}, {"seat": 1, "points": 50}]
    refused = {card for card in match.hand(2) if f"play {card}" not in match.legal(2)}
    assert refused == {"6H"}
    match.act(2, "play 7C")
    view = match.view(None)
    assert view["weis_shown"] == {
        "seat": 1, "melds": [{"cards": ["7D", "8D", "9D", "TD"], "points": 50}]
    }  # fmt: skip
    assert view["weis"] == [0, 50, 0, 0]
    assert view["points"] == [0, 18 + 50, 0, 0]
    assert match.to_act == (1,)
    assert "7-8-9-10" in i18n.rule_sheet("jass", lang)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_table_of_weis_is_correct__JS7(lang: str) -> None:
    section = i18n.rule_sheet("jass", lang).split("\n## ")[6]
    stated = [int(points) for points in re.findall(r"\| (\d+) \|$", section, re.MULTILINE)]
    runs = ["6C 7C 8C", "6C 7C 8C 9C", "6C 7C 8C 9C TC"]
    fours = [" ".join(rank + suit for suit in SUITS) for rank in "A9J"]
    assert stated == [melds.weis_points(card_set(JASS.parse_all(meld))) for meld in runs + fours]
    hundreds = [card_set(JASS.parse_all(" ".join(rank + suit for suit in SUITS))) for rank in "KQT"]
    assert {melds.weis_points(four) for four in hundreds} == {stated[3]}


def marks_of_jass(points: list[int], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The marks when the seats with points have played and those with 0 have dropped (JS9)."""
    rules = Handjass(jt.game("jass", players=len(points), dealer=0))
    rules.playing = [seat for seat, own in enumerate(points) if own]
    monkeypatch.setattr(rules, "points", lambda: points)
    rules.after_play()
    marks: list[str] = rules.rounds[-1]["marks"]
    return marks


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_marks_of_handjass_are_as_in_the_sheet__JS9(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = in_one_line("jass", lang)
    worked = re.search(r"(68 72 17 0)\b.*?\.", text)
    assert worked
    points = [48 + 20, 52 + 20, 17, 0]
    assert [int(number) for number in worked[1].split()] == points
    assert marks_of_jass(points, monkeypatch) == ["|", "|", "0", "-"]
    assert re.findall(r"`(\S+)`", worked[0]) == ["|", "0", "-"]
    examples = re.findall(r"- (\d+ \d+ \d+)\W+((?:`\S+` ?){3})", text)
    assert len(examples) == 3
    for scores, marks in examples:
        stated = [mark.strip("`") for mark in marks.split()]
        assert marks_of_jass([int(own) for own in scores.split()], monkeypatch) == stated, scores


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize(
    ("game", "strokes", "mark", "written"),
    [
        ("molotov", "||0", "|", "||Ø"),
        ("offenbach", "||0", "|", "||Ø"),
        ("jass", "|0", "|", "|Ø"),
        ("jass", "|0", "||", "|Ø|"),
    ],
)
def test_slate_is_written_as_in_the_sheet__MV9_JS10(
    game: str, strokes: str, mark: str, written: str, lang: str
) -> None:
    assert slate.add_mark(strokes, mark) == written
    assert {strokes, written} <= set(code(i18n.rule_sheet(game, lang)))


# The examples of Schieber and Coiffeur.


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("game", ["schieber", "coiffeur"])
def test_table_of_the_cards_has_correct_order_and_values__CT4_CT5(game: str, lang: str) -> None:
    section = i18n.rule_sheet(game, lang).split("\n## ")[2]
    rows = [row.split("|") for row in section.splitlines() if row.startswith("| ")][1:]
    plain, _, tops, bottoms = ([int(n) for n in re.findall(r"\d+", row[2])] for row in rows)
    assert plain == tops == [10, 9, 8, 7, 6]
    assert bottoms == plain[::-1]
    values, _, with_aces, with_sixes = (
        [int(n) for n in re.findall(r"\d+", row[3])] for row in rows
    )
    assert with_aces == [8]
    assert with_sixes == [11, 8, 0]
    suit = sum(values) + with_aces[0]  # in bottoms the six counts instead of the ace
    assert 4 * suit + tricks.LAST_TRICK == tricks.ALL_POINTS


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_example_trick_in_bottoms_has_points_as_in_the_sheet__CT5(lang: str) -> None:
    values = dict(zip("6789TJQKA", (11, 0, 8, 0, 10, 2, 3, 4, 0), strict=True))
    points = [values[card[0]] for card in ("6S", "AS", "TC", "QS")]
    text = in_one_line("coiffeur", lang)
    assert f"{' + '.join(map(str, points))} = **{sum(points)}" in text
    assert re.search(rf"\*\*.* 6 .*\b{6 * sum(points)}\b", text)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_points_of_schieber_are_written_as_in_the_sheet__SC5(lang: str) -> None:
    section = in_one_line("schieber", lang).split(" ## ")[7]
    worked = re.search(r"\b98\b.*", section)
    assert worked
    numbers = [int(number) for number in re.findall(r"\d+", worked[0])]
    cards, weis, others, ours, theirs, *doubled = numbers[:7]
    assert cards + others == tricks.ALL_POINTS
    assert (ours, theirs) == (cards + weis, others + 20)
    assert doubled == [2 * ours, 2 * theirs]


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_lines_of_coiffeur_are_written_as_in_the_sheet__CO1_CO4(lang: str) -> None:
    text = i18n.rule_sheet("coiffeur", lang)
    slate_of_a_side = re.findall(r"^\| [^|]+ \| (\d) \|$", text, re.MULTILINE)
    assert slate_of_a_side == list("12345678")
    rows = re.findall(r"^\| \D+(\d)\D+ \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    rows += re.findall(r"^\| \D+(\d) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) == 3
    assert all(int(factor) * int(points) == int(stated) for factor, points, stated in rows)


# The examples of I Doubt It.


FIRST_CARDS = ("JC 4S 7D", "JH", "KC KD KH JD JS", "AC AD AH")
"""Cards that A, B, C and D hold, among others, in the example turn."""


def turn_of_the_example() -> jt.Match:
    """A match of four in which A is to lay with six cards in the middle; C (seat 2) began."""
    match = jt.Match(jt.game("i-doubt-it", dealer=1))
    given = {seat: match_builders.cards(hand) for seat, hand in enumerate(FIRST_CARDS)}
    held = [card for hand in given.values() for card in hand]
    rest = iter([card for card in match.pack if card not in held])
    hands = {
        seat: hand + [next(rest) for _ in range(13 - len(hand))] for seat, hand in given.items()
    }
    order = (2, 3, 0, 1)
    match.deal([hands[seat][number] for number in range(13) for seat in order])
    for seat, action in ((2, "lay KC KD KH as K"), (3, "lay AC AD AH as 9")):
        match.act(seat, action)
        for _ in range(3):
            match.act(match.to_act[0], "pass")
    return match


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_example_turn_of_i_doubt_it_plays_as_in_the_sheet__ID3(lang: str) -> None:
    match = turn_of_the_example()
    assert match.view(None)["middle"] == 6
    match.act(0, "lay JC 4S 7D as J")
    match.act(1, "pass")
    assert [card for card in match.hand(2) if card.startswith("J")] == ["JD", "JS"]
    match.act(2, "doubt")
    turn = match.view(3)["turns"][-1]
    assert (turn["truth"], turn["taker"], turn["taken"], turn["passed"]) == (False, 0, 9, [1])
    assert len(match.hand(0)) == 10 + 9
    assert match.to_act == (1,)
    assert "3 + 6 = **9" in i18n.rule_sheet("i-doubt-it", lang)


def chips_of(left: list[int], claims: int) -> list[int]:
    """The chips of a deal that ends with so many cards left after so many claims."""
    rules = IDoubtIt(jt.game("i-doubt-it", players=len(left), dealer=0))
    rules.deal(range(52))
    cards = iter(range(52))
    rules.hands = [card_set([next(cards) for _ in range(number)]) for number in left]
    rules.turns = [Turn(0, laid=(next(cards),), rank="A")]
    rules.claims = claims
    rules.settle_claim(taker=None)
    chips: list[int] = rules.rounds[-1]["chips"]
    return chips


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_chips_are_as_in_the_sheet__ID6_ID8(lang: str) -> None:
    text = i18n.rule_sheet("i-doubt-it", lang)
    rows = re.findall(r"^\| [A-D] \| (\d+) \| (\S+) \|$", text, re.MULTILINE)
    left = [int(cards) for cards, _ in rows]
    chips = [int(number.replace("−", "-")) for _, number in rows]
    assert chips_of(left, claims=9) == chips
    limit = re.search(r"\b3 7 10 12\b.*?((?:[+−]\d+ ?){4})", in_one_line("i-doubt-it", lang))
    assert limit
    stated = [int(number.replace("−", "-")) for number in limit[1].split()]
    claims = jt.game("i-doubt-it", players=4).options["max_turns"]
    assert isinstance(claims, int)
    assert chips_of([3, 7, 10, 12], claims) == stated


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_table_of_hand_sizes_is_correct__ID1(lang: str) -> None:
    section = i18n.rule_sheet("i-doubt-it", lang).split("\n## ")[3]
    rows = [
        [int(cell) for cell in row.split("|")[2:-1]]
        for row in section.splitlines()
        if re.match(r"\| \D+\|( \d+ \|)+$", row)
    ]
    for players, each, middle in zip(*rows, strict=True):
        match = jt.Match(jt.game("i-doubt-it", players=players, dealer=0))
        match.deal(match.pack)
        assert len(match.hand(0)) == each
        assert match.view(None)["middle"] == middle
    assert rows[0] == list(range(2, 9))


# The examples of scoring in the other games.


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_marks_of_molotow_are_as_in_the_sheet__MW4_MW7(lang: str) -> None:
    text = in_one_line("molotow", lang)
    examples = re.findall(r"- (\d+ \d+ \d+ \d+)\W.*?((?:[+−]?\d ?){4})\.", text)
    assert len(examples) == 6
    for scores, marks in examples:
        stated = [int(mark.replace("−", "-")) for mark in marks.split()]
        assert round_marks([int(own) for own in scores.split()], 3) == stated, scores
    assert round_marks([20, 20, 20, 97], 3) is None


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_differences_are_as_in_the_sheet__DF6(lang: str) -> None:
    text = i18n.rule_sheet("differenzler", lang)
    rows = re.findall(r"^\| [A-D] \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) == 4
    assert all(abs(int(bid) - int(points)) == int(written) for bid, points, written in rows)
    assert sum(int(points) for _, points, _ in rows) == 157


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize(
    ("scores", "marks"),
    [
        ("8 51 40 78", "| - | 0"),
        ("10 20 20 107", "| - - 0"),
        ("20 20 30 87", "| | - 0"),
    ],
)
def test_marks_of_molotov_are_as_in_the_sheet__MV8_C11(scores: str, marks: str, lang: str) -> None:
    places = ["|", "|", "-", "0"]
    assert slate.marks_by_place([int(own) for own in scores.split()], places) == marks.split()
    assert scores in in_one_line("molotov", lang)


# The sheet at a table.


@pytest.mark.parametrize(("game", "lang"), AT_THE_TABLE)
def test_sheet_at_a_table_differs_only_in_the_values_in_force(game: str, lang: str) -> None:
    usual = jt.game(game)
    sheet = i18n.table_rule_sheet(usual, lang)
    values = re.findall(r"^- `(\w+)` = `([^`]+)`", sheet, re.MULTILINE)
    options = {name: str(value) for name, value in usual.options.items() if value is not None}
    assert dict(values) == options
    assert re.sub(r"^(- `\w+`) = `[^`]+`", r"\1", sheet, flags=re.MULTILINE) == i18n.rule_sheet(
        game, lang
    )


def test_values_that_differ_from_the_defaults_are_bold() -> None:
    sheet = i18n.table_rule_sheet(jt.game("i-doubt-it", players=3, last="any", dealer=0, rounds=4))
    bold = re.findall(r"^- `(\w+)` = \*\*`([^`]+)`\*\*", sheet, re.MULTILINE)
    assert bold == [("players", "3"), ("dealer", "1"), ("rounds", "4"), ("last", "any")]
    assert "- `max_turns` = `75`: " in sheet


@pytest.mark.parametrize(
    ("game", "lang", "named"),
    [
        ("poker", "en", ("'poker'", "molotov", "differenzler")),
        ("molotov", "rm", ("'rm'", "en, de, fr, it")),
        ("../molotov", "en", ("molotov",)),
        ("", "", ("molotov",)),
    ],
)
def test_an_unknown_sheet_is_refused_with_the_known_ones(
    game: str, lang: str, named: tuple[str, ...]
) -> None:
    with pytest.raises(jt.GameError) as error:
        i18n.rule_sheet(game, lang)
    assert all(word in str(error.value) for word in named)
