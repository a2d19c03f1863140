"""The test vectors of docs/fair-deals.md, by which an implementation in any language is held.

They are made by `jasstisch.fairness` and stand in docs/fair-deals.json; what the web client does
with them is written on its own and tested with the same file.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from jasstisch.engine.cards import JASS
from jasstisch.fairness import (
    FORMAT,
    Announcement,
    Attempt,
    Chain,
    Contribution,
    Evidence,
    Ledger,
    MatchId,
    PackCall,
    PendingContributions,
    VoidAttempt,
    Witness,
)
from jasstisch.fairness.chain import CHAIN_LENGTH
from jasstisch.fairness.contributions import commitment
from jasstisch.fairness.encoding import digest, encode
from jasstisch.fairness.shuffle import derive_order, transcript

__all__ = ["PATH", "page", "play_match"]

PATH = "docs/fair-deals.json"

TABLE = "a table's id"
MATCH = MatchId.of(TABLE, 3)
SEED = bytes(range(32))
SEATS = 4
OWN = 3
"""The seat whose side of the match is published too."""

JASS_PACK = list(JASS.texts)
WHOLE_PACK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]

AbsencePlan = Sequence[dict[int, int]]
"""For each pack the seats that commit themselves, with the attempt they do not open, 0 for none."""

ABSENCES: AbsencePlan = (
    {0: 0, 1: 0, 3: 0},
    {0: 0, 1: 1, 3: 2},
    {},
    {0: 0, 1: 1},
    {3: 1},
    {0: 0, 1: 1, 2: 0},
)


def pseudo_random_bytes(name: str) -> Callable[[int], bytes]:
    """Bytes that look random and are always the same for a name."""
    blocks = (sha256(f"{name} {number}".encode()).digest() for number in count())
    return lambda size: next(blocks)[:size]


class RecordingWitness(Witness):
    """A witness that notes what it is asked and what it answers, as plain JSON.

    Attributes:
        steps: what it was asked, in order.
        drawn: the chance it was given, in order.
    """

    def __init__(self, announcement: Announcement, seat: int) -> None:
        super().__init__(announcement, SEATS, self._draw)
        self.steps: list[dict[str, Any]] = []
        self.drawn: list[str] = []
        self._source = pseudo_random_bytes(f"seat {seat}")

    def _draw(self, size: int) -> bytes:
        made = self._source(size)
        self.drawn.append(made.hex())
        return made

    def commit(self, pack: int, seat: int) -> list[bytes]:
        made = super().commit(pack, seat)
        self.steps.append({"commit": pack, "answer": [one.hex() for one in made]})
        return made

    def open(self, call: PackCall, seat: int | None) -> bytes | None:
        opening = super().open(call, seat)
        self.steps.append({"call": call.to_json(), "answer": opening and opening.hex()})
        return opening

    def open_after_void(self, void: VoidAttempt, seat: int | None) -> bytes | None:
        opening = super().open_after_void(void, seat)
        self.steps.append({"void": void.to_json(), "answer": opening and opening.hex()})
        return opening


def play_match(
    scene: AbsencePlan, cards: Sequence[str] = JASS_PACK, match: MatchId = MATCH, seed: bytes = SEED
) -> tuple[Evidence, list[list[str]], dict[int, RecordingWitness]]:
    """A match dealt by the protocol.

    Args:
        scene: who contributes to each pack, and who fails to open.
        cards: of each pack.
        match: which match.
        seed: of the server's secrets.

    Returns:
        Its evidence, its packs as they were dealt, and who witnessed it.
    """
    ledger = Ledger.begin(seed, match, SEATS)
    gathering = PendingContributions()
    witnesses = {seat: RecordingWitness(ledger.announcement, seat) for seat in range(SEATS)}
    packs = []
    for absences in scene:
        for seat in absences:
            made = witnesses[seat].commit(ledger.next_pack, seat)
            gathering.commit(ledger, seat, ledger.next_pack, made)
        ledger = deal_pack(ledger, gathering, witnesses, absences)
        packs.append(ledger.derive_order(cards))
    return ledger.evidence(), packs, witnesses


def deal_pack(
    ledger: Ledger,
    gathering: PendingContributions,
    witnesses: Mapping[int, Witness],
    absences: Mapping[int, int],
) -> Ledger:
    """Decides one pack."""
    call = gathering.next_call(ledger)
    ledger = ledger.with_call(call)
    openings = {seat: witness.open(call, seat) for seat, witness in witnesses.items()}
    while ledger.call is not None:
        for seat in ledger.asked:
            opening = openings[seat]
            if absences[seat] != ledger.attempt and opening is not None:
                gathering.add_opening(ledger, seat, ledger.attempt, opening)
        void_before = ledger.last_void_attempt
        ledger = ledger.with_openings(gathering.openings(ledger))
        void = ledger.last_void_attempt
        if void is not None and void != void_before:
            openings = {
                seat: witness.open_after_void(void, seat) for seat, witness in witnesses.items()
            }
    return ledger


def corruptions(plain: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Changes to the evidence, each with the first pack that is wrong then, 0 for the match."""
    other = "f" * 64
    packs = plain["packs"]
    people = packs[0][0]["people"]
    swapped = [people[place] for place in (1, 0, 2)]
    alike = [{**one, "opening": people[0]["opening"]} for one in people]
    for what, path, value, pack in (
        ("another format", ["format"], "jasstisch-fair/2", 0),
        ("another table", ["table"], other, 1),
        ("another match", ["match"], 4, 1),
        ("another end", ["ends", 0], other, 1),
        ("an end too many", ["ends"], [*plain["ends"], other], 0),
        ("no end", ["ends"], [], 1),
        ("upper case", ["ends", 0], plain["ends"][0].upper(), 0),
        ("another secret", ["packs", 2, 0, "secret"], other, 3),
        ("another commitment", ["packs", 0, 0, "people", 0, "commitment"], other, 1),
        (
            "another commitment of somebody who did not open it",
            ["packs", 1, 0, "people", 1, "commitment"],
            other,
            2,
        ),
        ("another contribution", ["packs", 0, 0, "people", 2, "opening"], other, 1),
        ("contributions in another order", ["packs", 0, 0, "people"], swapped, 1),
        ("one contribution for all", ["packs", 0, 0, "people"], alike, 1),
        ("a contribution left out", ["packs", 0, 0, "people"], people[:2], 1),
        ("an opening taken back", ["packs", 0, 0, "people", 0, "opening"], None, 1),
        ("a void attempt left out", ["packs", 1], packs[1][1:], 2),
        ("an attempt left out at the end", ["packs", 1], packs[1][:-1], 2),
        ("no attempt", ["packs", 3], [], 4),
        ("a pack left out", ["packs"], packs[:-1], len(packs)),
        ("a pack too many", ["packs"], [*packs, packs[2]], 0),
        ("another seat", ["packs", 4, 0, "people", 0, "seat"], 2, 5),
        ("a seat that is none", ["packs", 4, 0, "people", 0, "seat"], 4, 5),
    ):
        yield {"what": what, "path": path, "value": value, "pack": pack}


