"""The seeds of games."""

from __future__ import annotations

import hashlib


def luck(seed: int) -> bytes:
    """The seed of a self-play, from a number."""
    return hashlib.sha256(b"gamekeeper environment " + str(seed).encode()).digest()


def seed_of_game(master: bytes, number: int) -> bytes:
    """The seed of one game of a self-play, as the service makes it."""
    return hashlib.sha256(master + number.to_bytes(8, "little")).digest()
