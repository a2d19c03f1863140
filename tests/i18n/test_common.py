"""The words that terminal and page share: whole in every language."""

import re

import pytest

from jasstisch.engine.errors import GameError
from jasstisch.i18n.common import LANGUAGES, load_common_texts

GAP = re.compile(r"\{\w+\}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_words_with_the_same_gaps(language: str) -> None:
    english, own = load_common_texts("en"), load_common_texts(language)
    assert own.keys() == english.keys()
    for name, text in own.items():
        assert text, name
        assert set(GAP.findall(text)) == set(GAP.findall(english[name])), name


def test_german_is_spelt_as_in_switzerland() -> None:
    assert not [text for text in load_common_texts("de").values() if "ß" in text]


def test_another_language_is_refused_by_naming_those_there_are() -> None:
    with pytest.raises(GameError, match="'rm'; the languages are en, de, fr, it"):
        load_common_texts("rm")
