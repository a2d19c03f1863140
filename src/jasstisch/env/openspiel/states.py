"""A match as a state of OpenSpiel.

Chance deals card by card: each card of the pack to deal is an outcome of its own, uniform over the
remaining cards, and the last card follows automatically. A state draws nothing by itself.
"""

from typing import Any

import pyspiel

from jasstisch.env.matches.encoded_match import EncodedMatch
from jasstisch.env.matches.render import render_text
from jasstisch.env.openspiel.perfect_recall import RecallBuffer


class MatchState(pyspiel.State):
    """The state of a match.

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
        if rules.pack:
            return int(pyspiel.PlayerId.CHANCE)
        return rules.to_act[0] if rules.to_act else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.playing.rules.phase == "over"

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

    def __str__(self) -> str:
        """The table with all hands open, and the dealt cards of the current pack."""
        lines = [render_text(self.playing.match())]
        rules, texts, begun = self.playing.rules, self.playing.action_texts, self.playing.pending
        if rules.pack:
            lines.append("pack: " + " ".join(rules.deck.texts[card] for card in self._dealt_cards))
        if begun:
            lines.append("begun: " + ", ".join(texts[number] for number in begun))
        return "\n".join(lines)
