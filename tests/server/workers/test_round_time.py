"""The duration of a deal of I Doubt It against bots, in virtual time."""

import asyncio
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from jasstisch.bots import default_bot
from jasstisch.server.api import messages
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.workers.fair_scheduler import FairWorkerPool
from jasstisch.table import PackSource, Table, commands
from tests.server.tables.test_broadcaster import Listener
from tests.server.workers.test_move_timing import LoopTimeServices, TimestampStore
from tests.support.virtual_time import run_in_virtual_time
from tests.table.table_driver import new_table

GAME = "i-doubt-it"

PAUSE = 700
"""Milliseconds before a computer's move, as the page asks for at its usual speed (`tempo.ts`)."""

SHOWN = 5.0
"""Seconds for which the page shows a claim with all answers at most.

`web/src/games/i-doubt-it/model.test.ts` checks it there.
"""

LONGEST = 300.0
"""Seconds that a deal may take."""


class InstantScheduler(FairWorkerPool):
    """A scheduler that really runs bots, in no virtual time, with the minimum delay."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    async def run(
        self, account: Any, seconds: float, thought: Any, *arguments: Any, lasts: float = 0.0
    ) -> Any:
        find_bot, name, view, legal = arguments
        await asyncio.sleep(lasts)
        return find_bot(name).act(view, legal, self._chance)

    def close(self) -> None:
        """Has nothing to close."""


@dataclass
class Deal:
    """The result of one deal.

    Attributes:
        lasted: seconds from its first turn to its end.
        claims: how many there were.
    """

    lasted: float = 0.0
    claims: int = 0


async def _deal(seed: int, opponent: str, shown: float) -> Deal:
    """Plays a deal: the person answers at once, and lays once the page has shown all claims."""
    loop, chance = asyncio.get_running_loop(), Random(seed)
    made = new_table(GAME, [None, *[opponent] * 3], pause=PAUSE, rounds=1, dealer=seed % 4)
    table = Table(replace(made.state.creation_event, stand_in=opponent))
    for command in (commands.Sit("a", 0, "Anna"), commands.StartMatch("a")):
        list(table.execute(command, PackSource(lambda pack: chance.sample(pack, len(pack)))))
    services = LoopTimeServices(TimestampStore(), worker_pool=InstantScheduler(seed))
    live, anna, numbers = TableActor(table, services, lambda _: None), Listener("a"), count(1)
    await live.request(anna, messages.Watch(next(numbers), live.id))
    own, deal = default_bot(GAME), Deal()
    match = table.state.match
    assert match is not None
    picture = 0.0
    while table.state.phase == "playing":
        view = match.view(0)
        if view["claims"] > deal.claims:
            deal.claims = view["claims"]
            picture = max(picture, loop.time()) + shown
        if view["to_act"] != [0] or (view["phase"] == "lay" and loop.time() < picture):
            await asyncio.sleep(0.01)
            continue
        action = own.act(view, match.legal(0), chance)
        await live.request(anna, messages.Act(next(numbers), live.id, action))
    live.evict()
    deal.lasted = max(loop.time(), picture)
    return deal


@pytest.mark.parametrize("seed", range(8))
def test_a_deal_ends_within_five_minutes_whatever_the_page_shows(seed: int) -> None:
    """With the default rules and bots, and every claim shown for the longest time."""
    deal = run_in_virtual_time(_deal(seed, default_bot(GAME).name, SHOWN))
    assert 10 < deal.claims <= 48
    assert deal.lasted <= LONGEST


@pytest.mark.parametrize("opponent", ["random", "sociable", "greedy"])
def test_the_table_does_not_wait_for_bot_answers(opponent: str) -> None:
    """Three bots answer in less time than the page takes to show one."""
    deal = run_in_virtual_time(_deal(1, opponent, 0.0))
    assert deal.lasted / deal.claims < 1.0
