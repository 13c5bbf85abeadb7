"""In this process and at a server: the same seeds give the same games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gamekeeper import server
from gamekeeper.door import door
from gamekeeper.results import REWARDS, rewards

pytest.importorskip("gamekeeper_native")

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
            different = np.flatnonzero(np.abs(seen - known) > 1e-6)
            assert not different.size, [(inside.cells[at], seen[at], known[at]) for at in different[:5]]
            word = int(rng.choice(one.words))
            assert one.say(word) == other.say(word)
        assert one.result == other.result
    other.close()


def test_rewards_are_the_same_in_both_languages() -> None:
    table: Any = door("kingsburg", 4).table()
    rng = np.random.default_rng(1)
    for seed in range(4):
        table.begin(seed)
        while table.result is None:
            table.say(int(rng.choice(table.words)))
        for kind in REWARDS:
            assert table.game.rewards(kind) == pytest.approx(rewards(table.result, 4, kind))
