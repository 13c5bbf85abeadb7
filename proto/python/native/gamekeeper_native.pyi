"""Games as arrays of numbers, played in this process. Seats count from 0.

A seat with a single legal action has nothing to decide: the game plays it. Illegal words raise `IllegalActionError`,
arrays of the wrong size and names that do not exist `ValueError`; then nothing has changed.
"""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Final, Literal, Protocol, TypeAlias, final, type_check_only

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ActionRating",
    "Game",
    "IllegalActionError",
    "LearnedPolicy",
    "PolicyError",
    "Settings",
    "Space",
    "TreeSearch",
    "Vector",
    "WordRating",
    "__version__",
    "observe_many",
    "rulesets",
]

_Policy: TypeAlias = Literal["random", "kinds", "greedy", "search"] | str | LearnedPolicy
"""A policy of every ruleset, a strategy of one, or a learned policy; `policy:FILE` reads one from its file each time."""
_Reward: TypeAlias = Literal["rank", "win", "score", "margin"]
_Start: TypeAlias = Literal["set_up", "rich", "late"]
_Detail: TypeAlias = Literal["moves", "all_payments"]
_Who: TypeAlias = int | Literal["everybody", "everything"]
"""A seat: what it knows; what is public; or the whole table, hidden things included."""
_Cells: TypeAlias = NDArray[np.float32] | NDArray[np.int8]
"""Numbers from -1 to 1; as bytes in steps of 1/127. Contiguous."""
_Standing: TypeAlias = tuple[int, int]
"""The rank of a seat, from 1, and its score."""

__version__: Final[str]

class IllegalActionError(ValueError):
    """A word that cannot be said now. Nothing has changed."""

class PolicyError(ValueError):
    """A file of a learned policy that cannot be used here."""

def rulesets() -> list[str]:
    """The ids of all rulesets."""

