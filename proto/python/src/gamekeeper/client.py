"""A client that plays, reads and follows games of every ruleset."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message

from .connection import Connection, Tries
from .contract import message_class, packed, ruleset, unpacked
from .errors import GamekeeperError, UnavailableError, from_rpc
from .v1 import game_pb2, games_service_pb2, table_service_pb2 as pb

_TABLES = pb.DESCRIPTOR.services_by_name["TableService"]
_GAMES = games_service_pb2.DESCRIPTOR.services_by_name["GamesService"]


@dataclass(frozen=True)
class Created:
    """A new game."""

    info: game_pb2.GameInfo
    """Its public facts."""
    view: Any
    """The table as a spectator sees it: the ruleset's `View`."""
    seat_tokens: tuple[str, ...]
    """One token for each seat, in seat order; empty texts where the server runs without tokens."""
    spectator_token: str


@dataclass(frozen=True)
class Legal:
    """What a seat may do."""

    version: int
    actions: tuple[Any, ...]
    """The ruleset's `Action` messages, in the canonical order of the rules."""
    texts: tuple[str, ...]
    """The actions in English, if they were asked for."""
    exhaustive: bool
    """Is every legal action in the list?"""


@dataclass(frozen=True)
class Table:
    """A game as one viewer sees it after some version."""

    info: game_pb2.GameInfo
    view: Any
    """The ruleset's `View`; `None` if it was not asked for."""
    events: tuple[Any, ...] = ()
    """What the version brought about: the ruleset's `Event` messages."""
    board: str = ""
    """The table drawn as text, if it was asked for."""
    seat: int = 0
    """The seat that acted; 0: none."""


