"""A learned policy plays in this process: in every environment, and as the evaluator of a search."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_policies import EXAMPLE, run

from gamekeeper.batch import Batch
from gamekeeper.gym import SeatEnv, SeatVectorEnv
from gamekeeper.policies import Layout, Network, write_policy

native = pytest.importorskip("gamekeeper_native")


def seed(number: int) -> bytes:
    return number.to_bytes(32, "little")


def sample(path: Path, ruleset: str = "kingsburg", players: int = 2, *, valued: bool = True, temperature: float = 0.0) -> Path:
    """A policy that has learned nothing: its scores follow from what it sees."""
    layout, rng = Layout.of(ruleset, players), np.random.default_rng(7)
    network = Network(layout)
    hidden = network.tanh(network.linear(network.cells, rng.standard_normal((layout.cells, 16))))
    scores = network.linear(hidden, rng.standard_normal((16, layout.words)))
    values = network.tanh(network.linear(hidden, rng.standard_normal((16, players)) / 4)) if valued else None
    write_policy(path, layout, network.ended(scores, values), temperature=temperature)
    return path


def games(space: Any, count: int) -> list[Any]:
    """Games, each some words further than the one before."""
    found, rng = [], np.random.default_rng(1)
    for number in range(count):
        game = native.Game(space)
        game.begin(seed(number))
        for _ in range(2 * number):
            game.say(int(rng.choice(game.words)))
        found.append(game)
    return found


def observed(game: Any, space: Any) -> Any:
    cells = np.zeros(space.size, np.float32)
    game.observe(game.seat, cells)
    return cells


@pytest.mark.parametrize("ruleset", native.rulesets())
def test_it_says_the_word_with_the_highest_score(ruleset: str, tmp_path: Path) -> None:
    space, path = native.Space(ruleset), sample(tmp_path / "sample.onnx", ruleset)
    policy, network = native.LearnedPolicy(space, path), path.read_bytes()
    for game in games(space, 8):
        chosen, copy, said = game.choose(policy, seed(1)), game.copy(), False
        while not said:
            scores = run(network, observed(copy, space)[None])[0]
            word = max(copy.words, key=lambda word: scores[word])
            assert chosen[len(copy.said)] == word
            said = copy.say(word)
        assert chosen in [space.sentence(action) for action in game.actions()]
        assert game.play(policy, seed(1)) and game.snapshot() == copy.snapshot()
    assert native.Game(space).choose(policy, seed(1)) == [] and not native.Game(space).play(policy, seed(1))


@pytest.mark.parametrize("threads", [1, 3])
def test_every_environment_plays_the_same_games(threads: int, tmp_path: Path) -> None:
    name = f"policy:{sample(tmp_path / 'sample.onnx', temperature=4.0)}"
    opponents: dict[str, Any] = {"opponents": [name], "max_versions": 60}
    rng, slots = np.random.default_rng(1), 5
    many = SeatVectorEnv("kingsburg", num_envs=slots, threads=threads, **opponents)
    rows, infos = many.reset(seed=4)
    # A single environment plays the games of a vector in turn.
    single = SeatEnv("kingsburg", **opponents)
    first: list[list[Any]] = [[] for _ in range(slots)]
    done = np.zeros(slots, bool)
    while not done.all():
        words = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        for slot in np.flatnonzero(~done):
            first[slot].append((rows[slot].copy(), words[slot]))
        rows, _, terminations, truncations, infos = many.step(words)
        done |= terminations | truncations
    seen, _ = single.reset(seed=4)
    for slot, decisions in enumerate(first):
        for expected, word in decisions:
            assert np.array_equal(seen, expected), slot
            seen, _, terminated, truncated, _ = single.step(word)
        assert terminated or truncated
        seen, _ = single.reset()
    assert np.array_equal(pickle.loads(pickle.dumps(single)).reset(seed=4)[0], first[0][0][0])


def test_a_search_asks_it(tmp_path: Path) -> None:
    space, path = native.Space("kingsburg"), sample(tmp_path / "sample.onnx")
    policy, some, seeds = native.LearnedPolicy(space, path), games(space, 9), [seed(number) for number in range(9)]
    rated = native.TreeSearch(space, simulations=1, exploration=0.0).rate(some, policy, seeds)
    for game, ratings in zip(some, rated):
        chances = np.exp(run(path.read_bytes(), observed(game, space)[None])[0][game.words])
        assert np.abs([one.prior for one in ratings] - chances / chances.sum()).max() < 1e-3
    # The value of a position is that of the seat that looks: with the answers of the network from Python it is the same.
    told = [[(one.word, one.count) for one in ratings] for ratings in rated]
    asked = native.TreeSearch(space, simulations=1, exploration=0.0).rate(some, in_python(path), seeds)
    assert told == [[(one.word, one.count) for one in ratings] for ratings in asked]
    for ratings, other in zip(rated, asked):
        assert [one.value for one in ratings] == pytest.approx([one.value for one in other], abs=1e-3)
    found = [repeatable(native.TreeSearch(space, simulations=24, threads=threads).rate(some, policy, seeds)) for threads in (1, 2)]
    alone = [repeatable(native.TreeSearch(space, simulations=24).rate([game], policy, [one]))[0] for game, one in zip(some, seeds)]
    assert found == [alone, alone], "neither threads nor the other games matter"


def in_python(path: Path) -> Callable[..., tuple[Any, Any]]:
    """An evaluator of Python with the same network."""
    written = path.read_bytes()

    def evaluate(seen: Any, masks: Any, _seats: Any) -> tuple[Any, Any]:
        return masks * np.exp(run(written, seen)), run(written, seen, output=1)

    return evaluate


def repeatable(rated: Any) -> list[list[tuple[int, float, int, float, float]]]:
    return [[(one.word, one.prior, one.count, one.value, one.error) for one in ratings] for ratings in rated]


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    space = native.Space("kingsburg")
    good = sample(tmp_path / "good.onnx")
    broken, other, changed = (tmp_path / f"{name}.onnx" for name in ("broken", "other", "changed"))
    sample(broken).write_bytes(b"no network")
    sample(changed).with_suffix(".json").write_text(json.dumps(json.loads(good.with_suffix(".json").read_text()) | {"layout": "0" * 16}))
    for path, text in (
        (broken, "the network"),
        (changed, f"made for the layout {'0' * 16} .* kingsburg with 2 seats has"),
        (sample(other, players=3), "policy:other plays kingsburg with 3 seats, not kingsburg with 2 seats"),
        (sample(tmp_path / "dominion.onnx", "dominion"), "policy:dominion plays dominion with 2 seats, not kingsburg"),
        (tmp_path / "missing.onnx", "missing.json"),
    ):
        for make in (Batch, SeatVectorEnv, SeatEnv):
            with pytest.raises(native.PolicyError, match=text):
                make("kingsburg", 2, opponents=[f"policy:{path}"])
        with pytest.raises(native.PolicyError, match=text):
            native.LearnedPolicy(space, path)
    with pytest.raises(ValueError, match="policy:good has no playouts"):
        Batch("kingsburg", 2, opponents=[(f"policy:{good}", 8)])
    policy = native.LearnedPolicy(space, good.with_suffix(""))
    assert policy.id == "policy:good" and len(policy.hash) == 64
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(policy)
    with pytest.raises(native.PolicyError, match="plays kingsburg with 2 seats, not kingsburg with 3 seats"):
        native.Game(native.Space("kingsburg", 3)).play(policy, seed(1))


def test_a_search_needs_values(tmp_path: Path) -> None:
    space = native.Space("kingsburg")
    search, game = native.TreeSearch(space, simulations=1), games(space, 1)
    for path in (sample(tmp_path / "sample.onnx", valued=False), EXAMPLE):
        with pytest.raises(native.PolicyError, match="gives no values: its second output must be a row of 2 numbers"):
            search.rate(game, native.LearnedPolicy(space, path), [seed(1)])
    policy = native.LearnedPolicy(native.Space("dominion"), sample(tmp_path / "dominion.onnx", "dominion"))
    with pytest.raises(native.PolicyError, match="plays dominion"):
        search.rate(game, policy, [seed(1)])
