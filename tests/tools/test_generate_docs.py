"""Generated pages are up to date and agree with their sources."""

import re
import sys
from pathlib import Path

import pytest

from jasstisch import i18n
from tools import generate_docs

ROOT = Path(__file__).parents[2]


def test_generated_pages_are_up_to_date() -> None:
    assert generate_docs.stale_pages() == [], "run `make docs`"


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("game", i18n.games_with_sheet())
def test_the_page_of_a_game_is_its_sheet_below_a_line_of_links(game: str, lang: str) -> None:
    page = (ROOT / "docs" / "games" / f"{game}.{lang}.md").read_text(encoding="utf-8")
    head, _, sheet = page.partition("\n\n# ")
    assert f"# {sheet}" == i18n.rule_sheet(game, lang)
    assert len(head.split("\n\n")) == 2
    others = {f"{game}.{other}.md" for other in i18n.LANGUAGES if other != lang}
    assert set(re.findall(r"\]\(([^)]+)\)", head)) == {*others, "README.md"}


def test_the_index_links_to_every_sheet_and_nothing_else() -> None:
    folder = ROOT / "docs" / "games"
    links = re.findall(r"\]\((\w[^)]+)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert sorted(links) == sorted(
        f"{game}.{lang}.md" for game in i18n.games_with_sheet() for lang in i18n.LANGUAGES
    )


def test_stale_missing_and_surplus_pages_are_named_and_fixed(tmp_path: Path) -> None:
    written = generate_docs.write_pages(tmp_path)
    assert written == sorted(generate_docs.generated())
    assert generate_docs.stale_pages(tmp_path) == []
    folder = tmp_path / "docs" / "games"
    (folder / "README.md").write_text("old", encoding="utf-8")
    (folder / "molotov.de.md").unlink()
    (folder / "poker.en.md").write_text("# Poker\n", encoding="utf-8")
    found = ["docs/games/README.md", "docs/games/molotov.de.md", "docs/games/poker.en.md"]
    assert generate_docs.stale_pages(tmp_path) == found
    assert generate_docs.write_pages(tmp_path) == found
    assert generate_docs.stale_pages(tmp_path) == []
    assert not (folder / "poker.en.md").exists()


def test_check_writes_nothing_and_fails_on_a_stale_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = {"docs/games/nowhere.md": "new\n"}
    monkeypatch.setattr(generate_docs, "generated", lambda: made)
    monkeypatch.setattr(generate_docs, "GENERATED_DIRS", ())
    monkeypatch.setattr(sys, "argv", ["docs", "--check"])
    with pytest.raises(SystemExit) as ended:
        generate_docs.main()
    assert ended.value.code == 1
    assert "docs/games/nowhere.md is stale: run make docs" in capsys.readouterr().out
    assert not (ROOT / "docs" / "games" / "nowhere.md").exists()
