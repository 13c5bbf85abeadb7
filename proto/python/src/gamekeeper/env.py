"""PettingZoo environments: agents take turns (AEC) at a game of any ruleset."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .door import door
from .luck import whole
from .pictures import Pixels, pixels
from .results import RewardKind, checked, rewards
from .tables import MAX_VERSIONS, Start, Vector, mask

Observation = dict[str, Any]


def gamekeeper_env(ruleset: str, players: int | None = None, **settings: Any) -> AECEnv[str, Observation, Any]:
    """A game of a ruleset for agents `player_0`, `player_1` and so on, with the usual checks of the order of calls.

    `players` are the fewest of the ruleset unless given. `settings` are the keyword arguments of `raw_env`.
    """
    env: AECEnv[str, Observation, Any] = wrappers.OrderEnforcingWrapper(raw_env(ruleset, players, **settings))
    return env


class raw_env(AECEnv[str, Observation, Any], EzPickle):  # noqa: N801, as all environments of PettingZoo name it
    """The environment without checks of the order of calls."""

    metadata: dict[str, Any] = {
        "name": "gamekeeper_v0",
        "render_modes": ["ansi", "human", "rgb_array"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ruleset: str,
        players: int | None = None,
        *,
        address: str | None = None,
        token: str | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_versions: int = MAX_VERSIONS,
        reward: RewardKind = "rank",
        start: Start = "set_up",
    ) -> None:
        """`address` is that of a server that lets creators give seeds (`--allow-seeds`). Without one, games are played in
        this process if `gamekeeper_native` is installed; otherwise the process starts a server of its own. `options` are
        the ruleset's `Options` in protobuf JSON. A game that reaches `max_versions` is truncated; 0: none is. What agents
        earn at the end is `reward`, see `gamekeeper.results.rewards`. Games begin at the set-up, `rich`, `late`, or on described
        tables, a view of the ruleset each: the first game of a seed on the first one, the next on the next.
        """
        # A copy, also in another process, is a new environment with the same arguments.
        EzPickle.__init__(
            self,
            ruleset,
            players,
            address=address,
            token=token,
            options=options,
            render_mode=render_mode,
            max_versions=max_versions,
            reward=reward,
            start=start,
        )
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {render_mode!r}; there are {self.metadata['render_modes']}")
        self.metadata = {**self.metadata, "name": f"{ruleset}_v0"}
        self.render_mode = render_mode
        self._reward: RewardKind = checked(reward)
        self._door = door(ruleset, players, address, token)
        self.possible_agents = [f"player_{seat}" for seat in range(self._door.players)]
        self.agents: list[str] = []
        self._max_versions = max_versions
        self._start: Start = start
        self._table = self._door.table(options, max_versions, start=start)
        words = len(self._door.words)
        observation = spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (len(self._door.cells),), np.float32),
                "action_mask": spaces.Box(0, 1, (words,), np.int8),
            }
        )
        # Each agent has spaces of its own, so that each can be seeded.
        self.observation_spaces: dict[str, spaces.Space[Any]] = {agent: spaces.Dict(dict(observation.spaces)) for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {agent: spaces.Discrete(words) for agent in self.possible_agents}

    @property
    def words(self) -> list[str]:
        """The meaning of each action, such as `BuyCard.card=CARD_GOLD`."""
        return list(self._door.words)

    @property
    def cells(self) -> list[str]:
        """The meaning of each number of an observation."""
        return list(self._door.cells)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The words an agent can say."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins a game: with a seed always the same one, otherwise the next one of the last seed.

        `options[ruleset]` are the ruleset's, for this game and those that follow; with them, the next game is one of a new
        seed. Other options are for wrappers; the environment warns of them.
        """
        if options:
            self._take(options)
        self._table.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._look()

    def step(self, action: int | None) -> None:
        """The selected agent says a word.

        Raises `IllegalActionError` when its mask does not allow the word, `TypeError` when it is no whole number; then
        nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        is_played = self._table.say(-1 if action is None else whole("a word", action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if is_played:
            self._look()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Returns the knowledge of an agent: in this process at any time; at a server when it last had to decide."""
        seat, words = self.possible_agents.index(agent), len(self._door.words)
        allowed = self._table.words if seat == self._table.seat else ()
        return {"observation": self._table.vector(seat), "action_mask": mask(allowed, words)}

    def state(self) -> Vector:
        """The whole table, hidden things included: for training only.

        Raises `ValueError` when the game is at a server.
        """
        return self._table.everything()

    def render(self) -> str | Pixels | None:
        """The table, as the seat to move sees it: as text, returned (`ansi`) or printed (`human`), or as pixels
        (`rgb_array`), which need the extra `pictures`.
        """
        seat = max(self._table.seat, 0)
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return pixels(self._table.picture(seat))
        board = self._table.board(seat, colored=self.render_mode == "human")
        if self.render_mode == "ansi":
            return board
        print(board)
        return None

    def close(self) -> None:
        """Ends the game. The server goes on for other environments of the process."""
        self._table.close()

    def _take(self, options: Mapping[str, Any]) -> None:
        """Plays by these options from now on."""
        name = self._door.name
        others = sorted(set(options) - {name})
        if others:
            warnings.warn(f"nothing follows from the options {', '.join(others)}; those of the game are options[{name!r}]", stacklevel=3)
        if name in options:
            table = self._door.table(options[name], self._max_versions, start=self._start)
            self._table.close()
            self._table = table

    def _look(self) -> None:
        """A seat has to decide, or the game is over."""
        result = self._table.result
        if result is None:
            self.agent_selection = self.possible_agents[self._table.seat]
            return
        earned = rewards(result, len(self.possible_agents), self._reward, self._door.fewest_win)
        self.rewards = dict(zip(self.possible_agents, earned))
        if result.finished:
            self.infos = {
                agent: {"rank": rank, "score": score}
                for agent, rank, score in zip(self.possible_agents, result.ranks, result.scores)
            }
        ended = self.terminations if result.finished else self.truncations
        ended.update(dict.fromkeys(self.agents, True))
