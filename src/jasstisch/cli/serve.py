"""`jasstisch serve`: the table server and its web client."""

import argparse
from pathlib import Path

from jasstisch.cli.arguments import Parser, whole

__all__ = ["run"]

LIMITS = {
    "connections_per_address": ("N", "connections of one address (default 200: a club has one)"),
    "connections_per_person": ("N", "open tables and tabs of one person (default 32)"),
    "running_per_address": ("N", "tables of one address that are in use (default 500)"),
    "running_per_person": ("N", "tables of one person that are in use (default 50)"),
    "keep_unplayed_days": ("DAYS", "keep tables without a finished round so long (default 7)"),
    "keep_unfinished_days": ("DAYS", "keep tables without a finished match so long (default 90)"),
    "keep_finished_days": ("DAYS", "keep all other tables so long (default 365)"),
}
"""The limits that a host may choose, by their name among all (`server.limits`)."""


def run(words: list[str]) -> int:
    """Runs the server until it is stopped; it prints the address to open."""
    arguments = parser().read(words)
    from jasstisch.server import serve  # noqa: PLC0415 - a mistake in the words needs no server

    return serve(
        arguments.host,
        arguments.port,
        arguments.data,
        open_browser=arguments.open,
        thinkers=arguments.thinkers,
        trusted_proxies=arguments.trusted_proxy,
        public_url=arguments.public_url,
        limits={name: most for name in LIMITS if (most := getattr(arguments, name)) is not None},
    )


def parser() -> Parser:
    """The words the command takes."""
    result = Parser("jasstisch serve", "Run the table server with its web client.")
    result.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on: 127.0.0.1 (default) this machine, 0.0.0.0 its network too",
    )
    result.add_argument(
        "--port",
        metavar="N",
        type=whole(0, 65535),
        default=8000,
        help="port (default 8000; 0: any)",
    )
    result.add_argument(
        "--data", metavar="DIR", type=Path, help="folder that keeps the tables (default: your own)"
    )
    result.add_argument(
        "--thinkers",
        metavar="N",
        type=whole(1, 64),
        help="processes in which computer players think (default: one per core, at most 4)",
    )
    result.add_argument(
        "--public-url",
        metavar="URL",
        help="where people find the server, as https://jass.example.org: it then answers there and "
        "on this machine only, and https marks cookies Secure",
    )
    result.add_argument(
        "--trusted-proxy",
        metavar="ADDRESS",
        nargs="+",
        help="addresses or networks of reverse proxies, as 172.18.0.0/16, that are believed when "
        "they say who calls (default: 127.0.0.0/8 ::1)",
    )
    for name, (unit, text) in LIMITS.items():
        word = f"--{name.replace('_', '-')}"
        result.add_argument(word, metavar=unit, type=whole(1), help=text)
    result.add_argument(
        "--open", action=argparse.BooleanOptionalAction, default=False, help="open a browser"
    )
    return result
