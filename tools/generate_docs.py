"""Generates the pages of docs/ that are derived from other files, or checks that they are current.

Each kind of page is one function in `GENERATORS` that returns its files by their path below the
project. A folder in `GENERATED_DIRS` contains only such files; files that no function returns are
deleted there. `make docs` writes; `--check` only compares and exits with 1 if a page is stale.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from jasstisch import i18n
from tools import fairness_vectors, record_schema, rules_coverage, settings_page

ROOT = Path(__file__).resolve().parent.parent

LANGUAGES = {"de": "Deutsch", "fr": "Français", "it": "Italiano", "en": "English"}
"""The name of each language of the rule sheets in that language."""

ALL_GAMES = {"de": "alle Spiele", "fr": "tous les jeux", "it": "tutti i giochi", "en": "all games"}
"""The label of the link to the index."""

SHEETS_DIR = "docs/games"

INDEX = """\
# The games, each on one page

Each sheet teaches one game to a new player: its aim, an example, the scoring, and every house rule.
The web client shows the same sheets behind its book button and marks the house rules of the current
table. `jasstisch rules GAME --lang LANGUAGE` prints them. [The rule book](../rules.md) has every
clause with its id.
"""


def rule_sheets() -> dict[str, str]:
    """Returns the rule sheets with links to their other languages, and their index."""
    pages = {
        f"{SHEETS_DIR}/{game}.{lang}.md": f"{banner(f'src/jasstisch/games/texts/{game}/')}\n"
        f"{navigation_links(game, lang)}\n\n{i18n.rule_sheet(game, lang)}"
        for game in i18n.games_with_sheet()
        for lang in i18n.LANGUAGES
    }
    return {f"{SHEETS_DIR}/README.md": sheet_index(), **pages}


def banner(source: str) -> str:
    """Returns the comment at the top of a page that says where to change it."""
    return f"<!-- Made by `make docs` from {source}; change it there. -->\n"


def navigation_links(game: str, lang: str) -> str:
    """Returns the links to the same sheet in other languages and to the other games."""
    links = [
        f"**{name}**" if other == lang else f"[{name}]({game}.{other}.md)"
        for other, name in LANGUAGES.items()
    ]
    return " · ".join([*links, f"[{ALL_GAMES[lang]}](README.md)"])


def sheet_index() -> str:
    """Returns the index of all sheets in all languages."""
    rows = [
        [f"[{title(game, lang)}]({game}.{lang}.md)" for lang in LANGUAGES]
        for game in i18n.games_with_sheet()
    ]
    lines = [[*LANGUAGES.values()], ["---"] * len(LANGUAGES), *rows]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    return f"{banner('src/jasstisch/games/texts/')}\n{INDEX}\n{table}"


def title(game: str, lang: str) -> str:
    """Returns the title of a game on its sheet."""
    return i18n.rule_sheet(game, lang).partition("\n")[0].removeprefix("# ")


GENERATORS: tuple[Callable[[], Mapping[str, str]], ...] = (
    rule_sheets,
    rules_coverage.page,
    fairness_vectors.page,
    settings_page.page,
    record_schema.page,
)
"""The generators; each returns texts by path."""

GENERATED_DIRS = (SHEETS_DIR,)
"""Folders that contain only generated files."""


def generated() -> dict[str, str]:
    """Returns the text of every generated page by its path."""
    return {path: text for document in GENERATORS for path, text in document().items()}


def orphaned_files(pages: Mapping[str, str], root: Path) -> list[str]:
    """Returns files in generated folders that no generator returns."""
    found = [
        file for folder in GENERATED_DIRS for file in (root / folder).glob("**/*") if file.is_file()
    ]
    paths = [file.relative_to(root).as_posix() for file in found]
    return sorted(path for path in paths if path not in pages)


def stale_pages(root: Path = ROOT) -> list[str]:
    """Returns the paths of pages that are missing, outdated or orphaned."""
    pages = generated()
    differing = [
        path
        for path, text in pages.items()
        if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != text
    ]
    return sorted([*differing, *orphaned_files(pages, root)])


def write_pages(root: Path = ROOT) -> list[str]:
    """Writes all stale pages; returns the paths of those that changed."""
    pages, changed = generated(), stale_pages(root)
    for path in changed:
        file = root / path
        if path in pages:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(pages[path], encoding="utf-8")
        else:
            file.unlink()
    return changed


def main() -> None:
    """Writes or checks, and prints each page that was stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    only_check: bool = parser.parse_args().check
    changed = stale_pages() if only_check else write_pages()
    for path in changed:
        print(f"{path} is stale: run make docs" if only_check else f"wrote {path}")
    sys.exit(1 if only_check and changed else 0)


if __name__ == "__main__":
    main()
