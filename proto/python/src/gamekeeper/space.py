"""What the agents of an environment see and say, and what they earn."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from . import server
from .client import Client
from .connection import Connection
from .contract import names, opened, ruleset
from .tables import Mask, Start, Vector, mask
from .flatten import Layout
from .selfplay import MAX_ACTIONS
from .v1 import self_play_service_pb2 as pb
from .v1.messages_pb2 import Action
from .words import Speech, Vocabulary


class Space:
    """Observations and actions of one ruleset for a number of players."""

    def __init__(self, connection: Connection, name: str, players: int, components: Sequence[str]) -> None:
        contract = ruleset(name)
        self.connection = connection
        self.name = name
        self.players = players
        self.vocabulary = Vocabulary(contract.action, components)
        self.layout = Layout(contract.view, players, components)
        self._decisions = {decision: at for at, decision in enumerate(contract.decisions)}
        turns = ["own", *(f"left {turn}" for turn in range(1, players))]
        self.cells: tuple[str, ...] = (
            *self.layout.cells,
            *(f"pending[{turn}]={decision}" for turn in turns for decision in contract.decisions),
            *(f"said {word}" for word in self.vocabulary.words),
        )
        """What each number of an observation stands for."""
        self._said = len(self.cells) - len(self.vocabulary)
        self._unseen = pb.SelfPlayObservation()
        getattr(self._unseen.view, name).SetInParent()

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return len(self.cells)

    def vector(self, seen: pb.SelfPlayObservation | None, seat: int) -> Vector:
        """What a seat knows before it says anything; `None`: it has not seen the table yet."""
        vector = np.zeros(self.size, np.float32)
        self.write(self._unseen if seen is None else seen, seat, vector)
        return vector

    def write(self, seen: pb.SelfPlayObservation, seat: int, vector: Vector) -> None:
        """Writes what a seat sees, and who owes which decision, into cells that are zero."""
        self.layout.write(opened(seen.view), seat, vector)
        for pending in seen.pending:
            turn = (pending.seat - seat) % self.players
            vector[len(self.layout) + turn * len(self._decisions) + self._decisions[pending.decision]] = 1.0

    def say(self, vector: Vector, said: Iterable[int]) -> None:
        """Adds what the seat has said of its action."""
        for word in said:
            # 1/2, 2/3, 3/4 and further towards 1: count / (count + 1).
            vector[self._said + word] = 1.0 / (2.0 - vector[self._said + word])

    def mask(self, words: Iterable[int]) -> Mask:
        """1 for each word that can be said."""
        return mask(list(words), len(self.vocabulary))

    def speech(self, actions: Iterable[Action]) -> Speech:
        """The choice among legal actions."""
        return Speech([self.vocabulary.sentence(opened(action)) for action in actions])


def space(name: str, players: int, address: str | None = None, token: str | None = None) -> Space:
    """The space of a ruleset at a server; without an address at the server of this process.

    Raises `ValueError` when the ruleset is unknown or does not take this number of players.
    """
    # A forked process needs connections of its own.
    return _space(name, players, address, token, os.getpid())


@lru_cache(maxsize=32)
def _space(name: str, players: int, address: str | None, token: str | None, process: int) -> Space:
    ruleset(name)
    client = _client(address or server.shared().address, token, process)
    found = next((known for known in client.rulesets() if known.id == name), None)
    if found is None:
        raise ValueError(f"the server does not serve {name}")
    if not found.min_seats <= players <= found.max_seats:
        raise ValueError(f"{name} takes {found.min_seats} to {found.max_seats} players, not {players}")
    return Space(client.connection, name, players, names(client.catalogue(name)))


@lru_cache(maxsize=32)
def _client(address: str, token: str | None, process: int) -> Client:
    return Client(address, token)


_STARTS: dict[Start, pb.SelfPlayStart.ValueType] = {
    "set_up": pb.SELF_PLAY_START_SET_UP,
    "rich": pb.SELF_PLAY_START_RICH,
    "late": pb.SELF_PLAY_START_LATE,
}


def plan(name: str, versions: int, events: bool = False, start: Start = "set_up") -> dict[str, Any]:
    """What every environment asks of a self-play.

    Raises `ValueError` when there is no such start.
    """
    if start not in _STARTS:
        raise ValueError(f"no start {start!r}; there are {', '.join(_STARTS)}")
    return {
        "name": name,
        "start": _STARTS[start],
        "show": pb.SelfPlayShow(view=True, actions=True, pending=True, events=events),
        "max_actions": MAX_ACTIONS,
        "max_versions": versions,
    }
