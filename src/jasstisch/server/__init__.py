"""The table server: HTTP and WebSocket around the pure tables of `jasstisch.table`.

It keeps tables in memory and in a store, lets people and bots act at them, and tells everybody what
happened. The rules of a table are decided in `jasstisch.table`, those of a game in
`jasstisch.games`. Begin with `main`, which puts the parts together, then `tables`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from jasstisch.extras import require
from jasstisch.server.page_languages import LANGUAGES

__all__ = ["LANGUAGES", "serve"]

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
    store: str | None = None,
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
        host: the address to listen on; `0.0.0.0` lets others in the network in.
        port: the port, 0 for any free one.
        data: folder for the tables, made if missing; None for the user's data folder.
        open_browser: whether to open a browser at the address, where there is a screen.
        thinkers: in how many processes computer players think; None for one per core, at most 4.
        trusted_proxies: addresses and networks of the reverse proxies that are believed when they
            say who calls; None for those of this machine.
        public_url: where people find the server, as `https://jass.example.org`.
        limits: other figures than the usual ones, by the names of `server.limits.Limits`.
        store: where the tables are kept in place of the folder; see `jasstisch.storage.store_url`.
        bus: what joins this server with others on the same database.
        admin: the local socket for the host, `"off"` for none; None for one in the data folder,
            and for none where the tables are in no folder.
        languages: those the page offers; the first is that of browsers that want none of them.
        greeting: plain text on the start page, by language.
        metrics: host and port that tell how the server is, besides people's own address, and
            alone tell its figures to other machines.
        log_form: how log lines are written; `auto` is text on a terminal and JSON elsewhere.
        log_level: the least that is told in the log.

    Returns:
        The exit status: 1 when it could not start, after one line on standard error.

    Raises:
        KeyboardInterrupt: stopped by Ctrl-C, after an orderly end.
    """
    # Imported here so that the schema of the messages is to be had without a server.
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
        bus=bus,
        admin=admin,
        house=SiteConfig(list(languages), dict(greeting or {})),
        metrics=metrics,
        log_form=log_form,
        log_level=log_level,
    )
