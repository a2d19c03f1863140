"""`jasstisch serve`: the table server and its web client."""

import os
import sys
from pathlib import Path
from typing import Literal

from jasstisch.cli.arguments import Parser
from jasstisch.cli.config.loader import (
    CONFIG_VARIABLE,
    EffectiveSettings,
    add_flags,
    dump_toml,
    load_settings,
)
from jasstisch.cli.config.settings import LIMIT_NAMES
from jasstisch.cli.errors import UsageError
from jasstisch.cli.ui.encoding import printable_line


def run(argv: list[str]) -> int:
    """Runs the server until it is stopped; prints the address to open.

    Raises:
        UsageError: a setting is not allowed; the message says where it comes from.
        CommandError: the settings file cannot be read.
    """
    arguments = parser().parse(argv)
    choices = load_settings(arguments, arguments.config, os.environ)
    if choices.unknown_variables:
        text = f"unknown settings in the environment: {', '.join(choices.unknown_variables)}"
        print(f"jasstisch: {printable_line(text)}", file=sys.stderr)
    chosen = choices.values
    if chosen["data"] is not None and chosen["store"] is not None:
        both = f"{choices.sources['data']} and {choices.sources['store']}"
        raise UsageError(f"choose data or store, not both ({both})")
    _check_locations(choices)
    if arguments.print_config:
        print(dump_toml(choices), end="")
        return 0
    from jasstisch.server import serve  # noqa: PLC0415 - a usage error needs no server

    return serve(
        chosen["host"],
        chosen["port"],
        chosen["data"],
        open_browser=chosen["open"],
        thinkers=chosen["thinkers"],
        trusted_proxies=chosen["trusted_proxy"],
        public_url=chosen["public_url"],
        limits={name: chosen[name] for name in LIMIT_NAMES if name in choices.sources},
        store=chosen["store"],
        forgotten=chosen["forgotten"],
        bus=chosen["bus"],
        admin=None if chosen["admin"] is None else _parse_socket(chosen["admin"]),
        languages=chosen["languages"],
        greeting=chosen["greeting"],
        metrics=chosen["metrics"],
        log_form=chosen["log"],
        log_level=chosen["log_level"],
    )


def _check_locations(choices: EffectiveSettings) -> None:
    """Checks the settings of store, message bus and admin socket."""
    store, bus = choices.values["store"], choices.values["bus"]
    if store is None and bus is None:
        return
    from jasstisch.server.data_location import validate_store_and_bus  # noqa: PLC0415 - help needs no server

    try:
        validate_store_and_bus(store, bus)
    except ValueError as error:
        where = ", ".join(
            choices.sources[one] for one in ("store", "bus") if one in choices.sources
        )
        raise UsageError(f"{where}: {error}") from error


def _parse_socket(text: str) -> Path | Literal["off"]:
    """Returns the path of the admin socket, or that there is none."""
    return "off" if text == "off" else Path(text)


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch serve",
        "Run the table server with its web client.",
        usage="jasstisch serve [--help] [--config FILE] [--print-config] [SETTING ...]",
        epilog="A flag overrides its environment variable, named in brackets, and a variable "
        "overrides\nthe settings file; docs/settings.md shows one.",
    )
    result.add_argument(
        "--config",
        metavar="FILE",
        help=f"settings file in TOML (default: none) [{CONFIG_VARIABLE}]",
    )
    result.add_argument(
        "--print-config",
        action="store_true",
        help="print the effective settings as such a file and exit",
    )
    add_flags(result)
    return result
