"""A person's time at a table of a server: what happens there is told, and he is asked on his turn.

What he sees is the view that the server gives his seat; what he types is done there or refused.
"""

import time
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from jasstisch.cli.asking import Person
from jasstisch.cli.encoding import printable
from jasstisch.cli.faces import Faces, fitting
from jasstisch.cli.following import Following, News
from jasstisch.cli.seats import BOT, Seats
from jasstisch.cli.speech import Speech
from jasstisch.cli.terminal import Terminal
from jasstisch.client import LostError, RequestError, Step, WatchedTable
from jasstisch.errors import Refusal
from jasstisch.games.rules import Game
from jasstisch.server.messages import Room

__all__ = ["Visit", "refused"]

OVERTAKEN = frozenset({"turn", "pack", "over"})
"""Reasons for which an action is refused when the table has gone on meanwhile."""

PAUSE = 1.0
"""Seconds after a refusal before the same may be asked of a server again."""

OF_PEOPLE = {
    "sat": "join.sits",
    "stood": "join.stands",
    "undone": "join.undone",
}
"""What is told of people, by what happened."""

SHARED = {"away": "has_lapsed", "back": "is_back"}
"""The same, where the page says it too."""


class Gone(Exception):  # noqa: N818 - the person has left, which is no error
    """The person leaves; his seat is kept."""


