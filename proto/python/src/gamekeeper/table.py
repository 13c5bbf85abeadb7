"""One game of a self-play, decision by decision."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .client import options_of
from .errors import IllegalActionError
from .selfplay import Answer, Arena
from .space import Space, luck, plan, seed_of_game
from .v1 import game_pb2, self_play_pb2
from .words import Speech


class Table:
    """A game in the memory of a server. The seat to move says its action word by word.

    A seat with a single legal action has nothing to decide: the table plays it.
    """

    def __init__(self, space: Space, options: Mapping[str, Any] | None, versions: int) -> None:
        self._space = space
        self._options = None if options is None else options_of(space.name, options)
        self._plan = plan(space.name, versions)
        self._arena: Arena | None = None
        self._master = b""
        self.result: self_play_pb2.SelfPlayResult | None = None
        """How the game ended; `None` while it is played."""
        self.actions: list[Any] = []
        """The actions of the game until now."""

    def begin(self, seed: int | None) -> None:
        """Begins a game. With a seed the same game as with the same seed before, and the same games after it."""
        if seed is None and self._arena is not None:
            # After a game that has ended, the next one waits already.
            answer = self._coming if self.result is not None else self._arena.abandon(0)
        else:
            self.close()
            self._master = os.urandom(32) if seed is None else luck(seed)
            arena = Arena(
                self._space.connection,
                seats=self._space.players,
                seed=self._master,
                options=self._options,
                **self._plan,
            )
            self._arena, answer = arena, arena.first
        self.result = None
        self.actions = []
        self._wait(answer)

    def say(self, word: int) -> None:
        """The seat to move says a word.

        Raises `IllegalActionError` when it is not one of those that can be said.
        """
        try:
            self.speech.say(word)
        except KeyError:
            raise IllegalActionError(f"action {word} is not legal now; the mask says which are") from None
        if self.speech.chosen is not None:
            self._play(self.speech.chosen)

    def seed(self) -> bytes:
        """The seed of the game's luck."""
        return seed_of_game(self._master, self._number)

    def close(self) -> None:
        """Ends the game."""
        if self._arena is not None:
            self._arena.close()
            self._arena = None

    def _play(self, index: int) -> None:
        assert self._arena is not None
        self.actions.append(self._observation.actions[index])
        answer = self._arena.play([(0, index)])
        if answer.results:
            self.result = answer.results[0]
            self._coming = answer
        else:
            self._wait(answer)

    def _wait(self, answer: Answer) -> None:
        """The game waits for the decision of a seat."""
        (self._observation,) = answer.observations
        self._number: int = self._observation.game
        self.seat: int = self._observation.seat
        self.view: Any = self._observation.view
        self.speech: Speech = self._space.speech(self._observation.actions)
        if self.speech.chosen is not None:
            self._play(self.speech.chosen)


class Board:
    """Draws the table of a self-play.

    Self-play has no boards, so the game is repeated as a stored one, with the same luck and actions, and drawn there.
    """

    def __init__(self, space: Space, table: Table, options: Mapping[str, Any] | None) -> None:
        from .client import Client

        self._client = Client.over(space.connection)
        self._table = table
        names = [f"Player {seat}" for seat in range(1, space.players + 1)]
        self._game = self._client.create(space.name, names, options, seed=table.seed()).info
        self._played = 0

    def draw(self, seat: int, columns: int = 0, colored: bool = False) -> str:
        """The table now, as a seat sees it."""
        for action in self._table.actions[self._played :]:
            acting = self._game.pending[0].seat
            request = f"action {self._played}"
            answer = self._client.apply(self._game.game_id, acting, action, request_id=request)
            self._game = answer.info
            self._played += 1
        style = game_pb2.BoardStyle(columns=columns, colored=colored)
        return self._client.get(self._game.game_id, seat, board=style).board

    def close(self) -> None:
        """Deletes the repeated game."""
        from .v1 import games_service_pb2

        request = games_service_pb2.DeleteGameRequest(game_id=self._game.game_id, allow_missing=True)
        self._client.games("DeleteGame", request)
