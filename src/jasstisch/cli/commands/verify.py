"""`jasstisch verify`: checks the deals of a recorded match by what was published of them.

Each secret of the server is held against the end of its chain, each contribution against what its
person had committed himself to, and each pack against the order that both give. Whether the end is
the one that was shown before the match only those know who were there, so they may name it.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

import jasstisch as jt
from jasstisch.cli.arguments import Parser
from jasstisch.cli.errors import CommandError
from jasstisch.cli.game import record_files
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.engine.errors import shorten
from jasstisch.fairness import Evidence, VerificationReport

__all__ = ["run"]

COMMITMENT_PATTERN = re.compile(r"[0-9a-f]{64}")

MIN_VALUE_WIDTH = 16
"""Columns beside the labels, however narrow the terminal is."""


def run(words: list[str]) -> int:
    """Checks the deals of a recorded match.

    Raises:
        CommandError: the file cannot be read, its record or a deal does not hold, it has nothing to
            check its deals by, or the server had committed itself to something else.
    """
    arguments = parser().parse(words)
    terminal = Terminal()
    with terminal.spinner("Checking the deals"):
        match = record_files.load(arguments.file)
        findings = match.verify()
    if findings is None or match.fair is None:
        raise CommandError(
            f"{arguments.file}: this record has no part `fair`, so its deals cannot be checked"
        )
    evidence = Evidence.from_json(match.fair)
    check_commitment(arguments, evidence)
    report = VerificationRenderer(
        match, evidence, findings, terminal.width, compared=bool(arguments.commitment)
    )
    terminal.write(*report.lines())
    return 0


def parser() -> Parser:
    """The words the command takes."""
    result = Parser(
        "jasstisch verify",
        "Verify that the deals of a recorded match are fair.",
        epilog="What is checked, and what a file cannot prove: docs/fair-deals.md",
    )
    result.add_argument("file", metavar="FILE", type=Path, help="a record, *.jass.json")
    result.add_argument(
        "--commitment",
        metavar="HEX",
        type=parse_commitment,
        help="the commitment of the server that the table showed before the match",
    )
    return result


def parse_commitment(text: str) -> str:
    """A commitment as it is shown, as the type of an argument."""
    digits = text.lower()
    if not COMMITMENT_PATTERN.fullmatch(digits):
        raise argparse.ArgumentTypeError(f"64 hexadecimal digits are needed, not {shorten(text)!r}")
    return digits


def check_commitment(arguments: argparse.Namespace, evidence: Evidence) -> None:
    """Holds the record against the commitment that somebody has noted.

    Raises:
        CommandError: it is another one.
    """
    wanted: str | None = arguments.commitment
    if wanted is not None and wanted != evidence.ends[0].hex():
        raise CommandError(
            f"{arguments.file}: the commitment is {wanted[:16]}…, but the deals of this record "
            f"belong to {evidence.ends[0].hex()[:16]}…"
        )


class VerificationRenderer:
    """What was checked, in words.

    Args:
        match: the record.
        evidence: its part `fair`.
        findings: what came of the check.
        width: columns.
        compared: the commitment is the one that somebody has noted.
    """

    def __init__(
        self,
        match: jt.Match,
        evidence: Evidence,
        findings: VerificationReport,
        width: int,
        *,
        compared: bool,
    ) -> None:
        self.match = match
        self.evidence = evidence
        self.findings = findings
        self.width = width
        self.compared = compared
        self.seats = PlayerNames(match.players)

    def lines(self) -> Iterator[Text]:
        """The report, line for line."""
        yield Text("All deals are verified.", "bold green")
        rows = list(self.rows())
        margin = 2 + max(cell_len(label) for label, _ in rows)
        for label, told in rows:
            yield self.format_row(label, told, margin)
        if not self.compared:
            yield Text(
                "A file cannot prove when it was written. If you were at the table, compare the "
                "commitment with the one shown there before the match: --commitment.",
                "dim",
            )

    def format_row(self, label: str, told: str, margin: int) -> Text:
        """A label and what belongs to it, below one another where it is long."""
        indented = label + " " * (margin - cell_len(label))
        lines = wrap(told, max(MIN_VALUE_WIDTH, self.width - margin)) or [""]
        return Text.assemble((indented, "dim"), f"\n{' ' * margin}".join(lines))

    def rows(self) -> Iterator[tuple[str, str]]:
        """What there is to tell, each with its label."""
        yield "Commitment", self.evidence.ends[0].hex()
        yield "Packs", self.packs_text()
        yield "Attempts", self.attempts_text()
        if self.findings.without_contributions:
            yield "  alone", self.server_only_text()
        for miss in self.findings.misses:
            name = self.seats[miss.seat]
            told = f"{name} did not open in attempt {miss.attempt} and was left out"
            yield f"  pack {miss.pack}", told
        yield "Contributed", ""
        for seat in range(len(self.seats)):
            yield f"  {self.seats[seat]}", self.contribution_text(seat)

    def packs_text(self) -> str:
        """How many packs lay as they should."""
        return (
            f"{self.findings.packs}, each in the order that its secret and contributions determine"
        )

    def attempts_text(self) -> str:
        """How many attempts there were, and how many of them were void."""
        void = self.findings.attempts - self.findings.packs
        return f"{self.findings.attempts}, {void or 'none'} of them void"

    def server_only_text(self) -> str:
        """How many packs the server could know before."""
        count = self.findings.without_contributions
        return f"{count} by the server's secret alone, so the server could know them in advance"

    def contribution_text(self, seat: int) -> str:
        """For how many packs a seat has contributed."""
        packs = self.findings.contributed.get(seat, 0)
        return f"to {packs} of {self.findings.packs} packs" if packs else "to none"
