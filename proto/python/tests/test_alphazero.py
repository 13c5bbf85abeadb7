"""The example that learns by searching learns, plays, and keeps what it learned."""

from __future__ import annotations

import sys
from pathlib import Path

import alphazero
import learn
import numpy as np
import pytest

from gamekeeper import Client, Server
from gamekeeper.batch import Batch
from gamekeeper.inside import native_space
from gamekeeper.v1 import game_pb2

native = pytest.importorskip("gamekeeper_native")


def test_the_network_learns_what_was_searched() -> None:
    rng = np.random.default_rng(1)
    network = alphazero.Student(4, 3, rng)
    seen, masks = np.eye(4, dtype=np.float32), np.array([[1, 1, 1], [1, 1, 0], [0, 1, 1], [1, 1, 1]], bool)
    shares = np.array([[0.5, 0.25, 0.25], [0.9, 0.1, 0.0], [0.0, 0.3, 0.7], [0.0, 0.0, 1.0]], np.float32)
    aims = np.array([0.5, -0.5, 0.25, 0.0], np.float32)
    for _ in range(2_000):
        network.imitate(seen, masks, shares, aims)
    _, chances, values = network(seen, masks)
    assert np.abs(chances - shares).max() < 0.05 and np.abs(values - aims).max() < 0.05


def test_it_learns_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    saved, policy = tmp_path / "agent.npz", tmp_path / "agent.onnx"
    for name, value in (("GAMES", 4), ("ROUND", 40), ("KEPT", 500), ("MINIBATCH", 32)):
        monkeypatch.setattr(alphazero, name, value)
    for name, value in (("GAMES", 4), ("DECISIONS", 64), ("MINIBATCH", 32)):
        monkeypatch.setattr(learn, name, value)
    few = ["alphazero.py", "--ruleset=goofspiel", "--simulations=4", "--thought=8", "--games=4", "--rival=random"]
    monkeypatch.setattr(sys, "argv", [*few, "--minutes=0.002", f"--save={saved}", f"--export={policy}"])
    alphazero.main()
    monkeypatch.setattr(sys, "argv", [*few, "--minutes=0", f"--load={saved}"])
    alphazero.main()
    learned, loaded = capsys.readouterr().out.splitlines()
    assert "of 4 games won against random" in learned and not learned.startswith("0 games") and ", 0 with" not in learned
    assert loaded.partition(": ")[2] == learned.partition(": ")[2], "the same agent plays the same games"
    searches_in_this_process(policy)
    sits_down_at_a_server(policy)


def searches_in_this_process(policy: Path) -> None:
    space, batch = native_space("goofspiel", 2), Batch("goofspiel", 2, 3, seed=1, opponents=[f"policy:{policy}"])
    for number in range(4):
        seeds = [bytes([number, slot]).rjust(32) for slot in range(3)]
        rated = native.TreeSearch(space, simulations=8).rate(batch.games(), native.LearnedPolicy(space, policy), seeds)
        batch.step([max(ratings, key=lambda one: one.count).word for ratings in rated])


def sits_down_at_a_server(policy: Path) -> None:
    learned = game_pb2.Player(name="Ada", bot=game_pb2.Bot(policy="policy:agent"))
    greedy = game_pb2.Player(name="Bob", bot=game_pb2.Bot(policy="greedy"))
    with Server(None, f"--policies={policy.parent}") as server, Client(server.address) as client:
        game = client.create("goofspiel", [learned, greedy]).table.game
        assert game.players[0].bot.policy_hash == native.LearnedPolicy(native_space("goofspiel", 2), policy).hash
        for message in client.watch(game.game_id):
            if message.table.game.standings:
                break
