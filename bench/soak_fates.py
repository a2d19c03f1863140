"""What became of the actions people asked for: what they were told, beside what the log says.

Somebody asks for one action at a time, when his copy of the table shows that it is his turn. So
what was done of an ask is the first action of his seat after the version he had seen then.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from jasstisch.table.events import Acted, Event, Gathered

__all__ = ["UNKNOWN", "Ask", "Fault", "Kind", "Tally", "judge", "last_version"]

Kind = Literal["lost", "twice", "misplaced", "unasked", "refused", "history", "view", "still"]
"""What may be wrong: an acknowledged action is not in the log, an action is there twice, it is not
where it was acknowledged, nobody asked for it, it was done though it was refused; the log cannot be
followed; somebody sees something else than the log says; nobody can play any more."""

UNKNOWN = ("busy", "internal")
"""Codes of refusals after which nobody can say whether it was done."""


@dataclass(slots=True)
class Ask:
    """An action that was asked for.

    Attributes:
        action: in its text form.
        seen: the version of the copy by which it was chosen.
        told: the version that was acknowledged; None where nothing was.
        code: of the refusal; None where there was none.
    """

    action: str
    seen: int
    told: int | None = None
    code: str | None = None

    @property
    def unknown(self) -> bool:
        """Whether the one who asked was not told if it was done."""
        return self.told is None and (self.code is None or self.code in UNKNOWN)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that must not be.

    Attributes:
        kind: what is wrong.
        table: the table's id.
        seat: whose; None where it concerns the table.
        version: where in the log, or as far as somebody has seen it.
        says: more of it, in words.
    """

    kind: Kind
    table: str
    seat: int | None
    version: int
    says: str

    def __str__(self) -> str:
        seat = "" if self.seat is None else f", seat {self.seat}"
        return f"{self.kind}: table {self.table}{seat}, version {self.version}: {self.says}"


@dataclass(slots=True)
class Tally:
    """What became of actions.

    Attributes:
        asked: how many were asked for.
        acknowledged: of how many it was told that they are done.
        done: of how many nothing was told, and they were done.
        undone: and of how many they were not.
        refused: how many were refused, by code.
        faults: what must not be.
    """

    asked: int = 0
    acknowledged: int = 0
    done: int = 0
    undone: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Counts these with others."""
        self.asked += other.asked
        self.acknowledged += other.acknowledged
        self.done += other.done
        self.undone += other.undone
        self.refused += other.refused
        self.faults += other.faults

    def count(self, kind: Kind) -> int:
        """How much is wrong in this way."""
        return sum(fault.kind == kind for fault in self.faults)


def judge(table: str, seat: int, log: Sequence[Event], asks: Sequence[Ask]) -> Tally:
    """What became of all that one seat asked for.

    Args:
        table: its id.
        seat: whose actions.
        log: the events of the table.
        asks: what was asked for, in order.
    """
    acts = _Acts(seat, log)
    tally = Tally(asked=len(asks))
    tally.refused.update(one.code for one in asks if one.code is not None)
    told = [one for one in asks if one.told is not None]
    tally.acknowledged = len(told)
    for ask in [one for one in told if not acts.take(ask=one, at=acts.last(one.told or 0))]:
        tally.faults.append(_unkept(table, seat, ask, acts))
    # The latest first: one that was done is not taken for an earlier one that was not.
    for ask in reversed([one for one in asks if one.unknown]):
        if acts.take(ask, acts.next(ask.seen)):
            tally.done += 1
        else:
            tally.undone += 1
    tally.faults += (_unexplained(table, seat, at, acts, asks) for at in acts.left())
    return tally


class _Acts:
    """The actions of a seat, and which of them are accounted for.

    Args:
        seat: whose.
        log: the events of the table.
    """

    def __init__(self, seat: int, log: Sequence[Event]) -> None:
        self.actions = {
            version: event.action
            for version, event in _versions(log)
            if isinstance(event, Acted) and event.seat == seat
        }
        self._order = list(self.actions)
        self._taken: set[int] = set()

    def last(self, version: int) -> int | None:
        """The version of the last action up to a version."""
        at = bisect_right(self._order, version)
        return self._order[at - 1] if at else None

    def next(self, version: int) -> int | None:
        """The version of the first action after a version."""
        at = bisect_right(self._order, version)
        return self._order[at] if at < len(self._order) else None

    def take(self, ask: Ask, at: int | None) -> bool:
        """Accounts for an action by an ask; whether it is what was asked for."""
        fits = at is not None and at > ask.seen and self.actions[at] == ask.action
        if at is None or not fits or at in self._taken:
            return False
        self._taken.add(at)
        return True

    def left(self) -> list[int]:
        """The versions of the actions that nothing accounts for."""
        return [at for at in self._order if at not in self._taken]


def last_version(log: Sequence[Event]) -> int:
    """How many events the table has seen."""
    return max((version for version, _ in _versions(log)), default=0)


def _versions(log: Sequence[Event]) -> Iterable[tuple[int, Event]]:
    """The events with their versions: what was gathered into one event still counts."""
    version = 0
    for event in log:
        version = event.version if isinstance(event, Gathered) else version + 1
        yield version, event


def _unkept(table: str, seat: int, ask: Ask, acts: _Acts) -> Fault:
    """What is wrong with an acknowledged action that is not where it should be."""
    at = next((one for one in acts.left() if acts.take(ask, one)), None)
    told = ask.told or 0
    if at is None:
        return Fault("lost", table, seat, told, f"{ask.action} was acknowledged and is not there")
    return Fault(
        "misplaced", table, seat, told, f"{ask.action} was acknowledged, it stands at {at}"
    )


def _unexplained(table: str, seat: int, at: int, acts: _Acts, asks: Sequence[Ask]) -> Fault:
    """What is wrong with an action that no ask accounts for."""
    action = acts.actions[at]
    same = [one for one in asks if one.action == action and one.seen < at]
    if any(acts.next(one.seen) != at and not _is_refusal(one) for one in same):
        return Fault("twice", table, seat, at, f"{action} was done once more")
    if any(not _is_refusal(one) for one in same):
        return Fault("twice", table, seat, at, f"{action} was done, and a second time after it")
    if same:
        return Fault(
            "refused", table, seat, at, f"{action} was done, it was refused: {same[-1].code}"
        )
    return Fault("unasked", table, seat, at, f"{action} was done, nobody asked for it")


def _is_refusal(ask: Ask) -> bool:
    return ask.told is None and not ask.unknown
