"""A match under way, driven by numbers: what every environment of single matches steps."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine.errors import GameError, IllegalAction
from jasstisch.env.matches.encoding import GameEncoding, PendingAction, encoding_for
from jasstisch.env.matches.rewards import round_rewards
from jasstisch.games.rules import Game
from jasstisch.match.match import Match

__all__ = ["EncodedMatch", "ObservationDict"]

ObservationDict = dict[str, NDArray[Any]]
"""What an agent sees: `observation`, and the `action_mask` of what it may do now."""

ActionLog = list[tuple[int | str, str]]
"""Packs and actions, as a record has them."""


class EncodedMatch:
    """One match from its first pack to its end.

    Args:
        kind: the game.

    Attributes:
        rules: the match as it stands.
        pending: the numbers of an action that the seat to act has begun.
    """

    def __init__(self, kind: GameEncoding) -> None:
        self._actions, self._observations, self._game = kind.actions, kind.observations, kind.game
        self.rules = kind.game.rules(kind.game)
        self.pending: PendingAction = ()
        self._history = kind.observations.new_history()
        self._history.start_round(self.rules.standing())
        self._log: ActionLog = []
        self._rewarded = 0

    def copy(self) -> "EncodedMatch":
        """The match as it stands, once more: each goes on by itself."""
        made = object.__new__(EncodedMatch)
        vars(made).update(vars(self))
        made.rules, made._history, made._log = self.rules.copy(), self._history.copy(), self._log[:]
        return made

    def __deepcopy__(self, _memo: object) -> "EncodedMatch":
        """As `copy`, which shares nothing that changes."""
        return self.copy()

    def __reduce__(
        self,
    ) -> tuple[Callable[..., "EncodedMatch"], tuple[Game, ActionLog, PendingAction]]:
        """Written as its log, which is played again where it is read."""
        return _replay, (self._game, self._log, self.pending)

    def deal(self, pack: Sequence[int]) -> None:
        """Gives the pack that is awaited, shuffled."""
        texts = self.rules.deck.texts
        self._log.append(("pack", " ".join([texts[card] for card in pack])))
        self.rules.receive_pack(pack)
        self._history.start_round(self.rules.standing())

    def step(self, seat: int, number: int) -> None:
        """Goes on with an action of a seat that is to act, and does it when it is complete.

        Raises:
            IllegalAction: the rules refuse it; nothing has changed.
            GameError: there is no such number, or it goes on with no action; nothing has changed.
        """
        text = self._actions.decode(number, self.pending)
        if text is None:
            self._extend_pending(seat, number)
            return
        self.act(seat, text)

    def act(self, seat: int, text: str) -> None:
        """Does a whole action, as a match takes it.

        Raises:
            IllegalAction: the rules refuse it; nothing has changed.
        """
        rules = self.rules
        done = rules.act(seat, text)
        self._log.append((seat, done))
        self.pending = ()
        self._history.on_action(rules, seat, done)
        if not rules.to_act:
            self._history.start_round(rules.standing())

    def _extend_pending(self, seat: int, number: int) -> None:
        if not self.mask(seat)[number]:
            text = self._actions.texts[number]
            raise GameError(f"seat {seat} may not choose {text!r} now: see its action mask")
        self.pending = (*self.pending, number)

    def check(self, seat: int, number: int) -> None:
        """Refuses what `step` would refuse, where several seats may act.

        Raises:
            IllegalAction: the rules refuse it.
            GameError: there is no such number.
        """
        text = self._actions.decode(number, ())
        refusal = None if text is None else self.rules.refusal(seat, text)
        if refusal is not None and text is not None:
            raise IllegalAction(text, refusal, self.rules.legal(seat))

    def rewards(self) -> list[Sequence[int]]:
        """What each round that has ended since this was last asked is worth to each seat."""
        rounds = self.rules.rounds
        earned = [round_rewards(self._game, one) for one in rounds[self._rewarded :]]
        self._rewarded = len(rounds)
        return earned

    @property
    def texts(self) -> dict[int, str]:
        """What each number says."""
        return self._actions.texts

    def mask(self, seat: int) -> bytes:
        """A byte for each number, 1 where this seat may say it now."""
        return self._actions.mask(self.rules, seat, self.pending)

    def observation(self, seat: int) -> NDArray[np.int32]:
        """What a seat may know, as an array of its own."""
        begun = self.pending if seat in self.rules.to_act else ()
        return self._observations.from_rules(self.rules, seat, self._history, begun)

    def match(self) -> Match:
        """The match so far, to look at its views or to keep its record."""
        return Match.from_rules(self.rules.copy(), self._log)


def _replay(game: Game, log: ActionLog, begun: PendingAction) -> EncodedMatch:
    """The match to which a log has led, all its rounds paid for."""
    playing = EncodedMatch(encoding_for(game))
    for actor, text in log:
        if isinstance(actor, int):
            playing.act(actor, text)
        else:
            playing.deal(playing.rules.deck.parse_all(text))
    playing.rewards()
    playing.pending = begun
    return playing
