"""Numbered lines between nodes over a bus that may lose, repeat or reorder what it carries.

From each node to each other goes one line; its messages have numbers without gaps. What comes a
second time, or behind what came after it, is dropped; a gap is told to whoever reads the line, who
then asks anew for what he needs. Messages that are said in one go travel together. The number of a
line is kept for ever, for a node that was not heard of may be back.
"""

import asyncio
from collections.abc import Callable

import msgspec

from jasstisch.server.incidents import Incidents
from jasstisch.server.nodes.bus import Bus
from jasstisch.server.nodes.sealing import Seal, SealError, place_of
from jasstisch.server.nodes.talk import Talk

__all__ = ["Lines"]

MOST_AT_ONCE = 256 * 1024
"""Bytes of one message on the bus; what is longer comes in several."""

MOST_IN_ALL = 64 * 1024 * 1024
"""Bytes of one message in several parts."""

MOST_UNSAID = 16 * 1024 * 1024
"""Bytes that may wait to be said to one node; beyond, they are lost."""

WHOLE, MORE, LAST = b"\0", b"\1", b"\2"
"""What a message on the bus begins with: it is whole, more follows, or it is the last part."""

LAST_SECONDS = 1.0
"""So long what waits may take to be said when a line is closed."""

_encoder = msgspec.msgpack.Encoder()
_batch = msgspec.msgpack.Decoder(list[msgspec.Raw])
_decoder: msgspec.msgpack.Decoder[Talk] = msgspec.msgpack.Decoder(Talk)


class _Out:
    """What is said to a node."""

    __slots__ = ("number", "size", "unsaid")

    def __init__(self) -> None:
        self.number = 0
        self.unsaid: list[bytes] = []
        self.size = 0


class _In:
    """What is heard of a node."""

    __slots__ = ("number", "parts", "size")

    def __init__(self) -> None:
        self.number = 0
        self.parts: list[bytes] = []
        self.size = 0


class Lines:
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
        heard: Callable[[str, Talk], None],
        gap: Callable[[str], None],
        incidents: Incidents,
    ) -> None:
        self._bus = bus
        self._place = place_of(secret)
        self._seal = Seal(secret, me)
        self._me = me
        self._heard = heard
        self._gap = gap
        self._incidents = incidents
        self._out: dict[str, _Out] = {}
        self._in: dict[str, _In] = {}
        self._closed = False
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Listens and speaks from now on."""
        await self._bus.listen(self._subject(self._me), self._came)
        self._task = asyncio.create_task(self._speak())

    async def close(self) -> None:
        """Says what waits, unless the bus does not take it, and is silent."""
        if self._closed:
            return
        self._closed = True
        self._wanted.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=LAST_SECONDS)
            self._task.cancel()

    def say(self, node: str, message: Talk) -> bool:
        """Says something to a node; whether it is on its way, though it may be lost there."""
        if self._closed:
            return False
        out = self._out.setdefault(node, _Out())
        content = _encoder.encode(message)
        if not self._bus.connected or out.size + len(content) > MOST_UNSAID:
            out.number += 1  # so that it is missed
            self._incidents.note("bus_loss", "away" if out.size == 0 else "too_much_unsaid")
            return False
        out.unsaid.append(content)
        out.size += len(content)
        self._wanted.set()
        return True

    def _subject(self, node: str) -> str:
        return f"jasstisch.{self._place}.{node}"

    # Speaking.

    async def _speak(self) -> None:
        # Whoever carries it may keep a cancellation to itself: this ends by what is known here.
        while not self._closed:
            await self._wanted.wait()
            self._wanted.clear()
            await self._say_all()
        await self._say_all()

    async def _say_all(self) -> None:
        for node, out in list(self._out.items()):
            if out.unsaid:
                unsaid, out.unsaid, out.size = out.unsaid, [], 0
                await self._say(node, out, _encoder.encode(list(map(msgspec.Raw, unsaid))))

    async def _say(self, node: str, out: _Out, content: bytes) -> None:
        most = MOST_AT_ONCE
        parts = [content[start : start + most] for start in range(0, len(content), most)]
        subject = self._subject(node)
        for index, part in enumerate(parts):
            out.number += 1
            kind = WHOLE if len(parts) == 1 else LAST if index == len(parts) - 1 else MORE
            await self._bus.say(subject, self._seal.seal(node, out.number, subject, kind + part))

    # Hearing.

    def _came(self, subject: str, data: bytes) -> None:
        try:
            sender, number, content = self._seal.open(subject, data)
        except SealError:
            self._incidents.note("bus_refused", "not_ours")
            return
        if self._closed:
            return
        line = self._in.setdefault(sender, _In())
        if number <= line.number:
            self._incidents.note("bus_refused", "repeated")
            return
        whole = number == line.number + 1
        line.number = number
        if not whole:
            line.parts, line.size = [], 0
            self._incidents.note("bus_loss", "gap")
            self._gap(sender)
        content = self._joined(line, content, whole=whole)
        if content:
            self._take(sender, content)

    def _joined(self, line: _In, content: bytes, *, whole: bool) -> bytes:
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
        if line.size > MOST_IN_ALL:
            line.parts, line.size = [], 0
        if kind == MORE:
            return b""
        joined, line.parts, line.size = b"".join(line.parts), [], 0
        return joined

    def _take(self, sender: str, content: bytes) -> None:
        try:
            said = _batch.decode(content)
        except msgspec.MsgspecError:
            self._incidents.note("bus_refused", "malformed")
            return
        for one in said:
            try:
                message = _decoder.decode(one)
            except msgspec.MsgspecError:
                # A newer node says what an older one need not know.
                self._incidents.note("bus_refused", "kind")
                continue
            self._heard(sender, message)
