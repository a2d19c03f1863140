"""A naive environment around `Match`: the baseline of `bench.speed.env_steps`.

It is written without regard to speed: a view for each observation, converted to an array, and the
texts of all legal actions for each mask.
"""

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

import jasstisch as jt
from jasstisch.engine.cards import JASS
from jasstisch.env.matches.encoded_match import round_rewards
from jasstisch.env.matches.encoding import encoding_for


class BaselineEnv(AECEnv):  # type: ignore[misc]
    """Matches of one trick-taking game; Weis are announced with their card, in one action."""

    def __init__(self, game: jt.Game) -> None:
        super().__init__()
        self.game = game
        texts = list(encoding_for(game).action_encoder.texts.values())
        self.texts = [*texts, *(f"{text} weis" for text in texts if text.startswith("play "))]
        self.numbers = {text: number for number, text in enumerate(self.texts)}
        self.possible_agents = [f"seat_{seat}" for seat in range(game.players)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new match."""
        self.chance = Random(seed)
        self.match = jt.Match(self.game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.rounds = 0
        self.advance()

    def step(self, action: int) -> None:
        """Does an action for the selected agent."""
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        self.match.act(self.match.to_act[0], self.texts[action])
        self.advance()

    def advance(self) -> None:
        """Deals, assigns rewards, and selects the next agent."""
        match = self.match
        while match.needs_pack:
            match.deal(self.chance.sample(match.pack, len(match.pack)))
        for finished in match.rounds[self.rounds :]:
            for agent, earned in zip(self.agents, round_rewards(self.game, finished), strict=True):
                self.rewards[agent] += earned
            self.rounds += 1
        self._accumulate_rewards()
        if match.over:
            self.terminations = dict.fromkeys(self.agents, True)
        seat = match.to_act[0] if match.to_act else 0
        self.agent_selection = self.possible_agents[seat]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Returns hand, trick, all cards played, trump and turn, from the view of the seat."""
        seat = self.possible_agents.index(agent)
        view = self.match.view(seat)
        seen = np.zeros((2 + 2 * self.game.players, 36), np.int32)
        seen[0, [JASS.numbers[card] for card in view["hand"]]] = 1
        for other, card in view["trick"]:
            seen[2 + other, JASS.numbers[card]] = 1
        for trick in view["tricks"]:
            cards = [JASS.numbers[card] for card in trick["cards"]]
            seen[1, cards] = 1
            seen[2 + self.game.players + trick["winner"], cards] = 1
        numbers = [seat, "CDHS".find(view["trump"] or "-"), *view["to_act"], *view["hand_sizes"]]
        mask = np.zeros(len(self.texts), np.int8)
        mask[[self.numbers[text] for text in self.match.legal(seat)]] = 1
        return {"observation": np.concatenate([seen.ravel(), numbers]), "action_mask": mask}
