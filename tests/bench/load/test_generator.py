"""The load generator: its WebSocket parser, and a short load on a real server."""

from pathlib import Path

import pytest
import uvloop

from bench.load import generator
from bench.load.generator import section
from bench.load.websocket_client import WebSocketClient


def heard(pieces: list[bytes]) -> list[bytes]:
    """The messages that an open WebSocket parses from these bytes."""

    async def read() -> list[bytes]:
        texts: list[bytes] = []
        wire = WebSocketClient("localhost", "", texts.append)
        wire.ready.set_result(None)
        for piece in pieces:
            wire.data_received(piece)
        return texts

    return uvloop.run(read())


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 70_000])
def test_texts_of_all_sizes_are_parsed_in_any_fragmentation(size: int) -> None:
    text = b"x" * size
    if size < 126:
        head = bytes((0x81, size))
    elif size < 65_536:
        head = bytes((0x81, 126)) + size.to_bytes(2)
    else:
        head = bytes((0x81, 127)) + size.to_bytes(8)
    sent = (head + text) * 2
    assert heard([sent]) == [text, text]
    cut = [sent[:1], sent[1:3], sent[3:9], sent[9 : size + 4], sent[size + 4 :]]
    assert heard(cut) == [text, text]


def test_figures_are_printed_with_their_command() -> None:
    found = section(["--tables", "5", "--write"], [{"tables": 5, "p99 ms": 1.25}])
    assert found.command == "python -m bench.load --tables 5"
    assert found.columns == ["tables", "p99 ms"]
    assert found.rows == [["5", "1.25"]]


@pytest.mark.outside
def test_a_short_load_has_no_refusals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generator, "WARMUP_S", 2.5)  # until the first cards are dealt
    source = str(Path(generator.__file__).parent.parent / "src")
    words = ["--tables", "3", "--every", "0.1", "--seconds", "1", "--source", source]
    monkeypatch.setattr("sys.argv", ["bench.load.generator", *words])
    generator.main()
    said = capsys.readouterr()
    assert "refusals" not in said.err
    lines = [line.rsplit(maxsplit=1) for line in said.out.splitlines()]
    figures = {name: float(value.replace(",", "")) for name, value in lines}
    assert figures["moves a second"] > 5
    assert figures["p99 ms"] > 0
