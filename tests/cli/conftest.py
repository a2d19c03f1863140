from pathlib import Path

import pytest

from jasstisch.cli.ui.translator import LOCALE_VARIABLES


@pytest.fixture(autouse=True)
def isolate_user_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a test reads depends on no language of who runs it, and it keeps nothing among his."""
    for name in LOCALE_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
