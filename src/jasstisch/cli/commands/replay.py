"""`jasstisch replay`: verifies a record to its last step, then shows the match trick by trick.

A record contains all hands, so the replay shows all of them and all face-down cards. On a terminal
it waits after every trick or claim; otherwise it prints everything. With `--analyse` it prints the
best action for each decision of the finished rounds, and why. `--json` prints either one as JSON.
`--line` and `--deal` print one round as a line of text.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from rich.text import Text

import jasstisch as jt
from jasstisch.bots import View
from jasstisch.cli.arguments import Parser, int_range, parse_seat
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.cli.game import record_files
from jasstisch.cli.ui.card_style import CardStyle, add_deck_flag, compatible_style
from jasstisch.cli.ui.hand_view import hand_line, hand_line_by_rank, wrap_parts
from jasstisch.cli.ui.narrator import Narrator
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.translator import parse_language
from jasstisch.cli.ui.view_features import has_claims, has_drop_out
from jasstisch.engine.errors import GameError
from jasstisch.games.options import Value
from jasstisch.games.rules import Json
from jasstisch.i18n import LANGUAGES
from jasstisch.match import notation

_ALL_LANGUAGES = ", ".join(LANGUAGES)


class ReplayReport(TypedDict):
    """The course and result of a match, as `--json` prints it: the attributes of `Match`."""

    game: str
    options: dict[str, Value]
    players: list[str]
    rounds: list[Json]
    standing: list[Json]
    over: bool
    winners: list[int]


def run(argv: list[str]) -> int:
    """Shows a recorded match.

    Raises:
        CommandError: the file cannot be read, its record is invalid, or the round to analyse is not
            finished.
        UsageError: an option requires `--analyse`, or does not go with `--json`.
    """
    arguments = parser().parse(argv)
    _check_arguments(arguments)
    terminal = Terminal()
    with terminal.spinner("Checking the record"):
        match = record_files.load(arguments.file)
    if arguments.analyse:
        return _print_analysis(arguments, match, terminal)
    if arguments.line or arguments.deal:
        return _print_notation(match, arguments.round, play=arguments.line)
    if arguments.json:
        return _print_json(_build_report(match))
    waits = terminal.is_interactive and not arguments.all
    faces = compatible_style(arguments.deck, match.game.rules.deck, drawn=terminal.supports_symbols)
    _ReplayPrinter(match, terminal, faces, waits=waits).print_match()
    return 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser("jasstisch replay", "Check a recorded match and step through it.")
    result.add_argument("file", metavar="FILE", type=Path, help="a record, *.jass.json")
    result.add_argument("--all", action="store_true", help="print everything without waiting")
    add_deck_flag(result)
    result.add_argument(
        "--json", action="store_true", help="print one JSON object: the rounds, or the analysis"
    )
    result.add_argument(
        "--line", action="store_true", help="print the round given by --round as one line of text"
    )
    result.add_argument(
        "--deal", action="store_true", help="print only the deal of that round as one line of text"
    )
    group = result.add_argument_group("analysis")
    group.add_argument(
        "--analyse",
        action="store_true",
        help="say what was best in each decision of the finished rounds, and why",
    )
    group.add_argument("--round", metavar="N", type=int_range(1), help="only this round")
    group.add_argument(
        "--seat",
        metavar="N",
        type=parse_seat,
        help="only the decisions of this seat, counted from 1",
    )
    group.add_argument(
        "--candidates",
        action="store_true",
        default=None,
        help="list all evaluated actions with their results",
    )
    group.add_argument(
        "--lang", metavar="LANG", type=parse_language, help=f"one of {_ALL_LANGUAGES}"
    )
    return result


def _check_arguments(arguments: argparse.Namespace) -> None:
    """Refuses analysis options without `--analyse`, and options that conflict with `--json`.

    Raises:
        UsageError: such an option was given.
    """
    line = arguments.line or arguments.deal
    for name in ("round", "seat", "candidates", "lang"):
        known = arguments.analyse or (line and name == "round")
        if getattr(arguments, name) is not None and not known:
            raise UsageError(f"--{name} goes with --analyse; see jasstisch replay --help")
    for name in ("candidates", "lang"):
        if getattr(arguments, name) is not None and arguments.json:
            raise UsageError(
                f"--{name} does not go with --json, which has all candidates and the ids of reasons"
            )
    if line:
        if arguments.round is None:
            raise UsageError("--line and --deal need a round: --round N")
        if arguments.analyse or arguments.json or (arguments.line and arguments.deal):
            raise UsageError("give only one of --line, --deal, --json and --analyse")


def _print_analysis(arguments: argparse.Namespace, match: jt.Match, terminal: Terminal) -> int:
    """Prints the analysis of the finished rounds of a match.

    Raises:
        CommandError: the round is not finished, or there is no such seat.
    """
    # The search bots are slow to import, and a replay needs none of them.
    from jasstisch.analysis import report as reported  # noqa: PLC0415
    from jasstisch.cli.game.analysis_report import AnalysisRenderer, analyse_match  # noqa: PLC0415

    done = analyse_match(match, arguments.round, arguments.seat)
    if arguments.json:
        return _print_json(reported(done))
    faces = compatible_style(arguments.deck, match.game.rules.deck)
    chosen, candidates = arguments.lang or LANGUAGES[0], bool(arguments.candidates)
    report = AnalysisRenderer(done, match, chosen, faces, terminal.width, candidates=candidates)
    terminal.write(*report.lines())
    return 0


def _build_report(match: jt.Match) -> ReplayReport:
    """Returns the JSON report of a match."""
    return {
        "game": match.game.name,
        "options": dict(match.game.options),
        "players": match.players,
        "rounds": match.rounds,
        "standing": match.standing,
        "over": match.over,
        "winners": match.winners,
    }


def _print_notation(match: jt.Match, number: int, *, play: bool) -> int:
    """Prints a round, or only its deal, as one line and nothing else.

    Raises:
        CommandError: the round is not finished, or has no form of one line.
    """
    try:
        print(notation.write(match, number, play=play))
    except GameError as error:
        raise CommandError(str(error)) from error
    return 0


def _print_json(plain: Mapping[str, Any]) -> int:
    """Prints one JSON object and nothing else."""
    json.dump(plain, sys.stdout, indent=2, allow_nan=False)
    print()
    return 0


class _ReplayPrinter:
    """Replays a recorded match and narrates it.

    Args:
        match: the recorded match.
        terminal: where to print.
        card_style: the style of the cards.
        waits: whether to wait for the reader after every trick.
    """

    def __init__(
        self, match: jt.Match, terminal: Terminal, card_style: CardStyle, *, waits: bool
    ) -> None:
        self.recorded = match
        self.match = jt.Match(match.game, match.players)
        self.terminal = terminal
        self.card_style = card_style
        self.waits = waits
        self.seats = PlayerNames(match.players, sides=match.game.sides)
        self.narrator = Narrator(self.seats, card_style, terminal.width)

    def print_match(self) -> None:
        """Prints the match from the first deal to the result."""
        self.header()
        before: View = self.match.view(None)
        bids: dict[int, str] = {}
        for who, action in self.recorded.record()["log"]:
            done = None if who == "pack" else (who, action)
            if done is None:
                self.match.deal(action)
            else:
                self.match.act(*done)
                bids[who] = action.removeprefix("bid ")
            if self.match.trick and self.match.trump == before["trump"]:
                continue  # nothing to narrate until the trick is complete
            after = self.with_open_cards(self.match.view(None), before)
            self.terminal.write(*self.narrator.narrate_step(before, after, done))
            if before["phase"] == "deal" and after["phase"] != "deal":
                self.hand_lines()
            taker = _blind_taken(before, after)
            if taker is not None:
                self.hand_line(taker)
            if before["phase"] == "bid" and after["phase"] == "play":
                self.bid_lines(bids)
            if _trick_ended(before, after) and not self.wait_for_reader():
                return
            before = after
        self.result_lines(before)

    def with_open_cards(self, view: View, before: View) -> View:
        """Returns a spectator's view in which the cards since an earlier view lie face up.

        These are the cards laid and drawn face down.
        """
        if has_claims(view) and has_claims(before):
            turns = view["turns"]
            known = min(len(before["turns"]), len(turns))
            for place in range(max(0, known - 1), len(turns)):
                own = self.match.view(turns[place]["seat"])["turns"][place]
                turns[place]["laid"], turns[place]["drawn"] = own["laid"], own["drawn"]
        return view

    def header(self) -> None:
        """Prints the game, its house rules and the keys."""
        self.terminal.write(*self.narrator.match_start(self.match.game))
        if self.waits:
            self.terminal.write(Text("Enter: go on   a: all the rest   q: leave", "dim"))

    def hand_lines(self) -> None:
        """Prints all hands as dealt."""
        for seat in range(len(self.seats)):
            if self.match.hand(seat):
                self.hand_line(seat)
        self.terminal.write("")

    def hand_line(self, seat: int) -> None:
        """Prints the hand of one player."""
        name, hand = self.seats[seat], self.match.hand(seat)
        line = hand_line_by_rank if has_claims(self.match.view(None)) else hand_line
        self.terminal.write(line(name, hand, self.seats, self.card_style, self.terminal.width))

    def bid_lines(self, bids: dict[int, str]) -> None:
        """Prints all bids, which are secret at the table until the round is over."""
        said = [Text(f"{self.seats[seat]} {bids[seat]}") for seat in sorted(bids)]
        self.terminal.write(wrap_parts("Bids", said, self.terminal.width))

    def wait_for_reader(self) -> bool:
        """Waits for the reader, unless told not to; returns whether to continue."""
        if not self.waits:
            return True
        try:
            typed = self.terminal.ask("").lower()
        except EOFError:
            return False
        self.waits = not typed.startswith("a")
        return not typed.startswith("q")

    def result_lines(self, view: View) -> None:
        """Prints the result, or how far the match has come."""
        if view["over"]:
            self.terminal.write(*self.narrator.match_end(view))
        else:
            self.terminal.write(f"The record ends in round {view['round']}: the match is not over.")


def _trick_ended(before: View, after: View) -> bool:
    """Returns whether a trick was completed or a claim settled between two views."""
    if has_claims(before) and has_claims(after) and before["claim"] and not after["claim"]:
        return True
    return any(len(after[done]) > len(before[done]) for done in ("tricks", "rounds"))


def _blind_taken(before: View, after: View) -> int | None:
    """Returns the seat that took the blind between two views (JS4)."""
    if has_drop_out(before) and has_drop_out(after) and before["blind"] is None:
        return after["blind"]
    return None
