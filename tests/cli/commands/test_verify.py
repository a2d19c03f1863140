import json
import re
from pathlib import Path
from typing import Any

import pytest

from jasstisch.cli.game import user_state
from jasstisch.client import DealMemory
from tests.cli.screen_player import run_cli, scripted_answers
from tests.client.seen_matches import SeenTable, new_client
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


# What was seen of the match on this computer.


def seen_match(**how: Any) -> SeenTable:
    """A match that Anna's program has kept as it was played."""
    kept = DealMemory(user_state.deals_dir()).begin(new_client())
    table = SeenTable({0: kept, 3: new_client()}, **how)
    table.play()
    kept.close()
    return table


def words(printed: str) -> str:
    return " ".join(printed.split())


def test_record_is_compared_with_what_was_seen_here(tmp_path: Path) -> None:
    table = seen_match()
    status, printed, errors = verify(table.record(), tmp_path)
    assert (status, errors) == (0, "")
    assert printed.startswith("All deals are verified.\n")
    said = words(printed)
    assert f"Commitment {table.ledger.announcement.end.hex()} (as told at the start of" in said
    assert "Seen here the hands, plays and results that this computer has seen are the" in said
    assert "helped to shuffle 9 of 9 packs" in said
    assert "--commitment" not in said


def test_packs_decided_without_this_computer_are_named(tmp_path: Path) -> None:
    _, printed, _ = verify(seen_match(deaf={2: [0], 3: [0]}).record(), tmp_path)
    assert printed.startswith("The proof of the deals holds.\n")
    said = words(printed)
    assert "helped to shuffle 7 of 9 packs" in said
    assert "left out ready to help, but these were decided without it: 2–3" in said


def test_record_of_another_play_than_was_seen_here_is_refused(tmp_path: Path) -> None:
    """Its deals are those of the match, and valid; only the play is made up."""
    seen_match(seed=1)
    other = SeenTable({0: new_client(), 3: new_client()}, seed=2)
    status, printed, errors = verify(other.play(), tmp_path)
    assert (status, printed) == (1, "")
    assert "it contradicts what this computer has seen of the match: " in errors


def test_breach_during_the_match_is_not_forgotten(tmp_path: Path) -> None:
    kept = DealMemory(user_state.deals_dir()).begin(new_client())
    table = SeenTable({0: kept})
    table.step()
    kept.tell(None, 1, 0)
    status, printed, errors = verify(table.play(), tmp_path)
    assert (status, printed) == (1, "")
    assert "the server did not keep to the protocol during this match" in errors


def test_matches_not_seen_here_and_damaged_memories_are_said(tmp_path: Path) -> None:
    table = seen_match()
    later = SeenTable({0: new_client(2)}, number=2).play()
    status, printed, _ = verify(later, tmp_path)
    assert status == 0
    assert "Nothing that was seen of this match is kept on this computer." in words(printed)
    (file,) = user_state.deals_dir().iterdir()
    file.write_bytes(file.read_bytes()[10:])
    status, printed, _ = verify(table.record(), tmp_path)
    assert status == 0
    assert "What was kept of this match cannot be read:" in words(printed)
    assert "line 1: its checksum does not fit" in words(printed)


def test_help_links_to_the_limits_of_verification() -> None:
    status, printed, _ = run_cli(["verify", "--help"], scripted_answers())
    assert status == 0
    assert "docs/fair-deals.md" in printed
