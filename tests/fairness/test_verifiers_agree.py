"""The package and the independent verifier judge alike whatever is made of honest records.

The records are made by a server that was written from docs/fair-deals.md alone as well, so that the
package must also verify the deals of a server that is not its own.
"""

import copy
import hmac
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.fairness import Evidence, FairError
from jasstisch.fairness import verify as verify_by_package
from tests.fairness.independent_verifier import (
    CHAIN_LENGTH,
    FORMAT,
    MOST_MISSES,
    Attempt,
    FaultError,
    Person,
    commitment_to,
    digest,
    field,
    order_of,
    transcript_of,
    verify,
)
from tests.support.example_counts import examples

TABLE = digest("table", b"another table's id")
MATCH = 2
SEATS = 4
PLAYERS = ["Anna", "bot:club", "Reto", "bot:club"]
CARDS = ["6C", "7C", "8D", "JH", "AH", "TS"]

Asked = dict[int, bool]
"""The seats asked in an attempt, and whether each opens."""

Plan = list[list[Asked]]
"""The attempts at each pack."""


# A server


@cache
def chain(number: int) -> list[bytes]:
    """The links of a chain, from its root to its end."""
    numbers = [field(one.to_bytes(4, "big")) for one in (MATCH, number)]
    message = field(f"{FORMAT} root".encode()) + field(TABLE) + b"".join(numbers)
    links = [hmac.digest(bytes(32), message, "sha256")]
    while len(links) <= CHAIN_LENGTH:
        links.append(digest("link", TABLE, MATCH, links[-1]))
    return links


