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
from types import SimpleNamespace

import grpc
import pytest
from relay import Relay

from gamekeeper import (
    BoardStyle,
    Client,
    GamekeeperError,
    NotAllowedError,
    RefusedError,
    Server,
    Show,
    StaleVersionError,
    UnavailableError,
    act,
    gamekeeper_env,
    server,
)
from gamekeeper.caylus.v1 import options_pb2 as caylus
from gamekeeper.contract import ruleset, rulesets
from gamekeeper.dominion.v1 import action_pb2 as dominion, ids_pb2
from gamekeeper.v1 import access_service_pb2 as access, game_pb2, game_service_pb2 as pb

GOLD = act(dominion.Action(buy_card=dominion.BuyCard(card=ids_pb2.CARD_GOLD)))
EVENTS = Show(events=True, text=True)


@pytest.fixture
def relay() -> Iterator[Relay]:
    relay = Relay(server.shared().address)
    yield relay
    relay.close()


def new_game(client: Client, name: str = "dominion") -> game_pb2.GameInfo:
    return client.create(name, ["Ada", "Bob"]).table.game


def play_on(client: Client, game: game_pb2.GameInfo, actions: int, luck: random.Random) -> game_pb2.GameInfo:
    for _ in range(actions):
        if not game.pending:
            break
        seat = game.pending[0].seat
        legal = client.legal(game.game_id, seat)
        action = luck.choice(legal.actions).action
        game = client.apply(game.game_id, seat, action, expected_version=legal.version).table.game
    return game


def test_every_ruleset_is_played(table: tuple[str, int], client: Client) -> None:
    name, players = table
    created = client.create(name, [f"Player {seat}" for seat in range(players)], seed=bytes(32), show=Show(view=True, events=True))
    game = created.table.game
    assert [player.seat for player in game.players] == list(range(1, players + 1))
    assert created.table.view.WhichOneof("ruleset") == game.ruleset == name
    assert created.entry.version == 1 and all(event.kind for event in created.entry.events)
    legal = client.legal(game.game_id, game.pending[0].seat, show=Show(text=True))
    assert legal.actions and all(action.text and action.kind for action in legal.actions)
    assert all(action.action.WhichOneof("ruleset") == name for action in legal.actions)
    played = play_on(client, game, 10, random.Random(1))
    assert played.version == 11
    seen = client.get(played.game_id, 1, show=Show(view=True, board=BoardStyle(columns=100))).table
    assert seen.game == played and seen.board and seen.viewer.seat == 1
    assert seen.view.WhichOneof("ruleset") == name
    before = client.get(played.game_id, 1, at_version=5).table
    assert before.game.version == 5 and not before.HasField("view") and not before.board


def test_a_list_of_several_pages_is_one(client: Client) -> None:
    luck, longest = random.Random(3), 0
    game = client.create("mythotopia", ["Ada", "Bob"], seed=bytes(32)).table.game
    while longest < 2:
        seat = game.pending[0].seat
        longest = max(longest, len(client.legal(game.game_id, seat).actions))
        if longest < 2:
            game = play_on(client, game, 1, luck)
    whole, list_page = client.legal(game.game_id, seat), client.game_service.ListLegalActions

    class InPages:
        """A listing method that asks for the smallest pages."""

        def with_call(self, request: pb.ListLegalActionsRequest, **settings: object) -> tuple[pb.ListLegalActionsResponse, grpc.Call]:
            self.calls += 1
            request.page_size = 1
            return list_page.with_call(request, **settings)  # type: ignore[arg-type]

        calls = 0

    with Client(client.connection.address) as other:
        other.game_service.ListLegalActions = pages = InPages()  # type: ignore[assignment]
        assert other.legal(game.game_id, seat) == whole
        assert pages.calls == len(whole.actions) > 1


def test_catalogue_and_rulesets(client: Client) -> None:
    assert {found.id for found in client.rulesets()} >= {"dominion", "kingsburg"}
    catalogue = client.catalogue("dominion")
    names = {card.card: card.name for card in catalogue.dominion.cards}
    assert names[ids_pb2.CARD_GOLD] == "Gold"
    for name in rulesets():
        assert {term.id for term in client.catalogue(name).terms} >= set(ruleset(name).decisions)


