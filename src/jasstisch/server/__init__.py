"""The table server: HTTP and WebSocket around the pure tables of `jasstisch.table`."""

from pathlib import Path

from jasstisch.extras import require

__all__ = ["serve"]

require("server", "the table server")


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | None = None,
    *,
    open_browser: bool = False,
    thinkers: int | None = None,
) -> int:
    """Runs the server until it is stopped, and prints the address to open.

    Args:
        host: the address to listen on; `0.0.0.0` lets others in the network in.
        port: the port, 0 for any free one.
        data: folder for the tables, made if missing; None for the user's data folder.
        open_browser: whether to open a browser at the address, where there is a screen.
        thinkers: in how many processes computer players think; None for one per core, at most 4.

    Returns:
        The exit status: 1 when it could not start, after one line on standard error.

    Raises:
        KeyboardInterrupt: stopped by Ctrl-C, after an orderly end.
    """
    # Imported here so that the schema of the messages is to be had without a server.
    from jasstisch.server.run import run  # noqa: PLC0415

    return run(host, port, data, open_browser=open_browser, thinkers=thinkers)
