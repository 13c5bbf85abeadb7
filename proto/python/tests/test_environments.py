"""The PettingZoo environments, by PettingZoo's own tests and by what they promise beyond."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from relay import Relay

from gamekeeper import (
    Client,
    IllegalActionError,
    Server,
    Show,
    UnavailableError,
    gamekeeper_env,
    server,
)
from gamekeeper.batch import Batch
from gamekeeper.door import has_native
from gamekeeper.env import raw_env
from gamekeeper.results import REWARDS, Result, rewards
from gamekeeper.space import space

Size = tuple[str, int]


def play(env: Any, rng: np.random.Generator, steps: int | None = None) -> dict[str, float]:
    """Says random words until the game is over; gives what each agent has earned."""
    earned = dict.fromkeys(env.possible_agents, 0.0)
    for step, agent in enumerate(env.agent_iter(10**9)):
        observation, reward, terminated, truncated, _ = env.last()
        earned[agent] += reward
        if terminated or truncated:
            env.step(None)
        elif step == steps:
            break
        else:
            env.step(rng.choice(np.flatnonzero(observation["action_mask"])))
    return earned


# Observations with masks are dictionaries, which the test calls unusual; an agent that has left has no legal action.
@pytest.mark.filterwarnings("ignore:Observation:UserWarning", "ignore:Action mask numpy array is all zeros")
def test_api(table: Size) -> None:
    api_test(gamekeeper_env(*table), num_cycles=100)


def test_seed(table: Size) -> None:
    seed_test(lambda: gamekeeper_env(*table), num_cycles=30)


def test_a_game_reaches_its_end(table: Size) -> None:
    name, players = table
    limit = 1_200
    env = gamekeeper_env(name, players, max_versions=limit)
    env.reset(seed=5)
    space_of = {agent: env.observation_space(agent) for agent in env.possible_agents}
    rng = np.random.default_rng(players)
    earned = dict.fromkeys(env.possible_agents, 0.0)
    ended = []
    for step, agent in enumerate(env.agent_iter(10**9)):
        observation, reward, terminated, truncated, _ = env.last()
        if step % 16 == 0:
            assert space_of[agent].contains(observation)
        earned[agent] += reward
        dead = terminated or truncated
        if dead:
            ended.append(truncated)
        assert observation["action_mask"].any() != dead
        env.step(None if dead else rng.choice(np.flatnonzero(observation["action_mask"])))
    assert len(ended) == players and not env.agents
    if any(ended):
        assert env.unwrapped._table.result.version == limit
        assert set(earned.values()) == {0.0}
    else:
        assert max(earned.values()) > 0.0
        assert abs(sum(earned.values())) < 1e-9
    env.close()


def test_same_seed_same_games_and_then_other_ones() -> None:
    def games(env: Any) -> list[bytes]:
        seeds = []
        for seed in (3, None, None):
            env.reset(seed=seed)
            play(env, np.random.default_rng(1), steps=30)
            seeds.append(env.unwrapped._table.seed)
        return seeds

    one, other = gamekeeper_env("kingsburg"), gamekeeper_env("kingsburg")
    assert games(one) == games(other)
    assert len(set(games(one))) == 3
    one.reset(seed=4)
    assert one.unwrapped._table.seed not in games(other)


def test_the_next_game_follows_one_that_has_ended() -> None:
    env = gamekeeper_env("terra_mystica")
    env.reset(seed=1)
    for number in (1, 2, 3):
        assert env.unwrapped._table.number == number
        assert sum(play(env, np.random.default_rng(number)).values()) == 0.0
        env.reset()


def test_an_illegal_action_changes_nothing() -> None:
    env = gamekeeper_env("dominion", 3)
    env.reset(seed=1)
    before = env.observe(env.agent_selection)
    for word in (int(np.flatnonzero(before["action_mask"] == 0)[0]), -1, 10**6, None):
        with pytest.raises(IllegalActionError, match="is not legal"):
            env.step(word)
    with pytest.raises(TypeError, match="a word is a whole number, not 1.5"):
        env.step(1.5)
    with pytest.raises(TypeError, match="a seed is a whole number, not 'a'"):
        env.reset(seed="a")
    after = env.observe(env.agent_selection)
    assert all(np.array_equal(before[part], after[part]) for part in before)


def test_long_games_are_truncated() -> None:
    max_versions = 20
    env = gamekeeper_env("caylus", 4, max_versions=max_versions)
    env.reset(seed=1)
    assert set(play(env, np.random.default_rng(1)).values()) == {0.0}
    assert env.unwrapped._table.result.version == max_versions
    assert not env.unwrapped._table.result.finished


def test_options_reach_the_game() -> None:
    def is_simplified(env: Any) -> bool:
        cell = env.unwrapped.cells.index("simplified_favors")
        return bool(env.observe(env.agent_selection)["observation"][cell])

    for simplified in (False, True):
        options = {"simplifiedFavors": simplified}
        env = gamekeeper_env("caylus", options=options)
        env.reset(seed=1)
        assert is_simplified(env) == simplified
        other = gamekeeper_env("caylus")
        other.reset(seed=1, options={"caylus": options})
        assert is_simplified(other) == simplified
        other.reset()
        assert is_simplified(other) == simplified
    with pytest.raises(Exception, match="no field named"):
        gamekeeper_env("dominion", options={"nonsense": 1})
    env = gamekeeper_env("dominion")
    env.reset(seed=1)
    with pytest.raises(Exception, match="no field named"):
        env.reset(options={"dominion": {"nonsense": 1}})
    play(env, np.random.default_rng(1), steps=3)
    with pytest.warns(UserWarning, match=r"options nonsense; .* options\['dominion'\]"):
        env.reset(options={"nonsense": 1})


def test_games_begin_where_they_are_told_to() -> None:
    def board(start: str) -> str:
        env = raw_env("kingsburg", address=server.shared().address, start=start)  # type: ignore[arg-type]
        env.reset(seed=1)
        return env.observe(env.agent_selection)["observation"].tobytes().hex()

    assert len({board(start) for start in ("set_up", "rich", "late")}) == 3
    with pytest.raises(ValueError, match="no start"):
        board("nowhere")


def test_rewards_are_what_their_names_say() -> None:
    of = Result(9, (2, 1, 3), (20, 30, 10))
    assert [rewards(of, 3, kind) for kind in REWARDS] == [[0, 1, -1], [-0.5, 1, -0.5], [20, 30, 10], [-10, 10, -20]]
    shared = Result(9, (1, 1, 3, 4), (8, 8, 5, 2))
    assert rewards(shared, 4) == pytest.approx([2 / 3, 2 / 3, -1 / 3, -1])
    assert rewards(shared, 4, "win") == [0.5, 0.5, -0.5, -0.5]
    assert rewards(Result(9), 4, "score") == rewards(None, 4, "win") == [0.0] * 4


def test_rewards_follow_the_ranks_where_the_fewest_points_win() -> None:
    of = Result(9, (2, 1, 3), (20, 10, 31))
    assert [rewards(of, 3, kind, True) for kind in REWARDS] == [[0, 1, -1], [-0.5, 1, -0.5], [-20, -10, -31], [-10, 10, -21]]


def test_the_fewest_players_of_the_ruleset_play_unless_others_are_given() -> None:
    for address in (None, server.shared().address):
        assert len(raw_env("kingsburg", address=address).possible_agents) == 2


def test_scores_can_be_rewarded_and_are_told() -> None:
    env = gamekeeper_env("kingsburg", 3, reward="score")
    env.reset(seed=3)
    earned, infos = dict.fromkeys(env.possible_agents, 0.0), {}
    rng = np.random.default_rng(1)
    for agent in env.agent_iter(10**9):
        observation, reward, terminated, _, info = env.last()
        earned[agent] += reward
        if terminated:
            infos[agent] = info
        env.step(None if terminated else rng.choice(np.flatnonzero(observation["action_mask"])))
    assert {agent: info["score"] for agent, info in infos.items()} == earned
    best = max(earned.values())
    assert any(info["rank"] == 1 and info["score"] == best for info in infos.values())
    with pytest.raises(ValueError, match="no reward"):
        raw_env("kingsburg", reward="fame")  # type: ignore[arg-type]


def test_at_a_server_who_has_not_decided_yet_sees_nothing_but_the_seat() -> None:
    env = gamekeeper_env("kingsburg", 3, address=server.shared().address)
    env.reset(seed=2)
    waiting = next(agent for agent in env.agents if agent != env.agent_selection)
    seen = env.observe(waiting)
    cells = np.flatnonzero(seen["observation"])
    assert [env.unwrapped.cells[cell] for cell in cells] == [f"own seat={env.possible_agents.index(waiting) + 1}"]
    assert not seen["action_mask"].any()


def test_pending_decisions_are_seen(table: Size) -> None:
    env = raw_env(*table, address=server.shared().address)
    env._table = env._door.table(recall=True)  # sees messages too
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(40):
        play(env, rng, steps=3)
        if not env.agents:
            break
        seat, expected = env._table.seat + 1, set()
        for pending in env._table.observation.pending:
            turn = (pending.seat - seat) % table[1]
            expected.add(f"pending[{f'left {turn}' if turn else 'own'}]={pending.decision}")
        seen = np.flatnonzero(env.observe(env.agent_selection)["observation"])
        assert expected and {env.cells[cell] for cell in seen if env.cells[cell].startswith("pending[")} == expected


def test_words_said_are_seen() -> None:
    env = gamekeeper_env("kingsburg")
    env.reset(seed=1)
    rng, seen = np.random.default_rng(1), 0
    for _ in range(300):
        if env.terminations[env.agent_selection]:
            break
        observation = env.observe(env.agent_selection)
        word = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        version = env.unwrapped._table.version
        env.step(word)
        if env.unwrapped._table.version == version:
            seen += 1
            names = env.unwrapped.cells
            said = [names[cell] for cell in np.flatnonzero(env.observe(env.agent_selection)["observation"])]
            assert f"said {env.unwrapped.words[word]}" in said
    assert seen > 10


def test_the_board_is_that_of_the_game(client: Client) -> None:
    env = raw_env("terra_mystica", 3, render_mode="ansi", address=server.shared().address)
    env._table = env._door.table(recall=True)  # sees messages too
    env._table._plan["show"].view = True  # type: ignore[attr-defined]
    env.reset(seed=8)
    rng = np.random.default_rng(8)
    for _ in range(3):
        play(env, rng, steps=12)
        table: Any = env._table
        board = env.render()
        # The view of the stored game is the view of the self-play.
        stored = client.get(table._board.game.game_id, table.seat + 1, show=Show(view=True)).table
        assert stored.view == table.observation.view
        assert stored.game.version == table.observation.version
        assert "Player 1" in board and "\x1b" not in board
    env.close()


def test_render_prints(capsys: pytest.CaptureFixture[str]) -> None:
    env = gamekeeper_env("caylus", render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert "Player 2" in capsys.readouterr().out
    env.close()


@pytest.mark.parametrize("is_at_server", [False, True])
def test_the_table_is_drawn_as_pixels(is_at_server: bool) -> None:
    env = raw_env("dominion", render_mode="rgb_array", address=server.shared().address if is_at_server else None)
    env.reset(seed=1)
    frames = []
    for _ in range(2):
        frame = env.render()
        assert frame.shape == (800, 1200, 3) and frame.dtype == np.uint8
        assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 20
        frames.append(frame)
        play(env, np.random.default_rng(1), steps=20)
    assert not np.array_equal(*frames)
    env.close()


@pytest.mark.parametrize(("name", "players", "settings"), [("chess", 2, {}), ("dominion", 9, {}), ("dominion", 2, {"render_mode": "rgb"}), ("dominion", 2, {"start": "end"})])
def test_bad_arguments(name: str, players: int, settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        raw_env(name, players, **settings)


def test_a_size_is_that_of_the_space(table: Size) -> None:
    env = raw_env(*table)
    assert len(env.cells) == len(set(env.cells)) == env.observation_space("player_0")["observation"].shape[0]
    assert len(env.words) == len(set(env.words)) == env.action_space("player_0").n
    assert env._door.words is raw_env(*table)._door.words


def test_a_broken_stream_is_opened_again() -> None:
    relay = Relay(server.shared().address)
    env, whole = (raw_env("kingsburg", address=address) for address in (relay.address, server.shared().address))
    for each in (env, whole):
        each.reset(seed=1)
    for steps in (20, 30):
        relay.cut()
        # The game of the seed goes on as if nothing had happened.
        for each in (env, whole):
            play(each, np.random.default_rng(steps), steps)
        assert np.array_equal(env.observe("player_0")["observation"], whole.observe("player_0")["observation"])
    assert relay.connections == 3
    # Any further game is lost; the next one begins.
    env.reset()
    relay.cut()
    with pytest.raises(UnavailableError):
        play(env, np.random.default_rng(1))
    env.reset()
    assert sum(play(env, np.random.default_rng(1)).values()) == 0.0
    relay.close()


def test_streams_that_nobody_holds_are_closed() -> None:
    with Server(None, "--max-self-plays", "3") as own:
        for _ in range(12):
            env = raw_env("kingsburg", address=own.address)
            env.reset(seed=1)
            del env
            gc.collect()
        batch = Batch("kingsburg", games=2, address=own.address)
        batch.close()
        space("kingsburg", 2, own.address).connection.patience = 0.5
        with pytest.raises(UnavailableError, match="LIMIT_EXCEEDED"):
            held = [raw_env("kingsburg", address=own.address) for _ in range(4)]
            for env in held:
                env.reset(seed=1)


def test_copies_are_new_environments() -> None:
    env = raw_env("kingsburg", 3, max_versions=30)
    env.reset(seed=1)
    play(env, np.random.default_rng(1), steps=5)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.reset(seed=1)
        assert other.metadata == env.metadata and other.possible_agents == env.possible_agents
        assert other._table.seed == env._table.seed
        other.close()


@pytest.mark.parametrize("inside", [False, pytest.param(True, marks=pytest.mark.skipif(not has_native(), reason="the module is not installed"))])
def test_processes_have_environments_of_their_own(inside: bool) -> None:
    address = None if inside else server.shared().address
    env = raw_env("dominion", address=address)
    env.reset(seed=1)
    seen = env.observe(env.agent_selection)["observation"]
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        with ProcessPoolExecutor(2, context) as pool:
            for other in pool.map(first_observation, [address] * 4, timeout=60):
                assert np.array_equal(other, seen)
    # The server goes on for the process that started it.
    env.reset(seed=1)
    assert np.array_equal(env.observe(env.agent_selection)["observation"], seen)


def first_observation(address: str | None) -> Any:
    env = raw_env("dominion", address=address)
    env.reset(seed=1)
    return env.observe(env.agent_selection)["observation"]
