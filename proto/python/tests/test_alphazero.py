"""The example that learns by searching learns, plays, and keeps what it learned."""

from __future__ import annotations

import sys
from pathlib import Path

import alphazero
import numpy as np
import pytest

pytest.importorskip("gamekeeper_native")


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
    few = ["alphazero.py", "--ruleset=goofspiel", "--simulations=4", "--games=4", "--rival=random"]
    monkeypatch.setattr(sys, "argv", [*few, "--minutes=0.001", f"--save={saved}", f"--export={policy}"])
    alphazero.main()
    monkeypatch.setattr(sys, "argv", [*few, "--minutes=0", f"--load={saved}"])
    alphazero.main()
    learned, loaded = capsys.readouterr().out.splitlines()
    assert "of 4 games won against random" in learned and not learned.startswith("0 games")
    assert loaded.partition(": ")[2] == learned.partition(": ")[2], "the same agent plays the same games"
    assert policy.exists() and policy.with_suffix(".json").exists()
