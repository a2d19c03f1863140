"""A small asyncio client of the table server, for bots and scripts.

This package decides how a program talks to a server: it keeps a copy of every watched table up to
date, reconnects after a lost connection, and then requests only the events it missed. It does not
decide what is legal or what the messages are; `docs/protocol.md` describes those. Begin with
`connection`.

    async with Client("http://127.0.0.1:8000") as client:
        seats = ["me", *["bot:greedy"] * 3]
        made = await client.create_table("molotov", seats, name="Anna", start=True)
        table = await client.watch(made.table)
        await table.play(jasstisch.bot("greedy"))
        print(table.view["standing"])
"""

from jasstisch.extras import require

require("server", "a client of the table server")

from jasstisch.client.connection import Client
from jasstisch.client.deal_memory import DealMemory
from jasstisch.client.deal_verdict import DealVerdict
from jasstisch.client.errors import NO_SERVER, PASSING, ConnectionLostError, RequestError
from jasstisch.client.watched_table import Step, WatchedTable

__all__ = [
    "NO_SERVER",
    "PASSING",
    "Client",
    "ConnectionLostError",
    "DealMemory",
    "DealVerdict",
    "RequestError",
    "Step",
    "WatchedTable",
]
