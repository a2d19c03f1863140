"""The JSON Schema of records accepts every record and refuses malformed ones."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch.games.rules import REGISTRY
from tests.fairness.fair_matches import fair_match
from tests.rules import match_builders
from tools import record_schema

FOLDER = Path(__file__).parents[1] / "records"
FILES = sorted(FOLDER.glob("*.jass.json"))
SCHEMA = jsonschema.Draft202012Validator(jt.record_schema())


def matches_schema(record: object) -> bool:
    """Whether the schema accepts a record, read again from its text."""
    return SCHEMA.is_valid(json.loads(json.dumps(record)))


def is_readable(record: Any) -> bool:
    """Whether `Match.from_record` accepts a record."""
    try:
        jt.Match.from_record(record)
    except jt.RecordError:
        return False
    return True


def kept_record(name: str) -> dict[str, Any]:
    """One of the kept records."""
    record: dict[str, Any] = json.loads((FOLDER / f"{name}.jass.json").read_text(encoding="utf-8"))
    return record


def begun(name: str, seed: int, steps: int) -> jt.Match:
    """A match with random options, played at random for this number of steps."""
    rng = random.Random(seed)
    options = {key: rng.choice(values) for key, values in match_builders.OPTIONS[name].items()}
    if "dealer" in options and options["dealer"] is not None:
        options["dealer"] %= options["players"]
    match = jt.Match(jt.game(name, **options))
    for _ in range(steps):
        if match.over:
            break
        match_builders.step(match, rng)
    return match


def test_schema_is_valid_for_draft_2020_12() -> None:
    jsonschema.Draft202012Validator.check_schema(jt.record_schema())
    assert jt.record_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_every_kept_record_matches_the_schema(file: Path) -> None:
    SCHEMA.validate(json.loads(file.read_text(encoding="utf-8")))


@given(st.sampled_from(match_builders.ALL_GAMES), st.integers(0, 2**32), st.integers(0, 120))
def test_records_of_random_matches_match_the_schema(name: str, seed: int, steps: int) -> None:
    record = begun(name, seed, steps).record()
    SCHEMA.validate(record)
    without = record | {"options": {"players": record["options"]["players"]}}
    SCHEMA.validate(without)


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_record_without_options_needs_a_name_for_each_default_seat(name: str) -> None:
    players = jt.game(name).players
    record = {"format": "jasstisch-record/1", "game": name, "log": []}
    for given_names in range(1, 10):
        record["players"] = [str(number) for number in range(given_names)]
        assert matches_schema(record) == is_readable(record) == (given_names == players)


def test_records_with_evidence_or_about_field_match_the_schema() -> None:
    record, _ = fair_match(people=(0, 3), absences={2: {3: 1}})
    assert record["fair"]["packs"][1][0]["people"][1]["opening"] is None
    SCHEMA.validate(record)
    SCHEMA.validate(record | {"about": {"event": "Club night", "clocks": [1.5, None]}})
    SCHEMA.validate(record | {"about": None, "fair": None})


@pytest.mark.parametrize("path", ["format", "table", "match", "ends", "packs"])
def test_evidence_without_a_required_key_is_refused_by_schema_and_reader(path: str) -> None:
    record, _ = fair_match()
    del record["fair"][path]
    assert not is_readable(record)
    assert not matches_schema(record)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "jasstisch-record/2"},
        {"format": None},
        {"game": 7},
        {"players": None},
        {"players": ["Anna"]},
        {"players": ["Anna", "Reto", "Ueli", 4]},
        {"players": "Anna"},
        {"options": None},
        {"options": {"players": 5}},
        {"options": {"players": "4"}},
        {"options": {"players": True}},
        {"options": {"rounds": 5}},
        {"options": {"dealer": 4}},
        {"options": {"dealer": -1}},
        {"options": {"undertrump": "strict"}},
        {"options": {"speed": 1}},
        {"log": None},
        {"log": {}},
        {"log": [["pack"]]},
        {"log": [["pack", "6C", "7C"]]},
        {"log": [["pack", "6C 7X"]]},
        {"log": [["pack", "2C"]]},
        {"log": [["pack", ""]]},
        {"log": [["pack", ["6C"]]]},
        {"log": [["deal", "6C"]]},
        {"log": [[4, "bid 42"]]},
        {"log": [[-1, "bid 42"]]},
        {"log": [["0", "bid 42"]]},
        {"log": [[0, 42]]},
        {"log": [[0, ""]]},
        {"log": ["bid 42"]},
        {"result": []},
        {"result": {"standing": []}},
        {"result": {"standing": [], "winners": []}},
        {"result": {"standing": [{"difference": 1}] * 4, "winners": [4]}},
        {"result": {"standing": [{"difference": "1"}] * 4, "winners": [0]}},
        {"result": {"standing": [{"chips": 1}] * 4, "winners": [0]}},
        {"result": {"standing": [{"difference": 1}] * 4, "winners": [0], "note": ""}},
        {"about": "Club night"},
        {"about": []},
        {"fair": {}},
        {"fair": True},
        {"note": ""},
    ],
    ids=str,
)
def test_malformed_record_is_refused_by_schema_and_reader(change: dict[str, Any]) -> None:
    record = kept_record("differenzler-1") | change
    assert not is_readable(record)
    assert not matches_schema(record)


@pytest.mark.parametrize("key", ["format", "game", "players", "log"])
def test_record_without_a_required_key_is_refused_by_schema_and_reader(key: str) -> None:
    record = kept_record("molotow-1")
    del record[key]
    assert not is_readable(record)
    assert not matches_schema(record)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
SHORT = begun("molotov", 1, 12).record()
FAIR, _ = fair_match()


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values within a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = [path] if path else []
    for key, one in inner:
        found += paths(one, (*path, key)) if isinstance(one, dict | list) else [(*path, key)]
    return found


@given(st.data())
def test_schema_accepts_every_record_that_the_reader_accepts(data: st.DataObject) -> None:
    """A value anywhere in a record is removed or replaced by any other."""
    record = copy.deepcopy(data.draw(st.sampled_from([SHORT, FAIR])))
    *path, last = data.draw(st.sampled_from(paths(record)))
    where = record
    for key in path:
        where = where[key]
    if data.draw(st.booleans()):
        where[last] = data.draw(JSON)
    else:
        del where[last]
    assert matches_schema(record) or not is_readable(record)


@pytest.mark.parametrize("space", ["\t", "\n", "  ", "\u2003", "\x1c"])
def test_schema_and_reader_accept_packs_in_any_case_with_any_spaces(space: str) -> None:
    record = copy.deepcopy(SHORT)
    cards = record["log"][0][1].lower().split()
    record["log"][0][1] = space.join(["", *cards, ""])
    assert is_readable(record)
    assert matches_schema(record)


def test_game_of_another_package_is_checked_by_the_common_schema_only(ramsch: str) -> None:
    match = jt.Match(jt.game(ramsch))
    match.deal(match.pack)
    SCHEMA.validate(match.record())
    assert not matches_schema(match.record() | {"log": [["pack", 7]]})
    assert ramsch not in record_schema.schema()["$defs"]


def test_schema_defines_every_game() -> None:
    assert {*REGISTRY} <= {*jt.record_schema()["$defs"]}


def test_example_record_of_the_docs_is_valid() -> None:
    page = (FOLDER.parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
    record = json.loads(page.partition("```json\n")[2].partition("```")[0])
    match = jt.Match.from_record(record)
    assert not match.over
    assert match.about == record["about"]
    SCHEMA.validate(record)
