"""Runs the table server and the web client for development, with reload on change.

`make dev` starts it. Vite serves the page, replaces changed modules in the open page, and proxies
requests and WebSockets to the server. The server restarts when a file of the package changes;
tables are on disk, so games continue. Arguments are passed to `jasstisch serve`.
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from watchfiles import Change, watch

from tools.setup import ROOT, VENV, WEB, node_path, print_progress

PACKAGE = ROOT / "src" / "jasstisch"
DATA = ROOT / "data"
"""The data folder, unless the command line names another."""

SOURCES = {".py", ".json", ".md", ".npz"}
"""Extensions of the files that a server reads at start."""

BUILT = {PACKAGE / "server" / "static", PACKAGE / "server" / "site"}
"""The built client; the page here comes from Vite instead."""

STOPPED_WITHIN_S = 10.0


class Server:
    """A process that can be restarted.

    Args:
        command: the program and its arguments.
    """

    def __init__(self, command: Sequence[str | Path]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it."""
        self._process = subprocess.Popen(self._command, cwd=ROOT, stdin=subprocess.DEVNULL)

    def stop(self) -> None:
        """Terminates it; kills it if it does not end in time."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(STOPPED_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def restart(self) -> None:
        """Stops it and starts it again."""
        self.stop()
        self.start()


def needs_restart(change: Change, path: str) -> bool:
    """Returns whether the server has read a file that has changed."""
    del change
    file = Path(path)
    return file.suffix in SOURCES and not BUILT & set(file.parents)


def free_port() -> int:
    """Returns a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def serve_command(port: int, words: Sequence[str]) -> list[str | Path]:
    """Returns the command that serves on this port, with the other arguments."""
    kept = any(word.partition("=")[0] in {"--data", "--store"} for word in words)
    place: Iterable[str | Path] = () if kept else ("--data", DATA)
    return [VENV / "bin" / "jasstisch", "serve", *place, *words, "--no-open", "--port", str(port)]


def main() -> None:
    """Runs both until it is stopped or Vite ends."""
    # A termination signal ends both processes.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    port = free_port()
    server = Server(serve_command(port, sys.argv[1:]))
    vite = subprocess.Popen(
        [WEB / "node_modules" / ".bin" / "vite"],
        cwd=WEB,
        env=dict(os.environ, PATH=node_path(), JASSTISCH_SERVER=f"http://127.0.0.1:{port}"),
        stdin=subprocess.DEVNULL,
    )
    ended: int | None = None
    try:
        server.start()
        # Yields about once a second without a change; Vite may have ended.
        for changes in watch(
            PACKAGE,
            watch_filter=needs_restart,
            rust_timeout=1_000,
            yield_on_timeout=True,
            raise_interrupt=True,
        ):
            if (ended := vite.poll()) is not None:
                break
            if changes:
                names = sorted({str(Path(path).relative_to(ROOT)) for _, path in changes})
                more = f" and {len(names) - 1} more" if len(names) > 1 else ""
                print_progress(f"{names[0]}{more} changed: starting the server again")
                server.restart()
    except KeyboardInterrupt:
        pass
    finally:
        vite.terminate()
        server.stop()
        vite.wait()
    # Stopping it is not a failure.
    sys.exit(ended or 0)


if __name__ == "__main__":
    main()
