"""`jasstisch ladder`: how strong all bots are that were measured into a folder, as a page.

Everything is computed anew from the files that `jasstisch arena --keep` has written there. What of
them cannot be read is named, on the page too; the rest is rated, and the status says that something
was wrong.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from jasstisch.arena.ladder import Rated, ladders
from jasstisch.arena.ladder_page import spread, write
from jasstisch.arena.picture import title
from jasstisch.arena.ranked import ENDING, Ranking, Unread, read_folder
from jasstisch.cli.arguments import Parser
from jasstisch.cli.encoding import printable
from jasstisch.cli.exits import CommandError
from jasstisch.cli.grids import grid
from jasstisch.cli.terminal import Terminal, progress_screen, working
from jasstisch.extras import require

__all__ = ["run"]

PAGE = "page"
"""The folder of the page within that of the files, where nobody names another."""


def run(words: list[str]) -> int:
    """Rates all bots of a folder, and writes the page.

    Raises:
        CommandError: there is nothing to rate, or a file cannot be written.
    """
    arguments = parser().read(words)
    require("ladder", "a ladder")
    folder: Path = arguments.folder
    with working(progress_screen(), "Rating the bots"):
        rankings, unread = gathered(folder)
        for one in unread:
            print(f"jasstisch: {printable(f'{one.where}: {one.reason}')}", file=sys.stderr)
        if not rankings:
            raise CommandError(
                f"no bots have met in {folder}: its results are files *{ENDING} that "
                f"jasstisch arena GAME BOT … --keep {folder / f'NAME{ENDING}'} has written"
            )
        found = ladders(rankings)
        index = written(found, unread, arguments.page or folder / PAGE)
    if arguments.json:
        json.dump(as_json(found, unread), sys.stdout, indent=2)
        print()
    else:
        terminal = Terminal()
        terminal.say(*lines(found))
        terminal.tell(f"The page: {index}")
    return 1 if unread else 0


def parser() -> Parser:
    """The words the command takes."""
    result = Parser(
        "jasstisch ladder",
        "Rate all computer players that were measured into a folder, each game by itself, and\n"
        "write a page with a table and a picture for each game.",
        usage="jasstisch ladder DIR [options]",
        epilog=f"A result comes in by: jasstisch arena GAME BOT ... --keep DIR/NAME{ENDING}\n"
        "How bots are rated: docs/arena.md",
    )
    result.add_argument(
        "folder", metavar="DIR", type=Path, help=f"the folder of the results, files *{ENDING}"
    )
    result.add_argument(
        "--page",
        metavar="FOLDER",
        type=Path,
        help=f"where the page goes (default DIR/{PAGE}); what is there is replaced",
    )
    result.add_argument("--json", action="store_true", help="print one JSON object")
    return result


def gathered(folder: Path) -> tuple[list[Ranking], list[Unread]]:
    """What the files of a folder tell.

    Raises:
        CommandError: it cannot be read.
    """
    try:
        return read_folder(folder)
    except OSError as error:
        raise CommandError(f"cannot read {folder}: {reason(error)}") from error


def written(found: Mapping[str, Sequence[Rated]], unread: Sequence[Unread], folder: Path) -> Path:
    """Writes the page; where it begins.

    Raises:
        CommandError: it cannot be written.
    """
    try:
        return write(found, unread, folder)
    except OSError as error:
        raise CommandError(f"cannot write {folder}: {reason(error)}") from error


def reason(error: OSError) -> str:
    """What went wrong with a file, in a few words."""
    return (error.strerror or str(error)).lower()


def as_json(found: Mapping[str, Sequence[Rated]], unread: Sequence[Unread]) -> dict[str, object]:
    """All ladders as plain JSON."""
    return {
        "games": {game: [asdict(one) for one in rows] for game, rows in found.items()},
        "unread": [asdict(one) for one in unread],
    }


def lines(found: Mapping[str, Sequence[Rated]]) -> Iterator[RenderableType]:
    """The ladders as they are printed."""
    for game, rows in found.items():
        table = grid("Bot", "Rank", "Rating", "Strength", "Deals", "Last played")
        for place, one in enumerate(rows, start=1):
            table.add_row(
                printable(one.name),
                str(place),
                f"{one.rating:.1f}",
                spread(one),
                f"{one.deals:,}",
                one.last or "–",
            )
        yield Text(title(game), "bold")
        yield table
        yield ""
