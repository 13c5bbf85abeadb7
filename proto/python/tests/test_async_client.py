"""The client for asyncio: whole games, errors, retries, watches and feeds over broken connections."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TypeVar

import pytest
from relay import Relay

from gamekeeper import AsyncClient, Client, RefusedError, Show, UnavailableError, act, server
from gamekeeper.dominion.v1 import action_pb2 as dominion, ids_pb2
from gamekeeper.following import ManyGames
from gamekeeper.v1 import game_pb2, game_service_pb2 as pb

GOLD = act(dominion.Action(buy_card=dominion.BuyCard(card=ids_pb2.CARD_GOLD)))
Item = TypeVar("Item")


async def new_game(client: AsyncClient, name: str = "dominion") -> game_pb2.GameInfo:
    return (await client.create(name, ["Ada", "Bob"])).table.game


async def play_on(client: AsyncClient, game: game_pb2.GameInfo, actions: int, luck: random.Random) -> game_pb2.GameInfo:
    for _ in range(actions):
        seat = game.pending[0].seat
        legal = await client.legal(game.game_id, seat)
        action = luck.choice(legal.actions).action
        game = (await client.apply(game.game_id, seat, action, expected_version=legal.version)).table.game
    return game


async def taken(messages: AsyncIterator[Item], count: int) -> list[Item]:
    async with asyncio.timeout(30):
        return [await anext(messages) for _ in range(count)]


def test_games_of_all_rulesets_are_played_at_once() -> None:
    async def play(client: AsyncClient, name: str) -> int:
        game = await play_on(client, await new_game(client, name), 10, random.Random(1))
        seen = (await client.get(game.game_id, 1, show=Show(view=True))).table
        assert seen.view.WhichOneof("ruleset") == name and seen.game == game
        return game.version

    async def main() -> None:
        async with AsyncClient(server.shared().address) as client:
            names = [ruleset.id for ruleset in await client.rulesets()]
            assert len(names) >= 5
            assert await asyncio.gather(*(play(client, name) for name in names)) == [11] * len(names)
            assert (await client.catalogue("dominion")).dominion.cards

    asyncio.run(main())


def test_refusals_are_typed() -> None:
    async def main() -> None:
        async with AsyncClient(server.shared().address) as client:
            game = await new_game(client)
            with pytest.raises(RefusedError) as refused:
                await client.apply(game.game_id, game.pending[0].seat, GOLD)
            assert (refused.value.reason, refused.value.rule) == ("CANNOT_AFFORD", "DOM-6.10")
            assert refused.value.detail is not None and refused.value.detail.dominion.cannot_afford.cost == 6

    asyncio.run(main())


def test_an_action_whose_answer_is_lost_is_played_once() -> None:
    async def main(relay: Relay) -> None:
        async with AsyncClient(relay.address) as client:
            game, luck = await new_game(client, "kingsburg"), random.Random(1)
            for _ in range(5):
                seat = game.pending[0].seat
                action = luck.choice((await client.legal(game.game_id, seat)).actions).action
                before = relay.connections
                relay.deaf = True
                played = await client.apply(game.game_id, seat, action)
                assert played.table.game.version == game.version + 1
                assert relay.connections > before
                game = played.table.game

    relay = Relay(server.shared().address)
    asyncio.run(main(relay))
    relay.close()


def test_watches_and_feeds_are_resumed() -> None:
    async def main(relay: Relay) -> None:
        luck = random.Random(1)
        async with AsyncClient(server.shared().address) as client, AsyncClient(relay.address) as follower:
            game, other = await new_game(client), await new_game(client)
            watch = follower.watch(game.game_id, after_version=1, show=Show(events=True))
            feed = follower.feed({game.game_id: 1, other.game_id: 1})
            for cut in range(4):
                begun = game.version
                game = await play_on(client, game, 10, luck)
                expected = list(range(begun + 1, begun + 11))
                assert [message.entry.version for message in await taken(watch, 10)] == expected
                assert [message.change.table.game.version for message in await taken(feed, 10)] == expected
                relay.cut()
                assert relay.connections >= cut
            for finished in (game, other):
                await client.call(client.game_service.Resign, pb.ResignRequest(game_id=finished.game_id, seat=1))
            # Both end: the watch with its game, the feed with the last of its games.
            assert [message.table.game.status async for message in watch] == [game_pb2.GAME_STATUS_FINISHED]
            last = [message.change.table.game async for message in feed]
            assert {over.game_id for over in last} == {game.game_id, other.game_id}

    relay = Relay(server.shared().address)
    asyncio.run(main(relay))
    relay.close()


def test_a_silent_watch_is_opened_again() -> None:
    async def main(relay: Relay) -> None:
        async with AsyncClient(server.shared().address) as client, AsyncClient(relay.address) as follower:
            game = await new_game(client)
            watch: AsyncGenerator[pb.WatchGameResponse, None] = follower.watch(game.game_id, after_version=1, silence=0.3)
            following = asyncio.ensure_future(anext(watch))
            await asyncio.sleep(1.0)
            assert not following.done()
            await play_on(client, game, 1, random.Random(1))
            assert (await asyncio.wait_for(following, 20)).table.game.version == 2
            await watch.aclose()

    relay = Relay(server.shared().address)
    asyncio.run(main(relay))
    relay.close()


def test_a_server_that_cannot_be_reached() -> None:
    async def main() -> None:
        async with AsyncClient("127.0.0.1:1", patience=0.3) as nobody:
            with pytest.raises(UnavailableError) as error:
                await nobody.rulesets()
            assert error.value.reason == ""

    begun = time.monotonic()
    asyncio.run(main())
    assert 0.1 < time.monotonic() - begun < 10


def test_the_blocking_client_has_feeds_too(client: Client) -> None:
    game = client.create("kingsburg", ["Ada", "Bob"]).table.game
    relay = Relay(server.shared().address)
    with Client(relay.address) as follower:
        feed = follower.feed([game.game_id])
        assert next(feed).change.table.game.version == 1
        relay.cut()
        client.call(client.game_service.Resign, pb.ResignRequest(game_id=game.game_id, seat=1))
        assert [message.change.table.game.status for message in feed] == [game_pb2.GAME_STATUS_FINISHED]
    relay.close()


def test_a_tenant_feed_is_resumed_by_its_cursor(client: Client) -> None:
    mine = pb.GameFilter(labels={"run": str(random.random())})
    relay = Relay(server.shared().address)

    def versions(feed: Iterator[pb.WatchGamesResponse], last: int) -> tuple[list[int], str]:
        told: list[int] = []
        for message in feed:
            if message.HasField("change"):
                told.append(message.change.table.game.version)
                if told[-1] == last:
                    return told, message.cursor
        raise AssertionError(told)

    with Client(relay.address) as follower:
        feed = follower.tenant_feed(mine)
        assert next(feed).cursor
        game = client.create("kingsburg", ["Ada", "Bob"], labels=dict(mine.labels)).table.game
        told, cursor = versions(feed, 1)
        assert told == [1]
        relay.cut()
        client.call(client.game_service.Resign, pb.ResignRequest(game_id=game.game_id, seat=1))
        assert versions(feed, 2)[0][-1] == 2
        # Another process goes on from the cursor that was stored.
        assert versions(follower.tenant_feed(mine, cursor=cursor), 2)[0][-1] == 2
    relay.close()


def test_a_feed_of_a_users_token_resumes_by_the_user() -> None:
    following = ManyGames((), "", None)
    assert not following.is_over and following.request == pb.WatchGamesRequest()
    mine = game_pb2.GameInfo(game_id="1", version=7, players=[game_pb2.Player(name="Bob"), game_pb2.Player(name="Ada", user="ada")])
    change = pb.WatchGamesResponse(change=pb.GameChange(table=pb.Table(game=mine)))
    assert following.tells(change)
    assert following.request.user == "ada"
    assert [(game.game_id, game.after_version) for game in following.request.games] == [("1", 7)]
    assert following.tells(pb.WatchGamesResponse(left=pb.GameLeft(game_id="1")))
    assert not following.is_over, "another game may come"
    assert ManyGames([], "", None).tells(change) and not ManyGames(["1"], "", None).is_over
