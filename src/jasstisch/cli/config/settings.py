"""The settings of a server, in one list.

The flags of `jasstisch serve`, the environment variables, the keys of the settings file and
`docs/settings.md` are generated from it. `cli.config.loader` finds out which value is in effect.
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

_LANGUAGES = ("de", "fr", "it", "en")
"""The languages of the page, in the order of its menu."""

_MAX_GREETING_LENGTH = 300
"""Characters of a greeting: a sentence or two above the games."""

_DAYS = Int(1, 36_500, "DAYS")
_SECONDS = Int(1, 3_600, "SECONDS")
_COUNT = Int(1, 1_000_000_000)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the server.

    Attributes:
        name: its key in the file; flag and variable are derived from it.
        value_type: how a value is written and what is allowed.
        default: the default value.
        help_text: the description for operators.
        default_note: the default in words, where `default` does not say it.
    """

    name: str
    value_type: SettingType
    default: object
    help_text: str
    default_note: str = ""

    @property
    def flag(self) -> str:
        """The command-line flag."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def env_variable(self) -> str:
        """The environment variable."""
        return f"JASSTISCH_{self.name.upper()}"

    @property
    def default_text(self) -> str:
        """The default in words."""
        return self.default_note or self.value_type.format_value(self.default)


_GENERAL: Mapping[str, Sequence[Setting]] = {
    "Network": (
        Setting(
            "host",
            Text("ADDRESS"),
            "127.0.0.1",
            "listen address: 127.0.0.1 for this machine only, 0.0.0.0 for the network",
        ),
        Setting("port", Int(0, 65_535), 8000, "listen port; 0 chooses a free one"),
        Setting(
            "public_url",
            Origin(),
            None,
            "public address of the server, such as https://jass.example.org: other host names are "
            "refused except on this machine; https marks cookies Secure",
            default_note="any name in your network",
        ),
        Setting(
            "trusted_proxy",
            ListOf(Network()),
            None,
            "addresses or networks of reverse proxies, such as 172.18.0.0/16, whose forwarded "
            "client address is trusted",
            default_note="127.0.0.0/8 ::1",
        ),
        Setting("open", Bool(), default=False, help_text="open a browser at start"),
    ),
    "Storage": (
        Setting(
            "data",
            Directory(),
            None,
            "data folder",
            default_note="your own data folder",
        ),
        Setting(
            "store",
            SecretUrl(),
            None,
            "store to use instead of the data folder: sqlite:PATH or "
            "postgresql://USER:PASSWORD@HOST:PORT/DATABASE",
            default_note="SQLite in the data folder",
        ),
        Setting(
            "forgotten",
            Directory(),
            None,
            "folder for the list of the forgotten, which restore applies to a backup; keep a copy "
            "of it apart from the backups",
            default_note="forgotten in the data folder; none with Postgres",
        ),
        Setting(
            "bus",
            SecretUrl(),
            None,
            "NATS server that connects the nodes of a cluster on one database, such as nats://host:4222",
            default_note="none (single server)",
        ),
        Setting(
            "admin",
            Text("PATH|off"),
            None,
            "Unix socket for jasstisch admin, or off; with Postgres a PATH is required",
            default_note="admin.sock in the data folder",
        ),
    ),
    "Page": (
        Setting(
            "languages",
            ListOf(Choice(_LANGUAGES)),
            _LANGUAGES,
            "languages offered; browsers that accept none of them get English, or else the first",
        ),
        Setting(
            "greeting",
            LocalizedText(_LANGUAGES, _MAX_GREETING_LENGTH),
            None,
            "plain text on the start page, one text for all languages or de=..., fr=... for each; "
            f"at most {_MAX_GREETING_LENGTH} characters",
            default_note="none",
        ),
    ),
    "Monitoring": (
        Setting(
            "metrics",
            HostPort(),
            None,
            "separate listen address for /metrics, /health and /ready (keep it private)",
            default_note="none; /metrics answers only this machine",
        ),
        Setting(
            "log",
            Choice(("auto", "json", "text")),
            "auto",
            "log format; auto: text on a terminal, JSON elsewhere",
        ),
        Setting(
            "log_level",
            Choice(("info", "warning", "error")),
            "info",
            "minimum log level",
        ),
    ),
    "Bots": (
        Setting(
            "thinkers",
            Int(1, 64),
            None,
            "worker processes for bots and analyses",
            default_note="one per core, at most 4",
        ),
    ),
}
"""All settings except limits, by section."""

_LIMIT_SECTIONS: Mapping[str, Sequence[Setting]] = {
    "Retention": (
        Setting("keep_unplayed_days", _DAYS, 7, "retention of tables without a finished round"),
        Setting("keep_unfinished_days", _DAYS, 90, "retention of tables without a finished match"),
        Setting("keep_finished_days", _DAYS, 365, "retention of all other tables"),
        Setting("keep_unseated_days", _DAYS, 30, "retention of people who never took a seat"),
        Setting(
            "keep_abandoned_days",
            _DAYS,
            7,
            "retention of people without any device or recovery code",
        ),
        Setting(
            "keep_forgotten_days",
            _DAYS,
            400,
            "retention of the list of the forgotten: longer than the oldest backup",
        ),
        Setting(
            "idle_seconds",
            _SECONDS,
            60,
            "idle time after which a table that nobody watches is unloaded from memory",
        ),
    ),
    "Limits for the server": (
        Setting("connections", _COUNT, 10_000, "WebSocket connections in total"),
        Setting(
            "sockets",
            _COUNT,
            20_000,
            "connections of all kinds, as far as the file limit of the system allows",
        ),
        Setting("tables", _COUNT, 100_000, "stored tables"),
        Setting("live_tables", _COUNT, 5_000, "tables in memory"),
        Setting("identities", _COUNT, 1_000_000, "stored devices and recovery codes"),
        Setting(
            "bot_seconds",
            Int(1, 120, "SECONDS"),
            20,
            "time limit for a move of a bot",
        ),
    ),
    "Limits for each IP address": (
        Setting(
            "connections_per_address",
            _COUNT,
            200,
            "connections; everybody in a club shares one address",
        ),
        Setting("new_connections_per_second", _COUNT, 50, "new connections per second"),
        Setting("requests_per_second", _COUNT, 100, "requests per second, sustained"),
        Setting("request_burst", _COUNT, 2_000, "requests in a burst"),
        Setting("running_per_address", _COUNT, 500, "tables in use"),
        Setting("new_tables_per_minute", _COUNT, 120, "new tables per minute"),
        Setting("new_tables_per_day", _COUNT, 2_000, "new tables per day"),
        Setting("new_identities_per_minute", _COUNT, 240, "new identities per minute"),
        Setting(
            "unknown_tables_per_minute",
            _COUNT,
            60,
            "requests per minute for tables that do not exist",
        ),
        Setting("header_seconds", _SECONDS, 10, "timeout for the headers of a request"),
        Setting("body_seconds", _SECONDS, 20, "timeout for the body of a request"),
    ),
    "Limits for each person": (
        Setting(
            "connections_per_person", _COUNT, 32, "WebSocket connections: open tables and tabs"
        ),
        Setting("running_per_person", _COUNT, 50, "tables in use"),
        Setting("analyses_per_person", _COUNT, 2, "concurrent analyses"),
        Setting("seatings", _COUNT, 20, "seat changes at a table in a burst"),
        Setting("seatings_per_minute", _COUNT, 6, "seat changes at a table per minute, sustained"),
        Setting("talk", _COUNT, 4, "chat messages at a table in a burst"),
        Setting("talk_per_minute", _COUNT, 30, "chat messages at a table per minute, sustained"),
        Setting("hurries", _COUNT, 30, "requests to hurry the bots at a table in a burst"),
        Setting(
            "hurries_per_minute", _COUNT, 240, "requests to hurry the bots per minute, sustained"
        ),
    ),
}
"""The limits (`server.limits.Limits`), by section."""

SECTIONS: Mapping[str, Sequence[Setting]] = {**_GENERAL, **_LIMIT_SECTIONS}
"""All settings, by section."""

SETTINGS: Mapping[str, Setting] = {one.name: one for some in SECTIONS.values() for one in some}
"""All settings, by name."""

LIMIT_NAMES: Sequence[str] = [one.name for some in _LIMIT_SECTIONS.values() for one in some]
"""The names of the limits."""
