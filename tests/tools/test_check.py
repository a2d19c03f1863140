"""One run of the checks shows every failure."""

import sys
from pathlib import Path

import pytest

from tools import check
from tools.check import Check

ROOT = Path(__file__).parents[2]


def run_checks(
    monkeypatch: pytest.MonkeyPatch, checks: tuple[Check, ...], *words: str
) -> int | str | None:
    """Runs `checks` as if they were the project's; returns the exit status."""
    monkeypatch.setattr(check, "CHECKS", checks)
    monkeypatch.setattr(check, "node_path", lambda: "")
    monkeypatch.setattr(sys, "argv", ["check", *words])
    with pytest.raises(SystemExit) as ended:
        check.main()
    return ended.value.code


def make_check(name: str, exit_status: int) -> Check:
    """A check that prints its name and exits with `exit_status`."""
    script = f"print('ran {name}'); raise SystemExit({exit_status})"
    return Check(name, f"Title of {name}", (sys.executable, "-c", script))


def test_a_failed_check_fails_the_run_and_stops_no_other(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    checks = (make_check("first", 0), make_check("second", 3), make_check("third", 0))
    assert run_checks(monkeypatch, checks) == 1
    output = capfd.readouterr().out
    assert "ran third" in output
    *result, total = output.partition("Result")[2].splitlines()[1:]
    assert [line.split()[0] for line in result] == ["ok", "FAILED", "ok"]
    assert total.endswith("in all")


def test_a_run_without_failures_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_checks(monkeypatch, (make_check("first", 0), make_check("second", 0))) == 0


def test_only_the_selected_checks_run(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_checks(monkeypatch, (make_check("first", 3), make_check("second", 0)), "second") == 0
    assert "ran first" not in capfd.readouterr().out


def test_an_unknown_check_is_refused_with_the_known_ones(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_checks(monkeypatch, (make_check("first", 0),), "frist") == 2
    assert "no such check: frist; there are first" in capfd.readouterr().err


@pytest.mark.parametrize("pattern", [*check.ENGINE_FILES, *check.CLAUSE_TESTS])
def test_files_of_the_coverage_check_exist(pattern: str) -> None:
    assert list(ROOT.glob(pattern))


def command_of(name: str) -> tuple[str, ...]:
    (found,) = [one for one in check.CHECKS if one.name == name]
    return found.command


def test_every_python_test_is_in_exactly_one_check() -> None:
    """The tests that one check names, the other ignores."""
    left_out = {word.removeprefix("--ignore=") for word in command_of("pytest") if "ignore" in word}
    given = {*command_of("rules"), *command_of("package")}
    assert left_out == {word for word in given if word.startswith("tests/")}


def test_quick_checks_are_all_that_need_no_server_browser_or_process() -> None:
    chosen = check.select_checks(["--quick"])
    kept_back = {one.name for one in check.CHECKS} - {one.name for one in chosen}
    assert kept_back == {"package", "rules", "coverage", "pytest", "e2e"}
    assert chosen[-1].command[-2:] == ("-m", "not outside")
