"""Helpers for tests of match analysis: finished matches, requests and a stub of the analyser."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import msgspec

from jasstisch.bots import bot
from jasstisch.client import Client
from jasstisch.server.api import bodies
from jasstisch.server.workers import tasks
from tests.server.running_server import TOKEN

TIMEOUT_S = 120.0
POLL_INTERVAL_S = 0.05


class StubAnalyser:
    """An analyser that gives every decision the same verdict, once the test allows it.

    Attributes:
        may_answer: set: at once.
        places: the decisions it was asked for, in turn.
        fails: so many times at first it comes to nothing.
    """

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.places: list[int] = []
        self.fails = 0

    def analyse(self, record: bytes, place: int) -> tasks.DecisionAnalysis:
        """Stands in for `thoughts.judged`."""
        self.places.append(place)
        self.may_answer.wait(TIMEOUT_S)
        if self.fails:
            self.fails -= 1
            raise RuntimeError
        loss = float(place % 7)
        decision = {
            "round": 1,
            "step": place,
            "seat": place % 4,
            "trick": 1,
            "played": "play 6C",
            "best": "play TH",
            "loss": loss,
            "mistake": loss > 0,
            "alternatives": [
                {"action": "play TH", "figure": 0.0},
                {"action": "play 6C", "figure": loss},
            ],
            "reason": "pushes",
            "values": {"card": "6C", "seat": 0, "total": 104},
        }
        return {"decision": decision, "order": (-loss, 0.0)}


@asynccontextmanager
async def http_client(url: str, token: str | None = TOKEN) -> AsyncIterator[httpx2.AsyncClient]:
    """An HTTP client with an identity token, or with none."""
    cookies = {"jasstisch": token} if token else {}
    async with httpx2.AsyncClient(base_url=url, cookies=cookies, timeout=TIMEOUT_S) as client:
        yield client


async def finished_table(url: str, game: str = "molotow", **more: Any) -> str:
    """A table whose first match is over."""
    options = more.pop("options", {"rounds": 1})
    async with Client(url, token=TOKEN, patience=TIMEOUT_S) as anna:
        seats = ["me", *["bot:random"] * 3]
        made = await anna.create_table(
            game, seats, name="Anna", options=options, start=True, pause=0, **more
        )
        table = await anna.watch(made.table)
        await table.play(bot("random"))
        return made.table


def analysis_path(table: str, match: int = 1, lang: str = "en") -> str:
    return f"/api/tables/{table}/matches/{match}/analysis?lang={lang}"


def expect_ok(answer: httpx2.Response) -> bodies.AnalysisState:
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=bodies.AnalysisState)


def expect_refusal(answer: httpx2.Response, status: int, code: str) -> str:
    """Checks status and code of a refusal; returns its message."""
    body = msgspec.json.decode(answer.content, type=bodies.ErrorBody)
    assert (answer.status_code, body.code) == (status, code), answer.text
    return body.message


async def poll_analysis(
    web: httpx2.AsyncClient, at: str, wanted: Callable[[bodies.AnalysisState], bool]
) -> bodies.AnalysisState:
    """Polls an analysis until it has the wanted status."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            state = expect_ok(await web.get(at))
            if wanted(state):
                return state
            await asyncio.sleep(POLL_INTERVAL_S)


async def wait_for_analysis(web: httpx2.AsyncClient, at: str) -> bodies.MatchAnalysis:
    """Polls until the analysis is complete."""
    state = await poll_analysis(web, at, lambda state: state.state != "running")
    assert state.analysis is not None, state
    return state.analysis


async def request_analysis(web: httpx2.AsyncClient, at: str) -> bodies.AnalysisState:
    """Requests an analysis, and retries while the server warms up."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            answer = await web.post(at)
            if answer.status_code == 200:
                return expect_ok(answer)
            assert answer.json()["code"] == "not_ready", answer.text
            await asyncio.sleep(1.0)
