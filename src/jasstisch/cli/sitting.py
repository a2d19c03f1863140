"""One match at the terminal: a person against computer players.

Drives the match from pack to pack, tells what happens, and asks the person, who sees his own view
and nothing else. Whatever he types is either done or answered with a sentence.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from rich.text import Text

import jasstisch as jt
from jasstisch.bots import Bot
from jasstisch.cli import rules
from jasstisch.cli.exits import CommandError
from jasstisch.cli.faces import Faces
from jasstisch.cli.news import Reporter
from jasstisch.cli.records import exists, save
from jasstisch.cli.refusals import explain
from jasstisch.cli.seats import Seats
from jasstisch.cli.sheets import cards_in_hand, match_sheet, table_now, trick_line
from jasstisch.cli.terminal import Terminal
from jasstisch.games.rules import Json

__all__ = ["Left", "Sitting"]

PLAYING = (
    "Type the number below a card, or the card itself, such as {card}. A card whose number is in "
    "brackets may not be played now; type it to be told why.\n"
)
BIDDING = (
    "Type how many points you are going to take in this round, from 0 to 157. The closer you come "
    "to your bid the better.\n"
)
COMMANDS = """\
  l  the last trick               r  the rules
  s  the slate and all rounds     q  leave the match
"""
NUMBER = re.compile(r"[0-9]{1,4}")


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
    """

    match: jt.Match
    own: int
    bots: Mapping[int, Bot]
    seed: str
    terminal: Terminal
    faces: Faces
    path: Path | None

    def __post_init__(self) -> None:
        self.steps = len(self.match.record()["log"])
        self.seats = Seats(self.match.players, self.own)
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
            self.step(view)
            self.steps += 1
            self.keep()
            view = self.view()
            self.terminal.say(*self.reporter.news(before, view))
            if len(view["rounds"]) > len(before["rounds"]) and not view["over"]:
                self.pause()
        self.terminal.say(*self.reporter.match_ends(view))

    def view(self) -> Json:
        """What the person may know."""
        return self.match.view(self.own)

    def step(self, view: Json) -> None:
        """Goes on by one pack or one action."""
        chance = Random(f"{self.seed}/{self.steps}")  # noqa: S311 - a seed gives the deal again
        if self.match.needs_pack:
            pack = list(self.match.pack)
            chance.shuffle(pack)
            self.match.shuffle(pack)
        elif self.own in self.match.to_act:
            self.own_turn(view)
        else:
            self.computer_turn(self.match.to_act[0], chance)

    def computer_turn(self, seat: int, chance: Random) -> None:
        """A computer player acts."""
        player = self.bots[seat]
        try:
            with self.terminal.working(f"{self.seats.does(seat, 'think')} …"):
                action = player.act(self.match.view(seat), self.match.legal(seat), chance)
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

    def own_turn(self, view: Json) -> None:
        """Asks the person until there is an action that can be done, and does it."""
        self.show(view)
        last = len(view["hand"])
        question = "Your bid, 0-157 or ?: "
        if view["phase"] != "bid":
            question = f"Your card, {'1-' * (last > 1)}{last} or ?: "
        while True:
            typed = self.ask(question, view)
            action = self.meant(typed, view)
            refusal = self.match.refusal(self.own, action)
            if refusal is None:
                self.match.act(self.own, action)
                return
            legal = self.match.legal(self.own)
            self.terminal.say(explain(refusal, action, legal, view, self.faces))

    def meant(self, typed: str, view: Json) -> str:
        """The action that somebody means who types this, in the words of the match."""
        if NUMBER.fullmatch(typed):
            number = int(typed)
            if view["phase"] == "bid":
                return f"bid {number}"
            hand = view["hand"]
            return f"play {hand[number - 1]}" if 1 <= number <= len(hand) else typed
        card = self.faces.read(typed)
        return f"play {card}" if card else typed

    def ask(self, question: str, view: Json) -> str:
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
                    rules.show(self.terminal, self.match.game.name, "en")
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

    def show(self, view: Json) -> None:
        """The table and the hand, when it is the person's turn."""
        say = self.terminal.say
        hand, legal = view["hand"], self.match.legal(self.own)
        if view["phase"] == "play":
            number = len(view["tricks"]) + 1
            trump = self.faces.suit(view["trump"]) if view["trump"] else "no trump yet"
            title = f"Trick {number} of {number - 1 + len(hand)}"
            say(
                Text(),
                Text.assemble((title, "dim"), " · ", *["trump "] * bool(view["trump"]), trump),
            )
        if view["phase"] in {"bid", "play"}:
            say(table_now(view, self.seats, self.faces), Text())
            playable = None if view["phase"] == "bid" else {action[-2:] for action in legal}
            say(cards_in_hand(hand, playable, self.faces, self.terminal.width), Text())

    def help(self, view: Json) -> None:
        """What can be typed."""
        if view["phase"] == "bid":
            self.terminal.say(BIDDING)
        elif view["hand"]:
            self.terminal.say(PLAYING.format(card=self.faces.typed(view["hand"][0])))
        self.terminal.say(COMMANDS)

    def last_trick(self, view: Json) -> None:
        """The last complete trick of this round."""
        last = view["last_trick"]
        if last is None:
            self.terminal.say("There is no complete trick in this round yet.")
        else:
            number = len(view["tricks"])
            self.terminal.say(trick_line(number, last, self.seats, self.faces, self.terminal.width))

    def slate(self, view: Json) -> None:
        """All rounds so far and what everybody has gathered."""
        if view["rounds"]:
            self.terminal.say(match_sheet(view["rounds"], view["standing"], self.seats), Text())
        else:
            self.terminal.say("No round is finished yet.")
