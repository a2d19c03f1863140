"""What a host may choose of a server, in one list.

The flags of `jasstisch serve`, the names in the environment, the keys of the file of settings and
`docs/settings.md` are made from it. `cli.configuring` finds out what holds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jasstisch.cli.kinds import (
    ByLanguage,
    Choice,
    Folder,
    Kind,
    Link,
    Network,
    Place,
    Several,
    Site,
    Switch,
    Text,
    Whole,
)

__all__ = ["GROUPS", "LIMITS", "SETTINGS", "Setting"]

LANGUAGES = ("de", "fr", "it", "en")
"""The languages of the page, in the order in which it names them."""

LONGEST_GREETING = 300
"""Characters of a greeting: a sentence or two above the games, no page of its own."""

DAYS = Whole(1, 36_500, "DAYS")
SECONDS = Whole(1, 3_600, "SECONDS")
MANY = Whole(1, 1_000_000_000)


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
    kind: Kind
    default: object
    text: str
    otherwise: str = ""

    @property
    def flag(self) -> str:
        """How it is written on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """How it is called in the environment."""
        return f"JASSTISCH_{self.name.upper()}"

    @property
    def usual(self) -> str:
        """What holds where nothing is chosen, in words."""
        return self.otherwise or self.kind.told(self.default)


CHOICES: Mapping[str, Sequence[Setting]] = {
    "How it is reached": (
        Setting(
            "host",
            Text("ADDRESS"),
            "127.0.0.1",
            "address to listen on: 127.0.0.1 this machine, 0.0.0.0 its network too",
        ),
        Setting("port", Whole(0, 65_535), 8000, "port to listen on; 0 takes any"),
        Setting(
            "public_url",
            Site(),
            None,
            "where people find the server, as https://jass.example.org: it then answers there and "
            "on this machine only, and https marks cookies Secure",
            otherwise="any name in your network",
        ),
        Setting(
            "trusted_proxy",
            Several(Network()),
            None,
            "addresses or networks of reverse proxies, as 172.18.0.0/16, that are believed when "
            "they say who calls",
            otherwise="127.0.0.0/8 ::1",
        ),
        Setting("open", Switch(), default=False, text="open a browser"),
    ),
    "Where tables are kept": (
        Setting(
            "data", Folder(), None, "folder that keeps the tables", otherwise="your own data folder"
        ),
        Setting(
            "store",
            Link(),
            None,
            "where tables are kept in place of the folder: sqlite:PATH or "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE",
            otherwise="SQLite in the folder",
        ),
        Setting(
            "bus",
            Link(),
            None,
            "NATS that joins this server with others on the same database, as nats://host:4222",
            otherwise="none, it is alone",
        ),
        Setting(
            "admin",
            Text("PATH|off"),
            None,
            "local socket for jasstisch admin, or off; tables in Postgres need PATH",
            otherwise="admin.sock among the data",
        ),
    ),
    "What people see": (
        Setting(
            "languages",
            Several(Choice(LANGUAGES)),
            LANGUAGES,
            "languages the page offers; the first is that of browsers that want none of them",
        ),
        Setting(
            "greeting",
            ByLanguage(LANGUAGES, LONGEST_GREETING),
            None,
            "plain text on the start page, one for all or de=..., fr=... for each language; "
            f"at most {LONGEST_GREETING} characters",
            otherwise="none",
        ),
    ),
    "Watching": (
        Setting(
            "metrics",
            Place(),
            None,
            "address of its own for /metrics, /health and /ready, which strangers should not reach",
            otherwise="/metrics is told to this machine only",
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
            Whole(1, 64),
            None,
            "processes in which computer players think",
            otherwise="one per core, at most 4",
        ),
    ),
}
"""What may be chosen besides limits, by heading."""

FIGURES: Mapping[str, Sequence[Setting]] = {
    "How long tables are kept": (
        Setting("keep_unplayed_days", DAYS, 7, "tables without a finished round"),
        Setting("keep_unfinished_days", DAYS, 90, "tables without a finished match"),
        Setting("keep_finished_days", DAYS, 365, "all other tables"),
        Setting("keep_unseated_days", DAYS, 30, "people who have sat at no table"),
        Setting("idle_seconds", SECONDS, 60, "a table nobody follows leaves memory after so long"),
    ),
    "Limits of the server": (
        Setting("connections", MANY, 10_000, "WebSockets in all"),
        Setting("sockets", MANY, 20_000, "connections of all kinds, if the system grants them"),
        Setting("tables", MANY, 100_000, "tables that are kept"),
        Setting("live_tables", MANY, 5_000, "tables in memory"),
        Setting("identities", MANY, 1_000_000, "devices and codes that are known"),
        Setting(
            "bot_seconds",
            Whole(1, 120, "SECONDS"),
            20,
            "a computer player that thinks longer is passed over",
        ),
    ),
    "Limits of one address": (
        Setting("connections_per_address", MANY, 200, "connections; a club has one address"),
        Setting("new_connections_per_second", MANY, 50, "new connections a second"),
        Setting("requests_per_second", MANY, 100, "requests a second in the long run"),
        Setting("request_burst", MANY, 2_000, "requests at once"),
        Setting("running_per_address", MANY, 500, "tables in use"),
        Setting("new_tables_per_minute", MANY, 120, "new tables a minute"),
        Setting("new_tables_per_day", MANY, 2_000, "new tables a day"),
        Setting("new_identities_per_minute", MANY, 240, "people who become known in a minute"),
        Setting("unknown_tables_per_minute", MANY, 60, "tables asked for that do not exist"),
        Setting("header_seconds", SECONDS, 10, "time for the headers of a request"),
        Setting("body_seconds", SECONDS, 20, "time for the body of a request"),
    ),
    "Limits of one person": (
        Setting("connections_per_person", MANY, 32, "open tables and tabs"),
        Setting("running_per_person", MANY, 50, "tables in use"),
        Setting("analyses_per_person", MANY, 2, "analyses of matches at once"),
        Setting("seatings", MANY, 20, "changes of seats at a table at once"),
        Setting("seatings_per_minute", MANY, 6, "changes of seats at a table in the long run"),
        Setting("talk", MANY, 4, "things said at a table at once"),
        Setting("talk_per_minute", MANY, 30, "things said at a table in the long run"),
        Setting("hurries", MANY, 30, "hurries of the computers at a table at once"),
        Setting("hurries_per_minute", MANY, 240, "hurries of the computers in the long run"),
    ),
}
"""The limits that a host may choose (`server.limits.Limits`), by heading."""

GROUPS: Mapping[str, Sequence[Setting]] = {**CHOICES, **FIGURES}
"""What may be chosen, by heading."""

SETTINGS: Mapping[str, Setting] = {one.name: one for some in GROUPS.values() for one in some}
"""What may be chosen, by name."""

LIMITS: Sequence[str] = [one.name for some in FIGURES.values() for one in some]
"""The names of the limits."""
