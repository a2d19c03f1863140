"""The table server: HTTP and WebSocket around the pure tables of `jasstisch.table`.

The server keeps tables in memory and in a store, runs the bots, and sends events to all
subscribers. The rules of a table are in `jasstisch.table`, those of a game in `jasstisch.games`.
Start reading with `main`, which composes the server, then `tables`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from jasstisch.extras import require
from jasstisch.server.page_languages import LANGUAGES

__all__ = ["LANGUAGES", "serve"]

require("server", "the table server")


def serve(  # noqa: PLR0913 - one keyword for each option of `jasstisch serve`
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | None = None,
    *,
    open_browser: bool = False,
    thinkers: int | None = None,
    trusted_proxies: Sequence[str] | None = None,
    public_url: str | None = None,
    limits: Mapping[str, int] | None = None,
    store: str | None = None,
    forgotten: Path | None = None,
    bus: str | None = None,
    admin: Path | Literal["off"] | None = None,
    languages: Sequence[str] = LANGUAGES,
    greeting: Mapping[str, str] | None = None,
    metrics: tuple[str, int] | None = None,
    log_form: Literal["auto", "json", "text"] = "auto",
    log_level: Literal["info", "warning", "error"] = "info",
) -> int:
    """Runs the server until it is stopped, and prints the address to open.

    Args:
        host: the address to listen on; `0.0.0.0` accepts connections from the network.
        port: the port, 0 for any free one.
        data: the folder for the tables, created if missing; None for the user's data folder.
        open_browser: whether to open a browser at the address, where there is a screen.
        thinkers: the number of worker processes for bots; None for one per core, at most 4.
        trusted_proxies: addresses and networks of the reverse proxies whose headers about the
            client are trusted; None for those of this machine.
        public_url: the public address of the server, such as `https://jass.example.org`.
        limits: values that replace the default limits, by their names in
            `jasstisch.server.limits.Limits`.
        store: where the tables are kept in place of the folder; see `jasstisch.storage.store_url`.
        forgotten: the folder for the list of the forgotten; None for one in the folder of the
            tables, and for none where the tables are in no folder.
        bus: the message bus that connects this server with others on the same database.
        admin: the local socket for the operator, `"off"` for none; None for one in the data folder,
            and for none where the tables are in no folder.
        languages: the languages the page offers; browsers that accept none of them get English, or
            the first where it is not offered.
        greeting: plain text on the start page, by language.
        metrics: host and port of a separate address for health and metrics; only there, other
            machines can read the metrics.
        log_form: the format of log lines; `auto` is text on a terminal and JSON elsewhere.
        log_level: the lowest level that is logged.

    Returns:
        The exit status: 1 if the server could not start, after one line on standard error.

    Raises:
        KeyboardInterrupt: stopped by Ctrl-C, after an orderly shutdown.
    """
    # Imported here so that the schema of the messages is available without a server.
    from jasstisch.server.api import SiteConfig  # noqa: PLC0415
    from jasstisch.server.limits import Limits  # noqa: PLC0415
    from jasstisch.server.main import run  # noqa: PLC0415
    from jasstisch.server.net import LOOPBACK  # noqa: PLC0415

    return run(
        host,
        port,
        data,
        open_browser=open_browser,
        thinkers=thinkers,
        trusted_proxies=LOOPBACK if trusted_proxies is None else trusted_proxies,
        public_url=public_url,
        limits=Limits(**(limits or {})),
        store=store,
        forgotten=forgotten,
        bus=bus,
        admin=admin,
        site_config=SiteConfig(list(languages), dict(greeting or {})),
        metrics=metrics,
        log_form=log_form,
        log_level=log_level,
    )
