"""A PettingZoo environment in which one agent acts at a time (AEC)."""

from operator import index
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from jasstisch.engine.errors import GameError, quote
from jasstisch.env.matches.encoded_match import (
    MATCH,
    EncodedMatch,
    ObservationDict,
    check_episode,
)
from jasstisch.env.matches.encoding import encoding_for
from jasstisch.env.matches.render import RENDER_FPS, RENDER_MODES, Frame, make_renderer
from jasstisch.games.rules import Game
from jasstisch.match.match import Match


class MatchEnv(AECEnv):
    """Matches or rounds of one game, one after the other.

    Args:
        game: the game, from `jasstisch.game`.
        render_mode: `ansi` for a text, `rgb_array` for an image, or None.
        episode: what an episode is: `"match"`, or `"round"` for the first round of one.

    Attributes:
        game: the rules.
        parts: the parts of the array `observation`, in order.
        actions: all numbers, with their texts.

    Raises:
        GameError: the game has no encoding, or the render mode or the episode is unknown.
    """

    def __init__(self, game: Game, render_mode: str | None = None, episode: str = MATCH) -> None:
        super().__init__()
        self._episode = check_episode(episode)
        self._rendered = make_renderer(render_mode)
        self._encoding = kind = encoding_for(game)
        self.game = game
        self.parts = kind.observation_encoder.parts
        self.actions = dict(kind.action_encoder.texts)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"jasstisch_{game.name.replace('-', '_')}",
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._observed() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(kind.action_encoder.count) for agent in self.possible_agents
        }
        self._rng = Random()  # noqa: S311 - chance must be repeatable from a seed

    def _observed(self) -> spaces.Dict:
        low = np.empty(self._encoding.observation_encoder.size, dtype=np.int32)
        high = np.empty_like(low)
        for part in self.parts:
            low[part.array_slice], high[part.array_slice] = part.low, part.high
        mask = spaces.Box(0, 1, (self._encoding.action_encoder.count,), np.int8)
        return spaces.Dict(
            {"observation": spaces.Box(low, high, dtype=np.int32), "action_mask": mask}
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observation; the same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of the numbers of actions; the same for all agents."""
        return self.action_spaces[agent]

    # Play.

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new episode.

        Args:
            seed: restarts the random generator of this environment; it continues if omitted.
            options: ignored; the options of the game are arguments of `env`.
        """
        if seed is not None:
            self._rng = Random(seed)  # noqa: S311 - chance must be repeatable from a seed
        self._match = EncodedMatch(self._encoding, self._episode)
        self._paid = False
        self._skip_agent_selection = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._advance()

    def step(self, action: int | None) -> None:
        """Performs an action of the selected agent, or continues an action of several numbers.

        Args:
            action: the number of the action; None for an agent whose episode is over.

        Raises:
            IllegalAction: the rules refuse the action; nothing has changed.
            GameError: the number does not exist, or no episode has started; nothing has changed.
        """
        if not self.agents:
            raise GameError("no episode is in progress: start one with reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._match.step(self._seats[agent], _action_number(action))
        self._cumulative_rewards[agent] = 0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        to_act = self._match.rules.to_act
        if to_act:
            self.agent_selection = self.possible_agents[to_act[0]]
        else:
            self._advance()

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now, ascending; several during hidden bids (DF3)."""
        return self._match.rules.to_act

    def check_action(self, agent: str, action: int) -> None:
        """Checks an action as `step` would if this agent were selected among several.

        Raises:
            IllegalAction: the rules refuse the action.
            GameError: the number does not exist.
        """
        self._match.check_action(self._seats[agent], _action_number(action))

    def _advance(self) -> None:
        """Deals the packs that are due, and pays the rewards of a round that has ended."""
        playing, rules = self._match, self._match.rules
        while rules.pack and not playing.is_over:
            pack = list(rules.pack)
            self._rng.shuffle(pack)
            playing.deal(pack)
        self._add_rewards()
        if playing.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[rules.to_act[0]]

    def _add_rewards(self) -> None:
        for earned in self._match.collect_rewards():
            for agent, reward in zip(self.agents, earned, strict=True):
                self.rewards[agent] += reward
            self._paid = True
        if self._paid:
            self._accumulate_rewards()

    # Observations.

    def observe(self, agent: str) -> ObservationDict:
        """The information and the legal actions of an agent, as new arrays."""
        seat, playing = self._seats[agent], self._match
        mask = bytearray(playing.mask(seat))
        return {
            "observation": playing.observation(seat),
            "action_mask": np.frombuffer(mask, np.int8),
        }

    def match(self) -> Match:
        """The match so far, for its views or its record."""
        return self._match.match()

    def render(self) -> Frame:
        """Renders the table with all hands open in `render_mode`; None without one."""
        return None if self._rendered is None else self._rendered(self.match())

    def close(self) -> None:
        """Does nothing: no resources are held."""


def _action_number(action: int | None) -> int:
    try:
        return index(action)  # type: ignore[arg-type]
    except TypeError:
        raise GameError(f"an action is a number, not {quote(action)}") from None
