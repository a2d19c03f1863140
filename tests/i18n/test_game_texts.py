"""The words for the games: complete in four languages, read with care from wherever they come."""

import json
import re
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch import i18n
from jasstisch.analysis import reason_texts
from jasstisch.engine.errors import GameError
from jasstisch.games.options import Choice
from jasstisch.games.rules import REGISTRY
from jasstisch.i18n.templates import load_tutorial_texts as guide_texts
from jasstisch.i18n.templates import render
from tests.guests import BOCK, registered_game

OURS = [(game, lang) for game in jt.games() for lang in i18n.LANGUAGES]
BUR = {"en": "Bur", "de": "Puur", "fr": "Bour", "it": "Bur"}
"""What the jack of trumps is called, whatever the deck."""


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """The folder of a module that makes `bock` a game, where its words would lie."""
    file = tmp_path / "bock.py"
    file.write_text(BOCK.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path


def put(folder: Path, name: str, content: object) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("game", "lang"), OURS)
def test_each_of_our_games_has_words_for_all_its_options_and_figures(game: str, lang: str) -> None:
    words = i18n.load_game_texts(game, lang)
    assert words.name == i18n.rule_sheet(game, lang).partition("\n")[0].removeprefix("# ")
    assert words.about
    for option in REGISTRY[game].options:
        found = words.options[option.name]
        assert found.label
        assert found.help
        values = option.values if isinstance(option, Choice) else ()
        assert {value for value in values if isinstance(value, str)} <= found.values.keys()
    match = jt.Match(jt.game(game))
    assert {*match.standing[0], "points", "marks"} <= words.columns.keys()


@pytest.mark.parametrize("lang", i18n.LANGUAGES[1:])
@pytest.mark.parametrize("game", jt.games())
def test_translations_have_words_for_the_same_things(game: str, lang: str) -> None:
    english, other = i18n.load_game_texts(game), i18n.load_game_texts(game, lang)
    for part in ("options", "phases", "actions", "contracts", "columns"):
        assert getattr(english, part).keys() == getattr(other, part).keys(), part
    for name, option in english.options.items():
        assert option.values.keys() == other.options[name].values.keys()
    for name, action in english.actions.items():
        assert bool(action.note) == bool(other.actions[name].note)


@pytest.mark.parametrize(("game", "lang"), OURS)
def test_words_follow_the_swiss_way_of_writing(game: str, lang: str) -> None:
    words = i18n.load_game_texts(game, lang)
    said = [words.about, *words.contracts.values(), *words.columns.values()]
    for option in words.options.values():
        said += [option.label, option.help, *option.values.values()]
    for action in words.actions.values():
        said += [action.label, action.note]
    for text in said:
        assert "ß" not in text
        assert lang != "fr" or not re.search(r"\S [;:!?»]", text)


@pytest.mark.parametrize("game", ["schieber", "coiffeur"])
@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_what_a_trump_counts_is_said_in_words_of_both_decks(game: str, lang: str) -> None:
    """The Swiss deck has no jack."""
    note = i18n.load_game_texts(game, lang).actions["trump {suit}"].note
    assert f"{BUR[lang]} 20, Nell 14" in note


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_the_jack_of_trumps_has_one_name_in_a_language(lang: str) -> None:
    others = "|".join({*BUR.values()} - {BUR[lang]})
    told = [*reason_texts(lang).values(), *guide_texts(lang).values()]
    told += [i18n.rule_sheet(game, lang) for game in jt.games()]
    assert [text for text in told if re.search(rf"\b({others})\b", text)] == []


@pytest.mark.parametrize("game", jt.games())
def test_facts_speak_of_options_and_sections_that_there_are(game: str) -> None:
    facts = i18n.load_game_metadata(game)
    options = {option.name: option for option in REGISTRY[game].options}
    sections = i18n.rule_sheet(game).count("\n## ")
    assert set(facts.places) <= set(options)
    assert all(place < sections for place in facts.places.values())
    for option, others in facts.effects.items():
        assert option in options
        for other, values in others.items():
            assert all(options[other].allows(value, 4) for value in values)
    assert facts.order is not None
    assert facts.emblem is not None


def test_a_game_without_words_is_shown_by_its_own(ramsch: str) -> None:
    words = i18n.load_game_texts(ramsch, "fr")
    assert (words.name, words.about) == ("ramsch", "")
    assert words.action_label("push") is None
    assert words.options["dealer"].label == "Premier donneur"
    assert i18n.load_game_metadata(ramsch) == i18n.GameMetadata()
    assert i18n.sheet_languages(ramsch) == ()


