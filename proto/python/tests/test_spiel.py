"""The OpenSpiel game, by OpenSpiel's own test and by what it promises beyond."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest

import gamekeeper.spiel
from gamekeeper.spiel import GamekeeperState


def load(name: str, players: int, **parameters: Any) -> Any:
    more = "".join(f",{key}={value}" for key, value in parameters.items())
    return pyspiel.load_game(f"gamekeeper(ruleset={name},players={players}{more})")


def begun(game: Any, seed: int = 0) -> Any:
    state = game.new_initial_state()
    state.apply_action(seed)
    return state


def play(state: Any, luck: random.Random, steps: int) -> None:
    for _ in range(steps):
        if state.is_terminal():
            return
        state.apply_action(luck.choice(state.legal_actions()))


# Games are cut off, so that all rulesets and sizes take seconds; the next test plays whole games.
def test_random_sim(table: tuple[str, int]) -> None:
    pyspiel.random_sim_test(load(*table, max_versions=40), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["caylus", "kingsburg", "terra_mystica"])
def test_random_sim_of_whole_games(name: str) -> None:
    pyspiel.random_sim_test(load(name, 2), num_sims=1, serialize=False, verbose=False)


def test_random_sim_with_serialization() -> None:
    pyspiel.random_sim_test(load("dominion", 2, max_versions=30), num_sims=1, serialize=True, verbose=False)


def test_luck_is_a_chance_node() -> None:
    game = load("kingsburg", 3, seeds=20)
    state = game.new_initial_state()
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert [outcome for outcome, _ in outcomes] == list(range(20))
    assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)
    views = {begun(game, seed).observation_string(0) for seed in range(20)}
    assert len(views) > 1
    assert str(begun(game, 3)) == str(begun(game, 3)) != str(begun(game, 4))


def test_clones_go_their_own_way() -> None:
    game = load("kingsburg", 2)
    state = begun(game)
    play(state, random.Random(1), 25)
    text = str(state)
    clones = [state.clone() for _ in range(12)]  # more than there are open streams
    for number, clone in enumerate(clones):
        assert str(clone) == text
        assert np.array_equal(clone.observation_tensor(0), state.observation_tensor(0))
        play(clone, random.Random(number), 15)
    assert str(state) == text
    # The same words lead to the same state, whichever stream was closed in between.
    play(clones[0], random.Random(99), 10)
    other = begun(game)
    for action in clones[0].full_history()[1:]:
        other.apply_action(action.action)
    assert str(other) == str(clones[0])
    for player in range(2):
        assert other.information_state_string(player) == clones[0].information_state_string(player)
        assert other.observation_string(player) == clones[0].observation_string(player)


def test_who_knows_the_same_can_do_the_same() -> None:
    game, known = load("dominion", 2, seeds=3), {}
    for number in range(12):
        state, luck = begun(game, number % 3), random.Random(number // 3)
        while not state.is_terminal() and state.move_number() < 40:
            legal = state.legal_actions()
            knows = state.information_state_string()
            assert known.setdefault(knows, (state.current_player(), legal)) == (state.current_player(), legal)
            state.apply_action(luck.choice(legal[:3]))
    assert len(known) > 60


def test_nobody_knows_what_only_others_have_seen() -> None:
    # What the seat has seen is the same, and luck still differs in what is hidden: one information state.
    game = load("dominion", 2, seeds=400)
    known: dict[bytes, set[str]] = {}
    for seed in range(400):
        state = begun(game, seed)
        seen = state.line.table.observation
        text = b"|".join(part.SerializeToString(deterministic=True) for part in (seen.view, *seen.pending, *seen.events))
        known.setdefault(text, set()).add(state.information_state_string(state.current_player()))
    assert len(known) < 400
    assert all(len(states) == 1 for states in known.values())
    assert len(set.union(*known.values())) == len(known)


def test_returns_are_the_ranking() -> None:
    state = begun(load("caylus", 4), 7)
    play(state, random.Random(7), 10**6)
    assert state.is_terminal() and not state.legal_actions()
    ranks = {standing.seat: standing.rank for standing in state.line.table.result.standings}
    returns = state.returns()
    assert sum(returns) == pytest.approx(0.0)
    assert sorted(range(1, 5), key=lambda seat: ranks[seat]) == sorted(range(1, 5), key=lambda seat: -returns[seat - 1])


def test_actions_have_words() -> None:
    game = load("kingsburg", 2)
    assert game.new_initial_state().action_to_string(5) == "luck=5"
    state = begun(game)
    words = [state.action_to_string(action) for action in state.legal_actions()]
    assert all("=" in word for word in words) and len(set(words)) == len(words)
    assert [state.string_to_action(word) for word in words] == state.legal_actions()
    assert isinstance(state, GamekeeperState) or isinstance(state.clone(), GamekeeperState)


@pytest.mark.parametrize("text", ["ruleset=chess", "players=9", "seeds=0", "max_versions=1"])
def test_bad_parameters(text: str) -> None:
    with pytest.raises((ValueError, RuntimeError)):
        pyspiel.load_game(f"gamekeeper({text})")


def test_is_registered() -> None:
    assert gamekeeper.spiel.GAME_TYPE.short_name in pyspiel.registered_names()
