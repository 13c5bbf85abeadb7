"""Tries the client: python trial.py GAMEKEEPERD. The server is killed in the middle of the game."""

import contextlib
import io
import re
import socket
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Callable

import grpc
from google.rpc.error_details_pb2 import ErrorInfo

import play
from gamekeeper.v1 import game_pb2, game_service_pb2 as pb, messages_pb2 as messages, ruleset_service_pb2 as rules
from gamekeeper.v1.game_service_pb2_grpc import GameServiceStub
from gamekeeper.v1.ruleset_service_pb2_grpc import RulesetServiceStub

# The server is killed after it has answered with these versions.
KILLS = [20, 45]

# Actions of a game of each ruleset that random players play; the game of Dominion is played to its end.
ACTIONS = 120


class Server:
    """A gamekeeperd over one data directory. Each of its lives has another port; `line` stays."""

    def __init__(self, binary: str, folder: str) -> None:
        self.command = [binary, "--listen", "127.0.0.1:0", "--store", "embedded", "--data-dir", folder]
        self.start()
        listener = socket.create_server(("127.0.0.1", 0))
        self.line = f"127.0.0.1:{listener.getsockname()[1]}"
        threading.Thread(target=self.relay, args=(listener,), daemon=True).start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        lines = self.process.stderr
        assert lines is not None
        for line in lines:
            if found := re.match(r"Gamekeeper listens on ([\d.]+):(\d+)", line):
                self.address = found[1], int(found[2])
                break
        else:
            raise AssertionError("the server does not start")
        threading.Thread(target=lines.read, daemon=True).start()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def restart(self) -> None:
        self.kill()
        self.start()

    def relay(self, listener: socket.socket) -> None:
        while True:
            near, _ = listener.accept()
            try:
                far = socket.create_connection(self.address)
            except OSError:
                near.close()
                continue
            for one, other in ((near, far), (far, near)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=pump, args=(one, other), daemon=True).start()


def pump(one: socket.socket, other: socket.socket) -> None:
    """Hands on what comes until one end closes, then closes both."""
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    for end in (one, other):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def expect_refusal(call: Callable[[], object], code: grpc.StatusCode, reason: str) -> ErrorInfo:
    """The call fails with this status and this reason."""
    try:
        call()
    except grpc.RpcError as error:
        info = play.failure(error).info
        assert error.code() == code, (error.code(), code)
        assert (info.domain, info.reason) == ("gamekeeper", reason), info
        return info
    raise AssertionError(f"{reason} expected, the call went well")


def refusals(games: GameServiceStub, game: game_pb2.GameInfo) -> None:
    """Errors carry a code to branch on."""

    def act(seat: int, action: messages.Action = play.BUY_GOLD, expected_version: int = 0) -> Callable[[], object]:
        request = pb.ApplyActionRequest(
            game_id=game.game_id, seat=seat, action=action, expected_version=expected_version
        )
        return lambda: games.ApplyAction(request)

    code, seat = grpc.StatusCode, game.pending[0].seat
    refused = expect_refusal(act(seat), code.FAILED_PRECONDITION, "CANNOT_AFFORD")
    assert refused.metadata["rule"] == "DOM-6.10", refused
    expect_refusal(act(3 - seat), code.FAILED_PRECONDITION, "NOT_YOUR_TURN")
    expect_refusal(act(0), code.INVALID_ARGUMENT, "NO_SUCH_SEAT")
    expect_refusal(act(seat, messages.Action()), code.INVALID_ARGUMENT, "MALFORMED")
    stale = expect_refusal(act(seat, expected_version=7), code.ABORTED, "STALE_VERSION")
    assert stale.metadata["current"] == "1", stale


def follow(games: GameServiceStub, game_id: str, seen: list[int]) -> None:
    """Notes the versions of a game until it is over."""
    for message in play.watch(games, game_id, 1):
        assert message.entry.version == message.table.game.version
        seen.append(message.entry.version)


def whole_game(server: Server, games: GameServiceStub, game: game_pb2.GameInfo) -> game_pb2.GameInfo:
    """Plays a game over kills; every action is played once. Gives the facts of its end."""
    kills = list(KILLS)
    for request, answer in play.play(games, game, play.big_money):
        assert answer.table.game.version == game.version + 1 == answer.entry.version
        assert any(event.text for event in answer.entry.events)
        game = answer.table.game
        if kills and game.version >= kills[0]:
            kills.pop(0)
            restarting = threading.Thread(target=server.restart)
            restarting.start()
            # A request answered before the kill gets the same answer during and after it.
            assert play.again(games.ApplyAction, request) == answer
            restarting.join()
            assert play.again(games.ApplyAction, request) == answer
    assert not kills
    return game


def every_ruleset(games: GameServiceStub, about: RulesetServiceStub) -> int:
    """Plays every ruleset with this one piece of code. Returns the number of rulesets."""
    rulesets = about.ListRulesets(rules.ListRulesetsRequest()).rulesets
    for ruleset in rulesets:
        game = play.new_game(games, ruleset.id)
        for request, answer in play.play(games, game, play.anything):
            assert request.action.WhichOneof("ruleset") == ruleset.id
            events = answer.entry.events
            assert events and all(event.kind for event in events)
            assert {event.WhichOneof("ruleset") for event in events} <= {ruleset.id, None}
            game = answer.table.game
            if game.version > ACTIONS:
                break
    return len(rulesets)


def main(binary: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(binary, folder)
        try:
            with play.connect(server.line) as channel:
                trial(server, GameServiceStub(channel))
                count = every_ruleset(GameServiceStub(channel), RulesetServiceStub(channel))
                print(f"{count} rulesets played")
            told = io.StringIO()
            with contextlib.redirect_stdout(told):
                play.main(server.line)
            assert "refused: CANNOT_AFFORD, rule DOM-6.10" in told.getvalue(), told.getvalue()
            assert "Gold costs 6, and there are 0 coins" in told.getvalue(), told.getvalue()
            assert "rank 1" in told.getvalue(), told.getvalue()
        finally:
            server.kill()


def trial(server: Server, games: GameServiceStub) -> None:
    players = [game_pb2.Player(name="Ada"), game_pb2.Player(name="Bob")]
    request = pb.CreateGameRequest(ruleset="dominion", players=players, request_id=str(uuid.uuid4()))
    game = games.CreateGame(request).table.game
    assert games.CreateGame(request).table.game.game_id == game.game_id
    refusals(games, game)
    seen: list[int] = []
    follower = threading.Thread(target=follow, args=(games, game.game_id, seen))
    follower.start()
    game = whole_game(server, games, game)
    follower.join(30)
    assert game.status == game_pb2.GAME_STATUS_FINISHED
    assert seen == list(range(2, game.version + 1)), seen
    print(f"{game.version - 1} actions played and watched over {len(KILLS)} kills")


if __name__ == "__main__":
    main(sys.argv[1])
