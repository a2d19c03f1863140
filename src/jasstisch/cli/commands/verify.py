"""`jasstisch verify`: verifies the deals of a recorded match by its published evidence.

Each secret of the server is checked against the end of its hash chain, each contribution against
its commitment, and each pack against the permutation that both determine. If `jasstisch join` or
`jasstisch bot` has seen the match here, the record is compared with what they have kept of it.
Others who were at the table can give the commitment shown there from the start of the match with
`--commitment`.
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
from jasstisch.cli.game.kept_match import KeptMatch, compare_with_kept
from jasstisch.cli.game.number_ranges import number_ranges
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.engine.errors import shorten
from jasstisch.fairness import Evidence, VerificationReport

_COMMITMENT_PATTERN = re.compile(r"[0-9a-f]{64}")

_MIN_VALUE_WIDTH = 16
"""Minimum width in columns of the values beside the labels."""


def run(argv: list[str]) -> int:
    """Verifies the deals of a recorded match.

    Raises:
        CommandError: the file cannot be read, its record or a deal is invalid, it has no evidence,
            the commitment of the server is another one, or the record contradicts what was seen.
    """
    arguments = parser().parse(argv)
    terminal = Terminal()
    with terminal.spinner("Checking the deals"):
        match = record_files.load(arguments.file)
        findings = match.verify_deals()
    if findings is None or match.fair is None:
        raise CommandError(
            f"{arguments.file}: this record has no part `fair`, so its deals cannot be checked"
        )
    evidence = Evidence.from_json(match.fair)
    _check_commitment(arguments, evidence)
    kept = compare_with_kept(arguments.file, match, evidence.match)
    report = _VerificationRenderer(
        match, evidence, findings, kept, terminal.width, compared=bool(arguments.commitment)
    )
    terminal.write(*report.lines())
    return 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch verify",
        "Verify that the deals of a recorded match are fair.",
        epilog="What is checked, and what a file cannot prove: docs/fair-deals.md",
    )
    result.add_argument("file", metavar="FILE", type=Path, help="a record, *.jass.json")
    result.add_argument(
        "--commitment",
        metavar="HEX",
        type=_parse_commitment,
        help="the commitment of the server that the table showed from the start of the match",
    )
    return result


def _parse_commitment(text: str) -> str:
    """Argument type for a commitment in hexadecimal."""
    digits = text.lower()
    if not _COMMITMENT_PATTERN.fullmatch(digits):
        raise argparse.ArgumentTypeError(f"64 hexadecimal digits are needed, not {shorten(text)!r}")
    return digits


def _check_commitment(arguments: argparse.Namespace, evidence: Evidence) -> None:
    """Compares the commitment of the record with the one given.

    Raises:
        CommandError: they differ.
    """
    wanted: str | None = arguments.commitment
    if wanted is not None and wanted != evidence.chain_ends[0].hex():
        raise CommandError(
            f"{arguments.file}: the commitment is {wanted[:16]}…, but the deals of this record "
            f"belong to {evidence.chain_ends[0].hex()[:16]}…"
        )


class _VerificationRenderer:
    """Renders the result of a verification.

    Args:
        match: the record.
        evidence: its part `fair`.
        findings: the result of the verification.
        kept: the comparison with what was seen of the match here.
        width: columns.
        compared: whether the commitment was compared with a given one.
    """

    def __init__(
        self,
        match: jt.Match,
        evidence: Evidence,
        findings: VerificationReport,
        kept: KeptMatch,
        width: int,
        *,
        compared: bool,
    ) -> None:
        self.match = match
        self.evidence = evidence
        self.findings = findings
        self.kept = kept
        self.width = width
        self.compared = compared
        self.seats = PlayerNames(match.players)

    def lines(self) -> Iterator[Text]:
        """Yields the report line by line."""
        verdict = self.kept.verdict
        whole = verdict is not None and verdict.kind == "verified"
        said = "All deals are verified." if whole else "The proof of the deals holds."
        yield Text(said, "bold green")
        rows = list(self.rows())
        margin = 2 + max(cell_len(label) for label, _ in rows)
        for label, value in rows:
            yield self.format_row(label, value, margin)
        for problem in self.kept.problems:
            yield Text(f"What was kept of this match cannot be read: {problem}", "bold")
        if verdict is None:
            yield Text("Nothing that was seen of this match is kept on this computer.", "dim")
            if not self.compared:
                yield Text(
                    "A file cannot prove when it was written. If you were at the table, compare "
                    "the commitment with the one shown there from the start of the match: "
                    "--commitment.",
                    "dim",
                )

    def format_row(self, label: str, value: str, margin: int) -> Text:
        """Formats a label and its value, wrapped if it is long."""
        indented = label + " " * (margin - cell_len(label))
        lines = wrap(value, max(_MIN_VALUE_WIDTH, self.width - margin)) or [""]
        return Text.assemble((indented, "dim"), f"\n{' ' * margin}".join(lines))

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yields the rows of the report as label and value."""
        yield "Commitment", self.commitment_text()
        yield "Packs", self.packs_text()
        yield "Attempts", self.attempts_text()
        if self.findings.secret_only_packs:
            yield "  alone", self.server_only_text()
        for miss in self.findings.missed_openings:
            name = self.seats[miss.seat]
            value = f"{name} did not open in attempt {miss.attempt} and was left out"
            yield f"  pack {miss.pack_number}", value
        if not self.match.over:
            yield "Ended", "early: the table was closed, and this is all that was dealt"
        yield from self.kept.rows()
        yield "Contributed", ""
        for seat in range(len(self.seats)):
            yield f"  {self.seats[seat]}", self.contribution_text(seat)

    def commitment_text(self) -> str:
        """Returns the commitment, and whether it is the one that was told here."""
        digits = self.evidence.chain_ends[0].hex()
        compared = self.kept.verdict is not None and self.kept.verdict.compared
        return f"{digits} (as told at the start of the match)" if compared else digits

    def packs_text(self) -> str:
        """Returns how many packs were verified."""
        count = self.findings.pack_count
        return f"{count}, each in the order that its secret and contributions determine"

    def attempts_text(self) -> str:
        """Returns how many attempts there were and how many of them were void."""
        void = self.findings.attempt_count - self.findings.pack_count
        return f"{self.findings.attempt_count}, {void or 'none'} of them void"

    def server_only_text(self) -> str:
        """Returns which packs the server could know in advance."""
        packs = self.findings.secret_only_packs
        return (
            f"{len(packs)} decided by the server alone, which could know them in advance: "
            f"{number_ranges(packs)}"
        )

    def contribution_text(self, seat: int) -> str:
        """Returns for how many packs a seat contributed."""
        packs = self.findings.contribution_counts.get(seat, 0)
        return f"to {packs} of {self.findings.pack_count} packs" if packs else "to none"
