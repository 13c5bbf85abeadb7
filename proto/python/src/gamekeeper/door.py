"""The two doors to a game for learners.

In this process, when the module `gamekeeper_native` is installed and no address of a server is given: fast, and every
player knows at every time all that they can know. Otherwise over the self-play stream of a server.
"""

from __future__ import annotations

from importlib.util import find_spec

from .table import StreamDoor
from .tables import Door


def has_native() -> bool:
    """Returns whether the module for games in this process is installed."""
    return find_spec("gamekeeper_native") is not None


def door(name: str, players: int | None = None, address: str | None = None, token: str | None = None) -> Door:
    """In this process, if it can be and no address is given; otherwise at that server, or at one that the process starts.
    `players` are the fewest of the ruleset unless given.

    Raises `ValueError` when the ruleset is unknown or does not take this number of players.
    """
    if address is None and has_native():
        # Only this door needs the module.
        from .inside import Inside

        return Inside(name, players)
    return StreamDoor(name, players, address, token)
