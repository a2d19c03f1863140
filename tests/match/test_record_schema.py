"""The JSON Schema of records takes every record, and refuses what has not the form of one."""

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


def has_form(record: object) -> bool:
    """Whether the schema takes it, read again from its text."""
    return SCHEMA.is_valid(json.loads(json.dumps(record)))


def holds(record: Any) -> bool:
    """Whether it is a record."""
    try:
        jt.Match.from_record(record)
    except jt.RecordError:
        return False
    return True


def kept(name: str) -> dict[str, Any]:
    """One of the kept records."""
    record: dict[str, Any] = json.loads((FOLDER / f"{name}.jass.json").read_text(encoding="utf-8"))
    return record


def begun(name: str, seed: int, steps: int) -> jt.Match:
    """A match of any options, played by chance for so many steps."""
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


def test_the_schema_is_one_of_draft_2020_12() -> None:
    jsonschema.Draft202012Validator.check_schema(jt.record_schema())
    assert jt.record_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_every_kept_record_has_the_form(file: Path) -> None:
    SCHEMA.validate(json.loads(file.read_text(encoding="utf-8")))


@given(st.sampled_from(match_builders.ALL_GAMES), st.integers(0, 2**32), st.integers(0, 120))
def test_every_match_by_chance_has_the_form(name: str, seed: int, steps: int) -> None:
    record = begun(name, seed, steps).record()
    SCHEMA.validate(record)
    without = record | {"options": {"players": record["options"]["players"]}}
    SCHEMA.validate(without)


@pytest.mark.parametrize("name", match_builders.ALL_GAMES)
def test_a_record_without_options_has_one_name_for_each_seat_of_the_default(name: str) -> None:
    players = jt.game(name).players
    record = {"format": "jasstisch-record/1", "game": name, "log": []}
    for given_names in range(1, 10):
        record["players"] = [str(number) for number in range(given_names)]
        assert has_form(record) == holds(record) == (given_names == players)


def test_records_with_evidence_and_with_something_about_them_have_the_form() -> None:
    record, _ = fair_match(people=(0, 3), absences={2: {3: 1}})
    assert record["fair"]["packs"][1][0]["people"][1]["opening"] is None
    SCHEMA.validate(record)
    SCHEMA.validate(record | {"about": {"event": "Club night", "clocks": [1.5, None]}})
    SCHEMA.validate(record | {"about": None, "fair": None})


@pytest.mark.parametrize("path", ["format", "table", "match", "ends", "packs"])
def test_evidence_without_one_of_its_parts_is_refused(path: str) -> None:
    record, _ = fair_match()
    del record["fair"][path]
    assert not holds(record)
    assert not has_form(record)


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
def test_what_has_not_the_form_is_refused_by_both(change: dict[str, Any]) -> None:
    record = kept("differenzler-1") | change
    assert not holds(record)
    assert not has_form(record)


@pytest.mark.parametrize("key", ["format", "game", "players", "log"])
def test_a_record_without_a_key_that_it_needs_is_refused_by_both(key: str) -> None:
    record = kept("molotow-1")
    del record[key]
    assert not holds(record)
    assert not has_form(record)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
SHORT = begun("molotov", 1, 12).record()
FAIR, _ = fair_match()


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a piece of JSON, by the keys that lead there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = [path] if path else []
    for key, one in inner:
        found += places(one, (*path, key)) if isinstance(one, dict | list) else [(*path, key)]
    return found


@given(st.data())
def test_what_the_schema_refuses_is_no_record(data: st.DataObject) -> None:
    """Anything at any place of a record: whatever holds has the form."""
    record = copy.deepcopy(data.draw(st.sampled_from([SHORT, FAIR])))
    *path, last = data.draw(st.sampled_from(places(record)))
    where = record
    for key in path:
        where = where[key]
    if data.draw(st.booleans()):
        where[last] = data.draw(JSON)
    else:
        del where[last]
    assert has_form(record) or not holds(record)


@pytest.mark.parametrize("space", ["\t", "\n", "  ", "\u2003", "\x1c"])
def test_packs_may_be_written_as_they_are_read(space: str) -> None:
    record = copy.deepcopy(SHORT)
    cards = record["log"][0][1].lower().split()
    record["log"][0][1] = space.join(["", *cards, ""])
    assert holds(record)
    assert has_form(record)


def test_a_game_from_another_package_is_asked_for_the_common_form_only(ramsch: str) -> None:
    match = jt.Match(jt.game(ramsch))
    match.deal(match.pack)
    SCHEMA.validate(match.record())
    assert not has_form(match.record() | {"log": [["pack", 7]]})
    assert ramsch not in record_schema.schema()["$defs"]


def test_all_games_are_in_it() -> None:
    assert {*REGISTRY} <= {*jt.record_schema()["$defs"]}


def test_the_example_of_the_page_is_a_record_and_has_the_form() -> None:
    page = (FOLDER.parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
    record = json.loads(page.partition("```json\n")[2].partition("```")[0])
    match = jt.Match.from_record(record)
    assert not match.over
    assert match.about == record["about"]
    SCHEMA.validate(record)