def attempt_at(pack: int, number: int, position: int, asked: Asked) -> Attempt:
    people = []
    for seat, opens in asked.items():
        opening = digest("for tests", pack, number, seat)
        committed = commitment_to(TABLE, MATCH, pack, number, seat, opening)
        people.append(Person(seat, committed, opening if opens else None))
    secret = chain(position // CHAIN_LENGTH)[CHAIN_LENGTH - 1 - position % CHAIN_LENGTH]
    return Attempt(secret, tuple(people))


def record_of(plan: Plan) -> Any:
    """The record of a match that was dealt so, whose hashes are all valid."""
    position = 0
    packs, log = [], []
    for pack, asked in enumerate(plan, 1):
        attempts = [
            attempt_at(pack, number, position + number - 1, one)
            for number, one in enumerate(asked, 1)
        ]
        position += len(attempts)
        packs.append([plain(attempt) for attempt in attempts])
        cards = CARDS
        if attempts:
            transcript = transcript_of(TABLE, MATCH, pack, attempts)
            cards = order_of(CARDS, attempts[-1].secret, transcript)
        log.append(["pack", " ".join(cards)])
    ends = [chain(number)[-1].hex() for number in range(-(-position // CHAIN_LENGTH) or 1)]
    fair = {"format": FORMAT, "table": TABLE.hex(), "match": MATCH, "ends": ends, "packs": packs}
    return {"players": PLAYERS, "log": log, "fair": fair}


def plain(attempt: Attempt) -> Any:
    return {
        "secret": attempt.secret.hex(),
        "people": [
            {
                "seat": one.seat,
                "commitment": one.commitment.hex(),
                "opening": None if one.opening is None else one.opening.hex(),
            }
            for one in attempt.people
        ],
    }


# Matches, and what is made of them

seats = st.integers(0, SEATS - 1)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """What happens in an honest match."""
    plan: Plan = []
    misses: Counter[int] = Counter()
    for _ in range(draw(st.integers(0, 6))):
        may_be_asked = [seat for seat in range(SEATS) if misses[seat] < MOST_MISSES]
        asked = [seat for seat in may_be_asked if draw(st.booleans())]
        attempts: list[Asked] = []
        while not attempts or not all(attempts[-1].values()):
            attempts.append({seat: draw(st.integers(0, 3)) > 0 for seat in asked})
            misses.update(seat for seat, opens in attempts[-1].items() if not opens)
            asked = [seat for seat in asked if attempts[-1][seat]]
        plan.append(attempts)
    return plan


@st.composite
def forged_plans(draw: st.DrawFn) -> Plan:
    """A match in which the server has asked others than it may, or counted other attempts."""
    plan = draw(plans().filter(bool))
    for _ in range(draw(st.integers(1, 3))):
        attempts = draw(st.sampled_from(plan))
        place = draw(st.integers(0, max(0, len(attempts) - 1)))
        match draw(st.sampled_from(["add", "remove", "ask", "open", "leave out", "turn round"])):
            case "add":
                attempts.insert(place, {seat: draw(st.booleans()) for seat in draw(st.sets(seats))})
            case "remove":
                del attempts[place : place + 1]
            case "ask" if attempts:
                attempts[place][draw(st.integers(0, SEATS))] = draw(st.booleans())
            case "open" if attempts and attempts[place]:
                seat = draw(st.sampled_from(sorted(attempts[place])))
                attempts[place][seat] = not attempts[place][seat]
            case "leave out" if attempts and attempts[place]:
                del attempts[place][draw(st.sampled_from(sorted(attempts[place])))]
            case "turn round" if attempts:
                attempts[place] = dict(reversed(attempts[place].items()))
    return plan


Path = tuple[str | int, ...]
JUNK: Sequence[Any] = (None, True, -1, 0, 1, 15, 16, 2**32, 2.0, "", "0" * 64, "A" * 64, [], {})


def paths(value: Any, before: Path = ()) -> list[Path]:
    """All places within a JSON value."""
    keys: Iterable[str | int] = ()
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(len(value))
    inside = [(*before, key) for key in keys]
    return inside + [path for one in inside for path in paths(value[one[-1]], one)]


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """An honest record in which something was replaced, removed, repeated, swapped or misspelt."""
    record = record_of(draw(plans()))
    for _ in range(draw(st.integers(1, 2))):
        places = paths(record["fair"], ("fair",))
        if not places:
            break
        path = draw(st.sampled_from(places))
        place, key, value = at(record, path[:-1]), path[-1], at(record, path)
        match draw(st.sampled_from(["replace", "move", "remove", "repeat", "swap", "misspell"])):
            case "replace":
                place[key] = copy.deepcopy(draw(st.sampled_from(JUNK)))
            case "move":
                place[key] = copy.deepcopy(at(record, draw(st.sampled_from(paths(record)))))
            case "remove":
                del place[key]
            case "repeat" if isinstance(place, list):
                place.insert(draw(st.integers(0, len(place))), copy.deepcopy(value))
            case "swap":
                siblings = place if isinstance(place, dict) else range(len(place))
                other = draw(st.sampled_from(sorted(siblings)))
                place[key], place[other] = place[other], value
            case "misspell" if isinstance(value, str) and value:
                where = draw(st.integers(0, len(value) - 1))
                place[key] = value[:where] + draw(st.sampled_from("0aAfé ")) + value[where + 1 :]
    return record


# Verdicts: the pack of the fault, or what is proved


Verdict = int | tuple[int, dict[int, int], int, list[tuple[int, int, int]]]


def by_the_package(record: Any) -> Verdict:
    packs = [cards.split(" ") for _, cards in record["log"]]
    computers = [seat for seat, name in enumerate(PLAYERS) if name.startswith("bot:")]
    try:
        report = verify_by_package(Evidence.from_json(record.get("fair")), packs, SEATS, computers)
    except FairError as error:
        return error.pack
    misses = [(one.pack_number, one.attempt, one.seat) for one in report.missed_openings]
    return (
        report.attempt_count,
        report.contribution_counts,
        report.secret_only_pack_count,
        misses,
    )


def by_the_page(record: Any) -> Verdict:
    try:
        proof = verify(record)
    except FaultError as fault:
        return fault.pack
    return sum(map(len, proof.packs)), dict(proof.contributed), proof.alone, proof.misses


@settings(max_examples=examples(50, 20))
@given(plans())
def test_an_honest_record_is_verified_by_both(plan: Plan) -> None:
    record = record_of(plan)
    assert isinstance(by_the_page(record), tuple)
    assert by_the_package(record) == by_the_page(record)


@settings(max_examples=examples(200, 30))
@given(forged_plans())
def test_a_forged_record_with_valid_hashes_is_judged_alike(plan: Plan) -> None:
    record = record_of(plan)
    assert by_the_package(record) == by_the_page(record)


@settings(max_examples=examples(500, 50))
@given(damaged())
def test_a_damaged_record_is_judged_alike(record: Any) -> None:
    assert by_the_package(record) == by_the_page(record)


@settings(max_examples=examples(100, 20))
@given(plans().filter(bool), st.data())
def test_other_cards_are_judged_alike(plan: Plan, data: st.DataObject) -> None:
    record = record_of(plan)
    entry = data.draw(st.sampled_from(record["log"]))
    cards = [*CARDS, "6H", "1C", "6c", "TSS", ""]
    entry[1] = " ".join(data.draw(st.lists(st.sampled_from(cards), max_size=7)))
    assert by_the_package(record) == by_the_page(record)
    entry[1] = " ".join(data.draw(st.permutations(CARDS)))
    assert by_the_package(record) == by_the_page(record)


def test_a_match_longer_than_a_chain_is_judged_alike() -> None:
    plan: Plan = [[{}]] * (CHAIN_LENGTH + 2)
    record = record_of(plan)
    assert isinstance(by_the_package(record), tuple)
    assert by_the_package(record) == by_the_page(record)
    first, second = record["fair"]["ends"]
    for ends, fault in (
        ([first], CHAIN_LENGTH + 1),
        ([second, first], 1),
        ([first, first], CHAIN_LENGTH + 1),
        ([first, second, second], 0),
    ):
        record["fair"]["ends"] = ends
        assert by_the_package(record) == by_the_page(record) == fault