@final
class Space:
    """Observations and actions of a ruleset, for a number of players."""

    def __new__(cls, ruleset: str, players: int | None = None) -> Space:
        """`players` are the fewest of the ruleset unless given.

        Raises `ValueError` when the ruleset is unknown or is played by other numbers of players."""
    @property
    def ruleset(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def fewest_win(self) -> bool:
        """Whether the lowest score wins."""
    @property
    def size(self) -> int:
        """The number of numbers of an observation."""
    @property
    def cells(self) -> tuple[str, ...]:
        """The meaning of each number of an observation."""
    @property
    def words(self) -> tuple[str, ...]:
        """The meaning of each word, such as `BuyCard.card=CARD_GOLD`."""
    @property
    def hidden_information(self) -> bool:
        """Whether any part of a table is ever hidden from a seat. Luck to come is not part of a table."""
    def sentence(self, action: bytes) -> list[int]:
        """The words of an encoded message `Action` of the ruleset, as `Game.actions` lists them."""
    @property
    def texts(self) -> list[str]:
        """The components that the contract names by text."""
    @property
    def policies(self) -> list[str]:
        """The names of the policies that bots have in this ruleset."""
    @property
    def version(self) -> int:
        """Changes whenever the meaning of a number or a word does."""

@final
class LearnedPolicy:
    """A network in a file, with its manifest beside it, that plays the games of a space."""

    def __new__(cls, space: Space, path: str | PathLike[str]) -> LearnedPolicy:
        """Reads a policy; the ending of the file, `.onnx`, can be left out.

        Raises `PolicyError` when a file cannot be read, the policy plays another ruleset, number of players or layout of
        observations and words, the network cannot be run, or this module was built without the feature `onnx`.
        """
    @property
    def id(self) -> str:
        """The name of the policy, such as `policy:kingsburg`."""
    @property
    def hash(self) -> str:
        """The SHA-256 of its manifest followed by its network, as hexadecimal digits."""
    @property
    def description(self) -> str: ...

@final
class Settings:
    """How games are played."""

    def __new__(
        cls,
        *,
        options: bytes | None = None,
        start: _Start = "set_up",
        positions: Sequence[bytes] | None = None,
        detail: _Detail = "moves",
        max_versions: int = 0,
        recall: bool = False,
    ) -> Settings:
        """`options` is the message `Options` of the ruleset, encoded. `positions` are messages `View`, encoded, of tables on which
        games begin in turn instead, at most 1,024. A game that reaches `max_versions` ends without a
        result; 0: none does. `recall` keeps what `Game.memory` tells.
        """

@final
class Game:
    """A game in which the seat to move says its action word by word."""

    def __new__(cls, space: Space, settings: Settings | None = None) -> Game:
        """A game that has not begun."""
    @staticmethod
    def restored(space: Space, snapshot: bytes, settings: Settings | None = None) -> Game:
        """The game of a snapshot of the same build, with the snapshot's options.

        Raises `ValueError` when it is none. Snapshots are not checked for tampering: read only your own.
        """
    def begin(self, seed: bytes, number: int = 1) -> None:
        """Begins anew, with all luck from this seed of 32 bytes; of several described tables, on table (number - 1) mod their
        number.
        """
    @property
    def seat(self) -> int | None:
        """The seat to move. `None` if the game is over or has not begun."""
    @property
    def words(self) -> list[int]:
        """The words that it can say, in order."""
    @property
    def said(self) -> list[int]:
        """The words of its action so far, forced ones included."""
    @property
    def version(self) -> int:
        """The number of its entries: set-up and actions."""
    @property
    def standings(self) -> list[_Standing] | None:
        """The result by the rules, in seat order. `None` unless they ended the game."""
    def rewards(self, kind: _Reward = "rank") -> list[float]:
        """Returns the reward of each seat: 0 until the end, and in a game that was cut off."""
    def say(self, word: int) -> bool:
        """The seat to move says a word. True: its action is played."""
    def offer(self, word: int) -> bool:
        """Says a word as `say` does, but an action that draws luck is not played: it `waits` for `draw`. True: the action
        is chosen."""
    @property
    def waits(self) -> bool:
        """Whether a chosen action waits for its luck."""
    def draw(self, seed: bytes) -> None:
        """Plays the action that waits, with all luck from now on from this seed of 32 bytes. Raises `RuntimeError` when
        none does."""
    def observe(self, who: _Who, observation: _Cells, turned_to: int = 0) -> None:
        """Writes what somebody knows now. Seats are counted from the one that looks; if none does, from `turned_to`."""
    def allow(self, mask: NDArray[np.int8]) -> None:
        """Writes 1 for each word that can be said, and 0 for the others."""
    def view(self, who: _Who) -> bytes:
        """The message `View` of the ruleset, encoded."""
    def events(self, seat: int) -> list[bytes]:
        """The messages `Event` that a seat has seen since its last decision, encoded."""
    def actions(self) -> list[bytes]:
        """The messages `Action` among which the seat to move chooses, encoded."""
    def memory(self, seat: int) -> int:
        """A digest of all that a seat has seen and said, and of what it sees now. 0 without `recall`."""
    def board(self, seat: int, columns: int = 0, colored: bool = False) -> str:
        """The board as a seat sees it, drawn for lines of this many columns; 0: 80."""
    def picture(self, seat: int, width: int = 1200) -> str:
        """The table as a seat sees it, drawn as SVG: 1200 wide, 800 high, or 390 wide for a phone."""
    def choose(self, policy: _Policy, seed: bytes, playouts: int | None = None) -> list[int]:
        """All words of the action that a bot would choose; none when nobody has anything to decide. It knows only what
        the seat knows, and runs without the lock of the interpreter."""
    def play(self, policy: _Policy, seed: bytes, playouts: int | None = None) -> bool:
        """Plays what a bot chooses. False: nobody has anything to decide."""
    def rate(self, seed: bytes, playouts: int | None = None) -> list[ActionRating]:
        """Rates the actions of the seat to move as `search` does, best first: the first one is what it chooses with
        the same seed and playouts. Actions that it does not look at are left out; none when nobody has anything to decide.
        Runs without the lock of the interpreter."""
    def world(self, seat: int, seed: bytes) -> Game:
        """A world that a seat may be in: the same to the seat, with everything drawn anew that it cannot know, the luck
        to come included."""
    def snapshot(self) -> bytes:
        """The game as bytes. Raises `RuntimeError` when it has not begun."""
    def copy(self) -> Game:
        """Returns a copy of the game."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: Any, /) -> Game: ...

@final
class ActionRating:
    """The findings of `search` about an action. Values are about ten for each victory point, and 100 for a won game."""

    @property
    def words(self) -> list[int]:
        """All words of the action."""
    @property
    def count(self) -> int:
        """The number of its playouts; 1 where the ruleset looks ahead by itself, 0 if it was not compared."""
    @property
    def value(self) -> float:
        """The mean lead of the seat after the playouts; 0 without any."""
    @property
    def lead(self) -> float:
        """The mean difference from the favorite of `search`, in the same worlds with the same luck; 0 for the favorite."""
    @property
    def error(self) -> float:
        """The standard error of this difference if both were equally good, by which `search` judges."""

def observe_many(games: Sequence[Game], arrays: _Rows) -> None:
    """Writes what the seats to move know, and the words that they can say, a row for each game. Where nobody moves, the seat
    is -1 and the rest 0. Raises `ValueError` when the games have different spaces."""

_Evaluator: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.int8], NDArray[np.int64]], tuple[Any, Any]]
"""Rates positions by observations, masks and seats to move, a row for each. Returns priors and values, as anything that
NumPy makes arrays of: for each word a number from 0 on, of which the words that can be said get their share; for each seat
the result to expect, from -1 to 1, counted from the seat to move. Both are rounded to 1/65,536, and values are cut at -1 and
1. The arrays are written anew for the next call."""

@final
class TreeSearch:
    """Tree search with an evaluator (PUCT, as in AlphaZero), over sampled worlds and word by word, for many games at once.

    The positions of a tree are what their seats to move know, so that no seat uses what it cannot know. The same games, seeds
    and answers of the evaluator give the same ratings."""

    def __new__(
        cls,
        space: Space,
        *,
        simulations: int = 64,
        exploration: float = 1.25,
        noise: float = 0.0,
        margin: int = 0,
        threads: int = 1,
    ) -> TreeSearch:
        """`simulations` are the worlds that are played for each game, up to 100,000; `exploration` is the weight of priors
        against values, and `noise` the share of the root's priors that is drawn at random. The value of a finished game is the
        reward `rank`; with a `margin` half of it is lead / (|lead| + margin), the lead in points over the best of the others.
        A forked process does not have the threads: make searches where they are used."""
    def rate(self, games: Sequence[Game], evaluate: _Evaluator | LearnedPolicy, seeds: Sequence[bytes]) -> list[list[WordRating]]:
        """Rates the words that the seats to move can say, in order, with a seed of 32 bytes for each game. The evaluator is
        asked for one position of each game at a time. Worlds are played without the lock of the interpreter.

        A learned policy as the evaluator must give values. Its priors are in proportion to e to the power of the scores,
        whatever its temperature; it needs no Python, and so no lock.

        Raises `PolicyError` when the learned policy gives no values or plays another game, `ValueError` when nobody has anything to decide in a game, when a game has another space, and when a prior of a
        word that can be said is no number from 0 on or a value no number; what the evaluator raises is passed on."""

@final
class WordRating:
    """The findings of a tree search about a word. Values are those of the seat to move, from -1 to 1."""

    @property
    def word(self) -> int: ...
    @property
    def prior(self) -> float:
        """The prior, noise included."""
    @property
    def count(self) -> int:
        """The number of simulations that began with the word."""
    @property
    def value(self) -> float:
        """The mean value of these; 0 without any."""
    @property
    def error(self) -> float:
        """The standard error of the mean; 0 with fewer than two."""

@type_check_only
class _Rows(Protocol):
    """Arrays with a row for each game."""

    @property
    def observations(self) -> _Cells:
        """The knowledge of the seat to move."""
    @property
    def masks(self) -> NDArray[np.int8]:
        """1 for each word that it can say."""
    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to move."""

@type_check_only
class _Arrays(Protocol):
    """The arrays that a vector writes: attributes of any object, with a row for each game. Give the same arrays each time,
    and write nothing into `observations` and `masks`: only what changes is written again."""

    @property
    def observations(self) -> _Cells:
        """The knowledge of the seat to move."""
    @property
    def masks(self) -> NDArray[np.int8]:
        """1 for each word that it can say."""
    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to move."""
    @property
    def rewards(self) -> NDArray[np.float32]:
        """The reward of each seat for the last step."""
    @property
    def dones(self) -> NDArray[np.int8]:
        """Whether the game ended in the last step: 0 no, 1 by the rules, 2 it was cut off. The next one has begun."""

@final
class Vector:
    """Games that are played side by side, on several threads and without the lock of the interpreter."""

    def __new__(
        cls,
        space: Space,
        games: int,
        settings: Settings | None = None,
        *,
        threads: int = 1,
        opponents: Sequence[tuple[_Policy, int | None] | None] | None = None,
        take_turns: bool = False,
        reward: _Reward = "rank",
    ) -> Vector:
        """Up to 65,536 games and 256 threads. A forked process does not have the threads: make vectors where they are used.

        `opponents` has, by seat, policy and playouts of the bots, which are those of the ruleset if they are `None`; `None`,
        also behind the last, is a seat of the caller.
        With `take_turns` everybody sits one place further to the left with each game of a slot, and so in each slot compared
        with the slot before it.
        """
    def __len__(self) -> int: ...
    def begin(self, arrays: _Arrays, seed: bytes | None = None) -> None:
        """Begins all games and writes all arrays, whatever they held. With a seed, game number n has the luck of SHA-256
        of the seed and n as 8 bytes, little-endian; without one, the next games begin. Game number n is played in slot
        (n - 1) mod the number of games, so that the games of a slot depend on no other slot."""
    def step(self, words: NDArray[np.int64], arrays: _Arrays) -> list[tuple[int, int, list[_Standing] | None]]:
        """In each game the seat to move says a word. Gives slot, last version and standings of the games that ended."""
    def put(self, slot: int, game: Game, arrays: _Arrays) -> list[tuple[int, int, list[_Standing] | None]]:
        """Puts a copy of a game into a slot, in place of the one that is played there. It keeps its own settings; the next
        game of the slot has those of the vector. Bots play on until the caller must decide. Gives the games that ended, as
        `step` does. Raises `IndexError` when there is no such slot, `ValueError` when nobody must decide or the game has
        another space."""
    def sample(self, luck: int) -> NDArray[np.int64]:
        """For each game one of the words that can be said, each equally likely: the same luck gives the same words."""
    def game(self, slot: int) -> Game:
        """A copy of the game in a slot."""
    def last(self, slot: int) -> Game | None:
        """Returns a copy of the game that ended last in a slot, or `None` if none has ended."""
    def number(self, slot: int) -> int:
        """The number of the game in a slot among all that were begun, from 1."""
