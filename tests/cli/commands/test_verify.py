import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.screen_player import run_cli, scripted_answers
from tests.fairness.fair_matches import fair_match


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A match of nine packs; Reto did not open for the third."""
    made, _ = fair_match(absences={3: {3: 1}})
    return made


def verify(record: object, folder: Path, *words: str) -> tuple[int, str, str]:
    """Runs the command on this record; returns exit status and output."""
    file = folder / "m.jass.json"
    file.write_text(json.dumps(record))
    return run_cli(["verify", str(file), *words], scripted_answers())


def test_verify_prints_what_was_checked_and_who_contributed(
    record: dict[str, Any], tmp_path: Path
) -> None:
    status, printed, errors = verify(record, tmp_path)
    assert (status, errors) == (0, "")
    said = [" ".join(line.split()) for line in printed.splitlines()]
    assert said[0] == "The proof of the deals holds."
    assert f"Commitment {record['fair']['ends'][0]}" in said
    assert "Packs 9, each in the order that its secret and contributions determine" in said
    assert "Attempts 10, 1 of them void" in said
    assert "pack 3 Reto did not open in attempt 1 and was left out" in said
    assert said[6:10] == [
        "Anna to 9 of 9 packs",
        "Club 1 to none",
        "Club 2 to none",
        "Reto to 8 of 9 packs",
    ]
    assert "A file cannot prove when it was written." in printed


def test_packs_decided_by_the_server_alone_are_listed(tmp_path: Path) -> None:
    made, _ = fair_match(absences={2: {0: 1, 3: 1}, 3: {0: 1, 3: 1}, 5: {0: 1, 3: 1}})
    _, printed, _ = verify(made, tmp_path)
    said = " ".join(printed.split())
    assert "alone 7 decided by the server alone" in said
    assert "could know them in advance: 2–3, 5–9" in said


def test_verify_names_the_invalid_pack(record: dict[str, Any], tmp_path: Path) -> None:
    fair = json.loads(json.dumps(record["fair"]))
    fair["packs"][4][0]["secret"] = "0" * 64
    status, printed, errors = verify(record | {"fair": fair}, tmp_path)
    assert (status, printed) == (1, "")
    assert re.fullmatch(
        r"jasstisch: .*m\.jass\.json: step \d+: fair: pack 5: its secret .*\n", errors
    )


def test_a_record_without_evidence_is_refused_in_one_line(
    record: dict[str, Any], tmp_path: Path
) -> None:
    without = {key: value for key, value in record.items() if key != "fair"}
    status, printed, errors = verify(without, tmp_path)
    assert (status, printed) == (1, "")
    assert errors.endswith("has no part `fair`, so its deals cannot be checked\n")
    assert errors.count("\n") == 1


def test_a_noted_commitment_is_compared(record: dict[str, Any], tmp_path: Path) -> None:
    shown = record["fair"]["ends"][0]
    status, printed, _ = verify(record, tmp_path, "--commitment", shown.upper())
    assert status == 0
    assert "--commitment" not in printed
    status, printed, errors = verify(record, tmp_path, "--commitment", "0" * 64)
    assert (status, printed) == (1, "")
    assert "the commitment is 0000000000000000…" in errors
    assert shown[:16] in errors


def test_an_invalid_commitment_is_a_usage_error(record: dict[str, Any], tmp_path: Path) -> None:
    status, _, errors = verify(record, tmp_path, "--commitment", "0" * 63)
    assert status == 2
    assert "64 hexadecimal digits" in errors


def test_a_match_before_its_first_pack_has_no_void_packs(
    record: dict[str, Any], tmp_path: Path
) -> None:
    empty = record | {"log": [], "result": None, "fair": record["fair"] | {"packs": []}}
    status, printed, errors = verify(empty, tmp_path)
    assert (status, errors) == (0, "")
    assert re.search(r"^Attempts +0, none of them void$", printed, re.MULTILINE)


def test_help_links_to_the_limits_of_verification() -> None:
    status, printed, _ = run_cli(["verify", "--help"], scripted_answers())
    assert status == 0
    assert "docs/fair-deals.md" in printed
