"""The seeds of games."""

from __future__ import annotations

import hashlib
import operator
from typing import SupportsIndex


def whole(what: str, number: SupportsIndex) -> int:
    """Returns a whole number of Python or NumPy as one of Python.

    Raises `TypeError` when it is none.
    """
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{what} is a whole number, not {number!r}") from None


def luck(seed: int) -> bytes:
    """The seed of a self-play, from a number.

    Raises `TypeError` when it is no whole number.
    """
    return hashlib.sha256(b"gamekeeper environment " + str(whole("a seed", seed)).encode()).digest()


def seed_of_game(master: bytes, number: int) -> bytes:
    """The seed of one game of a self-play, as the service makes it."""
    return hashlib.sha256(master + number.to_bytes(8, "little")).digest()
