"""What is built and installed is whole: the web page is in it, and an installation stays small.

The package is built from a copy of what a clone holds, by the front end that everybody uses, and
installed into environments that hold nothing else. Packages come from those that set-up has kept,
so that no network is needed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import jasstisch
from tools.check import check_environment
from tools.docs_site import SITE_DIR, STAMP
from tools.release import check_complete
from tools.setup import WEB, WEB_STAMPS, WHEELS

ROOT = Path(__file__).parents[2]
LIGHT = {"jasstisch", "rich", "markdown-it-py", "mdurl", "pygments", "shtab"}
"""What an installation without extras consists of."""

OFFLINE = {
    **os.environ,
    "PIP_NO_INDEX": "1",
    "PIP_FIND_LINKS": str(WHEELS),
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}

pytestmark = pytest.mark.outside


def run(*words: str | Path, **how: object) -> "subprocess.CompletedProcess[str]":
    """Runs a program to its end."""
    settings = {"cwd": ROOT, "env": OFFLINE, "capture_output": True, "text": True} | how
    return subprocess.run([str(word) for word in words], check=False, **settings)  # type: ignore[call-overload,no-any-return]


@dataclass(frozen=True)
class Environment:
    """A virtual environment of its own."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def jasstisch(self) -> Path:
        return self.folder / "bin" / "jasstisch"

    def install(self, what: str) -> None:
        done = run(sys.executable, "-m", "pip", "--python", self.python, "install", "-q", what)
        assert done.returncode == 0, done.stdout + done.stderr

    def packages(self) -> set[str]:
        listed = run(sys.executable, "-m", "pip", "--python", self.python, "list", "--format=json")
        return {one["name"].lower() for one in json.loads(listed.stdout)}

    def says(self, program: str) -> str:
        """What a Python program prints, or the last line of the error it ends with."""
        done = run(self.python, "-c", program)
        return (done.stdout if done.returncode == 0 else done.stderr).strip().split("\n")[-1]


def copied(folder: Path) -> Path:
    """What a clone of the working tree would hold, and the web client's packages beside it."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    # What `make docs` has built there.
    shutil.copytree(SITE_DIR, folder / SITE_DIR.relative_to(ROOT))
    stamp = folder / STAMP.relative_to(ROOT)
    stamp.parent.mkdir(exist_ok=True)
    shutil.copy2(STAMP, stamp)
    return folder


def build(folder: Path, **surroundings: str) -> "subprocess.CompletedProcess[str]":
    """`python -m build` in a folder."""
    words = (sys.executable, "-m", "build", "--outdir", folder / "dist", folder)
    return run(*words, env=OFFLINE | surroundings)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the wheel and the sdist."""
    clone = copied(tmp_path_factory.mktemp("clone"))
    modules = clone / "web" / "node_modules"
    modules.mkdir()
    for package in (WEB / "node_modules").iterdir():
        if package.name != WEB_STAMPS.name:  # what has been built there is another page
            (modules / package.name).symlink_to(package)
    (modules / WEB_STAMPS.name).mkdir()
    shutil.copy2(WEB_STAMPS / "npm", modules / WEB_STAMPS.name)
    done = build(clone, PATH=check_environment()["PATH"])
    assert done.returncode == 0, done.stdout + done.stderr
    return clone / "dist"


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    return next(dist.glob("*.whl"))


