import pytest

from jasstisch.cli.speech import SETTINGS


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test reads does not depend on the language of who runs it."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
