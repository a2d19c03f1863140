"""One match at the terminal: a person against computer players.

Drives the match from pack to pack, tells what happens, and asks the person, who sees his own view
and nothing else. Whatever he types is either done or answered with a sentence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from rich.text import Text

import jasstisch as jt
from jasstisch.bots import Bot, View
from jasstisch.cards import shuffled
from jasstisch.cli import rules
from jasstisch.cli.announcing import AnnounceQuestion
from jasstisch.cli.claims import last_claim
from jasstisch.cli.coach import Coach
from jasstisch.cli.contracts import contracted, sides_now, slated
from jasstisch.cli.exits import CommandError
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
from jasstisch.cli.records import exists, save
from jasstisch.cli.refusals import explain
from jasstisch.cli.seats import Seats
from jasstisch.cli.sheets import table_now, table_title
from jasstisch.cli.terminal import Terminal
from jasstisch.cli.views import answers_claims, bids_told, playing
from jasstisch.errors import GameError

__all__ = ["Left", "Sitting"]

COMMANDS = """\
  l  the last {trick}               r  the rules
  s  the slate and all rounds     q  leave the match
"""


class Left(Exception):  # noqa: N818 - the person has left the table, which is no error
    """The person has left before the match was over."""


@dataclass
class Sitting:
    """One match at the terminal.

    Attributes:
        match: the match, new or resumed.
        own: the person's seat.
        bots: who plays each of the other seats.
        seed: what all chance comes from; the same seed deals the same cards.
        terminal: where the person sits.
        faces: the deck.
        path: the file that is kept up to date with the match; None for none.
        coach: who speaks in a guided first round; None from the second round on.
    """

    match: jt.Match
    own: int
    bots: Mapping[int, Bot]
    seed: str
    terminal: Terminal
    faces: Faces
    path: Path | None
    coach: Coach | None = None

    def __post_init__(self) -> None:
        self.steps = len(self.match.record()["log"])
        self.seats = Seats(self.match.players, self.own, self.match.game.sides)
        self.reporter = Reporter(self.seats, self.faces, self.terminal.width)

    def play(self) -> None:
        """Plays the match to its end.

        Raises:
            Left: the person has left before.
            EOFError: there is nobody any more who could be asked.
            CommandError: a computer player failed.
        """
        view = self.view()
        self.terminal.say(*self.reporter.match_begins(self.match.game))
        self.terminal.say(Text("Type ? for help, q to leave.", "dim"))
        while not self.match.over:
            before = view
            actor = self.step(view)
            self.steps += 1
            self.keep()
            view = self.view()
            done = (actor, self.match.told(self.own)) if actor is not None else None
            self.terminal.say(*self.reporter.news(before, view, done))
            self.learn()
            if len(view["rounds"]) > len(before["rounds"]) and not view["over"]:
                self.pause()
        self.terminal.say(*self.reporter.match_ends(view))

    def learn(self) -> None:
        """Lets the coach say what there is to say, and waits until it has been read."""
        coach = self.coach
        if coach is None:
            return
        coach.follow(self.match)
        while coach.lesson.waits:
            self.terminal.say(Text(), *coach.says())
            if self.terminal.attended:
                self.ask("Enter to go on: ", self.view())
            coach.lesson = coach.lesson.read_on()
        if coach.lesson.over:
            self.terminal.say(Text(), *coach.says())
            self.coach = None

    def view(self) -> View:
        """What the person may know."""
        return self.match.view(self.own)

    def step(self, view: View) -> int | None:
        """Goes on by one pack or one action; the seat that acted."""
        chance = Random(f"{self.seed}/{self.steps}")  # noqa: S311 - a seed gives the deal again
        if self.match.needs_pack:
            fixed = self.coach.lesson.pack if self.coach else None
            self.match.shuffle(fixed or shuffled(self.match.pack, chance))
            return None
        if self.own in self.match.to_act:
            self.own_turn(view)
            return self.own
        seat = self.match.to_act[0]
        self.computer_turn(seat, chance)
        return seat

    def computer_turn(self, seat: int, chance: Random) -> None:
        """A computer player acts."""
        player, legal = self.bots[seat], self.match.legal(seat)
        action = self.coach.lesson.scripted(seat, legal) if self.coach else None
        try:
            if action is None:
                with self.terminal.working(f"{self.seats.does(seat, 'think')} …"):
                    action = player.act(self.match.view(seat), legal, chance)
            self.match.act(seat, action)
        except ValueError as error:
            raise CommandError(f"the computer player {player.name} failed: {error}") from error

    def keep(self) -> None:
        """Brings the file up to date; when that fails the match goes on without it."""
        if self.path is None:
            return
        try:
            save(self.match, self.path)
        except CommandError as error:
            self.terminal.tell(f"{error}. The match goes on and is no longer kept.")
            self.path = None

    # Asking.

    def question(self, view: View) -> Question:
        """What the person is asked now."""
        legal = self.match.legal(self.own)
        return asked(view, legal)(view, legal, self.faces, self.terminal.width)

    def own_turn(self, view: View) -> None:
        """Asks the person until there is an action that can be done, and does it."""
        self.show(view)
        question, ask = self.question(view), partial(self.ask, view=view)
        while True:
            action = question.completed(question.meant(ask(question.prompt)), ask)
            if action is None:
                continue
            refusal = self.match.refusal(self.own, action)
            if refusal is None:
                self.match.act(self.own, action)
                return
            self.terminal.say(explain(refusal, action, question, self.faces))

    def ask(self, question: str, view: View) -> str:
        """Asks until something is typed that is not one of the commands."""
        while True:
            typed = self.terminal.ask(question)
            match typed.lower():
                case "?" | "help":
                    self.help(view)
                case "l":
                    self.last_trick(view)
                case "s":
                    self.slate(view)
                case "r" | "rules":
                    self.rules()
                    self.show(view)
                case "q" | "quit" | "exit":
                    self.leave()
                case _:
                    return typed

    def pause(self) -> None:
        """Gives a person the time to read how the round ended."""
        if self.terminal.attended:
            self.terminal.say("")
            self.ask("Enter for the next round: ", self.view())

    def leave(self) -> None:
        """Asks whether the person means it, and offers to keep the match.

        Raises:
            Left: he does.
        """
        if not self.terminal.yes("Leave the match?"):
            return
        while self.path is None:
            name = self.terminal.ask(
                "To go on with it later, name a file to keep it in (Enter: no): "
            )
            if not name:
                break
            path = Path(name)
            if exists(path):
                self.terminal.tell(f"{name} exists already.")
                continue
            try:
                save(self.match, path)
                self.path = path
            except CommandError as error:
                self.terminal.tell(f"{error}.")
        raise Left

    # Showing.

    def show(self, view: View) -> None:
        """The table, the hand and what there is to choose from, when it is the person's turn."""
        if self.own not in self.match.to_act:
            return
        if title := table_title(view, self.seats, self.faces):
            self.terminal.say(Text(), title)
        self.terminal.say(table_now(view, self.seats, self.faces), Text())
        if self.seats.sides and contracted(view["game"]):
            self.terminal.say(sides_now(view, self.seats), Text())
        self.terminal.say(*self.question(view).above(), Text())
        if self.coach is not None:
            advice = self.coach.advises(self.match.legal(self.own))
            self.terminal.say(*self.coach.says(), *advice, Text())

    def help(self, view: View) -> None:
        """What can be typed."""
        if self.own in self.match.to_act:
            self.terminal.say(f"{self.question(view).help}\n")
        self.terminal.say(COMMANDS.format(trick="claim" if answers_claims(view) else "trick"))

    def rules(self) -> None:
        """The rule sheet with the house rules of this match, or that there is none."""
        try:
            rules.show(self.terminal, self.match.game, "en")
        except GameError as error:
            self.terminal.tell(f"There is {error}.")

    def last_trick(self, view: View) -> None:
        """The last complete trick of this round, or the last claim that is settled."""
        last = view["last_trick"]
        if answers_claims(view):
            self.terminal.say(last_claim(view, self.seats, self.faces))
        elif last is None:
            self.terminal.say("There is no complete trick in this round yet.")
        else:
            number, width = len(view["tricks"]), self.terminal.width
            line = trick_line(number, last, playing(view), self.seats, self.faces, width)
            self.terminal.say(line)

    def slate(self, view: View) -> None:
        """All rounds so far and what everybody has gathered."""
        if view["rounds"] or slated(view["game"]):
            self.terminal.say(self.reporter.sheet(view), Text())
        else:
            self.terminal.say("No round is finished yet.")


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
