"""The person at the terminal: what he is shown and asked when it is his turn, and his commands.

He sees a view of his seat and nothing else. Where the match is, at this machine or at a server, is
decided elsewhere: whatever he types is either done there or answered with a sentence here.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from rich.console import RenderableType
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.game.announce_prompt import AnnouncePrompt
from jasstisch.cli.game.claim_prompt import ClaimPrompt
from jasstisch.cli.game.illegal_move_text import explain
from jasstisch.cli.game.prompts import (
    BidPrompt,
    CardPrompt,
    MenuPrompt,
    Prompt,
    played_card,
)
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.claim_view import describe_last_claim
from jasstisch.cli.ui.contract_view import has_contracts, side_standing_table, uses_line_slate
from jasstisch.cli.ui.hand_view import trick_line
from jasstisch.cli.ui.narrator import Narrator
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.rule_sheet import print_rule_sheet
from jasstisch.cli.ui.score_tables import table_state, table_title
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.view_types import has_bids, has_claims, playing_seats
from jasstisch.engine.errors import GameError, Refusal
from jasstisch.games.rules import Game

__all__ = ["HumanPlayer"]


class HumanPlayer:
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
        seats: PlayerNames,
        faces: CardStyle,
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
        self.narrator = Narrator(seats, faces, terminal.width)

    # Asking.

    def act(self, view: View, legal: Sequence[str], done: Callable[[str], Refusal | None]) -> None:
        """Asks until there is an action that can be done.

        Args:
            view: what he may know.
            legal: what he may do.
            done: does an action, or says why it may not be done.
        """
        self.show_turn(view, legal)
        question = self.build_prompt(view, legal)
        ask = partial(self.ask, view=view, legal=legal)
        while True:
            action = question.complete(question.parse(ask(question.prompt)), ask)
            if action is None:
                continue
            refusal = done(action)
            if refusal is None:
                return
            self.terminal.write(explain(refusal, action, question, self.faces))

    def build_prompt(self, view: View, legal: Sequence[str]) -> Prompt:
        """What he is asked now."""
        return prompt_type(view, legal)(view, legal, self.faces, self.terminal.width)

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
                self.show_help(view, legal)
            elif meant == "l":
                self.show_last_trick(view)
            elif meant == "s":
                self.show_slate(view)
            elif meant in {"r", "rules", word("play.rules_word")}:
                self.show_rules()
                self.show_turn(view, legal)
            elif meant in {"q", "quit", "exit", word("play.quit_word")}:
                self.leave()
            else:
                return typed

    def wait_for_enter(self, view: View, question: str) -> None:
        """Gives him the time to read, where he is there."""
        if self.terminal.is_interactive:
            self.terminal.write("")
            self.ask(question, view)

    # Showing.

    def show_turn(self, view: View, legal: Sequence[str]) -> None:
        """The table, the hand and what there is to choose from, when it is his turn."""
        if not legal:
            return
        if title := table_title(view, self.seats, self.faces):
            self.terminal.write(Text(), title)
        self.terminal.write(table_state(view, self.seats, self.faces), Text())
        if self.seats.sides and has_contracts(view["game"]):
            self.terminal.write(side_standing_table(view, self.seats), Text())
        self.terminal.write(*self.build_prompt(view, legal).header(), Text())
        if beside := list(self.beside(legal)):
            self.terminal.write(*beside, Text())

    def show_help(self, view: View, legal: Sequence[str]) -> None:
        """What can be typed."""
        if legal:
            self.terminal.write(f"{self.build_prompt(view, legal).help}\n")
        claims = has_claims(view)
        self.terminal.write(self.say("play.commands_claims" if claims else "play.commands"))

    def show_rules(self) -> None:
        """The rule sheet with the house rules of this match, or that there is none."""
        try:
            print_rule_sheet(self.terminal, self.game, self.say.language)
        except GameError:
            self.terminal.write_unwrapped(
                self.say.plain("play.no_sheet", game=repr(self.game.name))
            )

    def show_last_trick(self, view: View) -> None:
        """The last complete trick of this round, or the last claim that is settled."""
        last = view["last_trick"]
        if has_claims(view):
            self.terminal.write(describe_last_claim(view, self.seats, self.faces))
        elif last is None:
            self.terminal.write(self.say("play.no_trick"))
        else:
            number, width = len(view["tricks"]), self.terminal.width
            line = trick_line(number, last, playing_seats(view), self.seats, self.faces, width)
            self.terminal.write(line)

    def show_slate(self, view: View) -> None:
        """All rounds so far and what everybody has gathered."""
        if view["rounds"] or uses_line_slate(view["game"]):
            self.terminal.write(self.narrator.slate_table(view), Text())
        else:
            self.terminal.write(self.say("play.no_round"))


def prompt_type(view: View, legal: Sequence[str]) -> type[Prompt]:
    """Which question the open actions make: a card, points, cards under a claim, or a menu."""
    word = legal[0].split()[0]
    if view["phase"] == "announce" and has_contracts(view["game"]):
        return AnnouncePrompt
    if word == "lay" and has_claims(view):
        return ClaimPrompt
    if word == "bid" and has_bids(view):
        return BidPrompt
    return CardPrompt if any(map(played_card, legal)) else MenuPrompt
