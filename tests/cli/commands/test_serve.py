import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.cli.screen_player import run_cli, scripted_answers


def test_serve_passes_its_arguments_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[object] = []

    def serve(host: str, port: int, data: Path | None, **others: object) -> int:
        called.extend([host, port, data, others])
        return 1

    monkeypatch.setattr("jasstisch.server.serve", serve)
    assert run_cli(["serve"], scripted_answers())[0] == 1
    usual: dict[str, object] = {
        "open_browser": False,
        "thinkers": None,
        "trusted_proxies": None,
        "public_url": None,
        "admin": None,
        "limits": {},
        "store": None,
        "forgotten": None,
        "bus": None,
        "languages": ("de", "fr", "it", "en"),
        "greeting": None,
        "metrics": None,
        "log_form": "auto",
        "log_level": "info",
    }
    assert called == ["127.0.0.1", 8000, None, usual]
    called.clear()
    assert run_cli(["serve", "--data", "d"], scripted_answers())[0] == 1
    assert called == ["127.0.0.1", 8000, Path("d"), usual]
    called.clear()
    words = ["serve", "--host", "0.0.0.0", "--port", "0", "--open"]
    words += ["--thinkers", "2", "--trusted-proxy", "10.0.0.5", "172.18.0.0/16"]
    words += ["--public-url", "https://jass.example.org", "--greeting", "de=Salü", "fr=Salut"]
    words += ["--admin", "off"]
    words += ["--connections-per-address", "500", "--connections-per-person", "8"]
    words += ["--languages", "fr", "de", "--metrics", "[::1]:9100", "--log", "json"]
    words += ["--log-level", "warning"]
    words += ["--store", "postgresql://me@db/jass", "--bus", "nats://h"]
    assert run_cli(words, scripted_answers())[0] == 1
    chosen = {
        "open_browser": True,
        "thinkers": 2,
        "trusted_proxies": ("10.0.0.5", "172.18.0.0/16"),
        "public_url": "https://jass.example.org",
        "admin": "off",
        "limits": {"connections_per_address": 500, "connections_per_person": 8},
        "store": "postgresql://me@db/jass",
        "forgotten": None,
        "bus": "nats://h",
        "languages": ("fr", "de"),
        "greeting": {"de": "Salü", "fr": "Salut"},
        "metrics": ("::1", 9100),
        "log_form": "json",
        "log_level": "warning",
    }
    assert called == ["0.0.0.0", 0, None, chosen]
    called.clear()
    assert run_cli(["serve", "--store", "sqlite:d"], scripted_answers())[0] == 1
    assert called[2] is None
    assert "'store': 'sqlite:d'" in str(called[3])


def test_the_default_data_folder_is_the_same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JASSTISCH_STORE", "postgresql://me:geheim@h/d")
    status, printed, errors = run_cli(["serve", "--data", "d"], scripted_answers())
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert "choose data or store, not both (--data and JASSTISCH_STORE)" in errors
    assert "geheim" not in errors


@pytest.mark.outside
def test_serve_prints_its_address_and_exits_with_130_on_ctrl_c(tmp_path: Path) -> None:
    file = tmp_path / "jass.toml"
    chosen = 'port = 1\nmetrics = "127.0.0.1:0"\nlanguages = ["it"]\ngreeting = {it = "Ciao"}\n'
    file.write_text(chosen)
    words = [sys.executable, "-m", "jasstisch", "serve", "--port", "0", "--data", str(tmp_path)]
    environment = {**os.environ, "DISPLAY": "", "JASSTISCH_CONFIG": str(file)}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        line = server.stdout.readline().decode()
        url = line.split()[3].rstrip("/")
        house = httpx2.get(f"{url}/api/house").json()
        statuses = [httpx2.get(url + path).status_code for path in ("/health", "/metrics")]
        server.send_signal(signal.SIGINT)
        errors = server.stderr.read().decode()
        assert server.wait() == 130
    assert line.startswith("Jasstisch is at http://127.0.0.1:")
    assert (house["languages"], house["greeting"]) == (["it"], {"it": "Ciao"})
    assert statuses == [200, 404]
    assert "Traceback" not in errors
