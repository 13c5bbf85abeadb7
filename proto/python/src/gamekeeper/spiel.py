"""OpenSpiel: importing this module registers the game `gamekeeper`.

    import pyspiel, gamekeeper.spiel
    game = pyspiel.load_game("gamekeeper(ruleset=kingsburg,players=3)")

Luck is the one chance node at the beginning: it draws the seed from which all draws of the game follow, out of `seeds`
equally likely ones. After it, the same actions lead to the same state, so states can be cloned and serialized.
"""

# pyspiel comes without types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import pyspiel
from google.protobuf import text_format

from .space import MAX_VERSIONS, Space, Vector, rewards, space
from .table import Table
from .v1.self_play_service_pb2 import SelfPlayObservation

# Streams that stay open for states. A server allows 16 by default, and 8 for a tenant.
_STREAMS = 8

# The longest sentence of an action is shorter.
_WORDS = 40

_PARAMETERS: dict[str, Any] = {
    "ruleset": "kingsburg",
    "players": 2,
    "seeds": 1_000,
    "max_versions": MAX_VERSIONS,
    "address": "",
    "token": "",
}

GAME_TYPE = pyspiel.GameType(
    short_name="gamekeeper",
    long_name="Gamekeeper: Caylus, Dominion, Kingsburg, Mythotopia, Terra Mystica",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    min_num_players=2,
    max_num_players=5,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_PARAMETERS,
)


