"""The rest of a round at a running table: who is offered it, what all are told, what is kept."""

import asyncio

import pytest

from jasstisch.client import Client, RequestError, WatchedTable
from jasstisch.server import messages
from tests.server.serving import OTHER_TOKEN, TOKEN
from tests.server.talking import new_table

pytestmark = pytest.mark.outside

ALONE = ["me", "bot:greedy", "bot:greedy", "bot:greedy"]


def is_asked_to_go_on(table: WatchedTable) -> bool:
    """Whether a round is over and this client has not asked for the next one."""
    return table.phase == "between" and not table.room.seats[table.seat or 0].ready


async def until_rest(table: WatchedTable) -> None:
    """Plays what is legal first until the rest of a round is this client's."""
    while True:
        await table.until(lambda one: one.turn is not None or is_asked_to_go_on(one))
        if table.turn is None:
            await table.ready()
        elif table.turn.rest:
            return
        else:
            await table.act(table.turn.legal[0])


async def hear(table: WatchedTable, told: list[messages.Happened]) -> None:
    """Keeps what is told of a table from now on."""
    async for message in table.events():
        match message:
            case messages.Event(event=event):
                told.append(event)


async def test_the_rest_is_taken_by_its_owner_and_everybody_is_told_of_each_card(url: str) -> None:
    table = await new_table(
        url, game="molotow", seats=ALONE, start=True, pause=0, options={"rounds": 60}
    )
    async with Client(url, TOKEN) as anna, Client(url, OTHER_TOKEN) as reto:
        hers, watched = await anna.watch(table), await reto.watch(table)
        with pytest.raises(RequestError) as caught:
            await hers.take_rest()
        assert caught.value.code == "no_rest"
        await until_rest(hers)
        tricks, hand = len(hers.view["tricks"]), hers.view["hand"]
        rounds = len(hers.view["rounds"])
        await watched.until(lambda one: one.version >= hers.version)
        with pytest.raises(RequestError) as caught:
            await watched.take_rest()
        assert caught.value.code == "not_seated"
        told: list[messages.Happened] = []
        hearing = asyncio.create_task(hear(watched, told))
        await asyncio.sleep(0)
        await hers.take_rest()
        await watched.until(lambda one: one.version >= hers.version)
        await asyncio.sleep(0)
        hearing.cancel()
        assert (told[0].kind, told[0].seat) == ("rest_taken", 0)
        assert [one.kind for one in told[1:]] == ["acted"] * 4 * len(hand)
        assert len(watched.view["rounds"]) == rounds + 1
        assert watched.view["rounds"] == hers.view["rounds"]
        taken = hers.view["rounds"][-1]["tricks"][tricks:]
        assert [trick["winner"] for trick in taken] == [0] * len(hand)
        assert sorted(trick["cards"][0] for trick in taken) == sorted(hand)
        assert not hers.undoable
        assert hers.turn is None
        again = await anna.watch(table)
        assert again.view == hers.view
