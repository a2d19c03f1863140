"""The audit of a soak test: acknowledged actions are in the log, and faults are reported."""

from random import Random

import pytest

from bench.soak.audit import UNKNOWN_OUTCOME_CODES, Fault, Request, Tally, audit_seat
from bench.soak.runner import SoakResult, is_partial_run, section, soak
from bench.soak.simulated_players import Progress, TableGroup, audit_table
from jasstisch.client import Client, WatchedTable
from jasstisch.table import Table
from jasstisch.table.events import (
    Acted,
    Event,
    HostSettings,
    LobbyCompacted,
    Ready,
    SeatSnapshot,
    TableCreated,
)
from tests.server.cluster.process_harness import as_json

SEAT, OTHER = 1, 2


def log_of(*actions: str | None) -> list[Event]:
    """A log with these actions of a seat, None standing for other events."""
    return [Ready(OTHER) if action is None else Acted(SEAT, action, "person") for action in actions]


def judged(log: list[Event], *asks: Request) -> Tally:
    return audit_seat("T", SEAT, log, asks)


def test_acknowledged_actions_in_the_log_are_no_fault() -> None:
    tally = judged(
        log_of(None, "A", None, "B"),
        Request("A", 1, acknowledged_version=2),
        Request("B", 3, acknowledged_version=4),
    )
    assert (tally.asked, tally.acknowledged, tally.faults) == (2, 2, [])


def test_a_missing_acknowledged_action_is_lost() -> None:
    tally = judged(
        log_of(None, "A", None),
        Request("A", 1, acknowledged_version=2),
        Request("B", 3, acknowledged_version=4),
    )
    assert tally.faults == [Fault("lost", "T", SEAT, 4, "B was acknowledged and is not there")]


def test_another_action_in_its_place_does_not_count() -> None:
    tally = judged(
        log_of("A", "C"),
        Request("A", 0, acknowledged_version=1),
        Request("B", 1, acknowledged_version=2),
    )
    assert [fault.kind for fault in tally.faults] == ["lost", "unasked"]


def test_an_acknowledged_action_at_a_later_version_is_misplaced() -> None:
    tally = judged(log_of(None, None, None, "A"), Request("A", 1, acknowledged_version=2))
    assert tally.faults == [Fault("misplaced", "T", SEAT, 2, "A was acknowledged, it stands at 4")]


def test_an_earlier_equal_action_does_not_count() -> None:
    tally = judged(
        log_of("A", None, None),
        Request("A", 0, acknowledged_version=1),
        Request("A", 2, acknowledged_version=3),
    )
    assert [(fault.kind, fault.version) for fault in tally.faults] == [("lost", 3)]


@pytest.mark.parametrize("told", [2, None])
def test_a_repeated_action_is_reported(told: int | None) -> None:
    tally = judged(log_of(None, "A", None, "A"), Request("A", 1, acknowledged_version=told))
    assert [(fault.kind, fault.version) for fault in tally.faults] == [("twice", 4)]


def test_a_retried_action_may_be_done_once_only() -> None:
    again = (Request("A", 1), Request("A", 1, acknowledged_version=2))
    tally = judged(log_of(None, "A"), *again)
    assert (tally.done, tally.undone, tally.faults) == (0, 1, [])
    assert [fault.kind for fault in judged(log_of(None, "A", "A"), *again).faults] == ["twice"]


def test_the_fate_of_unanswered_requests_is_determined() -> None:
    asks = (
        Request("A", 0),
        Request("B", 1),
        Request("C", 2, code="busy"),
        Request("D", 3, acknowledged_version=4),
    )
    tally = judged(log_of("A", None, "C", "D"), *asks)
    assert (tally.done, tally.undone, tally.faults) == (2, 1, [])
    assert tally.refused == {"busy": 1}


def test_a_later_action_does_not_count_for_an_earlier_request() -> None:
    # The same card in two rounds; of neither anything was told.
    tally = judged(
        log_of(None, "B", None, "A"),
        Request("A", 1),
        Request("B", 1, acknowledged_version=2),
        Request("A", 3),
    )
    assert (tally.done, tally.undone, tally.faults) == (1, 1, [])