def test_the_words_of_a_game_from_elsewhere_lie_beside_its_module(beside: Path) -> None:
    put(beside, "bock.en.json", {"name": "Goat", "options": {"dealer": {"label": "Goatherd"}}})
    put(beside, "bock.de.json", {"name": "Bock", "about": "Wer nennt, schreibt."})
    put(beside, "bock.en.md", "# Goat\n")
    put(beside, "bock.json", {"order": 3})
    with registered_game(beside / "bock.py") as game:
        assert i18n.load_game_texts(game, "de").about == "Wer nennt, schreibt."
        english = i18n.load_game_texts(game, "it")
        assert english.name == "Goat"
        assert english.options["dealer"] == i18n.OptionTexts("Goatherd")
        assert english.options["rounds"].label == "Smazzate"
        assert i18n.load_game_metadata(game).order == 3
        assert i18n.sheet_languages(game) == ("en",)
        assert i18n.rule_sheet(game) == "# Goat\n"
        assert game in i18n.games_with_sheet()
        with pytest.raises(GameError, match="no rule sheet in 'de'; the languages are en"):
            i18n.rule_sheet(game, "de")


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("trump H", [("text", "Trump "), ("suit", "H")]),
        ("trump X", None),
        ("trump", None),
        ("joker 7 trump S", [("text", "Joker "), ("number", "7"), ("text", ": "), ("suit", "S")]),
        ("joker x trump S", None),
        ("give 7C", [("text", "Give the "), ("card", "7C")]),
        ("trump C", [("text", "Acorns!")]),
        ("push", [("text", "Push on")]),
        ("pushes", None),
    ],
)
def test_an_action_is_told_by_its_text_or_by_a_pattern(
    action: str, said: list[tuple[str, str]] | None
) -> None:
    actions = {
        "trump {suit}": "Trump {suit}",
        "trump C": "Acorns!",
        "joker {number} trump {suit}": "Joker {number}: {suit}",
        "give {card}": "Give the {card}",
        "push": "Push on",
    }
    words = i18n.GameTexts(
        "x", actions={text: i18n.ActionTexts(label) for text, label in actions.items()}
    )
    assert words.action_label(action) == said


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{", "bock.en.json is not JSON: "),
        ("[]", r"bock.en.json: the whole is an object, not \[\]"),
        ({}, "bock.en.json: name is missing"),
        ({"name": 3}, "bock.en.json: name is a text, not 3"),
        ({"name": "B", "colour": ""}, "bock.en.json: colour is none of name, about, options"),
        ({"name": "B", "options": {"x": {}}}, "bock.en.json: options.x.label is missing"),
        (
            {"name": "B", "options": {"x": {"label": "X", "values": {"a": []}}}},
            r"bock.en.json: options.x.values.a is a text, not \[\]",
        ),
        (
            {"name": "B", "actions": {"trump {suit}": {"label": "Trump {card}"}}},
            r"bock.en.json: trump \{suit\} has only the gaps of its pattern, not 'Trump \{card\}'",
        ),
    ],
)
def test_what_is_wrong_with_a_file_of_words_is_told(
    beside: Path, content: object, fault: str
) -> None:
    put(beside, "bock.en.json", content)
    with registered_game(beside / "bock.py") as game, pytest.raises(GameError, match=fault):
        i18n.load_game_texts(game)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ({"order": -1}, "bock.json: order is a whole number from 0 on, not -1"),
        ({"places": {"rounds": True}}, "bock.json: places.rounds is a whole number from 0 on"),
        ({"effects": {"x": {"y": [1.5]}}}, "bock.json: effects.x.y.0 is the value of an option"),
        ({"example": {"section": 1}}, "bock.json: example.steps is missing"),
        ({"emblem": {"chalk": "M1 1"}}, "bock.json: emblem.chalk is a list, not 'M1 1'"),
    ],
)
def test_what_is_wrong_with_the_facts_of_a_game_is_told(
    beside: Path, content: object, fault: str
) -> None:
    put(beside, "bock.json", content)
    with registered_game(beside / "bock.py") as game, pytest.raises(GameError, match=fault):
        i18n.load_game_metadata(game)


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(GameError, match="no words in 'rm'; the languages are en, de, fr, it"):
        i18n.load_game_texts("molotov", "rm")


def test_gaps_are_filled_as_in_all_texts_of_the_house() -> None:
    assert list(render("Trump {suit}", {"suit": "D"})) == [("text", "Trump "), ("suit", "D")]
