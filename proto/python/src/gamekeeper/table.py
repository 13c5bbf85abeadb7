"""One game of a self-play, decision by decision."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from typing import Any

from google.protobuf.message import Message

from .client import Client
from .contract import options_of
from .errors import IllegalActionError, UnavailableError
from .selfplay import Answer, Arena
from .space import Space, luck, plan, seed_of_game
from .v1 import game_service_pb2, self_play_service_pb2
from .v1.messages_pb2 import Action


class Table:
    """A game in the memory of a server. The seat to move says its action word by word.

    A seat with a single legal action has nothing to decide: the table plays it. What a table knows is here; the stream
    is opened again when a move needs it, and the same seed and moves bring it to the same point.
    """

    def __init__(self, space: Space, options: Mapping[str, Any] | Message | None, versions: int, events: bool = False) -> None:
        self._space = space
        self._options = None if options is None else options_of(space.name, options)
        self._plan = plan(space.name, versions, events)
        self._arena: Arena | None = None
        self._master = b""
        self.number = 0
        """Counts the games of the stream, from 1."""
        self.decisions = 0
        """Counts what seats had to decide."""

    def begin(self, seed: int | None) -> None:
        """Begins a game. With a seed the same game as with the same seed before, and the same games after it."""
        if seed is None and self._arena is not None and self._arena.is_open:
            # After a game that has ended, the next one waits already.
            answer = self._coming if self.result is not None else self._arena.abandon(0)
        else:
            self._master = os.urandom(32) if seed is None else luck(seed)
            answer = self._open()
        self.result: self_play_service_pb2.SelfPlayResult | None = None
        self.actions: list[Action] = []
        self._moves: list[tuple[int, int]] = []
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

    @property
    def seed(self) -> bytes:
        """The seed of the game's luck."""
        return seed_of_game(self._master, self.number)

    @property
    def is_open(self) -> bool:
        """Does the table hold a stream?"""
        return self._arena is not None

    def copy(self) -> Table:
        """The same game once more. It opens a stream of its own when a move needs it."""
        table = copy.copy(self)
        table._arena = None
        table.actions = self.actions.copy()
        table._moves = self._moves.copy()
        table.speech = self.speech.copy()
        return table

    def close(self) -> None:
        """Closes the stream. A game that goes on opens it again."""
        if self._arena is not None:
            self._arena.close()
            self._arena = None

    def _open(self) -> Answer:
        self.close()
        self._arena = Arena(
            self._space.connection,
            seats=self._space.players,
            seed=self._master,
            options=self._options,
            **self._plan,
        )
        return self._arena.first

    def _reopened(self) -> Arena:
        """The stream, brought to this point of the game."""
        assert self.number == 1, "only the first game of a stream can be repeated"
        self._open()
        assert self._arena is not None
        if self._moves:
            self._arena.play(self._moves)
        return self._arena

    def _play(self, index: int) -> None:
        move = (0, index)
        try:
            answer = (self._arena or self._reopened()).play([move])
        except UnavailableError:
            # The game is gone with its stream. The first of a seed can be played again up to here.
            if self.number != 1:
                raise
            answer = self._reopened().play([move])
        self._moves.append(move)
        self.actions.append(self.observation.actions[index])
        if answer.results:
            self.result = answer.results[0]
            self._coming = answer
        else:
            self._wait(answer)

    def _wait(self, answer: Answer) -> None:
        """The game waits for the decision of a seat."""
        (self.observation,) = answer.observations
        if self.observation.HasField("refusal"):
            raise RuntimeError(f"the service refused a listed action: {self.observation.refusal.message}")
        self.number = self.observation.game
        self.decisions += 1
        self.seat = self.observation.seat
        self.view = self.observation.view
        self.speech = self._space.speech(self.observation.actions)
        if self.speech.chosen is not None:
            self._play(self.speech.chosen)


class Board:
    """Draws the table of a self-play.

    Self-play has no boards, so the game is repeated as a stored one, with the same luck and actions, and drawn there.
    """

    def __init__(self, space: Space, table: Table, options: Mapping[str, Any] | None) -> None:
        self._client = Client.over(space.connection)
        self._table = table
        names = [f"Player {seat}" for seat in range(1, space.players + 1)]
        self._game = self._client.create(space.name, names, options, seed=table.seed).table.game
        self._played = 0

    def draw(self, seat: int, columns: int = 0, colored: bool = False) -> str:
        """The table now, as a seat sees it."""
        for action in self._table.actions[self._played :]:
            acting = self._game.pending[0].seat
            request = f"action {self._played}"
            answer = self._client.apply(self._game.game_id, acting, action, request_id=request)
            self._game = answer.table.game
            self._played += 1
        show = game_service_pb2.Show(board=game_service_pb2.BoardStyle(columns=columns, colored=colored))
        return self._client.get(self._game.game_id, seat, show=show).table.board

    def close(self) -> None:
        """Deletes the repeated game."""
        request = game_service_pb2.DeleteGameRequest(game_id=self._game.game_id, allow_missing=True)
        self._client.call(self._client.game_service.DeleteGame, request)
