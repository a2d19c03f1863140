"""A PettingZoo environment in which all agents act at once.

Hidden bids are simultaneous, as at a table. While only one seat may act, the others wait.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from jasstisch.engine.errors import GameError
from jasstisch.env.matches.encoded_match import MATCH, ObservationDict
from jasstisch.env.matches.render import Frame
from jasstisch.env.pettingzoo.aec import MatchEnv
from jasstisch.games.rules import Game
from jasstisch.match.match import Match


class ParallelMatchEnv(ParallelEnv):
    """Matches or rounds of one game, one after the other.

    Args:
        game: the game, from `jasstisch.game`.
        render_mode: `ansi` for a text, `rgb_array` for an image, or None.
        episode: what an episode is, as in `MatchEnv`.

    Attributes:
        game, parts, actions: as in `MatchEnv`.
        wait: the number of the action to wait, the only one of a seat that is not to act.

    Raises:
        GameError: the game has no encoding, or the render mode or the episode is unknown.
    """

    def __init__(self, game: Game, render_mode: str | None = None, episode: str = MATCH) -> None:
        self._env = table = MatchEnv(game, render_mode, episode)
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
        """The space of an agent's observation; the same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of the numbers of actions; the same for all agents."""
        return self.action_spaces[agent]

    # Play.

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, ObservationDict], dict[str, dict[str, Any]]]:
        """Starts a new episode.

        Args:
            seed: restarts the random generator of this environment; it continues if omitted.
            options: ignored; the options of the game are arguments of `parallel_env`.

        Returns:
            The observation of each agent, and an empty info for each.
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
        """Performs the actions of all agents at once.

        Args:
            actions: the number of an action for each agent; `wait` for agents that are not to act.

        Returns:
            For each agent its observation, reward, whether its episode is over, False, and an empty
            info.

        Raises:
            IllegalAction: the rules refuse an action; nothing has changed.
            GameError: an agent is missing, acts out of turn, or gives an unknown number, or no
                episode has started; nothing has changed.
        """
        table = self._env
        if not self.agents:
            raise GameError("no episode is in progress: start one with reset()")
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
        """Checks that there is one action for each agent, and that each is legal."""
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise GameError(f"the action of {missing[0]} is missing: every agent must act")
        for agent in self.agents:
            if agent not in acting and actions[agent] != self.wait:
                raise GameError(f"{agent} is not to act: its action is {self.wait} (wait)")
        if len(acting) > 1:
            for agent in acting:
                self._env.check_action(agent, actions[agent])

    # Observations.

    def _observations(self) -> dict[str, ObservationDict]:
        return {agent: self._observe(agent) for agent in self.agents}

    def _observe(self, agent: str) -> ObservationDict:
        """The observation of an agent; it may wait if it may do nothing else."""
        seen = self._env.observe(agent)
        mask = seen["action_mask"]
        seen["action_mask"] = np.append(mask, np.int8(not mask.any()))
        return seen

    def match(self) -> Match:
        """The match so far, for its views or its record."""
        return self._env.match()

    def render(self) -> Frame:
        """Renders the table with all hands open in `render_mode`; None without one."""
        return self._env.render()

    def close(self) -> None:
        """Does nothing: no resources are held."""
