"""What a host may choose of a server, in one list.

The flags of `jasstisch serve`, the names in the environment, the keys of the file of settings and
`docs/settings.md` are made from it. `cli.configuring` finds out what holds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jasstisch.cli.config.value_types import (
    Bool,
    Choice,
    Directory,
    HostPort,
    Int,
    ListOf,
    LocalizedText,
    Network,
    Origin,
    SecretUrl,
    SettingType,
    Text,
)

__all__ = ["LIMIT_NAMES", "SECTIONS", "SETTINGS", "Setting"]

LANGUAGES = ("de", "fr", "it", "en")
"""The languages of the page, in the order in which it names them."""

MAX_GREETING_LENGTH = 300
"""Characters of a greeting: a sentence or two above the games, no page of its own."""

DAYS = Int(1, 36_500, "DAYS")
SECONDS = Int(1, 3_600, "SECONDS")
COUNT = Int(1, 1_000_000_000)


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that a host may choose.

    Attributes:
        name: its key in the file; flag and variable are made from it.
        kind: how a value is written and what is allowed.
        default: what holds where nothing is chosen.
        text: what it is, for a host.
        otherwise: what happens without it, where `default` does not say it.
    """

    name: str
    value_type: SettingType
    default: object
    help_text: str
    default_note: str = ""

    @property
    def flag(self) -> str:
        """How it is written on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """How it is called in the environment."""
        return f"JASSTISCH_{self.name.upper()}"

    @property
    def default_text(self) -> str:
        """What holds where nothing is chosen, in words."""
        return self.default_note or self.value_type.describe(self.default)


GENERAL: Mapping[str, Sequence[Setting]] = {
    "How it is reached": (
        Setting(
            "host",
            Text("ADDRESS"),
            "127.0.0.1",
            "address to listen on: 127.0.0.1 this machine, 0.0.0.0 its network too",
        ),
        Setting("port", Int(0, 65_535), 8000, "port to listen on; 0 takes any"),
        Setting(
            "public_url",
            Origin(),
            None,
            "where people find the server, as https://jass.example.org: it then answers there and "
            "on this machine only, and https marks cookies Secure",
            default_note="any name in your network",
        ),
        Setting(
            "trusted_proxy",
            ListOf(Network()),
            None,
            "addresses or networks of reverse proxies, as 172.18.0.0/16, that are believed when "
            "they say who calls",
            default_note="127.0.0.0/8 ::1",
        ),
        Setting("open", Bool(), default=False, help_text="open a browser"),
    ),
    "Where tables are kept": (
        Setting(
            "data",
            Directory(),
            None,
            "folder that keeps the tables",
            default_note="your own data folder",
        ),
        Setting(
            "store",
            SecretUrl(),
            None,
            "where tables are kept in place of the folder: sqlite:PATH or "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE",
            default_note="SQLite in the folder",
        ),
        Setting(
            "bus",
            SecretUrl(),
            None,
            "NATS that joins this server with others on the same database, as nats://host:4222",
            default_note="none, it is alone",
        ),
        Setting(
            "admin",
            Text("PATH|off"),
            None,
            "local socket for jasstisch admin, or off; tables in Postgres need PATH",
            default_note="admin.sock among the data",
        ),
    ),
    "What people see": (
        Setting(
            "languages",
            ListOf(Choice(LANGUAGES)),
            LANGUAGES,
            "languages the page offers; the first is that of browsers that want none of them",
        ),
        Setting(
            "greeting",
            LocalizedText(LANGUAGES, MAX_GREETING_LENGTH),
            None,
            "plain text on the start page, one for all or de=..., fr=... for each language; "
            f"at most {MAX_GREETING_LENGTH} characters",
            default_note="none",
        ),
    ),
    "Watching": (
        Setting(
            "metrics",
            HostPort(),
            None,
            "address of its own for /metrics, /health and /ready, which strangers should not reach",
            default_note="/metrics is told to this machine only",
        ),
        Setting(
            "log",
            Choice(("auto", "json", "text")),
            "auto",
            "how log lines are written; auto: text on a terminal, JSON elsewhere",
        ),
        Setting(
            "log_level",
            Choice(("info", "warning", "error")),
            "info",
            "the least that is told in the log",
        ),
    ),
    "Computer players": (
        Setting(
            "thinkers",
            Int(1, 64),
            None,
            "processes in which computer players think",
            default_note="one per core, at most 4",
        ),
    ),
}
"""What may be chosen besides limits, by heading."""

LIMIT_SECTIONS: Mapping[str, Sequence[Setting]] = {
    "How long tables are kept": (
        Setting("keep_unplayed_days", DAYS, 7, "tables without a finished round"),
        Setting("keep_unfinished_days", DAYS, 90, "tables without a finished match"),
        Setting("keep_finished_days", DAYS, 365, "all other tables"),
        Setting("keep_unseated_days", DAYS, 30, "people who have sat at no table"),
        Setting("idle_seconds", SECONDS, 60, "a table nobody follows leaves memory after so long"),
    ),
    "Limits of the server": (
        Setting("connections", COUNT, 10_000, "WebSockets in all"),
        Setting("sockets", COUNT, 20_000, "connections of all kinds, if the system grants them"),
        Setting("tables", COUNT, 100_000, "tables that are kept"),
        Setting("live_tables", COUNT, 5_000, "tables in memory"),
        Setting("identities", COUNT, 1_000_000, "devices and codes that are known"),
        Setting(
            "bot_seconds",
            Int(1, 120, "SECONDS"),
            20,
            "a computer player that thinks longer is passed over",
        ),
    ),
    "Limits of one address": (
        Setting("connections_per_address", COUNT, 200, "connections; a club has one address"),
        Setting("new_connections_per_second", COUNT, 50, "new connections a second"),
        Setting("requests_per_second", COUNT, 100, "requests a second in the long run"),
        Setting("request_burst", COUNT, 2_000, "requests at once"),
        Setting("running_per_address", COUNT, 500, "tables in use"),
        Setting("new_tables_per_minute", COUNT, 120, "new tables a minute"),
        Setting("new_tables_per_day", COUNT, 2_000, "new tables a day"),
        Setting("new_identities_per_minute", COUNT, 240, "people who become known in a minute"),
        Setting("unknown_tables_per_minute", COUNT, 60, "tables asked for that do not exist"),
        Setting("header_seconds", SECONDS, 10, "time for the headers of a request"),
        Setting("body_seconds", SECONDS, 20, "time for the body of a request"),
    ),
    "Limits of one person": (
        Setting("connections_per_person", COUNT, 32, "open tables and tabs"),
        Setting("running_per_person", COUNT, 50, "tables in use"),
        Setting("analyses_per_person", COUNT, 2, "analyses of matches at once"),
        Setting("seatings", COUNT, 20, "changes of seats at a table at once"),
        Setting("seatings_per_minute", COUNT, 6, "changes of seats at a table in the long run"),
        Setting("talk", COUNT, 4, "things said at a table at once"),
        Setting("talk_per_minute", COUNT, 30, "things said at a table in the long run"),
        Setting("hurries", COUNT, 30, "hurries of the computers at a table at once"),
        Setting("hurries_per_minute", COUNT, 240, "hurries of the computers in the long run"),
    ),
}
"""The limits that a host may choose (`server.limits.Limits`), by heading."""

SECTIONS: Mapping[str, Sequence[Setting]] = {**GENERAL, **LIMIT_SECTIONS}
"""What may be chosen, by heading."""

SETTINGS: Mapping[str, Setting] = {one.name: one for some in SECTIONS.values() for one in some}
"""What may be chosen, by name."""

LIMIT_NAMES: Sequence[str] = [one.name for some in LIMIT_SECTIONS.values() for one in some]
"""The names of the limits."""
