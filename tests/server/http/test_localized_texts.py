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


def can_be_played_by(game: str, players: int) -> bool:
    try:
        jt.game(game, players=players)
    except jt.GameError:
        return False
    return True


async def catalogue(url: str, lang: str) -> dict[str, bodies.GameSummary]:
    async with rest_client(url) as web:
        answer = await web.get(f"/api/catalogue/{lang}")
    assert answer.status_code == 200, answer.text
    listed = msgspec.json.decode(answer.content, type=list[bodies.GameSummary])
    return {one.name: one for one in listed}


async def words(url: str, lang: str, game: str) -> bodies.GameTexts:
    async with rest_client(url) as web:
        answer = await web.get(f"/api/words/{lang}/{game}")
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=bodies.GameTexts)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
async def test_texts_are_served_for_every_game(url: str, lang: str) -> None:
    listed = await catalogue(url, lang)
    assert sorted(listed) == sorted(jt.games())
    told = {game: await words(url, lang, game) for game in listed}
    for game, given in told.items():
        known, facts = i18n.load_game_texts(game, lang), i18n.load_game_metadata(game)
        assert (given.name, given.about) == (known.name, known.about)
        assert given.options.keys() == known.options.keys()
        assert given.places == facts.places
        assert given.sheet
        assert listed[game].label == known.name
        assert listed[game].players == [n for n in range(17) if can_be_played_by(game, n)]
    assert told["jass"].actions["stay"].note
    assert told["i-doubt-it"].ranks == "23456789TJQKA"
    assert told["molotov"].effects["no_trump"] == {"players": [3]}


async def test_a_game_without_texts_is_served_under_its_own_name(ramsch: str, url: str) -> None:
    told = await words(url, "de", ramsch)
    assert (told.name, told.sheet) == ("ramsch", False)
    listed = await catalogue(url, "de")
    assert (listed[ramsch].label, listed[ramsch].emblem) == ("ramsch", None)
    assert list(listed)[-1] == ramsch
    assert told.options["dealer"].label == "Erster Geber"


@pytest.mark.parametrize("path", ["catalogue/rm", "words/rm/molotov", "words/de/whist"])
async def test_an_unknown_language_or_game_is_refused(url: str, path: str) -> None:
    async with rest_client(url) as web:
        answer = await web.get(f"/api/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert "there is " in answer.json()["message"]


async def test_a_browser_keeps_texts_for_good_that_it_requests_by_their_version(url: str) -> None:
    async with rest_client(url) as web:
        house = msgspec.json.decode((await web.get("/api/house")).content, type=bodies.PageConfig)
        for path in ("/api/catalogue/fr", "/api/words/fr/schieber"):
            current = await web.get(path, params={"v": house.texts})
            assert "immutable" in current.headers["cache-control"]
            # Those of another version might change, and are asked for each time.
            for other in ({}, {"v": "0123456789abcdef"}):
                answer = await web.get(path, params=other)
                assert answer.headers["cache-control"] == "no-cache"
                assert answer.content == current.content


async def test_the_games_are_listed_from_the_best_known_on(url: str) -> None:
    async with rest_client(url) as web:
        house = msgspec.json.decode((await web.get("/api/house")).content, type=bodies.PageConfig)
    orders = {game: i18n.load_game_metadata(game).order for game in jt.games()}
    assert house.games == sorted(orders, key=lambda game: orders[game] or 0)
    assert list(await catalogue(url, "it")) == house.games


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
        texts = LocalizedTexts()
        listed = msgspec.json.decode(texts.catalogue("en").body, type=list[bodies.GameSummary])
    names = {one.name: one.label for one in listed}
    assert (names["bock"], names["jass"]) == ("bock", "Handjass")
    said = capsys.readouterr()
    assert "words_unreadable" in said.out + said.err
    assert "bock" in said.out + said.err
