"""Encrypted, sequenced links between nodes: order, fragmentation and detection of gaps."""

import asyncio
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.server.cluster.encryption import DecryptionError, MessageCipher, cluster_id
from jasstisch.server.cluster.messages import Deliver, NodeMessage, RevokeDevices, is_compatible
from jasstisch.server.cluster.sequenced_links import (
    _CLOSE_TIMEOUT_S,
    _MAX_FRAME_BYTES,
    SequencedLinks,
)
from jasstisch.server.observability.throttled_alerts import AlertLog
from tests.server.cluster.in_memory import SECRET, LossyNetwork, MemoryBus
from tests.support.virtual_time import run_in_virtual_time

A, B, C = "a" * 32, "b" * 32, "c" * 32


class RecordingLink:
    """Records the messages a node receives and the gaps it detects."""

    def __init__(self, network: LossyNetwork, me: str, secret: bytes = SECRET) -> None:
        self.heard: list[tuple[str, NodeMessage]] = []
        self.gaps = 0
        self.bus = MemoryBus(network)
        self.lines = SequencedLinks(self.bus, secret, me, self._hear, self._gap, AlertLog())

    async def open(self) -> "RecordingLink":
        await self.lines.open()
        return self

    def _hear(self, node: str, message: NodeMessage) -> None:
        self.heard.append((node, message))

    def _gap(self, node: str) -> None:
        self.gaps += 1


def texts(ear: RecordingLink) -> list[bytes]:
    return [message.text for _, message in ear.heard if isinstance(message, Deliver)]


def test_messages_arrive_in_order_and_long_ones_are_fragmented() -> None:
    async def talking() -> None:
        network = LossyNetwork()
        one, other = await RecordingLink(network, A).open(), await RecordingLink(network, B).open()
        said = [b"a", b"x" * (3 * _MAX_FRAME_BYTES), b"b"]
        for text in said:
            assert one.lines.send(B, Deliver([1], text))
            await asyncio.sleep(0.1)
        assert texts(other) == said
        assert {sender for sender, _ in other.heard} == {A}
        assert other.gaps == 0
        assert max(len(data) for _, data in network.messages) < 1024 * 1024
        for ear in (one, other):
            await ear.lines.close()

    run_in_virtual_time(talking())


def test_messages_sent_together_share_a_frame() -> None:
    async def talking() -> None:
        network = LossyNetwork()
        one, other = await RecordingLink(network, A).open(), await RecordingLink(network, B).open()
        for number in range(50):
            one.lines.send(B, Deliver([number], b"text"))
        await asyncio.sleep(0.1)
        assert len(other.heard) == 50
        assert network.message_count == 1
        for ear in (one, other):
            await ear.lines.close()

    run_in_virtual_time(talking())


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**16), trouble=st.floats(0.05, 0.9), most=st.integers(1, 40))
def test_duplicates_and_reordering_are_hidden_and_losses_reported(
    seed: int, trouble: float, most: int
) -> None:
    async def talking() -> None:
        network = LossyNetwork(seed)
        network.fault_rate = trouble
        one, other = await RecordingLink(network, A).open(), await RecordingLink(network, B).open()
        for number in range(most):
            one.lines.send(B, Deliver([number], b""))
            await asyncio.sleep(0.02)
        await asyncio.sleep(2.0)
        network.fault_rate = 0.0
        one.lines.send(B, Deliver([most], b""))
        await asyncio.sleep(0.1)
        numbers = [message.numbers[0] for _, message in other.heard if isinstance(message, Deliver)]
        assert numbers == sorted(set(numbers))
        assert (len(numbers) == most + 1) == (other.gaps == 0)
        for ear in (one, other):
            await ear.lines.close()

    run_in_virtual_time(talking())


def test_messages_sent_while_the_bus_is_down_are_reported_as_a_gap() -> None:
    async def talking() -> None:
        network = LossyNetwork()
        one, other = await RecordingLink(network, A).open(), await RecordingLink(network, B).open()
        one.bus.connected = False
        assert not one.lines.send(B, Deliver([1], b""))
        one.bus.connected = True
        assert one.lines.send(B, Deliver([2], b""))
        await asyncio.sleep(0.1)
        assert other.gaps == 1
        for ear in (one, other):
            await ear.lines.close()

    run_in_virtual_time(talking())


def test_a_listener_on_the_bus_can_neither_read_nor_replay() -> None:
    async def talking() -> None:
        network = LossyNetwork()
        one, other = await RecordingLink(network, A).open(), await RecordingLink(network, B).open()
        third = await RecordingLink(network, C).open()
        one.lines.send(B, Deliver([1], b"hand of Anna"))
        await asyncio.sleep(0.1)
        ((subject, data),) = network.messages
        assert b"Anna" not in data
        network.deliver_later(0.0, subject, data)  # repeated
        network.deliver_later(0.0, subject.replace(B, C), data)  # to somebody else
        network.deliver_later(0.0, subject, data[:-1] + bytes([data[-1] ^ 1]))  # changed
        network.deliver_later(0.0, subject, b"")
        await asyncio.sleep(0.1)
        assert texts(other) == [b"hand of Anna"]
        assert third.heard == []
        for ear in (one, other, third):
            await ear.lines.close()

    run_in_virtual_time(talking())


def test_messages_without_the_store_secret_are_rejected() -> None:
    place = f"jasstisch.{cluster_id(SECRET)}.{B}"
    sealed = MessageCipher(bytes(32), A).encrypt(B, 1, place, b"text")
    with pytest.raises(DecryptionError):
        MessageCipher(SECRET, B).decrypt(place, sealed)
    assert cluster_id(SECRET) != cluster_id(bytes(32))


def test_only_adjacent_protocol_versions_understand_each_other() -> None:
    assert [is_compatible(2, theirs) for theirs in range(5)] == [False, True, True, True, False]


def test_unknown_message_kinds_are_ignored() -> None:
    async def talking() -> None:
        network = LossyNetwork()
        one, other = await RecordingLink(network, A).open(), await RecordingLink(network, B).open()

        class Newer(RevokeDevices, tag="newer", frozen=True):
            pass

        one.lines.send(B, Newer([]))
        one.lines.send(B, Deliver([1], b""))
        await asyncio.sleep(0.1)
        assert texts(other) == [b""]
        assert other.gaps == 0
        for ear in (one, other):
            await ear.lines.close()

    run_in_virtual_time(talking())


def test_close_returns_if_the_bus_is_stuck_and_ignores_cancellation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def closing() -> None:
        ear = RecordingLink(LossyNetwork(), A)
        monkeypatch.setattr(ear.bus, "publish", blocked_publish)
        await ear.open()
        ear.lines.send(B, Deliver([1], b"text"))
        await asyncio.sleep(0.1)
        async with asyncio.timeout(2 * _CLOSE_TIMEOUT_S):
            await ear.lines.close()

    run_in_virtual_time(closing())


async def blocked_publish(subject: str, data: bytes) -> None:
    """Behaves like the NATS client when nobody reads what it writes."""
    for _ in range(2):
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60.0)


def test_messages_sent_before_close_are_delivered() -> None:
    async def talking() -> None:
        network = LossyNetwork()
        one, other = await RecordingLink(network, A).open(), await RecordingLink(network, B).open()
        for number in range(3):
            one.lines.send(B, Deliver([number], b"text"))
        await one.lines.close()
        assert not one.lines.send(B, Deliver([3], b"too late"))
        await asyncio.sleep(0.1)
        assert texts(other) == [b"text"] * 3
        await other.lines.close()

    run_in_virtual_time(talking())
