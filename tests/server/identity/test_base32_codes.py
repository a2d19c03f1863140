"""Codes that people type: an unambiguous alphabet, and tolerant parsing."""

from hypothesis import given
from hypothesis import strategies as st

from jasstisch.server.identity.base32_codes import (
    ALPHABET,
    LINK_CODE_LENGTH,
    RECOVERY_CODE_LENGTH,
    format_code,
    hash_code,
    new_code,
    parse_code,
)
from jasstisch.server.identity.confusables import skeleton

codes = st.sampled_from([LINK_CODE_LENGTH, RECOVERY_CODE_LENGTH]).flatmap(
    lambda letters: st.text(ALPHABET, min_size=letters, max_size=letters)
)


def test_the_alphabet_has_32_unambiguous_letters() -> None:
    assert len(ALPHABET) == len(set(ALPHABET)) == 32
    assert len({skeleton(one) for one in ALPHABET}) == 32
    assert not set("ILOU") & set(ALPHABET)


def test_recovery_codes_have_enough_entropy_and_link_codes_are_short() -> None:
    assert RECOVERY_CODE_LENGTH * 5 >= 128
    assert format_code(new_code(LINK_CODE_LENGTH))[4] == "-"
    assert len({new_code(LINK_CODE_LENGTH) for _ in range(100)}) == 100
    assert set("".join(new_code(RECOVERY_CODE_LENGTH) for _ in range(100))) == set(ALPHABET)


@given(codes, st.data())
def test_parsing_tolerates_case_spaces_and_lookalikes(code: str, data: st.DataObject) -> None:
    def typed(letter: str) -> str:
        meant = {"1": "1IiLl", "0": "0Oo"}.get(letter, letter + letter.lower())
        return data.draw(st.sampled_from(meant)) + data.draw(st.sampled_from(["", "-", " ", "."]))

    assert parse_code("".join(typed(letter) for letter in code)) == code
    assert parse_code(format_code(code)) == code


@given(st.text(max_size=40))
def test_any_text_parses_to_a_code_or_none(text: str) -> None:
    code = parse_code(text)
    assert code is None or (
        len(code) in (LINK_CODE_LENGTH, RECOVERY_CODE_LENGTH) and set(code) <= set(ALPHABET)
    )


@given(codes)
def test_code_hashes_and_token_hashes_differ(code: str) -> None:
    assert len(hash_code(code)) == 64
    assert code not in hash_code(code)
