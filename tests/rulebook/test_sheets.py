"""The rule sheets: complete in each language, the same in all, and true in their examples."""

import re
from collections import Counter

import pytest

import jasstisch as jt
from jasstisch import rulebook, tricks
from jasstisch.cards import JASS, SUITS, card_set
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import REGISTRY

SHEETS = [(game, lang) for game in jt.games() for lang in rulebook.LANGUAGES]
TRANSLATIONS = [(game, lang) for game, lang in SHEETS if lang != "en"]


def prose(text: str) -> str:
    """A sheet without its code spans."""
    return re.sub(r"`[^`]*`", "", text)


def code(text: str) -> list[str]:
    """The code spans of a sheet."""
    return re.findall(r"`([^`]*)`", text)


@pytest.mark.parametrize(("game", "lang"), SHEETS)
def test_every_game_has_a_sheet_in_every_language(game: str, lang: str) -> None:
    text = rulebook.sheet(game, lang)
    assert text.startswith("# ")
    assert text.count("\n## ") == 9 if game in {"molotov", "offenbach"} else 8


def test_games_with_a_sheet_are_the_games_of_the_table() -> None:
    assert rulebook.games() == tuple(sorted(jt.games()))


def test_english_is_the_language_unless_another_is_asked_for() -> None:
    assert rulebook.sheet("molotow") == rulebook.sheet("molotow", "en")


@pytest.mark.parametrize(("game", "lang"), SHEETS)
def test_sheet_names_every_option_and_its_values(game: str, lang: str) -> None:
    house_rules = rulebook.sheet(game, lang).rsplit("\n## ", 1)[1]
    entries = dict(re.findall(r"^- `(\w+)`((?:.*\n(?!- |\n))*.*\n)", house_rules, re.MULTILINE))
    options = {option.name: option for option in REGISTRY[game].options}
    assert list(entries) == list(options)
    for name, option in options.items():
        told = re.findall(r"[\w-]+", entries[name])
        if isinstance(option, Choice):
            values = [str(value) for value in option.values]
            named = [word for word in told if word in values]
            assert named[0] == values[0], name
            assert set(named) == set(values), name
        elif isinstance(option, Whole):
            numbers = [int(word) for word in told if word.isdecimal()]
            assert numbers[0] == option.default, name
            assert {option.low, option.high} <= set(numbers), name


@pytest.mark.parametrize(("game", "lang"), TRANSLATIONS)
def test_translations_say_the_same_as_the_english_sheet(game: str, lang: str) -> None:
    english, other = rulebook.sheet(game), rulebook.sheet(game, lang)
    for what, pattern in {
        "numbers": r"(?<![\w`])[+−]?\d+",
        "clauses": r"\b(?:C|MV|MW|DF)\d+\b",
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


@pytest.mark.parametrize("game", jt.games())
def test_french_sheets_set_thin_spaces_and_typographic_marks(game: str) -> None:
    text = prose(rulebook.sheet(game, "fr"))
    assert not re.search(r"[^\u202f\s][;!?]|[^\u202f\s|-]:|'|\"", text)
    assert not re.search(r" [;:!?»]|« ", text)


@pytest.mark.parametrize(("game", "lang"), TRANSLATIONS)
def test_translations_are_set_in_swiss_typography(game: str, lang: str) -> None:
    text = prose(rulebook.sheet(game, lang))
    assert not re.search(r"[ß„“”\"']", text)


@pytest.mark.parametrize(
    ("game", "trump", "played", "winner", "sum_of_points"),
    [
        ("molotov", "", "8C AC JD TC", 2, "0 + 11 + 20 + 10 = **41"),
        ("molotow", "H", "7C TH AH 6H", 2, "0 + 10 + 11 + 0 = **21"),
        ("differenzler", "S", "TD KD 6S 7D", 2, "10 + 4 + 0 + 0 = **14"),
    ],
)
@pytest.mark.parametrize("lang", rulebook.LANGUAGES)
def test_example_trick_is_won_and_worth_as_told(
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
    assert sum_of_points in " ".join(rulebook.sheet(game, lang).split())


def test_example_of_undertrumping_is_true__C9() -> None:
    hand = card_set(JASS.parse_all("QC 8H AH 6D"))
    legal = tricks.legal_cards(hand, 0, SUITS.index("H"), JASS.parse("TH"), tricks.IF_VOID)
    assert JASS.write(legal) == ["QC", "AH"]


@pytest.mark.parametrize(
    ("game", "lang", "named"),
    [
        ("poker", "en", ("'poker'", "molotov", "differenzler")),
        ("molotov", "rm", ("'rm'", "en, de, fr, it")),
        ("../molotov", "en", ("molotov",)),
        ("", "", ("molotov",)),
    ],
)
def test_unknown_sheet_is_refused_naming_what_there_is(
    game: str, lang: str, named: tuple[str, ...]
) -> None:
    with pytest.raises(jt.GameError) as error:
        rulebook.sheet(game, lang)
    assert all(word in str(error.value) for word in named)
