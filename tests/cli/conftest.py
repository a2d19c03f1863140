from pathlib import Path

import pytest

from jasstisch.cli.ui.translator import _LOCALE_VARIABLES


@pytest.fixture(autouse=True)
def isolate_user_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Isolates tests from the language and the saved state of the person who runs them."""
    for name in _LOCALE_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
