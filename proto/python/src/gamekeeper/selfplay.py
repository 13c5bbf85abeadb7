"""The self-play stream: many games side by side in the memory of a server."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from typing import Any

import grpc
from google.protobuf.message import Message

from .client import options_of
from .connection import Connection
from .contract import message_class, ruleset
from .errors import from_rpc
from .v1 import self_play_pb2

# The most actions that the service lists in an observation.
MOST_ACTIONS = 10_000

# Moves of one message: it stays below the largest request that a server takes by default.
_MOVES = 2_000


class Answer:
    """What became of the moves: games that ended, and games that wait for a move."""

    def __init__(self) -> None:
        self.results: list[self_play_pb2.SelfPlayResult] = []
        self.observations: list[Any] = []


class Arena:
    """One self-play stream. Every batch of moves is answered before the next one is read."""

    def __init__(
        self,
        connection: Connection,
        name: str,
        seats: int,
        *,
        games: int = 1,
        total_games: int = 0,
        seed: bytes = b"",
        options: Mapping[str, Any] | Message | None = None,
        show: self_play_pb2.SelfPlayShow | None = None,
        most_actions: int = 0,
        most_versions: int = 0,
        detail: int = 0,
    ) -> None:
        """Opens the stream; `first` has its first answer. The arguments are the fields of `SelfPlayPlan`."""
        method = ruleset(name).method("SelfPlay")
        self._request = message_class(method.input_type)
        self._requests: SimpleQueue[Any] = SimpleQueue()
        plan: Any = self._request()
        plan.plan.seats = seats
        plan.plan.games = games
        plan.plan.total_games = total_games
        plan.plan.seed = seed
        plan.plan.most_actions = most_actions
        plan.plan.most_versions = most_versions
        plan.plan.detail = detail
        if options is not None:
            plan.plan.options.CopyFrom(options_of(name, options))
        if show is not None:
            plan.plan.show.CopyFrom(show)
        self._call = connection.converse(method, iter(self._requests.get, None))
        self._answers = iter(self._call)
        # A stream that nobody holds any more ends, so it does not keep its place at the server.
        self._end = weakref.finalize(self, _end, self._requests, self._call)
        self._end.atexit = False
        self.is_open = True
        """Can moves be played?"""
        self._requests.put(plan)
        try:
            self.first = self._answer()
        except BaseException:
            self.close()
            raise

    def play(self, choices: Sequence[tuple[int, int]]) -> Answer:
        """Plays moves, each the slot of a game and the place of an action in its legal list, in this order."""
        answer = Answer()
        for begin in range(0, len(choices), _MOVES):
            request: Any = self._request()
            add = request.moves.moves.add
            for slot, index in choices[begin : begin + _MOVES]:
                add(slot=slot, index=index)
            self._requests.put(request)
        for _ in range(0, len(choices), _MOVES):
            self._answer(answer)
        return answer

    def abandon(self, slot: int) -> Answer:
        """Ends a game without a result; the next one takes its slot."""
        request: Any = self._request()
        request.moves.moves.add(slot=slot).abandon.SetInParent()
        self._requests.put(request)
        return self._answer()

    def close(self) -> None:
        """Ends the stream and its games."""
        self.is_open = False
        self._end()

    def _answer(self, answer: Answer | None = None) -> Answer:
        answer = answer or Answer()
        more = True
        while more:
            try:
                message = next(self._answers, None)
            except grpc.RpcError as error:
                self.is_open = False
                raise from_rpc(error) from error
            if message is None:
                self.is_open = False
                return answer  # all games of the plan are played
            answer.results += message.results
            answer.observations += message.observations
            more = message.more
        return answer


def _end(requests: SimpleQueue[Any], call: Any) -> None:
    requests.put(None)
    call.cancel()
