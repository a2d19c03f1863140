"""A match as an environment of PettingZoo in which all agents act at once.

Hidden bids are made at once, as at a table. Where one seat alone may act, the others wait.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from jasstisch.engine.errors import GameError
from jasstisch.env.matches.encoded_match import ObservationDict
from jasstisch.env.matches.render import Frame
from jasstisch.env.pettingzoo.aec import MatchEnv
from jasstisch.games.rules import Game
from jasstisch.match.match import Match

__all__ = ["ParallelMatchEnv"]


class ParallelMatchEnv(ParallelEnv):
    """One match after the other of one game; an episode is a match.

    Args:
        game: from `jasstisch.game`.
        render_mode: `ansi` for a text, `rgb_array` for a picture, or None.

    Attributes:
        game, parts, actions: as those of `TableEnv`.
        wait: the number of waiting, the only thing that a seat does which is not to act.

    Raises:
        GameError: its actions have no numbers, or there is no such way to render.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        self._env = table = MatchEnv(game, render_mode)
        self.game = game
        self.parts = table.parts
        self.wait = max(table.actions) + 1
        self.actions = {**table.actions, self.wait: "wait"}
        self.render_mode = render_mode
        self.metadata = {**table.metadata, "is_parallelizable": True}
        self.possible_agents = list(table.possible_agents)
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        count = self.wait + 1
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": table.observation_space(agent)["observation"],
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what an agent sees; the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of the numbers of actions; the same for all."""
        return self.action_spaces[agent]

    # A match.

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, ObservationDict], dict[str, dict[str, Any]]]:
        """Begins a new match.

        Args:
            seed: begins the chance of this environment again; it goes on where it is when not
                given.
            options: nothing is chosen by them; those of the game are given with `parallel_env`.

        Returns:
            What each agent sees, and an empty info for each.
        """
        self._env.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, ObservationDict],
        dict[str, int],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Does what all agents do at once.

        Args:
            actions: the number of an action for each agent; `wait` for those not to act.

        Returns:
            What each agent sees, its reward, whether its match is over, False and an empty info.

        Raises:
            IllegalAction: the rules refuse an action; nothing has changed.
            GameError: an agent is missing, acts out of turn or by no number, or no match has begun;
                nothing has changed.
        """
        table = self._env
        if not self.agents:
            raise GameError("no match goes on: begin one with reset()")
        acting = [self.possible_agents[seat] for seat in table.to_act]
        self._check(actions, acting)
        for agent in acting:
            table.step(actions[agent])
        agents = self.agents
        if any(table.terminations.values()):
            self.agents = []
        return (
            {agent: self._observe(agent) for agent in agents},
            dict(table.rewards),
            dict(table.terminations),
            dict(table.truncations),
            {agent: {} for agent in agents},
        )

    def _check(self, actions: Mapping[str, int], acting: list[str]) -> None:
        """Refuses what is not one action for each agent, or one of several that is not legal."""
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise GameError(f"each agent acts: the action of {missing[0]} is missing")
        for agent in self.agents:
            if agent not in acting and actions[agent] != self.wait:
                raise GameError(f"{agent} is not to act: its action is {self.wait} (wait)")
        if len(acting) > 1:
            for agent in acting:
                self._env.check(agent, actions[agent])

    # What there is to see.

    def _observations(self) -> dict[str, ObservationDict]:
        return {agent: self._observe(agent) for agent in self.agents}

    def _observe(self, agent: str) -> ObservationDict:
        """What an agent sees; it may wait where it may do nothing else."""
        seen = self._env.observe(agent)
        mask = seen["action_mask"]
        seen["action_mask"] = np.append(mask, np.int8(not mask.any()))
        return seen

    def match(self) -> Match:
        """The match so far, to look at its views or to keep its record."""
        return self._env.match()

    def render(self) -> Frame:
        """The table with all hands, as `render_mode` says; None where that is None."""
        return self._env.render()

    def close(self) -> None:
        """Nothing is kept that would have to be closed."""
