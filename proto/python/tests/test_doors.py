"""In this process and at a server: the same seeds give the same games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gamekeeper import server
from gamekeeper.batch import Batch
from gamekeeper.door import door
from gamekeeper.results import REWARDS, RewardKind, rewards

pytest.importorskip("gamekeeper_native")

ARRAYS = ("observations", "masks", "seats", "rewards", "dones")


def test_both_doors_play_the_same_games(table: tuple[str, int]) -> None:
    inside, outside = door(*table), door(*table, address=server.shared().address)
    assert list(inside.words) == list(outside.words)
    assert inside.cells == outside.cells
    one, other = inside.table(max_versions=700), outside.table(max_versions=700)
    for seed in (6, None):
        one.begin(seed)
        other.begin(seed)
        assert (one.seed, one.number) == (other.seed, other.number)
        rng = np.random.default_rng(6)
        for _ in range(150):
            if one.result is not None:
                break
            state = (one.seat, list(one.words), list(one.said), one.version)
            assert state == (other.seat, list(other.words), list(other.said), other.version)
            seen, known = other.vector(one.seat), one.vector(one.seat)
            different = np.flatnonzero(seen != known)
            assert not different.size, [(inside.cells[at], seen[at], known[at]) for at in different[:5]]
            word = int(rng.choice(one.words))
            assert one.say(word) == other.say(word)
        assert one.result == other.result
    other.close()


def agree(inside: Batch, outside: Batch) -> None:
    """Fails unless all arrays of two batches have the same bytes."""
    for name in ARRAYS:
        one, other = getattr(inside, name), getattr(outside, name)
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes(), (name, np.argwhere(one != other)[:5].tolist())


def play_both(inside: Batch, outside: Batch, steps: int) -> list[int]:
    """Says the same random words in both batches. Gives the number of games that ended in each step."""
    rng, ends = np.random.default_rng(6), []
    agree(inside, outside)
    for _ in range(steps):
        words = (inside.masks * rng.random(inside.masks.shape)).argmax(axis=1)
        ended = inside.step(words)
        assert ended == outside.step(words)
        agree(inside, outside)
        ends.append(len(ended))
    return ends


@pytest.mark.parametrize("reward", REWARDS)
def test_ranks_of_four_earn_the_same_at_both_doors(reward: RewardKind) -> None:
    batches = [Batch("kingsburg", 4, 6, seed=3, reward=reward, start="late", address=address) for address in (None, server.shared().address)]
    assert sum(play_both(batches[0], batches[1], 120)) > 6
    for batch in batches:
        batch.close()


def test_batches_are_the_same_byte_for_byte(table: tuple[str, int]) -> None:
    batches = [Batch(*table, 6, seed=1, start="late", max_versions=12, address=address) for address in (None, server.shared().address)]
    ends = play_both(batches[0], batches[1], 40)
    assert max(ends) > 1, "several games end in one step"
    for batch in batches:
        batch.reset(2)
    play_both(batches[0], batches[1], 10)
    for batch in batches:
        batch.close()


def test_games_that_end_together_and_after_forced_moves_are_followed_by_the_same_ones() -> None:
    batches = [Batch("terra_mystica", 2, 64, seed=1, address=address) for address in (None, server.shared().address)]
    ends = play_both(batches[0], batches[1], 110)
    assert max(ends) > 2
    for batch in batches:
        batch.close()


def test_rewards_are_the_same_in_both_languages() -> None:
    table: Any = door("kingsburg", 4).table()
    rng = np.random.default_rng(1)
    for seed in range(4):
        table.begin(seed)
        while table.result is None:
            table.say(int(rng.choice(table.words)))
        for kind in REWARDS:
            assert table.game.rewards(kind) == pytest.approx(rewards(table.result, 4, kind))