def test_refusals_are_typed(client: Client) -> None:
    game = new_game(client)
    seat = game.pending[0].seat
    with pytest.raises(RefusedError) as refused:
        client.apply(game.game_id, seat, GOLD)
    assert (refused.value.code, refused.value.reason, refused.value.rule) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "CANNOT_AFFORD",
        "DOM-6.10",
    )
    assert refused.value.detail is not None and refused.value.detail.dominion.HasField("cannot_afford")
    assert refused.value.metadata["rule"] == "DOM-6.10" and "CANNOT_AFFORD: " in str(refused.value)
    with pytest.raises(RefusedError) as early:
        client.apply(game.game_id, 3 - seat, GOLD)
    assert early.value.detail is not None and early.value.detail.not_your_turn.to_act == seat
    with pytest.raises(StaleVersionError) as stale:
        client.apply(game.game_id, seat, GOLD, expected_version=7)
    assert stale.value.metadata["current"] == "1"
    with pytest.raises(GamekeeperError, match="NO_SUCH_GAME") as missing:
        client.get("00000000-0000-0000-0000-000000000000")
    assert missing.value.code is grpc.StatusCode.NOT_FOUND and not missing.value.is_passing
    with pytest.raises(ValueError, match="no ruleset 'chess'"):
        client.catalogue("chess")
    assert client.get(game.game_id).table.game.version == 1


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
        game, tokens = created.table.game, [seat.token for seat in created.tokens.seats]
        seat = game.pending[0].seat
        token, other = tokens[seat - 1], tokens[2 - seat]
        legal = player.legal(game.game_id, seat, token=token)
        action = legal.actions[0].action
        with pytest.raises(NotAllowedError):
            player.apply(game.game_id, seat, action, token=other)
        holder = access.TokenHolder(seat=access.SeatOfGame(game_id=game.game_id, seat=seat))
        owner.call(owner.access_service.RevokeTokens, access.RevokeTokensRequest(holder=holder))
        with pytest.raises(NotAllowedError):
            player.apply(game.game_id, seat, action, token=token)
        new = owner.call(owner.access_service.IssueToken, access.IssueTokenRequest(holder=holder)).token
        assert player.apply(game.game_id, seat, action, token=new).table.game.version == 2
        env = gamekeeper_env("dominion", address=own.address, token="sesame")
        env.reset(seed=1)
        assert env.observe(env.agent_selection)["action_mask"].any()
        env.close()
        with pytest.raises(NotAllowedError):
            gamekeeper_env("dominion", address=own.address, token="guess").reset()


