"""Games that begin on described tables, through every adapter."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gamekeeper_native")

import pyspiel  # noqa: E402
from test_doors import play_both  # noqa: E402

import gamekeeper.spiel  # noqa: E402,F401
from gamekeeper import server  # noqa: E402
from gamekeeper.batch import Batch  # noqa: E402
from gamekeeper.contract import opened, view_of  # noqa: E402
from gamekeeper.door import door  # noqa: E402
from gamekeeper.env import raw_env  # noqa: E402
from gamekeeper.errors import GamekeeperError  # noqa: E402
from gamekeeper.gym import SeatEnv, SeatVectorEnv  # noqa: E402

Described = dict[str, Any]


@lru_cache
def described(name: str, players: int) -> tuple[Described, Described]:
    """Two tables of a game at random, as protobuf JSON."""
    table, rng, found = door(name, players).table(), np.random.default_rng(2), list[Described]()
    table.begin(2)
    for _ in range(2):
        for _ in range(5):
            while not table.say(int(rng.choice(table.words))):
                pass
        view = table.whole()
        assert view is not None
        found.append(view)
    return found[0], found[1]


def test_batches_begin_on_their_tables_byte_for_byte(table: tuple[str, int]) -> None:
    tables = described(*table)
    batches = [Batch(*table, 5, seed=1, start=tables, max_versions=8, address=address) for address in (None, server.shared().address)]
    happened = [at for at, cell in enumerate(door(*table).cells) if cell.startswith("happened")]
    assert happened and not batches[0].observations[:, happened].any()
    assert max(play_both(batches[0], batches[1], 40)) > 0, "the next games begin on their tables, too"
    for batch in batches:
        batch.close()


def test_games_of_a_seed_take_tables_in_turn(table: tuple[str, int]) -> None:
    tables = described(*table)
    inside, outside = door(*table).table(start=tables), door(*table, address=server.shared().address).table(start=tables)
    for number, seed in enumerate((6, None, None, 6)):
        inside.begin(seed)
        outside.begin(seed)
        assert inside.whole() == tables[number % 3 % 2]
        assert np.array_equal(inside.vector(inside.seat), outside.vector(outside.seat))
        assert inside.board(0) == outside.board(0)
    outside.close()


def test_luck_deals_what_is_left_out() -> None:
    first = door("dominion", 2).table()
    first.begin(2)
    given = first.whole()
    assert given is not None
    players = [{key: value for key, value in player.items() if key != "drawPile"} for player in given["players"]]
    hidden = {**given, "players": players}
    for start in (hidden, [hidden, hidden]):
        batches = [Batch("dominion", 2, 6, seed=1, start=start, max_versions=12, address=address) for address in (None, server.shared().address)]
        play_both(batches[0], batches[1], 30)
        for batch in batches:
            batch.close()
    table = door("dominion", 2).table(start=hidden)
    piles: set[str] = set()
    for seed in range(4):
        table.begin(seed)
        piles.add(json.dumps(table.whole(), sort_keys=True))
    assert len(piles) > 1


def test_a_table_is_a_message_or_what_the_command_line_prints() -> None:
    given = described("kingsburg", 2)[0]
    view = view_of("kingsburg", given)
    for start in (given, {"kingsburg": given}, view, opened(view), [given]):
        env = raw_env("kingsburg", start=start)
        env.reset(seed=3)
        assert env._table.whole() == given  # pyright: ignore[reportPrivateUsage]


def test_agents_of_pettingzoo_begin_on_tables() -> None:
    tables = described("kingsburg", 2)
    env = raw_env("kingsburg", start=tables, render_mode="ansi")
    seen: list[bytes] = []
    for seed in (1, None, 1):
        env.reset(seed=seed)
        seen.append(env.observe(env.agent_selection)["observation"].tobytes())
    assert seen[0] == seen[2] != seen[1]
    here = env.render()
    there = raw_env("kingsburg", start=tables, render_mode="ansi", address=server.shared().address)
    there.reset(seed=1)
    assert there.render() == here
    there.close()


def test_seats_of_gymnasium_begin_on_tables() -> None:
    tables = described("terra_mystica", 2)
    env = SeatEnv("terra_mystica", 2, seat=0, start=tables[0])
    first = env.reset(seed=1)[0]
    assert not env.action_masks().all() and env.action_masks().any()
    assert np.array_equal(first, env.reset(seed=1)[0])
    envs = SeatVectorEnv("terra_mystica", 2, 4, seat=0, start=tables)
    rows = envs.reset(seed=1)[0]
    assert not np.array_equal(rows[0], rows[1])


def test_luck_of_openspiel_decides_among_tables() -> None:
    tables = described("kingsburg", 2)
    game = pyspiel.load_game("gamekeeper", {"ruleset": "kingsburg", "start": json.dumps(tables)})
    found: list[Any] = []
    for outcome in range(3):
        state = game.new_initial_state()
        state.apply_action(outcome)
        found.append(state.to_dict()["table"])
        state.apply_action(state.legal_actions()[0])
        state.undo_action(*state.full_history()[-1])
        assert state.to_dict()["table"] == found[-1]
    assert found == [tables[0], tables[1], tables[0]]
    single = pyspiel.load_game("gamekeeper", {"ruleset": "kingsburg", "start": json.dumps(tables[1])}).new_initial_state()
    single.apply_action(0)
    assert single.to_dict()["table"] == tables[1]


@pytest.mark.parametrize("address", [None, "server"])
def test_what_does_not_fit_gets_a_plain_word(address: str | None) -> None:
    at = server.shared().address if address else None
    good, other = described("kingsburg", 2)[0], described("dominion", 2)[0]
    wrong: list[tuple[type[Exception], str, Any]] = [
        (ValueError, "empty list", []),
        (TypeError, "not 7", 7),
        (TypeError, r"start\[1\]", [good, 7]),
        (ValueError, "no start .middle.", "middle"),
        (ValueError, r"start\[1\] is a table of dominion", [good, view_of("dominion", other)]),
        (ValueError, "start is a table of dominion", {"dominion": other}),
        (ValueError, r"start\[0\].*no field named", [{"year": 1, "nonsense": 1}]),
    ]
    for kind, words, start in wrong:
        with pytest.raises(kind, match=words):
            Batch("kingsburg", 2, 2, start=start, address=at)
    refused = ValueError if address is None else GamekeeperError
    for start in ([good, described("kingsburg", 3)[0]], [good, {**good, "year": 99}]):
        with pytest.raises(refused, match=r"positions\[1\].kingsburg") as caught:
            Batch("kingsburg", 2, 2, start=start, address=at)
        if isinstance(caught.value, GamekeeperError):
            assert caught.value.reason == "INVALID_POSITION"
    with pytest.raises(refused) as caught:
        Batch("kingsburg", 2, 2, start=[good] * 1025, address=at)
    if isinstance(caught.value, GamekeeperError):
        assert caught.value.reason == "MESSAGE_TOO_LARGE"
    else:
        assert "1025 tables are too many; the limit is 1024" in str(caught.value)
