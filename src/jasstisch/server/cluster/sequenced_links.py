"""Numbered lines between nodes over a bus that may lose, repeat or reorder what it carries.

From each node to each other goes one line; its messages have numbers without gaps. What comes a
second time, or behind what came after it, is dropped; a gap is told to whoever reads the line, who
then asks anew for what he needs. Messages that are said in one go travel together. The number of a
line is kept for ever, for a node that was not heard of may be back.
"""

import asyncio
from collections.abc import Callable

import msgspec

from jasstisch.server.cluster.bus import Bus
from jasstisch.server.cluster.encryption import DecryptionError, MessageCipher, cluster_id
from jasstisch.server.cluster.messages import NodeMessage
from jasstisch.server.observability import AlertLog

__all__ = ["SequencedLinks"]

MAX_FRAME_BYTES = 256 * 1024
"""Bytes of one message on the bus; what is longer comes in several."""

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
"""Bytes of one message in several parts."""

MAX_SEND_BUFFER_BYTES = 16 * 1024 * 1024
"""Bytes that may wait to be said to one node; beyond, they are lost."""

WHOLE, MORE, LAST = b"\0", b"\1", b"\2"
"""What a message on the bus begins with: it is whole, more follows, or it is the last part."""

CLOSE_TIMEOUT_S = 1.0
"""So long what waits may take to be said when a line is closed."""

_encoder = msgspec.msgpack.Encoder()
_batch_decoder = msgspec.msgpack.Decoder(list[msgspec.Raw])
_decoder: msgspec.msgpack.Decoder[NodeMessage] = msgspec.msgpack.Decoder(NodeMessage)


class _SendState:
    """What is said to a node."""

    __slots__ = ("pending", "sequence", "size")

    def __init__(self) -> None:
        self.sequence = 0
        self.pending: list[bytes] = []
        self.size = 0


class _ReceiveState:
    """What is heard of a node."""

    __slots__ = ("parts", "sequence", "size")

    def __init__(self) -> None:
        self.sequence = 0
        self.parts: list[bytes] = []
        self.size = 0


class SequencedLinks:
    """The lines of a node to and from all others.

    Args:
        bus: carries them.
        secret: that of the store.
        me: the id of this node.
        heard: takes in what another says; by its id.
        gap: told that something of what another said was lost; by its id.
        incidents: where it is noted what cannot be opened or is lost.
    """

    def __init__(
        self,
        bus: Bus,
        secret: bytes,
        me: str,
        heard: Callable[[str, NodeMessage], None],
        gap: Callable[[str], None],
        incidents: AlertLog,
    ) -> None:
        self._bus = bus
        self._cluster_id = cluster_id(secret)
        self._cipher = MessageCipher(secret, me)
        self._node_id = me
        self._on_message = heard
        self._on_gap = gap
        self._incidents = incidents
        self._send_states: dict[str, _SendState] = {}
        self._receive_states: dict[str, _ReceiveState] = {}
        self._closed = False
        self._wakeup = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Listens and speaks from now on."""
        await self._bus.subscribe(self._subject(self._node_id), self._on_frame)
        self._task = asyncio.create_task(self._send_loop())

    async def close(self) -> None:
        """Says what waits, unless the bus does not take it, and is silent."""
        if self._closed:
            return
        self._closed = True
        self._wakeup.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=CLOSE_TIMEOUT_S)
            self._task.cancel()

    def send(self, node: str, message: NodeMessage) -> bool:
        """Says something to a node; whether it is on its way, though it may be lost there."""
        if self._closed:
            return False
        out = self._send_states.setdefault(node, _SendState())
        content = _encoder.encode(message)
        if not self._bus.connected or out.size + len(content) > MAX_SEND_BUFFER_BYTES:
            out.sequence += 1  # so that it is missed
            self._incidents.report("bus_loss", "away" if out.size == 0 else "too_much_unsaid")
            return False
        out.pending.append(content)
        out.size += len(content)
        self._wakeup.set()
        return True

    def _subject(self, node: str) -> str:
        return f"jasstisch.{self._cluster_id}.{node}"

    # Speaking.

    async def _send_loop(self) -> None:
        # Whoever carries it may keep a cancellation to itself: this ends by what is known here.
        while not self._closed:
            await self._wakeup.wait()
            self._wakeup.clear()
            await self._flush()
        await self._flush()

    async def _flush(self) -> None:
        for node, out in list(self._send_states.items()):
            if out.pending:
                unsaid, out.pending, out.size = out.pending, [], 0
                await self._send_batch(node, out, _encoder.encode(list(map(msgspec.Raw, unsaid))))

    async def _send_batch(self, node: str, out: _SendState, content: bytes) -> None:
        most = MAX_FRAME_BYTES
        parts = [content[start : start + most] for start in range(0, len(content), most)]
        subject = self._subject(node)
        for index, part in enumerate(parts):
            out.sequence += 1
            kind = WHOLE if len(parts) == 1 else LAST if index == len(parts) - 1 else MORE
            await self._bus.publish(
                subject, self._cipher.encrypt(node, out.sequence, subject, kind + part)
            )

    # Hearing.

    def _on_frame(self, subject: str, data: bytes) -> None:
        try:
            sender, number, content = self._cipher.decrypt(subject, data)
        except DecryptionError:
            self._incidents.report("bus_refused", "not_ours")
            return
        if self._closed:
            return
        line = self._receive_states.setdefault(sender, _ReceiveState())
        if number <= line.sequence:
            self._incidents.report("bus_refused", "repeated")
            return
        whole = number == line.sequence + 1
        line.sequence = number
        if not whole:
            line.parts, line.size = [], 0
            self._incidents.report("bus_loss", "gap")
            self._on_gap(sender)
        content = self._reassemble(line, content, whole=whole)
        if content:
            self._deliver(sender, content)

    def _reassemble(self, line: _ReceiveState, content: bytes, *, whole: bool) -> bytes:
        """The message of which this is the last part; nothing while some are missing."""
        kind, part = content[:1], content[1:]
        if kind == WHOLE:
            line.parts, line.size = [], 0
            return part
        if (not whole or not line.parts) and kind == LAST:
            line.parts, line.size = [], 0
            return b""  # its beginning is lost
        line.parts.append(part)
        line.size += len(part)
        if line.size > MAX_MESSAGE_BYTES:
            line.parts, line.size = [], 0
        if kind == MORE:
            return b""
        joined, line.parts, line.size = b"".join(line.parts), [], 0
        return joined

    def _deliver(self, sender: str, content: bytes) -> None:
        try:
            said = _batch_decoder.decode(content)
        except msgspec.MsgspecError:
            self._incidents.report("bus_refused", "malformed")
            return
        for one in said:
            try:
                message = _decoder.decode(one)
            except msgspec.MsgspecError:
                # A newer node says what an older one need not know.
                self._incidents.report("bus_refused", "kind")
                continue
            self._on_message(sender, message)
