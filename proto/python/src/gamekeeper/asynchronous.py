"""The client for programs that run on asyncio: as `Client`, with `await`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
from google.protobuf.message import Message

from . import requests
from .connection import Request, Response, ServerTime, Tries, bearer, options_for
from .contract import ruleset
from .errors import GamekeeperError, UnavailableError, ended_early, from_rpc
from .following import ManyGames, OneGame, TenantFeed, told_time
from .v1 import game_pb2, game_service_pb2 as pb, messages_pb2, ruleset_service_pb2
from .v1.access_service_pb2_grpc import AccessServiceStub
from .v1.game_service_pb2_grpc import GameServiceStub
from .v1.ruleset_service_pb2_grpc import RulesetServiceStub

if TYPE_CHECKING:
    from .client import Followed


class AsyncClient:
    """Calls of one server, with the same retries and errors as `Client`. Belongs to the event loop that made it."""

    def __init__(
        self,
        address: str,
        token: str | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        patience: float = 30.0,
        deadline: float = 10.0,
    ) -> None:
        """Does not connect yet. The arguments are those of `Connection`."""
        self.token = token
        self.patience = patience
        self.deadline = deadline
        self.server_time = ServerTime()
        if credentials is None:
            self.channel = grpc.aio.insecure_channel(address, options_for(address))
        else:
            self.channel = grpc.aio.secure_channel(address, credentials, options_for(address))
        self.game_service = GameServiceStub(self.channel)
        self.access_service = AccessServiceStub(self.channel)
        self.ruleset_service = RulesetServiceStub(self.channel)

    async def close(self) -> None:
        """Ends all calls and watches."""
        await self.channel.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def call(self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request, token: str | None = None) -> Response:
        """Any call that is answered once: `await client.call(client.game_service.ListGames, ListGamesRequest())`.

        A call that fails for a passing reason is sent again. The `request_id` of a request that changes something marks
        the retry as the same request.
        """
        tries = Tries(self.patience)
        while True:
            sent = time.time()
            try:
                call = method(request, timeout=self.deadline, metadata=bearer(token or self.token))
                answer = await call
                self.server_time.answered(await call.initial_metadata(), sent)
                return answer
            except grpc.RpcError as error:
                pause = tries.pause(from_rpc(error))
            await asyncio.sleep(pause)

    def now(self) -> float:
        """The time of the server in seconds since the Unix epoch, as `Client.now`."""
        return self.server_time.now()

    async def rulesets(self) -> tuple[ruleset_service_pb2.Ruleset, ...]:
        """The rulesets that the server keeps, with the options of each."""
        answer = await self.call(self.ruleset_service.ListRulesets, ruleset_service_pb2.ListRulesetsRequest())
        return tuple(answer.rulesets)

    async def catalogue(self, name: str) -> messages_pb2.Catalogue:
        """The components of a ruleset, and the words for people."""
        request = ruleset_service_pb2.GetCatalogueRequest(ruleset=ruleset(name).name)
        return (await self.call(self.ruleset_service.GetCatalogue, request)).catalogue

    async def create(
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
        """A new game, as `Client.create`."""
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
        return await self.call(self.game_service.CreateGame, request)

    async def get(
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
        return await self.call(self.game_service.GetGame, request, token)

    async def legal(
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
        found = page = await self.call(self.game_service.ListLegalActions, request, token)
        while page.next_page_token:
            request.page_token = page.next_page_token
            page = await self.call(self.game_service.ListLegalActions, request, token)
            found.actions.extend(page.actions)
        found.next_page_token = ""
        return found

    async def apply(
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
        """Plays an action, once, as `Client.apply`."""
        request = requests.apply(
            game_id, seat, action, expected_version=expected_version, request_id=request_id, show=show
        )
        return await self.call(self.game_service.ApplyAction, request, token)

    def watch(
        self,
        game_id: str,
        seat: int = 0,
        *,
        after_version: int = 0,
        show: pb.Show | None = None,
        silence: float = 60.0,
        token: str | None = None,
    ) -> AsyncGenerator[pb.WatchGameResponse, None]:
        """The table now, and then every version, in order and once, until the game is over, as `Client.watch`."""
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
    ) -> AsyncGenerator[pb.WatchGamesResponse, None]:
        """Follows many games, as `Client.feed` does."""
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
    ) -> AsyncGenerator[pb.WatchGamesResponse, None]:
        """Everything that happens in the tenant's games, as `Client.tenant_feed`."""
        following = TenantFeed(requests.tenant_feed(selected, cursor, since, show))
        return self._resumed(self.game_service.WatchGames, following, silence, token)

    async def _resumed(
        self,
        method: grpc.aio.UnaryStreamMultiCallable[Request, Response],
        following: Followed[Request, Response],
        silence: float,
        token: str | None,
    ) -> AsyncGenerator[Response, None]:
        """Yields the messages of a stream until it is over, and resumes it when it breaks."""
        tries = Tries(self.patience)
        while not following.is_over:
            stream = method(following.request, metadata=bearer(token or self.token))
            try:
                async for message in _heard(stream, silence):
                    tries.succeeded()
                    told = told_time(message)
                    if told is not None:
                        self.server_time.heard(told)
                    if following.tells(message):
                        yield message
                    if following.is_over:
                        return
                raise ended_early()
            except GamekeeperError as error:
                pause = tries.pause(error)
            finally:
                stream.cancel()
            await asyncio.sleep(pause)


async def _heard(stream: grpc.aio.UnaryStreamCall[Any, Response], silence: float) -> AsyncIterator[Response]:
    """The messages of a stream, which is given up when none arrives for some seconds."""
    messages = aiter(stream)
    while True:
        try:
            async with asyncio.timeout(silence):
                message = await anext(messages)
        except StopAsyncIteration:
            return
        except TimeoutError as late:
            raise UnavailableError(grpc.StatusCode.UNAVAILABLE, "", "the service was silent") from late
        except grpc.RpcError as error:
            raise from_rpc(error) from error
        yield message
