"""Observations, actions and rewards of the agents of an environment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from . import server
from .client import Client
from .connection import Connection
from .contract import ruleset
from .positions import described
from .selfplay import MAX_ACTIONS, Arena
from .speech import Speech
from .tables import Mask, Start, Vector, mask, share
from .v1 import numbers_pb2, self_play_service_pb2 as pb
from .v1.ruleset_service_pb2 import Ruleset


_NAMED = pb.SelfPlayShow(numbers=numbers_pb2.SELF_PLAY_NUMBERS_FLOATS, names=True)


class Space:
    """Observations and actions of one ruleset for a number of players."""

    def __init__(self, connection: Connection, found: Ruleset, players: int, named: pb.SelfPlaySpace) -> None:
        self.connection = connection
        self.name = found.id
        self.players = players
        self.fewest_win = found.fewest_win
        self.version: int = named.version
        """Changes whenever the meaning of a number or a word does."""
        self.cells: tuple[str, ...] = tuple(named.cells)
        """The meaning of each number of an observation."""
        self.words: tuple[str, ...] = tuple(named.words)
        """The meaning of each word, such as `BuyCard.card=CARD_GOLD`."""
        self.hidden_information: bool = named.hidden_information
        """Whether any part of a table is ever hidden from a seat."""
        self._said = len(self.cells) - len(self.words)

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return len(self.cells)

    def vector(self, seen: pb.SelfPlayObservation | None, seat: int) -> Vector:
        """Returns the knowledge of a seat before it says anything. `seen` is `None` if it has not seen the table yet."""
        vector = np.zeros(self.size, np.float32)
        if seen is None:
            vector[seat - 1] = 1.0
        else:
            self.write(seen, vector)
        return vector

    def write(self, seen: pb.SelfPlayObservation, vector: Vector) -> None:
        """Writes what a seat knows before it says anything."""
        vector[:] = np.frombuffer(seen.tensor.cells, "<f4")

    def say(self, vector: Vector, said: Sequence[int], known: int) -> None:
        """Adds what the seat has said of its action, to a vector that has the first `known` words already."""
        for word in said[known:]:
            vector[self._said + word] = share(said.count(word))

    def mask(self, words: Iterable[int]) -> Mask:
        """1 for each word that can be said."""
        return mask(list(words), len(self.words))

    def speech(self, tensor: numbers_pb2.SelfPlayTensor) -> Speech:
        """The choice among legal actions."""
        begins = [0, *tensor.ends[:-1]]
        words = list(tensor.words)
        return Speech([words[begin:end] for begin, end in zip(begins, tensor.ends)])


def space(name: str, players: int | None = None, address: str | None = None, token: str | None = None) -> Space:
    """The space of a ruleset at a server; without an address at the server of this process. `players` are the fewest of
    the ruleset unless given.

    Raises `ValueError` when the ruleset is unknown or does not take this number of players.
    """
    # A forked process needs connections of its own.
    return _space(name, players, address, token, os.getpid())


@lru_cache(maxsize=32)
def _space(name: str, players: int | None, address: str | None, token: str | None, process: int) -> Space:
    ruleset(name)
    client = _client(address or server.shared().address, token, process)
    found = next((known for known in client.rulesets() if known.id == name), None)
    if found is None:
        raise ValueError(f"the server does not serve {name}")
    if players is None:
        players = found.min_seats
    if not found.min_seats <= players <= found.max_seats:
        raise ValueError(f"{name} takes {found.min_seats} to {found.max_seats} players, not {players}")
    # A self-play says what its numbers mean when it begins.
    arena = Arena(client.connection, name, players, total_games=1, show=_NAMED)
    try:
        return Space(client.connection, found, players, arena.first.space)
    finally:
        arena.close()


@lru_cache(maxsize=32)
def _client(address: str, token: str | None, process: int) -> Client:
    return Client(address, token)


_STARTS: dict[str, pb.SelfPlayStart.ValueType] = {
    "set_up": pb.SELF_PLAY_START_SET_UP,
    "rich": pb.SELF_PLAY_START_RICH,
    "late": pb.SELF_PLAY_START_LATE,
}


def plan(name: str, versions: int, show: pb.SelfPlayShow, start: Start = "set_up") -> dict[str, Any]:
    """Returns the plan of a self-play for every environment, and what its observations show besides numbers.

    Raises `TypeError` and `ValueError` when there is no such start.
    """
    if isinstance(start, str) and start not in _STARTS:
        raise ValueError(f"no start {start!r}; there are {', '.join(_STARTS)}, and described tables")
    asked = pb.SelfPlayShow(numbers=numbers_pb2.SELF_PLAY_NUMBERS_FLOATS)
    asked.MergeFrom(show)
    return {
        "name": name,
        "start": _STARTS[start] if isinstance(start, str) else pb.SELF_PLAY_START_POSITION,
        "positions": described(name, start),
        "show": asked,
        "max_actions": MAX_ACTIONS,
        "max_versions": versions,
    }
