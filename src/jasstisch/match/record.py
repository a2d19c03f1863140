"""What a record is: the name of its format, its keys, and its form as a JSON Schema.

docs/records.md says what each key means. Whether a record holds, only `Match.from_record` knows, by
playing it; the schema tells whoever reads records without Jasstisch what form they have.
"""

import json
from typing import Any, Literal, NotRequired, TypedDict

__all__ = [
    "OPTIONAL_KEYS",
    "RECORD_FORMAT",
    "RECORD_KEYS",
    "SCHEMA_FILE",
    "Record",
    "Result",
    "record_schema",
]  # fmt: skip

RECORD_FORMAT: Literal["jasstisch-record/1"] = "jasstisch-record/1"
RECORD_KEYS = ("format", "game", "options", "players", "log", "result")
OPTIONAL_KEYS = ("fair", "about")
"""What a record may hold besides."""

SCHEMA_FILE = "record.schema.json"
"""The file of the schema, which lies beside this module."""


class Result(TypedDict):
    """How a match has ended: what each seat has gathered, by the game, and the seats that won."""

    standing: list[dict[str, Any]]
    winners: list[int]


class Record(TypedDict):
    """A match from its first pack on.

    An entry of its log is a list of two: a seat, or `pack`, and what it did, or the cards.
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
    """The form of a record as a JSON Schema of draft 2020-12.

    What it refuses, `Match.from_record` refuses too; that it takes a record says only that the
    record has the form of one.
    """
    # With it come threads, files and chance, of which a match knows nothing.
    from importlib.resources import files  # noqa: PLC0415

    text = files("jasstisch.match").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
