"""`jasstisch ladder`: ratings of all bots from the arena results in a folder, as a page.

Everything is recomputed from the files that `jasstisch arena --keep` has written. A file that
cannot be read is reported, also on the page, and sets exit status 1; the rest is rated.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from jasstisch.arena.ranking_files import (
    FILE_SUFFIX,
    DealRanking,
    UnreadableEntry,
    read_rankings_dir,
)
from jasstisch.arena.ratings import RatedBot, ratings_by_game
from jasstisch.arena.ratings_page import format_interval, write_ratings_page
from jasstisch.arena.strength_plot import game_title
from jasstisch.cli.arguments import Parser
from jasstisch.cli.errors import CommandError
from jasstisch.cli.ui.encoding import printable_line
from jasstisch.cli.ui.terminal import Terminal, show_spinner, stderr_console
from jasstisch.cli.ui.text_tables import borderless_table
from jasstisch.extras import require

_PAGE_DIR = "page"
"""The default folder of the page within the folder of the results."""


def run(argv: list[str]) -> int:
    """Rates all bots of a folder and writes the page.

    Raises:
        CommandError: there is nothing to rate, or a file cannot be written.
    """
    arguments = parser().parse(argv)
    require("ladder", "a ladder")
    folder: Path = arguments.folder
    with show_spinner(stderr_console(), "Rating the bots"):
        rankings, unread = _load_rankings(folder)
        for one in unread:
            print(f"jasstisch: {printable_line(f'{one.where}: {one.reason}')}", file=sys.stderr)
        if not rankings:
            raise CommandError(
                f"no bots have met in {folder}: its results are files *{FILE_SUFFIX} that "
                f"jasstisch arena GAME BOT … --keep {folder / f'NAME{FILE_SUFFIX}'} has written"
            )
        found = ratings_by_game(rankings)
        index = _write_page(found, unread, arguments.page or folder / _PAGE_DIR)
    if arguments.json:
        json.dump(_to_json(found, unread), sys.stdout, indent=2)
        print()
    else:
        terminal = Terminal()
        terminal.write(*_ladder_lines(found))
        terminal.write_unwrapped(f"The page: {index}")
    return 1 if unread else 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch ladder",
        "Rate all bots by the arena results in a folder, each game by itself, and\n"
        "write a page with a table and a picture for each game.",
        usage="jasstisch ladder DIR [options]",
        epilog=f"To add a result: jasstisch arena GAME BOT ... --keep DIR/NAME{FILE_SUFFIX}\n"
        "How bots are rated: docs/arena.md",
    )
    result.add_argument(
        "folder", metavar="DIR", type=Path, help=f"the folder of the results, files *{FILE_SUFFIX}"
    )
    result.add_argument(
        "--page",
        metavar="FOLDER",
        type=Path,
        help=f"folder of the page (default DIR/{_PAGE_DIR}); overwritten if it exists",
    )
    result.add_argument("--json", action="store_true", help="print one JSON object")
    return result


def _load_rankings(folder: Path) -> tuple[list[DealRanking], list[UnreadableEntry]]:
    """Reads the result files of a folder.

    Raises:
        CommandError: the folder cannot be read.
    """
    try:
        return read_rankings_dir(folder)
    except OSError as error:
        raise CommandError(f"cannot read {folder}: {_error_text(error)}") from error


def _write_page(
    found: Mapping[str, Sequence[RatedBot]], unread: Sequence[UnreadableEntry], folder: Path
) -> Path:
    """Writes the page and returns the path of its index.

    Raises:
        CommandError: it cannot be written.
    """
    try:
        return write_ratings_page(found, unread, folder)
    except OSError as error:
        raise CommandError(f"cannot write {folder}: {_error_text(error)}") from error


def _error_text(error: OSError) -> str:
    """Returns the reason of a file error in a few words."""
    return (error.strerror or str(error)).lower()


def _to_json(
    found: Mapping[str, Sequence[RatedBot]], unread: Sequence[UnreadableEntry]
) -> dict[str, object]:
    """Returns all ladders as plain JSON."""
    return {
        "games": {game: [asdict(one) for one in rows] for game, rows in found.items()},
        "unread": [asdict(one) for one in unread],
    }


def _ladder_lines(found: Mapping[str, Sequence[RatedBot]]) -> Iterator[RenderableType]:
    """Yields the ladders as printed."""
    for game, rows in found.items():
        table = borderless_table("Bot", "Rank", "Rating", "Strength", "Deals", "Last played")
        for place, one in enumerate(rows, start=1):
            table.add_row(
                printable_line(one.name),
                str(place),
                f"{one.rating:.1f}",
                format_interval(one),
                f"{one.deals:,}",
                one.last or "–",
            )
        yield Text(game_title(game), "bold")
        yield table
        yield ""
