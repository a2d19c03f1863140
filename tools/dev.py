"""Runs the table server and the web client for development, each anew when its sources change.

`make dev` starts it. The page comes from Vite, which replaces changed modules in the open page and
passes calls and WebSockets on to the server. The server is started again whenever a file of the
package changes; tables are on disk, so that a game goes on. Words on the command line are handed to
`jasstisch serve`.
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

__all__ = ["Server", "free_port", "main", "needs_restart"]

PACKAGE = ROOT / "src" / "jasstisch"
DATA = ROOT / "data"
"""Where tables are kept, unless the command line says so."""

SOURCES = {".py", ".json", ".md", ".npz"}
"""Endings of the files that a server reads when it starts."""

BUILT = {PACKAGE / "server" / "static", PACKAGE / "server" / "site"}
"""What is built from sources: the page here is not that one."""

STOPPED_WITHIN_S = 10.0


class Server:
    """A program that can be started again.

    Args:
        command: the program and its words.
    """

    def __init__(self, command: Sequence[str | Path]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it."""
        self._process = subprocess.Popen(self._command, cwd=ROOT, stdin=subprocess.DEVNULL)

    def stop(self) -> None:
        """Stops it, by force when it does not end by itself."""
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
    """Whether the server has read a file that has changed in this way."""
    del change
    file = Path(path)
    return file.suffix in SOURCES and not BUILT & set(file.parents)


def free_port() -> int:
    """A port of this machine that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def serve_command(port: int, words: Sequence[str]) -> list[str | Path]:
    """The command that serves on this port, whatever else the words of the command line say."""
    kept = any(word.partition("=")[0] in {"--data", "--store"} for word in words)
    place: Iterable[str | Path] = () if kept else ("--data", DATA)
    return [VENV / "bin" / "jasstisch", "serve", *place, *words, "--no-open", "--port", str(port)]


def main() -> None:
    """Runs both until it is stopped, or until Vite ends."""
    # Whoever ends this by a signal ends all of it.
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
        # Every second or so it ends without a change, and Vite may have ended meanwhile.
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
    # Nothing has failed where somebody has stopped it.
    sys.exit(ended or 0)


if __name__ == "__main__":
    main()
