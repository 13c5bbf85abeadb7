"""Gymnasium environments: one seat learns, bots play the others. Importing this module registers them.

    import gymnasium, gamekeeper.gym
    env = gymnasium.make("gamekeeper/Seat-v0", ruleset="kingsburg", opponents=["greedy"])
    envs = gymnasium.make_vec("gamekeeper/Seat-v0", num_envs=64, ruleset="kingsburg", opponents=["greedy"])

Games are played in this process, by the module `gamekeeper_native`. `info["action_mask"]` says which words are legal, and so
does `action_masks()`, the name that sb3-contrib looks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .batch import NOTHING_TO_DECIDE, VAIN, Batch, Opponent, at_seats
from .inside import Inside, native_space
from .luck import seed_of_game, whole
from .pictures import Pixels, pixels
from .results import RewardKind, checked, rewards
from .tables import MAX_VERSIONS, Start, mask

Array = NDArray[Any]
Info = dict[str, Any]


def _all(players: int, opponents: Sequence[Opponent]) -> Sequence[Opponent]:
    """Returns the opponents of an agent: `random` unless given.

    Raises `ValueError` when there are more or fewer than the others at the table.
    """
    if len(opponents) == 0:
        return ["random"] * (players - 1)
    if isinstance(opponents, str) or (len(opponents) == players - 1 and None not in opponents):
        return opponents
    raise ValueError(f"{players} players have {players - 1} opponents, all of them bots, not {list(opponents)}")


def _no_options(options: dict[str, Any] | None) -> None:
    if options:
        raise ValueError(f"options are given when the environment is made; got {options}")


class SeatEnv(gymnasium.Env[Array, np.int64], EzPickle):
    """One seat of a game as an environment for a single agent."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(
        self,
        ruleset: str,
        players: int | None = None,
        *,
        seat: int | None = None,
        opponents: Sequence[Opponent] = (),
        options: Mapping[str, Any] | None = None,
        max_versions: int = MAX_VERSIONS,
        reward: RewardKind = "rank",
        start: Start = "set_up",
        render_mode: str | None = None,
    ) -> None:
        """`seat` is the place of the agent, from 0; without one it moves a seat to the left from game to game. `opponents`
        are the bots to its left, in order: `random` unless given. The other arguments are those of `gamekeeper_env`.
        """
        # A copy, also in another process, is a new environment with the same arguments.
        EzPickle.__init__(
            self,
            ruleset,
            players,
            seat=seat,
            opponents=opponents,
            options=options,
            max_versions=max_versions,
            reward=reward,
            start=start,
            render_mode=render_mode,
        )
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {render_mode!r}; there are {self.metadata['render_modes']}")
        self.render_mode = render_mode
        self._door = Inside(ruleset, players)
        self._players = self._door.players
        bots = at_seats(self._players, seat or 0, _all(self._players, opponents))
        self._turns = seat is None
        self._reward: RewardKind = checked(reward)
        self._bots = [bot and (self._door.bot(bot[0]), bot[1]) for bot in bots]
        self._table = self._door.table(options, max_versions, start=start)
        self.observation_space = spaces.Box(-1.0, 1.0, (len(self._door.cells),), np.float32)
        self.action_space = spaces.Discrete(len(self._door.words))
        self._seat = 0

    @property
    def words(self) -> list[str]:
        """The meaning of each action, such as `BuyCard.card=CARD_GOLD`."""
        return list(self._door.words)

    @property
    def cells(self) -> list[str]:
        """The meaning of each number of an observation."""
        return list(self._door.cells)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Info]:
        """Begins a game: with a seed always the same one, otherwise the next one of the last seed."""
        super().reset(seed=seed)
        _no_options(options)
        self._begin(seed)
        tries = 1
        while self._table.result is not None:
            if tries == VAIN:
                raise RuntimeError(NOTHING_TO_DECIDE)
            self._begin(None)
            tries += 1
        return self._table.vector(self._seat), self._info()

    def step(self, action: np.int64) -> tuple[Array, float, bool, bool, Info]:
        """Says a word; returns when the agent is asked again, or the game is over.

        Raises `IllegalActionError` when the mask does not allow the word, `TypeError` when it is no whole number; then
        nothing has changed.
        """
        if self._table.say(whole("a word", action)):
            self._wait()
        info, result = self._info(), self._table.result
        if result is None:
            return self._table.vector(self._seat), 0.0, False, False, info
        info |= {"ranks": result.ranks, "scores": result.scores}
        earned = rewards(result, self._players, self._reward, self._door.fewest_win)[self._seat]
        return self._table.vector(self._seat), earned, result.finished, not result.finished, info

    def action_masks(self) -> NDArray[np.bool_]:
        """True for each word that is legal now."""
        return mask(self._table.words, len(self._door.words)).astype(np.bool_)

    def render(self) -> str | Pixels | None:
        """The table as the agent sees it: as text (`ansi`), or as pixels (`rgb_array`), which need the extra `pictures`."""
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return pixels(self._table.picture(self._seat))
        return self._table.board(self._seat)

    def _begin(self, seed: int | None) -> None:
        self._table.begin(seed)
        turned = self._table.number - 1 if self._turns else 0
        self._at = [self._bots[(place - turned) % self._players] for place in range(self._players)]
        self._seat = self._at.index(None)
        self._thoughts = 0
        self._wait()

    def _wait(self) -> None:
        """Bots play until the agent is asked, or the game is over."""
        while self._table.result is None and (bot := self._at[self._table.seat]) is not None:
            self._thoughts += 1
            policy, playouts = bot
            self._table.play(policy, seed_of_game(self._table.seed, self._thoughts), playouts)

    def _info(self) -> Info:
        return {"seat": self._seat, "action_mask": mask(self._table.words, len(self._door.words))}


