"""One game of a self-play, decision by decision."""

from __future__ import annotations

import copy
import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from google.protobuf.message import Message

from .client import Client
from .contract import options_of
from .errors import IllegalActionError, UnavailableError
from .luck import luck, seed_of_game
from .results import Result
from .selfplay import Answer, Arena
from .space import Space, plan, space
from .speech import Speech
from .tables import MAX_VERSIONS, Start, Vector
from .tables import Table as AnyTable
from .v1 import game_service_pb2, self_play_service_pb2
from .v1.messages_pb2 import Action, View


class StreamDoor:
    """Games of one ruleset for a number of players, at a server."""

    def __init__(self, name: str, players: int | None, address: str | None = None, token: str | None = None) -> None:
        self.space = space(name, players, address, token)
        self.name = name
        self.players = self.space.players
        self.fewest_win = self.space.fewest_win
        self.cells = self.space.cells
        self.words: Sequence[str] = self.space.words
        self.hidden_information = self.space.hidden_information

    def table(
        self,
        options: Mapping[str, Any] | None = None,
        max_versions: int = MAX_VERSIONS,
        *,
        start: Start = "set_up",
        recall: bool = False,
    ) -> Table:
        """A game that has not begun."""
        return Table(self.space, options, max_versions, start=start, events=recall)


class Table:
    """A game in the memory of a server. The seat to move says its action word by word.

    The state of the table is kept here; the stream is opened again when a move needs it, and the same seed and moves
    bring it to the same point. A seat knows what it saw when it had to decide last.
    """

    def __init__(
        self,
        space: Space,
        options: Mapping[str, Any] | Message | None,
        versions: int,
        *,
        start: Start = "set_up",
        events: bool = False,
    ) -> None:
        self._space = space
        self._options = None if options is None else options_of(space.name, options)
        # Boards are drawn by the actions themselves, and what a seat remembers are messages.
        show = self_play_service_pb2.SelfPlayShow(actions=True, view=events, pending=events, events=events)
        self._plan = plan(space.name, versions, show, start)
        self._is_made = start in ("rich", "late")
        self._positions: list[View] = self._plan["positions"]
        self._recalls = events
        self._arena: Arena | None = None
        self._board: Board | None = None
        self._master = b""
        self.number = 0
        self.seat = -1
        self.result: Result | None = None
        self.observation = self_play_service_pb2.SelfPlayObservation()
        self.speech = Speech([()])
        self._looks: dict[int, self_play_service_pb2.SelfPlayObservation] = {}
        self._seen: dict[int, Vector] = {}  # what was written of them
        self._digests: dict[int, bytes] = {}

    def begin(self, seed: int | None) -> None:
        if seed is None and self._arena is not None and self._arena.is_open:
            # After a game that has ended, the next one waits already.
            answer = self._coming if self.result is not None else self._arena.abandon(0)
        else:
            self._master = os.urandom(32) if seed is None else luck(seed)
            answer = self._open()
        self._close_board()
        self.result = None
        self.actions: list[Action] = []
        self._moves: list[tuple[int, int]] = []
        self._looks, self._seen, self._digests = {}, {}, {}
        self._wait(answer)

    def say(self, word: int) -> bool:
        seat, speech = self.seat, self.speech
        try:
            speech.say(word)
        except KeyError:
            raise IllegalActionError(f"action {word} is not legal now; the mask says which are") from None
        if self._recalls:
            self._digests[seat] = _digest(self._digests.get(seat, b""), [word.to_bytes(4, "little")])
        if speech.chosen is None:
            return False
        self._play(speech.chosen)
        return True

    def offer(self, word: int) -> bool:
        return self.say(word)  # its luck is the seed's

    @property
    def waits(self) -> bool:
        return False

    def draw(self, seed: bytes) -> None:
        raise ValueError("no action waits for luck")

    @property
    def words(self) -> list[int]:
        return [] if self.seat < 0 else sorted(self.speech.words)

    @property
    def said(self) -> list[int]:
        return self.speech.said

    @property
    def version(self) -> int:
        return self.observation.version if self.result is None else self.result.version

    @property
    def seed(self) -> bytes:
        return seed_of_game(self._master, self.number)

    @property
    def position(self) -> View | None:
        """The described table on which the game began, if it began on one."""
        return self._positions[(self.number - 1) % len(self._positions)] if self._positions else None

    @property
    def is_open(self) -> bool:
        """Whether the table holds a stream."""
        return self._arena is not None

    def vector(self, seat: int) -> Vector:
        seen = self._seen.get(seat)
        if seen is None:
            seen = self._seen[seat] = self._space.vector(self._looks.get(seat), seat + 1)
        vector = seen.copy()
        if seat == self.seat:
            self._space.say(vector, self.speech.said, self.speech.given)
        return vector

    def public(self, turned_to: int = 0) -> Vector:
        _only_inside("what everybody knows")

    def everything(self) -> Vector:
        _only_inside("the whole table")

    def whole(self) -> None:
        """Returns nothing: a server shows nobody what is hidden from them."""

    def world(self, seat: int, seed: bytes) -> AnyTable:
        _only_inside("a world that a seat may be in")

    def memory(self, seat: int) -> str:
        return self._digests.get(seat, b"").hex()

    def board(self, seat: int, colored: bool = False) -> str:
        show = game_service_pb2.Show(board=game_service_pb2.BoardStyle(colored=colored))
        return self._drawn(seat, show).board

    def picture(self, seat: int) -> str:
        show = game_service_pb2.Show(drawing=game_service_pb2.DrawingStyle(color_scheme=game_service_pb2.COLOR_SCHEME_LIGHT))
        return self._drawn(seat, show).drawing

    def _drawn(self, seat: int, show: game_service_pb2.Show) -> game_service_pb2.Table:
        if self._board is None:
            if self._is_made:
                raise ValueError("a server draws no games that began rich or late")
            self._board = Board(self._space, self, self._options)
        return self._board.look(seat + 1, show)

    def copy(self) -> Table:
        """Returns a copy of the game, which opens a stream of its own when a move needs one."""
        table = copy.copy(self)
        table._arena = None
        table._board = None
        table.actions = self.actions.copy()
        table._moves = self._moves.copy()
        table._looks, table._seen, table._digests = self._looks.copy(), self._seen.copy(), self._digests.copy()
        table.speech = self.speech.copy()
        return table

    def save(self) -> None:
        """Returns nothing: a game at a server has to be played again."""

    def load(self, saved: bytes) -> None:
        raise ValueError("a game of a server has to be played again")

    def close(self) -> None:
        """Closes the stream. A game that goes on opens it again."""
        self._close_board()
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
            self.result = result_of(answer.results[0])
            self.seat = -1
            self._coming = answer
        else:
            self._wait(answer)

    def _wait(self, answer: Answer) -> None:
        """The game waits for the decision of a seat."""
        (self.observation,) = answer.observations
        if self.observation.HasField("refusal"):
            raise RuntimeError(f"the service refused a listed action: {self.observation.refusal.message}")
        self.number = self.observation.game
        self.seat = self.observation.seat - 1
        self.speech = self._space.speech(self.observation.tensor)
        self._looks[self.seat] = self.observation
        self._seen.pop(self.seat, None)  # written when somebody asks
        if self._recalls:
            seen = self.observation
            parts = (part.SerializeToString(deterministic=True) for part in (seen.view, *seen.pending, *seen.events))
            self._digests[self.seat] = _digest(self._digests.get(self.seat, b""), parts)
        if self.speech.chosen is not None:
            self._play(self.speech.chosen)

    def _close_board(self) -> None:
        if self._board is not None:
            self._board.close()
            self._board = None


