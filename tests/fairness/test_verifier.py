"""A server that changes one pack, one secret or one byte of what it published is caught."""

import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch.engine.errors import GameError
from jasstisch.fairness import DealContributor, Evidence, FairError, verify
from tests.fairness.fair_matches import fair_match
from tools.fairness_vectors import ABSENCES, SEATS, play_match

EVIDENCE, PACKS, _ = play_match(ABSENCES[:4])
TEXT = json.dumps(EVIDENCE.to_json())


def wrong_pack(evidence: object, packs: list[list[str]]) -> int:
    """The pack at which a check fails."""
    with pytest.raises(FairError) as caught:
        verify(Evidence.from_json(evidence), packs, SEATS)
    return caught.value.pack


def is_refused_or_equal(text: str) -> bool:
    """Whether a changed text of evidence is refused, or still has the same values."""
    try:
        plain = json.loads(text)
        verify(Evidence.from_json(plain), PACKS, SEATS)
    except ValueError:
        return True
    return bool(plain == EVIDENCE.to_json())


def test_evidence_round_trips_through_json() -> None:
    assert Evidence.from_json(json.loads(TEXT)) == EVIDENCE
    assert verify(EVIDENCE, PACKS, SEATS).pack_count == 4


@pytest.mark.parametrize("place", range(0, len(TEXT), 400))
def test_a_change_of_any_byte_is_caught(place: int) -> None:
    for at in range(place, min(place + 400, len(TEXT))):
        for character in (chr(ord(TEXT[at]) ^ 1), ""):
            assert is_refused_or_equal(TEXT[:at] + character + TEXT[at + 1 :]), at


@settings(max_examples=300)
@given(st.integers(0, len(TEXT) - 1), st.characters(max_codepoint=127))
def test_replacing_any_character_by_any_other_is_caught(at: int, character: str) -> None:
    assert is_refused_or_equal(TEXT[:at] + character + TEXT[at + 1 :])


@given(st.integers(0, len(PACKS) - 1), st.integers(0, 35), st.integers(0, 35))
def test_two_swapped_cards_are_caught_at_their_pack(pack: int, one: int, other: int) -> None:
    packs = copy.deepcopy(PACKS)
    cards = packs[pack]
    cards[one], cards[other] = cards[other], cards[one]
    if one != other:
        assert wrong_pack(EVIDENCE.to_json(), packs) == pack + 1


def test_first_wrong_pack_is_reported() -> None:
    plain = EVIDENCE.to_json()
    plain["packs"][3][0]["secret"] = "0" * 64
    packs = copy.deepcopy(PACKS)
    packs[1].reverse()
    assert wrong_pack(plain, packs) == 2
    assert wrong_pack(plain, PACKS) == 4


def test_what_the_seat_of_a_computer_contributes_counts_for_nobody() -> None:
    """The server would contribute for it, and then seem not to have decided alone."""
    evidence, packs, _ = play_match([{0: 0, 1: 0}, {1: 0}, {1: 0, 2: 0}, {}])
    everybody = verify(evidence, packs, SEATS)
    people = verify(evidence, packs, SEATS, computers=[1, 2])
    assert everybody.contribution_counts == {0: 1, 1: 3, 2: 1}
    assert everybody.secret_only_pack_count == 1
    assert people.contribution_counts == {0: 1}
    assert people.secret_only_pack_count == 3


def test_evidence_that_asks_an_excluded_seat_again_is_refused() -> None:
    """So the limit on missed openings also holds for a reader who has only the record."""
    evidence, packs, _ = play_match([{0: 0, 1: 1}] * 3 + [{0: 0}])
    verify(evidence, packs, SEATS)
    plain = evidence.to_json()
    plain["packs"][3][0]["people"].append(plain["packs"][0][0]["people"][1])
    with pytest.raises(FairError, match="pack 4: seat 1 has missed 3 packs"):
        verify(Evidence.from_json(plain), packs, SEATS)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        "fair",
        {},
        {"format": "jasstisch-fair/1"},
        EVIDENCE.to_json() | {"more": 1},
        EVIDENCE.to_json() | {"match": True},
        EVIDENCE.to_json() | {"match": 0},
        EVIDENCE.to_json() | {"match": 2**32},
        EVIDENCE.to_json() | {"match": 10**5000},
        EVIDENCE.to_json() | {"packs": {}},
        EVIDENCE.to_json() | {"packs": [[{"secret": "0" * 64}]]},
        EVIDENCE.to_json() | {"packs": [[None]]},
    ],
    ids=lambda one: str(type(one)),
)
def test_malformed_evidence_is_refused(wrong: object) -> None:
    with pytest.raises(FairError):
        Evidence.from_json(wrong)


# Evidence in a record.


@pytest.fixture(scope="module")
def match() -> tuple[dict[str, Any], dict[int, DealContributor]]:
    return fair_match(absences={2: {3: 1}, 4: {0: 1, 3: 1}})


@pytest.fixture
def record(match: tuple[dict[str, Any], dict[int, DealContributor]]) -> dict[str, Any]:
    """The record of a verifiable match, to be tampered with."""
    return copy.deepcopy(match[0])


