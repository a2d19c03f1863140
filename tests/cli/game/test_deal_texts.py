"""What the terminal says about the deals of a match at a server."""

from typing import Any

import pytest

import jasstisch as jt
from jasstisch.cli.game.deal_texts import deal_verdict_lines, short_commitment
from jasstisch.cli.ui.translator import Translator
from jasstisch.client import DealVerdict
from jasstisch.client.deal_verdict import judge_deals
from jasstisch.client.match_witness import MatchWitness
from jasstisch.fairness import Announcement, DealContributor, Participant
from jasstisch.i18n import LANGUAGES
from tests.fairness.fair_matches import fair_match

ANNA, RETO = 0, 3


def said(verdict: DealVerdict | None, record: dict[str, Any], language: str = "en") -> list[str]:
    assert verdict is not None
    return [line.plain for line in deal_verdict_lines(verdict, record, Translator(language))]


def short_end(record: dict[str, Any]) -> str:
    """The commitment in a record, short."""
    return short_commitment(bytes.fromhex(record["fair"]["ends"][0]))


def judged_by(contributor: DealContributor, record: dict[str, Any]) -> DealVerdict | None:
    participant = Participant("a table", 4, bytes)
    participant.contributor = contributor
    return judge_deals(record, participant, None)


def test_deals_are_verified_for_a_device_that_has_shuffled_every_pack() -> None:
    record, contributors = fair_match()
    assert said(judged_by(contributors[ANNA], record), record) == [
        "Deals verified. Packs this device helped to shuffle: 9 of 9",
        f"What the server committed itself to before the first pack: {short_end(record)}",
        "This device was told the same at the start of the match.",
    ]


def test_packs_are_named_that_were_decided_without_the_device_or_by_the_server_alone() -> None:
    record, contributors = fair_match(absences={2: {RETO: 1}, 3: {RETO: 1, ANNA: 1}})
    assert said(judged_by(contributors[RETO], record), record) == [
        "The proof of the deals holds. Packs this device helped to shuffle: 7 of 9",
        "Packs decided without this device, although it was ready to help: 2–3",
        "Pack 2: no answer from Reto in time, so it was drawn again without them.",
        "Pack 3: no answer from Anna in time, so it was drawn again without them.",
        "Pack 3: no answer from Reto in time, so it was drawn again without them.",
        "Packs that the server alone decided, and could know before: 3",
        f"What the server committed itself to before the first pack: {short_end(record)}",
        "This device was told the same at the start of the match.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_spectator_is_told_that_no_pack_is_vouched_for(language: str) -> None:
    record, _ = fair_match(people=())
    lines = said(judge_deals(record, None, None), record, language)
    assert len(lines) == 5
    shared = Translator(language).shared_texts
    assert lines[0].startswith(shared["deals_hold"])
    assert not lines[0].startswith(shared["deals_verified"] + ".")
    assert all(line.endswith("1–9") for line in lines[1:3])
    assert lines[3].endswith(short_end(record))
    assert lines[4] == shared["deals_not_told"]


def test_both_commitments_are_named_where_they_differ() -> None:
    record, contributors = fair_match()
    told = Announcement(
        contributors[ANNA].announcement.match, bytes.fromhex("7c428e235185f63a" * 4)
    )
    (line,) = said(judged_by(DealContributor(told, 4, bytes), record), record)
    assert line.startswith("Deals found wrong: ")
    assert "7c42 8e23 5185 f63a …" in line
    assert short_end(record) in line


def test_record_of_another_play_is_told_as_that() -> None:
    record, _ = fair_match(seed=1)
    other, _ = fair_match(seed=2)
    match = jt.Match.from_record(record)
    witness = MatchWitness()
    witness.note(ANNA, match.view(ANNA))
    (line,) = said(judge_deals(other, None, witness), other)
    assert line.endswith("hands, plays or the result differ.")
