"""One seat of a PettingZoo environment as a Gymnasium environment, for libraries that train a single agent.

All other seats say random words. Needs PettingZoo alone; any library that takes masks can use it:

    env = SeatEnv(gamekeeper_env("kingsburg"))
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_masks().argmax())
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv


class SeatEnv(gymnasium.Env[np.ndarray, int]):
    """One agent learns: `seat` is its place from 0; without one it changes seats from game to game."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, env: AECEnv[str, Any, Any], seat: int | None = None) -> None:
        self.env = env
        self.seat = seat
        self.games = 0
        agent = env.possible_agents[0]
        # Every seat of a ruleset has the same spaces.
        self.observation_space = env.observation_space(agent)["observation"]
        self.action_space = env.action_space(agent)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins a game: with a seed always the same one, otherwise the next one."""
        super().reset(seed=seed)
        self.env.reset(seed=seed)
        agents = self.env.possible_agents
        self.agent = agents[(self.games if self.seat is None else self.seat) % len(agents)]
        self.games += 1
        observation, *_ = self._wait()
        return observation, {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Says a word; returns when the agent is asked again, or the game is over."""
        self.env.step(int(action))
        return (*self._wait(), {})

    def action_masks(self) -> np.ndarray:
        """True for each word that is legal now: the name that sb3-contrib looks for."""
        return self.mask

    def close(self) -> None:
        """Ends the game."""
        self.env.close()

    def _wait(self) -> tuple[np.ndarray, float, bool, bool]:
        """The others say random words until the agent is asked, or the game is over."""
        for agent in self.env.agent_iter(10**9):
            observation, reward, terminated, truncated, _ = self.env.last()
            if agent == self.agent:
                self.mask = observation["action_mask"].astype(bool)
                return observation["observation"], float(reward), terminated, truncated
            words = np.flatnonzero(observation["action_mask"])
            self.env.step(None if terminated or truncated else int(self.np_random.choice(words)))
        raise RuntimeError("the agent has left the game")
