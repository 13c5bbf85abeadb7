"""Rewards on the way, which do not change what is best: the potential of the next position minus that of this one.

    from gamekeeper.shaping import ShapedReward, lead

    env = gymnasium.make("gamekeeper/Seat-v0", ruleset="kingsburg")
    env = ShapedReward(env, lead(env.unwrapped.cells, "vp", scale=0.05))

A potential is any function of observations. At the end of a game it is 0, so with `discount` 1 the rewards of a game add up to
that of its end minus the potential of its beginning (Ng, Harada and Russell, 1999).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .cells import numbers, rows

Potential = Callable[[NDArray[Any]], NDArray[np.float64]]
"""The worth of positions, from one observation or a row for each."""

_Env = gymnasium.Env[NDArray[Any], np.int64]


def lead(cells: Sequence[str], field: str, scale: float = 1.0) -> Potential:
    """Returns the potential that is the lead over the best of the others in a number of the players, such as `vp`, times
    `scale`. Observations of floats only.

    Raises `ValueError` when players have no such number that everybody sees.
    """
    players = rows(cells, "players")
    column = (*field.split("."), "small")
    if column not in players.columns:
        known = ", ".join(".".join(one[:-1]) for one in players.columns if one[-1:] == ("small",))
        raise ValueError(f"players have no number {field!r}; there are {known or 'none'}")
    own, *others = players.cells[:, players.columns.index(column)].tolist()

    def potential(observations: NDArray[Any]) -> NDArray[np.float64]:
        best = numbers(observations[..., others]).max(axis=-1)
        found: NDArray[np.float64] = scale * (numbers(observations[..., own]) - best)
        return found

    return potential


def shaped(potentials: Sequence[float], reward: float, discount: float = 1.0) -> list[float]:
    """Returns the reward of each decision of a seat in a game, from the potentials at its decisions and what the end of the
    game earned. For learners that keep trajectories, as those of batches do."""
    if not potentials:
        return []
    earned = [discount * after - before for before, after in zip(potentials, [*potentials[1:], 0.0])]
    earned[-1] += reward
    return earned


class ShapedReward(gymnasium.Wrapper[NDArray[Any], np.int64, NDArray[Any], np.int64]):
    """Adds to each reward what the potential has grown by. In a game that was cut off, the last position keeps its worth."""

    def __init__(self, env: _Env, potential: Potential, discount: float = 1.0) -> None:
        """`discount` is that of the learner."""
        super().__init__(env)
        self._potential = potential
        self._discount = discount
        self._before = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins a game."""
        seen, info = super().reset(seed=seed, options=options)
        self._before = float(self._potential(seen))
        return seen, info

    def step(self, action: np.int64) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Says a word, as the environment does."""
        seen, reward, terminated, truncated, info = super().step(action)
        now = 0.0 if terminated else float(self._potential(seen))
        gained, self._before = self._discount * now - self._before, now
        return seen, float(reward) + gained, terminated, truncated, info
