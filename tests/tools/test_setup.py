"""Set-up does only what is needed, and explains what the machine lacks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import setup

ROOT = Path(__file__).parents[2]
FIND_PYTHON = ROOT / "tools" / "find_python.sh"


def program(folder: Path, name: str, script: str) -> Path:
    """A small program in place of one of the machine's."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


def find_python(folder: Path, path: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Runs the search for Python in `folder` with `path` as PATH."""
    return subprocess.run(
        ["/bin/sh", str(FIND_PYTHON)],
        cwd=folder,
        env={"PATH": str(path), **variables},
        check=False,
        capture_output=True,
        text=True,
    )


def test_a_machine_without_python_is_told_what_to_install(tmp_path: Path) -> None:
    done = find_python(tmp_path, tmp_path / "bin")
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "sudo apt install python3 python3-venv" in done.stderr


def test_an_old_python_is_skipped_for_a_suitable_one(tmp_path: Path) -> None:
    program(tmp_path / "bin", "python3", "exit 1")
    fitting = program(tmp_path / "bin", "python3.12", "exit 0")
    done = find_python(tmp_path, tmp_path / "bin")
    assert done.stdout.strip() == str(fitting)


def python_of_version(folder: Path, name: str, version: str) -> Path:
    """A program that responds like this version of Python."""
    pretended = f"import sys; sys.version_info = ({version}, 0); exec(sys.argv[1])"
    return program(folder, name, f'exec {sys.executable} -c "{pretended}" "$2"')


def test_an_untested_newer_python_is_skipped(tmp_path: Path) -> None:
    python_of_version(tmp_path / "bin", "python3", "3, 15")
    tested = python_of_version(tmp_path / "bin", "python3.13", "3, 13")
    done = find_python(tmp_path, tmp_path / "bin")
    assert done.stdout.strip() == str(tested)


def test_with_only_a_newer_python_the_message_says_how_to_try_it(tmp_path: Path) -> None:
    newest = python_of_version(tmp_path / "bin", "python3", "3, 15")
    done = find_python(tmp_path, tmp_path / "bin")
    assert done.returncode == 1
    assert "tested with Python 3.11 to 3.14" in done.stderr
    assert "PYTHON=python3" in done.stderr
    chosen = find_python(tmp_path, tmp_path / "bin", PYTHON="python3")
    assert chosen.stdout.strip() == str(newest)


def test_a_python_without_venv_names_the_missing_package(tmp_path: Path) -> None:
    script = 'case "$2" in *ensurepip*) exit 1;; *print*) echo 3.11;; esac'
    program(tmp_path / "bin", "python3", script)
    done = find_python(tmp_path, tmp_path / "bin")
    assert done.returncode == 1
    assert "sudo apt install python3.11-venv" in done.stderr


@pytest.mark.parametrize(
    ("version", "fits"),
    [
        ("v18.20.4", False),
        ("v20.18.1", False),
        ("v20.19.0", False),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("no version at all", False),
    ],
)
def test_only_a_supported_node_is_used(
    version: str, fits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "node", f"echo {version}")
    program(tmp_path, "npm", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert setup.has_usable_node() is fits


def test_without_npm_both_node_and_npm_are_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "node", "echo v24.1.0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not setup.has_usable_node()


def test_a_missing_browser_stops_with_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    with pytest.raises(SystemExit, match="sudo apt install chromium-headless-shell"):
        setup.require_browser()


def test_a_chosen_browser_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = program(tmp_path, "my-browser", "exit 0")
    monkeypatch.setenv("CHROMIUM", str(chosen))
    assert setup.find_browser() == str(chosen)


def test_a_step_is_repeated_only_when_its_files_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    source, step = tmp_path / "source", tmp_path / "stamps" / "step"
    source.write_text("one")
    setup.mark_current(step, setup.digest([source]))
    assert setup.is_current(step, setup.digest([source]))
    os.utime(source, (0, 0))
    assert setup.is_current(step, setup.digest([source]))
    source.write_text("two")
    assert not setup.is_current(step, setup.digest([source]))


def test_a_renamed_source_counts_as_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    source = tmp_path / "source"
    source.write_text("one")
    before = setup.digest([source])
    renamed = source.rename(tmp_path / "renamed")
    assert setup.digest([renamed]) != before


def test_a_failing_program_is_shown_with_its_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = program(tmp_path, "failing", "echo the disk is full; exit 3")
    with pytest.raises(SystemExit, match="could not be installed"):
        setup.run_quietly([failing], "It could not be installed.", cwd=tmp_path)
    assert "the disk is full" in capsys.readouterr().err


def test_long_steps_print_progress_and_show_errors_on_failure(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    failing = program(tmp_path, "failing", "echo 1 of 6; echo the disk is full >&2; exit 3")
    with pytest.raises(SystemExit, match="could not be compiled"):
        setup.run_quietly([failing], "They could not be compiled.", cwd=tmp_path, heard=True)
    said = capfd.readouterr()
    assert said.out == "1 of 6\n"
    assert "the disk is full" in said.err


def test_bots_are_compiled_again_only_after_source_or_package_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "STAMPS", tmp_path / "stamps")
    monkeypatch.setattr(setup, "run_quietly", lambda command, *_, **__: calls.append(command))
    rules = tmp_path / "src" / "jasstisch" / "engine" / "cards.py"
    rules.parent.mkdir(parents=True)
    packages = tmp_path / "requirements" / "run.txt"
    packages.parent.mkdir()
    for times, changed in enumerate((rules, packages, rules), start=1):
        rules.touch()
        packages.touch()
        changed.write_text(str(times))
        setup.compile_players()
        setup.compile_players()
        assert len(calls) == times


def test_source_packages_are_installed_after_their_build_tools(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise pip would fetch the build tool itself, in any version and unchecked."""
    done: list[tuple[str, ...]] = []

    def install(lock: str, what: str, *how: str) -> None:
        done.append((lock, *how))

    for step in (
        "make_venv",
        "require_browser",
        "install_project",
        "compile_players",
        "build_client",
        "build_site",
        "download_wheels",
    ):
        monkeypatch.setattr(setup, step, lambda: None)
    monkeypatch.setattr(setup, "install_web_packages", lambda: None)
    monkeypatch.setattr(setup, "install", install)
    monkeypatch.setattr("sys.argv", ["setup", "test"])
    setup.main()
    assert done == [("run",), ("test",), ("peers", "--no-build-isolation")]
    builder = (ROOT / "requirements" / "test.txt").read_text(encoding="utf-8")
    assert "setuptools==" in builder


@pytest.mark.parametrize(
    ("uv", "installed_by"),
    [("exit 0", ["uv"]), ("exit 1", ["uv", "pip"]), (None, ["pip"])],
    ids=["uv", "uv fails", "no uv"],
)
def test_pip_installs_if_uv_fails(
    uv: str | None, installed_by: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    file = tmp_path / "uv"
    if uv is not None:
        program(tmp_path, "uv", f'echo "uv $*" >> {log}; {uv}')
    pip = program(tmp_path, "pip", f'echo "pip $*" >> {log}')
    monkeypatch.setattr(setup, "UV", file)
    monkeypatch.setattr(setup, "UV_INSTALL", (file,))
    monkeypatch.setattr(setup, "PIP_INSTALL", (pip,))
    setup.install_by_uv_or_pip(["--require-hashes", "-r", "run.txt"], "It failed.")
    assert log.read_text().splitlines() == [
        f"{one} --require-hashes -r run.txt" for one in installed_by
    ]


def test_without_a_uv_wheel_set_up_uses_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "STAMPS", tmp_path)
    monkeypatch.setattr(setup, "PIP_INSTALL", (program(tmp_path, "pip", "exit 1"),))
    setup.install_uv()
    assert not (tmp_path / "lock").exists()


def test_parallel_steps_continue_after_a_failure_and_fail_at_the_end() -> None:
    done = []

    def fail() -> None:
        raise SystemExit("It could not be built.")

    with pytest.raises(SystemExit, match="could not be built"):
        setup.run_two_at_a_time([fail, lambda: done.append("one"), lambda: done.append("two")])
    assert sorted(done) == ["one", "two"]


def test_build_outputs_beside_sources_do_not_count_as_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the next start would build the client again, and it has to be quick."""
    monkeypatch.setattr(setup, "WEB", tmp_path / "web")
    monkeypatch.setattr(setup, "SHEETS_DIR", tmp_path / "games")
    monkeypatch.setattr(setup, "TUTORIAL_TEXTS", tmp_path / "tutorials")
    monkeypatch.setattr(setup, "REASON_TEXTS", tmp_path / "reasons")
    monkeypatch.setattr(setup, "COMMON_TEXTS", tmp_path / "common")
    project = tmp_path / "web" / "project.inlang"
    sheet = tmp_path / "games" / "molotov" / "molotov.en.md"
    texts = [tmp_path / folder / "en.json" for folder in ("tutorials", "reasons", "common")]
    sources = {tmp_path / "web" / "app.ts", project / "settings.json", sheet, *texts}
    for file in sources:
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_text("ours")
    before = set(setup.web_sources())
    assert before == sources
    for file in (project / "README.md", project / ".meta.json", project / "cache" / "plugin"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("generated")
    assert set(setup.web_sources()) == before
