"""The published test vectors, replayed on a device."""

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from bench.attacks.fair_deals.checks import ROOT, Edit
from bench.attacks.fair_deals.devices import Answer, Device, EditableDevice, Verdict
from bench.attacks.fair_deals.dishonest_server import PEOPLE
from bench.attacks.fair_deals.play import Play

VECTORS: dict[str, Any] = json.loads((ROOT / "docs/fair-deals.json").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Vector:
    """A vector of a device: what it is told, and what it must answer.

    Attributes:
        what: what the server does.
        chance: the random bytes that the device draws, in hexadecimal digits.
        steps: the states that it is told with their answers, as plain JSON.
        record: the record at the end, as plain JSON.
        pack: the pack at which the record must be refused, 0 for the whole match; None where it is
            verified, or where there is no record.
        kind: the kind of the verdict; None where no record is published.
    """

    what: str
    chance: tuple[str, ...] = ()
    steps: tuple[Mapping[str, Any], ...] = ()
    record: object = None
    pack: int | None = None
    kind: str | None = None

    @property
    def is_sound(self) -> bool:
        """Whether there is nothing to notice."""
        return self.kind in (None, "verified") and all(
            step["trouble"] is None for step in self.steps
        )

    def replay(self, device: Device) -> list[Answer | Verdict]:
        """What a device answers at each step, and its verdict if there is a record."""
        device.lose_memory(self.chance)
        found: list[Answer | Verdict] = [
            device.react(step["deals"], step["match"], step["seat"]) for step in self.steps
        ]
        if self.kind is not None:
            judge = device.judge if self.steps else device.verify
            found.append(judge(self.record))
        return found

    def holds_for(self, device: Device) -> bool:
        """Whether a device answers as published."""
        *answers, last = [*self.replay(device), None]
        verdict = last if self.kind is None else answers.pop()
        expected = [_answer(step) for step in self.steps]
        if answers != expected:
            return False
        if self.kind is None:
            return True
        return isinstance(verdict, Verdict) and (verdict.kind, verdict.pack) == (
            self.kind,
            self.pack,
        )


def _answer(step: Mapping[str, Any]) -> Answer:
    return Answer(
        tuple(
            (int(pack), tuple(map(bytes.fromhex, made)))
            for pack, made in step["commitments"].items()
        ),
        tuple(
            (one["pack"], one["attempt"], bytes.fromhex(one["opening"])) for one in step["openings"]
        ),
        step["trouble"],
    )


def _record(
    packs: Sequence[Sequence[str]], fair: object, players: Sequence[str] = PEOPLE
) -> dict[str, Any]:
    return {**Play(packs, players).record(), "fair": fair}


def device_vectors() -> Iterator[Vector]:
    """The vectors of a device at a table."""
    for one in VECTORS["devices"]:
        record = kind = pack = None
        if "fair" in one:
            packs = [cards.split() for cards in one["packs"]]
            record = _record(packs, one["fair"], one["players"])
            kind, pack = one["verdict"]["kind"], one["verdict"]["pack"]
        yield Vector(one["what"], tuple(one["chance"]), tuple(one["steps"]), record, pack, kind)


def record_vectors() -> Iterator[Vector]:
    """The vectors of a verifier, which has only a record."""
    sound = VECTORS["record"]
    packs = [cards.split() for cards in sound["packs"]]
    for one in VECTORS["broken"]:
        fair = deepcopy(sound["fair"])
        *way, last = one["path"]
        place = fair
        for key in way:
            place = place[key]
        place[last] = one["value"]
        yield Vector(one["what"], record=_record(packs, fair), pack=one["pack"], kind="wrong")
    for one in VECTORS["forged"]:
        forged = [cards.split() for cards in one["packs"]]
        record = _record(forged, one["fair"])
        yield Vector(one["what"], record=record, pack=one["pack"], kind="wrong")
    for one in VECTORS["no_records"]:
        yield Vector("no record", record=one, pack=0, kind="wrong")


def is_needed(device: EditableDevice, check: Edit, vectors: list[Vector]) -> bool:
    """Whether some vector is refused by this check alone."""
    with device.edited(check):
        return any(_passes(device, vector) for vector in vectors)


def _passes(device: Device, vector: Vector) -> bool:
    """Whether a device notices nothing, where it should have; a failure is not noticing either."""
    try:
        found = vector.replay(device)
    except Exception:  # noqa: BLE001 - a device without a check fails with anything
        return True
    noticed = any(
        one.trouble is not None if isinstance(one, Answer) else one.kind in ("wrong", "broken")
        for one in found
    )
    return not noticed and not vector.is_sound
