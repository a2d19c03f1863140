"""A match at a table of a server: narrates the events and asks the person on their turn.

The person sees the view that the server sends for their seat. Their input is sent to the server,
which does it or refuses it.
"""

import time
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import wait
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from jasstisch.cli.game.deal_news import DealNews
from jasstisch.cli.game.human_player import HumanPlayer
from jasstisch.cli.game.table_feed import FeedItem, TableFeed
from jasstisch.cli.game.time_warnings import time_warnings
from jasstisch.cli.ui.card_style import CardStyle, compatible_style
from jasstisch.cli.ui.encoding import printable_line
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.translator import Translator
from jasstisch.client import ConnectionLostError, RequestError, Step, WatchedTable
from jasstisch.engine.errors import Refusal, count_seats_from_one
from jasstisch.games.rules import Game
from jasstisch.match.record import BOT_PREFIX
from jasstisch.server.api import RoomInfo

_STALE_REASONS = frozenset({"turn", "pack", "over"})
"""Reasons of a refusal that mean that the table has moved on."""

_RETRY_PAUSE_S = 1.0
"""Seconds after a refusal before the next request to the server."""

_LATE_S = 1.5
"""Seconds without an answer after which the person is told that a request is being sent."""

_PERSON_EVENT_TEXTS = {
    "sat": "join.sits",
    "stood": "join.stands",
    "undone": "join.undone",
}
"""The texts about events that concern people, by kind of event."""

_SHARED_EVENT_TEXTS = {"away": "has_lapsed", "back": "is_back"}
"""The same for events whose texts the page shares."""


class _PlayerQuit(Exception):  # noqa: N818 - leaving is not an error
    """The person leaves; their seat is kept."""


