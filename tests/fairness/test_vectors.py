"""The package agrees with the published test vectors, and so does docs/fair-deals.md."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from jasstisch.fairness import (
    FORMAT,
    Announcement,
    Contribution,
    DealContributor,
    Evidence,
    FairError,
    MatchId,
    MissedOpening,
    PackCall,
    SecretChains,
    VoidAttempt,
    verify,
)
from jasstisch.fairness.chain import CHAIN_LENGTH, next_link
from jasstisch.fairness.contributions import commitment
from jasstisch.fairness.encoding import digest, encode
from jasstisch.fairness.shuffle import derive_order, transcript_hash
from tools.fairness_vectors import PATH

ROOT = Path(__file__).parents[2]
VECTORS: dict[str, Any] = json.loads((ROOT / PATH).read_text(encoding="utf-8"))
MATCH = MatchId.of(VECTORS["table"], VECTORS["match"]["number"])
PACKS = [cards.split() for cards in VECTORS["record"]["packs"]]
SEATS = VECTORS["record"]["seats"]


def test_vectors_have_the_current_format() -> None:
    assert VECTORS["format"] == FORMAT
    assert VECTORS["match"]["table"] == MATCH.table_hash.hex()


@pytest.mark.parametrize("vector", VECTORS["hashes"], ids=lambda one: one["bytes"][-16:])
def test_values_are_encoded_and_hashed_as_published(vector: dict[str, Any]) -> None:
    parts = [part if isinstance(part, int) else bytes.fromhex(part) for part in vector["parts"]]
    assert encode(vector["purpose"], *parts).hex() == vector["bytes"]
    assert digest(vector["purpose"], *parts).hex() == vector["hash"]


def test_chain_derives_from_its_seed_as_published() -> None:
    vector = VECTORS["chain"]
    assert vector["length"] == CHAIN_LENGTH
    chain = SecretChains(bytes.fromhex(vector["seed"]), MATCH)
    assert [chain.chain_end(number).hex() for number in (0, 1)] == vector["ends"]
    for position, secret in vector["secrets"].items():
        assert chain.secret(int(position)).hex() == secret
    first, second = (chain.secret(position) for position in (0, 1))
    assert next_link(MATCH, first).hex() == vector["ends"][0]
    assert next_link(MATCH, second) == first
    assert next_link(MATCH, chain.secret(CHAIN_LENGTH)).hex() == vector["ends"][1]


def test_commitment_is_computed_as_published() -> None:
    vector = VECTORS["commitment"]
    made = bytes.fromhex(vector["contribution"])
    place = (vector["pack"], vector["attempt"], vector["seat"])
    assert commitment(MATCH, *place, made).hex() == vector["commitment"]


@pytest.mark.parametrize("vector", VECTORS["transcripts"], ids=lambda one: f"pack {one['pack']}")
def test_a_transcript_is_hashed_as_published(vector: dict[str, Any]) -> None:
    def read(one: dict[str, Any]) -> Contribution:
        opening = one["opening"]
        opened = None if opening is None else bytes.fromhex(opening)
        return Contribution(one["seat"], bytes.fromhex(one["commitment"]), opened)

    attempts = [[read(one) for one in people] for people in vector["people"]]
    assert transcript_hash(MATCH, vector["pack"], attempts).hex() == vector["hash"]


@pytest.mark.parametrize("vector", VECTORS["orders"], ids=lambda one: str(len(one["cards"])))
def test_a_pack_is_shuffled_as_published(vector: dict[str, Any]) -> None:
    secret, deal = (bytes.fromhex(vector[key]) for key in ("secret", "transcript"))
    shuffled = " ".join(derive_order(vector["cards"].split(), secret, deal))
    assert shuffled == vector["order"]


def test_published_match_passes_verification() -> None:
    vector = VECTORS["record"]
    findings = verify(Evidence.from_json(vector["fair"]), PACKS, SEATS)
    assert findings.pack_count == len(PACKS)
    assert findings.attempt_count == vector["attempts"]
    assert {str(seat): one for seat, one in findings.contribution_counts.items()} == vector[
        "contributed"
    ]
    assert findings.secret_only_pack_count == vector["alone"]
    assert findings.missed_openings == tuple(MissedOpening(*miss) for miss in vector["misses"])


def test_a_contributor_answers_as_published() -> None:
    vector = VECTORS["witness"]
    given = iter(vector["chance"])
    announcement = Announcement.from_json(vector["announcement"])
    contributor = DealContributor(announcement, SEATS, lambda _: bytes.fromhex(next(given)))
    for step in vector["steps"]:
        opening: bytes | None
        if "commit" in step:
            made = contributor.commit(step["commit"], vector["seat"])
            assert [one.hex() for one in made] == step["answer"]
            continue
        if "next_pack" in step:
            contributor.note_next_pack(step["next_pack"], decided=step["decided"])
            continue
        if "call" in step:
            opening = contributor.open(PackCall.from_json(step["call"]), vector["seat"])
        else:
            opening = contributor.open_after_void(
                VoidAttempt.from_json(step["void"]), vector["seat"]
            )
        assert (opening and opening.hex()) == step["answer"]
    assert (
        contributor.check_evidence(Evidence.from_json(VECTORS["record"]["fair"])) == vector["own"]
    )
    assert list(contributor.excluded_from_packs) == vector["uncounted"]


def test_what_computers_contribute_is_counted_as_published() -> None:
    vector = VECTORS["record"]["with_computers"]
    evidence = Evidence.from_json(VECTORS["record"]["fair"])
    findings = verify(evidence, PACKS, SEATS, vector["computers"])
    counted = {int(seat): count for seat, count in vector["contributed"].items() if count}
    assert (findings.contribution_counts, findings.secret_only_pack_count) == (
        counted,
        vector["alone"],
    )
    assert VECTORS["record"]["alone"] < vector["alone"] < len(PACKS)


@pytest.mark.parametrize("vector", VECTORS["broken"], ids=lambda one: one["what"])
def test_each_published_corruption_is_caught_at_its_pack(vector: dict[str, Any]) -> None:
    plain = copy.deepcopy(VECTORS["record"]["fair"])
    *way, last = vector["path"]
    place = plain
    for key in way:
        place = place[key]
    place[last] = vector["value"]
    with pytest.raises(FairError) as caught:
        verify(Evidence.from_json(plain), PACKS, SEATS)
    assert caught.value.pack == vector["pack"]


@pytest.mark.parametrize("vector", VECTORS["forged"], ids=lambda one: one["what"])
def test_each_published_forgery_is_caught_despite_its_valid_hashes(vector: dict[str, Any]) -> None:
    packs = [cards.split() for cards in vector["packs"]]
    with pytest.raises(FairError) as caught:
        verify(Evidence.from_json(vector["fair"]), packs, SEATS)
    assert caught.value.pack == vector["pack"]
    assert "order than was decided" not in caught.value.text


def test_every_hash_on_the_page_is_in_the_vectors() -> None:
    page = (ROOT / "docs/fair-deals.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\b[0-9a-f]{64,}\b", page))
    assert len(shown) >= 8
    assert [one for one in shown if one not in json.dumps(VECTORS)] == []
