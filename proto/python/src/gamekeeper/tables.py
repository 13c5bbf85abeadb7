"""The interface of a game for environments, wherever it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from google.protobuf.message import Message
from numpy.typing import NDArray

from .results import Result

Vector = NDArray[np.float32]
Mask = NDArray[np.int8]
Position = Mapping[str, Any] | Message
"""A described table: the ruleset's `View` as operators see it, or protobuf JSON of it, such as `gamekeeper position` prints."""
Start = Literal["set_up", "rich", "late"] | Position | Sequence[Position]
"""The beginning of games. On several tables they begin in turn: game number n of a seed on table (n - 1) mod their number."""
Policy = Literal["random", "kinds", "greedy", "search", "easy", "medium", "strong"] | str
"""A policy of bots: one of every ruleset; the name of a strategy of one, such as `bm-smithy1` of Dominion; or, where games are
played in this process, `policy:FILE`, a learned policy."""

# The names of learned policies begin with it.
LEARNED = "policy:"

# A game that is longer is cut off, unless the caller names another limit.
MAX_VERSIONS = 5_000


class Table(Protocol):
    """A game in which the seat to move says its action word by word. Seats count from 0.

    A seat with a single legal action has nothing to decide: the table plays it.
    """

    @property
    def number(self) -> int:
        """Counts the games of a seed, from 1."""
        ...

    @property
    def seed(self) -> bytes:
        """The seed of the game's luck."""
        ...

    @property
    def seat(self) -> int:
        """The seat that decides. -1 if the game is over."""
        ...

    @property
    def words(self) -> Sequence[int]:
        """The words that can be said."""
        ...

    @property
    def said(self) -> Sequence[int]:
        """The words of the action so far, forced ones included."""
        ...

    @property
    def version(self) -> int:
        """The number of the game's entries: set-up and actions."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether the table holds a resource at a server."""
        ...

    @property
    def result(self) -> Result | None:
        """The result of the game. `None` while it goes on."""
        ...

    def begin(self, seed: int | None) -> None:
        """Begins a game. With a seed the same game as with the same seed before; without one the next of that seed."""
        ...

    def say(self, word: int) -> bool:
        """The seat to move says a word. True: its action is played.

        Raises `IllegalActionError` when it cannot be said; then nothing has changed.
        """
        ...

    def offer(self, word: int) -> bool:
        """Says a word as `say` does, but where luck can be chosen, an action that draws luck waits for it. True: the
        action is chosen.
        """
        ...

    @property
    def waits(self) -> bool:
        """Whether a chosen action waits for its luck."""
        ...

    def draw(self, seed: bytes) -> None:
        """Plays the action that waits, with all luck from now on from this seed."""
        ...

    def vector(self, seat: int) -> Vector:
        """Returns the knowledge of a seat."""
        ...

    def public(self, turned_to: int = 0) -> Vector:
        """Returns the public knowledge, counted from a seat. Raises `ValueError` where it is not available."""
        ...

    def everything(self) -> Vector:
        """The whole table, hidden things included, counted from seat 0. Raises `ValueError` where nobody can say."""
        ...

    def whole(self) -> dict[str, Any] | None:
        """The whole table as protobuf JSON, hidden things included. `None` where nobody can say."""
        ...

    def memory(self, seat: int) -> str:
        """A digest of all that a seat has seen and said, if the table keeps it."""
        ...

    def world(self, seat: int, seed: bytes) -> Table:
        """A table that the seat cannot tell from this one, with everything drawn anew that it does not know.

        Raises `ValueError` where it cannot be drawn.
        """
        ...

    def board(self, seat: int, colored: bool = False) -> str:
        """The board as a seat sees it."""
        ...

    def picture(self, seat: int) -> str:
        """The table as a seat sees it, drawn as SVG."""
        ...

    def copy(self) -> Table:
        """Returns a copy of the game."""
        ...

    def save(self) -> bytes | None:
        """Returns the game as bytes that only the same build reads, or `None` if it has to be played again."""
        ...

    def load(self, saved: bytes) -> None:
        """Goes on from what was saved. Raises `ValueError` when it cannot be read."""
        ...

    def close(self) -> None:
        """Gives back what the table holds."""
        ...


class Door(Protocol):
    """Where games of one ruleset for a number of players are played."""

    @property
    def name(self) -> str:
        """The ruleset."""
        ...

    @property
    def players(self) -> int:
        """The number of players."""
        ...

    @property
    def fewest_win(self) -> bool:
        """Whether the lowest score wins."""
        ...

    @property
    def cells(self) -> tuple[str, ...]:
        """The meaning of each number of an observation."""
        ...

    @property
    def words(self) -> Sequence[str]:
        """The meaning of each action, such as `BuyCard.card=CARD_GOLD`."""
        ...

    @property
    def hidden_information(self) -> bool:
        """Whether any part of a table is ever hidden from a seat."""
        ...

    def table(
        self,
        options: Mapping[str, Any] | None = None,
        max_versions: int = MAX_VERSIONS,
        *,
        start: Start = "set_up",
        recall: bool = False,
    ) -> Table:
        """A game that has not begun. `recall`: it keeps what `memory` tells."""
        ...


def mask(words: Sequence[int], size: int) -> Mask:
    """1 for each word that can be said."""
    found = np.zeros(size, np.int8)
    found[list(words)] = 1
    return found


def share(count: int) -> float:
    """Returns the number of a cell for a word that was said this often."""
    return count / (count + 1)
