"""Startup errors of a cluster: one sentence each, without passwords."""

from pathlib import Path

import pytest

from jasstisch.server import serve
from jasstisch.server.cluster import nats_bus
from jasstisch.server.cluster.bus import BusError
from jasstisch.server.cluster.nats_bus import NatsBus, parse_server_urls
from tests.server.cluster.process_harness import NatsServer, free_port

pytestmark = pytest.mark.outside


def test_a_bus_requires_a_shared_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert serve(port=0, data=tmp_path, bus="nats://127.0.0.1:4222") == 1
    text = "a bus joins servers that share a store: give --store postgresql://… with --bus"
    assert capsys.readouterr().err == f"jasstisch: {text}\n"


@pytest.mark.parametrize(
    "url", ["", "localhost", "http://localhost", "nats://", "nats://a:b@host:port"]
)
def test_an_invalid_bus_url_is_refused_without_being_quoted(url: str) -> None:
    with pytest.raises(BusError) as refused:
        NatsBus(url, "tisch")
    assert str(refused.value).startswith("a bus is named like nats://host:4222 or tls://")
    assert "a:b" not in str(refused.value)


def test_a_bus_url_may_list_several_servers() -> None:
    assert parse_server_urls("nats://a:1, tls://b") == ["nats://a:1", "tls://b"]


async def test_an_unreachable_bus_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nats_bus, "_STARTUP_TIMEOUT_S", 0.5)
    port = free_port()
    with pytest.raises(BusError) as refused:
        await NatsBus(f"nats://jass:secret-word@127.0.0.1:{port}", "tisch").open()
    assert f"127.0.0.1:{port}" in str(refused.value)
    assert "secret-word" not in str(refused.value)


async def test_a_wrong_bus_password_is_reported() -> None:
    server = NatsServer()
    try:
        with pytest.raises(BusError) as refused:
            await NatsBus(server.url.replace("secret-word", "guess"), "tisch").open()
    finally:
        server.stop()
    assert "it lets nobody in with these credentials" in str(refused.value)
    assert "guess" not in str(refused.value)
