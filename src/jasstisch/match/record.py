"""The record format: its name, its keys and its JSON Schema.

docs/records.md explains each key. Only `Match.from_record` can validate a record, by replaying it;
the schema describes the form of records for programs that do not use Jasstisch.
"""

import json
from typing import Any, Literal, NotRequired, TypedDict

RECORD_FORMAT: Literal["jasstisch-record/1"] = "jasstisch-record/1"
RECORD_KEYS = ("format", "game", "options", "players", "log", "result")
OPTIONAL_KEYS = ("fair", "about")
"""The optional keys of a record."""

BOT_PREFIX = "bot:"
"""How the name of a bot begins; no person at a table may be called so."""

SCHEMA_FILE = "record.schema.json"
"""The file of the schema, beside this module."""


class Result(TypedDict):
    """The result of a match: the standing of each seat, by the game, and the seats that won."""

    standing: list[dict[str, Any]]
    winners: list[int]


class Record(TypedDict):
    """A match from its first pack on.

    An entry of its log is a list of two: a seat and its action, or `pack` and the cards.
    """

    format: Literal["jasstisch-record/1"]
    game: str
    options: dict[str, Any]
    players: list[str]
    log: list[list[Any]]
    result: Result | None
    fair: NotRequired[dict[str, Any]]
    about: NotRequired[dict[str, Any]]


def record_schema() -> dict[str, Any]:
    """The JSON Schema of a record, draft 2020-12.

    `Match.from_record` refuses everything that the schema refuses. A record that the schema accepts
    has a valid form, but its moves may still be illegal.
    """
    # Imported late: it pulls in threads, files and random numbers, which a match does not need.
    from importlib.resources import files  # noqa: PLC0415

    text = files("jasstisch.match").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
