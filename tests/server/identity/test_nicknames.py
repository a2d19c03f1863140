"""Validation of nicknames, and detection of deceptive ones."""

import sys
import unicodedata
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jasstisch.server.identity.confusables import (
    _CONFUSABLES,
    impersonates_bot,
    is_invisible,
    skeleton,
)
from jasstisch.server.identity.text_sanitizer import MAX_NICKNAME_LENGTH, normalize_nickname
from jasstisch.table import TableError

REAL = [
    *("Änna", "Zoë", "O'Neill", "O’Neill", "Jean-Luc", "王", "王小明", "Ελένη", "Ἑλένη", "أنا"),
    *("עֵדֶן", "Bot", "Bott", "Botond", "Ботев", "Максим", "अनीता", "क्षितिज", "ကျော်", "ที่รัก"),
    *("Nguyễn Thị", "李", "葛\U000e0100城", "علی\u200cرضا", "ශ්\u200dරී", "Master", "Robot: 2"),
    *(
        "👩‍👩‍👧‍👦",
        "👨🏽‍🌾",
        "❤️",
        "🏳️‍🌈",
        "🇨🇭",
        "1️⃣",
        "Ömer 🂡",
        "Compute",
        "김민준",
        "Ŵaldo",
        "ʻOkina",
    ),
]

BLANK = [
    *("\u2800", "\u3164", "\u115f", "\u1160", "\uffa0", "\u00ad", "\u034f", "\u061c", "\u17b4"),
    *("\u180b", "\u180e", "\u200b", "\u200c", "\u200d", "\u2060", "\u2063", "\u2064", "\ufe0f"),
    *("\ufeff", "\U0001d159", "\U00016fe4", "\U000e0020", "\U000e0100", "\U0001bca0", "\u202e"),
    *("\u2067", "\u206a", "\ufff9", "\u0000", "\u007f", "\ue000", "\ud800", "\u2065", "\U000e0fff"),
]


@pytest.mark.parametrize("name", REAL)
def test_names_in_all_scripts_and_joined_emoji_are_kept(name: str) -> None:
    assert normalize_nickname(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("blank", BLANK)
@pytest.mark.parametrize("around", ["{}", "{}{}", "Anna{}", "An{}na", "{}Anna", "A {} B"])
def test_invisible_characters_are_refused_anywhere(blank: str, around: str) -> None:
    with pytest.raises(TableError) as caught:
        normalize_nickname(around.replace("{}", blank))
    assert caught.value.code == "bad_name"


@pytest.mark.parametrize(
    "name", ["", " ", "\u3000\u00a0", "a" * (MAX_NICKNAME_LENGTH + 1), "\u0301a"]
)
def test_empty_overlong_and_mark_first_names_are_refused(name: str) -> None:
    with pytest.raises(TableError):
        normalize_nickname(name)


def test_stacked_combining_marks_are_refused() -> None:
    assert normalize_nickname("q\u0323\u0308")
    with pytest.raises(TableError, match="pile"):
        normalize_nickname("q\u0308\u0308\u0308")
    with pytest.raises(TableError, match="pile"):
        normalize_nickname("q" + "\u05b0" * 6)


COMPUTERS_NAMES = [
    *(
        "bot:club",
        "BOT:x",
        "Bot: x",
        "bot :x",
        "ｂｏｔ：club",
        "bоt:club",
        "ｂot∶x",
        "βот:x",
        "b0t:x",
    ),
    *(
        "𝐛𝐨𝐭:x",
        "ⓑⓞⓣ꞉x",
        "b\u0308o\u0308t\u0308:x",
        "ʙᴏᴛ:x",
        "-bot:x",
        "Computer 2",
        "computer",
        "ＣＯＭＰＵＴＥＲ",
    ),
    *(
        "Сomputer 1",
        "Ordinateur 3",
        "Οrdinateur",
        "Anna (Computer)",
        "Anne (ordinateur)",
        "Cоmputer٢",
        "Computer 10",
    ),
]


@pytest.mark.parametrize("name", COMPUTERS_NAMES)
def test_names_that_read_as_bot_names_are_refused(name: str) -> None:
    with pytest.raises(TableError, match="computer players"):
        normalize_nickname(name)


@given(st.data())
def test_every_spelling_of_the_bot_prefix_is_refused(data: st.DataObject) -> None:
    spelled = "".join(
        data.draw(st.sampled_from([letter, letter.upper(), *_CONFUSABLES[letter]]))
        for letter in "bot:"
    )
    mark = data.draw(st.sampled_from(["", "\u0301", "\u0323\u0308"]))
    with pytest.raises(TableError):
        normalize_nickname(f"{spelled[:2]}{mark}{spelled[2:]}club")


@given(st.text(max_size=30))
def test_cleaning_a_nickname_is_idempotent(
    text: str,
) -> None:
    try:
        name = normalize_nickname(text)
    except TableError:
        return
    assert 1 <= len(name) <= MAX_NICKNAME_LENGTH
    assert any(not is_invisible(char) for char in name)
    assert not impersonates_bot(name)
    assert normalize_nickname(name) == name
    # Nothing in it turns the direction of the text around it.
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert turning.isdisjoint(map(unicodedata.bidirectional, name))


def test_every_default_ignorable_and_format_character_counts_as_blank() -> None:
    shown = {"L", "M", "N", "P", "S"}
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char)[0] not in shown:
            assert is_invisible(char)
    # Default_Ignorable_Code_Point among assigned letters and marks (Unicode's PropList).
    ignorable = [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0]
    selectors = [*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
    assert all(is_invisible(chr(code)) for code in [*ignorable, *selectors])


def test_confusable_names_have_the_same_skeleton() -> None:
    assert skeleton("Anna") == skeleton("аnnа") == skeleton("ÁNNÀ")
    assert skeleton("Anna") != skeleton("Hanna")


def test_each_confusable_maps_to_a_fixed_point() -> None:
    assert all(skeleton(one) == one for one in _CONFUSABLES)
    rows = list(_CONFUSABLES.values())
    both = {
        one for row, other in product(rows, rows) if row is not other for one in row if one in other
    }
    assert both == {"σ"}