def step_and_pack(record: dict[str, Any]) -> tuple[int, int | None]:
    """The step and pack at which a record is refused."""
    with pytest.raises(jt.RecordError) as caught:
        jt.Match.from_record(record)
    return caught.value.step, caught.value.pack


def pack_steps(record: Mapping[str, Any]) -> list[int]:
    """The steps of a record that deal a pack."""
    return [step for step, (who, _) in enumerate(record["log"], start=1) if who == "pack"]


def test_record_with_evidence_replays_and_round_trips(record: dict[str, Any]) -> None:
    match = jt.Match.from_record(record)
    assert match.record() == record
    findings = match.verify_deals()
    assert findings is not None
    assert findings.pack_count == len(pack_steps(record))
    assert [(miss.pack_number, miss.seat) for miss in findings.missed_openings] == [
        (2, 3),
        (4, 0),
        (4, 3),
    ]


def test_a_record_without_evidence_stays_valid(record: dict[str, Any]) -> None:
    for without in (
        {key: value for key, value in record.items() if key != "fair"},
        record | {"fair": None},
    ):
        match = jt.Match.from_record(without)
        assert match.verify_deals() is None
        assert match.fair is None
        assert "fair" not in match.record()


def test_contributores_accept_the_evidence_of_the_record(
    match: tuple[dict[str, Any], dict[int, DealContributor]],
) -> None:
    record, contributors = match
    evidence = Evidence.from_json(record["fair"])
    counts = [contributor.check_evidence(evidence) for contributor in contributors.values()]
    assert counts == [len(evidence.attempts_by_pack) - 1, len(evidence.attempts_by_pack) - 2]


def test_a_changed_secret_is_refused_at_the_step_of_its_pack(record: dict[str, Any]) -> None:
    for pack, step in enumerate(pack_steps(record), start=1):
        tampered = copy.deepcopy(record)
        tampered["fair"]["packs"][pack - 1][-1]["secret"] = "ab" * 32
        assert step_and_pack(tampered) == (step, pack)


def test_a_changed_pack_is_refused_at_its_step(record: dict[str, Any]) -> None:
    """The last pack is changed and the steps after it removed, so that the log stays legal."""
    last = pack_steps(record)[-1]
    cards = record["log"][last - 1][1].split()
    log = [*record["log"][: last - 1], ["pack", " ".join([cards[1], cards[0], *cards[2:]])]]
    assert step_and_pack(record | {"log": log, "result": None}) == (last, len(pack_steps(record)))


def test_contributions_in_another_order_are_refused_at_their_pack(record: dict[str, Any]) -> None:
    record["fair"]["packs"][0][0]["people"].reverse()
    assert step_and_pack(record) == (pack_steps(record)[0], 1)


def test_errors_of_the_whole_evidence_are_refused_at_the_header(record: dict[str, Any]) -> None:
    fair = record["fair"]
    wrongs: list[Any] = ["yes", [], fair | {"format": "x"}, fair | {"ends": fair["ends"] * 2}]
    for wrong in wrongs:
        assert step_and_pack(record | {"fair": wrong}) == (0, 0)
    more = fair | {"packs": [*fair["packs"], fair["packs"][0]]}
    assert step_and_pack(record | {"fair": more}) == (0, 0)


def test_contribution_of_a_nonexistent_seat_is_refused(record: dict[str, Any]) -> None:
    record["fair"]["packs"][0][0]["people"][1]["seat"] = 4
    assert step_and_pack(record) == (pack_steps(record)[0], 1)


def test_dealing_another_pack_drops_the_evidence(record: dict[str, Any]) -> None:
    last = pack_steps(record)[-1]
    fair = record["fair"] | {"packs": record["fair"]["packs"][:-1]}
    part = record | {"log": record["log"][: last - 1], "result": None, "fair": fair}
    match = jt.Match.from_record(part)
    assert match.fair == fair
    match.deal(match.pack)
    assert match.fair is None


def test_setting_mismatched_evidence_is_refused(record: dict[str, Any]) -> None:
    match = jt.Match.from_record(record)
    with pytest.raises(FairError):
        match.fair = record["fair"] | {"packs": []}
    assert match.fair == record["fair"]
    match.fair = None
    assert match.fair is None


# The field `about` of a record.


def test_about_field_of_a_record_is_kept_unchanged(record: dict[str, Any]) -> None:
    about = {"event": "Club", "comments": [{"step": 3, "text": "…"}], "clocks": None, "n": 1.5}
    match = jt.Match.from_record(record | {"about": about})
    assert match.about == about
    assert match.record() == record | {"about": about}
    assert match.about is not match.about


@pytest.mark.parametrize("wrong", ["text", [], 1, {"a": float("nan")}, {"a": {1, 2}}, {"a": b""}])
def test_about_field_that_is_no_json_object_is_refused(record: dict[str, Any], wrong: Any) -> None:
    assert step_and_pack(record | {"about": wrong}) == (0, None)
    match = jt.Match(jt.game("molotov"))
    with pytest.raises(GameError, match="about"):
        match.about = wrong


def test_too_deeply_nested_about_field_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    match = jt.Match(jt.game("molotov"))
    with pytest.raises(GameError, match="about"):
        match.about = deep