class Visit:
    """A person at a table.

    Args:
        following: the connection.
        table: the table, where he has a seat.
        terminal: where he sits.
        speech: the language.
        faces: the deck he wishes.
        link: the link of the table.
    """

    def __init__(
        self,
        following: Following,
        table: WatchedTable,
        terminal: Terminal,
        speech: Speech,
        faces: Faces,
        link: str,
    ) -> None:
        self.following = following
        self.table = table
        self.terminal = terminal
        self.say = speech
        self.wished = faces
        self.link = link
        self.step: Step = following.present(table)
        self.person = self.someone(self.step)
        self.begun_with: object = None

    # The loop.

    def play(self) -> bool:
        """Plays until the table is closed or the person leaves; whether his seat is gone.

        Raises:
            LostError: the server has gone.
            EOFError: there is nobody any more who could be asked.
        """
        self.greet()
        try:
            while self.answer():
                self.take(self.next())
                while not self.following.news.empty():
                    self.take(self.following.news.get())
        except Gone:
            return False
        return True

    def next(self) -> News:
        """What happens next."""
        with self.terminal.working(self.awaited()):
            return self.following.news.get()

    def awaited(self) -> str:
        """Whom or what the table waits for."""
        view, room = self.step.view, self.step.room
        if room.phase == "open" or view is None:
            return self.say.vocabulary["waiting_start"]
        others = [seat for seat in view["to_act"] if seat != self.step.seat]
        if room.phase in {"between", "over"}:
            people = [seat for seat, one in enumerate(room.seats) if one.kind == "person"]
            others = [seat for seat in people if not room.seats[seat].ready]
        names = self.person.seats.all(others)
        return self.say.shared("waiting_for", names=names).plain if names else "…"

    def take(self, news: News) -> None:
        """Tells what happened.

        Raises:
            LostError: the server has gone.
        """
        if news is None:
            self.following.present(self.table)  # which says why
            raise LostError("the server cannot be reached")
        if isinstance(news, str):
            text = "reconnecting" if news == "lost" else "reconnected"
            self.terminal.say(Text(self.say.vocabulary[text], "dim"))
            return
        if news.version <= self.step.version:
            return  # known from looking at the table as it stood
        before, there, self.step = self.step, self.person.seats, news
        if news.seat is None:
            return
        if self.names(before) != self.names(news) or before.seat != news.seat:
            self.person = self.someone(news)
        self.terminal.say(*self.of_people(news, there))
        self.terminal.say(*self.of_match(before, news))

    # Telling.

    def greet(self) -> None:
        """What is played, and with whom."""
        room, seats = self.step.room, self.person.seats
        game = self.say.words(room.game).name
        others = [
            seat
            for seat, one in enumerate(room.seats)
            if seat != self.step.seat and one.kind != "open"
        ]
        name = "join.seated" if others else "join.seated_alone"
        self.terminal.say(self.say(name, game=game, others=seats.all(others)))
        self.terminal.say(Text(self.say.plain("play.help"), "dim"))
        if self.step.view is not None and room.phase in {"playing", "between"}:
            self.terminal.say(*self.person.reporter.match_begins(self.person.game))

    def of_people(self, step: Step, before: Seats) -> Iterator[RenderableType]:
        """Who came, went and said something.

        Args:
            step: the table after it.
            before: who sat there before it: whoever has stood up is not among the others any more.
        """
        happened = step.happened
        if happened is None or happened.seat is None:
            return
        seats = before if happened.kind == "stood" else self.person.seats
        who = seats.who(happened.seat)
        if happened.kind in {"said", "wrote"} and happened.words:
            written = happened.kind == "wrote"
            words = happened.words if written else self.say.vocabulary[f"phrase_{happened.words}"]
            name = "you_say" if happened.seat == step.seat else "says"
            yield self.say.shared(name, name=who.names, words=printable(words))
        elif happened.kind in OF_PEOPLE:
            yield self.say(OF_PEOPLE[happened.kind], who=who)
        elif happened.kind in SHARED and happened.seat != step.seat:
            yield self.say.shared(SHARED[happened.kind], name=who.names)

    def of_match(self, before: Step, after: Step) -> Iterator[RenderableType]:
        """What happened in the match."""
        if after.view is None:
            return
        reporter, happened = self.person.reporter, after.happened
        if before.view is None or before.room.number != after.room.number:
            yield Text()
            yield from reporter.match_begins(self.person.game)
        elif happened is not None and happened.kind != "undone":
            done = None
            if happened.kind == "acted" and happened.seat is not None and happened.action:
                done = (happened.seat, happened.action)
            yield from reporter.news(before.view, after.view, done)
            if after.view["over"] and not before.view["over"]:
                yield from reporter.match_ends(after.view)
                replay = f"{self.link}/replay/{after.room.number}"
                yield self.say("join.replay", link=replay)

    # Answering.

    def answer(self) -> bool:
        """Asks the person what there is to ask him now; False when all is over.

        Raises:
            LostError: the server has gone.
        """
        while True:
            room, seat = self.step.room, self.step.seat
            if room.phase == "closed":
                self.terminal.say(self.say.shared("closed_title").append("."))
                return False
            if seat is None:
                self.terminal.say(self.say.shared("seat_removed"))
                return False
            try:
                return self.respond(room, seat)
            except LostError:
                self.catch_up()
            except RequestError as error:
                self.come_to_nothing(error)

    def come_to_nothing(self, error: RequestError) -> None:
        """Says why what was asked of the table was refused, before anything is asked anew.

        Raises:
            LostError: the server has gone.
        """
        version = self.step.version
        self.catch_up()
        if self.step.version > version:
            self.terminal.say(self.say("join.too_late"))
            return
        self.terminal.say(refused(error, self.say))
        time.sleep(PAUSE)
        self.catch_up()

    def catch_up(self) -> None:
        """Tells what has happened until now.

        Raises:
            LostError: the server has gone.
        """
        now = self.following.present(self.table)
        while self.step.version < now.version:
            self.take(self.following.news.get())

    def respond(self, room: Room, seat: int) -> bool:
        """The same, where the table is open and there is a seat."""
        me, view = room.seats[seat], self.step.view
        if room.undo is not None and seat in room.undo.awaited:
            self.agree(room, room.undo.seat)
        elif room.phase == "open":
            self.before_the_match(room, seat)
        elif room.phase == "over":
            return self.rematch(ready=me.ready)
        elif me.away and not me.returning:
            self.terminal.say(self.say.shared("away_banner"))
            self.following.run(self.table.back())
        elif room.phase == "between" and not me.ready and view is not None:
            self.person.pause(view, self.say.plain("play.enter_round"))
            self.following.run(self.table.ready())
        elif self.step.turn is not None and view is not None:
            self.person.act(view, self.step.turn.legal, self.act)
        return True

    def act(self, action: str) -> Refusal | None:
        """Does an action at the table, or tells why it is refused.

        Raises:
            RequestError: the table has gone on, or the server could not do it now.
        """
        try:
            self.following.run(self.table.act(action))
        except RequestError as error:
            if error.code != "illegal_action" or error.reason in OVERTAKEN:
                raise
            return Refusal(error.clause or "", error.reason or "unknown", str(error.args[0]))
        return None

    def agree(self, room: Room, asking: int) -> None:
        """Asks whether somebody may take his last card back."""
        name = self.person.seats[asking]
        self.terminal.say(self.say.shared("asks_undo", name=name))
        accept = self.terminal.yes("join.agree", self.say)
        self.following.run(self.table.answer_undo(accept=accept))

    def before_the_match(self, room: Room, seat: int) -> None:
        """Asks whether to swap seats, and whether to begin, once for those who sit there."""
        asking = [other for other, one in enumerate(room.seats) if one.asks == seat]
        if asking:
            name = self.person.seats[asking[0]]
            self.terminal.say(self.say.shared("asks_you_to_swap", name=name))
            self.following.run(
                self.table.answer(asking[0], accept=self.terminal.yes("join.swap", self.say))
            )
            return
        people = [(one.kind, one.name) for one in room.seats]
        if (room.starters == "all" or room.host == seat) and people != self.begun_with:
            self.begun_with = people
            free = any(one.kind == "open" for one in room.seats)
            if self.terminal.yes("join.begin_filled" if free else "join.begin", self.say):
                self.begin()

    def begin(self) -> None:
        """Begins the match; where it is refused the person is asked anew.

        Raises:
            LostError: the connection was lost before the answer came.
            RequestError: it is refused.
        """
        try:
            self.following.run(self.table.start())
        except (LostError, RequestError):
            self.begun_with = None
            raise

    def rematch(self, *, ready: bool) -> bool:
        """Asks for another match; gives the seat up where none is wanted."""
        if ready:
            return True
        self.terminal.say("")
        if self.terminal.yes("play.rematch", self.say):
            self.following.run(self.table.ready())
            return True
        self.following.run(self.table.stand())
        return False

    def leave(self) -> None:
        """Asks whether the person means it.

        Raises:
            Gone: he does.
        """
        question = self.say.vocabulary["leave_question"]
        answer = self.terminal.ask(f"{question} {self.say.plain('word.yes_or_no')} ")
        if answer.lower() in self.say.answers("yes"):
            raise Gone

    # Who is there.

    def someone(self, step: Step) -> Person:
        """The person among those who sit there now."""
        game = Game(step.room.game, step.room.options)
        sides = [tuple(side) for side in step.room.sides]
        programs = {seat for seat, one in enumerate(step.room.seats) if one.program}
        names = self.names(step)
        seats = Seats(names, step.seat, sides, self.say, spoken_to=True, programs=programs)
        drawn = self.terminal.draws
        faces = fitting(self.wished, game.rules.deck, self.say, drawn=drawn)
        return Person(self.terminal, game, seats, faces, self.leave, self.beside)

    def names(self, step: Step) -> list[str]:
        """The names of all seats, computers as a record has them."""
        return [
            one.name if one.kind == "person" or one.left else f"{BOT}{one.bot or ''}"
            for one in step.room.seats
        ]

    def beside(self, legal: Sequence[str]) -> Iterator[RenderableType]:
        """How much time there is for an answer."""
        turn = self.step.turn
        if turn is not None and turn.seconds is not None:
            yield Text(self.say.plain("join.seconds", n=round(turn.seconds)), "dim")


def refused(error: RequestError, speech: Speech) -> str:
    """Why a server refuses something."""
    if error.code == "unknown_table":
        return speech.vocabulary["unknown_table_text"]
    if error.code == "no_entry":
        return speech.vocabulary["entry_nobody_note"]
    if error.code in {"bad_option", "banned"}:
        return speech.shared(f"error_{error.code}", message=str(error.args[0])).plain
    return speech.vocabulary.get(f"error_{error.code}") or str(error)