ForgedAttempts = Sequence[Sequence[tuple[int, bool]]]
"""The attempts at a pack: who is asked, and whether he opens."""

FORGERIES: dict[str, Sequence[ForgedAttempts]] = {
    "an attempt passed over in which all had opened": (
        (((0, True), (1, True)), ((0, True), (1, True))),
    ),
    "the last attempt not opened by all": ((((0, True), (1, False)),),),
    "somebody left out who had opened": ((((0, True), (1, True), (2, False)), ((0, True),)),),
    "somebody asked for the second attempt alone": (
        (((0, True), (1, False)), ((0, True), (2, True))),
    ),
    "seats in another order": ((((1, True), (0, True)),),),
    "a seat twice": ((((1, True), (1, True)),),),
    "somebody asked after three misses": (
        *[(((0, True), (1, False)), ((0, True),))] * 3,
        (((0, True), (1, True)),),
    ),
}
"""What a server might do that its secrets and orders fit; the last pack is always the wrong one."""


def forge_match(packs: Sequence[ForgedAttempts]) -> dict[str, Any]:
    """A match whose hashes all hold, whatever was done."""
    bytes_of = pseudo_random_bytes("forged")
    secrets = iter(Chain(SEED, MATCH).secrets(sum(map(len, packs))))
    made, dealt = [], []
    for pack, attempts in enumerate(packs, start=1):
        done = []
        for number, people in enumerate(attempts, start=1):
            asked = []
            for seat, opens in people:
                opening = bytes_of(32)
                committed = commitment(MATCH, pack, number, seat, opening)
                asked.append(Contribution(seat, committed, opening if opens else None))
            done.append(Attempt(next(secrets), tuple(asked)))
        deal = transcript(MATCH, pack, [attempt.people for attempt in done])
        dealt.append(" ".join(derive_order(JASS_PACK, done[-1].secret, deal)))
        made.append(tuple(done))
    evidence = Evidence(MATCH, (Chain(SEED, MATCH).end(0),), tuple(made))
    return {"packs": dealt, "fair": evidence.to_json(), "pack": len(packs)}


