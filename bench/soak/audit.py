"""Audits requested actions: compares the responses of the server with the log.

A player requests one action at a time, when their copy of the table shows their turn. So the result
of a request is the first action of their seat after the version seen at that time.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from jasstisch.table.events import Acted, Event, LobbyCompacted

FaultKind = Literal["lost", "twice", "misplaced", "unasked", "refused", "history", "view", "still"]
"""The kinds of faults.

An acknowledged action is missing, is in the log twice, or is not at the acknowledged version; an
action was not requested, or was done although it was refused; the log cannot be replayed; a client
has another state than the log; or play has stopped.
"""

UNKNOWN_OUTCOME_CODES = ("busy", "internal")
"""Error codes after which the outcome of a request is unknown."""


@dataclass(slots=True)
class Request:
    """A requested action.

    Attributes:
        action: in its text form.
        seen_version: the version of the copy on which it was chosen.
        acknowledged_version: the acknowledged version; None without acknowledgement.
        code: the error code; None without an error.
    """

    action: str
    seen_version: int
    acknowledged_version: int | None = None
    code: str | None = None

    @property
    def is_unknown(self) -> bool:
        """Whether the outcome of the request is unknown."""
        return self.acknowledged_version is None and (
            self.code is None or self.code in UNKNOWN_OUTCOME_CODES
        )


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault.

    Attributes:
        kind: the kind of fault.
        table: the table's id.
        seat: the seat; None if it concerns the table.
        version: the version in the log, or the latest one seen.
        description: details.
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
    """The counted outcomes of requests.

    Attributes:
        asked: requests.
        acknowledged: acknowledged ones.
        done: ones with unknown outcome that were done.
        undone: ones with unknown outcome that were not done.
        refused: refused ones, by code.
        faults: the faults.
    """

    asked: int = 0
    acknowledged: int = 0
    done: int = 0
    undone: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Adds another tally."""
        self.asked += other.asked
        self.acknowledged += other.acknowledged
        self.done += other.done
        self.undone += other.undone
        self.refused += other.refused
        self.faults += other.faults

    def count(self, kind: FaultKind) -> int:
        """Returns the number of faults of a kind."""
        return sum(fault.kind == kind for fault in self.faults)


def audit_seat(table: str, seat: int, log: Sequence[Event], asks: Sequence[Request]) -> Tally:
    """Audits all requests of one seat.

    Args:
        table: the id of the table.
        seat: the seat.
        log: the events of the table.
        asks: the requests, in order.
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
    # The latest first, so that a request that was done is not mistaken for an earlier one.
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
    """The actions of a seat in the log, and which of them are accounted for.

    Args:
        seat: the seat.
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
        """Returns the version of the last action up to a version."""
        at = bisect_right(self._order, version)
        return self._order[at - 1] if at else None

    def first_after(self, version: int) -> int | None:
        """Returns the version of the first action after a version."""
        at = bisect_right(self._order, version)
        return self._order[at] if at < len(self._order) else None

    def match_request(self, ask: Request, at: int | None) -> bool:
        """Accounts for an action by a request; returns whether they match."""
        fits = at is not None and at > ask.seen_version and self.actions[at] == ask.action
        if at is None or not fits or at in self._taken:
            return False
        self._taken.add(at)
        return True

    def unaccounted(self) -> list[int]:
        """Returns the versions of the actions without a request."""
        return [at for at in self._order if at not in self._taken]


def last_version(log: Sequence[Event]) -> int:
    """Returns the number of events of the table."""
    return max((version for version, _ in _versioned_events(log)), default=0)


def _versioned_events(log: Sequence[Event]) -> Iterable[tuple[int, Event]]:
    """Yields the events with their versions; compacted events count as before."""
    version = 0
    for event in log:
        version = event.version if isinstance(event, LobbyCompacted) else version + 1
        yield version, event


def _missing_action_fault(table: str, seat: int, ask: Request, acts: _LoggedActions) -> Fault:
    """Returns the fault of an acknowledged action that is not where it should be."""
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
    """Returns the fault of an action without a request."""
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
