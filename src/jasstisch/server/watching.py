"""What a host's programs ask: does the server live, can it be played at, what are its figures.

`/health` and `/ready` tell anybody; `/metrics` tells this machine, or whoever reaches the address
of its own that a host may give it. A proxy of this machine is not this machine: it speaks for
strangers.
"""

import asyncio
from typing import TYPE_CHECKING, Literal

import msgspec

from jasstisch.server.addresses import read
from jasstisch.server.asgi import Receive, Scope, Send
from jasstisch.server.metrics import CONTENT_TYPE, Figures
from jasstisch.store import ADVICE, StoreError, cause_of

if TYPE_CHECKING:
    from jasstisch.server.hall import Hall

__all__ = ["PATHS", "Watching", "is_of_this_machine"]

PATHS = ("/health", "/ready", "/metrics")
"""What is answered."""

ANSWER_SECONDS = 2.0
"""So long the store may take to answer before the server is not ready."""

KEPT_SECONDS = 1.0
"""So long an answer of the store holds: whoever asks more often does not reach it."""

NO_TABLE = "?"
"""No table can have this id."""

PASSED_ON = (
    *(b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-real-ip"),
    *(b"forwarded", b"via"),
)
"""Headers by which a proxy gives itself away."""

JSON = b"application/json"


class Health(msgspec.Struct, frozen=True):
    """How the server is, and what is wrong."""

    status: Literal["ok", "not_ready"]
    reasons: list[str] = []


class Watching:
    """Answers programs that watch the server.

    Args:
        hall: the tables.
        figures: what is measured.

    Attributes:
        stopping: the server ends; nobody new should be sent there.
    """

    def __init__(self, hall: "Hall", figures: Figures) -> None:
        self._hall = hall
        self._figures = figures
        self._looking: asyncio.Task[None] | None = None
        self._looked = float("-inf")
        self._fault: str | None = None
        self.stopping = False

    async def answer(self, scope: Scope, _: Receive, send: Send, *, figures: bool) -> None:
        """Answers a request.

        Args:
            scope: the request.
            send: where the answer goes.
            figures: whether whoever asks is told the figures.
        """
        path = scope["path"]
        if scope["method"] not in ("GET", "HEAD"):
            await _say(scope, send, 405, b"text/plain", b"GET only\n")
        elif path == "/health":
            await _say(scope, send, 200, JSON, msgspec.json.encode(Health("ok")))
        elif path == "/ready":
            reasons = await self._reasons()
            health = Health("not_ready" if reasons else "ok", reasons)
            await _say(scope, send, 503 if reasons else 200, JSON, msgspec.json.encode(health))
        elif path == "/metrics" and figures:
            await _say(scope, send, 200, CONTENT_TYPE.encode(), self._figures.text())
        else:
            await _say(scope, send, 404, b"text/plain", b"there is nothing at this address\n")

    async def _reasons(self) -> list[str]:
        """Why nobody can play here now."""
        reasons = ["the server is stopping"] if self.stopping else []
        fault = await self._fault_of_store()
        if fault is not None:
            reasons.append(fault)
        if not self._hall.services.players_known:
            reasons.append("it is not known yet which computer players there are")
        return reasons

    async def _fault_of_store(self) -> str | None:
        """Why the store does not answer; None where it does."""
        loop = asyncio.get_running_loop()
        if self._looking is None and loop.time() - self._looked >= KEPT_SECONDS:
            self._looking = loop.create_task(self._look())
        if self._looking is not None:
            # Shielded: others may wait for the same answer.
            await asyncio.shield(self._looking)
        return self._fault

    async def _look(self) -> None:
        try:
            self._fault = await self._asked()
        finally:
            self._looking = None
            self._looked = asyncio.get_running_loop().time()

    async def _asked(self) -> str | None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._hall.services.store.load(NO_TABLE)
        except TimeoutError:
            return f"the store has not answered for {ANSWER_SECONDS:g} s"
        except (StoreError, RuntimeError) as error:  # the latter: its threads have ended
            cause = cause_of(error)
            return f"the store cannot be read{f': {ADVICE[cause]}' if cause else ''}"
        else:
            return None


def is_of_this_machine(scope: Scope, peer: str) -> bool:
    """Whether a program of this machine asks, and for nobody else.

    Args:
        scope: the request.
        peer: the address of its connection.
    """
    headers = dict(scope["headers"])
    host = headers.get(b"host", b"").decode("latin-1").lower()
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    at_home = name in ("", "localhost") or _is_loopback(name.strip("[]"))
    return _is_loopback(peer) and at_home and not any(one in headers for one in PASSED_ON)


def _is_loopback(text: str) -> bool:
    address = read(text)
    return address is not None and address.is_loopback


async def _say(scope: Scope, send: Send, status: int, kind: bytes, body: bytes) -> None:
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    content = b"" if scope["method"] == "HEAD" else body
    await send({"type": "http.response.body", "body": content, "more_body": False})
