"""The rules run on a bare Python, without installed packages."""

import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src"

PLAY = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
import jasstisch as jt
match = jt.Match(jt.game("molotov", dealer=0))
match.deal(match.pack)
match.act(match.to_act[0], match.legal(match.to_act[0])[0])
loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(loaded & {"asyncio", "socket", "sqlite3", "threading", "random"}))
"""


def test_a_match_is_played_without_any_installed_package() -> None:
    # -S: no site-packages, so an import of anything that is not Python's own would fail.
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PLAY, str(SOURCES)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert done.stdout.split() == []
