"""The honest device, in each implementation of it."""

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_bytes
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Protocol, Self, TypeVar
from weakref import finalize

from msgspec import convert

from bench.attacks.fair_deals.checks import Edit, edited
from bench.attacks.fair_deals.play import Step
from jasstisch.client import DealMemory, DealVerdict
from jasstisch.client.deal_verdict import judge_deals
from jasstisch.client.fair_deals import TableDeals
from jasstisch.client.match_witness import change_by
from jasstisch.server.api.messages import CommitContributions, EventInfo, OpenContribution

Found = TypeVar("Found")

ROOT = Path(__file__).parents[3]
DRIVER = "scripts/fair-deals/device.mjs"
"""The TypeScript device as a program, in the folder `web`."""

_MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - a folder of this process is made in it
"""Where writing durably costs nothing, on Linux."""

_SHARES = ("own", "excluded", "unseen")

CHANCE = 200
"""Random bytes for a device that draws what another one draws: more than any play needs."""


class DeviceError(Exception):
    """The device has failed: it has a fault of its own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a device does when it is told a state of the deals.

    Attributes:
        commitments: packs with the commitments that it sends for them.
        openings: packs and attempts with the contributions that it opens.
        trouble: the pack at which it has found that the server does not keep to the protocol, 0 for
            the whole match; None where it does.
    """

    commitments: tuple[tuple[int, tuple[bytes, ...]], ...]
    openings: tuple[tuple[int, int, bytes], ...]
    trouble: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a device on a record.

    Attributes:
        kind: the kind, as in `DealVerdict`; `verified` wherever the proof holds, for whichever
            packs the device vouches; `none` where it says nothing of the deals.
        own_pack_count: the number of packs for which the device vouches.
        secret_only_pack_count: the number of packs that it says the server alone decided.
        pack: the pack at which it refuses the record, 0 for the whole match; None where it does not
            refuse it or has no record to refuse.
    """

    kind: str
    own_pack_count: int = 0
    secret_only_pack_count: int = 0
    pack: int | None = None


@dataclass(frozen=True, slots=True)
class NamedPacks:
    """What a device names when it calls a record verified.

    Attributes:
        own: the packs for which the device vouches.
        excluded: those decided without it although it had committed to them.
        unseen: those in which it took no part.
        missing: the pack, the attempt and the seat of each contribution that was not opened.
        alone: how many packs the server alone decided.
    """

    own: tuple[int, ...]
    excluded: tuple[int, ...]
    unseen: tuple[int, ...]
    missing: tuple[tuple[int, int, int], ...]
    alone: int


class Device(Protocol):
    """A device at one table, whose seats are four."""

    def react(self, deals: object, match: int, seat: int | None) -> Answer:
        """Tells the device a state of the deals."""
        ...

    def show(self, steps: Sequence[Step], match: int, seat: int | None) -> None:
        """Shows the device a part of the play."""
        ...

    def reconnect(self) -> None:
        """The device has lost its connection and has another one."""
        ...

    def reload(self) -> None:
        """The device starts again, with its memory."""
        ...

    def lose_memory(self, chance: Sequence[str] | None = None) -> None:
        """The device starts again, without its memory.

        Args:
            chance: the random bytes that it draws from now on, in hexadecimal digits.
        """
        ...

    def judge(self, record: object) -> Verdict:
        """The verdict of the device on the record of the last match."""
        ...

    def verify(self, record: object) -> Verdict:
        """The verdict of a device that has seen nothing of the match."""
        ...


class EditableDevice(Device, Protocol):
    """A device of one implementation."""

    def named_packs(self, record: object) -> NamedPacks | None:
        """What the device names in a record; None where it does not call it verified."""
        ...

    def edited(self, edit: Edit) -> AbstractContextManager[None]:
        """Runs a new device with a change to its source."""
        ...

    def unproven_matches(self) -> list[int]:
        """The matches whose records the device asks for, because another has replaced them."""
        ...


class PythonDevice:
    """The device of `jasstisch.client`, with its memory in files.

    Args:
        table: the id of the table.
        seats: the number of its seats.
        chance: a source of random bytes.
    """

    def __init__(
        self, table: str, seats: int, chance: Callable[[int], bytes] = token_bytes
    ) -> None:
        self._table, self._seats, self._chance = table, seats, chance
        self._last_match = 0
        self._folder = Path(mkdtemp(dir=_MEMORY_DISK if _MEMORY_DISK.is_dir() else None))
        finalize(self, rmtree, self._folder)
        self._start(chance)

    def react(self, deals: object, match: int, seat: int | None) -> Answer:
        """Tells the device a state of the deals."""
        room = {"number": match, "fair": deals, "seats": [None] * self._seats}
        sent = self._deals.contributions(room, seat)
        seen = self._deals.latest
        self._last_match = self._last_match if seen is None else seen.number
        return Answer(
            tuple(
                (one.pack, tuple(map(bytes.fromhex, one.commitments)))
                for one in sent
                if isinstance(one, CommitContributions)
            ),
            tuple(
                (one.pack, one.attempt, bytes.fromhex(one.opening))
                for one in sent
                if isinstance(one, OpenContribution)
            ),
            seen.problem.pack if seen and seen.problem else None,
        )

    def show(self, steps: Sequence[Step], match: int, seat: int | None) -> None:
        """Shows the device a part of the play."""
        room = {"number": match, "fair": {}, "seats": [None] * self._seats}
        for step in steps:
            change = "gap" if step.event is None else change_by(convert(step.event, EventInfo))
            self._deals.note_view(room, seat, step.view, change)

    def reconnect(self) -> None:
        """The device has lost its connection and has another one."""
        if self._deals.latest is not None:
            self._deals.latest.participant.mark_all_unsent()

    def reload(self) -> None:
        """The device starts again, with its memory."""
        self._deals.close()
        self._start(self._used_chance)

    def lose_memory(self, chance: Sequence[str] | None = None) -> None:
        """The device starts again, without its memory."""
        self._deals.close()
        for file in self._folder.iterdir():
            file.unlink()
        drawn = map(bytes.fromhex, chance or ())
        self._last_match = 0
        self._start(self._chance if chance is None else lambda _: next(drawn))

    def _start(self, chance: Callable[[int], bytes]) -> None:
        self._used_chance = chance
        self._deals = TableDeals(self._table, DealMemory(self._folder), chance)

    @contextmanager
    def edited(self, edit: Edit) -> Iterator[None]:
        """Runs a new device with a change to its source."""
        with edited(edit):
            self.lose_memory()
            yield
        self.lose_memory()

    def judge(self, record: Any) -> Verdict:
        """The verdict of the device on the record of the last match."""
        return _plain(self._judge(record))

    def unproven_matches(self) -> list[int]:
        """The matches whose records the device asks for, because another has replaced them."""
        return self._deals.unproven_before(self._last_match)

    def verify(self, record: Any) -> Verdict:
        """The verdict of a device that has seen nothing of the match."""
        return _plain(judge_deals(record, None, None, closed=True))

    def named_packs(self, record: Any) -> NamedPacks | None:
        """What the device names in a record; None where it does not call it verified."""
        verdict = self._judge(record)
        if verdict is None or verdict.report is None:
            return None
        missed = verdict.report.missed_openings
        return NamedPacks(
            verdict.own_packs,
            verdict.excluded_packs,
            verdict.unseen_packs,
            tuple((one.pack_number, one.attempt, one.seat) for one in missed),
            verdict.report.secret_only_pack_count,
        )

    def _judge(self, record: Any) -> DealVerdict | None:
        seen = self._deals.latest or self._deals.of_match(self._last_match)
        if seen is None:
            return judge_deals(record, None, None, closed=True)
        return seen.judge(record, closed=True)


def _plain(verdict: DealVerdict | None) -> Verdict:
    if verdict is None:
        return Verdict("none")
    if verdict.report is not None:
        alone = verdict.report.secret_only_pack_count
        return Verdict("verified", verdict.own_pack_count, alone)
    refused = verdict.kind in ("wrong", "broken") and verdict.problem is not None
    return Verdict(verdict.kind, pack=verdict.problem.pack if refused and verdict.problem else None)


class TypeScriptDevice:
    """The device of the page, in Node or in Chromium.

    Args:
        table: the id of the table.
        seats: the number of its seats.
        browser: whether it runs in Chromium.
    """

    def __init__(self, table: str, seats: int, *, browser: bool = False) -> None:
        self._place = {"table": table, "seats": seats}
        self._process = subprocess.Popen(
            ["node", DRIVER, *["--browser"] * browser],
            cwd=ROOT / "web",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.lose_memory()

    def react(self, deals: object, match: int, seat: int | None) -> Answer:
        """Tells the device a state of the deals."""
        answer = self._ask(do="react", deals=deals, match=match, seat=seat)
        sent: Sequence[dict[str, Any]] = answer["messages"]
        return Answer(
            tuple(
                (one["pack"], tuple(map(bytes.fromhex, one["commitments"])))
                for one in sent
                if one["type"] == "commit"
            ),
            tuple(
                (one["pack"], one["attempt"], bytes.fromhex(one["opening"]))
                for one in sent
                if one["type"] == "open"
            ),
            answer["trouble"],
        )

    def show(self, steps: Sequence[Step], match: int, seat: int | None) -> None:
        """Shows the device a part of the play."""
        shown = [asdict(step) for step in steps]
        self._ask(do="show", steps=shown, match=match, seat=seat)

    def reconnect(self) -> None:
        """The device has lost its connection and has another one."""
        self._ask(do="reconnect")

    def reload(self) -> None:
        """The device starts again, with its memory."""
        self._ask(do="reload", **self._place)

    def lose_memory(self, chance: Sequence[str] | None = None) -> None:
        """The device starts again, without its memory."""
        self._ask(do="start", chance=chance, **self._place)

    def judge(self, record: object) -> Verdict:
        """The verdict of the device on the record of the last match."""
        return self._verdict(record, seen=True)

    def verify(self, record: object) -> Verdict:
        """The verdict of a device that has seen nothing of the match."""
        return self._verdict(record, seen=False)

    def named_packs(self, record: object) -> NamedPacks | None:
        """What the device names in a record; None where it does not call it verified."""
        answer = self._ask(do="judge", record=json.dumps(record), seen=True)
        if answer["kind"] != "verified":
            return None
        own, excluded, unseen = (tuple(answer["shares"][one]) for one in _SHARES)
        return NamedPacks(
            own, excluded, unseen, tuple(map(tuple, answer["missing"])), answer["alone"]
        )

    def unproven_matches(self) -> list[int]:
        """The matches whose records the device asks for, because another has replaced them."""
        replaced: list[int] = self._ask(do="replaced")["matches"]
        return replaced

    def _verdict(self, record: object, *, seen: bool) -> Verdict:
        answer = self._ask(do="judge", record=json.dumps(record), seen=seen)
        return Verdict(answer["kind"], answer["own"], answer["alone"], answer["pack"])

    @contextmanager
    def edited(self, edit: Edit) -> Iterator[None]:
        """Runs a new device with a change to its source."""
        self._ask(do="edit", file=edit.module, old=edit.old, new=edit.new)
        self.lose_memory()
        try:
            yield
        finally:
            self._ask(do="edit")
            self.lose_memory()

    def close(self) -> None:
        """Ends the driver."""
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, **command: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the driver has ended with {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise DeviceError(answer["error"])
        return answer


class DeviceComparison:
    """Several devices that draw the same random bytes, and must answer alike.

    Args:
        devices: the devices.
    """

    def __init__(self, *devices: Device) -> None:
        self._devices = devices
        self.lose_memory()

    def react(self, deals: object, match: int, seat: int | None) -> Answer:
        """Tells the devices a state of the deals."""
        return _only(device.react(deals, match, seat) for device in self._devices)

    def show(self, steps: Sequence[Step], match: int, seat: int | None) -> None:
        """Shows the devices a part of the play."""
        for device in self._devices:
            device.show(steps, match, seat)

    def reconnect(self) -> None:
        """The devices have lost their connections and have others."""
        for device in self._devices:
            device.reconnect()

    def reload(self) -> None:
        """The devices start again, with their memory."""
        for device in self._devices:
            device.reload()

    def lose_memory(self, chance: Sequence[str] | None = None) -> None:
        """The devices start again, without their memory."""
        drawn = [token_bytes(32).hex() for _ in range(CHANCE)] if chance is None else chance
        for device in self._devices:
            device.lose_memory(drawn)

    def judge(self, record: object) -> Verdict:
        """The verdict of the devices on the record of the last match."""
        return _only(device.judge(record) for device in self._devices)

    def verify(self, record: object) -> Verdict:
        """The verdict of devices that have seen nothing of the match."""
        return _only(device.verify(record) for device in self._devices)


def _only(found: Iterable[Found]) -> Found:
    """What all devices have found.

    Raises:
        DeviceError: they differ.
    """
    first, *others = found
    for other in others:
        if other != first:
            raise DeviceError(f"one device finds {first}, another {other}")
    return first
