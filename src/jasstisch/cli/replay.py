"""`jasstisch replay`: checks a record to its last step, then shows the match trick by trick.

A record knows all hands, so the replay shows them all, and whatever is laid face down. On a
terminal it waits after every trick, or every claim; anywhere else it prints everything.
"""

from pathlib import Path

from rich.text import Text

import jasstisch as jt
from jasstisch.cli import records
from jasstisch.cli.arguments import Parser
from jasstisch.cli.faces import Faces, deck, fitting
from jasstisch.cli.hands import flow, hand_line, hand_line_by_rank
from jasstisch.cli.news import Reporter
from jasstisch.cli.seats import Seats
from jasstisch.cli.terminal import Terminal
from jasstisch.games.rules import Json

__all__ = ["run"]


def run(words: list[str]) -> int:
    """Shows a recorded match.

    Raises:
        CommandError: the file cannot be read or its record does not hold.
    """
    arguments = parser().read(words)
    terminal = Terminal()
    with terminal.working("Checking the record"):
        match = records.load(arguments.file)
    waits = terminal.attended and not arguments.all
    faces = fitting(arguments.deck, match.game.rules.deck)
    Replay(match, terminal, faces, waits=waits).show()
    return 0


def parser() -> Parser:
    """The words the command takes."""
    result = Parser("jasstisch replay", "Check a recorded match and step through it.")
    result.add_argument("file", metavar="FILE", type=Path, help="a record, *.jass.json")
    result.add_argument("--all", action="store_true", help="print everything without waiting")
    result.add_argument(
        "--deck", metavar="DECK", type=deck, default="french", help="french (default) or swiss"
    )
    return result


class Replay:
    """Plays a recorded match again and tells what happens.

    Args:
        match: the match as recorded.
        terminal: where it is shown.
        faces: the deck.
        waits: whether the reader is waited for after every trick.
    """

    def __init__(self, match: jt.Match, terminal: Terminal, faces: Faces, *, waits: bool) -> None:
        self.recorded = match
        self.match = jt.Match(match.game, match.players)
        self.terminal = terminal
        self.faces = faces
        self.waits = waits
        self.seats = Seats(match.players)
        self.reporter = Reporter(self.seats, faces, terminal.width)

    def show(self) -> None:
        """Shows the match from the first deal to the result."""
        self.head()
        before = self.match.view(None)
        bids: dict[int, str] = {}
        for who, action in self.recorded.record()["log"]:
            if who == "pack":
                self.match.shuffle(action)
            else:
                self.match.act(who, action)
                bids[who] = action.removeprefix("bid ")
            if self.match.trick and self.match.trump == before["trump"]:
                continue  # there is nothing to tell before the trick is complete
            after = self.with_open_cards(self.match.view(None), before)
            self.terminal.say(*self.reporter.news(before, after))
            if before["phase"] == "deal" and after["phase"] != "deal":
                self.hands()
            if after.get("blind") is not None and before["blind"] is None:
                self.hand(after["blind"])
            if before["phase"] == "bid" and after["phase"] == "play":
                self.bids(bids)
            if trick_ended(before, after) and not self.goes_on():
                return
            before = after
        self.end(before)

    def with_open_cards(self, view: Json, before: Json) -> Json:
        """A spectator's view with the cards laid and drawn face down since the one before."""
        turns = view.get("turns", [])
        for place in range(max(0, min(len(before.get("turns", [])), len(turns)) - 1), len(turns)):
            own = self.match.view(turns[place]["seat"])["turns"][place]
            turns[place] |= {"laid": own["laid"], "drawn": own["drawn"]}
        return view

    def head(self) -> None:
        """What was played, and how to go through it."""
        self.terminal.say(*self.reporter.match_begins(self.match.game))
        if self.waits:
            self.terminal.say(Text("Enter: go on   a: all the rest   q: leave", "dim"))

    def hands(self) -> None:
        """All hands as they were dealt."""
        for seat in range(len(self.seats)):
            if self.match.hand(seat):
                self.hand(seat)
        self.terminal.say("")

    def hand(self, seat: int) -> None:
        """The hand of one player."""
        name, hand = self.seats[seat], self.match.hand(seat)
        line = hand_line_by_rank if "claim" in self.match.view(None) else hand_line
        self.terminal.say(line(name, hand, self.seats, self.faces, self.terminal.width))

    def bids(self, bids: dict[int, str]) -> None:
        """All bids, which at the table stay secret until the round is over."""
        said = [Text(f"{self.seats[seat]} {bids[seat]}") for seat in sorted(bids)]
        self.terminal.say(flow("Bids", said, self.terminal.width))

    def goes_on(self) -> bool:
        """Waits for the reader, if he is waited for; whether he wants to see more."""
        if not self.waits:
            return True
        try:
            typed = self.terminal.ask("").lower()
        except EOFError:
            return False
        self.waits = not typed.startswith("a")
        return not typed.startswith("q")

    def end(self, view: Json) -> None:
        """The result, or how far the match has come."""
        if view["over"]:
            self.terminal.say(*self.reporter.match_ends(view))
        else:
            self.terminal.say(f"The record ends in round {view['round']}: the match is not over.")


def trick_ended(before: Json, after: Json) -> bool:
    """Whether a trick became complete between two views, or a claim was settled."""
    return (
        len(after["tricks"]) > len(before["tricks"])
        or len(after["rounds"]) > len(before["rounds"])
        or bool(before.get("claim") and not after["claim"])
    )
