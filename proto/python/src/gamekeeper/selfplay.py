"""The self-play stream: many games side by side in the memory of a server."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from typing import Any

import grpc
from google.protobuf.message import Message

from .connection import Connection, Stream, Tries
from .contract import options_of, ruleset
from .errors import GamekeeperError, from_rpc
from .v1 import game_service_pb2, messages_pb2, self_play_service_pb2 as pb
from .v1.self_play_service_pb2_grpc import SelfPlayServiceStub

# The service lists at most as many actions in an observation.
MAX_ACTIONS = 10_000

# Moves of one message: it stays below the largest request that a server takes by default.
_MOVES = 2_000


class Answer:
    """The outcome of moves: games that ended, and games that wait for a move."""

    def __init__(self) -> None:
        self.results: list[pb.SelfPlayResult] = []
        self.observations: list[pb.SelfPlayObservation] = []
        self.space = pb.SelfPlaySpace()
        """The meaning of the numbers: in the first answer, if the plan shows numbers."""


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
        show: pb.SelfPlayShow | None = None,
        max_actions: int = 0,
        max_versions: int = 0,
        detail: game_service_pb2.ListDetail.ValueType = game_service_pb2.LIST_DETAIL_UNSPECIFIED,
        start: pb.SelfPlayStart.ValueType = pb.SELF_PLAY_START_UNSPECIFIED,
        positions: Sequence[messages_pb2.View] = (),
    ) -> None:
        """Opens the stream; `first` has its first answer. The arguments are the fields of `SelfPlayPlan`.

        Waits up to the connection's patience while the server cannot be reached or has no place.
        """
        self._process = os.getpid()
        plan = pb.SelfPlayPlan(
            ruleset=ruleset(name).name,
            seats=seats,
            games=games,
            total_games=total_games,
            seed=seed,
            options=None if options is None else options_of(name, options),
            show=show,
            max_actions=max_actions,
            max_versions=max_versions,
            detail=detail,
            start=start,
            positions=positions,
        )
        self._service = SelfPlayServiceStub(connection.channel)
        self._connection = connection
        tries = Tries(connection.patience)
        while True:
            try:
                self.first = self._open(pb.SelfPlayRequest(plan=plan))
                return
            except GamekeeperError as error:
                tries.failed(error)  # Nothing was played, so the same plan can be sent again.

    def play(self, choices: Sequence[tuple[int, int]]) -> Answer:
        """Plays moves, each the slot of a game and the place of an action in its legal list, in this order."""
        self._check_process()
        answer = Answer()
        for begin in range(0, len(choices), _MOVES):
            request = pb.SelfPlayRequest()
            add = request.moves.moves.add
            for slot, index in choices[begin : begin + _MOVES]:
                add(slot=slot, index=index)
            self._requests.put(request)
        for _ in range(0, len(choices), _MOVES):
            self._answer(answer)
        return answer

    def abandon(self, slot: int) -> Answer:
        """Ends a game without a result; the next one takes its slot."""
        self._check_process()
        request = pb.SelfPlayRequest()
        request.moves.moves.add(slot=slot).abandon.SetInParent()
        self._requests.put(request)
        return self._answer()

    def close(self) -> None:
        """Ends the stream and its games."""
        self.is_open = False
        self._end()

    def _check_process(self) -> None:
        # In a forked process nobody answers, and calls would wait forever.
        if os.getpid() != self._process:
            raise RuntimeError("these games belong to the process that began them: begin games after the fork")

    def _open(self, plan: pb.SelfPlayRequest) -> Answer:
        self._requests: SimpleQueue[pb.SelfPlayRequest | None] = SimpleQueue()
        self._call = self._connection.converse(self._service.SelfPlay, iter(self._requests.get, None))
        self._answers = iter(self._call)
        # A stream that nobody holds any more ends, so it does not keep its place at the server.
        self._end = weakref.finalize(self, _end, self._requests, self._call)
        self._end.atexit = False
        self.is_open = True
        """Whether moves can be played."""
        self._requests.put(plan)
        try:
            return self._answer()
        except BaseException:
            self.close()
            raise

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
            if message.HasField("space"):
                answer.space = message.space
            answer.results += message.results
            answer.observations += message.observations
            more = message.more
        return answer


def _end(requests: SimpleQueue[pb.SelfPlayRequest | None], call: Stream[pb.SelfPlayResponse]) -> None:
    requests.put(None)
    call.cancel()
