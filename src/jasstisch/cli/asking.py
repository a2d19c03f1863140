"""The person at the terminal: what he is shown and asked when it is his turn, and his commands.

He sees a view of his seat and nothing else. Where the match is, at this machine or at a server, is
decided elsewhere: whatever he types is either done there or answered with a sentence here.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from rich.console import RenderableType
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli import rules
from jasstisch.cli.announcing import AnnounceQuestion
from jasstisch.cli.claims import last_claim
from jasstisch.cli.contracts import contracted, sides_now, slated
from jasstisch.cli.faces import Faces
from jasstisch.cli.hands import trick_line
from jasstisch.cli.laying import LayQuestion
from jasstisch.cli.news import Reporter
from jasstisch.cli.questions import (
    BidQuestion,
    CardQuestion,
    MenuQuestion,
    Question,
    card_played,
)
from jasstisch.cli.refusals import explain
from jasstisch.cli.seats import Seats
from jasstisch.cli.sheets import table_now, table_title
from jasstisch.cli.terminal import Terminal
from jasstisch.cli.views import answers_claims, bids_told, playing
from jasstisch.errors import GameError, Refusal
from jasstisch.games.rules import Game

__all__ = ["Person"]


class Person:
    """Who sits at the terminal.

    Args:
        terminal: where he sits.
        game: what is played.
        seats: the players, with his own seat.
        faces: the deck.
        leave: what happens when he wants to leave; it returns where he stays.
        beside: what else is said to him when he may do one of these actions.

    Attributes:
        reporter: who tells him the news.
    """

    def __init__(
        self,
        terminal: Terminal,
        game: Game,
        seats: Seats,
        faces: Faces,
        leave: Callable[[], None],
        beside: Callable[[Sequence[str]], Iterator[RenderableType]] = lambda _: iter(()),
    ) -> None:
        self.terminal = terminal
        self.game = game
        self.seats = seats
        self.say = seats.speech
        self.faces = faces
        self.leave = leave
        self.beside = beside
        self.reporter = Reporter(seats, faces, terminal.width)

    # Asking.

    def act(self, view: View, legal: Sequence[str], done: Callable[[str], Refusal | None]) -> None:
        """Asks until there is an action that can be done.

        Args:
            view: what he may know.
            legal: what he may do.
            done: does an action, or says why it may not be done.
        """
        self.show(view, legal)
        question = self.question(view, legal)
        ask = partial(self.ask, view=view, legal=legal)
        while True:
            action = question.completed(question.meant(ask(question.prompt)), ask)
            if action is None:
                continue
            refusal = done(action)
            if refusal is None:
                return
            self.terminal.say(explain(refusal, action, question, self.faces))

    def question(self, view: View, legal: Sequence[str]) -> Question:
        """What he is asked now."""
        return asked(view, legal)(view, legal, self.faces, self.terminal.width)

    def ask(
        self,
        question: str,
        view: View,
        legal: Sequence[str] = (),
        answers: Collection[str] = (),
    ) -> str:
        """Asks until something is typed that is not one of the commands.

        Args:
            question: what is asked.
            view: what he may know.
            legal: what he may do, if it is his turn.
            answers: words that are an answer here, also where they are a command elsewhere.
        """
        word = self.say.plain
        while True:
            typed = self.terminal.ask(question)
            meant = typed.lower()
            if meant in answers:
                return typed
            if meant in {"?", "help", word("play.help_word")}:
                self.help(view, legal)
            elif meant == "l":
                self.last_trick(view)
            elif meant == "s":
                self.slate(view)
            elif meant in {"r", "rules", word("play.rules_word")}:
                self.rules()
                self.show(view, legal)
            elif meant in {"q", "quit", "exit", word("play.quit_word")}:
                self.leave()
            else:
                return typed

    def pause(self, view: View, question: str) -> None:
        """Gives him the time to read, where he is there."""
        if self.terminal.attended:
            self.terminal.say("")
            self.ask(question, view)

    # Showing.

    def show(self, view: View, legal: Sequence[str]) -> None:
        """The table, the hand and what there is to choose from, when it is his turn."""
        if not legal:
            return
        if title := table_title(view, self.seats, self.faces):
            self.terminal.say(Text(), title)
        self.terminal.say(table_now(view, self.seats, self.faces), Text())
        if self.seats.sides and contracted(view["game"]):
            self.terminal.say(sides_now(view, self.seats), Text())
        self.terminal.say(*self.question(view, legal).above(), Text())
        if beside := list(self.beside(legal)):
            self.terminal.say(*beside, Text())

    def help(self, view: View, legal: Sequence[str]) -> None:
        """What can be typed."""
        if legal:
            self.terminal.say(f"{self.question(view, legal).help}\n")
        claims = answers_claims(view)
        self.terminal.say(self.say("play.commands_claims" if claims else "play.commands"))

    def rules(self) -> None:
        """The rule sheet with the house rules of this match, or that there is none."""
        try:
            rules.show(self.terminal, self.game, self.say.language)
        except GameError:
            self.terminal.tell(self.say.plain("play.no_sheet", game=repr(self.game.name)))

    def last_trick(self, view: View) -> None:
        """The last complete trick of this round, or the last claim that is settled."""
        last = view["last_trick"]
        if answers_claims(view):
            self.terminal.say(last_claim(view, self.seats, self.faces))
        elif last is None:
            self.terminal.say(self.say("play.no_trick"))
        else:
            number, width = len(view["tricks"]), self.terminal.width
            line = trick_line(number, last, playing(view), self.seats, self.faces, width)
            self.terminal.say(line)

    def slate(self, view: View) -> None:
        """All rounds so far and what everybody has gathered."""
        if view["rounds"] or slated(view["game"]):
            self.terminal.say(self.reporter.sheet(view), Text())
        else:
            self.terminal.say(self.say("play.no_round"))


def asked(view: View, legal: Sequence[str]) -> type[Question]:
    """Which question the open actions make: a card, points, cards under a claim, or a menu."""
    word = legal[0].split()[0]
    if view["phase"] == "announce" and contracted(view["game"]):
        return AnnounceQuestion
    if word == "lay" and answers_claims(view):
        return LayQuestion
    if word == "bid" and bids_told(view):
        return BidQuestion
    return CardQuestion if any(map(card_played, legal)) else MenuQuestion
