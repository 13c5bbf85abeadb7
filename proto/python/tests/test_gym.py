"""Gymnasium: one seat learns, bots play the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gamekeeper_native")

import gymnasium  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from gamekeeper import IllegalActionError  # noqa: E402
from gamekeeper.gym import SeatEnv, SeatVectorEnv  # noqa: E402


def play(env: Any, rng: np.random.Generator, seed: int | None) -> tuple[list[bytes], float, dict[str, Any]]:
    """A game at random; what was seen, what was earned, and the last info."""
    seen, info = env.reset(seed=seed)
    everything, reward, over = [seen.tobytes()], 0.0, False
    while not over:
        assert np.array_equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool)) and info["action_mask"].any()
        seen, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        everything.append(seen.tobytes())
        over = terminated or truncated
        assert over or reward == 0.0
    assert not env.unwrapped.action_masks().any()
    return everything, reward, info


def test_one_seat_is_asked_and_earns_what_it_should(table: tuple[str, int]) -> None:
    name, players = table
    env = SeatEnv(name, players, reward="score")
    rng = np.random.default_rng(1)
    for number in range(2):
        everything, reward, info = play(env, rng, 5 if number == 0 else None)
        assert info["seat"] == number % players
        assert len(info["ranks"]) == players and info["scores"][info["seat"]] == reward
        assert len(everything) > 2
    env.close()


def test_the_agent_keeps_a_seat_or_changes_it() -> None:
    def seats(seat: int | None) -> list[int]:
        env = SeatEnv("kingsburg", 3, seat=seat, max_versions=20)
        return [play(env, np.random.default_rng(1), 1 if number == 0 else None)[2]["seat"] for number in range(4)]

    assert seats(2) == [2] * 4
    assert seats(None) == [0, 1, 2, 0]


def test_same_seed_same_game() -> None:
    env = SeatEnv("dominion", opponents=["greedy"], max_versions=200)
    one, again, other = (play(env, np.random.default_rng(3), seed)[0] for seed in (7, 7, 8))
    assert one == again != other


def test_a_vector_plays_the_games_of_single_environments() -> None:
    opponents = ["greedy", ("search", 2)]
    settings: dict[str, Any] = {"players": 3, "opponents": opponents, "max_versions": 60}
    single, many = SeatEnv("kingsburg", **settings), SeatVectorEnv("kingsburg", num_envs=1, threads=1, **settings)
    seen, info = single.reset(seed=4)
    rows, infos = many.reset(seed=4)
    rng, games = np.random.default_rng(1), 0
    while games < 4:
        assert np.array_equal(rows[0], seen) and np.array_equal(infos["action_mask"][0], info["action_mask"])
        assert infos["seat"][0] == info["seat"]
        word = int(rng.choice(np.flatnonzero(info["action_mask"])))
        seen, reward, terminated, truncated, info = single.step(np.int64(word))
        rows, rewards, terminations, truncations, infos = many.step(np.array([word]))
        assert (rewards[0], terminations[0], truncations[0]) == (pytest.approx(reward), terminated, truncated)
        if terminated or truncated:
            assert infos["_final_info"][0] and infos["_final_obs"][0]
            assert np.array_equal(infos["final_obs"][0], seen)
            seen, info = single.reset()
            games += 1


def test_gymnasium_makes_them() -> None:
    env = gymnasium.make("gamekeeper/Seat-v0", ruleset="kingsburg", opponents=["greedy"], max_versions=40)
    play(env, np.random.default_rng(1), 1)
    envs = gymnasium.make_vec("gamekeeper/Seat-v0", num_envs=5, ruleset="kingsburg", players=3, compact=True)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    rows, info = envs.reset(seed=1)
    assert envs.observation_space.contains(rows) and rows.shape[0] == 5
    rng, ended = np.random.default_rng(1), 0
    for _ in range(400):
        words = (info["action_mask"] * rng.random(info["action_mask"].shape)).argmax(axis=1)
        rows, rewards, terminations, truncations, info = envs.step(words)
        assert not truncations.any() and not rewards[~terminations].any()
        if terminations.any():
            final = info["final_info"]
            for slot in np.flatnonzero(terminations):
                ranks = final["ranks"][slot]
                assert (rewards[slot] == 1.0) == (ranks[final["seat"][slot]] == 1 and (ranks == 1).sum() == 1)
                ended += 1
    assert ended > 3
    envs.close()


def test_names_and_boards_are_there() -> None:
    env = SeatEnv("kingsburg", render_mode="ansi")
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen) and len(env.cells) == seen.size and len(env.words) == env.action_space.n
    assert "Player 2" in str(env.render())
    drawn = SeatEnv("kingsburg", render_mode="rgb_array")
    drawn.reset(seed=1)
    assert np.shape(drawn.render()) == (800, 1200, 3)


def test_an_illegal_word_changes_nothing() -> None:
    env, envs = SeatEnv("kingsburg"), SeatVectorEnv("kingsburg", num_envs=2)
    _, info = env.reset(seed=1)
    rows, infos = envs.reset(seed=1)
    before = rows.copy()
    bad = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(IllegalActionError):
        env.step(np.int64(bad))
    with pytest.raises(IllegalActionError):
        envs.step(np.array([bad, bad]))
    assert np.array_equal(rows, before)


def test_misuse_is_answered_in_plain_words() -> None:
    import pickle

    env, envs = SeatEnv("kingsburg", seat=1, opponents=["greedy"]), SeatVectorEnv("kingsburg", num_envs=2)
    first, _ = env.reset(seed=1)
    envs.reset(seed=1)
    with pytest.raises(TypeError, match="a word is a whole number, not 1.5"):
        env.step(1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="whole numbers, not float64"):
        envs.step(np.array([1.5, 2.0]))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a seed is a whole number"):
        envs.reset(seed="a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not <function"):
        SeatEnv("kingsburg", opponents=[lambda _: 0])  # type: ignore[list-item]
    again, _ = pickle.loads(pickle.dumps(env)).reset(seed=1)
    assert np.array_equal(first, again)


@pytest.mark.parametrize(
    "settings",
    [
        {"opponents": ["greedy"]},
        {"opponents": ["greedy", None]},
        {"seat": 3},
        {"render_mode": "rgb"},
        {"reward": "fame"},
        {"opponents": ["greedy", "genius"]},
        {"opponents": ["greedy", "bm0"]},
    ],
)
def test_bad_arguments(settings: dict[str, Any]) -> None:
    for make in (SeatEnv, SeatVectorEnv):
        with pytest.raises(ValueError):
            make("kingsburg", 3, **settings).reset(seed=1)  # type: ignore[operator]
    with pytest.raises(ValueError, match="options are given"):
        SeatEnv("kingsburg").reset(options={"a": 1})


def test_strategies_of_a_ruleset_are_opponents() -> None:
    env = SeatEnv("dominion", opponents=["bm-smithy1"], max_versions=40)
    envs = SeatVectorEnv("dominion", num_envs=2, opponents=["bm-witch1"], max_versions=40)
    envs.reset(seed=1)
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        _, _, terminated, truncated, info = env.step(np.int64(np.flatnonzero(info["action_mask"])[0]))
        ended = terminated or truncated


def test_games_without_decisions_are_noticed() -> None:
    with pytest.raises(RuntimeError, match="anything to decide"):
        SeatEnv("kingsburg", max_versions=1).reset(seed=1)