def hashes() -> list[dict[str, Any]]:
    """Lists of values, the bytes that stand for them, and their hash."""
    lists: list[tuple[str, list[bytes | int]]] = [
        ("table", [TABLE.encode()]),
        ("table", ["Tisch für vier".encode()]),
        ("link", [MATCH.table, MATCH.number, SEED]),
        ("example", []),
        ("example", [b"", 0, 2**32 - 1]),
    ]
    return [
        {
            "purpose": purpose,
            "parts": [part if isinstance(part, int) else part.hex() for part in parts],
            "bytes": encode(purpose, *parts).hex(),
            "hash": digest(purpose, *parts).hex(),
        }
        for purpose, parts in lists
    ]


def orders() -> list[dict[str, Any]]:
    """Packs shuffled by a secret and a transcript."""
    bytes_of = pseudo_random_bytes("orders")
    sizes = [["6C"], ["6C", "AS"], JASS_PACK, WHOLE_PACK]
    made = []
    for cards in sizes:
        secret, deal = bytes_of(32), bytes_of(32)
        shuffled = derive_order(cards, secret, deal)
        made.append(
            {
                "cards": " ".join(cards),
                "secret": secret.hex(),
                "transcript": deal.hex(),
                "order": " ".join(shuffled),
            }
        )
    return made


def transcripts() -> list[dict[str, Any]]:
    """Attempts at a pack and their hash."""
    bytes_of = pseudo_random_bytes("transcripts")
    void = (Contribution(0, bytes_of(32), bytes_of(32)), Contribution(2, bytes_of(32), None))
    last = (Contribution(0, bytes_of(32), bytes_of(32)),)
    made = []
    for pack, attempts in ((1, ((),)), (2, (last,)), (3, (void, last))):
        evidence = Evidence(MATCH, (), (tuple(Attempt(SEED, people) for people in attempts),))
        people = [one["people"] for one in evidence.to_json()["packs"][0]]
        made.append(
            {"pack": pack, "people": people, "hash": transcript(MATCH, pack, attempts).hex()}
        )
    return made


def vectors() -> dict[str, Any]:
    """All test vectors, as plain JSON."""
    chain = Chain(SEED, MATCH)
    made = pseudo_random_bytes("commitment")(32)
    evidence, packs, witnesses = play_match(ABSENCES)
    own = witnesses[OWN]
    plain = evidence.to_json()
    return {
        "format": FORMAT,
        "table": TABLE,
        "match": {"table": MATCH.table.hex(), "number": MATCH.number},
        "hashes": hashes(),
        "chain": {
            "seed": SEED.hex(),
            "length": CHAIN_LENGTH,
            "ends": [chain.end(number).hex() for number in (0, 1)],
            "secrets": {
                str(position): chain.secret(position).hex()
                for position in (0, 1, CHAIN_LENGTH - 1, CHAIN_LENGTH, CHAIN_LENGTH + 1)
            },
        },
        "commitment": {
            "pack": 2,
            "attempt": 1,
            "seat": 3,
            "contribution": made.hex(),
            "commitment": commitment(MATCH, 2, 1, 3, made).hex(),
        },
        "transcripts": transcripts(),
        "orders": orders(),
        "record": {
            "seats": SEATS,
            "packs": [" ".join(cards) for cards in packs],
            "fair": plain,
            "attempts": sum(map(len, evidence.packs)),
            "contributed": {"0": 4, "1": 1, "2": 1, "3": 1},
            "alone": 2,
            "misses": [[2, 1, 1], [2, 2, 3], [4, 1, 1], [5, 1, 3], [6, 1, 1]],
        },
        "witness": {
            "seat": OWN,
            "announcement": own.announcement.to_json(),
            "chance": own.drawn,
            "steps": own.steps,
            "own": own.check_evidence(evidence),
            "uncounted": list(own.omitted_packs),
        },
        "broken": list(corruptions(plain)),
        "forged": [{"what": what, **forge_match(packs)} for what, packs in FORGERIES.items()],
    }


def page() -> dict[str, str]:
    """The file of test vectors, by its path."""
    return {PATH: json.dumps(vectors(), indent=1) + "\n"}
