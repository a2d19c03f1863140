"""Game texts and rule sheets over REST, including those of third-party games."""

import json
from pathlib import Path

import msgspec
import pytest

import jasstisch as jt
from jasstisch import i18n
from jasstisch.server.api import bodies
from jasstisch.server.http.localized_texts import LocalizedTexts
from tests.guests import BOCK, registered_game
from tests.server.running_server import rest_client

pytestmark = pytest.mark.outside


async def words(url: str, lang: str) -> dict[str, bodies.GameTexts]:
    async with rest_client(url) as web:
        answer = await web.get(f"/api/words/{lang}")
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=dict[str, bodies.GameTexts])


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
async def test_texts_are_served_for_every_game(url: str, lang: str) -> None:
    told = await words(url, lang)
    assert tuple(told) == jt.games()
    for game, given in told.items():
        known, facts = i18n.load_game_texts(game, lang), i18n.load_game_metadata(game)
        assert (given.name, given.about) == (known.name, known.about)
        assert given.options.keys() == known.options.keys()
        assert given.places == facts.places
        assert given.sheet
    assert told["jass"].actions["stay"].note
    assert told["i-doubt-it"].ranks == "23456789TJQKA"
    assert told["molotov"].effects["no_trump"] == {"players": [3]}


async def test_a_game_without_texts_is_served_under_its_own_name(ramsch: str, url: str) -> None:
    told = (await words(url, "de"))[ramsch]
    assert (told.name, told.order, told.emblem, told.sheet) == ("ramsch", None, None, False)
    assert told.options["dealer"].label == "Erster Geber"


async def test_an_unknown_language_is_refused(url: str) -> None:
    async with rest_client(url) as web:
        answer = await web.get("/api/words/rm")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_sheet_falls_back_to_the_first_language_available(url: str, tmp_path: Path) -> None:
    file = tmp_path / "bock.py"
    file.write_text(BOCK.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "bock.de.md").write_text("# Bock\n", encoding="utf-8")
    with registered_game(file):
        async with rest_client(url) as web:
            french = await web.get("/api/sheets/bock/fr")
            ours = await web.get("/api/sheets/molotov/fr")
    assert french.text == "# Bock\n"
    assert french.headers["content-type"].startswith("text/markdown")
    assert ours.text == i18n.rule_sheet("molotov", "fr")


@pytest.mark.parametrize("path", ["bock/de", "..%2F..%2Fpyproject/de", "molotov/..%2Fx"])
async def test_without_a_sheet_no_other_file_is_served(url: str, path: str) -> None:
    async with rest_client(url) as web:
        answer = await web.get(f"/api/sheets/{path}")
    if "molotov" in path:
        assert answer.status_code == 404 or answer.text == i18n.rule_sheet("molotov")
    else:
        assert answer.status_code == 404


def test_unreadable_texts_are_logged_and_the_game_is_still_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bock.py"
    file.write_text(BOCK.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "bock.en.json").write_text(json.dumps({"name": 3}), encoding="utf-8")
    with registered_game(file):
        told = LocalizedTexts().game_texts("en")
    assert told["bock"].name == "bock"
    assert told["jass"].name == "Handjass"
    said = capsys.readouterr()
    assert "words_unreadable" in said.out + said.err
    assert "bock" in said.out + said.err
