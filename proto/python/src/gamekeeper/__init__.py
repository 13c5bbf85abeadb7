"""Gamekeeper from Python: a client for games of every ruleset, and environments to learn them.

    from gamekeeper import Client, gamekeeper_env

`gamekeeper.v1` has the services and messages of the contract, `gamekeeper.<ruleset>.v1` the nouns of a ruleset.
`gamekeeper.spiel`, when imported, registers the games with OpenSpiel, `gamekeeper.gym` environments for one seat with
Gymnasium. With the module `gamekeeper_native`, environments need no server.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from .asynchronous import AsyncClient
from .client import Client
from .contract import act
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
from .v1.game_service_pb2 import BoardStyle, Show

if TYPE_CHECKING:
    from .env import gamekeeper_env

try:
    __version__ = version("gamekeeper")
except PackageNotFoundError:  # the folder alone is on the path
    __version__ = ""

__all__ = [
    "Arena",
    "AsyncClient",
    "BoardStyle",
    "Client",
    "GamekeeperError",
    "IllegalActionError",
    "NotAllowedError",
    "RefusedError",
    "Server",
    "Show",
    "StaleVersionError",
    "UnavailableError",
    "__version__",
    "act",
    "gamekeeper_env",
]


def __getattr__(name: str) -> Any:
    # Only environments need PettingZoo.
    if name == "gamekeeper_env":
        from .env import gamekeeper_env

        return gamekeeper_env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
