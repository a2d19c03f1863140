"""Whole matches of every game with every option, which must replay for ever.

`python -m tests.records.write` made them and adds those of new games and options.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import REGISTRY
from tests.records.write import RARE, matches

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.jass.json"))


def read(file: Path) -> dict[str, Any]:
    """The record in a file."""
    record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return record


def refused_step(record: dict[str, Any]) -> int:
    """The step at which a record is refused."""
    with pytest.raises(jt.RecordError) as caught:
        jt.Match.from_record(record)
    return caught.value.step


records = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])


@records
def test_a_kept_record_replays_to_its_result(file: Path) -> None:
    record = read(file)
    match = jt.Match.from_record(record)
    assert match.over
    assert record["result"] == {"standing": match.standing, "winners": match.winners}
    assert match.record() == record


@records
def test_record_cut_off_at_any_step_can_be_continued(file: Path) -> None:
    """Without its end and result a record is a match in progress; with its result it is refused."""
    record = read(file)
    rng = random.Random(file.name)
    for length in (0, 1, *rng.sample(range(2, len(record["log"])), 6)):
        part = record | {"log": record["log"][:length]}
        assert refused_step(part) == length + 1
        match = jt.Match.from_record(part | {"result": None})
        assert not match.over
        for who, what in record["log"][length:]:
            match.deal(what) if who == "pack" else match.act(who, what)
        assert match.record() == record


@records
def test_missing_or_repeated_step_is_refused(file: Path) -> None:
    """A repeated play is refused, and so is an action after a missing pack."""
    record = read(file)
    log: list[Any] = record["log"]
    plays = [number for number, (who, what) in enumerate(log) if what.startswith(("play", "lay"))]
    packs = [number for number, (who, _) in enumerate(log) if who == "pack"]
    for number in (*plays[:3], *plays[-3:]):
        again = [*log[: number + 1], log[number], *log[number + 1 :]]
        assert refused_step(record | {"log": again}) == number + 2
    for number in packs:
        without = [*log[:number], *log[number + 1 :]]
        acts = (at for at in range(number, len(without)) if without[at][0] != "pack")
        assert refused_step(record | {"log": without}) <= next(acts, len(without)) + 1
    assert refused_step(record | {"log": [*log, log[-1]]}) == len(log) + 1


@records
def test_tampered_step_is_refused_with_its_number(file: Path) -> None:
    """An invalid seat, an invalid card and a pack with a card twice are refused."""
    record = read(file)
    log: list[Any] = record["log"]
    rng = random.Random(file.name)
    for number in rng.sample(range(len(log)), 12):
        who, what = log[number]
        if who == "pack":
            cards = what.split()
            wrong: list[Any] = [[who, " ".join([cards[1], *cards[1:]])], [0, what]]
        else:
            wrong = [[len(record["players"]), what], [who, "play 1X"], ["pack", what], [who, None]]
        for entry in wrong:
            tampered = [*log[:number], entry, *log[number + 1 :]]
            assert refused_step(record | {"log": tampered}) == number + 1


@records
def test_a_tampered_result_is_refused_after_the_last_step(file: Path) -> None:
    record = read(file)
    result, last = record["result"], len(record["log"]) + 1
    others = [seat for seat in range(len(record["players"])) if seat not in result["winners"]]
    for wrong in (
        None,
        result | {"winners": others},
        result | {"standing": result["standing"][:-1]},
        result | {"standing": [*result["standing"][:-1], {}]},
        result | {"note": ""},
    ):
        assert refused_step(record | {"result": wrong}) == last


def test_kept_records_cover_every_game_and_every_value_of_its_options() -> None:
    assert len(FILES) >= 30
    kept = [read(file) for file in FILES]
    for name in jt.games():
        own = [record["options"] for record in kept if record["game"] == name]
        for option in REGISTRY[name].options:
            found = {options[option.name] for options in own}
            if isinstance(option, Choice):
                assert found == set(option.values), (name, option.name)
            elif isinstance(option, Whole) and option.name == "players":
                assert found == set(range(option.low, option.high + 1)), name
            else:
                assert len(found) > 1, (name, option.name)


def test_a_record_without_the_limit_of_claims_replays_with_the_default__ID8() -> None:
    """A deal ends after 12 claims for each of four players; a longer one is refused there."""
    record = read(FOLDER / "i-doubt-it-turns.jass.json")
    without = {key: value for key, value in record["options"].items() if key != "max_turns"}
    match = jt.Match.from_record(record | {"options": without})
    assert match.record() == record
    assert 48 in [one["claims"] for one in match.rounds]
    longer = read(FOLDER / "i-doubt-it-out.jass.json")
    assert longer["options"] == {**match.game.options, "max_turns": 100}
    claims = [step for step, (_, what) in enumerate(longer["log"], 1) if what.startswith("lay")]
    first = jt.Match.from_record(longer).rounds[0]["claims"]
    assert first > 48
    assert claims[47] < refused_step(longer | {"options": without}) <= claims[48]


def test_every_record_that_the_generator_names_exists() -> None:
    """A new game or option needs new records."""
    missing = [name for name, _, _ in matches() if not (FOLDER / f"{name}.jass.json").exists()]
    assert missing == [], "run `.venv/bin/python -m tests.records.write`"


@pytest.mark.parametrize("name", RARE)
def test_rare_events_happen_in_the_records_kept_for_them(name: str) -> None:
    game, condition = RARE[name]
    match = jt.Match.from_record(read(FOLDER / f"{name}.jass.json"))
    assert match.game == game
    assert condition(match)