def result_of(result: self_play_service_pb2.SelfPlayResult) -> Result:
    """The end of a game, in seat order."""
    standings = sorted(result.standings, key=lambda standing: standing.seat)
    ranks, scores = tuple(own.rank for own in standings), tuple(own.score for own in standings)
    return Result(result.version, ranks, scores)


def _digest(before: bytes, parts: Iterable[bytes]) -> bytes:
    digest = hashlib.sha256(before)
    for part in parts:
        digest.update(len(part).to_bytes(4, "little") + part)
    return digest.digest()


def _only_inside(what: str) -> NoReturn:
    raise ValueError(f"{what} is known only where games are played in this process: install gamekeeper-native, and give no address")


class Board:
    """Draws the table of a self-play.

    Self-play has no boards, so the game is repeated as a stored one, with the same luck and actions, and drawn there.
    """

    def __init__(self, space: Space, table: Table, options: Message | None) -> None:
        self._client = Client.over(space.connection)
        self._table = table
        names = [f"Player {seat}" for seat in range(1, space.players + 1)]
        self.game = self._client.create(space.name, names, options, seed=table.seed, position=table.position).table.game
        self._played = 0

    def look(self, seat: int, show: game_service_pb2.Show) -> game_service_pb2.Table:
        """The table now, as a seat sees it."""
        for action in self._table.actions[self._played :]:
            acting = self.game.pending[0].seat
            request = f"action {self._played}"
            answer = self._client.apply(self.game.game_id, acting, action, request_id=request)
            self.game = answer.table.game
            self._played += 1
        return self._client.get(self.game.game_id, seat, show=show).table

    def close(self) -> None:
        """Deletes the repeated game."""
        request = game_service_pb2.DeleteGameRequest(game_id=self.game.game_id, allow_missing=True)
        self._client.call(self._client.game_service.DeleteGame, request)


_: type[AnyTable] = Table
