import pytest

from jasstisch import rulebook
from tests.cli.person import script, sit


@pytest.mark.parametrize("language", rulebook.LANGUAGES)
@pytest.mark.parametrize("game", rulebook.games())
def test_into_a_pipe_goes_the_sheet_as_it_is(game: str, language: str) -> None:
    status, printed, errors = sit(["rules", game, "--lang", language], script())
    assert (status, errors) == (0, "")
    assert printed == rulebook.sheet(game, language)


def test_english_is_the_language_where_none_is_asked_for() -> None:
    assert sit(["rules", "molotov"], script())[1] == rulebook.sheet("molotov", "en")
