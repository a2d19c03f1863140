"""A match as an environment of PettingZoo in which one agent acts at a time (AEC)."""

from operator import index
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from jasstisch.env.actions import WEIS
from jasstisch.env.pettingzoo.drawing import written
from jasstisch.env.pettingzoo.moves import CARDS, Moves
from jasstisch.env.pettingzoo.rewards import rewards_of
from jasstisch.env.pettingzoo.seeing import Seeing
from jasstisch.errors import GameError, IllegalAction, quote
from jasstisch.games.rules import Game
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.match import Match

__all__ = ["Observed", "TableEnv"]

Observed = dict[str, NDArray[Any]]
"""What an agent sees: `observation`, and the `action_mask` of what it may do now."""

RENDER_MODES = ("ansi",)

PACK = -1
"""Stands in the log for the seat where a pack was given."""


class TableEnv(AECEnv):
    """One match after the other of one game; an episode is a match.

    Args:
        game: a game of tricks, from `jasstisch.game`.
        render_mode: `ansi` for a text, or None.

    Attributes:
        game: the rules.
        parts: what the array `observation` holds, in order.
        actions: every action there is by its number.

    Raises:
        GameError: the game has no tricks, or there is no such way to render.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            allowed = ", ".join(RENDER_MODES)
            raise GameError(f"render_mode is None or one of {allowed}, not {quote(render_mode)}")
        self._moves = Moves(game)
        self._seeing = Seeing(game)
        self.game = game
        self.parts = self._seeing.parts
        self.actions = dict(self._moves.texts)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"jasstisch_{game.name.replace('-', '_')}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._observed() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self._moves.count) for agent in self.possible_agents
        }
        self._chance = Random()  # noqa: S311 - chance must be repeatable from a seed

    def _observed(self) -> spaces.Dict:
        low = np.empty(self._seeing.size, dtype=np.int32)
        high = np.empty_like(low)
        for part in self.parts:
            low[part.where], high[part.where] = part.low, part.high
        mask = spaces.Box(0, 1, (self._moves.count,), np.int8)
        return spaces.Dict(
            {"observation": spaces.Box(low, high, dtype=np.int32), "action_mask": mask}
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what an agent sees; the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of the numbers of actions; the same for all."""
        return self.action_spaces[agent]

    # A match.

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new match.

        Args:
            seed: begins the chance of this environment again; it goes on where it is when not
                given.
            options: nothing is chosen by them; those of the game are given with `env`.
        """
        if seed is not None:
            self._chance = Random(seed)  # noqa: S311 - chance must be repeatable from a seed
        rules = self.game.rules(self.game)
        assert isinstance(rules, TrickTaking)
        self._rules = rules
        self._log: list[tuple[int, str]] = []
        self._story = self._seeing.story()
        self._melding = False
        self._rounds = 0
        self._paid = False
        self._skip_agent_selection = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def step(self, action: int | None) -> None:
        """Does an action for the agent that is selected.

        Args:
            action: its number; None for an agent whose match is over.

        Raises:
            IllegalAction: the rules refuse it; nothing has changed.
            GameError: no action has this number, or no match has begun; nothing has changed.
        """
        if not self.agents:
            raise GameError("no match goes on: begin one with reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = self._number(action)
        rules, seat = self._rules, self._seats[agent]
        if number == WEIS and self._moves.weis:
            self._announce(seat)
        else:
            text = self._moves.text(number, melding=self._melding)
            self._log.append((seat, rules.act(seat, text)))
            self._melding = False
            if number < CARDS:
                self._story.play(seat, number)
                if not rules.trick and rules.history:
                    _, cards, winner = rules.history[-1]
                    self._story.take(winner, cards)
        self._cumulative_rewards[agent] = 0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        if not rules.to_act:
            self._go_on()
        else:
            self.agent_selection = self.possible_agents[rules.to_act[0]]

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now, ascending; several where they bid in secret (DF3)."""
        return self._rules.to_act

    def check(self, agent: str, action: int) -> None:
        """Refuses what `step` would refuse, were this agent selected.

        Raises:
            IllegalAction: the rules refuse it.
            GameError: no action has this number.
        """
        seat, rules = self._seats[agent], self._rules
        text = self._moves.text(self._number(action), melding=False)
        refusal = rules.refusal(seat, text)
        if refusal is not None:
            raise IllegalAction(text, refusal, rules.legal(seat))

    def _number(self, action: int | None) -> int:
        try:
            return index(action)  # type: ignore[arg-type]
        except TypeError:
            raise GameError(f"an action is a number, not {quote(action)}") from None

    def _announce(self, seat: int) -> None:
        """Weis are announced with the card that follows (JS7, SC3)."""
        legal = self._moves.mask(self._rules, seat, melding=self._melding)
        if not legal[WEIS]:
            raise GameError(f"seat {seat} may not announce Weis now: see its action mask")
        self._melding = True

    def _go_on(self) -> None:
        """Gives the packs that are awaited, and pays for a round that has ended."""
        rules = self._rules
        while rules.pack:
            pack = list(rules.pack)
            self._chance.shuffle(pack)
            self._log.append((PACK, " ".join([rules.deck.texts[card] for card in pack])))
            rules.take_pack(pack)
        self._pay()
        self._story.begin(rules.standing())
        if rules.phase == "over":
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[rules.to_act[0]]

    def _pay(self) -> None:
        for finished in self._rules.rounds[self._rounds :]:
            for agent, reward in zip(self.agents, rewards_of(self.game, finished), strict=True):
                self.rewards[agent] += reward
            self._paid = True
        if self._paid:
            self._accumulate_rewards()
        self._rounds = len(self._rules.rounds)

    # What there is to see.

    def observe(self, agent: str) -> Observed:
        """What an agent may know, and what it may do now; arrays of its own, which it may keep."""
        seat, rules = self._seats[agent], self._rules
        melding = self._melding and seat in rules.to_act
        seen = self._seeing.of_rules(rules, seat, self._story, melding=melding)
        mask = self._moves.mask(rules, seat, melding=melding)
        return {"observation": seen, "action_mask": np.frombuffer(bytearray(mask), np.int8)}

    def match(self) -> Match:
        """The match so far, to look at its views or to keep its record."""
        match = Match(self.game)
        for actor, done in self._log:
            if actor == PACK:
                match.shuffle(done)
            else:
                match.act(actor, done)
        return match

    def render(self) -> str | None:
        """The table with all hands as a text; None where no way to render was asked for."""
        return written(self.match()) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is kept that would have to be closed."""
