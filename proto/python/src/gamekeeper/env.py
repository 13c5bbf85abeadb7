"""PettingZoo environments: agents take turns (AEC) at a game of any ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .space import MAX_VERSIONS, Mask, Vector, rewards, space
from .table import Board, Table
from .v1.self_play_service_pb2 import SelfPlayObservation

Observation = dict[str, Any]


def gamekeeper_env(ruleset: str, players: int = 2, **settings: Any) -> AECEnv[str, Observation, Any]:
    """A game of a ruleset for agents `player_0`, `player_1` and so on, with the usual checks of the order of calls.

    `settings` are the keyword arguments of `raw_env`.
    """
    env: AECEnv[str, Observation, Any] = wrappers.OrderEnforcingWrapper(raw_env(ruleset, players, **settings))
    return env


class raw_env(AECEnv[str, Observation, Any], EzPickle):  # noqa: N801, as all environments of PettingZoo name it
    """The environment without checks of the order of calls."""

    metadata: dict[str, Any] = {
        "name": "gamekeeper_v0",
        "render_modes": ["ansi", "human"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ruleset: str,
        players: int = 2,
        *,
        address: str | None = None,
        token: str | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_versions: int = MAX_VERSIONS,
    ) -> None:
        """`address` is that of a server that lets creators give seeds (`--allow-seeds`); without one, the process
        starts a server of its own. `options` are the ruleset's `Options` in protobuf JSON. A game that reaches
        `max_versions` is truncated; 0: none is.
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
        )
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {render_mode!r}; there are {self.metadata['render_modes']}")
        self.metadata = {**self.metadata, "name": f"{ruleset}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._space = space(ruleset, players, address, token)
        self._options = options
        self._table = Table(self._space, options, max_versions)
        self._board: Board | None = None
        observation = spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (self._space.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self._space.vocabulary),), np.int8),
            }
        )
        words = len(self._space.vocabulary)
        # Each agent has spaces of its own, so that each can be seeded.
        self.observation_spaces: dict[str, spaces.Space[Any]] = {agent: spaces.Dict(dict(observation.spaces)) for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {agent: spaces.Discrete(words) for agent in self.possible_agents}

    @property
    def words(self) -> list[str]:
        """What each action means, such as `BuyCard.card=CARD_GOLD`."""
        return self._space.vocabulary.words

    @property
    def cells(self) -> list[str]:
        """What each number of an observation stands for."""
        return list(self._space.cells)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The words an agent can say."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game: with a seed always the same one, otherwise the next one of the last seed."""
        self._close_board()
        self._table.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._looks: dict[str, SelfPlayObservation] = {}
        self._seen: dict[str, Vector] = {}
        self._look()

    def step(self, action: int | None) -> None:
        """The selected agent says a word.

        Raises `IllegalActionError` when its mask does not allow the word; then nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self._table
        decisions = table.decisions
        table.say(-1 if action is None else int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if table.result is not None:
            self._end()
        elif decisions != table.decisions:
            self._look()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What an agent sees: the table when it last had to decide, and what it has said since."""
        vector = self._seen.get(agent)
        if vector is None:
            look, seat = self._looks.get(agent), self.possible_agents.index(agent) + 1
            vector = self._seen[agent] = self._space.vector(look, seat)
        vector = vector.copy()
        mask: Mask = np.zeros(len(self._space.vocabulary), np.int8)
        if agent == self._decides:
            self._space.say(vector, self._table.speech.said)
            mask = self._space.mask(self._table.speech.words)
        return {"observation": vector, "action_mask": mask}

    def render(self) -> str | None:
        """The board, as the seat to move sees it: returned (`ansi`) or printed (`human`)."""
        if self.render_mode is None:
            return None
        if self._board is None:
            self._board = Board(self._space, self._table, self._options)
        board = self._board.draw(self._table.seat, colored=self.render_mode == "human")
        if self.render_mode == "ansi":
            return board
        print(board)
        return None

    def close(self) -> None:
        """Ends the game. The server goes on for other environments of the process."""
        self._close_board()
        self._table.close()

    def _look(self) -> None:
        """A seat has to decide, and sees the table."""
        table = self._table
        if table.result is not None:
            self._end()
            return
        agent = self.possible_agents[table.seat - 1]
        self._looks[agent] = table.observation
        self._seen.pop(agent, None)  # Written when somebody looks.
        self._decides: str | None = agent
        self.agent_selection = agent

    def _end(self) -> None:
        result = self._table.result
        assert result is not None
        earned = rewards(result, len(self.possible_agents))
        self.rewards = dict(zip(self.possible_agents, earned))
        ended = self.terminations if result.finished else self.truncations
        ended.update(dict.fromkeys(self.agents, True))
        self._decides = None

    def _close_board(self) -> None:
        if self._board is not None:
            self._board.close()
            self._board = None
