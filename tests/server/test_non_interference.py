"""Non-interference: worlds that differ in hidden cards alone send the same messages."""

from collections.abc import Iterable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.asyncio.client import ClientConnection

from jasstisch.client import Client, WatchedTable
from jasstisch.client.fair_deals import TableDeals
from jasstisch.fairness import Ledger
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.limits.server_limits import Limits
from jasstisch.table import PackSource
from tests.server.running_server import OTHER_TOKEN, THIRD_TOKEN, TOKEN, running_server, websocket
from tests.server.websocket_requests import send_and_read

pytestmark = pytest.mark.outside

READERS = (TOKEN, OTHER_TOKEN, None)
"""Seats 0 and 1 and a spectator: the cards of seats 2 and 3 differ."""


class World(NamedTuple):
    """The messages sent in one world.

    Attributes:
        hands: of the four when the second round begins.
        cards: one of seat 2 and one of seat 3, of the same suit, which were held back.
        plays: how many cards were played in the second round.
        told: to each reader, message by message.
    """

    hands: list[list[str]]
    cards: tuple[str, str]
    plays: int
    told: list[list[str]]


@pytest.fixture
def orders(monkeypatch: pytest.MonkeyPatch) -> dict[int, dict[str, str]]:
    """Makes all randomness equal in every world; returns the cards to exchange, by pack."""
    exchanged: dict[int, dict[str, str]] = {}
    order = Ledger.derive_order

    def changed(self: Ledger, cards: Iterable[str]) -> list[str]:
        instead = exchanged.setdefault(len(self.attempts_by_pack), {})
        return [instead.get(card, card) for card in order(self, cards)]

    monkeypatch.setattr(Ledger, "derive_order", changed)
    monkeypatch.setattr(
        "jasstisch.client.watched_table.TableDeals", partial(TableDeals, chance=bytes)
    )
    monkeypatch.setattr("jasstisch.server.tables.creation.new_table_id", lambda: "A" * 22)
    monkeypatch.setattr(
        ServerContext,
        "new_pack_source",
        lambda self: PackSource(self.shuffle, bytes, is_first_pack_deferred=True),
    )
    return exchanged


async def test_messages_are_equal_until_the_differing_cards_are_played(
    tmp_path_factory: pytest.TempPathFactory, orders: dict[int, dict[str, str]]
) -> None:
    one = await play_world(tmp_path_factory.mktemp("one"))
    # The last pack turned the trump of the second round, the one before was dealt to it.
    first, second = one.cards
    orders[max(orders) - 1] = {first: second, second: first}
    other = await play_world(tmp_path_factory.mktemp("other"), one.cards)
    assert one.hands[:2] == other.hands[:2]
    for seat in (2, 3):
        assert set(one.hands[seat]) ^ set(other.hands[seat]) == set(one.cards)
    assert one.plays == other.plays >= 8
    for mine, theirs in zip(one.told, other.told, strict=True):
        assert any("'call': {" in text for text in mine)
        assert mine == theirs


async def play_world(folder: Path, held: tuple[str, str] | None = None) -> World:
    """Plays two rounds with four people, the second until a withheld card must be played."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        url = await enter(
            running_server(folder, limits=Limits(message_burst=10**9), committing_seconds=2.0)
        )
        tokens = (TOKEN, OTHER_TOKEN, THIRD_TOKEN, None)
        people = [await enter(Client(url, token)) for token in tokens]
        tables = await seated(people)
        listening = [await enter(websocket(url, token)) for token in READERS]
        for one in listening:
            await send_and_read(one, type="watch", seq=1, table=tables[0].id)
        await tables[0].start()
        await play_round(people, tables, ())
        for table in tables:
            await table.declare_ready()
        await settle_contributions(people, tables)
        hands = [list(table.view["hand"]) for table in tables]
        cards = held or of_one_suit(hands[2], hands[3], tables[0].view["trump"])
        plays = await play_round(people, tables, cards)
        return World(hands, cards, plays, [await heard(one) for one in listening])


async def seated(people: list[Client]) -> list[WatchedTable]:
    """The table at which four people sit down."""
    made = await people[0].create_table(
        "differenzler",
        ["me", "open", "open", "open"],
        name="P0",
        options={"rounds": 4, "dealer": 0},
        thinking_time="unlimited",
    )
    tables = [await person.watch(made.table) for person in people]
    for seat, table in enumerate(tables[1:], start=1):
        await table.sit(seat, f"P{seat}")
    return tables


async def play_round(people: list[Client], tables: list[WatchedTable], held: Iterable[str]) -> int:
    """Plays until the round ends or a hand has only withheld cards; returns how many cards."""
    cards = 0
    while True:
        await settle_contributions(people, tables)
        acting = next((table for table in tables if table.turn is not None), None)
        if acting is None or acting.turn is None:
            return cards
        legal = [one for one in acting.turn.legal if one.split()[-1] not in held]
        if not legal:
            return cards
        cards += legal[0].startswith("play")
        await acting.act(legal[0])


async def settle_contributions(people: list[Client], tables: list[WatchedTable]) -> None:
    """Waits until all clients have made and received every contribution to the deals."""
    for _ in range(3):
        for person, table in zip(people, tables, strict=True):
            await person.request(messages.Watch(0, table.id, table.version, table.seat))


def of_one_suit(some: list[str], others: list[str], trump: str) -> tuple[str, str]:
    """One card of each of two hands that are interchangeable in play."""
    return next((one, other) for one in some for other in others if one[-1] == other[-1] != trump)


async def heard(listening: ClientConnection) -> list[str]:
    """The messages a reader has received about the table so far."""
    _, before = await send_and_read(listening, type="ping", seq=2)
    told = messages.Event | messages.Snapshot
    return [repr(one) for one in before if isinstance(one, told)]
