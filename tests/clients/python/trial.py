"""Tries the client: python trial.py GAMEKEEPERD. The server is killed in the middle of the game."""

import contextlib
import io
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import uuid

import grpc
from gamekeeper.dominion.v1 import action_pb2, dominion_service_pb2 as dominion
from gamekeeper.dominion.v1 import dominion_service_pb2_grpc
from gamekeeper.v1 import game_pb2

import play

# The server is killed after it has answered with these versions.
KILLS = [20, 45]


class Server:
    """A gamekeeperd over one data directory. Each of its lives has another port; `line` stays."""

    def __init__(self, binary, folder):
        self.command = [binary, "--listen", "127.0.0.1:0", "--store", "embedded", "--data-dir", folder]
        self.start()
        listener = socket.create_server(("127.0.0.1", 0))
        self.line = f"127.0.0.1:{listener.getsockname()[1]}"
        threading.Thread(target=self.relay, args=(listener,), daemon=True).start()

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.match(r"Gamekeeper listens on ([\d.]+):(\d+)", line):
                self.address = found[1], int(found[2])
                break
        else:
            raise AssertionError("the server does not start")
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def restart(self):
        self.kill()
        self.start()

    def relay(self, listener):
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


def pump(one, other):
    """Hands on what comes until one end closes, then closes both."""
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    for end in (one, other):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def expect_refusal(call, code, reason):
    """The call fails with this status and this reason."""
    try:
        call()
    except grpc.RpcError as error:
        info = play.reason_of(error)
        assert error.code() == code, (error.code(), code)
        assert (info.domain, info.reason) == ("gamekeeper", reason), info
        return info
    raise AssertionError(f"{reason} expected, the call went well")


def refusals(service, game):
    """Errors carry a code to branch on."""

    def act(**fields):
        fields.setdefault("action", play.BUY_GOLD)
        request = dominion.ApplyActionRequest(game_id=game.game_id, **fields)
        return lambda: service.ApplyAction(request)

    code, seat = grpc.StatusCode, game.pending[0].seat
    refused = expect_refusal(act(seat=seat), code.FAILED_PRECONDITION, "CANNOT_AFFORD")
    assert refused.metadata["rule"] == "DOM-6.10", refused
    expect_refusal(act(seat=3 - seat), code.FAILED_PRECONDITION, "NOT_YOUR_TURN")
    expect_refusal(act(seat=0), code.INVALID_ARGUMENT, "NO_SUCH_SEAT")
    expect_refusal(act(seat=seat, action=action_pb2.Action()), code.INVALID_ARGUMENT, "MALFORMED")
    stale = expect_refusal(act(seat=seat, expected_version=7), code.ABORTED, "STALE_VERSION")
    assert stale.metadata["current"] == "1", stale


def follow(service, game_id, seen):
    """Notes the versions of a game until it is over."""
    for version in play.watch(service, game_id, 1):
        seen.append(version.logged.version)
        if not version.game.pending:
            return


def whole_game(server, service, game):
    """Plays a game over kills; every action is played once. Gives the facts of its end."""
    kills = list(KILLS)
    for request, answer in play.play(service, game):
        assert answer.game.version == game.version + 1
        assert all(event.text for event in answer.events)
        game = answer.game
        if kills and game.version >= kills[0]:
            kills.pop(0)
            restarting = threading.Thread(target=server.restart)
            restarting.start()
            # A request answered before the kill gets the same answer during and after it.
            assert play.again(service.ApplyAction, request) == answer
            restarting.join()
            assert play.again(service.ApplyAction, request) == answer
    assert not kills
    return game


def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(binary, folder)
        try:
            with play.connect(server.line) as channel:
                trial(server, dominion_service_pb2_grpc.DominionServiceStub(channel))
            readme(server.line)
            told = io.StringIO()
            with contextlib.redirect_stdout(told):
                play.main(server.line)
            assert "refused: CANNOT_AFFORD, rule DOM-6.10" in told.getvalue(), told.getvalue()
            assert "rank 1" in told.getvalue(), told.getvalue()
        finally:
            server.kill()


def readme(line):
    """The first Python of README does what it says."""
    text = (pathlib.Path(__file__).parents[3] / "README.md").read_text()
    code = re.search(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[1]
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(code.replace("127.0.0.1:50051", line), "README.md", "exec"), {})
    assert re.match(r"\['\w+ plays", told.getvalue()), told.getvalue()


def trial(server, service):
    players = [game_pb2.Player(name="Ada"), game_pb2.Player(name="Bob")]
    request = dominion.CreateGameRequest(players=players, request_id=str(uuid.uuid4()))
    game = service.CreateGame(request).game
    assert service.CreateGame(request).game.game_id == game.game_id
    refusals(service, game)
    seen = []
    follower = threading.Thread(target=follow, args=(service, game.game_id, seen))
    follower.start()
    game = whole_game(server, service, game)
    follower.join(30)
    assert game.status == game_pb2.GAME_STATUS_FINISHED
    assert seen == list(range(2, game.version + 1)), seen
    print(f"{game.version - 1} actions played and watched over {len(KILLS)} kills")


if __name__ == "__main__":
    main(sys.argv[1])