class SeatVectorEnv(VectorEnv[Array, NDArray[np.int64], Array]):
    """Many games, each with one seat that learns. A game that has ended is followed by the next one in the same step."""

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        ruleset: str,
        players: int | None = None,
        num_envs: int = 64,
        *,
        seat: int | None = None,
        opponents: Sequence[Opponent] = (),
        options: Mapping[str, Any] | None = None,
        max_versions: int = MAX_VERSIONS,
        reward: RewardKind = "rank",
        start: Start = "set_up",
        compact: bool = False,
        threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """The arguments are those of `SeatEnv` and `Batch`. `observations` and masks are written anew by each step: copy
        what you keep.
        """
        if render_mode is not None:
            raise ValueError("many games are not drawn")
        self.num_envs = num_envs
        self.render_mode = None
        self._batch = Batch(
            ruleset,
            players,
            num_envs,
            seat=seat or 0,
            opponents=_all(native_space(ruleset, players).players, opponents),
            take_turns=seat is None,
            options=options,
            max_versions=max_versions,
            reward=reward,
            start=start,
            compact=compact,
            threads=threads,
        )
        cells, words = self._batch.observations.shape[1], self._batch.masks.shape[1]
        if compact:
            self.single_observation_space = spaces.Box(-127, 127, (cells,), np.int8)
        else:
            self.single_observation_space = spaces.Box(-1.0, 1.0, (cells,), np.float32)
        self.single_action_space = spaces.Discrete(words)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Array, Info]:
        """Begins all games: with a seed always the same ones. There is one seed for all games, and there are no options."""
        if isinstance(seed, list):
            raise ValueError("one seed gives the luck of all games")
        _no_options(options)
        self._batch.reset(seed)
        return self._batch.observations, self._info()

    def step(self, actions: NDArray[np.int64]) -> tuple[Array, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """In each game the agent says a word.

        Raises `IllegalActionError` when a mask does not allow a word; then nothing has changed. At the end of a game,
        `final_obs` is what the agent knew, `final_info` has ranks and scores; the observation is that of the next game.
        """
        batch = self._batch
        seats = batch.seats.copy()
        ended = batch.step(actions)
        earned = batch.rewards[np.arange(self.num_envs), seats].astype(np.float64)
        info = self._info()
        if ended:
            ranks, scores = (np.zeros(batch.rewards.shape, np.int64) for _ in range(2))
            for end in ended:
                if not end.truncated:
                    ranks[end.slot], scores[end.slot] = end.ranks, end.scores
            last = np.full(self.num_envs, None, object)
            for end in ended:
                last[end.slot] = batch.final(end.slot, int(seats[end.slot]))
            info["final_obs"] = last
            info["_final_obs"] = batch.dones != 0
            info["final_info"] = {"seat": seats, "ranks": ranks, "scores": scores}
            info["_final_info"] = batch.dones != 0
        return batch.observations, earned, batch.dones == 1, batch.dones == 2, info

    def action_masks(self) -> NDArray[np.bool_]:
        """True for each word that is legal now, a row for each game."""
        return self._batch.masks.astype(np.bool_)

    def close_extras(self, **_: Any) -> None:
        """Ends the games."""
        self._batch.close()

    def _info(self) -> Info:
        batch = self._batch
        return {"seat": batch.seats.copy(), "action_mask": batch.masks}


def _register() -> None:
    module = __name__
    gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
        "gamekeeper/Seat-v0", f"{module}:SeatEnv", vector_entry_point=f"{module}:SeatVectorEnv"
    )


_register()
