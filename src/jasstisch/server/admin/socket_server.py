"""The local socket for the operator of a server: one line of JSON for a request and a response.

The socket is in a folder that only the owner of the data may enter, and each request presents a
token from a file beside it. So a socket that was left open to others by mistake is of no use to
them.
"""

import asyncio
import os
import secrets
import socket
import stat
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path

import msgspec

from jasstisch.server.admin import messages as admin
from jasstisch.server.admin.service import AdminService
from jasstisch.server.observability import describe_exception, log

_IO_TIMEOUT_S = 5.0
"""How long sending a request, and receiving a response, may take, in seconds."""

_CALL_TIMEOUT_S = 120.0
"""How long executing a request may take, in seconds."""

_MAX_CONCURRENT_CALLS = 4
"""How many requests are executed at once; others wait."""

_MAX_PATH_BYTES = 100
"""The maximum length of a socket's path in bytes, on every system."""

_decode = msgspec.json.Decoder(admin.AdminRequest).decode
_encode = msgspec.json.Encoder().encode


class SocketError(Exception):
    """The socket cannot be created; the message gives the reason."""


class AdminSocketServer:
    """Serves administrative requests on a local socket.

    Args:
        path: the socket; None if no path was given and there is no data folder.
        calls: executes the requests.
    """

    def __init__(self, path: Path | None, calls: AdminService) -> None:
        self._path = path
        self._service = calls
        self._token = secrets.token_urlsafe(32)
        self._server: asyncio.Server | None = None
        self._call_slots = asyncio.Semaphore(_MAX_CONCURRENT_CALLS)

    async def open(self) -> None:
        """Starts to listen.

        Raises:
            SocketError: the socket cannot be created here.
        """
        if not hasattr(socket, "AF_UNIX") or os.name == "nt":
            raise SocketError("this system has no local sockets")
        path = self._path
        if path is None:
            raise SocketError(
                "there is no data folder, for the tables are in a database: say with --admin PATH "
                "where the socket is to be"
            )
        if len(os.fsencode(path)) > _MAX_PATH_BYTES:
            raise SocketError(
                f"the path {path} is too long for a socket; choose another with --admin"
            )
        try:
            listener = _create_listener(path)
            _write_token(admin.token_path(path), self._token)
            self._server = await asyncio.start_unix_server(
                self._handle_connection, sock=listener, limit=admin.MAX_REQUEST_BYTES
            )
        except OSError as error:
            text = (error.strerror or str(error)).lower()
            raise SocketError(f"{path} cannot be made: {text}") from error

    async def close(self) -> None:
        """Stops listening."""
        if self._server is None or self._path is None:
            return
        self._server.close()
        self._server = None
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
            admin.token_path(self._path).unlink(missing_ok=True)

    async def _handle_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serves one request."""
        try:
            answer = await self._handle_request(reader)
            async with asyncio.timeout(_IO_TIMEOUT_S):
                writer.write(_encode(answer) + b"\n")
                await writer.drain()
        except (TimeoutError, OSError):
            pass  # the client is gone
        except Exception as error:  # noqa: BLE001 - one call must not end the others
            log.error("admin_failed", **describe_exception(error))
        finally:
            writer.close()

    async def _handle_request(self, reader: asyncio.StreamReader) -> admin.Response:
        try:
            async with asyncio.timeout(_IO_TIMEOUT_S):
                line = await reader.readline()
        except TimeoutError:
            return admin.Rejected("the request did not come in time")
        except ValueError:
            return admin.Rejected(f"a request has {admin.MAX_REQUEST_BYTES} bytes at most")
        try:
            request = _decode(line)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            return admin.Rejected(f"not understood: {str(error)[:200]}")
        if not compare_digest(request.token.encode(), self._token.encode()):
            return admin.Rejected("this is not the token of this server")
        try:
            async with asyncio.timeout(_CALL_TIMEOUT_S), self._call_slots:
                return await self._service.handle(request.call)
        except TimeoutError:
            return admin.Rejected(f"it was not done within {_CALL_TIMEOUT_S:.0f} seconds")


def _create_listener(path: Path) -> socket.socket:
    """Creates a socket for its owner only; replaces one that a killed server has left."""
    if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(os.fspath(path))
            except ConnectionRefusedError:
                path.unlink()
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind(os.fspath(path))
        # Nobody can connect before this: the socket does not listen yet.
        path.chmod(0o600)
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener


def _write_token(path: Path, token: str) -> None:
    """Writes the token to a file that only the owner can read, a new one at each start."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(file, "w", encoding="ascii") as written:  # noqa: PTH123 - a descriptor
        written.write(token)
    part.replace(path)
