"""A match in progress, driven by numbered actions: what environments of matches step."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import slate
from jasstisch.engine.errors import GameError, IllegalAction, quote
from jasstisch.env.matches.encoding import GameEncoding, PendingAction, encoding_for
from jasstisch.games.rules import Game, Json
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_STROKES
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.match.match import Match

ObservationDict = dict[str, NDArray[Any]]
"""An agent's observation: `observation`, and the `action_mask` of its legal actions."""

ActionLog = list[tuple[int | str, str]]
"""Packs and actions, as in a record."""

MATCH, ROUND = "match", "round"
"""What an episode is: a whole match, or its first round."""


def check_episode(episode: object) -> str:
    """An episode that exists.

    Raises:
        GameError: it is neither `"match"` nor `"round"`.
    """
    if isinstance(episode, str) and episode in {MATCH, ROUND}:
        return episode
    raise GameError(f"an episode is {MATCH!r} or {ROUND!r}, not {quote(episode)}")


class EncodedMatch:
    """One match from its first pack to the end of the episode.

    Args:
        kind: the game.
        episode: `MATCH`, or `ROUND` to stop after the first round.

    Attributes:
        rules: the rules object, with the state of the match.
        pending: the numbers by which the seat to act has started an action.
        log: the packs and actions so far; callers only read it.
    """

    def __init__(self, kind: GameEncoding, episode: str = MATCH) -> None:
        self._actions, self._observations, self._game = (
            kind.action_encoder,
            kind.observation_encoder,
            kind.game,
        )
        self.rules = kind.game.rules(kind.game)
        self.pending: PendingAction = ()
        self._history = kind.observation_encoder.new_history()
        self._history.start_round(self.rules.standing())
        self.log: ActionLog = []
        self._episode = episode
        self._rewarded = 0

    def copy(self) -> "EncodedMatch":
        """An independent copy of the match."""
        made = object.__new__(EncodedMatch)
        vars(made).update(vars(self))
        made.rules, made._history, made.log = self.rules.copy(), self._history.copy(), self.log[:]
        return made

    def __deepcopy__(self, _memo: object) -> "EncodedMatch":
        """The same as `copy`."""
        return self.copy()

    def __reduce__(
        self,
    ) -> tuple[Callable[..., "EncodedMatch"], tuple[Game, str, ActionLog, PendingAction]]:
        """Pickles the match as its log, which is replayed on loading."""
        return _replay, (self._game, self._episode, self.log, self.pending)

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        rules = self.rules
        return rules.phase == "over" or (self._episode == ROUND and bool(rules.rounds))

    def deal(self, pack: Sequence[int]) -> None:
        """Deals a shuffled pack, which the match waits for."""
        texts = self.rules.deck.texts
        self.log.append(("pack", " ".join([texts[card] for card in pack])))
        self.rules.receive_pack(pack)
        self._history.start_round(self.rules.standing())

    def step(self, seat: int, number: int) -> None:
        """Continues an action of a seat to act, and performs it when it is complete.

        Raises:
            IllegalAction: the rules refuse the action; nothing has changed.
            GameError: the number does not exist or does not continue an action; nothing has
                changed.
        """
        text = self._actions.decode(number, self.pending)
        if text is None:
            self._extend_pending(seat, number)
            return
        self.act(seat, text)

    def act(self, seat: int, text: str) -> None:
        """Performs a whole action, by its text.

        Raises:
            IllegalAction: the rules refuse the action; nothing has changed.
        """
        rules = self.rules
        done = rules.act(seat, text)
        self.log.append((seat, done))
        self.pending = ()
        self._history.on_action(rules, seat, done)
        if not rules.to_act:
            self._history.start_round(rules.standing())

    def _extend_pending(self, seat: int, number: int) -> None:
        if not self.mask(seat)[number]:
            text = self._actions.texts[number]
            raise GameError(f"seat {seat} may not choose {text!r} now: see its action mask")
        self.pending = (*self.pending, number)

    def check_action(self, seat: int, number: int) -> None:
        """Checks an action as `step` would, for environments in which several seats may act.

        Raises:
            IllegalAction: the rules refuse the action.
            GameError: the number does not exist.
        """
        text = self._actions.decode(number, ())
        refusal = None if text is None else self.rules.refusal(seat, text)
        if refusal is not None and text is not None:
            raise IllegalAction(text, refusal, self.rules.legal(seat))

    def collect_rewards(self) -> list[Sequence[int]]:
        """The rewards of each round that has ended since the last call."""
        rounds = self.rules.rounds
        earned = [round_rewards(self._game, one) for one in rounds[self._rewarded :]]
        self._rewarded = len(rounds)
        return earned

    @property
    def action_texts(self) -> dict[int, str]:
        """The text of each number."""
        return self._actions.texts

    def mask(self, seat: int) -> bytes:
        """A byte for each number, 1 if this seat may choose it now."""
        return self._actions.mask(self.rules, seat, self.pending)

    def observation(self, seat: int) -> NDArray[np.int32]:
        """The observation of a seat, as a new array."""
        begun = self.pending if seat in self.rules.to_act else ()
        return self._observations.encode_from_rules(self.rules, seat, self._history, begun)

    def match(self) -> Match:
        """The match so far, for its views or its record."""
        return Match.from_rules(self.rules.copy(), self.log)


def _replay(game: Game, episode: str, log: ActionLog, pending: PendingAction) -> EncodedMatch:
    """The match to which a log leads, with all rewards already collected."""
    playing = EncodedMatch(encoding_for(game), episode)
    for actor, text in log:
        if isinstance(actor, int):
            playing.act(actor, text)
        else:
            playing.deal(playing.rules.deck.parse_all(text))
    playing.collect_rewards()
    playing.pending = pending
    return playing


def round_rewards(game: Game, finished: Json) -> Sequence[int]:
    """The reward of each seat for a round, as in a batch (docs/batch-environment.md)."""
    scoring = game.rules.scoring_kind if issubclass(game.rules, TrickTaking) else None
    marks: list[str] = finished["marks"]
    if scoring == BY_DIFFERENCE:
        # The metric is the difference; the addition to the total may include the bonus of a hit
        # (DF8).
        return [-int(mark) for mark in marks]
    if scoring == BY_STROKES:
        # A null cancels the next stroke (JS9), and the metric counts only strokes.
        return [mark.count(slate.TALLY) - mark.count(slate.SACK) for mark in marks]
    figure = game.metric
    return [own if figure.higher_is_better else -own for own in figure.of_round(finished)]
