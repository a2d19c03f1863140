"""The terminal in German, French and Italian: complete texts, and matches without English."""

import json
import re
from functools import cache
from itertools import chain

import pytest

import jasstisch as jt
from jasstisch import i18n
from jasstisch.cli.ui.card_style import STYLES, style_for
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.translator import _PLACEHOLDER, ENGLISH, Translator, environment_language
from jasstisch.i18n import LANGUAGES
from jasstisch.i18n.templates import load_tutorial_texts as guide_texts
from tests.cli.screen_player import ScreenPlayer, run_cli, scripted_answers

OTHERS = LANGUAGES[1:]
WORD = re.compile(r"[^\W\d_]{3,}")
MATCHES = {
    "schieber": ["--rounds", "4", "--slalom", "on", "--multipliers", "swiss"],
    "coiffeur": ["--lines", "ten"],
    "molotov": ["--target", "1"],
    "offenbach": ["--target", "1", "--players", "3"],
    "molotow": ["--rounds", "2"],
    "differenzler": ["--rounds", "4", "--bids", "open", "--trump", "bottom"],
    "jass": ["--target", "5", "--players", "3"],
    "i-doubt-it": ["--rounds", "1", "--max-turns", "20", "--lie-fee", "1"],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts_with_the_same_placeholders(language: str) -> None:
    own = Translator(language).texts
    assert own.keys() == ENGLISH.texts.keys()
    for name, text in own.items():
        assert text, name
        assert gaps(text) <= gaps(ENGLISH.texts[name]), name


def gaps(text: str) -> set[str]:
    """The names of the placeholders of a text."""
    return {gap[1] for gap in _PLACEHOLDER.finditer(text)}


def test_german_uses_swiss_spelling() -> None:
    assert not [text for text in Translator("de").texts.values() if "ß" in text]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", jt.games())
def test_a_match_contains_no_english_in_other_languages(language: str, game: str) -> None:
    words = ["play", game, *MATCHES[game], "--lang", language, "--bots", "random", "--seed", "4"]
    person = ScreenPlayer(language=language)
    status, screen, errors = run_cli([*words, "--deck", "swiss"], person)
    assert (status, errors) == (0, "")
    assert person.match_question(person.questions[-1], "play.rematch")
    assert not english_in(screen, language)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", ["jass", "i-doubt-it", "coiffeur"])
def test_refusals_commands_and_help_contain_no_english(language: str, game: str) -> None:
    typed = ["", "?", "l", "s", "1", "?", "l", "AC", "KD", "9", "1", "6 7 8", "", "zzz", "x", "2"]
    for start in range(4):
        words = ["play", game, "--lang", language, "--bots", "random", "--seed", str(start)]
        _, screen, _ = run_cli(words, scripted_answers(*typed, *typed))
        assert not english_in(screen, language)


@pytest.mark.parametrize("language", OTHERS)
def test_tutorials_are_translated(language: str) -> None:
    _, screen, _ = run_cli(
        ["play", "molotov", "--guided", "--lang", language], scripted_answers("1", "2", "3")
    )
    told = " ".join(screen.split())
    assert " ".join(guide_texts(language)["molotov.aim"].split()) in told
    assert not english_in(screen, language)


def english_in(screen: str, language: str) -> set[str]:
    """Words on a screen that the English texts have and those of the language do not."""
    return set(WORD.findall(screen.lower())) & (words_of("en") - words_of(language) - NAMES)


NAMES = {"random", "greedy", "jass", "schieber"}


@cache
def words_of(language: str) -> frozenset[str]:
    """All words of the texts in a language."""
    speech = Translator(language)
    ours = chain(
        speech.texts.values(), speech.shared_texts.values(), guide_texts(language).values()
    )
    games = (json.dumps(dict_of(game, language), ensure_ascii=False) for game in jt.games())
    whole = " ".join(chain((_PLACEHOLDER.sub(said, text) for text in ours), games))
    return frozenset(WORD.findall(whole.lower()))


def said(gap: re.Match[str]) -> str:
    """The words in a placeholder."""
    return (gap[2] or "").replace("|", " ")


def dict_of(game: str, language: str) -> list[str]:
    """The texts of a game, without their keys."""
    words = i18n.load_game_texts(game, language)
    options = [
        text
        for one in words.options.values()
        for text in (one.label, one.help, *one.values.values())
    ]
    actions = [text for one in words.actions.values() for text in (one.label, one.note)]
    named = [*words.phases.values(), *words.contracts.values(), *words.columns.values()]
    return [words.name, words.about, *options, *actions, *named]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_CH.UTF-8"}, "de"),
        ({"LANG": "gsw_CH"}, "de"),
        ({"LANG": "de_DE", "LC_MESSAGES": "fr_CH.UTF-8"}, "fr"),
        ({"LANG": "de_DE", "LC_ALL": "it"}, "it"),
        ({"LC_ALL": "", "LANG": "IT_it@euro"}, "it"),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_CH"}, "en"),
        ({"LANG": "rm_CH.UTF-8"}, "en"),
    ],
    ids=str,
)
def test_the_environment_selects_the_language(environment: dict[str, str], language: str) -> None:
    assert environment_language(environment) == language