def test_the_time_of_the_server_is_known_on_a_machine_whose_clock_is_wrong(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    hour = 3_600.0
    # The clock that the package reads, and no other: deadlines of calls use the machine's.
    wrong = SimpleNamespace(time=lambda: time.time() - hour, sleep=time.sleep, monotonic=time.monotonic)
    monkeypatch.setattr("gamekeeper.connection.time", wrong)
    with Client(client.connection.address) as late:
        assert abs(late.now() - time.time()) >= hour - 1
        new_game(late, "dominion")
        assert abs(late.now() - time.time()) < 10


def test_creation_is_idempotent(client: Client) -> None:
    one = client.create("kingsburg", ["Ada", "Bob"], request_id="once").table.game
    assert client.create("kingsburg", ["Ada", "Bob"], request_id="once").table.game.game_id == one.game_id
    assert new_game(client, "kingsburg").game_id != one.game_id


def test_options_as_json_and_as_messages(client: Client) -> None:
    for options in ({"simplifiedFavors": True}, caylus.Options(simplified_favors=True)):
        created = client.create("caylus", ["Ada", "Bob"], options, show=Show(view=True))
        assert created.table.view.caylus.simplified_favors
    with pytest.raises(GamekeeperError) as refused:
        client.create("caylus", ["Ada", "Bob"], {"turnOrder": [1, 1]})
    assert refused.value.metadata["field"].startswith("options.caylus.turn_order")


def test_what_happens_beside_the_rules_is_an_event(client: Client) -> None:
    game = client.create("kingsburg", ["Ada", "Bob", "Cid"], table=game_pb2.TableOptions(take_back=game_pb2.TAKE_BACK_POLICY_AGREED)).table.game
    played = play_on(client, game, 3, random.Random(1))
    service = client.game_service
    asked = client.call(service.TakeBack, pb.TakeBackRequest(game_id=game.game_id, seat=1, to_version=2)).game
    assert (asked.proposal.seat, asked.proposal.take_back.to_version) == (1, 2)
    for seat in (2, 3):
        answer = pb.AnswerProposalRequest(game_id=game.game_id, seat=seat, number=asked.proposal.number, agrees=True)
        asked_back = client.call(service.AnswerProposal, answer).game
    assert not asked_back.HasField("proposal")
    client.call(service.Resign, pb.ResignRequest(game_id=game.game_id, seat=2))
    filled = client.call(service.FillSeat, pb.FillSeatRequest(game_id=game.game_id, seat=2)).game
    assert not filled.resigned
    request = pb.ListEventsRequest(game_id=game.game_id, after_version=played.version, show=EVENTS)
    events = [event for entry in client.call(service.ListEvents, request).entries for event in entry.events]
    kinds = [event.table.WhichOneof("kind") for event in events if event.HasField("table")]
    assert kinds == ["proposed", "answered", "taken_back", "resigned", "seat_filled"]
    assert all(event.kind == event.table.WhichOneof("kind") and event.text for event in events if event.HasField("table"))


def test_an_action_whose_answer_is_lost_is_played_once(relay: Relay) -> None:
    with Client(relay.address) as client:
        game = new_game(client, "kingsburg")
        luck = random.Random(1)
        for _ in range(5):
            seat = game.pending[0].seat
            action = luck.choice(client.legal(game.game_id, seat).actions).action
            before = relay.connections
            relay.deaf = True
            played = client.apply(game.game_id, seat, action, show=EVENTS)
            assert played.table.game.version == played.entry.version == game.version + 1
            assert played.entry.events and relay.connections > before
            game = played.table.game


def test_watches_are_resumed(relay: Relay, client: Client) -> None:
    game, luck = new_game(client), random.Random(1)
    with Client(relay.address) as follower:
        watch = follower.watch(game.game_id, show=EVENTS)
        first = next(watch)
        assert first.table.game.version == 1 and not first.HasField("entry")
        for cuts in range(1, 5):
            begun = game.version
            game = play_on(client, game, 10, luck)
            seen = [next(watch) for _ in range(10)]
            assert [message.table.game.version for message in seen] == list(range(begun + 1, begun + 11))
            assert [message.entry.version for message in seen] == list(range(begun + 1, begun + 11))
            assert all(message.entry.seat in (1, 2) for message in seen)
            assert all(any(event.text for event in message.entry.events) for message in seen)
            relay.cut()
            assert relay.connections >= cuts
        watch.close()


def test_a_watch_ends_with_its_game(client: Client) -> None:
    game = new_game(client, "kingsburg")
    with ThreadPoolExecutor() as pool:
        seen = pool.submit(list, client.watch(game.game_id, 1, after_version=1, show=Show(view=True, events=True)))
        client.call(client.game_service.Resign, pb.ResignRequest(game_id=game.game_id, seat=2))
        (last,) = seen.result(30)
    assert last.table.game.status == game_pb2.GAME_STATUS_FINISHED
    assert last.table.view.HasField("kingsburg")
    ended = last.entry.events[-1].table.ended
    assert ended.reason == last.table.game.end_reason == game_pb2.END_REASON_RESIGNATION


def test_a_silent_watch_is_opened_again(relay: Relay, client: Client) -> None:
    game = new_game(client)
    with Client(relay.address) as follower:
        watch = follower.watch(game.game_id, after_version=1, silence=0.3)
        with ThreadPoolExecutor() as pool:
            following = pool.submit(next, watch)
            time.sleep(1.0)
            assert not following.done()
            play_on(client, game, 1, random.Random(1))
            assert following.result(20).table.game.version == 2
        watch.close()


def test_a_target_of_several_addresses() -> None:
    with Server() as one, Server() as other:
        for target in (f"ipv4:{one.address},{other.address}", f"ipv4:127.0.0.1:1,{other.address}"):
            with Client(target) as client:
                assert client.rulesets()


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
        game = new_game(client)
        assert client.get(game.game_id).table.game == game
