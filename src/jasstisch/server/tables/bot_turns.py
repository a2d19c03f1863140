"""The moves of the bots at one table: schedules them, has them computed and passes them on.

The workers of the server compute one move at a time, while the table continues. The actor receives
each move and decides whether it is still valid.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from jasstisch.server.context import ServerContext
from jasstisch.server.workers import BillingKey, MoveDelay, MoveTimer
from jasstisch.table import State, turns
from jasstisch.table.handlers import skip_pauses

_RETRY_DELAY_S = 1.0
"""Seconds a bot waits before it tries again after a failure."""


@dataclass(frozen=True, slots=True)
class BotMove:
    """A move that a bot has chosen.

    Attributes:
        seat: the bot's seat.
        move_number: how many actions the seat had taken when the move was requested.
        action: the chosen action.
    """

    seat: int
    move_number: int
    action: str


class BotTurns:
    """Schedules the moves of the bots of a table.

    Args:
        context: gives access to the bots.
        hand_over: called with each move when it has been chosen.
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
    def is_choosing(self) -> bool:
        """Whether a move is being computed, or waits to be processed."""
        return self._task is not None

    def schedule(self, state: State, billing_key: BillingKey, *, after_failure: bool) -> None:
        """Schedules the next move, unless one is being computed or none is due.

        Args:
            state: the state of the table.
            billing_key: the account that pays for the computation.
            after_failure: whether the last attempt to do something failed; the move is then
                delayed.
        """
        if state.phase != "playing":
            self._skip_to_round_end = False
        turn = turns.bot_turn(state)
        match = state.match
        if turn is None or match is None or self._is_pending(state):
            return
        seat, bot = turn
        move_number = state.seats[seat].action_count
        self._turn = (seat, move_number)
        loop = asyncio.get_running_loop()
        retry_delay = after_failure * _RETRY_DELAY_S
        delay = self._move_delay = self._new_move_delay(state, bot)
        view, legal = match.view(seat), match.legal(seat)
        tutorial = state.tutorial_session
        scripted = None if tutorial is None else tutorial.scripted_action(seat, legal)

        async def choose() -> None:
            await asyncio.sleep(retry_delay)
            # The warm-up happens once: it must not slow down the moves that follow.
            await self._context.warmup.wait_ready(bot, match.game.name)
            asked = loop.time()
            action = scripted or await self._context.choose_action(billing_key, bot, view, legal)
            took = loop.time() - asked
            await delay.wait(took)
            self._move_timer.observe(took, delay.seconds)
            self._hand_over(BotMove(seat, move_number, action))

        self._task = asyncio.create_task(choose())

    def _new_move_delay(self, state: State, bot: str) -> MoveDelay:
        """The delay of a bot's answer; it starts when the computation starts."""
        timer, wanted = self._move_timer, turns.bot_delay_ms(state) / 1000
        delay = MoveDelay(timer.delay(0.0, bot), timer.delay(wanted, bot))
        # A person who plays at the table may have come since `skip_pause`.
        if self._skip_to_round_end and skip_pauses.is_round_left_to_bots(state):
            delay.finish()
        return delay

    def _is_pending(self, state: State) -> bool:
        """Whether the bot is computing a decision that it still has to make.

        A move that waits for the warm-up of a bot must not block the table when the person has
        returned and decided.
        """
        if self._task is None or self._turn is None:
            return False
        seat, move_number = self._turn
        due = state.match is not None and seat in state.match.to_act
        due = due and state.undo_state.pending is None
        place = state.seats[seat]
        if due and not place.is_present and place.action_count == move_number:
            return True
        self._cancel()
        return False

    def on_move_handled(self, move: BotMove) -> None:
        """Called before a move is applied: the next move may be computed afterwards."""
        if (move.seat, move.move_number) == self._turn:
            self._task = None

    def on_move_failed(self) -> None:
        """Called when a move could not be applied: it is computed again later."""
        self._task = None

    def skip_pause(self, state: State, person: str, *, to_end: bool) -> None:
        """Skips the delay of the next move, or of all moves until the end of the round.

        Raises:
            TableError: this person may not skip it.
        """
        skip_pauses.check_may_skip(state, person, to_end=to_end)
        self._skip_to_round_end |= to_end
        if self._move_delay is not None:
            self._move_delay.finish()

    def close(self) -> None:
        """Cancels the computation; no more moves are passed on."""
        self._cancel()
        # The receiver refers back to this object; the cycle would be left to the garbage collector.
        self._hand_over = _ignore_move

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None


def _ignore_move(_: BotMove) -> None:
    """Discards a move of a table that has left memory."""
