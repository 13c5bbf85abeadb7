"""The client: whole games, errors with codes, retries and watches over broken connections."""

from __future__ import annotations

import hashlib
import multiprocessing
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from relay import Relay

from gamekeeper import (
    Client,
    GamekeeperError,
    NotAllowedError,
    RefusedError,
    Server,
    StaleVersionError,
    UnavailableError,
    gamekeeper_env,
    server,
)
from gamekeeper.dominion.v1 import action_pb2, ids_pb2, refusal_pb2
from gamekeeper.v1 import game_pb2, games_service_pb2

GOLD = action_pb2.Action(buy_card=action_pb2.BuyCard(card=ids_pb2.CARD_GOLD))


@pytest.fixture
def relay() -> Iterator[Relay]:
    relay = Relay(server.shared().address)
    yield relay
    relay.close()


def play_on(client: Client, game: game_pb2.GameInfo, actions: int, luck: random.Random) -> game_pb2.GameInfo:
    for _ in range(actions):
        if not game.pending:
            break
        seat = game.pending[0].seat
        legal = client.legal(game.game_id, seat)
        game = client.apply(game.game_id, seat, luck.choice(legal.actions), expected_version=legal.version).info
    return game


def test_every_ruleset_is_played(table: tuple[str, int], client: Client) -> None:
    name, players = table
    created = client.create(name, [f"Player {seat}" for seat in range(players)], seed=bytes(32))
    assert [player.seat for player in created.info.players] == list(range(1, players + 1))
    assert len(created.seat_tokens) == players
    legal = client.legal(created.info.game_id, created.info.pending[0].seat, with_text=True)
    assert legal.exhaustive and len(legal.texts) == len(legal.actions) > 0
    played = play_on(client, created.info, 10, random.Random(1))
    assert played.version == 11
    seen = client.get(played.game_id, 1, board=game_pb2.BoardStyle(columns=100))
    assert seen.info == played and seen.board and type(seen.view) is type(created.view)
    assert client.get(played.game_id, 1, at_version=5).info.version == 5


def test_catalogue_and_rulesets(client: Client) -> None:
    assert {found.id for found in client.rulesets()} >= {"dominion", "kingsburg"}
    names = {card.card: card.name for card in client.catalogue("dominion").cards}
    assert names[ids_pb2.CARD_GOLD] == "Gold"


def test_refusals_are_typed(client: Client) -> None:
    game = client.create("dominion", ["Ada", "Bob"]).info
    seat = game.pending[0].seat
    with pytest.raises(RefusedError) as refused:
        client.apply(game.game_id, seat, GOLD)
    assert (refused.value.code, refused.value.reason, refused.value.rule) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "CANNOT_AFFORD",
        "DOM-6.10",
    )
    assert isinstance(refused.value.detail, refusal_pb2.RefusalDetail)
    assert refused.value.metadata["rule"] == "DOM-6.10" and "CANNOT_AFFORD: " in str(refused.value)
    with pytest.raises(StaleVersionError) as stale:
        client.apply(game.game_id, seat, GOLD, expected_version=7)
    assert stale.value.metadata["current"] == "1"
    with pytest.raises(GamekeeperError, match="NO_SUCH_GAME") as missing:
        client.get("00000000-0000-0000-0000-000000000000")
    assert missing.value.code is grpc.StatusCode.NOT_FOUND and not missing.value.is_passing
    with pytest.raises(ValueError, match="no ruleset 'chess'"):
        client.catalogue("chess")
    assert client.get(game.game_id).info.version == 1


def test_tokens(tmp_path: Path) -> None:
    tenant, signing = tmp_path / "tenants", tmp_path / "signing"
    tenant.write_text(f"club:{hashlib.sha256(b'sesame').hexdigest()}\n")
    signing.write_text("0123456789abcdef0123456789abcdef\n")
    flags = [f"--tenant-keys-file={tenant}", f"--token-keys-file={signing}", "--allow-seeds"]
    with Server(None, "--auth=tokens", *flags) as own, Client(own.address, "sesame") as owner, Client(own.address) as player:
        with pytest.raises(NotAllowedError) as error:
            player.create("dominion", ["Ada", "Bob"])
        assert error.value.reason == "NO_TOKEN"
        created = owner.create("dominion", ["Ada", "Bob"])
        seat = created.info.pending[0].seat
        token, other = created.seat_tokens[seat - 1], created.seat_tokens[2 - seat]
        legal = player.legal(created.info.game_id, seat, token=token)
        with pytest.raises(NotAllowedError):
            player.apply(created.info.game_id, seat, legal.actions[0], token=other)
        assert player.apply(created.info.game_id, seat, legal.actions[0], token=token).info.version == 2
        env = gamekeeper_env("dominion", address=own.address, token="sesame")
        env.reset(seed=1)
        assert env.observe(env.agent_selection)["action_mask"].any()
        env.close()
        with pytest.raises(NotAllowedError):
            gamekeeper_env("dominion", address=own.address, token="guess")


