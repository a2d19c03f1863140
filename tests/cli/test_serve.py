import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.person import script, sit


def test_serve_hands_its_words_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[object] = []

    def serve(host: str, port: int, data: Path | None, **others: object) -> int:
        called.extend([host, port, data, others])
        return 1

    monkeypatch.setattr("jasstisch.server.serve", serve)
    assert sit(["serve"], script())[0] == 1
    others: dict[str, object] = {
        "open_browser": False,
        "thinkers": None,
        "trusted_proxies": None,
        "public_url": None,
        "limits": {},
    }
    assert called == ["127.0.0.1", 8000, None, others]
    called.clear()
    words = ["serve", "--host", "0.0.0.0", "--port", "0", "--data", "d", "--open"]
    words += ["--thinkers", "2", "--trusted-proxy", "10.0.0.5", "172.18.0.0/16"]
    words += ["--public-url", "https://jass.example.org"]
    words += ["--connections-per-address", "500", "--connections-per-person", "8"]
    assert sit(words, script())[0] == 1
    others = {
        "open_browser": True,
        "thinkers": 2,
        "trusted_proxies": ["10.0.0.5", "172.18.0.0/16"],
        "public_url": "https://jass.example.org",
        "limits": {"connections_per_address": 500, "connections_per_person": 8},
    }
    assert called == ["0.0.0.0", 0, Path("d"), others]


@pytest.mark.outside
def test_serve_tells_its_address_and_ends_with_130_on_ctrl_c(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "jasstisch", "serve", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "DISPLAY": ""}
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        line = server.stdout.readline().decode()
        server.send_signal(signal.SIGINT)
        errors = server.stderr.read().decode()
        assert server.wait() == 130
    assert line.startswith("Jasstisch is at http://127.0.0.1:")
    assert "Traceback" not in errors