@pytest.fixture(scope="module")
def light(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel and no extra."""
    made = Environment(tmp_path_factory.mktemp("light"))
    run(sys.executable, "-m", "venv", "--without-pip", made.folder)
    made.install(str(wheel))
    return made


@pytest.fixture(scope="module")
def hosting(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the extra of a host, but without the players that search."""
    made = Environment(tmp_path_factory.mktemp("hosting"))
    run(sys.executable, "-m", "venv", "--without-pip", made.folder)
    made.install(f"jasstisch[server] @ {wheel.as_uri()}")
    return made


def test_the_wheel_holds_the_page_and_all_data_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    page = "jasstisch/server/static"
    assert f"{page}/index.html" in names
    assert any(re.fullmatch(rf"{page}/assets/.*\.js", name) for name in names)
    assert f"{page}/libraries.md" in names
    kept = {
        str(file.relative_to(ROOT / "src"))
        for file in (ROOT / "src" / "jasstisch").rglob("*")
        if file.is_file() and file.suffix in {".py", ".md", ".json", ".npz", ".typed"}
        if not {"static", "site"} & set(file.parts)
    }
    assert kept <= names
    assert {f"jasstisch/server/site/{name}" for name in ("index.html", "scripts.txt")} <= names
    surplus = {name.partition("/")[0] for name in names} - {"jasstisch"}
    assert surplus == {f"jasstisch-{jasstisch.__version__}.dist-info"}


def test_the_sdist_holds_the_page_so_that_it_is_built_without_node(dist: Path) -> None:
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = ("CHANGELOG.md", "LICENSE", "README.md", "tools/build_hook.py")
    built = (f"src/jasstisch/server/{folder}/index.html" for folder in ("static", "site"))
    assert names >= {*wanted, *built}


def test_without_node_and_documentation_the_package_is_built_with_a_warning(
    tmp_path: Path,
) -> None:
    """As `pip install git+https://…` does on a machine that has neither."""
    clone = copied(tmp_path)
    shutil.rmtree(clone / SITE_DIR.relative_to(ROOT))
    words = (sys.executable, "-m", "build", "--no-isolation", "--wheel", clone)
    done = run(*words, env=OFFLINE | {"PATH": str(tmp_path / "nothing")})
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == 0, said
    assert "The package has no web page, because this machine has no Node.js" in said
    assert "The package has no documentation: `make docs`" in said
    (wheel,) = clone.glob("dist/*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "jasstisch/server/main.py" in names
    assert not [name for name in names if "/static/" in name or "/site/" in name]
    with pytest.raises(SystemExit):
        check_complete(clone / "dist")


def test_old_documentation_is_warned_of(tmp_path: Path) -> None:
    clone = copied(tmp_path)
    (clone / "docs" / "bots.md").write_text("# Another page\n")
    words = (sys.executable, "-m", "build", "--no-isolation", "--wheel", clone)
    done = run(*words, env=OFFLINE | {"PATH": str(tmp_path / "nothing")})
    assert done.returncode == 0
    assert "is older than its sources" in " ".join((done.stdout + done.stderr).split())


def test_a_release_is_whole(dist: Path) -> None:
    check_complete(dist)


def test_an_installation_without_extras_is_a_few_packages_of_pure_python(
    light: Environment,
) -> None:
    assert light.packages() == LIGHT
    assert [*light.folder.rglob("*.so")] == []


def test_it_plays_in_the_terminal(light: Environment) -> None:
    program = (
        "from tests.cli.screen_player import ScreenPlayer, run_cli\n"
        "words = ['play', 'molotow', '--rounds', '1', '--seed', '1']\n"
        "status, screen, errors = run_cli(words, ScreenPlayer())\n"
        "print(status, repr(errors), 'A rematch?' in screen)"
    )
    assert light.says(program) == "0 '' True"


def test_it_has_records_greedy_players_the_arena_and_the_conformance_kit(
    light: Environment,
) -> None:
    program = (
        "import jasstisch as jt\n"
        "from jasstisch import arena, i18n, testing, tutorials\n"
        "duel = arena.contest(jt.game('molotov'), ['greedy'], against='random')\n"
        "arena.run(duel, deals=2)\n"
        "testing.check_game(jt.game('molotow', rounds=1))\n"
        "print(jt.__version__)"
    )
    assert light.says(program) == jasstisch.__version__


SEARCH = "which is not installed: pip install 'jasstisch[search]'"
SERVER = "which is not installed: pip install 'jasstisch[server]'"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import jasstisch as jt; jt.bot('club')", SEARCH),
        ("import jasstisch as jt; jt.bot('master')", SEARCH),
        ("import jasstisch.env", SEARCH),
        ("import jasstisch.equilibria", SEARCH),
        ("import jasstisch.search.flat_monte_carlo", SEARCH),
        ("import jasstisch.analysis", SEARCH),
        ("import jasstisch.bench.suite", SEARCH),
        ("import jasstisch.client", SERVER),
        ("import jasstisch.server", SERVER),
        ("import jasstisch.table", SERVER),
        ("import jasstisch.storage", SERVER),
        ("from jasstisch.arena.ray_executor import RayExecutor; RayExecutor()", "'jasstisch[ray]'"),
        (
            (
                "import pathlib, jasstisch.arena.strength_plot as p; "
                "p.check_drawable(pathlib.Path('a.svg'))"
            ),
            "'jasstisch[plot]'",
        ),
    ],
)
def test_what_needs_an_extra_names_it(light: Environment, program: str, said: str) -> None:
    assert light.says(program).endswith(said)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("serve",), 1, SERVER),
        (("bench",), 1, SEARCH),
        (("play", "molotov", "--bots", "club"), 2, SEARCH),
        (("arena", "molotov", "club", "--against", "greedy"), 2, SEARCH),
        (("replay", "tests/records/molotow-1.jass.json", "--analyse"), 1, SEARCH),
    ],
)
def test_a_command_that_needs_an_extra_says_so_in_one_line(
    light: Environment, words: tuple[str, ...], status: int, said: str
) -> None:
    done = run(light.jasstisch, *words)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith("jasstisch: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(f"{said}\n")


@pytest.fixture
def address(hosting: Environment, tmp_path: Path) -> Iterator[str]:
    """Where `jasstisch serve` of the installed package is."""
    words = (hosting.jasstisch, "serve", "--port", "0", "--data", tmp_path, "--thinkers", "1")
    with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=tmp_path, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        yield found[0]
        server.terminate()


def test_a_card_is_played_in_the_page_that_an_installed_server_gives(address: str) -> None:
    """In a browser, as a person would."""
    done = run("node", "e2e/play_one_card.mjs", address, cwd=WEB, env=check_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    # The searching players are another extra, and the page offers only who can play.
    assert done.stdout.split("\n")[0] == "opponents: Easy"
    assert re.search(r"^played: \w\w$", done.stdout, re.MULTILINE)