@pytest.mark.parametrize("command", [["play", "jass"], ["rules", "jass"]], ids=" ".join)
def test_an_explicit_language_overrides_the_environment(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "fr_CH.UTF-8")
    french, english = (
        run_cli(command, scripted_answers())[1],
        run_cli([*command, "--lang", "en"], scripted_answers())[1],
    )
    assert "joueurs" in french
    assert "players" in english


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    status, _, errors = run_cli(["play", "jass", "--lang", "rm"], scripted_answers())
    assert status == 2
    assert "one of en, de, fr, it is needed, not 'rm'" in errors


@pytest.mark.parametrize(
    ("language", "typed", "card"),
    [
        ("de", "jc", "JC"),
        ("de", "b♣", "JC"),
        ("de", "D Herz", "QH"),
        ("fr", "v pique", "JS"),
        ("fr", "VC", "JC"),
        ("fr", "r♥", "KH"),
        ("it", "f quadri", "JD"),
        ("it", "10 cuori", "TH"),
        ("fr", "j clubs", "JC"),
        ("fr", "6 coeur", "6H"),
        ("fr", "6 CŒUR", "6H"),
        ("fr", "6 trefle", "6C"),
        ("fr", "6tre", "6C"),
        ("it", "6c", "6C"),
        ("it", "6 c", "6H"),
        ("it", "F q", "JD"),
        ("de", "6 s", "6S"),
    ],
)
def test_cards_are_typed_as_shown_or_in_neutral_notation(
    language: str, typed: str, card: str
) -> None:
    """Ambiguous input is neutral notation, unless a blank separates rank and suit."""
    assert style_for("french", Translator(language)).parse_card(typed) == card


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("deck", STYLES)
def test_every_printed_card_can_be_read_back(language: str, deck: str) -> None:
    faces = style_for(deck, Translator(language))
    for rank in "6789TJQKA":
        for suit in "CDHS":
            assert faces.parse_card(faces.card_text(rank + suit).plain) == rank + suit


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("h", "trump H"),
        ("schau", "trump S"),
        ("herz trumpf", "trump H"),
        ("o", "tops"),
        ("u", "bottoms"),
        ("sl u", "slalom bottoms"),
        ("schie", "push"),
        ("bo", "bottoms"),
    ],
)
def test_announcements_are_typed_by_the_beginnings_of_their_german_names(
    typed: str, action: str
) -> None:
    words = ["play", "schieber", "--slalom", "on", "--dealer", "4", "--lang", "de", "--seed", "1"]
    _, screen, _ = run_cli([*words, "--bots", "random"], scripted_answers(typed))
    said = {
        "trump H": "♥ Herz Trumpf",
        "trump S": "♠ Schaufeln Trumpf",
        "tops": "Obenabe",
        "bottoms": "Undenufe",
        "slalom bottoms": "Slalom, zuerst undenufe",
    }
    told = f"Du sagst an: {said[action]}." if action in said else "Du schiebst."
    assert told in screen


@pytest.mark.parametrize(
    ("language", "yes", "prompt"),
    [("de", "j", "[j/N]"), ("fr", "oui", "[o/N]"), ("it", "s", "[s/N]")],
)
def test_yes_and_no_are_translated(language: str, yes: str, prompt: str) -> None:
    words = ["play", "jass", "--lang", language]
    for answer in (yes, "y"):
        status, screen, _ = run_cli(words, scripted_answers("q", answer, ""))
        assert status == 0
        assert prompt in screen


def test_french_contracts_are_typed_without_accents() -> None:
    words = ["play", "schieber", "--dealer", "4", "--lang", "fr", "--seed", "1", "--bots", "random"]
    for typed, sign in (("trefle", "♣"), ("coeur", "♥")):
        assert re.search(rf"Vous annoncez.*{sign}", run_cli(words, scripted_answers(typed))[1])


def test_the_own_seat_is_called_you_in_the_language_whatever_the_record_says() -> None:
    for name in ("You", "Du", "Vous", "Tu"):
        assert PlayerNames([name, "Anna"], 0, translator=Translator("de")).names == ["Du", "Anna"]
    assert PlayerNames(["Anna", "Du"], 0).names == ["Anna", "Du"]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("de", ["Du gewinnst", "Anna gewinnt", "Anna und Beat gewinnen", "Du und Anna gewinnt"]),
        ("fr", ["Vous gagnez", "Anna gagne", "Anna et Beat gagnent", "Vous et Anna gagnez"]),
        ("it", ["Tu vinci", "Anna vince", "Anna e Beat vincono", "Tu e Anna vincete"]),
    ],
)
def test_sentences_agree_with_their_subject(language: str, sentences: list[str]) -> None:
    seats = PlayerNames(["You", "Anna", "Beat"], 0, translator=Translator(language))
    for those, sentence in zip(([0], [1], [1, 2], [0, 1]), sentences, strict=True):
        assert seats.translator.plain("news.wins", who=seats.subject(those)).startswith(
            f"{sentence} "
        )
