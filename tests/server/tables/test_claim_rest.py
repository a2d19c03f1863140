"""Claiming the remaining tricks at a running table: offer, broadcast and storage."""

import asyncio
from pathlib import Path

import pytest

from jasstisch.client import Client, RequestError, WatchedTable
from jasstisch.server.api import messages
from jasstisch.server.limits.server_limits import Limits
from tests.server.running_server import OTHER_TOKEN, TOKEN, running_server
from tests.server.websocket_requests import new_table

pytestmark = pytest.mark.outside

QUICK = Limits(messages_per_second=1000.0)
"""For a client that plays until it happens."""

ALONE = ["me", "bot:greedy", "bot:greedy", "bot:greedy"]


def is_asked_to_go_on(table: WatchedTable) -> bool:
    """Whether a round or match is over and this client has not asked for the next one."""
    return table.phase in ("between", "over") and not table.room.seats[table.seat or 0].ready


async def until_rest(table: WatchedTable) -> None:
    """Plays the first legal action until this client may claim the rest of the round."""
    while True:
        await table.until(lambda one: one.turn is not None or is_asked_to_go_on(one))
        if table.turn is None:
            await table.declare_ready()
        elif table.turn.rest:
            return
        else:
            await table.act(table.turn.legal[0])


async def hear(table: WatchedTable, told: list[messages.EventInfo]) -> None:
    """Records the events of a table from now on."""
    async for message in table.events():
        match message:
            case messages.Event(event=event):
                told.append(event)


async def test_claiming_the_rest_broadcasts_every_card(
    tmp_path: Path,
) -> None:
    async with (
        running_server(tmp_path, limits=QUICK) as url,
        Client(url, TOKEN) as anna,
        Client(url, OTHER_TOKEN) as reto,
    ):
        table = await new_table(
            url, game="differenzler", seats=ALONE, start=True, pause=0, options={"rounds": 16}
        )
        annas_table, watched = await anna.watch(table), await reto.watch(table)
        with pytest.raises(RequestError) as caught:
            await annas_table.claim_rest()
        assert caught.value.code == "no_rest"
        await until_rest(annas_table)
        tricks, hand = len(annas_table.view["tricks"]), annas_table.view["hand"]
        rounds = len(annas_table.view["rounds"])
        await watched.until(lambda one: one.version >= annas_table.version)
        with pytest.raises(RequestError) as caught:
            await watched.claim_rest()
        assert caught.value.code == "not_seated"
        told: list[messages.EventInfo] = []
        hearing = asyncio.create_task(hear(watched, told))
        await asyncio.sleep(0)
        await annas_table.claim_rest()
        await watched.until(lambda one: one.version >= annas_table.version)
        await asyncio.sleep(0)
        hearing.cancel()
        assert (told[0].kind, told[0].seat) == ("rest_taken", 0)
        assert [one.kind for one in told[1:]] == ["acted"] * 4 * len(hand)
        assert len(watched.view["rounds"]) == rounds + 1
        assert watched.view["rounds"] == annas_table.view["rounds"]
        taken = annas_table.view["rounds"][-1]["tricks"][tricks:]
        assert [trick["winner"] for trick in taken] == [0] * len(hand)
        assert sorted(trick["cards"][0] for trick in taken) == sorted(hand)
        assert not annas_table.undoable
        assert annas_table.turn is None
        again = await anna.watch(table)
        assert again.view == annas_table.view
