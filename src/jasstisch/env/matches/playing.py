"""A match under way, driven by numbers: what every environment of single matches steps."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.env.matches.kinds import Begun, Kind
from jasstisch.env.matches.rewards import rewards_of
from jasstisch.errors import GameError, IllegalAction
from jasstisch.match import Match

__all__ = ["Observed", "Playing"]

Observed = dict[str, NDArray[Any]]
"""What an agent sees: `observation`, and the `action_mask` of what it may do now."""

PACK = -1
"""Stands in the log for the seat where a pack was given."""


class Playing:
    """One match from its first pack to its end.

    Args:
        kind: the game.

    Attributes:
        rules: the match as it stands.
        begun: by which numbers the seat to act has begun an action.
    """

    def __init__(self, kind: Kind) -> None:
        self._moves, self._seeing, self._game = kind.moves, kind.seeing, kind.game
        self.rules = kind.game.rules(kind.game)
        self.begun: Begun = ()
        self._story = kind.seeing.story()
        self._story.begin(self.rules.standing())
        self._log: list[tuple[int, str]] = []
        self._rewarded = 0

    def copy(self) -> "Playing":
        """The match as it stands, once more: each goes on by itself."""
        made = object.__new__(Playing)
        vars(made).update(vars(self))
        made.rules, made._story, made._log = self.rules.copy(), self._story.copy(), self._log[:]
        return made

    def give(self, pack: Sequence[int]) -> None:
        """Gives the pack that is awaited, shuffled."""
        texts = self.rules.deck.texts
        self._log.append((PACK, " ".join([texts[card] for card in pack])))
        self.rules.take_pack(pack)
        self._story.begin(self.rules.standing())

    def do(self, seat: int, number: int) -> None:
        """Goes on with an action of a seat that is to act, and does it when it is complete.

        Raises:
            IllegalAction: the rules refuse it; nothing has changed.
            GameError: there is no such number, or it goes on with no action; nothing has changed.
        """
        text = self._moves.complete(number, self.begun)
        if text is None:
            self._go_on(seat, number)
            return
        rules = self.rules
        self._log.append((seat, rules.act(seat, text)))
        self.begun = ()
        self._story.follow(rules, seat, number)
        if not rules.to_act:
            self._story.begin(rules.standing())

    def _go_on(self, seat: int, number: int) -> None:
        if not self.mask(seat)[number]:
            text = self._moves.texts[number]
            raise GameError(f"seat {seat} may not choose {text!r} now: see its action mask")
        self.begun = (*self.begun, number)

    def check(self, seat: int, number: int) -> None:
        """Refuses what `do` would refuse, where several seats may act.

        Raises:
            IllegalAction: the rules refuse it.
            GameError: there is no such number.
        """
        text = self._moves.complete(number, ())
        refusal = None if text is None else self.rules.refusal(seat, text)
        if refusal is not None and text is not None:
            raise IllegalAction(text, refusal, self.rules.legal(seat))

    def rewards(self) -> list[Sequence[int]]:
        """What each round that has ended since this was last asked is worth to each seat."""
        rounds = self.rules.rounds
        earned = [rewards_of(self._game, one) for one in rounds[self._rewarded :]]
        self._rewarded = len(rounds)
        return earned

    def mask(self, seat: int) -> bytes:
        """A byte for each number, 1 where this seat may say it now."""
        return self._moves.mask(self.rules, seat, self.begun)

    def observation(self, seat: int) -> NDArray[np.int32]:
        """What a seat may know, as an array of its own."""
        begun = self.begun if seat in self.rules.to_act else ()
        return self._seeing.of_rules(self.rules, seat, self._story, begun)

    def match(self) -> Match:
        """The match so far, to look at its views or to keep its record."""
        match = Match(self._game)
        for actor, done in self._log:
            if actor == PACK:
                match.shuffle(done)
            else:
                match.act(actor, done)
        return match
