"""The moves of the computer players at one table: when each is due, chosen and handed over.

One move at a time is chosen, by the workers of the server; the table goes on meanwhile. What
becomes of the move is decided by the actor, to which it is handed.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from jasstisch.server.context import ServerContext
from jasstisch.server.workers import BillingKey, MoveDelay, MoveTimer
from jasstisch.table import State
from jasstisch.table.handlers import skip_pauses

__all__ = ["BotMove", "BotTurns"]

RETRY_DELAY_S = 1.0
"""Seconds the computer waits before it tries again after a failure."""


@dataclass(frozen=True, slots=True)
class BotMove:
    """A move that a computer player has chosen.

    Attributes:
        seat: the seat that it plays.
        move_number: how many actions the seat had done when it was asked.
        action: what it does.
    """

    seat: int
    move_number: int
    action: str


class BotTurns:
    """Has the computer players of a table choose their moves.

    Args:
        context: the computer players.
        hand_over: takes each move once it is chosen.
    """

    __slots__ = (
        "_context",
        "_hand_over",
        "_move_delay",
        "_move_timer",
        "_skip_to_round_end",
        "_task",
        "_turn",
    )

    def __init__(self, context: ServerContext, hand_over: Callable[[BotMove], None]) -> None:
        self._context = context
        self._hand_over = hand_over
        self._task: asyncio.Task[None] | None = None
        self._turn: tuple[int, int] | None = None
        self._move_timer = MoveTimer()
        self._move_delay: MoveDelay | None = None
        self._skip_to_round_end = False

    @property
    def choosing(self) -> bool:
        """Whether a move is being chosen, or waits to be handled."""
        return self._task is not None

    def schedule(self, state: State, account: BillingKey, *, after_failure: bool) -> None:
        """Has the next move chosen, unless one is being chosen or none is due.

        Args:
            state: of the table.
            account: who is charged for it.
            after_failure: whether the last attempt to do something failed; then it waits a while.
        """
        if state.phase != "playing":
            self._skip_to_round_end = False
        turn = state.bot_turn()
        match = state.match
        if turn is None or match is None or self._is_pending(state):
            return
        seat, bot = turn
        occasion = state.seats[seat].action_count
        self._turn = (seat, occasion)
        loop = asyncio.get_running_loop()
        trouble = after_failure * RETRY_DELAY_S
        pause = self._move_delay = self._new_move_delay(state, bot)
        view, legal = match.view(seat), match.legal(seat)
        lesson = state.lesson
        scripted = None if lesson is None else lesson.scripted_action(seat, legal)

        async def choose() -> None:
            await asyncio.sleep(trouble)
            # Being made ready happens once: it must not slow the beat of all that follows.
            await self._context.warmup.wait_ready(bot, match.game.name)
            asked = loop.time()
            action = scripted or await self._context.choose_action(account, bot, view, legal)
            took = loop.time() - asked
            await pause.wait(took)
            self._move_timer.observe(took, pause.seconds)
            self._hand_over(BotMove(seat, occasion, action))

        self._task = asyncio.create_task(choose())

    def _new_move_delay(self, state: State, bot: str) -> MoveDelay:
        """The time that a computer's answer waits for, which begins when its thought does."""
        beat, wanted = self._move_timer, state.bot_delay_ms() / 1000
        pause = MoveDelay(beat.delay(0.0, bot), beat.delay(wanted, bot))
        # Somebody may have come who plays themselves.
        if self._skip_to_round_end and skip_pauses.is_only_watched(state):
            pause.skip()
        return pause

    def _is_pending(self, state: State) -> bool:
        """Whether the computer thinks about a decision that it still has to make.

        One that waits for a player to be made ready must not hold up the table once the person has
        come back and decided.
        """
        if self._task is None or self._turn is None:
            return False
        seat, occasion = self._turn
        due = state.match is not None and seat in state.match.to_act
        due = due and state.undo_state.pending is None
        if due and not state.is_present(seat) and state.seats[seat].action_count == occasion:
            return True
        self._cancel()
        return False

    def on_handled(self, move: BotMove) -> None:
        """A move is about to be done: the next one may be chosen after it."""
        if (move.seat, move.move_number) == self._turn:
            self._task = None

    def on_not_handled(self) -> None:
        """A move could not be done now: it is chosen again later."""
        self._task = None

    def skip_pause(self, state: State, person: str, *, to_end: bool) -> None:
        """Has the next move come without a pause, or all until the round is over.

        Raises:
            TableError: whoever asks may not.
        """
        skip_pauses.check_may_skip(state, person, to_end=to_end)
        self._skip_to_round_end |= to_end
        if self._move_delay is not None:
            self._move_delay.skip()

    def close(self) -> None:
        """Gives up the move that is being chosen; nothing is handed over any more."""
        self._cancel()
        # Whoever takes the moves holds this in turn, and would be left to garbage collection.
        self._hand_over = _ignore_move

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None


def _ignore_move(_: BotMove) -> None:
    """Takes a move of a table that has left memory."""
