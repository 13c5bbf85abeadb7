"""Gamekeeper from Python: a client for games of every ruleset, and environments to learn them.

    from gamekeeper import Client, gamekeeper_env

`gamekeeper.v1` and `gamekeeper.<ruleset>.v1` are the messages and stubs of the contract. `gamekeeper.spiel`, when
imported, registers the games with OpenSpiel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .client import Client, Created, Legal, Table
from .errors import (
    GamekeeperError,
    IllegalActionError,
    NotAllowedError,
    RefusedError,
    StaleVersionError,
    UnavailableError,
)
from .selfplay import Arena
from .server import Server

if TYPE_CHECKING:
    from .env import gamekeeper_env

__all__ = [
    "Arena",
    "Client",
    "Created",
    "GamekeeperError",
    "IllegalActionError",
    "Legal",
    "NotAllowedError",
    "RefusedError",
    "Server",
    "StaleVersionError",
    "Table",
    "UnavailableError",
    "gamekeeper_env",
]


def __getattr__(name: str) -> Any:
    # Only environments need PettingZoo.
    if name == "gamekeeper_env":
        from .env import gamekeeper_env

        return gamekeeper_env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
