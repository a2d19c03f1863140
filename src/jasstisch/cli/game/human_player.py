"""The person at the terminal: shows the table, asks for actions and handles the commands.

It works on the view of one seat. Whether the match is on this machine or at a server is decided by
the caller, which carries out the actions.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from rich.console import RenderableType
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.game.announce_prompt import AnnouncePrompt
from jasstisch.cli.game.i_doubt_it_prompt import ClaimPrompt
from jasstisch.cli.game.illegal_move_text import explain
from jasstisch.cli.game.prompts import (
    BidPrompt,
    CardPrompt,
    MenuPrompt,
    Prompt,
    played_card,
)
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.contract_view import has_contracts, plays_each_line_once, side_standing_table
from jasstisch.cli.ui.hand_view import trick_line
from jasstisch.cli.ui.i_doubt_it_view import describe_last_claim
from jasstisch.cli.ui.narrator import Narrator
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.rule_sheet import print_rule_sheet
from jasstisch.cli.ui.score_tables import current_round_table, round_status_line
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.view_features import has_bids, has_claims, playing_seats
from jasstisch.engine.errors import GameError, Refusal
from jasstisch.games.rules import Game


class HumanPlayer:
    """The person at the terminal.

    Args:
        terminal: the terminal.
        game: the game.
        seats: the players, with the person's own seat.
        card_style: the style of the cards.
        leave: called when the person wants to leave; returns if they stay.
        beside: yields further lines to show with a choice of these actions.
        rules_note: yields further lines to show with the rules, without wrapping.

    Attributes:
        narrator: narrates the events of the match.
    """

    def __init__(
        self,
        terminal: Terminal,
        game: Game,
        seats: PlayerNames,
        card_style: CardStyle,
        leave: Callable[[], None],
        beside: Callable[[Sequence[str]], Iterator[RenderableType]] = lambda _: iter(()),
        rules_note: Callable[[], Iterator[str]] = lambda: iter(()),
    ) -> None:
        self.terminal = terminal
        self.game = game
        self.seats = seats
        self.say = seats.translator
        self.card_style = card_style
        self.leave = leave
        self.beside = beside
        self.rules_note = rules_note
        self.narrator = Narrator(seats, card_style, terminal.width)

    # Prompts.

    def act(self, view: View, legal: Sequence[str], done: Callable[[str], Refusal | None]) -> None:
        """Asks until an action has been done.

        Args:
            view: the view of the person's seat.
            legal: the legal actions.
            done: does an action, or returns why it is refused.
        """
        self.show_turn(view, legal)
        question = self.build_prompt(view, legal)
        ask = partial(self.ask, view=view, legal=legal)
        while True:
            action = question.ask_follow_up(
                question.parse(ask(question.question, answers=question.answers)), ask
            )
            if action is None:
                continue
            refusal = done(action)
            if refusal is None:
                return
            self.terminal.write(explain(refusal, action, question, self.card_style))

    def build_prompt(self, view: View, legal: Sequence[str]) -> Prompt:
        """Returns the prompt for the current choice."""
        return _prompt_type(view, legal)(view, legal, self.card_style, self.terminal.width)

    def ask(
        self,
        question: str,
        view: View,
        legal: Sequence[str] = (),
        answers: Collection[str] = (),
    ) -> str:
        """Asks until the person types something other than a command.

        Args:
            question: the text of the question.
            view: the view of the person's seat.
            legal: the legal actions, if it is the person's turn.
            answers: words that are answers here even if they are commands elsewhere.
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
            elif meant in {"s", "slate", word("play.slate_word")}:
                self.show_slate(view)
            elif meant in {"r", "rules", word("play.rules_word")}:
                self.show_rules()
                self.show_turn(view, legal)
            elif meant in {"q", "quit", "exit", word("play.quit_word")}:
                self.leave()
            else:
                return typed

    def wait_for_enter(self, view: View, question: str) -> None:
        """Waits for Enter on a terminal, so that the person can read."""
        if self.terminal.is_interactive:
            self.terminal.write("")
            self.ask(question, view)

    # Output.

    def show_turn(self, view: View, legal: Sequence[str]) -> None:
        """Shows the table, the hand and the choices."""
        if not legal:
            return
        if title := round_status_line(view, self.seats, self.card_style):
            self.terminal.write(Text(), title)
        self.terminal.write(current_round_table(view, self.seats, self.card_style), Text())
        if self.seats.sides and has_contracts(view["game"]):
            self.terminal.write(side_standing_table(view, self.seats), Text())
        self.terminal.write(*self.build_prompt(view, legal).render_choices(), Text())
        if beside := list(self.beside(legal)):
            self.terminal.write(*beside, Text())

    def show_help(self, view: View, legal: Sequence[str]) -> None:
        """Shows what can be typed."""
        prompt = self.build_prompt(view, legal) if legal else None
        if prompt is not None:
            self.terminal.write(f"{prompt.help}\n")
        claims = has_claims(view)
        self.terminal.write(self.say("play.commands_claims" if claims else "play.commands"))
        if prompt is not None and "s" in prompt.answers:
            self.terminal.write(self.say("play.slate_by_word"))

    def show_rules(self) -> None:
        """Shows the rule sheet with the house rules of this match, if there is one."""
        try:
            print_rule_sheet(self.terminal, self.game, self.say.language)
        except GameError:
            self.terminal.write_unwrapped(
                self.say.plain("play.no_sheet", game=repr(self.game.name))
            )
        for line in self.rules_note():
            self.terminal.write_unwrapped(line)

    def show_last_trick(self, view: View) -> None:
        """Shows the last complete trick of this round, or the last settled claim."""
        last = view["last_trick"]
        if has_claims(view):
            self.terminal.write(describe_last_claim(view, self.seats, self.card_style))
        elif last is None:
            self.terminal.write(self.say("play.no_trick"))
        else:
            number, width = len(view["tricks"]), self.terminal.width
            line = trick_line(number, last, playing_seats(view), self.seats, self.card_style, width)
            self.terminal.write(line)

    def show_slate(self, view: View) -> None:
        """Shows all rounds and the standing."""
        if view["rounds"] or plays_each_line_once(view["game"]):
            self.terminal.write(self.narrator.slate_table(view), Text())
        else:
            self.terminal.write(self.say("play.no_round"))


def _prompt_type(view: View, legal: Sequence[str]) -> type[Prompt]:
    """Returns the kind of prompt for these actions: card, bid, claim or menu."""
    word = legal[0].split()[0]
    if view["phase"] == "announce" and has_contracts(view["game"]):
        return AnnouncePrompt
    if word == "lay" and has_claims(view):
        return ClaimPrompt
    if word == "bid" and has_bids(view):
        return BidPrompt
    return CardPrompt if any(map(played_card, legal)) else MenuPrompt