def test_a_refused_action_must_not_be_in_the_log() -> None:
    tally = judged(log_of("A"), Request("A", 0, code="illegal_action"))
    assert [fault.kind for fault in tally.faults] == ["refused"]


def test_compacted_events_count_for_versions() -> None:
    held = SeatSnapshot(None, "", None, 0, None)
    log = [LobbyCompacted(9, [held], HostSettings(None)), *log_of("A")]
    assert judged(log, Request("A", 9, acknowledged_version=10)).faults == []


def test_a_fault_names_table_seat_and_version() -> None:
    said = str(Fault("lost", "T", SEAT, 4, "B is not there"))
    assert said == "lost: table T, seat 2, version 4: B is not there"


def created() -> TableCreated:
    return TableCreated("T", "molotov", {}, [None] * 4, None, 0)


def test_a_client_that_differs_from_the_log_is_reported() -> None:
    copy = WatchedTable(Client("http://127.0.0.1:1"), "T")
    copy._room = as_json(Table.from_events([created()]).state.room())
    assert audit_table([copy], [[]], [created()]).faults == []
    copy._room |= {"phase": "over"}
    (fault,) = audit_table([copy], [[]], [created()]).faults
    assert (fault.kind, fault.seat) == ("view", 0)


class GrowingLog:
    """The log of one table, which grows while it is read."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events

    async def load(self, _: str) -> list[Event]:
        """All events until now."""
        return list(self.events)


async def test_a_table_that_changes_during_the_comparison_is_compared_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = GrowingLog([created()])
    copy = WatchedTable(Client("http://127.0.0.1:1"), "T")
    copy.version, copy.is_current = 1, True
    people = TableGroup(["http://127.0.0.1:1"], log, Progress(), Random(1))
    people._tables, people._asks = [copy], [[]]
    lengths: list[int] = []

    def compare(_: object, asks: object, events: list[Event]) -> Tally:
        lengths.append(len(events))
        if len(lengths) == 1:
            log.events.append(Ready(OTHER))
            copy.version = 2
            return Tally(faults=[Fault("view", "T", 0, 1, "sees another room")])
        return Tally()

    monkeypatch.setattr("bench.soak.simulated_players.audit_table", compare)
    assert (await people._audit_matching()).faults == []
    assert lengths == [1, 2]


def test_an_invalid_log_is_reported() -> None:
    copy = WatchedTable(Client("http://127.0.0.1:1"), "T")
    (fault,) = audit_table([copy], [[]], [created(), Acted(0, "play A", "computer")]).faults[-1:]
    assert fault.kind == "history"


def test_each_store_is_a_row_and_short_runs_are_marked() -> None:
    outcome = SoakResult("sqlite", 1, kills=2)
    outcome.counter.recovery_times += [0.5, 1.5, 1.0]
    outcome.tally.add(Tally(asked=5, acknowledged=3, done=1, undone=1))
    made = section(["--kills", "2", "--write"], [outcome])
    assert made.command == "python -m bench.soak --kills 2"
    assert made.rows == [
        ["sqlite", "1", "2", "5", "3", "0", "0", "0", "2", "1", "1", "1.00", "1.00", "1.50"]
    ]
    assert made.markdown()
    assert is_partial_run(outcome)


@pytest.mark.outside
async def test_two_kills_lose_nothing_acknowledged() -> None:
    outcome = await soak("sqlite", kills=2, tables=2, seed=1)
    tally = outcome.tally
    assert outcome.kills == 2
    assert tally.faults == []
    assert tally.acknowledged > 0
    refused = sum(
        number for code, number in tally.refused.items() if code not in UNKNOWN_OUTCOME_CODES
    )
    assert tally.asked == tally.acknowledged + tally.done + tally.undone + refused
    assert outcome.counter.tables == 2
