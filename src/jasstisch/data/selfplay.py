"""Self-play: matches between bots, with a row for each of their decisions.

The deals are those of the arena: deal n of a seed has the same packs and the same random numbers
for its players as there. Deals are played in chunks, in this thread or on any executor, and their
rows are returned in order. A chunk depends on nothing but its number, so that equal seeds give
equal rows, and equal files, for any number of workers.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from typing import Any

from jasstisch.arena.contests import BotRoster
from jasstisch.arena.duplicate_boards import ContestTask, MoveTimer, play_deal, warm_up
from jasstisch.bots import Bot
from jasstisch.data.columns import RowBuilder
from jasstisch.engine.errors import GameError, quote
from jasstisch.games.rules import Game

DEALS_PER_CHUNK, _MATCHES_PER_CHUNK = 64, 4
"""The number of deals, or of whole matches, in a chunk."""

_MAX_PENDING_CHUNKS = 16
"""The maximum number of chunks that are being played or wait to be consumed."""


def self_play(
    game: Game,
    bots: Sequence[str | Bot],
    *,
    deals: int,
    seed: int = 1,
    matches: bool = False,
    clock: bool = True,
    executor: Executor | None = None,
) -> Iterator[Any]:
    """Plays deals between bots and yields their decisions.

    Args:
        game: the rules, from `jasstisch.game`.
        bots: the players: names, `file.py:Class`, or bots themselves; one for each seat, or for
            each side in games of partners.
        deals: the number of deals to play.
        seed: the seed of all randomness.
        matches: whether each deal is the first of a whole match, which is played to its end;
            otherwise the column of the winner is null.
        clock: whether bots with a time limit keep it; without it equal seeds give equal rows on
            every machine, however busy.
        executor: where the deals are played; in this thread if omitted. It is not shut down.

    Yields:
        A `pyarrow.RecordBatch` with the schema `jasstisch.data.SCHEMA` for each chunk of deals.
        `match` is the number of the deal, from 1; `file` is null.

    Raises:
        GameError: the number of bots is wrong, a bot is unknown, or `deals` is not positive.
        BotError: a bot failed.
    """
    if type(deals) is not int or deals < 1:
        raise GameError(f"1 deal or more can be played, not {quote(deals)}")
    cast = BotRoster(game.name)
    seating = tuple([cast.add(one) for one in bots])
    if len(seating) != len(game.sides):
        places = "sides" if game.rules.sides else "seats"
        raise GameError(f"{len(game.sides)} {places} need as many bots, not {len(seating)}")
    assignment = ContestTask(
        game,
        (seating,),
        seed,
        matches,
        cast.bot_sources["bot_objects"],
        clock,
        cast.bot_sources["origins"],
    )
    size = _MATCHES_PER_CHUNK if matches else DEALS_PER_CHUNK
    chunks = (range(first, min(first + size, deals)) for first in range(0, deals, size))
    return _iter_chunks(assignment, chunks, executor)


def _iter_chunks(
    assignment: ContestTask, chunks: Iterable[range], executor: Executor | None
) -> Iterator[Any]:
    """Yields the rows of each chunk in order, with a bounded number of chunks ahead."""
    if executor is None:
        for numbers in chunks:
            yield _play_chunk(assignment, numbers)
        return
    waiting: deque[Future[Any]] = deque()
    left = iter(chunks)
    try:
        for numbers in left:
            waiting.append(executor.submit(_play_chunk, assignment, numbers))
            if len(waiting) == _MAX_PENDING_CHUNKS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _play_chunk(assignment: ContestTask, numbers: range) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Plays the deals of these numbers in a worker and returns the rows of their decisions."""
    (seating,) = assignment.line_ups
    for name in assignment.names:
        warm_up(assignment.game, assignment.bot(name))
    builder, stopwatch = RowBuilder(), MoveTimer()
    for number in numbers:
        match = play_deal(assignment, number, seating, stopwatch)
        for _ in builder.add(number + 1, None, match):
            pass
    return builder.batch()
