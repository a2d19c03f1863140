"""Codes that people type: no two letters alike, read back however they are typed."""

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


def test_the_alphabet_has_five_bits_in_each_letter_and_no_two_that_look_alike() -> None:
    assert len(ALPHABET) == len(set(ALPHABET)) == 32
    assert len({skeleton(one) for one in ALPHABET}) == 32
    assert not set("ILOU") & set(ALPHABET)


def test_a_code_to_write_down_is_beyond_guessing_and_one_to_type_is_short() -> None:
    assert RECOVERY_CODE_LENGTH * 5 >= 128
    assert format_code(new_code(LINK_CODE_LENGTH))[4] == "-"
    assert len({new_code(LINK_CODE_LENGTH) for _ in range(100)}) == 100
    assert set("".join(new_code(RECOVERY_CODE_LENGTH) for _ in range(100))) == set(ALPHABET)


@given(codes, st.data())
def test_a_code_is_read_as_it_was_meant(code: str, data: st.DataObject) -> None:
    def typed(letter: str) -> str:
        meant = {"1": "1IiLl", "0": "0Oo"}.get(letter, letter + letter.lower())
        return data.draw(st.sampled_from(meant)) + data.draw(st.sampled_from(["", "-", " ", "."]))

    assert parse_code("".join(typed(letter) for letter in code)) == code
    assert parse_code(format_code(code)) == code


@given(st.text(max_size=40))
def test_whatever_is_typed_is_a_code_or_none(text: str) -> None:
    code = parse_code(text)
    assert code is None or (
        len(code) in (LINK_CODE_LENGTH, RECOVERY_CODE_LENGTH) and set(code) <= set(ALPHABET)
    )


@given(codes)
def test_the_hash_of_a_code_is_no_hash_of_a_token(code: str) -> None:
    assert len(hash_code(code)) == 64
    assert code not in hash_code(code)
