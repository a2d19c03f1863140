"""The test vectors of a device: what a server tells it, and what it is to answer.

They are the attacks and breaches of a dishonest server, `bench.attacks.fair_deals`, as the Python
device takes them.
"""

from collections.abc import Callable
from typing import Any

from bench.attacks.fair_deals.attacks import ATTACKS
from bench.attacks.fair_deals.breaches import BREACHES, MALFORMED
from bench.attacks.fair_deals.devices import Answer, PythonDevice
from bench.attacks.fair_deals.dishonest_server import (
    SEATS,
    TABLE,
    DishonestServer,
    ForgedRecord,
)
from tools.pseudo_random_bytes import pseudo_random_bytes


class RecordedDevice(PythonDevice):
    """A device that records what it is told and what it answers, as plain JSON.

    Attributes:
        steps: the states it was told with its answers, in order.
        drawn: the random bytes it was given, in order.
    """

    def __init__(self, name: str) -> None:
        source = pseudo_random_bytes(name)
        self.steps: list[dict[str, Any]] = []
        self.drawn: list[str] = []

        def draw(size: int) -> bytes:
            made = source(size)
            self.drawn.append(made.hex())
            return made

        super().__init__(TABLE, SEATS, draw)

    def react(self, deals: object, match: int, seat: int | None) -> Answer:
        """Tells the device a state of the deals, and records it."""
        answer = super().react(deals, match, seat)
        self.steps.append(
            {
                "match": match,
                "seat": seat,
                "deals": deals,
                "commitments": {
                    str(pack): [one.hex() for one in made] for pack, made in answer.commitments
                },
                "openings": [
                    {"pack": pack, "attempt": attempt, "opening": opening.hex()}
                    for pack, attempt, opening in answer.openings
                ],
                "trouble": answer.trouble,
            }
        )
        return answer


def device_vectors() -> list[dict[str, Any]]:
    """Returns what a server tells a device, with its answers and its verdict."""
    plays: dict[str, Callable[[DishonestServer], ForgedRecord | None]] = {
        **{attack.title: attack.run for attack in ATTACKS},
        **{str(breach.__doc__): breach for breach in BREACHES},
        **MALFORMED,
    }
    return [_vector(what, play) for what, play in plays.items()]


def _vector(what: str, play: Callable[[DishonestServer], ForgedRecord | None]) -> dict[str, Any]:
    device = RecordedDevice(what)
    record = play(DishonestServer(device))
    vector = {"what": what, "chance": device.drawn, "steps": device.steps}
    if record is None:
        return vector
    verdict = device.judge(record.plain())
    return {
        **vector,
        "players": list(record.play.players),
        "packs": [" ".join(cards) for cards in record.play.packs],
        "fair": record.evidence.to_json(),
        "verdict": {
            "kind": verdict.kind,
            "pack": verdict.pack,
            "own": verdict.own_pack_count,
            "alone": verdict.secret_only_pack_count,
        },
    }
