"""What became of the actions people asked for: what they were told, beside what the log says.

Somebody asks for one action at a time, when his copy of the table shows that it is his turn. So
what was done of an ask is the first action of his seat after the version he had seen then.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from jasstisch.table.events import Acted, Event, LobbyCompacted

__all__ = [
    "UNKNOWN_OUTCOME_CODES",
    "Fault",
    "FaultKind",
    "Request",
    "Tally",
    "audit_seat",
    "last_version",
]

FaultKind = Literal["lost", "twice", "misplaced", "unasked", "refused", "history", "view", "still"]
"""What may be wrong: an acknowledged action is not in the log, an action is there twice, it is not
where it was acknowledged, nobody asked for it, it was done though it was refused; the log cannot be
followed; somebody sees something else than the log says; nobody can play any more."""

UNKNOWN_OUTCOME_CODES = ("busy", "internal")
"""Codes of refusals after which nobody can say whether it was done."""


@dataclass(slots=True)
class Request:
    """An action that was asked for.

    Attributes:
        action: in its text form.
        seen: the version of the copy by which it was chosen.
        told: the version that was acknowledged; None where nothing was.
        code: of the refusal; None where there was none.
    """

    action: str
    seen_version: int
    acknowledged_version: int | None = None
    code: str | None = None

    @property
    def is_unknown(self) -> bool:
        """Whether the one who asked was not told if it was done."""
        return self.acknowledged_version is None and (
            self.code is None or self.code in UNKNOWN_OUTCOME_CODES
        )


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

    kind: FaultKind
    table: str
    seat: int | None
    version: int
    description: str

    def __str__(self) -> str:
        seat = "" if self.seat is None else f", seat {self.seat + 1}"
        return f"{self.kind}: table {self.table}{seat}, version {self.version}: {self.description}"


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

    def count(self, kind: FaultKind) -> int:
        """How much is wrong in this way."""
        return sum(fault.kind == kind for fault in self.faults)


def audit_seat(table: str, seat: int, log: Sequence[Event], asks: Sequence[Request]) -> Tally:
    """What became of all that one seat asked for.

    Args:
        table: its id.
        seat: whose actions.
        log: the events of the table.
        asks: what was asked for, in order.
    """
    acts = _LoggedActions(seat, log)
    tally = Tally(asked=len(asks))
    tally.refused.update(one.code for one in asks if one.code is not None)
    told = [one for one in asks if one.acknowledged_version is not None]
    tally.acknowledged = len(told)
    for ask in [
        one
        for one in told
        if not acts.match_request(ask=one, at=acts.last_before(one.acknowledged_version or 0))
    ]:
        tally.faults.append(_missing_action_fault(table, seat, ask, acts))
    # The latest first: one that was done is not taken for an earlier one that was not.
    for ask in reversed([one for one in asks if one.is_unknown]):
        if acts.match_request(ask, acts.first_after(ask.seen_version)):
            tally.done += 1
        else:
            tally.undone += 1
    tally.faults += (
        _unrequested_action_fault(table, seat, at, acts, asks) for at in acts.unaccounted()
    )
    return tally


class _LoggedActions:
    """The actions of a seat, and which of them are accounted for.

    Args:
        seat: whose.
        log: the events of the table.
    """

    def __init__(self, seat: int, log: Sequence[Event]) -> None:
        self.actions = {
            version: event.action
            for version, event in _versioned_events(log)
            if isinstance(event, Acted) and event.seat == seat
        }
        self._order = list(self.actions)
        self._taken: set[int] = set()

    def last_before(self, version: int) -> int | None:
        """The version of the last action up to a version."""
        at = bisect_right(self._order, version)
        return self._order[at - 1] if at else None

    def first_after(self, version: int) -> int | None:
        """The version of the first action after a version."""
        at = bisect_right(self._order, version)
        return self._order[at] if at < len(self._order) else None

    def match_request(self, ask: Request, at: int | None) -> bool:
        """Accounts for an action by an ask; whether it is what was asked for."""
        fits = at is not None and at > ask.seen_version and self.actions[at] == ask.action
        if at is None or not fits or at in self._taken:
            return False
        self._taken.add(at)
        return True

    def unaccounted(self) -> list[int]:
        """The versions of the actions that nothing accounts for."""
        return [at for at in self._order if at not in self._taken]


def last_version(log: Sequence[Event]) -> int:
    """How many events the table has seen."""
    return max((version for version, _ in _versioned_events(log)), default=0)


def _versioned_events(log: Sequence[Event]) -> Iterable[tuple[int, Event]]:
    """The events with their versions: what was gathered into one event still counts."""
    version = 0
    for event in log:
        version = event.version if isinstance(event, LobbyCompacted) else version + 1
        yield version, event


def _missing_action_fault(table: str, seat: int, ask: Request, acts: _LoggedActions) -> Fault:
    """What is wrong with an acknowledged action that is not where it should be."""
    at = next((one for one in acts.unaccounted() if acts.match_request(ask, one)), None)
    told = ask.acknowledged_version or 0
    if at is None:
        return Fault("lost", table, seat, told, f"{ask.action} was acknowledged and is not there")
    return Fault(
        "misplaced", table, seat, told, f"{ask.action} was acknowledged, it stands at {at}"
    )


def _unrequested_action_fault(
    table: str, seat: int, at: int, acts: _LoggedActions, asks: Sequence[Request]
) -> Fault:
    """What is wrong with an action that no ask accounts for."""
    action = acts.actions[at]
    same = [one for one in asks if one.action == action and one.seen_version < at]
    if any(acts.first_after(one.seen_version) != at and not _is_refusal(one) for one in same):
        return Fault("twice", table, seat, at, f"{action} was done once more")
    if any(not _is_refusal(one) for one in same):
        return Fault("twice", table, seat, at, f"{action} was done, and a second time after it")
    if same:
        return Fault(
            "refused", table, seat, at, f"{action} was done, it was refused: {same[-1].code}"
        )
    return Fault("unasked", table, seat, at, f"{action} was done, nobody asked for it")


def _is_refusal(ask: Request) -> bool:
    return ask.acknowledged_version is None and not ask.is_unknown
