"""`make lowest` lowers the versions of dependencies, not of the test tools."""

from tools import lowest


def test_test_tools_keep_their_locked_versions() -> None:
    lock = (
        "coverage==7.10.1 \\\n    --hash=sha256:00\n"
        "numpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=sha256:00\n"
        "pytest==9.2.0 \\\n    --hash=sha256:00\n"
        "pgserver==0.6.0 ; python_full_version < '3.15' \\\n    --hash=sha256:00\n"
    )
    group = ["coverage[toml]>=7.10", "pgserver>=0.5; python_version < '3.15'", "pytest>=8.4"]
    assert lowest.pins(lock, group) == [
        "coverage==7.10.1",
        "pytest==9.2.0",
        "pgserver==0.6.0 ; python_full_version < '3.15'",
    ]
