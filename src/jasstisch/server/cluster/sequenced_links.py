"""Sequenced links between nodes, over a bus that may lose, repeat or reorder messages.

There is one link from each node to each other node, whose messages are numbered without gaps.
Repeated and late messages are dropped. A gap is reported to the reader of the link, who then
requests the current state. Messages that are sent together share a frame. The sequence number of a
link is kept for ever, because a silent node may come back.
"""

import asyncio
from collections.abc import Callable

import msgspec

from jasstisch.server.cluster.bus import Bus
from jasstisch.server.cluster.encryption import DecryptionError, MessageCipher, cluster_id
from jasstisch.server.cluster.messages import NodeMessage
from jasstisch.server.observability import AlertLog

_MAX_FRAME_BYTES = 256 * 1024
"""The maximum size of a frame on the bus, in bytes; longer content is split."""

_MAX_MESSAGE_BYTES = 64 * 1024 * 1024
"""The maximum size of a reassembled message, in bytes."""

_MAX_SEND_BUFFER_BYTES = 16 * 1024 * 1024
"""The maximum number of bytes that wait to be sent to one node; more are lost."""

_WHOLE, _MORE, _LAST = b"\0", b"\1", b"\2"
"""The first byte of a frame: it is complete, more frames follow, or it is the last part."""

_CLOSE_TIMEOUT_S = 1.0
"""How long sending the waiting messages may take when a link is closed, in seconds."""

_encoder = msgspec.msgpack.Encoder()
_batch_decoder = msgspec.msgpack.Decoder(list[msgspec.Raw])
_decoder: msgspec.msgpack.Decoder[NodeMessage] = msgspec.msgpack.Decoder(NodeMessage)


class _SendState:
    """The sending side of a link."""

    __slots__ = ("pending", "sequence", "size")

    def __init__(self) -> None:
        self.sequence = 0
        self.pending: list[bytes] = []
        self.size = 0


class _ReceiveState:
    """The receiving side of a link."""

    __slots__ = ("parts", "sequence", "size")

    def __init__(self) -> None:
        self.sequence = 0
        self.parts: list[bytes] = []
        self.size = 0


class SequencedLinks:
    """The links of a node from and to all others.

    Args:
        bus: carries the frames.
        secret: the secret of the store.
        node_id: the id of this node.
        on_message: called with the sender's id and each message.
        on_gap: called with a node's id when messages from it were lost.
        alerts: reports frames that cannot be decrypted or were lost.
    """

    def __init__(
        self,
        bus: Bus,
        secret: bytes,
        node_id: str,
        on_message: Callable[[str, NodeMessage], None],
        on_gap: Callable[[str], None],
        alerts: AlertLog,
    ) -> None:
        self._bus = bus
        self._cluster_id = cluster_id(secret)
        self._cipher = MessageCipher(secret, node_id)
        self._node_id = node_id
        self._on_message = on_message
        self._on_gap = on_gap
        self._alerts = alerts
        self._send_states: dict[str, _SendState] = {}
        self._receive_states: dict[str, _ReceiveState] = {}
        self._closed = False
        self._wakeup = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Starts to receive and to send."""
        await self._bus.subscribe(self._subject(self._node_id), self._on_frame)
        self._task = asyncio.create_task(self._send_loop())

    async def close(self) -> None:
        """Sends the waiting messages, as far as the bus accepts them, and closes the links."""
        if self._closed:
            return
        self._closed = True
        self._wakeup.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=_CLOSE_TIMEOUT_S)
            self._task.cancel()

    def send(self, node: str, message: NodeMessage) -> bool:
        """Sends a message to a node, which may still be lost; returns whether it was queued."""
        if self._closed:
            return False
        out = self._send_states.setdefault(node, _SendState())
        content = _encoder.encode(message)
        if not self._bus.connected or out.size + len(content) > _MAX_SEND_BUFFER_BYTES:
            out.sequence += 1  # so that the receiver detects the loss
            self._alerts.report("bus_loss", "away" if out.size == 0 else "too_much_unsaid")
            return False
        out.pending.append(content)
        out.size += len(content)
        self._wakeup.set()
        return True

    def _subject(self, node: str) -> str:
        return f"jasstisch.{self._cluster_id}.{node}"

    # Sending.

    async def _send_loop(self) -> None:
        # The bus client may swallow a cancellation, so the loop also checks the state of this
        # object.
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
        most = _MAX_FRAME_BYTES
        parts = [content[start : start + most] for start in range(0, len(content), most)]
        subject = self._subject(node)
        for index, part in enumerate(parts):
            out.sequence += 1
            kind = _WHOLE if len(parts) == 1 else _LAST if index == len(parts) - 1 else _MORE
            await self._bus.publish(
                subject, self._cipher.encrypt(node, out.sequence, subject, kind + part)
            )

    # Receiving.

    def _on_frame(self, subject: str, data: bytes) -> None:
        try:
            sender, number, content = self._cipher.decrypt(subject, data)
        except DecryptionError:
            self._alerts.report("bus_refused", "not_ours")
            return
        if self._closed:
            return
        line = self._receive_states.setdefault(sender, _ReceiveState())
        if number <= line.sequence:
            self._alerts.report("bus_refused", "repeated")
            return
        whole = number == line.sequence + 1
        line.sequence = number
        if not whole:
            line.parts, line.size = [], 0
            self._alerts.report("bus_loss", "gap")
            self._on_gap(sender)
        content = self._reassemble(line, content, whole=whole)
        if content:
            self._deliver(sender, content)

    def _reassemble(self, line: _ReceiveState, content: bytes, *, whole: bool) -> bytes:
        """The message that ends with this part; empty while parts are missing."""
        kind, part = content[:1], content[1:]
        if kind == _WHOLE:
            line.parts, line.size = [], 0
            return part
        if (not whole or not line.parts) and kind == _LAST:
            line.parts, line.size = [], 0
            return b""  # its beginning was lost
        line.parts.append(part)
        line.size += len(part)
        if line.size > _MAX_MESSAGE_BYTES:
            line.parts, line.size = [], 0
        if kind == _MORE:
            return b""
        joined, line.parts, line.size = b"".join(line.parts), [], 0
        return joined

    def _deliver(self, sender: str, content: bytes) -> None:
        try:
            said = _batch_decoder.decode(content)
        except msgspec.MsgspecError:
            self._alerts.report("bus_refused", "malformed")
            return
        for one in said:
            try:
                message = _decoder.decode(one)
            except msgspec.MsgspecError:
                # A newer node may send messages that an older one need not know.
                self._alerts.report("bus_refused", "kind")
                continue
            self._on_message(sender, message)
