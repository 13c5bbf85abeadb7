"""The example learns, and draws what it says."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import curve
import learn
import numpy as np
import pytest
from seat import SeatEnv

from gamekeeper import IllegalActionError, gamekeeper_env
from gamekeeper.door import has_native
from gamekeeper.results import rewards


def test_the_network_learns_what_pays() -> None:
    # The word that pays is named by the observation; half of the words are not allowed.
    rng, words = np.random.default_rng(1), 8
    network = learn.Network(words, words, rng)

    def payment(train: bool) -> float:
        right = rng.integers(0, words, 512)
        seen = np.eye(words, dtype=np.float32)[right]
        masks = rng.random((512, words)) < 0.5
        masks[np.arange(512), right] = True
        chances = network(seen, masks)[1]
        assert (chances[~masks] == 0).all()
        said = learn.pick(chances, rng)
        paid = (said == right).astype(np.float32)
        if train:
            network.learn(seen, masks, said, chances[np.arange(512), said], paid - paid.mean(), paid)
        return float(paid.mean())

    before = payment(train=False)
    for _ in range(300):
        payment(train=True)
    assert before < 0.5 and payment(train=False) > 0.95


def test_a_lesson_by_hand() -> None:
    trajectory = learn.Trajectory()
    for value in (0.5, 0.25):
        trajectory.seen.append(np.zeros(1))
        trajectory.masks.append(np.ones(1))
        trajectory.said.append(0)
        trajectory.chances.append(1.0)
        trajectory.values.append(value)
    first, last = trajectory.lessons(1.0)
    assert last[4] == pytest.approx(0.75) and last[5] == pytest.approx(1.0)
    assert first[4] == pytest.approx(-0.25 + learn.TRACE * 0.75) and first[5] == pytest.approx(first[4] + 0.5)


def test_it_runs_and_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "curve.svg"
    monkeypatch.setattr(learn, "DECISIONS", 300)
    monkeypatch.setattr(learn, "GAMES", 8)
    monkeypatch.setattr(learn, "MINIBATCH", 64)
    monkeypatch.setattr(sys, "argv", ["learn.py", "kingsburg", "--minutes=0.001", "--every=1", "--games=4", f"--picture={picture}"])
    learn.main()
    assert capsys.readouterr().out.count("games won against random players") == 3
    circles = [part for part in xml.parse(picture).iter() if part.tag.endswith("circle")]
    assert len(circles) == 3


def test_what_was_learned_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    rng, path = np.random.default_rng(1), tmp_path / "agent.npz"
    first, second = learn.Network(9, 4, rng), learn.Network(9, 4, rng)
    seen, masks = rng.random((64, 9), np.float32), np.ones((64, 4), np.int8)
    said, chances = rng.integers(0, 4, 64), np.full(64, 0.25, np.float32)
    for _ in range(3):
        first.learn(seen, masks, said, chances, np.ones(64, np.float32), np.zeros(64, np.float32))
    first.save(path)
    second.load(path)
    for network in (first, second):  # they go on alike
        network.learn(seen, masks, said, chances, np.ones(64, np.float32), np.zeros(64, np.float32))
    assert all(np.array_equal(one, other) for one, other in zip(first(seen, masks), second(seen, masks)))
    with pytest.raises(ValueError, match="another ruleset"):
        learn.Network(8, 4, rng).load(path)
    against = ["--against", "greedy"] if has_native() else []
    monkeypatch.setattr(sys, "argv", ["learn.py", "goofspiel", "--minutes=0", "--games=4", f"--save={path}", *against])
    learn.main()
    monkeypatch.setattr(sys, "argv", ["learn.py", "goofspiel", "--minutes=0", "--games=4", f"--load={path}", *against])
    learn.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :], "the same agent plays the same games"


def test_an_interval_by_hand() -> None:
    low, high = curve.Point(7, 0.5, 100).interval()
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert curve.Point(7, 1.0, 100).interval()[1] == pytest.approx(1.0)


def test_one_seat_is_asked_and_earns_what_its_rank_earns() -> None:
    env, rng = SeatEnv(gamekeeper_env("kingsburg", 3)), np.random.default_rng(1)
    words = env.action_space.n  # type: ignore[attr-defined]
    for place in range(3):
        seen, _ = env.reset(seed=place)
        assert env.agent == f"player_{place}"
        reward, terminated, truncated = 0.0, False, False
        while not terminated:
            mask = env.action_masks()
            assert env.observation_space.contains(seen) and env.env.agent_selection == env.agent
            assert mask.dtype == np.bool_ and mask.shape == (words,) and mask.any()
            with pytest.raises(IllegalActionError):
                env.step(int(np.flatnonzero(~mask)[0]))
            assert reward == 0.0 and not truncated
            seen, reward, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(mask))))
        assert not env.action_masks().any()
        assert reward == rewards(env.env.unwrapped._table.result, 3)[place]
    env.close()


def test_a_seat_repeats_itself_by_seed_and_notes_games_that_are_cut_off() -> None:
    def game(seed: int) -> tuple[bytes, bool]:
        env = SeatEnv(gamekeeper_env("kingsburg", max_versions=60), seat=1)
        everything, (seen, _), over = b"", env.reset(seed=seed), False
        while not over:
            everything += seen.tobytes()
            seen, reward, terminated, truncated, _ = env.step(int(env.action_masks().argmax()))
            assert env.agent == "player_1" and reward == 0.0
            over = terminated or truncated
        env.close()
        return everything, truncated

    assert game(7) == game(7) != game(8)
    assert game(7)[1]
