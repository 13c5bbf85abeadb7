"""OpenSpiel: importing this module registers the game `gamekeeper`.

    import pyspiel, gamekeeper.spiel
    game = pyspiel.load_game("gamekeeper(ruleset=kingsburg,players=3)")

Luck is chance nodes: one for the set-up, and one whenever an action draws, before what it draws is known. Each has
`seeds` equally likely outcomes, and together they are what all luck until the next one follows from: the same outcomes and
actions lead to the same state, so states can be cloned and serialized. At a server only the set-up is a chance node: all
luck of the game follows from it.
"""

# pyspiel comes without types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import copy
import hashlib
import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
import pyspiel

from .door import door
from .positions import described
from .results import RewardKind, checked, rewards
from .tables import MAX_VERSIONS, Door, Table, Vector, share

# Streams that stay open for states. A server allows 16 by default, and 8 for a tenant.
_STREAMS = 8

# The longest sentence of an action is shorter.
_WORDS = 40

_PARAMETERS: dict[str, Any] = {
    "ruleset": "kingsburg",
    "players": 2,
    "seeds": 256,
    "max_versions": MAX_VERSIONS,
    "start": "set_up",
    "options": "",
    "reward": "rank",
    "address": "",
    "token": "",
}


def _game_type(is_open: bool) -> Any:
    return pyspiel.GameType(
        short_name="gamekeeper",
        long_name="Gamekeeper: Caylus, Dominion, Kingsburg, Mythotopia, Terra Mystica",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION
        if is_open
        else pyspiel.GameType.Information.IMPERFECT_INFORMATION,
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


GAME_TYPE = _game_type(is_open=False)
"""The type of the games of most rulesets. Those that hide nothing have perfect information."""

_OPEN_TYPE = _game_type(is_open=True)


class GamekeeperGame(pyspiel.Game):
    """A ruleset for a number of players.

    `options` is the ruleset's `Options` as protobuf JSON, `reward` one of `rank` and `win`: OpenSpiel's algorithms take the
    game for one whose returns add up to 0. `start` is `set_up`, `rich`, `late`, or the `View` of a described table as protobuf
    JSON, or a list of such tables: the luck of the set-up, the first chance node, decides on which of them a game begins, its
    outcome n on table n mod their number.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**_PARAMETERS, **(params or {})}
        self.params = dict(params or {})
        self.seeds = int(chosen["seeds"])
        self.max_versions = int(chosen["max_versions"])
        self.starts = _starts(chosen["ruleset"], chosen["start"])
        self.reward: RewardKind = checked(chosen["reward"])
        self.options: dict[str, Any] | None = json.loads(chosen["options"]) if chosen["options"] else None
        if self.seeds < 1 or self.max_versions < 2:
            raise ValueError("seeds must be at least 1, max_versions at least 2")
        if self.reward not in ("rank", "win"):
            raise ValueError(f"returns must add up to 0, which rank and win do, not {self.reward}")
        self.door: Door = door(chosen["ruleset"], chosen["players"], chosen["address"] or None, chosen["token"] or None)
        start = self.starts if len(self.starts) > 1 else self.starts[0]
        self.door.table(self.options, self.max_versions, start=start, recall=True)  # is refused here, if at all
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.door.words),
            max_chance_outcomes=self.seeds,
            num_players=chosen["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_versions * _WORDS,
        )
        super().__init__(GAME_TYPE if self.door.hidden_information else _OPEN_TYPE, info, dict(params or {}))

    def table(self, outcome: int = 0) -> Table:
        """A game that has not begun, for this outcome of the luck of the set-up."""
        start = self.starts[outcome % len(self.starts)]
        return self.door.table(self.options, self.max_versions, start=start, recall=True)

    def max_chance_nodes_in_history(self) -> int:
        """The set-up, and a draw for each action at most."""
        return self.max_versions

    def new_initial_state(self) -> GamekeeperState:
        """A game before its luck is drawn."""
        return GamekeeperState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> GamekeeperObserver:
        """Returns an observer, which writes a state as a player sees it."""
        return GamekeeperObserver(self.door, iig_obs_type, params)


def _starts(name: str, text: str) -> list[Any]:
    """Returns the starts of a game, of which its first luck chooses one: a name, or tables."""
    return described(name, json.loads(text)) if text.lstrip().startswith(("{", "[")) else [text]


class PlayerAction(NamedTuple):
    """An action with the player who took it. Has the fields of OpenSpiel's own, which Python cannot make."""

    player: int
    action: int


class GamekeeperState(pyspiel.State):
    """A point of a game.

    OpenSpiel's own record of a state in Python can only grow. So that actions can be taken back, the methods for the
    history read the record of the state itself.
    """

    def __init__(self, game: GamekeeperGame) -> None:
        super().__init__(game)
        self.line = _Line(game)

    def current_player(self) -> int:
        """Returns the player that decides, from 0."""
        line = self.line
        if line.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if line.is_over else line.table.seat

    def _legal_actions(self, player: int) -> list[int]:
        """The words that the player can say."""
        if self.is_terminal() or player != self.current_player():
            return []
        return list(self.line.table.words)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The seeds of luck."""
        count = self.line.game.seeds
        return [(seed, 1.0 / count) for seed in range(count)]

    def _apply_action(self, action: int) -> None:
        """Draws luck, or says a word.

        Raises `ValueError` when luck has no such outcome, or the player cannot say the word; then nothing has changed.
        """
        self.line.act(action)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back: the state is the one before it.

        Raises `ValueError` when another action was the last one, and where a world begins that was drawn anew.
        """
        self.line.undo(player, action)

    def history(self) -> list[int]:
        """Returns all actions, outcomes of luck included."""
        return [action for _, action in self.line.past]

    def full_history(self) -> list[PlayerAction]:
        """Returns all actions with the players who took them."""
        return self.line.past.copy()

    def history_str(self) -> str:
        """Returns all actions as a text."""
        return ", ".join(str(action) for _, action in self.line.past)

    def move_number(self) -> int:
        """Returns the number of actions."""
        return len(self.line.past)

    def is_initial_state(self) -> bool:
        """Returns whether nothing has happened yet."""
        return not self.line.past

    def to_json(self) -> str:
        """Returns the state as a JSON object: what it follows from, who decides, what they can say, and what all have
        earned. `table` is the whole table, hidden things included, as protobuf JSON; null where games are at a server.
        """
        return json.dumps(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Returns the state as `to_json` does, as an object of Python."""
        line, player = self.line, self.current_player()
        return {
            "ruleset": line.game.door.name,
            "players": line.game.door.players,
            "seeds": line.game.seeds,
            "history": self.history(),
            "words": [line.game.door.words[word] for word in line.words],
            "current_player": player,
            "legal_actions": list(range(line.game.seeds)) if line.is_chance else self._legal_actions(player),
            "is_terminal": self.is_terminal(),
            "returns": self.returns(),
            "table": line.table.whole() if line.is_begun else None,
        }

    def _action_to_string(self, player: int, action: int) -> str:
        """A seed of luck, or a word."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"luck={action}"
        return self.line.game.door.words[action]

    def is_terminal(self) -> bool:
        """Returns whether the game is over, or cut off."""
        return self.line.is_begun and self.line.is_over

    def returns(self) -> list[float]:
        """Returns the reward of each player, which is 0 until the end."""
        game, players = self.line.game, self.line.game.door.players
        return rewards(self.line.table.result, players, game.reward, game.door.fewest_win)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> GamekeeperState:
        """A state that the player cannot tell from this one: what they do not know, the luck to come included, is drawn
        anew. Its history still names the luck of this state. Where another player's action waits for luck, that player has
        yet to choose it.

        Raises `ValueError` where games are not played in this process.
        """
        drawn = hashlib.sha256(b"".join(float(sampler()).hex().encode() for _ in range(4))).digest()
        state: GamekeeperState = self.clone()
        state.line = self.line.world(player, drawn)
        return state

    def __str__(self) -> str:
        """The luck and the words until now."""
        words = self.line.game.door.words
        return f"luck={self.line.luck} " + " ".join(words[word] for word in self.line.words)


class GamekeeperObserver:
    """Writes what a player knows, as a vector and as text.

    With perfect recall, the text names all that they have seen and said; the vector adds how often they have said each
    word, which is less.
    """

    def __init__(self, door: Door, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no observation parameters; got {params}")
        self._door = door
        self._recall = iig_obs_type is not None and bool(iig_obs_type.perfect_recall)
        self._look = _look(iig_obs_type)
        if self._recall and self._look is not _own:
            raise ValueError("perfect recall is kept for each player alone: public and private must be SINGLE_PLAYER")
        size = len(door.cells)
        self.tensor: Vector = np.zeros(size + (len(door.words) if self._recall else 0), np.float32)
        self.dict = {"observation": self.tensor[:size]}
        if self._recall:
            self.dict["words"] = self.tensor[size:]

    def set_from(self, state: GamekeeperState, player: int) -> None:
        """Writes the vector."""
        self.dict["observation"][:] = self._vector(state, player)
        if self._recall:
            words = self.dict["words"]
            words.fill(0.0)
            for word, count in Counter(state.line.said[player]).items():
                words[word] = share(count)

    def string_from(self, state: GamekeeperState, player: int) -> str:
        """Writes the text."""
        if self._recall:
            return f"player {player} knows {state.line.memory(player)}"
        vector = self._vector(state, player)
        cells = self._door.cells
        return f"player {player} sees " + "; ".join(f"{cells[at]}: {vector[at]:.4g}" for at in np.flatnonzero(vector))

    def _vector(self, state: GamekeeperState, player: int) -> Vector:
        if not state.line.is_begun:
            return np.zeros(len(self._door.cells), np.float32)
        return self._look(state.line.table, player)


def _look(kind: Any) -> Callable[[Table, int], Vector]:
    """Returns the function that an observer sees a table with, by the kind that OpenSpiel asks for."""
    if kind is None:
        return _own
    private, is_public = kind.private_info, bool(kind.public_info)
    if private == pyspiel.PrivateInfoType.ALL_PLAYERS:
        return _all
    if private == pyspiel.PrivateInfoType.NONE:
        return _public if is_public else _nothing
    return _own if is_public else _private


def _own(table: Table, player: int) -> Vector:
    return table.vector(player)


def _public(table: Table, _: int) -> Vector:
    return table.public(0)


def _all(table: Table, _: int) -> Vector:
    return table.everything()


def _private(table: Table, player: int) -> Vector:
    """Returns the knowledge that the player has and the public does not."""
    own, public = table.vector(player), table.public(player)
    return np.where(own == public, np.float32(0.0), own)


def _nothing(table: Table, _: int) -> Vector:
    return np.zeros_like(table.vector(0))


class _Line:
    """How a state came about, and the table that can go on from there."""

    def __init__(self, game: GamekeeperGame) -> None:
        self.game = game
        self.luck = ""
        """The outcomes of chance nodes, and what was drawn anew in a world: what all luck follows from."""
        self.past: list[PlayerAction] = []
        """All actions, each with the player who took it."""
        self.origin: _Line | None = None
        """A copy of the line where its world was drawn, which never goes on."""
        self.said: list[tuple[int, ...]] = [()] * game.door.players
        self.table = game.table()

    @property
    def words(self) -> list[int]:
        """The words that players have said."""
        return [action for player, action in self.past if player >= 0]

    @property
    def is_over(self) -> bool:
        return self.table.result is not None

    @property
    def is_begun(self) -> bool:
        """Whether the luck of the set-up is drawn."""
        return self.luck != ""

    @property
    def is_chance(self) -> bool:
        """Whether luck is drawn next."""
        return not self.is_begun or self.table.waits

    def act(self, action: int) -> None:
        """Luck is drawn, or the player to move says a word."""
        if self.is_chance:
            self.draw(action)
        else:
            self.say(action)

    def undo(self, player: int, action: int) -> None:
        """Goes back before the last action, which must be this one: everything until then happens again."""
        begun = 0 if self.origin is None else len(self.origin.past)
        if len(self.past) == begun:
            raise ValueError("there is no action to take back" if self.origin is None else "a world that was drawn anew begins here")
        if self.past[-1] != (player, action):
            raise ValueError(f"the last action is {self.past[-1][1]} of player {self.past[-1][0]}, not {action} of player {player}")
        again = self.past[begun:-1]
        self.table.close()
        start = _Line(self.game) if self.origin is None else copy.deepcopy(self.origin)
        self.luck, self.past, self.said, self.table = start.luck, start.past, start.said, start.table
        for _, earlier in again:
            self.act(earlier)

    def draw(self, outcome: int) -> None:
        """Luck is drawn: that of the set-up, or that of the action that waits for it."""
        if not 0 <= outcome < self.game.seeds:
            raise ValueError(f"luck has the outcomes 0 to {self.game.seeds - 1}, not {outcome}")
        if self.is_begun:
            self.luck = f"{self.luck} {outcome}"
            self.table.draw(hashlib.sha256(self.luck.encode()).digest())
        else:
            self.luck = str(outcome)
            if len(self.game.starts) > 1:
                self.table = self.game.table(outcome)
            self.table.begin(outcome)
        self.past.append(PlayerAction(int(pyspiel.PlayerId.CHANCE), outcome))
        self._moved()

    def say(self, word: int) -> None:
        """The player to move says a word."""
        player = self.table.seat
        is_chosen = self.table.offer(word)
        self.past.append(PlayerAction(player, word))
        self.said[player] = (*self.said[player], word)
        if is_chosen:
            self._moved()

    def memory(self, player: int) -> str:
        """All that a player has seen and said, as a digest."""
        return self.table.memory(player) if self.is_begun else "nothing"

    def world(self, player: int, drawn: bytes) -> _Line:
        """A line that the player cannot tell from this one."""
        if not self.is_begun:
            return copy.deepcopy(self)
        line = self._copied()
        line.table = self.table.world(player, drawn)
        line.luck = f"{self.luck} drawn anew {drawn.hex()}"
        line.origin = copy.deepcopy(line)
        return line

    def _moved(self) -> None:
        if self.is_over:
            self.table.close()
        else:
            _keep_open(self)

    def _copied(self) -> _Line:
        line = _Line.__new__(_Line)
        line.game, line.luck, line.origin = self.game, self.luck, self.origin
        line.past, line.said = self.past.copy(), self.said.copy()
        return line

    def __deepcopy__(self, _: Any) -> _Line:
        line = self._copied()
        line.table = self.table.copy() if self.is_begun else self.game.table()
        return line

    def __reduce__(self) -> tuple[Any, ...]:
        saved = self.table.save() if self.is_begun else None
        return _read, (self.game.params, self.luck, self.past, self.said, saved, self.origin)


def _read(
    params: dict[str, Any],
    luck: str,
    past: list[PlayerAction],
    said: list[tuple[int, ...]],
    saved: bytes | None,
    origin: _Line | None,
) -> _Line:
    line = _Line(pyspiel.load_game("gamekeeper", params))
    if saved is not None:
        line.table.load(saved)
        line.luck, line.past, line.said, line.origin = luck, past, said, origin
    else:
        # At a server, the luck of the set-up and words say all; the game is played again.
        for _, action in past:
            line.act(action)
    return line


_order: OrderedDict[int, None] = OrderedDict()
_lines: WeakValueDictionary[int, _Line] = WeakValueDictionary()


def _keep_open(line: _Line) -> None:
    """Keeps the streams of the states that moved last, and closes others."""
    if not line.table.is_open:
        return
    _lines[id(line)] = line
    _order[id(line)] = None
    _order.move_to_end(id(line))
    while len(_order) > _STREAMS:
        key, _ = _order.popitem(last=False)
        stale = _lines.pop(key, None)
        if stale is not None:
            stale.table.close()


pyspiel.register_game(GAME_TYPE, GamekeeperGame)
