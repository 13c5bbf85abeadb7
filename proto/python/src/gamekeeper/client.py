"""A client that plays, reads and follows games of every ruleset."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

import grpc
from google.protobuf.message import Message

from . import requests
from .connection import Connection, Request, Response, Stream, Tries
from .contract import ruleset
from .errors import GamekeeperError, UnavailableError, ended_early, from_rpc
from .following import ManyGames, OneGame, TenantFeed, told_time
from .v1 import game_pb2, game_service_pb2 as pb, messages_pb2, ruleset_service_pb2
from .v1.access_service_pb2_grpc import AccessServiceStub
from .v1.game_service_pb2_grpc import GameServiceStub
from .v1.ruleset_service_pb2_grpc import RulesetServiceStub

Request_co = TypeVar("Request_co", covariant=True)
Response_contra = TypeVar("Response_contra", contravariant=True)


class Followed(Protocol[Request_co, Response_contra]):
    """The games that a stream follows, and the position that it has reached."""

    @property
    def request(self) -> Request_co: ...

    @property
    def is_over(self) -> bool: ...

    def tells(self, message: Response_contra) -> bool: ...


class Client:
    """Calls of one server. Every call is safe to retry, and is retried for reasons that pass."""

    def __init__(self, address: str, token: str | None = None, credentials: grpc.ChannelCredentials | None = None) -> None:
        """`token` is the bearer token of whoever calls, `credentials` those of `grpc.ssl_channel_credentials`."""
        self._use(Connection(address, token, credentials))

    @classmethod
    def over(cls, connection: Connection) -> Client:
        """A client over a connection that is open."""
        client = cls.__new__(cls)
        client._use(connection)
        return client

    def _use(self, connection: Connection) -> None:
        self.connection = connection
        self.game_service = GameServiceStub(connection.channel)
        self.access_service = AccessServiceStub(connection.channel)
        self.ruleset_service = RulesetServiceStub(connection.channel)

    def close(self) -> None:
        """Ends all calls and watches."""
        self.connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, method: grpc.UnaryUnaryMultiCallable[Request, Response], request: Request, token: str | None = None) -> Response:
        """Any call that is answered once: `client.call(client.game_service.ListGames, ListGamesRequest())`.

        A call that fails for a passing reason is sent again. The `request_id` of a request that changes something marks
        the retry as the same request.
        """
        return self.connection.call(method, request, token)

    def now(self) -> float:
        """The time of the server in seconds since the Unix epoch, whatever the clock of this machine says.

        Count down to `PendingDecision.due` by it. The answers to calls and the bookmarks of streams keep it right.
        """
        return self.connection.server_time.now()

    def rulesets(self) -> tuple[ruleset_service_pb2.Ruleset, ...]:
        """The rulesets that the server keeps, with the options of each."""
        return tuple(self.call(self.ruleset_service.ListRulesets, ruleset_service_pb2.ListRulesetsRequest()).rulesets)

    def catalogue(self, name: str) -> messages_pb2.Catalogue:
        """The components of a ruleset, and the words for people."""
        request = ruleset_service_pb2.GetCatalogueRequest(ruleset=ruleset(name).name)
        return self.call(self.ruleset_service.GetCatalogue, request).catalogue

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
        start: game_pb2.GameStart.ValueType = game_pb2.GAME_START_UNSPECIFIED,
        position: Mapping[str, Any] | Message | None = None,
        show: pb.Show | None = None,
    ) -> pb.CreateGameResponse:
        """A new game. `options` is the ruleset's `Options`, or what protobuf JSON has for it; `position` describes the
        table on which it begins, by the ruleset's `View` or in the same way."""
        request = requests.create(
            name,
            players,
            options,
            seed=seed,
            request_id=request_id,
            table=table,
            labels=labels,
            start=start,
            position=position,
            show=show,
        )
        return self.call(self.game_service.CreateGame, request)

    def get(
        self,
        game_id: str,
        seat: int = 0,
        *,
        at_version: int = 0,
        show: pb.Show | None = None,
        token: str | None = None,
    ) -> pb.GetGameResponse:
        """The table as a seat sees it; seat 0: as the token says, otherwise as a spectator."""
        request = pb.GetGameRequest(game_id=game_id, viewer=requests.viewer(seat), at_version=at_version, show=show)
        return self.call(self.game_service.GetGame, request, token)

    def legal(
        self,
        game_id: str,
        seat: int,
        *,
        kinds: Sequence[str] = (),
        detail: pb.ListDetail.ValueType = pb.LIST_DETAIL_UNSPECIFIED,
        show: pb.Show | None = None,
        token: str | None = None,
    ) -> pb.ListLegalActionsResponse:
        """Every legal action of a seat, all pages in one. Empty if the seat owes no decision."""
        request = pb.ListLegalActionsRequest(game_id=game_id, seat=seat, kinds=kinds, detail=detail, show=show)
        found = page = self.call(self.game_service.ListLegalActions, request, token)
        while page.next_page_token:
            request.page_token = page.next_page_token
            page = self.call(self.game_service.ListLegalActions, request, token)
            found.actions.extend(page.actions)
        found.next_page_token = ""
        return found

    def apply(
        self,
        game_id: str,
        seat: int,
        action: messages_pb2.Action,
        *,
        expected_version: int = 0,
        request_id: str | None = None,
        show: pb.Show | None = None,
        token: str | None = None,
    ) -> pb.ApplyActionResponse:
        """Plays an action, once: a lost answer is asked for again with the same request id.

        Raises `RefusedError` when the rules say no, and `StaleVersionError` when the game has moved on.
        """
        request = requests.apply(
            game_id, seat, action, expected_version=expected_version, request_id=request_id, show=show
        )
        return self.call(self.game_service.ApplyAction, request, token)

    def watch(
        self,
        game_id: str,
        seat: int = 0,
        *,
        after_version: int = 0,
        show: pb.Show | None = None,
        silence: float = 60.0,
        token: str | None = None,
    ) -> Iterator[pb.WatchGameResponse]:
        """The table now, unless a version is named, and then every version, in order and once, until the game is over.

        Every message has a table. A watch that breaks is resumed after the last version. One on which the service says
        nothing for `silence` seconds, not even that nothing is new, counts as broken.
        """
        following = OneGame(game_id, seat, after_version, show)
        return self._resumed(self.game_service.WatchGame, following, silence, token)

    def feed(
        self,
        games: Mapping[str, int] | Iterable[str] = (),
        *,
        user: str = "",
        show: pb.Show | None = None,
        silence: float = 60.0,
        token: str | None = None,
    ) -> Iterator[pb.WatchGamesResponse]:
        """Follows many games: the named ones until all are over, or those of a user without end.
        With nothing named, a user's token follows the games of its user.

        `games` are ids, or ids with the last version that the caller has. Every message has a change, or a game that is
        no longer followed. A feed that breaks is resumed after the last version of each game.
        """
        following = ManyGames(games, user, show)
        return self._resumed(self.game_service.WatchGames, following, silence, token)

    def tenant_feed(
        self,
        selected: pb.GameFilter | None = None,
        *,
        cursor: str = "",
        since: datetime | None = None,
        show: pb.Show | None = None,
        silence: float = 60.0,
        token: str | None = None,
    ) -> Iterator[pb.WatchGamesResponse]:
        """Everything that happens in all games of the tenant that are selected, without end.

        Every message has a cursor: store it once the message is handled, and give it back to go on there, hours or days
        later. Every version comes at least once, in order for each game. A message without change and without a game
        that is left only moves the cursor on. Without a cursor the feed begins now, or at a time.
        """
        following = TenantFeed(requests.tenant_feed(selected, cursor, since, show))
        return self._resumed(self.game_service.WatchGames, following, silence, token)

    def _resumed(
        self,
        method: grpc.UnaryStreamMultiCallable[Request, Response],
        following: Followed[Request, Response],
        silence: float,
        token: str | None,
    ) -> Iterator[Response]:
        """Yields the messages of a stream until it is over, and resumes it when it breaks."""
        tries = Tries(self.connection.patience)
        while not following.is_over:
            try:
                for message in self._stream(method, following.request, silence, token):
                    tries.succeeded()
                    told = told_time(message)
                    if told is not None:
                        self.connection.server_time.heard(told)
                    if following.tells(message):
                        yield message
                    if following.is_over:
                        return
                raise ended_early()
            except GamekeeperError as error:
                tries.failed(error)

    def _stream(
        self, method: grpc.UnaryStreamMultiCallable[Request, Response], request: Request, silence: float, token: str | None
    ) -> Iterator[Response]:
        """One stream, until it ends."""
        stream = self.connection.stream(method, request, token)
        try:
            yield from _heard(stream, silence)
        except grpc.RpcError as error:
            if error.code() is grpc.StatusCode.CANCELLED:
                raise UnavailableError(error.code(), "", "the stream broke off") from error
            raise from_rpc(error) from error
        finally:
            stream.cancel()


def _heard(stream: Stream[Response], silence: float) -> Iterator[Response]:
    """The messages of a stream, which is canceled when none arrives for some seconds."""
    messages = iter(stream)
    while True:
        clock = threading.Timer(silence, stream.cancel)
        clock.start()
        try:
            message = next(messages)
        except StopIteration:
            return
        finally:
            clock.cancel()
        yield message
