"""Batches are the environment, many times."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from forking import REFUSED, outcome_in_fork

from gamekeeper import IllegalActionError, server
from gamekeeper.batch import Batch, at_seats
from gamekeeper.door import has_native
from gamekeeper.env import raw_env


def test_a_batch_of_one_is_the_environment(table: tuple[str, int]) -> None:
    env, batch = raw_env(*table), Batch(*table, games=1, seed=6)
    env.reset(seed=6)
    rng = np.random.default_rng(6)
    for _ in range(150):
        agent = env.agent_selection
        seen = env.observe(agent)
        if not seen["action_mask"].any():
            break
        assert batch.seats[0] == env.possible_agents.index(agent)
        assert np.array_equal(batch.observations[0], seen["observation"])
        assert np.array_equal(batch.masks[0], seen["action_mask"])
        word = rng.choice(np.flatnonzero(seen["action_mask"]))
        ended = batch.step([word])
        env.step(word)
        if ended:
            assert list(ended[0].rewards) == list(env.rewards.values())
            break
    batch.close()


def test_the_arrays_say_who_earned_what() -> None:
    batch, rng, ended = Batch("kingsburg", 3, games=4, seed=2, reward="score"), np.random.default_rng(1), 0
    for _ in range(600):
        over = batch.step((batch.masks * rng.random(batch.masks.shape)).argmax(axis=1))
        assert batch.dones.tolist() == [int(slot in {end.slot for end in over}) for slot in range(4)]
        assert not batch.rewards[batch.dones == 0].any()
        for end in over:
            assert tuple(batch.rewards[end.slot]) == end.rewards == end.scores
            assert min(end.ranks) == 1 and not end.truncated
        ended += len(over)
    assert ended > 4
    before = batch.observations.copy()
    batch.reset(seed=2)
    begun = batch.observations.copy()
    assert not np.array_equal(before, begun) and not batch.dones.any() and not batch.rewards.any()
    batch.reset(seed=2)
    assert np.array_equal(batch.observations, begun)
    batch.close()


def test_what_only_this_process_has_is_refused_at_a_server() -> None:
    for settings in ({"threads": 2}, {"opponents": ["greedy"]}, {"compact": True}, {"take_turns": True}):
        with pytest.raises(ValueError, match="in this process"):
            Batch("kingsburg", address=server.shared().address, **settings)  # type: ignore[arg-type]


def test_games_end_and_go_on() -> None:
    def play() -> list[tuple[int, tuple[float, ...], int]]:
        batch, rng, found = Batch("terra_mystica", 3, games=8, seed=1), np.random.default_rng(1), []
        for _ in range(400):
            words = (batch.masks * rng.random(batch.masks.shape)).argmax(axis=1)
            found += [(ended.slot, ended.rewards, ended.versions) for ended in batch.step(words)]
        batch.close()
        return found

    found = play()
    assert len(found) > 8 and len({slot for slot, _, _ in found}) > 4
    assert all(abs(sum(rewards)) < 1e-9 and len(rewards) == 3 for _, rewards, _ in found)
    assert found == play()


def doors() -> list[str | None]:
    return [None, server.shared().address]


def test_opponents_sit_to_the_left_of_the_seat() -> None:
    greedy, search, random = ("greedy", None), ("search", 8), ("random", None)
    assert at_seats(2, 0, []) == [None, None]
    assert at_seats(3, 0, ["greedy", ("search", 8)]) == [None, greedy, search]
    assert at_seats(3, 1, ["greedy", ("search", 8)]) == [search, None, greedy]
    assert at_seats(4, 2, ["greedy", None, "random"]) == [None, random, None, greedy]
    assert at_seats(4, 3, ["greedy"]) == [greedy, None, None, None]


@pytest.mark.skipif(not has_native(), reason="the module for games in this process is not installed")
def test_opponents_take_the_same_seats_as_with_gymnasium() -> None:
    from gamekeeper.gym import SeatVectorEnv

    opponents = ["kinds", "random"]
    for seat in (0, 1, 2, None):
        env = SeatVectorEnv("kingsburg", 3, 4, seat=seat, opponents=opponents, threads=1)
        batch = Batch("kingsburg", 3, 4, seed=5, seat=seat or 0, opponents=opponents, take_turns=seat is None, threads=1)
        seen, _ = env.reset(seed=5)
        for _ in range(30):
            assert np.array_equal(seen, batch.observations)
            words = batch.masks.argmax(axis=1)
            seen, *_ = env.step(words)
            batch.step(words)


def test_misuse_is_answered_in_plain_words_and_changes_nothing() -> None:
    for address in doors():
        batch = Batch("kingsburg", games=2, seed=1, address=address)
        before = batch.observations.copy()
        legal = batch.masks.argmax(axis=1)
        for words, kind, error in (
            (1.5, ValueError, "2 games, and words of the shape"),
            (legal.reshape(1, 2), ValueError, "2 games, and words of the shape"),
            (legal.astype(float), TypeError, "whole numbers, not float64"),
            (["a", "b"], TypeError, "whole numbers"),
        ):
            with pytest.raises(kind, match=error):
                batch.step(words)  # type: ignore[arg-type]
        for seed in ("a", 1.0):
            with pytest.raises(TypeError, match="a seed is a whole number"):
                batch.reset(seed=seed)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="neither pickled nor copied"):
            pickle.dumps(batch)
        assert np.array_equal(before, batch.observations)
        batch.step(legal)
        batch.close()
        with pytest.raises(ValueError, match="closed"):
            batch.step(legal)
        batch.reset(1)
        assert np.array_equal(before, batch.observations)
        batch.close()


def test_opponents_that_are_none_are_named() -> None:
    def mine(_: object) -> int:
        return 0

    for opponents, kind, error in (
        ([mine], TypeError, "the name of a bot, .* not <function"),
        ([("greedy", 1.5)], TypeError, "playouts is a whole number"),
        ("greedy", TypeError, "a list"),
        (["greedy", "greedy"], ValueError, "at most 1 opponents, not 2"),
    ):
        with pytest.raises(kind, match=error):
            Batch("kingsburg", opponents=opponents)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no seat 2"):
        Batch("kingsburg", seat=2)
    with pytest.raises(ValueError, match="games is 0"):
        Batch("kingsburg", games=0)


def test_a_forked_process_begins_games_of_its_own() -> None:
    batch = Batch("kingsburg", games=2, seed=1, address=server.shared().address)
    legal = batch.masks.argmax(axis=1)

    def play() -> None:
        for _ in range(200):
            batch.step(batch.masks.argmax(axis=1))

    assert outcome_in_fork(play) == REFUSED
    batch.step(legal)
    batch.close()


def test_an_illegal_word_changes_nothing() -> None:
    batch = Batch("kingsburg", games=4, seed=1)
    before = batch.observations.copy(), batch.masks.copy()
    legal = batch.masks.argmax(axis=1)
    for words in ([*legal[:3], 10**6], [*legal[:3], -1], [*legal[:3], int(batch.masks[3].argmin())]):
        with pytest.raises(IllegalActionError, match="in game 3"):
            batch.step(words)
    with pytest.raises(ValueError, match="4 games, and 3 words"):
        batch.step(legal[:3])
    assert np.array_equal(batch.observations, before[0]) and np.array_equal(batch.masks, before[1])
    batch.close()