def test_creation_is_idempotent(client: Client) -> None:
    one = client.create("kingsburg", ["Ada", "Bob"], request_id="once")
    assert client.create("kingsburg", ["Ada", "Bob"], request_id="once").info.game_id == one.info.game_id
    assert client.create("kingsburg", ["Ada", "Bob"]).info.game_id != one.info.game_id


def test_options_as_json(client: Client) -> None:
    assert client.create("caylus", ["Ada", "Bob"], {"simplifiedFavors": True}).view.simplified_favors
    with pytest.raises(GamekeeperError) as refused:
        client.create("caylus", ["Ada", "Bob"], {"turnOrder": [1, 1]})
    assert refused.value.metadata["field"].startswith("options.turn_order")


def test_an_action_whose_answer_is_lost_is_played_once(relay: Relay) -> None:
    with Client(relay.address) as client:
        game = client.create("kingsburg", ["Ada", "Bob"]).info
        luck = random.Random(1)
        for _ in range(5):
            seat = game.pending[0].seat
            action = luck.choice(client.legal(game.game_id, seat).actions)
            before = relay.connections
            relay.deaf = True
            played = client.apply(game.game_id, seat, action)
            assert played.info.version == game.version + 1
            assert played.events and relay.connections > before
            game = played.info


def test_watches_are_resumed(relay: Relay, client: Client) -> None:
    game, luck = client.create("dominion", ["Ada", "Bob"]).info, random.Random(1)
    with Client(relay.address) as follower:
        watch = follower.watch(game.game_id, with_text=True)
        first = next(watch)
        assert first.info.version == 1 and first.view is not None
        for cuts in range(1, 5):
            begun = game.version
            game = play_on(client, game, 10, luck)
            seen = [next(watch) for _ in range(10)]
            assert [table.info.version for table in seen] == list(range(begun + 1, begun + 11))
            assert all(event.text for table in seen for event in table.events)
            assert all(table.seat in (1, 2) for table in seen)
            relay.cut()
            assert relay.connections >= cuts
        watch.close()


def test_a_watch_ends_with_its_game(client: Client) -> None:
    game = client.create("kingsburg", ["Ada", "Bob"]).info
    with ThreadPoolExecutor() as pool:
        seen = pool.submit(list, client.watch(game.game_id, 1, after_version=1, with_views=True))
        resigned = games_service_pb2.ResignRequest(game_id=game.game_id, seat=2)
        client.games("Resign", resigned)
        (last,) = seen.result(30)
    assert last.info.status == game_pb2.GAME_STATUS_FINISHED and last.view is not None


def test_a_silent_watch_is_opened_again(relay: Relay, client: Client) -> None:
    game = client.create("dominion", ["Ada", "Bob"]).info
    with Client(relay.address) as follower:
        watch = follower.watch(game.game_id, after_version=1, silence=0.3)
        with ThreadPoolExecutor() as pool:
            following = pool.submit(next, watch)
            time.sleep(1.0)
            assert not following.done()
            play_on(client, game, 1, random.Random(1))
            assert following.result(20).info.version == 2
        watch.close()


def test_who_cannot_be_reached() -> None:
    with Client("127.0.0.1:1") as nobody:
        nobody.connection.patience = 0.3
        begun = time.monotonic()
        with pytest.raises(UnavailableError) as error:
            nobody.rulesets()
        assert error.value.reason == "" and error.value.is_passing
        assert 0.1 < time.monotonic() - begun < 10


def test_a_server_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError, match="did not start"):
        Server(None, "--no-such-flag")
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("GAMEKEEPERD", raising=False)
    with pytest.raises(FileNotFoundError, match="GAMEKEEPERD"):
        Server()


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_ends_with_its_program(end: signal.Signals) -> None:
    code = "from gamekeeper import Server; import time; print(Server().address, flush=True); time.sleep(60)"
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    host, _, port = program.stdout.readline().strip().rpartition(":")
    socket.create_connection((host, int(port))).close()
    program.send_signal(end)
    program.wait()
    for _ in range(100):
        try:
            socket.create_connection((host, int(port))).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.05)
    raise AssertionError("the server goes on")


def test_a_server_ends_although_another_process_goes_on() -> None:
    own = Server()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        own.close()
        assert pool.apply(abs, (-1,)) == 1


def test_servers_are_their_own() -> None:
    with Server() as own, Client(own.address) as client:
        assert own.address != server.shared().address
        game = client.create("dominion", ["Ada", "Bob"]).info
        assert client.get(game.game_id).info == game
