"""An episode as a state of OpenSpiel.

Chance deals card by card: each card of the pack to deal is an outcome of its own, uniform over the
remaining cards, and the last card follows automatically. A state draws nothing by itself.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pyspiel

from jasstisch.engine.errors import GameError
from jasstisch.env.matches.encoded_match import ActionLog, EncodedMatch
from jasstisch.env.matches.render import render_text
from jasstisch.env.openspiel.perfect_recall import RecallBuffer
from jasstisch.env.openspiel.resampling import resample_log


class MatchState(pyspiel.State):
    """The state of an episode.

    Args:
        game: a loaded game.
        playing: its match, before the first pack.

    Attributes:
        playing: the match.
        memory: the perfect recall of each player.
    """

    def __init__(self, game: Any, playing: EncodedMatch) -> None:  # noqa: ANN401 - has no types
        super().__init__(game)
        self.playing = playing
        self.memory = RecallBuffer(playing.rules.players)
        self._dealt_cards: list[int] = []
        self._last_rewards = [0] * playing.rules.players
        self._total = [0] * playing.rules.players

    def current_player(self) -> int:
        """The seat to act: chance during a deal, the first seat if several may bid."""
        rules = self.playing.rules
        if self.playing.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if rules.pack else rules.to_act[0]

    def is_terminal(self) -> bool:
        """Whether the episode is over."""
        return self.playing.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return [number for number, legal in enumerate(self.playing.mask(player)) if legal]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be dealt next, all equally likely."""
        left = self._undealt_cards()
        return [(card, 1 / len(left)) for card in left]

    def _undealt_cards(self) -> list[int]:
        dealt = set(self._dealt_cards)
        return sorted(card for card in self.playing.rules.pack if card not in dealt)

    def _apply_action(self, action: int) -> None:
        if self.playing.rules.pack:
            self._deal(action)
            return
        playing = self.playing
        playing.step(playing.rules.to_act[0], action)
        if not playing.pending:
            self.memory.observe(playing)
        self._last_rewards = [0] * len(self._total)
        for earned in playing.collect_rewards():
            self._last_rewards = [
                sum(pair) for pair in zip(self._last_rewards, earned, strict=True)
            ]
        self._total = [sum(pair) for pair in zip(self._total, self._last_rewards, strict=True)]

    def _deal(self, card: int) -> None:
        self._dealt_cards.append(card)
        left = self._undealt_cards()
        if len(left) > 1:
            return
        self.playing.deal([*self._dealt_cards, *left])
        self._dealt_cards = []
        self.memory.observe(self.playing)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {self.playing.rules.deck.texts[action]}"
        return self.playing.action_texts[action]

    def rewards(self) -> list[float]:
        """The reward of each player for the last action; 0 for a deal."""
        return [float(one) for one in self._last_rewards]

    def returns(self) -> list[float]:
        """The sum of the rewards of each player so far."""
        return [float(one) for one in self._total]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "MatchState":
        """A random state in which a player has the same information, with a history of its own.

        Args:
            player: the player.
            sampler: gives uniform numbers in [0, 1); one seeds the draw.

        Raises:
            GameError: a pack is being dealt, another player has begun an action, or no such state
                was found.
        """
        playing = self.playing
        if self._dealt_cards or (playing.pending and player not in playing.rules.to_act):
            raise GameError(
                f"no state is resampled for player {player} in mid-deal, or while another player "
                "has begun an action"
            )
        seed = int(sampler() * 2**53)
        made = self._replay(resample_log(playing, player, Random(seed)))  # noqa: S311 - a seed
        for number in playing.pending:
            made.apply_action(number)
        return made

    def _replay(self, log: ActionLog) -> "MatchState":
        """The state to which a log of this game leads."""
        made: MatchState = self.get_game().new_initial_state()
        kind = made.get_game().kind
        for actor, text in log:
            if isinstance(actor, int):
                numbers = kind.action_encoder.encode(text)
            else:
                numbers = kind.game.rules.deck.parse_all(text)[:-1]
            for number in numbers:
                made.apply_action(number)
        return made

    def __str__(self) -> str:
        """The table with all hands open, and the dealt cards of the current pack."""
        lines = [render_text(self.playing.match())]
        rules, texts, begun = self.playing.rules, self.playing.action_texts, self.playing.pending
        if rules.pack and not self.playing.is_over:
            lines.append("pack: " + " ".join(rules.deck.texts[card] for card in self._dealt_cards))
        if begun:
            lines.append("begun: " + ", ".join(texts[number] for number in begun))
        return "\n".join(lines)
