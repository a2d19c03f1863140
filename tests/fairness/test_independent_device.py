"""A device that was written from docs/fair-deals.md alone does what the page's test vectors say."""

import json
from collections.abc import Sequence
from secrets import token_bytes
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from bench.attacks.fair_deals import devices as attacks
from bench.attacks.fair_deals.play import Step
from bench.attacks.fair_deals.state_machine import search
from tests.fairness.independent_device import Device, Verdict, parse_call, parse_void
from tests.fairness.independent_verifier import digest, verify
from tests.support.example_counts import examples
from tools.setup import ROOT

VECTORS: Any = json.loads((ROOT / "docs" / "fair-deals.json").read_text(encoding="utf-8"))
TABLE_ID: str = VECTORS["table"]
TABLE = bytes.fromhex(VECTORS["match"]["table"])
SEATS: int = VECTORS["record"]["seats"]


def record_of(packs: list[str], fair: Any, players: list[str]) -> Any:
    return {"players": players, "log": [["pack", cards] for cards in packs], "fair": fair}


@pytest.mark.parametrize("vector", VECTORS["devices"], ids=lambda one: one["what"])
def test_a_dishonest_server_is_answered_and_judged_as_in_the_vectors(vector: Any) -> None:
    chance = [bytes.fromhex(one) for one in reversed(vector["chance"])]
    device = Device(TABLE, SEATS, chance.pop)
    for step in vector["steps"]:
        answer = device.hear(step["match"], step["deals"], step["seat"])
        sent = {str(n): [one.hex() for one in made] for n, made in answer.commitments.items()}
        assert sent == step["commitments"]
        assert [
            {"pack": pack, "attempt": attempt, "opening": opening.hex()}
            for (pack, attempt), opening in answer.openings.items()
        ] == step["openings"]
        assert device.concerned(step["match"]).trouble == step["trouble"]
    assert chance == []
    if "verdict" in vector:
        record = record_of(vector["packs"], vector["fair"], vector["players"])
        verdict = device.concerned(step["match"]).judge(record, closed=True)
        assert verdict == Verdict(**vector["verdict"])


def test_a_seat_of_the_honest_record_answers_and_counts_as_in_the_vectors() -> None:
    vector = VECTORS["witness"]
    seat = vector["seat"]
    chance = [bytes.fromhex(one) for one in reversed(vector["chance"])]
    watch = Device(TABLE, SEATS, chance.pop).watch(VECTORS["match"]["number"])
    watch.announce(bytes.fromhex(vector["announcement"]["end"]))
    pack = 0
    for step in vector["steps"]:
        match step:
            case {"commit": number, "answer": answer}:
                assert [one.hex() for one in watch.commit(number, seat)] == answer
            case {"call": told, "answer": answer}:
                pack = told["pack"]
                watch.note_call(parse_call(told))
                assert [one.hex() for one in watch.open(pack, seat).values()] == listed(answer)
            case {"void": told, "answer": answer}:
                watch.note_void(parse_void(told))
                assert [one.hex() for one in watch.open(pack, seat).values()] == listed(answer)
            case {"next_pack": number, "decided": True}:
                watch.note_decided(pack)
                watch.next_pack = number
            case _:
                pytest.fail(f"unknown step: {step}")
    assert chance == []
    record = VECTORS["record"]
    everybody = [f"Person {n}" for n in range(SEATS)]
    told = record_of(record["packs"], record["fair"], everybody)
    assert watch.judge(told) == Verdict("verified", None, vector["own"], record["alone"])
    assert watch.uncounted(verify(told), seat) == vector["uncounted"]


def listed(answer: str | None) -> list[str]:
    return [] if answer is None else [answer]


class IndependentDevice:
    """The independent device, asked as those of the package are."""

    def __init__(self, table: str, seats: int) -> None:
        self._table, self._seats = digest("table", table.encode()), seats
        self.lose_memory()

    def react(self, deals: object, match: int, seat: int | None) -> attacks.Answer:
        answer = self._device.hear(match, deals, seat)
        return attacks.Answer(
            tuple((pack, tuple(made)) for pack, made in answer.commitments.items()),
            tuple((*place, opening) for place, opening in answer.openings.items()),
            self._device.concerned(match).trouble,
        )

    def reconnect(self) -> None:
        """Sends nothing again: what it would send is the same."""

    def reload(self) -> None:
        """It has its memory."""

    def lose_memory(self, chance: Sequence[str] | None = None) -> None:
        drawn = map(bytes.fromhex, chance or ())
        self._device = Device(self._table, self._seats, lambda: next(drawn))

    def judge(self, record: object) -> attacks.Verdict:
        return self._verdict(max(self._device.matches), record)

    def verify(self, record: object) -> attacks.Verdict:
        return self._verdict(0, record)  # a match of which it has heard nothing

    def _verdict(self, match: int, record: object) -> attacks.Verdict:
        verdict = self._device.watch(match).judge(record, closed=True)
        return attacks.Verdict(verdict.kind, verdict.own, verdict.alone, verdict.pack)


class Agreement:
    """The device of the package, with the independent one beside it, which must answer alike.

    Only what is sent at all is compared, since a device may send the same again at any time. The
    independent one sees no play, so it does not notice that a record has another one.
    """

    def __init__(self) -> None:
        self.devices = (attacks.PythonDevice(TABLE_ID, SEATS), IndependentDevice(TABLE_ID, SEATS))
        self.lose_memory()

    def react(self, deals: object, match: int, seat: int | None) -> attacks.Answer:
        answers = [device.react(deals, match, seat) for device in self.devices]
        for sent, answer in zip(self.sent, answers, strict=True):
            sent.update((match, seat, pack, made) for pack, made in answer.commitments)
            sent.update((match, seat, *opening) for opening in answer.openings)
        assert self.sent[0] == self.sent[1]
        assert answers[0].trouble == answers[1].trouble
        return answers[0]

    def show(self, steps: Sequence[Step], match: int, seat: int | None) -> None:
        self.devices[0].show(steps, match, seat)
        self.has_seen_play = True

    def reconnect(self) -> None:
        self.devices[0].reconnect()

    def reload(self) -> None:
        self.devices[0].reload()

    def lose_memory(self, chance: Sequence[str] | None = None) -> None:
        self.sent: tuple[set[Any], set[Any]] = (set(), set())
        self.has_seen_play = False
        drawn = chance or [token_bytes(32).hex() for _ in range(attacks.CHANCE)]
        for device in self.devices:
            device.lose_memory(drawn)

    def judge(self, record: object) -> attacks.Verdict:
        one, other = (device.judge(record) for device in self.devices)
        assert one == other or (self.has_seen_play and one == attacks.Verdict("wrong", pack=0))
        return one

    def verify(self, record: object) -> attacks.Verdict:
        one, other = (device.verify(record) for device in self.devices)
        assert one == other
        return one


def test_a_server_that_lies_at_random_finds_no_difference_to_the_package() -> None:
    how = settings(
        max_examples=examples(200, 30),
        stateful_step_count=20,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    search(Agreement, how)
