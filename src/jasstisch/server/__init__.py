"""The table server: HTTP and WebSocket around the pure tables of `jasstisch.table`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from jasstisch.extras import require

__all__ = ["serve"]

require("server", "the table server")


def serve(  # noqa: PLR0913 - one keyword for each word of `jasstisch serve`
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | None = None,
    *,
    open_browser: bool = False,
    thinkers: int | None = None,
    trusted_proxies: Sequence[str] | None = None,
    public_url: str | None = None,
    limits: Mapping[str, int] | None = None,
) -> int:
    """Runs the server until it is stopped, and prints the address to open.

    Args:
        host: the address to listen on; `0.0.0.0` lets others in the network in.
        port: the port, 0 for any free one.
        data: folder for the tables, made if missing; None for the user's data folder.
        open_browser: whether to open a browser at the address, where there is a screen.
        thinkers: in how many processes computer players think; None for one per core, at most 4.
        trusted_proxies: addresses and networks of the reverse proxies that are believed when they
            say who calls; None for those of this machine.
        public_url: where people find the server, as `https://jass.example.org`.
        limits: other figures than the usual ones, by the names of `server.limits.Limits`.

    Returns:
        The exit status: 1 when it could not start, after one line on standard error.

    Raises:
        KeyboardInterrupt: stopped by Ctrl-C, after an orderly end.
    """
    # Imported here so that the schema of the messages is to be had without a server.
    from jasstisch.server.addresses import LOOPBACK  # noqa: PLC0415
    from jasstisch.server.limits import Limits  # noqa: PLC0415
    from jasstisch.server.run import run  # noqa: PLC0415

    return run(
        host,
        port,
        data,
        open_browser=open_browser,
        thinkers=thinkers,
        trusted_proxies=LOOPBACK if trusted_proxies is None else trusted_proxies,
        public_url=public_url,
        limits=Limits(**(limits or {})),
    )