class Client:
    """Calls of one server. Every call is safe to retry, and is retried while the server cannot be reached."""

    def __init__(self, address: str, token: str | None = None, credentials: grpc.ChannelCredentials | None = None) -> None:
        """`token` is the bearer token of whoever calls, `credentials` those of `grpc.ssl_channel_credentials`."""
        self.connection = Connection(address, token, credentials)

    @classmethod
    def over(cls, connection: Connection) -> Client:
        """A client over a connection that is open."""
        client = cls.__new__(cls)
        client.connection = connection
        return client

    def close(self) -> None:
        """Ends all calls and watches."""
        self.connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rulesets(self) -> tuple[games_service_pb2.Ruleset, ...]:
        """The rulesets that the server keeps, with the options of each."""
        return tuple(self.games("ListRulesets", games_service_pb2.ListRulesetsRequest()).rulesets)

    def catalogue(self, name: str) -> Any:
        """The components of a ruleset: its `Catalogue`."""
        request = pb.GetCatalogueRequest(ruleset=ruleset(name).name)
        return unpacked(self._table("GetCatalogue", request).catalogue)

    def create(
        self,
        name: str,
        players: Sequence[str | game_pb2.Player],
        options: Mapping[str, Any] | Message | None = None,
        *,
        seed: bytes = b"",
        request_id: str | None = None,
        table: game_pb2.TableOptions | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> Created:
        """A new game. `options` is the ruleset's `Options`, or what protobuf JSON has for it."""
        named = [game_pb2.Player(name=player) if isinstance(player, str) else player for player in players]
        request = pb.CreateGameRequest(
            ruleset=name,
            players=named,
            options=None if options is None else packed(options_of(name, options)),
            request_id=request_id or str(uuid.uuid4()),
            seed=seed,
            table=table,
            labels=labels,
        )
        answer = self._table("CreateGame", request)
        tokens = tuple(seat.token for seat in answer.seat_tokens)
        return Created(answer.game, unpacked(answer.view), tokens, answer.spectator_token)

    def get(
        self,
        game_id: str,
        seat: int = 0,
        *,
        at_version: int = 0,
        board: game_pb2.BoardStyle | None = None,
        token: str | None = None,
    ) -> Table:
        """The table as a seat sees it; seat 0: as the token says, otherwise as a spectator."""
        request = pb.GetGameRequest(game_id=game_id, viewer=_viewer(seat), at_version=at_version, with_board=board)
        answer = self._table("GetGame", request, token)
        return Table(answer.game, unpacked(answer.view), board=answer.board)

    def legal(
        self,
        game_id: str,
        seat: int,
        *,
        kinds: Sequence[str] = (),
        detail: game_pb2.ListDetail = game_pb2.LIST_DETAIL_UNSPECIFIED,
        with_text: bool = False,
        token: str | None = None,
    ) -> Legal:
        """Every legal action of a seat, all pages of the list. Empty if the seat owes no decision."""
        request = pb.ListLegalActionsRequest(
            game_id=game_id, seat=seat, kinds=kinds, detail=detail, with_text=with_text
        )
        actions: list[Any] = []
        texts: list[str] = []
        while True:
            answer = self._table("ListLegalActions", request, token)
            actions += map(unpacked, answer.actions)
            texts += answer.texts
            request.page_token = answer.next_page_token
            if not answer.next_page_token:
                return Legal(answer.version, tuple(actions), tuple(texts), answer.exhaustive)

    def apply(
        self,
        game_id: str,
        seat: int,
        action: Message,
        *,
        expected_version: int = 0,
        request_id: str | None = None,
        with_text: bool = False,
        board: game_pb2.BoardStyle | None = None,
        token: str | None = None,
    ) -> Table:
        """Plays an action, once: a lost answer is asked for again with the same request id.

        Raises `RefusedError` when the rules say no, and `StaleVersionError` when the game has moved on.
        """
        request = pb.ApplyActionRequest(
            game_id=game_id,
            seat=seat,
            action=packed(action),
            expected_version=expected_version,
            request_id=request_id or str(uuid.uuid4()),
            with_text=with_text,
            with_board=board,
        )
        answer = self._table("ApplyAction", request, token)
        view = unpacked(answer.view) if answer.HasField("view") else None
        return Table(answer.game, view, tuple(map(unpacked, answer.events)), answer.board, seat)

    def watch(
        self,
        game_id: str,
        seat: int = 0,
        *,
        after_version: int = 0,
        with_text: bool = False,
        with_views: bool = False,
        silence: float = 60.0,
        token: str | None = None,
    ) -> Iterator[Table]:
        """The table now, unless a version is named, and then every version, in order and once, until the game is over.

        A watch that breaks is resumed after the last version. One on which not even a bookmark arrives for `silence`
        seconds counts as broken.
        """
        request = pb.WatchGameRequest(
            game_id=game_id,
            viewer=_viewer(seat),
            after_version=after_version,
            view_mode=game_pb2.VIEW_MODE_SEAT if with_views else game_pb2.VIEW_MODE_UNSPECIFIED,
            with_text=with_text,
        )
        tries = Tries(self.connection.patience)
        while True:
            try:
                for table in self._watched(request, silence, token):
                    tries.succeeded()
                    request.after_version = table.info.version
                    request.after_time.CopyFrom(table.info.update_time)
                    yield table
                    if table.info.status == game_pb2.GAME_STATUS_FINISHED:
                        return
            except GamekeeperError as error:
                tries.failed(error)

    def _watched(self, request: pb.WatchGameRequest, silence: float, token: str | None) -> Iterator[Table]:
        """One watch, until it ends."""
        call = self.connection.stream(_TABLES.methods_by_name["WatchGame"], request, token)
        try:
            for message in _heard(call, silence):
                match message.WhichOneof("update"):
                    case "start":
                        yield Table(message.start.game, unpacked(message.start.view), board=message.start.board)
                    case "version":
                        version = message.version
                        view = unpacked(version.view) if version.HasField("view") else None
                        events = tuple(map(unpacked, version.logged.events))
                        yield Table(version.game, view, events, version.board, version.logged.seat)
                    case _:
                        pass  # a bookmark: nothing new
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.CANCELLED:
                raise UnavailableError(error.code(), "", "the watch broke off") from error
            raise from_rpc(error) from error
        finally:
            call.cancel()

    def games(self, method: str, request: Message, token: str | None = None) -> Any:
        """Any call of `GamesService` that is answered once, such as `ListGames`, by its name."""
        return self.connection.call(_GAMES.methods_by_name[method], request, token)

    def _table(self, method: str, request: Message, token: str | None = None) -> Any:
        return self.connection.call(_TABLES.methods_by_name[method], request, token)


def options_of(name: str, options: Mapping[str, Any] | Message) -> Message:
    """The `Options` of a ruleset, from the message itself or from what protobuf JSON has for it."""
    if isinstance(options, Message):
        return options
    return json_format.ParseDict(dict(options), message_class(ruleset(name).options)())


def _viewer(seat: int) -> game_pb2.Viewer | None:
    return game_pb2.Viewer(kind=game_pb2.VIEWER_KIND_SEAT, seat=seat) if seat else None


def _heard(call: Any, silence: float) -> Iterator[Any]:
    """The messages of a stream, which is canceled when none arrives for some seconds."""
    messages = iter(call)
    while True:
        clock = threading.Timer(silence, call.cancel)
        clock.start()
        try:
            message = next(messages)
        except StopIteration:
            return
        finally:
            clock.cancel()
        yield message
