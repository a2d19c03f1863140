"""One match at the terminal: a person against computer players.

Drives the match from pack to pack, tells what happens, and lets the person act.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from rich.console import RenderableType
from rich.text import Text

import jasstisch as jt
from jasstisch.bots import Bot, View
from jasstisch.cards import shuffled
from jasstisch.cli.asking import Person
from jasstisch.cli.coach import Coach
from jasstisch.cli.exits import CommandError
from jasstisch.cli.faces import Faces
from jasstisch.cli.records import exists, save
from jasstisch.cli.seats import Seats
from jasstisch.cli.terminal import Terminal
from jasstisch.errors import Refusal

__all__ = ["Left", "Sitting"]


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
        self.say = self.faces.speech
        self.seats = Seats(self.match.players, self.own, self.match.game.sides, self.say)
        self.person = Person(
            self.terminal, self.match.game, self.seats, self.faces, self.leave, self.advice
        )
        self.reporter = self.person.reporter

    def play(self) -> None:
        """Plays the match to its end.

        Raises:
            Left: the person has left before.
            EOFError: there is nobody any more who could be asked.
            CommandError: a computer player failed.
        """
        view = self.view()
        self.terminal.say(*self.reporter.match_begins(self.match.game))
        self.terminal.say(Text(self.say.plain("play.help"), "dim"))
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
                self.person.pause(self.view(), self.say.plain("play.enter_round"))
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
                self.person.ask(self.say.plain("play.enter"), self.view())
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
            self.person.act(view, self.match.legal(self.own), self.own_turn)
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
                with self.terminal.working(self.thinking(seat)):
                    action = player.act(self.match.view(seat), legal, chance)
            self.match.act(seat, action)
        except ValueError as error:
            raise CommandError(f"the computer player {player.name} failed: {error}") from error

    def thinking(self, seat: int) -> str:
        """That a computer player thinks."""
        return self.say.plain("play.thinks", who=self.seats.who(seat))

    def own_turn(self, action: str) -> Refusal | None:
        """The person acts, unless the action is refused."""
        refusal = self.match.refusal(self.own, action)
        if refusal is None:
            self.match.act(self.own, action)
        return refusal

    def advice(self, legal: Sequence[str]) -> Iterator[RenderableType]:
        """What the coach says where there is one."""
        if self.coach is not None:
            yield from self.coach.says()
            yield from self.coach.advises(legal)

    def keep(self) -> None:
        """Brings the file up to date; when that fails the match goes on without it."""
        if self.path is None:
            return
        try:
            save(self.match, self.path)
        except CommandError as error:
            self.terminal.tell(self.say.plain("play.no_longer_kept", error=str(error)))
            self.path = None

    def leave(self) -> None:
        """Asks whether the person means it, and offers to keep the match.

        Raises:
            Left: he does.
        """
        if not self.terminal.yes("play.leave", self.say):
            return
        while self.path is None:
            name = self.terminal.ask(self.say.plain("play.name_file"))
            if not name:
                break
            path = Path(name)
            if exists(path):
                self.terminal.tell(self.say.plain("play.file_exists", name=name))
                continue
            try:
                save(self.match, path)
                self.path = path
            except CommandError as error:
                self.terminal.tell(f"{error}.")
        raise Left
