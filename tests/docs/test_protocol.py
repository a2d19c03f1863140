"""The protocol page: valid examples and current lists."""

import random
import re
from pathlib import Path
from types import GenericAlias
from typing import Any, get_args

import jsonschema
import msgspec
import pytest

import jasstisch as jt
from jasstisch.server.api import json_schema, messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.net.origins import LOCAL_SUFFIXES
from jasstisch.server.tables import join_codes, public_tables, rate_limits
from jasstisch.server.ws.uvicorn_protocols.protocol_config import MAX_MESSAGE_BYTES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json *(\S*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
MESSAGES = [text for kind, text in EXAMPLES if not kind]
BODIES = [(kind, text) for kind, text in EXAMPLES if kind]
CLIENT: tuple[Any, ...] = get_args(messages.ClientMessage)
SERVER: tuple[Any, ...] = get_args(messages.ServerMessage)
TAGS = {struct.__struct_config__.tag: struct for struct in (*CLIENT, *SERVER)}


def random_match(name: str) -> jt.Match:
    """A match after sixty random packs and actions."""
    rng = random.Random(name)
    match = jt.Match(jt.game(name))
    for _ in range(60):
        if match.needs_pack:
            match.deal(" ".join(rng.sample(match.pack, len(match.pack))))
        else:
            legal = match.legal(match.to_act[0])
            match.act(match.to_act[0], legal[rng.randrange(len(legal))])
    return match


def valid(name: str, text: str) -> None:
    """Validates a text against the published JSON schema."""
    # Whether the schema is one is another test, and takes long.
    described = json_schema.schema() | {"$ref": f"#/$defs/{name}"}
    jsonschema.Draft202012Validator(described).validate(msgspec.json.decode(text))


@pytest.mark.parametrize("text", MESSAGES)
def test_every_example_of_a_message_is_valid(text: str) -> None:
    tag = msgspec.json.decode(text)["type"]
    union: Any = messages.ClientMessage if TAGS[tag] in CLIENT else messages.ServerMessage
    read = msgspec.json.decode(text, type=union)
    # Nothing is left out of an example but what has a default and is of no concern there.
    assert msgspec.json.decode(text).items() <= msgspec.to_builtins(read).items()
    valid("ClientMessage" if TAGS[tag] in CLIENT else "ServerMessage", text)


@pytest.mark.parametrize(("kind", "text"), BODIES)
def test_every_example_of_a_body_is_valid(kind: str, text: str) -> None:
    name = kind.removesuffix("[]")
    struct: Any = next(one for one in json_schema.REST_BODIES if one.__name__ == name)
    wanted: Any = GenericAlias(list, (struct,)) if kind.endswith("[]") else struct
    read = msgspec.json.decode(text, type=wanted)
    assert msgspec.to_builtins(read) == msgspec.json.decode(text)
    for one in msgspec.json.decode(text) if kind.endswith("[]") else [msgspec.json.decode(text)]:
        valid(name, msgspec.json.encode(one).decode())


def test_every_message_and_body_has_an_example() -> None:
    shown = {msgspec.json.decode(text)["type"] for text in MESSAGES}
    assert shown == set(TAGS)
    assert {kind.removesuffix("[]") for kind, _ in BODIES} == {
        one.__name__ for one in json_schema.REST_BODIES
    }


def test_the_lists_of_the_page_match_the_structs() -> None:
    generated = PAGE.split(json_schema.BEGIN_MARKER)[1].split(json_schema.END_MARKER)[0].strip()
    assert generated == json_schema.render_docs_section().strip()


def test_writing_the_page_changes_only_its_generated_part(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        f"before\n{json_schema.BEGIN_MARKER}\nold\n{json_schema.END_MARKER}\nafter\n",
        encoding="utf-8",
    )
    json_schema.update_docs_page(page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "### Snapshot" in text
    assert "old\n" not in text


def test_every_error_code_is_explained() -> None:
    table = PAGE.split("## Errors")[1].split("## All structs")[0]
    explained = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(explained) == sorted(get_args(messages.ErrorCode))


def test_the_limits_on_the_page_are_the_servers() -> None:
    limits = Limits()
    for figure in (
        f"{limits.message_bytes // 1024} KiB",
        f"{MAX_MESSAGE_BYTES // 1024} KiB",
        f"{limits.messages_per_second:g} messages a second ({limits.message_burst} at once)",
        f"{limits.new_tables_per_minute} new tables a minute",
        f"({limits.max_watched_tables} at a time)",
        f"{limits.max_outgoing_messages} messages wait",
        f"{limits.outgoing_bytes // 1024**2} MiB",
        f"{limits.unknown_tables_per_minute} tables a minute that do not exist",
        f"{limits.fragments} frames",
        f"{limits.header_seconds:g} s",
        f"{limits.body_seconds:g} s",
    ):
        assert figure in PAGE
    assert (limits.max_refused_messages, limits.messages_per_second, limits.message_burst) == (
        100,
        20,
        60,
    )
    assert limits.body_bytes == limits.message_bytes


def test_the_schema_is_valid_and_describes_every_struct_and_field() -> None:
    described = json_schema.schema()
    jsonschema.Draft202012Validator.check_schema(described)
    for name, definition in described["$defs"].items():
        assert definition.get("description") or "oneOf" in definition, name


@pytest.mark.parametrize("name", jt.games())
def test_every_view_of_a_game_matches_the_schema(name: str) -> None:
    match = random_match(name)
    for reader in (None, 0):
        valid("View", msgspec.json.encode(match.view(reader)).decode())


def test_views_are_discriminated_by_game() -> None:
    view = random_match("molotov").view(0)
    with pytest.raises(jsonschema.ValidationError):
        valid("View", msgspec.json.encode(view | {"game": "jass"}).decode())
    with pytest.raises(jsonschema.ValidationError):
        valid("View", msgspec.json.encode(view | {"said": [None] * 4}).decode())


def test_views_of_third_party_games_may_have_more_fields() -> None:
    view = random_match("molotov").view(0) | {"game": "ramsch", "goats": 3}
    valid("View", msgspec.json.encode(view).decode())
    with pytest.raises(jsonschema.ValidationError):
        valid("View", msgspec.json.encode(view | {"trick": None}).decode())


def test_the_schema_refuses_what_the_structs_refuse() -> None:
    with pytest.raises(jsonschema.ValidationError):
        valid("ClientMessage", '{"type": "ping", "seq": 1, "more": 2}')
    with pytest.raises(jsonschema.ValidationError):
        valid("ClientMessage", '{"type": "fly", "seq": 1}')


def test_the_limits_in_the_operator_docs_are_the_servers() -> None:
    limits = Limits()
    page = (DOCS / "hosting.md").read_text(encoding="utf-8")
    rows = [
        ("`--connections-per-address`", f"{limits.connections_per_address}"),
        ("`--connections-per-person`", f"{limits.connections_per_person}"),
        ("WebSockets in all", f"{limits.connections:,}"),
        ("connections in all", f"{limits.sockets:,}"),
        ("new connections", f"{limits.new_connections_per_second} a second"),
        (
            "requests of one address",
            f"{limits.requests_per_second} a second ({limits.request_burst:,} at once)",
        ),
        (
            "new tables",
            f"{limits.new_tables_per_minute} a minute, {limits.new_tables_per_day:,} a day",
        ),
        ("`--running-per-person`", f"{limits.running_per_person}"),
        ("`--analyses-per-person`", f"{limits.analyses_per_person}"),
        ("steps of a match that is analysed", f"{limits.max_analysed_steps:,}"),
        ("`--running-per-address`", f"{limits.running_per_address}"),
        (
            "changes of seats of one person",
            f"{limits.seatings} at once, {limits.seatings_per_minute} a minute",
        ),
        (
            "changes of seats of all",
            (
                f"{limits.table_seat_change_burst} at once, "
                f"{limits.table_seat_changes_per_minute} a minute"
            ),
        ),
        ("hurries of the computers", f"{limits.hurries} at once, {limits.hurries_per_minute} a"),
        (
            "publishes a table",
            f"{rate_limits._PUBLISH_BURST} at once, {rate_limits._PUBLISHED_PER_MINUTE} a minute",
        ),
        (
            "the public list",
            (
                f"{public_tables.MAX_LISTED} with free seats and {public_tables.MAX_LISTED} that "
                f"are played at, of one host {public_tables.MAX_PER_HOST} of each"
            ),
        ),
        (
            "short codes for tables made",
            (
                f"{join_codes._CREATE_BURST} at once, {join_codes._CREATED_PER_MINUTE} a minute, "
                f"open {join_codes._MAX_CODES_PER_ADDRESS}"
            ),
        ),
        (
            "short codes for tables that are open",
            (
                f"{join_codes.MAX_ACTIVE_CODES:,}, "
                f"each for {join_codes.CODE_LIFETIME_S // 3600} hours"
            ),
        ),
        (
            "wrong short codes",
            (
                f"{join_codes._TOTAL_WRONG_PER_MINUTE} a minute, of one address "
                f"{join_codes._WRONG_BURST} at once and {join_codes._WRONG_PER_MINUTE} a minute"
            ),
        ),
        ("`--keep-unplayed-days`", f"{limits.keep_unplayed_days} days"),
        ("`--keep-unfinished-days`", f"{limits.keep_unfinished_days} days"),
        ("`--keep-finished-days`", f"{limits.keep_finished_days} days"),
        ("tables that do not exist", f"{limits.unknown_tables_per_minute} a minute"),
        ("files of all that is kept of somebody", f"{limits.exports_under_way} at once"),
        ("headers of a request", f"{limits.header_seconds:g} s"),
        ("its body", f"{limits.body_seconds:g} s"),
    ]
    table = page.split("## Limits")[1].split("## What the log")[0]
    for named, figure in rows:
        assert any(named in line and f"| {figure}" in line for line in table.splitlines()), named
    assert f"{limits.tables:,} tables" in page
    grace = f"{limits.keep_abandoned_days} days later (`--keep-abandoned-days`)"
    assert grace in " ".join(page.split())
    for ending in LOCAL_SUFFIXES:
        assert f"`{ending}`" in page
