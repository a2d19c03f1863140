"""`jasstisch serve`: the table server and its web client."""

import argparse
from pathlib import Path

from jasstisch.cli.arguments import Parser, whole

__all__ = ["run"]


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
        connections_per_address=arguments.connections_per_address,
        connections_per_person=arguments.connections_per_person,
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
    result.add_argument(
        "--connections-per-address",
        metavar="N",
        type=whole(1),
        help="connections of one address (default 200: a club plays behind one)",
    )
    result.add_argument(
        "--connections-per-person",
        metavar="N",
        type=whole(1),
        help="open tables and tabs of one person (default 32)",
    )
    result.add_argument(
        "--open", action=argparse.BooleanOptionalAction, default=False, help="open a browser"
    )
    return result
