"""A match in the terminal: a person against bots.

It deals the packs, narrates the events, and asks the person and the bots for actions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from rich.console import RenderableType
from rich.text import Text

import jasstisch as jt
from jasstisch.bots import Bot, View, choose_action
from jasstisch.bots.validation import format_error
from jasstisch.cli.errors import CommandError
from jasstisch.cli.game.human_player import HumanPlayer
from jasstisch.cli.game.record_files import exists, save
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.tutorial_narrator import TutorialNarrator
from jasstisch.engine.cards import shuffled
from jasstisch.engine.errors import Refusal, count_seats_from_one


class PlayerQuit(Exception):  # noqa: N818 - leaving is not an error
    """The person left before the match was over."""


@dataclass
class LocalMatch:
    """A match in the terminal.

    Attributes:
        match: the match, new or resumed.
        own_seat: the person's seat.
        bots: the bots by seat.
        seed: the random seed; the same seed deals the same cards.
        terminal: the terminal.
        card_style: the style of the cards.
        path: the file in which the match is saved after every action; None for none.
        tutorial: the tutorial of the first round; None without one, and from the second round on.
    """

    match: jt.Match
    own_seat: int
    bots: Mapping[int, Bot]
    seed: str
    terminal: Terminal
    card_style: CardStyle
    path: Path | None
    tutorial: TutorialNarrator | None = None

    def __post_init__(self) -> None:
        self.steps = len(self.match.record()["log"])
        self.say = self.card_style.translator
        self.seats = PlayerNames(self.match.players, self.own_seat, self.match.game.sides, self.say)
        self.human = HumanPlayer(
            self.terminal,
            self.match.game,
            self.seats,
            self.card_style,
            self.confirm_quit,
            self.tutorial_lines,
        )
        self.narrator = self.human.narrator

    def play(self) -> None:
        """Plays the match to its end.

        Raises:
            PlayerQuit: the person left.
            EOFError: the input has ended.
            CommandError: a bot failed.
        """
        view = self.view()
        self.terminal.write(*self.narrator.match_start(self.match.game))
        self.terminal.write(Text(self.say.plain("play.help"), "dim"))
        while not self.match.over:
            before = view
            actor = self.advance(view)
            self.steps += 1
            self.autosave()
            view = self.view()
            done = (
                (actor, self.match.describe_last_action(self.own_seat))
                if actor is not None
                else None
            )
            self.terminal.write(*self.narrator.narrate_step(before, view, done))
            self.show_tutorial()
            if len(view["rounds"]) > len(before["rounds"]) and not view["over"]:
                self.human.wait_for_enter(self.view(), self.say.plain("play.enter_round"))
        self.terminal.write(*self.narrator.match_end(view))

    def show_tutorial(self) -> None:
        """Shows the next text of the tutorial and waits until it has been read."""
        tutorial = self.tutorial
        if tutorial is None:
            return
        tutorial.advance(self.match)
        while tutorial.session.is_paused:
            self.terminal.write(Text(), *tutorial.instruction_lines())
            if self.terminal.is_interactive:
                self.human.ask(self.say.plain("play.enter"), self.view())
            tutorial.session = tutorial.session.acknowledge()
        if tutorial.session.over:
            self.terminal.write(Text(), *tutorial.instruction_lines())
            self.tutorial = None

    def view(self) -> View:
        """Returns the view of the person's seat."""
        return self.match.view(self.own_seat)

    def advance(self, view: View) -> int | None:
        """Advances by one pack or one action; returns the seat that acted."""
        chance = Random(f"{self.seed}/{self.steps}")  # noqa: S311 - a seed reproduces the deal
        if self.match.needs_pack:
            fixed = self.tutorial.session.next_pack if self.tutorial else None
            self.match.deal(fixed or shuffled(self.match.pack, chance))
            return None
        if self.own_seat in self.match.to_act:
            self.human.act(view, self.match.legal(self.own_seat), self.try_human_action)
            return self.own_seat
        seat = self.match.to_act[0]
        self.bot_turn(seat, chance)
        return seat

    def bot_turn(self, seat: int, chance: Random) -> None:
        """Asks a bot for an action and does it."""
        player, legal = self.bots[seat], self.match.legal(seat)
        action = self.tutorial.session.scripted_action(seat, legal) if self.tutorial else None
        try:
            if action is None:
                with self.terminal.spinner(self.thinking_text(seat)):
                    action = choose_action(player, self.match.view(seat), legal, chance)
            self.match.act(seat, action)
        except Exception as error:
            text = str(error) if isinstance(error, ValueError) else format_error(error)
            reason = count_seats_from_one(text)
            raise CommandError(f"the bot {player.name} failed: {reason}") from error

    def thinking_text(self, seat: int) -> str:
        """Returns the message that a bot is thinking."""
        return self.say.plain("play.thinks", who=self.seats.subject(seat))

    def try_human_action(self, action: str) -> Refusal | None:
        """Does the person's action, or returns why it is refused."""
        refusal = self.match.refusal(self.own_seat, action)
        if refusal is None:
            self.match.act(self.own_seat, action)
        return refusal

    def tutorial_lines(self, legal: Sequence[str]) -> Iterator[RenderableType]:
        """Yields the texts of the tutorial, if there is one."""
        if self.tutorial is not None:
            yield from self.tutorial.instruction_lines()
            yield from self.tutorial.suggestion_lines(legal)

    def autosave(self) -> None:
        """Saves the match; if that fails, the match continues without a file."""
        if self.path is None:
            return
        try:
            save(self.match, self.path)
        except CommandError as error:
            self.terminal.write_unwrapped(self.say.plain("play.no_longer_kept", error=str(error)))
            self.path = None

    def confirm_quit(self) -> None:
        """Asks whether the person really wants to leave, and offers to save the match.

        Raises:
            PlayerQuit: they do.
        """
        if not self.terminal.confirm("play.leave", self.say):
            return
        while self.path is None:
            name = self.terminal.ask(self.say.plain("play.name_file"))
            if not name:
                break
            path = Path(name)
            if exists(path):
                self.terminal.write_unwrapped(self.say.plain("play.file_exists", name=name))
                continue
            try:
                save(self.match, path)
                self.path = path
            except CommandError as error:
                self.terminal.write_unwrapped(f"{error}.")
        raise PlayerQuit
