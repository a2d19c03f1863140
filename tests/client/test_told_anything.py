"""A server that tells anything instead of a part of a room, over a real connection.

Whatever it tells, nobody waits in silence: the client goes on, tells a breach, or raises an error.
"""

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields

from jasstisch.client import Client, ConnectionLostError, DealMemory, WatchedTable
from jasstisch.fairness import FairError
from jasstisch.server.api import messages
from jasstisch.server.limits.server_limits import Limits
from tests.server.running_server import TOKEN, running_server
from tests.server.websocket_requests import new_table
from tests.support.example_counts import examples
from tests.support.lying_server import LyingServer, Room

pytestmark = pytest.mark.outside

SEATS = ["me", *["bot:random"] * 3]

NO_LIMITS = Limits(talk=10**6, new_connections_per_second=10**6, request_burst=10**6)

NO_NUMBERS: list[Any] = ["x", "1", None, [], {}, True, 1.5, -1, 2**32, 2**80]
"""What is no number of a match."""

numbers = st.integers(-2, 20) | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False)
scalars = st.none() | st.booleans() | numbers | st.text(max_size=3)
texts = st.sampled_from(["computer", "playing", "over", "closed", "number", "announcement", "seat"])
anything = st.recursive(
    scalars | texts,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(texts | st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
parts = st.sampled_from([field.name for field in fields(messages.RoomInfo)])
changes = st.dictionaries(parts, anything, min_size=1, max_size=2)


def look_at(table: WatchedTable) -> None:
    """Asks all that a program asks of a table between two messages."""
    assert isinstance(table.room, messages.RoomInfo)
    assert table.match_number >= 0
    assert table.unproven_matches in ([], [1])
    table.judge_deals(None)
    table.current_step()


class LiedTo:
    """A person at a table of whose room a server tells anything.

    Args:
        url: the server.
        server: what it tells.
        table: the id of the table.
        folder: where the person's clients remember what they were told.
    """

    def __init__(self, url: str, server: LyingServer, table: str, folder: Path) -> None:
        self.url, self.server, self.table, self.folder = url, server, table, folder

    async def is_told(self, lie: Mapping[str, Any], *, at_once: bool) -> FairError | None:
        """What a client finds wrong that is told a lie in a snapshot, or in an event later.

        Raises:
            ConnectionLostError: it cannot go on.
            TimeoutError: it waits for what never comes.
        """

        def tell(room: Room) -> None:
            room.update(lie)

        self.server.lie = tell if at_once else None
        async with (
            asyncio.timeout(60),
            Client(self.url, TOKEN, deal_memory=DealMemory(self.folder)) as anna,
        ):
            table = await anna.watch(self.table)
            self.server.lie = tell
            for _ in range(2):
                look_at(table)
                version = table.version
                await asyncio.gather(
                    table.say("hello"),
                    table.until(lambda one: one.version > version),  # noqa: B023
                )
                self.server.lie = None
            return table.deal_problem


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> LyingServer:
    return LyingServer(monkeypatch)


def test_client_that_is_told_anything_of_a_room_goes_on_or_says_why(
    server: LyingServer, tmp_path: Path
) -> None:
    folders = count()
    reasons: list[str] = []

    with asyncio.Runner() as runner, ExitStack() as stack:
        running = running_server(tmp_path, limits=NO_LIMITS)
        url = runner.run(running.__aenter__())
        stack.callback(lambda: runner.run(running.__aexit__(None, None, None)))
        made = runner.run(new_table(url, seats=SEATS, start=True))

        @settings(max_examples=examples(80, 20))
        @given(changes, st.booleans())
        def tell(lie: dict[str, Any], at_once: bool) -> None:
            person = LiedTo(url, server, made, tmp_path / str(next(folders)))
            try:
                runner.run(person.is_told(lie, at_once=at_once))
            except ConnectionLostError as error:
                reasons.append(str(error))

        tell()
    assert all("cannot read" in one for one in reasons), reasons


@pytest.mark.parametrize("at_once", [True, False], ids=["snapshot", "event"])
@pytest.mark.parametrize("number", NO_NUMBERS, ids=repr)
async def test_number_of_a_match_that_is_none_is_a_breach_and_remembered(
    url: str, server: LyingServer, tmp_path: Path, number: object, at_once: bool
) -> None:
    made = await new_table(url, seats=SEATS, start=True)
    person = LiedTo(url, server, made, tmp_path / "deals")
    found = await person.is_told({"number": number}, at_once=at_once)
    assert found is not None
    assert found.pack == 0
    async with Client(url, TOKEN, deal_memory=DealMemory(person.folder)) as anna:
        table = await anna.watch(made)
        assert table.deal_problem is not None
        verdict = table.judge_deals(None)
    assert verdict is not None
    assert verdict.kind == "broken"


@pytest.mark.parametrize("changes", [{"last": {"x": 1}}, {"append": {"round": [1]}}], ids=repr)
async def test_change_of_a_list_that_is_none_cannot_be_read(
    url: str, server: LyingServer, tmp_path: Path, changes: Mapping[str, Any]
) -> None:
    made = await new_table(url, seats=SEATS, start=True)
    server.twist = lambda told: told["type"] == "event" and told.update(changes)
    with pytest.raises(ConnectionLostError, match=r"cannot read: .* at `\$\.view\."):
        await LiedTo(url, server, made, tmp_path / "deals").is_told({}, at_once=False)


async def test_failure_of_the_client_itself_is_told_to_whoever_waits(
    url: str, server: LyingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await new_table(url, seats=SEATS, start=True)
    monkeypatch.setattr(WatchedTable, "_note_said", lambda *_: 1 / 0)
    with pytest.raises(ConnectionLostError, match=r"cannot follow .*ZeroDivisionError") as lost:
        await LiedTo(url, server, made, tmp_path / "deals").is_told({}, at_once=False)
    assert isinstance(lost.value.__cause__, ZeroDivisionError)
