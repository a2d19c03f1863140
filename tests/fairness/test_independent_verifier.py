"""A verifier that was written from docs/fair-deals.md alone agrees with the page's test vectors."""

import copy
import json
from typing import Any

import pytest

from tests.fairness.independent_verifier import (
    Attempt,
    FaultError,
    Person,
    commitment_to,
    digest,
    encoding,
    order_of,
    transcript_of,
    verify,
)
from tools.setup import ROOT

VECTORS: Any = json.loads((ROOT / "docs" / "fair-deals.json").read_text(encoding="utf-8"))
TABLE = bytes.fromhex(VECTORS["match"]["table"])
MATCH: int = VECTORS["match"]["number"]


def record_of(packs: list[str], fair: Any, players: list[str]) -> Any:
    return {"players": players, "log": [["pack", cards] for cards in packs], "fair": fair}


def honest(computers: tuple[int, ...] = ()) -> Any:
    vector = VECTORS["record"]
    players = [f"bot:{n}" if n in computers else f"Person {n}" for n in range(vector["seats"])]
    return record_of(vector["packs"], copy.deepcopy(vector["fair"]), players)


def named(vector: Any) -> str:
    return str(vector["what"])


@pytest.mark.parametrize("vector", VECTORS["hashes"], ids=lambda one: one["hash"][:4])
def test_a_list_of_parts_is_encoded_and_hashed_as_the_page_says(vector: Any) -> None:
    parts = [one if isinstance(one, int) else bytes.fromhex(one) for one in vector["parts"]]
    assert encoding(vector["purpose"], *parts).hex() == vector["bytes"]
    assert digest(vector["purpose"], *parts).hex() == vector["hash"]


def test_the_table_is_the_hash_of_its_id() -> None:
    assert digest("table", VECTORS["table"].encode()) == TABLE


def test_each_secret_of_the_chain_leads_to_the_one_before_it() -> None:
    chain = VECTORS["chain"]
    secrets = {int(position): bytes.fromhex(one) for position, one in chain["secrets"].items()}
    ends = [bytes.fromhex(end) for end in chain["ends"]]
    before = {0: ends[0], 1: secrets[0], 256: ends[1], 257: secrets[256]}
    for position, value in before.items():
        assert digest("link", TABLE, MATCH, secrets[position]) == value
    last = secrets[255]
    for _ in range(chain["length"]):
        last = digest("link", TABLE, MATCH, last)
    assert last == ends[0]


def test_a_commitment_is_the_hash_of_its_place_and_contribution() -> None:
    one = VECTORS["commitment"]
    contribution = bytes.fromhex(one["contribution"])
    made = commitment_to(TABLE, MATCH, one["pack"], one["attempt"], one["seat"], contribution)
    assert made.hex() == one["commitment"]


@pytest.mark.parametrize("vector", VECTORS["transcripts"], ids=lambda one: one["pack"])
def test_a_transcript_holds_all_that_people_did_for_the_pack(vector: Any) -> None:
    attempts = [
        Attempt(
            b"",
            tuple(
                Person(
                    one["seat"],
                    bytes.fromhex(one["commitment"]),
                    None if one["opening"] is None else bytes.fromhex(one["opening"]),
                )
                for one in people
            ),
        )
        for people in vector["people"]
    ]
    assert transcript_of(TABLE, MATCH, vector["pack"], attempts).hex() == vector["hash"]


@pytest.mark.parametrize("vector", VECTORS["orders"], ids=lambda one: one["cards"].count(" ") + 1)
def test_the_order_follows_from_the_secret_and_the_transcript(vector: Any) -> None:
    secret, transcript = (bytes.fromhex(vector[key]) for key in ("secret", "transcript"))
    cards = vector["cards"].split()
    for given in (cards, cards[::-1]):
        assert " ".join(order_of(given, secret, transcript)) == vector["order"]


def test_the_honest_record_is_verified_with_all_that_it_proves() -> None:
    vector = VECTORS["record"]
    proof = verify(honest())
    assert sum(map(len, proof.packs)) == vector["attempts"]
    assert {str(seat): proof.contributed[seat] for seat in range(4)} == vector["contributed"]
    assert proof.alone == vector["alone"]
    assert [list(miss) for miss in proof.misses] == vector["misses"]


def test_what_computers_contribute_counts_for_nobody() -> None:
    vector = VECTORS["record"]["with_computers"]
    proof = verify(honest(tuple(vector["computers"])))
    assert {str(seat): proof.contributed[seat] for seat in range(4)} == vector["contributed"]
    assert proof.alone == vector["alone"]


def changed(path: list[str | int], value: Any) -> Any:
    record = honest()
    *way, key = path
    place = record["fair"]
    for step in way:
        place = place[step]
    place[key] = value
    return record


@pytest.mark.parametrize("vector", VECTORS["broken"], ids=named)
def test_a_changed_record_is_refused_at_the_pack_named(vector: Any) -> None:
    with pytest.raises(FaultError) as refused:
        verify(changed(vector["path"], vector["value"]))
    assert refused.value.pack == vector["pack"]


@pytest.mark.parametrize("vector", VECTORS["forged"], ids=named)
def test_a_forged_record_with_valid_hashes_is_refused_at_the_pack_named(vector: Any) -> None:
    with pytest.raises(FaultError) as refused:
        verify(record_of(vector["packs"], vector["fair"], [f"Person {n}" for n in range(4)]))
    assert refused.value.pack == vector["pack"]


@pytest.mark.parametrize("value", VECTORS["no_records"], ids=lambda one: type(one).__name__)
def test_what_is_no_record_is_refused_as_a_whole(value: Any) -> None:
    with pytest.raises(FaultError) as refused:
        verify(value)
    assert refused.value.pack == 0