class GamekeeperGame(pyspiel.Game):
    """A ruleset for a number of players."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**_PARAMETERS, **(params or {})}
        self.seeds = int(chosen["seeds"])
        self.max_versions = int(chosen["max_versions"])
        if self.seeds < 1 or self.max_versions < 2:
            raise ValueError("seeds must be at least 1, max_versions at least 2")
        self.space: Space = space(
            chosen["ruleset"], chosen["players"], chosen["address"] or None, chosen["token"] or None
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.space.vocabulary),
            max_chance_outcomes=self.seeds,
            num_players=chosen["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_versions * _WORDS,
        )
        super().__init__(GAME_TYPE, info, dict(params or {}))

    def new_initial_state(self) -> GamekeeperState:
        """A game before its luck is drawn."""
        return GamekeeperState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> GamekeeperObserver:
        """What writes a state as a player sees it."""
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return GamekeeperObserver(self.space, recall, params)


class GamekeeperState(pyspiel.State):
    """A point of a game."""

    def __init__(self, game: GamekeeperGame) -> None:
        super().__init__(game)
        self.line = _Line(game)

    def current_player(self) -> int:
        """Who decides, from 0."""
        line = self.line
        if line.seed is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if line.is_over else line.table.seat - 1

    def _legal_actions(self, player: int) -> list[int]:
        """The words that the player can say."""
        if self.is_terminal() or player != self.current_player():
            return []
        return sorted(self.line.table.speech.words)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The seeds of luck."""
        count = self.line.game.seeds
        return [(seed, 1.0 / count) for seed in range(count)]

    def _apply_action(self, action: int) -> None:
        """Draws the luck, or says a word."""
        if self.line.seed is None:
            self.line.begin(action)
        else:
            self.line.say(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """A seed of luck, or a word."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"luck={action}"
        return self.line.game.space.vocabulary.words[action]

    def is_terminal(self) -> bool:
        """Is the game over, or cut off?"""
        return self.line.seed is not None and self.line.is_over

    def returns(self) -> list[float]:
        """What each player has earned, by rank; 0 until the end."""
        players = self.line.game.space.players
        result = None if self.line.seed is None else self.line.table.result
        return [0.0] * players if result is None else rewards(result, players)

    def __str__(self) -> str:
        """The luck and the words until now."""
        words = self.line.game.space.vocabulary.words
        return f"luck={self.line.seed} " + " ".join(words[word] for word in self.line.words)


class GamekeeperObserver:
    """Writes what a player knows, as a vector and as text.

    A player sees the table when it is their turn, so what they know is from their last turn. With perfect recall, the
    text names all that they have seen and said; the vector adds how often they have said each word, which is less.
    """

    def __init__(self, space: Space, recall: bool, params: Any) -> None:
        if params:
            raise ValueError(f"there are no observation parameters; got {params}")
        self._space = space
        self._recall = recall
        self.tensor: Vector = np.zeros(space.size + (len(space.vocabulary) if recall else 0), np.float32)
        self.dict = {"observation": self.tensor[: space.size]}
        if recall:
            self.dict["words"] = self.tensor[space.size :]

    def set_from(self, state: GamekeeperState, player: int) -> None:
        """Writes the vector."""
        memory = state.line.memories[player]
        vector = self._space.vector(memory.look, player + 1)
        self._space.say(vector, _saying(state, player))
        self.dict["observation"][:] = vector
        if self._recall:
            words = self.dict["words"]
            words.fill(0.0)
            for word in memory.said:
                words[word] = 1.0 / (2.0 - words[word])

    def string_from(self, state: GamekeeperState, player: int) -> str:
        """Writes the text."""
        memory = state.line.memories[player]
        said = " ".join(self._space.vocabulary.words[word] for word in _saying(state, player))
        if self._recall:
            return f"player {player} knows {memory.digest.hex()} says {said}"
        return f"player {player} sees {_text(memory.look)} says {said}"


def _text(look: SelfPlayObservation | None) -> str:
    """The table and the pending decisions, as text."""
    if look is None:
        return "nothing"
    return " ".join(text_format.MessageToString(part, as_one_line=True) for part in (look.view, *look.pending))


class _Memory:
    """What a player knows. Never changed: each turn makes a new one."""

    def __init__(self, look: SelfPlayObservation | None = None, digest: bytes = b"", said: tuple[int, ...] = ()) -> None:
        self.look = look
        self.digest = digest
        self.said = said

    def sees(self, observation: SelfPlayObservation) -> _Memory:
        """The player sees the table, and what has happened since their last turn."""
        digest = hashlib.sha256(self.digest + observation.view.SerializeToString(deterministic=True))
        for part in (*observation.pending, *observation.events):
            text = part.SerializeToString(deterministic=True)
            digest.update(len(text).to_bytes(4, "little") + text)
        return _Memory(observation, digest.digest(), self.said)

    def says(self, word: int) -> _Memory:
        """The player says a word."""
        digest = hashlib.sha256(self.digest + word.to_bytes(4, "little")).digest()
        return _Memory(self.look, digest, (*self.said, word))


class _Line:
    """How a state came about, and the table that can go on from there."""

    def __init__(self, game: GamekeeperGame) -> None:
        self.game = game
        self.seed: int | None = None
        self.words: list[int] = []
        self.memories = [_Memory()] * game.space.players
        self.table = Table(game.space, None, game.max_versions, events=True)

    @property
    def is_over(self) -> bool:
        return self.table.result is not None

    def begin(self, seed: int) -> None:
        """The luck is drawn."""
        self.seed = seed
        self.table.begin(seed)
        self._moved()

    def say(self, word: int) -> None:
        """The player to move says a word."""
        table, player = self.table, self.table.seat - 1
        decisions = table.decisions
        table.say(word)
        self.words.append(word)
        self.memories[player] = self.memories[player].says(word)
        if decisions != table.decisions or table.result is not None:
            self._moved()

    def _moved(self) -> None:
        if self.is_over:
            self.table.close()
            return
        _keep_open(self)
        player = self.table.seat - 1
        self.memories[player] = self.memories[player].sees(self.table.observation)

    def __deepcopy__(self, _: Any) -> _Line:
        line = _Line(self.game)
        line.seed = self.seed
        line.words = self.words.copy()
        line.memories = self.memories.copy()
        if self.seed is not None:
            line.table = self.table.copy()
        return line

    def __reduce__(self) -> tuple[Any, ...]:
        # Luck and words say all; the game is played again where the state is read.
        return _replayed, (str(self.game), self.seed, self.words)


def _replayed(game: str, seed: int | None, words: list[int]) -> _Line:
    line = _Line(pyspiel.load_game(game))
    if seed is not None:
        line.begin(seed)
        for word in words:
            line.say(word)
    return line


_order: OrderedDict[int, None] = OrderedDict()
_lines: WeakValueDictionary[int, _Line] = WeakValueDictionary()


def _keep_open(line: _Line) -> None:
    """Keeps the streams of the states that moved last, and closes others."""
    _lines[id(line)] = line
    _order[id(line)] = None
    _order.move_to_end(id(line))
    while len(_order) > _STREAMS:
        key, _ = _order.popitem(last=False)
        stale = _lines.pop(key, None)
        if stale is not None:
            stale.table.close()


def _saying(state: GamekeeperState, player: int) -> list[int]:
    """What a player has said of the action that they choose now."""
    if state.line.seed is None or state.line.is_over or state.current_player() != player:
        return []
    return state.line.table.speech.said


pyspiel.register_game(GAME_TYPE, GamekeeperGame)