class RemoteMatch:
    """A match at a table of a server.

    Args:
        feed: the feed of the table.
        table: the table, at which the person has a seat.
        terminal: the terminal.
        translator: the language.
        card_style: the preferred style of the cards.
        link: the link of the table.
        first_step: the step of the feed with which the person has their seat.
    """

    def __init__(
        self,
        feed: TableFeed,
        table: WatchedTable,
        terminal: Terminal,
        translator: Translator,
        card_style: CardStyle,
        link: str,
        first_step: Step,
    ) -> None:
        self.feed = feed
        self.table = table
        self.terminal = terminal
        self.say = translator
        self.preferred_style = card_style
        self.link = link
        self.step = first_step
        self.deal_news = DealNews(feed.client, table, translator)
        self.human = self.build_human(self.step)
        self.last_asked_people: object = None

    # Main loop.

    def play(self) -> bool:
        """Plays until the table is closed or the person leaves; returns whether the seat is gone.

        Raises:
            ConnectionLostError: the connection is lost for good.
            EOFError: the input has ended.
            RequestError: the server has ended the subscription.
        """
        self.show_welcome()
        self.tell_deal_news()
        try:
            self.handle_queued_items()
            while self.prompt():
                self.handle_item(self.next_item())
                self.handle_queued_items()
        except _PlayerQuit:
            return False
        except RequestError:
            self.tell_ended_deals()
            raise
        except ConnectionLostError as error:
            self.tell_ended_deals(error)
            raise
        return True

    def handle_queued_items(self) -> None:
        """Narrates the items that are queued.

        Raises:
            ConnectionLostError: the connection is lost for good.
        """
        while not self.feed.queue.empty():
            self.handle_item(self.feed.queue.get())

    def next_item(self) -> FeedItem:
        """Returns the next item of the feed."""
        with self.terminal.spinner(self.waiting_text()):
            return self.feed.queue.get()

    def waiting_text(self) -> str:
        """Returns the message that says whom or what the table waits for."""
        view, room = self.step.view, self.step.room
        if room.phase == "open" or view is None:
            return self.say.shared_texts["waiting_start"]
        others = [seat for seat in view["to_act"] if seat != self.step.seat]
        if room.phase in {"between", "over"}:
            people = [seat for seat, one in enumerate(room.seats) if one.kind == "person"]
            others = [seat for seat in people if not room.seats[seat].ready]
        names = self.human.seats.join_names(others)
        return self.say.shared_text("waiting_for", names=names).plain if names else "…"

    def handle_item(self, news: FeedItem) -> None:
        """Narrates an item of the feed.

        Raises:
            ConnectionLostError: the connection is lost for good.
        """
        if news is None:
            self.feed.current_step(self.table)  # raises the reason
            raise ConnectionLostError("the server cannot be reached")
        if isinstance(news, str):
            text = "reconnecting" if news == "lost" else "reconnected"
            self.terminal.write(Text(self.say.shared_texts[text], "dim"))
            return
        if news.version <= self.step.version:
            return  # already included in the state shown before
        before, there, self.step = self.step, self.human.seats, news
        if news.seat is None:
            return
        if self.player_names(before) != self.player_names(news) or before.seat != news.seat:
            self.human = self.build_human(news)
        self.terminal.write(*self.describe_person_event(news, there))
        self.terminal.write(*self.describe_match_event(before, news))
        self.tell_deal_news()
        if _is_over(news) and not _is_over(before):
            self.tell_deal_verdict()

    # Narration.

    def show_welcome(self) -> None:
        """Shows the game and the other players."""
        room, seats = self.step.room, self.human.seats
        game = self.say.game_texts(room.game).name
        others = [
            seat
            for seat, one in enumerate(room.seats)
            if seat != self.step.seat and one.kind != "open"
        ]
        name = "join.seated" if others else "join.seated_alone"
        self.terminal.write(self.say(name, game=game, others=seats.join_names(others)))
        self.terminal.write(Text(self.say.plain("play.help"), "dim"))
        if self.step.view is not None and room.phase in {"playing", "between"}:
            self.terminal.write(*self.human.narrator.match_start(self.human.game))
            self.terminal.write(*self.human.narrator.said_before(self.step.view, self.step.said))

    def describe_person_event(self, step: Step, before: PlayerNames) -> Iterator[RenderableType]:
        """Yields who came, left or said something.

        Args:
            step: the step that the event led to.
            before: the players before it; a person who has stood up is missing after it.
        """
        happened = step.event
        if happened is None or happened.seat is None:
            return
        seats = before if happened.kind == "stood" else self.human.seats
        who = seats.subject(happened.seat)
        if happened.kind in {"said", "wrote"} and happened.words:
            written = happened.kind == "wrote"
            words = happened.words if written else self.say.shared_texts[f"phrase_{happened.words}"]
            name = "you_say" if happened.seat == step.seat else "says"
            yield self.say.shared_text(name, name=who.joined_names, words=printable_line(words))
        elif happened.kind in _PERSON_EVENT_TEXTS:
            yield self.say(_PERSON_EVENT_TEXTS[happened.kind], who=who)
        elif happened.kind in _SHARED_EVENT_TEXTS and happened.seat != step.seat:
            yield self.say.shared_text(_SHARED_EVENT_TEXTS[happened.kind], name=who.joined_names)

    def describe_match_event(self, before: Step, after: Step) -> Iterator[RenderableType]:
        """Yields what happened in the match."""
        if after.view is None:
            return
        narrator, happened = self.human.narrator, after.event
        if before.view is None or before.room.number != after.room.number:
            yield Text()
            yield from narrator.match_start(self.human.game)
        elif happened is not None and happened.kind != "undone":
            done = None
            if happened.kind == "acted" and happened.seat is not None and happened.action:
                done = (happened.seat, happened.action)
            yield from narrator.narrate_step(before.view, after.view, done)
            if after.view["over"] and not before.view["over"]:
                yield from narrator.match_end(after.view)
                replay = f"{self.link}/replay/{after.room.number}"
                yield self.say("join.replay", link=replay)

    def tell_deal_news(self) -> None:
        """Says what is new about the deals, and about matches that this one has replaced."""
        self.terminal.write(*self.deal_news.lines())
        number = self.step.room.number
        if self.deal_news.unproven_matches(number):
            earlier = self.deal_news.judge_earlier(number)
            self.terminal.write(*self.feed.run_on_loop(earlier))

    def tell_deal_verdict(self) -> None:
        """Checks the deals of the match that is over, and says what was found."""
        judged = self.deal_news.judge(self.step.room.number)
        self.terminal.write(*self.feed.run_on_loop(judged))

    def tell_ended_deals(self, lost: ConnectionLostError | None = None) -> None:
        """Says what was not said of the deals yet, where the table does not go on."""
        ended = self.deal_news.judge_ended(lost)
        self.terminal.write(*self.feed.run_on_loop(ended))

    # Prompts.

    def prompt(self) -> bool:
        """Asks the person what the table awaits from them; returns False when all is over.

        Raises:
            ConnectionLostError: the connection is lost for good.
        """
        while True:
            room, seat = self.step.room, self.step.seat
            if room.phase == "closed":
                self.terminal.write(self.say.shared_text("closed_title").append("."))
                self.tell_ended_deals()
                return False
            if seat is None:
                self.terminal.write(self.say.shared_text("seat_removed"))
                return False
            try:
                return self.prompt_seated(room, seat)
            except ConnectionLostError:
                self.catch_up()
                self.terminal.write(self.say("join.not_sent"))
            except RequestError as error:
                self.report_refusal(error)

    def report_refusal(self, error: RequestError) -> None:
        """Says why a request was refused, before the person is asked again.

        Raises:
            ConnectionLostError: the connection is lost for good.
        """
        version = self.step.version
        self.catch_up()
        if self.step.version > version:
            self.terminal.write(self.say("join.too_late"))
            return
        self.terminal.write(refusal_text(error, self.say))
        time.sleep(_RETRY_PAUSE_S)
        self.catch_up()

    def catch_up(self) -> None:
        """Narrates all queued items.

        Raises:
            ConnectionLostError: the connection is lost for good.
        """
        now = self.feed.current_step(self.table)
        while self.step.version < now.version:
            self.handle_item(self.feed.queue.get())

    def prompt_seated(self, room: RoomInfo, seat: int) -> bool:
        """Does the same as `prompt`, at an open table and with a seat."""
        me, view = room.seats[seat], self.step.view
        if room.undo is not None and seat in room.undo.awaited:
            self.prompt_undo(room, room.undo.seat)
        elif room.phase == "open":
            self.prompt_before_match(room, seat)
        elif room.phase == "over":
            return self.prompt_rematch(ready=me.ready)
        elif me.away and not me.returning:
            self.terminal.write(self.say.shared_text("away_banner"))
            self.send(self.table.resume_control())
        elif room.phase == "between" and not me.ready and view is not None:
            self.human.wait_for_enter(view, self.say.plain("play.enter_round"))
            self.send(self.table.declare_ready())
        elif self.step.turn is not None and view is not None:
            seconds = self.step.turn.seconds if self.terminal.is_interactive else None
            with time_warnings(seconds, self.warn_of_time):
                self.human.act(view, self.step.turn.legal, self.act)
        return True

    def warn_of_time(self, seconds: int) -> None:
        """Says how many seconds are left, on a line of its own below what is being typed."""
        left = self.say.plain("join.seconds_left", n=seconds)
        self.terminal.write(Text(), Text(left, "bold"))

    def send(self, request: Coroutine[Any, Any, None]) -> None:
        """Sends a request, and says so if that takes long.

        Raises:
            ConnectionLostError: the connection was lost, and nobody knows whether it has arrived.
            RequestError: the request was refused.
        """
        answer = self.feed.start_on_loop(request)
        if not wait([answer], _LATE_S).done:
            self.terminal.write(Text(self.say.plain("join.being_sent"), "dim"))
        answer.result()

    def act(self, action: str) -> Refusal | None:
        """Sends an action to the table; returns why it is refused, if it is.

        Raises:
            RequestError: the table has moved on, or the server is not available.
        """
        try:
            self.send(self.table.act(action))
        except RequestError as error:
            if error.code != "illegal_action" or error.reason in _STALE_REASONS:
                raise
            return Refusal(error.clause or "", error.reason or "unknown", str(error.args[0]))
        return None

    def prompt_undo(self, room: RoomInfo, asking: int) -> None:
        """Asks whether somebody may take their last card back."""
        name = self.human.seats[asking]
        self.terminal.write(self.say.shared_text("asks_undo", name=name))
        accept = self.terminal.confirm("join.agree", self.say)
        self.send(self.table.answer_undo(accept=accept))

    def prompt_before_match(self, room: RoomInfo, seat: int) -> None:
        """Asks whether to swap seats and whether to start, once for each group of people."""
        asking = [other for other, one in enumerate(room.seats) if one.asks == seat]
        if asking:
            name = self.human.seats[asking[0]]
            self.terminal.write(self.say.shared_text("asks_you_to_swap", name=name))
            self.send(
                self.table.answer_swap(
                    asking[0], accept=self.terminal.confirm("join.swap", self.say)
                )
            )
            return
        people = [(one.kind, one.name) for one in room.seats]
        if (room.starters == "all" or room.host == seat) and people != self.last_asked_people:
            self.last_asked_people = people
            free = any(one.kind == "open" for one in room.seats)
            if self.terminal.confirm("join.begin_filled" if free else "join.begin", self.say):
                self.start_match()

    def start_match(self) -> None:
        """Starts the match; if that is refused, the person is asked again.

        Raises:
            ConnectionLostError: the connection was lost before the response came.
            RequestError: the request was refused.
        """
        try:
            self.send(self.table.start())
        except (ConnectionLostError, RequestError):
            self.last_asked_people = None
            raise

    def prompt_rematch(self, *, ready: bool) -> bool:
        """Asks for a rematch; gives the seat up if the person wants none."""
        if ready:
            return True
        self.terminal.write("")
        if self.terminal.confirm("play.rematch", self.say):
            self.send(self.table.declare_ready())
            return True
        self.send(self.table.stand())
        return False

    def confirm_leave(self) -> None:
        """Asks whether the person really wants to leave.

        Raises:
            PlayerQuit: they do.
        """
        question = self.say.shared_texts["leave_question"]
        answer = self.terminal.ask(f"{question} {self.say.plain('word.yes_or_no')} ")
        if answer.lower() in self.say.accepted_answers("yes"):
            raise _PlayerQuit

    # Players.

    def build_human(self, step: Step) -> HumanPlayer:
        """Returns the person with the players who sit there now."""
        game = Game(step.room.game, step.room.options)
        sides = [tuple(side) for side in step.room.sides]
        programs = {seat for seat, one in enumerate(step.room.seats) if one.program}
        names = self.player_names(step)
        seats = PlayerNames(names, step.seat, sides, self.say, spoken_to=True, programs=programs)
        drawn = self.terminal.supports_symbols
        faces = compatible_style(self.preferred_style, game.rules.deck, self.say, drawn=drawn)
        return HumanPlayer(
            self.terminal,
            game,
            seats,
            faces,
            self.confirm_leave,
            self.time_left_line,
            self.deal_news.commitment_lines,
        )

    def player_names(self, step: Step) -> list[str]:
        """Returns the names of all seats; bots are named as in a record."""
        return [
            one.name if one.kind == "person" or one.left else f"{BOT_PREFIX}{one.bot or ''}"
            for one in step.room.seats
        ]

    def time_left_line(self, legal: Sequence[str]) -> Iterator[RenderableType]:
        """Yields the time left for an answer."""
        turn = self.step.turn
        if turn is not None and turn.seconds is not None:
            yield Text(self.say.plain("join.seconds", n=round(turn.seconds)), "dim")


def _is_over(step: Step) -> bool:
    """Whether a match is over at this step."""
    return step.view is not None and bool(step.view["over"])


def refusal_text(error: RequestError, translator: Translator) -> str:
    """Returns why the server refuses a request."""
    if error.code == "unknown_table":
        return translator.shared_texts["unknown_table_text"]
    if error.code == "no_entry":
        return translator.shared_texts["entry_nobody_note"]
    message = count_seats_from_one(str(error.args[0]))
    if error.code in {"bad_option", "banned"}:
        return translator.shared_text(f"error_{error.code}", message=message).plain
    return translator.shared_texts.get(f"error_{error.code}") or count_seats_from_one(str(error))
