"""A third-party game without texts can be played on the server."""

import asyncio

import pytest

from jasstisch.bots import bot
from jasstisch.client import Client

pytestmark = pytest.mark.outside


@pytest.mark.parametrize("guest", ["ramsch", "bock"])
async def test_two_people_and_two_bots_play_a_match(
    guest: str, request: pytest.FixtureRequest, url: str
) -> None:
    request.getfixturevalue(guest)
    async with Client(url) as anna, Client(url) as reto:
        made = await anna.create_table(
            guest,
            ["me", "open", "bot:random", "bot:random"],
            options={"rounds": 2},
            name="Anna",
            stand_in="random",
        )
        tables = [await anna.watch(made.table), await reto.watch(made.table)]
        await tables[1].sit(1, "Reto")
        await tables[0].start()
        await asyncio.gather(*(table.play(bot("random")) for table in tables))
        assert [table.phase for table in tables] == ["over", "over"]
        assert tables[0].view["standing"] == tables[1].view["standing"]
        assert len(tables[0].view["rounds"]) == 2
