"""Games in this process, by the module `gamekeeper_native`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import gamekeeper_native as native
import numpy as np
from google.protobuf import json_format

from .contract import opened, options_of, ruleset
from .tables import LEARNED, MAX_VERSIONS, Policy, Start, Table, Vector
from .errors import IllegalActionError
from .luck import luck, seed_of_game
from .positions import described
from .results import Result

Bot = Policy | native.LearnedPolicy

# A board is drawn for lines of this many columns, as a server does.
_COLUMNS = 0


class Inside:
    """Games of one ruleset for a number of players, in this process."""

    def __init__(self, name: str, players: int | None) -> None:
        self.space = native_space(name, players)
        self.name = name
        self.players = self.space.players
        self.fewest_win = self.space.fewest_win
        self.cells = self.space.cells
        self.words = self.space.words
        self.hidden_information = self.space.hidden_information

    def bot(self, policy: Policy) -> Bot:
        """Returns a bot to play with: a learned policy is read from its file here.

        Raises `ValueError` when the ruleset has no such policy of bots, `gamekeeper_native.PolicyError`, which is one, when a file
        cannot be played.
        """
        if policy.startswith(LEARNED):
            return native.LearnedPolicy(self.space, policy.removeprefix(LEARNED))
        if policy not in self.space.policies:
            raise ValueError(f"no policy {policy!r} for {self.name}; there are {', '.join(self.space.policies)}")
        return policy

    def table(
        self,
        options: Mapping[str, Any] | None = None,
        max_versions: int = MAX_VERSIONS,
        *,
        start: Start = "set_up",
        recall: bool = False,
    ) -> InsideTable:
        """A game that has not begun."""
        return InsideTable(self.space, settings(self.name, options, max_versions, start, recall))


@lru_cache(maxsize=64)
def native_space(name: str, players: int | None) -> native.Space:
    """Made once: the names of its cells are thousands of texts."""
    return native.Space(name, players)


def settings(
    name: str,
    options: Mapping[str, Any] | None,
    max_versions: int,
    start: Start = "set_up",
    recall: bool = False,
) -> native.Settings:
    """How games are played, as the module takes it."""
    encoded = None if options is None else opened(options_of(name, options)).SerializeToString()
    tables = [opened(table).SerializeToString() for table in described(name, start)]
    return native.Settings(
        options=encoded,
        max_versions=max_versions,
        start=start if isinstance(start, str) else "set_up",
        positions=tables,
        recall=recall,
    )


class InsideTable:
    """A game in this process."""

    def __init__(self, space: native.Space, settings: native.Settings) -> None:
        self._space = space
        self._settings = settings
        self._game = native.Game(space, settings)
        self._master = b""
        self.number = 0
        self._result: Result | None = None

    @property
    def game(self) -> native.Game:
        """The game itself."""
        return self._game

    @property
    def seed(self) -> bytes:
        return seed_of_game(self._master, self.number)

    @property
    def seat(self) -> int:
        seat = self._game.seat
        return -1 if seat is None else seat

    @property
    def words(self) -> list[int]:
        return self._game.words

    @property
    def said(self) -> list[int]:
        return self._game.said

    @property
    def version(self) -> int:
        return self._game.version

    @property
    def result(self) -> Result | None:
        return self._result

    @property
    def is_open(self) -> bool:
        return False

    def begin(self, seed: int | None) -> None:
        if seed is None and self.number > 0:
            self.number += 1
        else:
            self._master = os.urandom(32) if seed is None else luck(seed)
            self.number = 1
        self._game.begin(self.seed, self.number)
        self._look()

    def say(self, word: int) -> bool:
        return self._say(self._game.say, word)

    def offer(self, word: int) -> bool:
        return self._say(self._game.offer, word)

    @property
    def waits(self) -> bool:
        return self._game.waits

    def draw(self, seed: bytes) -> None:
        self._game.draw(seed)
        self._look()

    def play(self, policy: Bot, seed: bytes, playouts: int | None) -> None:
        """A bot decides for the seat to move."""
        self._game.play(policy, seed, playouts)
        self._look()

    def vector(self, seat: int) -> Vector:
        found: Vector = np.empty(self._space.size, np.float32)
        self._game.observe(seat, found)
        return found

    def public(self, turned_to: int = 0) -> Vector:
        found: Vector = np.empty(self._space.size, np.float32)
        self._game.observe("everybody", found, turned_to)
        return found

    def everything(self) -> Vector:
        found: Vector = np.empty(self._space.size, np.float32)
        self._game.observe("everything", found)
        return found

    def whole(self) -> dict[str, Any]:
        view = ruleset(self._space.ruleset).table(self._game.view("everything"))
        found: dict[str, Any] = json_format.MessageToDict(view)
        return found

    def memory(self, seat: int) -> str:
        return f"{self._game.memory(seat):032x}"

    def world(self, seat: int, seed: bytes) -> InsideTable:
        return self._with(self._game.world(seat, seed))

    def board(self, seat: int, colored: bool = False) -> str:
        return self._game.board(seat, _COLUMNS, colored)

    def picture(self, seat: int) -> str:
        return self._game.picture(seat)

    def copy(self) -> InsideTable:
        return self._with(self._game.copy())

    def save(self) -> bytes:
        return self._master + self.number.to_bytes(8, "little") + self._game.snapshot()

    def load(self, saved: bytes) -> None:
        self._game = native.Game.restored(self._space, saved[40:], self._settings)
        self._master, self.number = saved[:32], int.from_bytes(saved[32:40], "little")
        self._look()

    def close(self) -> None:
        """There is nothing to give back."""

    def _with(self, game: native.Game) -> InsideTable:
        table = InsideTable.__new__(InsideTable)
        table._space, table._settings, table._game = self._space, self._settings, game
        table._master, table.number = self._master, self.number
        table._look()
        return table

    def _say(self, said: Callable[[int], bool], word: int) -> bool:
        try:
            is_chosen = said(word)
        except (native.IllegalActionError, OverflowError):
            raise IllegalActionError(f"action {word} is not legal now; the mask says which are") from None
        if is_chosen:
            self._look()
        return is_chosen

    def _look(self) -> None:
        self._result = None
        if self._game.seat is None:
            standings = self._game.standings or ()
            ranks, scores = tuple(rank for rank, _ in standings), tuple(score for _, score in standings)
            self._result = Result(self._game.version, ranks, scores)


_: type[Table] = InsideTable
