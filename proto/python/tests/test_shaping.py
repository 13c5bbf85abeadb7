"""Rewards on the way add up to what the end of a game earns."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gamekeeper_native")

from gamekeeper.door import door  # noqa: E402
from gamekeeper.gym import SeatEnv  # noqa: E402
from gamekeeper.shaping import ShapedReward, lead, shaped  # noqa: E402


def test_a_lead_by_hand() -> None:
    cells = door("kingsburg", 3).cells
    potential = lead(cells, "vp", scale=0.5)
    observations = np.zeros((2, len(cells)), np.float32)
    for seat, points in (("own", 20), ("left 1", 11), ("left 2", 14)):
        observations[1, cells.index(f"players[{seat}].vp (small)")] = points / (points + 3)
    assert potential(observations).tolist() == [0.0, 3.0] and potential(observations[1]) == 3.0
    with pytest.raises(ValueError, match="players have no number 'luck'; there are .*vp"):
        lead(cells, "luck")


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_rewards_on_the_way_add_up(discount: float) -> None:
    plain = SeatEnv("kingsburg", 2, seat=0)
    potential = lead(plain.cells, "vp", scale=0.1)
    env, rng = ShapedReward(SeatEnv("kingsburg", 2, seat=0), potential, discount), np.random.default_rng(1)
    seen, info = env.reset(seed=7)
    plain.reset(seed=7)
    potentials, on_the_way, over = [float(potential(seen))], [], False
    while not over:
        word = rng.choice(np.flatnonzero(info["action_mask"]))
        seen, reward, over, _, info = env.step(word)
        _, earned, *_ = plain.step(word)
        potentials.append(float(potential(seen)))
        on_the_way.append(float(reward))
    assert any(on_the_way[:-1]) and on_the_way == pytest.approx(shaped(potentials[:-1], earned, discount))
    whole = sum(discount**place * reward for place, reward in enumerate(on_the_way))
    assert whole == pytest.approx(discount ** (len(on_the_way) - 1) * earned - potentials[0])


def test_a_game_that_is_cut_off_keeps_its_worth() -> None:
    env = ShapedReward(SeatEnv("kingsburg", 2, seat=0, max_versions=40), lambda seen: np.float64(2.0))
    _, info = env.reset(seed=1)
    truncated, rewards = False, []
    while not truncated:
        _, reward, terminated, truncated, info = env.step(np.flatnonzero(info["action_mask"])[0])
        rewards.append(reward)
        assert not terminated
    assert set(rewards) == {0.0}


def test_no_decision_earns_nothing() -> None:
    assert shaped([], 1.0) == [] and shaped([0.25], 1.0) == [0.75]
