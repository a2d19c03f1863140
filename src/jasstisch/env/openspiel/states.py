"""A match as a state of OpenSpiel.

Chance deals card by card: each card of an awaited pack is an outcome of its own, as likely as any
other that is left, and the last follows by itself. Nothing is drawn inside of a state.
"""

from typing import Any

import pyspiel

from jasstisch.env.matches.drawing import written
from jasstisch.env.matches.playing import Playing
from jasstisch.env.openspiel.memory import Memory

__all__ = ["MatchState"]


class MatchState(pyspiel.State):
    """How a match stands.

    Args:
        game: a game that has been loaded.
        playing: its match, before the first pack.

    Attributes:
        playing: the match.
        memory: what each player remembers of it.
    """

    def __init__(self, game: Any, playing: Playing) -> None:  # noqa: ANN401 - has no types
        super().__init__(game)
        self.playing = playing
        self.memory = Memory(playing.rules.players)
        self._dealt: list[int] = []
        self._earned = [0] * playing.rules.players
        self._total = [0] * playing.rules.players

    def current_player(self) -> int:
        """Who is to act: chance while a pack is dealt, the first seat where several may bid."""
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
        """The cards that may come next, each as likely as the others."""
        left = self._left()
        return [(card, 1 / len(left)) for card in left]

    def _left(self) -> list[int]:
        dealt = set(self._dealt)
        return sorted(card for card in self.playing.rules.pack if card not in dealt)

    def _apply_action(self, action: int) -> None:
        if self.playing.rules.pack:
            self._deal(action)
            return
        playing = self.playing
        playing.do(playing.rules.to_act[0], action)
        if not playing.begun:
            self.memory.look(playing)
        self._earned = [0] * len(self._total)
        for earned in playing.rewards():
            self._earned = [sum(pair) for pair in zip(self._earned, earned, strict=True)]
        self._total = [sum(pair) for pair in zip(self._total, self._earned, strict=True)]

    def _deal(self, card: int) -> None:
        self._dealt.append(card)
        left = self._left()
        if len(left) > 1:
            return
        self.playing.give([*self._dealt, *left])
        self._dealt = []
        self.memory.look(self.playing)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {self.playing.rules.deck.texts[action]}"
        return self.playing.texts[action]

    def rewards(self) -> list[float]:
        """What the last action has brought each player; dealing brings nobody anything."""
        return [float(one) for one in self._earned]

    def returns(self) -> list[float]:
        """What the match has brought each player so far."""
        return [float(one) for one in self._total]

    def __str__(self) -> str:
        """The table with all hands open, and the cards dealt of the pack that is awaited."""
        lines = [written(self.playing.match())]
        rules, texts, begun = self.playing.rules, self.playing.texts, self.playing.begun
        if rules.pack:
            lines.append("pack: " + " ".join(rules.deck.texts[card] for card in self._dealt))
        if begun:
            lines.append("begun: " + ", ".join(texts[number] for number in begun))
        return "\n".join(lines)
