"""Many games side by side: in this process, on several threads; or at a server, with one message for all."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from .door import has_native
from .errors import IllegalActionError
from .luck import luck, whole
from .results import Result, RewardKind, checked, rewards
from .selfplay import Answer, Arena
from .space import plan, space
from .speech import Speech
from .table import result_of
from .tables import MAX_VERSIONS, Policy, Start
from .v1.self_play_service_pb2 import SelfPlayShow

if TYPE_CHECKING:
    import gamekeeper_native as native

Opponent = tuple[Policy, int | None] | Policy | None
"""A bot, `random`, `kinds`, `greedy`, `search`, a level (`easy`, `medium`, `strong`), a strategy of the ruleset or `policy:FILE`, a
learned policy, with its playouts if they are not the usual 64, in Dominion 1,024. `None` for a further seat of the caller."""

# More do not help.
_THREADS = 32

VAIN = 1_000
"""The number of games in a row that may end before the caller has anything to decide; an environment then gives up."""

NOTHING_TO_DECIDE = "all games end before the caller has anything to decide; max_versions is too small, or bots have all seats"


@dataclass(frozen=True)
class Ended:
    """A game that came to its end."""

    slot: int
    """The place of the game in the batch. The next game has taken it."""
    rewards: tuple[float, ...]
    """The reward of each seat, in seat order."""
    versions: int
    """The last version of the game."""
    truncated: bool
    """Whether the game was cut off."""
    ranks: tuple[int, ...] = ()
    """The rank of each seat, from 1; none if it was cut off."""
    scores: tuple[int, ...] = ()
    """The score of each seat."""


class _Games(Protocol):
    """The engine of a batch: plays its games and writes its arrays."""

    size: int
    words: int
    players: int
    fewest_win: bool

    def begin(self, batch: Batch, seed: bytes) -> None: ...

    def step(self, batch: Batch, words: NDArray[np.int64]) -> list[tuple[int, Result]]: ...

    def final(self, slot: int, seat: int, observation: NDArray[Any]) -> None: ...

    def games(self) -> list[native.Game]: ...

    def put(self, batch: Batch, slot: int, game: native.Game) -> list[tuple[int, Result]]: ...

    def close(self) -> None: ...


class Batch:
    """Games of one ruleset, each with a seat that decides.

    Observations, masks and rewards are those of the PettingZoo environment, in arrays with a row for each game.
    """

    def __init__(
        self,
        ruleset: str,
        players: int | None = None,
        games: int = 64,
        *,
        seed: int | None = None,
        address: str | None = None,
        token: str | None = None,
        options: Mapping[str, Any] | None = None,
        max_versions: int = MAX_VERSIONS,
        reward: RewardKind = "rank",
        start: Start = "set_up",
        threads: int | None = None,
        seat: int = 0,
        opponents: Sequence[Opponent] = (),
        take_turns: bool = False,
        compact: bool = False,
    ) -> None:
        """The arguments are those of `gamekeeper_env`: `players` are the fewest of the ruleset unless given. With the same seed
        and words, the games are the same.

        In this process only: `threads` are all cores unless given; `opponents` are the bots to the left of `seat`, in order,
        as in `gamekeeper.gym`, and all other seats are the caller's; with `take_turns` everybody moves one seat to the left
        from game to game of a slot; `compact` observations are bytes, in steps of 1/127, a quarter of the memory.
        """
        if games < 1:
            raise ValueError(f"games is {games}; at least one is played")
        self.reward: RewardKind = checked(reward)
        """The kind of reward at the end of a game."""
        if address is None and has_native():
            self._games: _Games = _Inside(
                (ruleset, players, games),
                (options, max_versions, start),
                threads or min(os.cpu_count() or 1, _THREADS),
                (seat, opponents, take_turns, self.reward),
            )
        elif opponents or take_turns or compact or threads is not None:
            raise ValueError("threads, opponents and compact observations are there only where games are played in this process")
        else:
            self._games = _AtServer((ruleset, players, games), (address, token), (options, max_versions, start))
        self.players = self._games.players
        """The number of players."""
        self.observations: NDArray[Any] = np.zeros((games, self._games.size), np.int8 if compact else np.float32)
        """The observation of the seat to move, for each game. Changed by `step`; do not write into it."""
        self.masks: NDArray[np.int8] = np.zeros((games, self._games.words), np.int8)
        """Which words that seat can say. Do not write into it."""
        self.seats: NDArray[np.int64] = np.zeros(games, np.int64)
        """The seat to move, from 0, for each game."""
        self.rewards: NDArray[np.float32] = np.zeros((games, self.players), np.float32)
        """The reward of each seat for the last step."""
        self.dones: NDArray[np.int8] = np.zeros(games, np.int8)
        """Whether the game ended in the last step: 0 no, 1 by the rules, 2 it was cut off. The next one has begun."""
        self.reset(seed)

    def __len__(self) -> int:
        return len(self.seats)

    def step(self, words: Sequence[int] | NDArray[np.integer[Any]]) -> list[Ended]:
        """In each game the seat to move says a word. Gives the games that ended.

        Raises `IllegalActionError` when a mask does not allow a word, `TypeError` and `ValueError` when the words are not one
        row of whole numbers; then nothing has changed.
        """
        if self._is_closed:
            raise ValueError("the batch is closed")
        said = np.asarray(words)
        if said.ndim != 1 or len(said) != len(self):
            found = f"{len(said)} words" if said.ndim == 1 else f"words of the shape {said.shape}"
            raise ValueError(f"there are {len(self)} games, and {found}")
        if said.dtype.kind not in "iu":
            raise TypeError(f"words are whole numbers, not {said.dtype}")
        results = self._games.step(self, np.ascontiguousarray(said, np.int64))
        return [self._ended(slot, result) for slot, result in results]

    def reset(self, seed: int | None = None) -> None:
        """Begins all games again: with a seed those of the seed, otherwise other ones."""
        self._games.begin(self, os.urandom(32) if seed is None else luck(seed))
        self._is_closed = False

    def final(self, slot: int, seat: int) -> NDArray[Any]:
        """Returns the knowledge of a seat at the end of the game that ended last in a slot. In this process only."""
        found: NDArray[Any] = np.empty_like(self.observations[0])
        self._games.final(slot, seat, found)
        return found

    def games(self) -> list[native.Game]:
        """Returns copies of the games, to search in. In this process only."""
        return self._games.games()

    def put(self, slot: int, game: native.Game) -> list[Ended]:
        """Puts a copy of a game into a slot, in place of the one that is played there. Bots play on until the caller must
        decide. Gives the games that ended. In this process only.

        Raises `IndexError` when there is no such slot, `ValueError` when nobody must decide in the game, or it is one of
        another ruleset or number of players; then nothing has changed.
        """
        return [self._ended(slot, result) for slot, result in self._games.put(self, slot, game)]

    def close(self) -> None:
        """Ends the games. They can begin again."""
        self._is_closed = True
        self._games.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a batch can be neither pickled nor copied: make it where it is used")

    def _ended(self, slot: int, result: Result) -> Ended:
        earned = tuple(rewards(result, self.players, self.reward, self._games.fewest_win))
        return Ended(slot, earned, result.version, not result.finished, result.ranks, result.scores)


class _Inside:
    """Games in this process."""

    def __init__(
        self,
        sizes: tuple[str, int | None, int],
        how: tuple[Mapping[str, Any] | None, int, Start],
        threads: int,
        others: tuple[int, Sequence[Opponent], bool, RewardKind],
    ) -> None:
        import gamekeeper_native as native

        from .inside import native_space, settings

        (ruleset, players, games), (seat, opponents, take_turns, reward) = sizes, others
        space = native_space(ruleset, players)
        self.size, self.words = space.size, len(space.words)
        self.players, self.fewest_win = space.players, space.fewest_win
        self.vector: native.Vector = native.Vector(
            space,
            games,
            settings(ruleset, *how),
            threads=threads,
            opponents=at_seats(space.players, seat, opponents),
            take_turns=take_turns,
            reward=reward,
        )
        self._illegal = native.IllegalActionError

    def begin(self, batch: Batch, seed: bytes) -> None:
        self.vector.begin(batch, seed)

    def step(self, batch: Batch, words: NDArray[np.int64]) -> list[tuple[int, Result]]:
        try:
            ended = self.vector.step(words, batch)
        except self._illegal as error:
            raise IllegalActionError(str(error)) from None
        return [(slot, _result(version, standings or ())) for slot, version, standings in ended]

    def final(self, slot: int, seat: int, observation: NDArray[Any]) -> None:
        game = self.vector.last(slot)
        if game is None:
            raise ValueError(f"no game has ended in slot {slot}")
        game.observe(seat, observation)

    def games(self) -> list[native.Game]:
        return [self.vector.game(slot) for slot in range(len(self.vector))]

    def put(self, batch: Batch, slot: int, game: native.Game) -> list[tuple[int, Result]]:
        ended = self.vector.put(slot, game, batch)
        return [(place, _result(version, standings or ())) for place, version, standings in ended]

    def close(self) -> None:
        """There is nothing to give back."""


class _AtServer:
    """Games on one self-play stream."""

    def __init__(
        self,
        sizes: tuple[str, int | None, int],
        server: tuple[str | None, str | None],
        how: tuple[Mapping[str, Any] | None, int, Start],
    ) -> None:
        ruleset, players, self._count = sizes
        self._options, max_versions, start = how
        self._space = space(ruleset, players, *server)
        self._plan = plan(ruleset, max_versions, SelfPlayShow(), start)
        self.size, self.words = self._space.size, len(self._space.words)
        self.players, self.fewest_win = self._space.players, self._space.fewest_win
        self._arena: Arena | None = None

    def begin(self, batch: Batch, seed: bytes) -> None:
        self.close()
        self._speeches: list[Speech] = [Speech([()])] * self._count
        arena = self._arena = Arena(
            self._space.connection,
            seats=self.players,
            games=self._count,
            seed=seed,
            options=self._options,
            **self._plan,
        )
        self._take(arena, batch, arena.first)
        batch.rewards.fill(0.0)
        batch.dones.fill(0)

    def step(self, batch: Batch, words: NDArray[np.int64]) -> list[tuple[int, Result]]:
        if self._arena is None:
            raise RuntimeError("the game has not begun")
        said = words.tolist()
        for slot, word in enumerate(said):
            if not 0 <= word < self.words or not batch.masks[slot, word]:
                raise IllegalActionError(f"action {word} is not legal in game {slot}; the mask says which are")
        moves: list[tuple[int, int]] = []
        arena = self._arena
        for slot, word in enumerate(said):
            speech = self._speeches[slot]
            before = len(speech.said)
            speech.say(word)
            if speech.chosen is not None:
                moves.append((slot, speech.chosen))
            else:
                self._space.say(batch.observations[slot], speech.said, before)
                batch.masks[slot] = self._space.mask(speech.words)
        batch.rewards.fill(0.0)
        batch.dones.fill(0)
        ended = self._take(arena, batch, arena.play(moves)) if moves else []
        for slot, result in ended:
            batch.rewards[slot] = rewards(result, self.players, batch.reward, self.fewest_win)
            batch.dones[slot] = 1 if result.finished else 2
        return ended

    def final(self, slot: int, seat: int, observation: NDArray[Any]) -> None:
        raise ValueError("the end of a game is seen only where games are played in this process")

    def games(self) -> list[native.Game]:
        raise ValueError("games are copied only where they are played in this process")

    def put(self, batch: Batch, slot: int, game: native.Game) -> list[tuple[int, Result]]:
        raise ValueError("games are put into slots only where they are played in this process")

    def close(self) -> None:
        if self._arena is not None:
            self._arena.close()
            self._arena = None

    def _take(self, arena: Arena, batch: Batch, answer: Answer) -> list[tuple[int, Result]]:
        """Looks at all games that wait for a decision; plays where there is none to make.

        Gives the games that ended, in the order of their slots. A game that ends without any decision is followed by the
        next one: all that end in a slot after the first did so.
        """
        ended: dict[int, Result] = {}
        vain: Counter[int] = Counter()
        while True:
            for result in answer.results:
                ended.setdefault(result.slot, result_of(result))
                vain[result.slot] += 1
            if vain and max(vain.values()) > VAIN:
                self.close()
                raise RuntimeError(NOTHING_TO_DECIDE)
            forced: list[tuple[int, int]] = []
            for observation in answer.observations:
                slot, speech = observation.slot, self._space.speech(observation.tensor)
                if speech.chosen is not None:
                    forced.append((slot, speech.chosen))
                    continue
                self._speeches[slot] = speech
                batch.seats[slot] = observation.seat - 1
                row = batch.observations[slot]
                self._space.write(observation, row)
                batch.masks[slot] = self._space.mask(speech.words)
            if not forced:
                return sorted(ended.items())
            answer = arena.play(forced)


def at_seats(players: int, seat: int, opponents: Sequence[Opponent]) -> list[tuple[Policy, int | None] | None]:
    """Returns the players of the seats, in seat order: the caller at `seat` and opponents to its left, in order. `None` is a
    seat of the caller.

    Raises `ValueError` when there is no such seat or more opponents than others at the table, `TypeError` when one is none.
    """
    whole("a seat", seat)
    if not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat} at a table of {players}")
    if isinstance(opponents, str):
        raise TypeError(f"opponents are a list: [{opponents!r}], not {opponents!r}")
    others = [_opponent(one) for one in opponents]
    if len(others) >= players:
        raise ValueError(f"{players} players have at most {players - 1} opponents, not {len(others)}: they sit to the left of seat {seat}, in order")
    by_turn = [None, *others, *[None] * (players - 1 - len(others))]
    return [by_turn[(place - seat) % players] for place in range(players)]


def _opponent(one: Opponent) -> tuple[Policy, int | None] | None:
    """Returns a bot and its playouts. Whether a ruleset has it, the native module says."""
    if one is None or isinstance(one, str):
        return None if one is None else (one, None)
    # Callers without types pass anything.
    if isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str):  # pyright: ignore[reportUnnecessaryIsInstance]
        return one[0], None if one[1] is None else whole("a number of playouts", one[1])
    raise TypeError(
        f"an opponent is the name of a bot, or its name and playouts, not {one!r}; for a player of your own, leave the seat to the caller (None) "
        "and say its words"
    )


def _result(version: int, standings: Iterable[tuple[int, int]]) -> Result:
    both = tuple(standings)
    return Result(version, tuple(rank for rank, _ in both), tuple(score for _, score in both))
