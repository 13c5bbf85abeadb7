"""Many games side by side: one message to the server plays a move in each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import IllegalActionError
from .selfplay import Answer, Arena
from .space import MAX_VERSIONS, luck, plan, rewards, space
from .words import Speech


@dataclass(frozen=True)
class Ended:
    """A game that came to its end."""

    slot: int
    """Its place in the batch. The next game has taken it."""
    rewards: tuple[float, ...]
    """What each seat earns, in seat order."""
    versions: int
    """Its last version."""
    truncated: bool
    """Was it cut off?"""


class Batch:
    """Games of one ruleset, each with a seat that decides.

    Observations, masks and rewards are those of the PettingZoo environment, in arrays with a row for each game.
    """

    def __init__(
        self,
        ruleset: str,
        players: int = 2,
        games: int = 64,
        *,
        seed: int | None = None,
        address: str | None = None,
        token: str | None = None,
        options: Mapping[str, Any] | None = None,
        max_versions: int = MAX_VERSIONS,
    ) -> None:
        """The arguments are those of `gamekeeper_env`. With the same seed and words, the games are the same."""
        self._space = space(ruleset, players, address, token)
        self.observations: NDArray[np.float32] = np.zeros((games, self._space.size), np.float32)
        """What the seat to move sees, for each game. Changed by `step`."""
        self.masks: NDArray[np.int8] = np.zeros((games, len(self._space.vocabulary)), np.int8)
        """Which words that seat can say."""
        self.seats: NDArray[np.intp] = np.zeros(games, np.intp)
        """Who that is, from 0."""
        self._speeches: list[Speech] = [Speech([()])] * games
        self._arena = Arena(
            self._space.connection,
            seats=players,
            games=games,
            seed=b"" if seed is None else luck(seed),
            options=options,
            **plan(ruleset, max_versions),
        )
        self._take(self._arena.first)

    def __len__(self) -> int:
        return len(self._speeches)

    def step(self, words: Sequence[int] | NDArray[np.intp]) -> list[Ended]:
        """In each game the seat to move says a word. Gives the games that ended.

        Raises `IllegalActionError` when a mask does not allow a word; then nothing has changed.
        """
        if len(words) != len(self):
            raise ValueError(f"there are {len(self)} games, and {len(words)} words")
        said = [int(word) for word in words]
        for slot, word in enumerate(said):
            if not 0 <= word < self.masks.shape[1] or not self.masks[slot, word]:
                raise IllegalActionError(f"action {word} is not legal in game {slot}")
        moves: list[tuple[int, int]] = []
        for slot, word in enumerate(said):
            speech = self._speeches[slot]
            before = len(speech.said)
            speech.say(word)
            if speech.chosen is not None:
                moves.append((slot, speech.chosen))
            else:
                self._space.say(self.observations[slot], speech.said[before:])
                self._allow(slot)
        return self._take(self._arena.play(moves)) if moves else []

    def close(self) -> None:
        """Ends the games."""
        self._arena.close()

    def _take(self, answer: Answer) -> list[Ended]:
        """Looks at all games that wait for a decision; plays where there is none to make."""
        ended: list[Ended] = []
        while True:
            for result in answer.results:
                earned = tuple(rewards(result, self._space.players))
                ended.append(Ended(result.slot, earned, result.version, not result.finished))
            forced: list[tuple[int, int]] = []
            for observation in answer.observations:
                slot, speech = observation.slot, self._space.speech(observation.actions)
                if speech.chosen is not None:
                    forced.append((slot, speech.chosen))
                    continue
                self._speeches[slot] = speech
                self.seats[slot] = observation.seat - 1
                row = self.observations[slot]
                row.fill(0.0)
                self._space.write(observation, observation.seat, row)
                self._space.say(row, speech.said)
                self._allow(slot)
            if not forced:
                return ended
            answer = self._arena.play(forced)

    def _allow(self, slot: int) -> None:
        self.masks[slot] = self._space.mask(self._speeches[slot].words)
