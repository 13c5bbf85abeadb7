"""The OpenSpiel game, by OpenSpiel's own test and by what it promises beyond."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest

import gamekeeper.spiel
from gamekeeper import server
from gamekeeper.door import has_native
from gamekeeper.spiel import GamekeeperState


def load(name: str, players: int, **parameters: Any) -> Any:
    more = "".join(f",{key}={value}" for key, value in parameters.items())
    return pyspiel.load_game(f"gamekeeper(ruleset={name},players={players}{more})")


def begun(game: Any, seed: int = 0) -> Any:
    state = game.new_initial_state()
    state.apply_action(seed)
    return state


def play(state: Any, luck: random.Random, steps: int) -> None:
    """Chooses words and luck at random, and stops where a player decides."""
    while not state.is_terminal() and (steps > 0 or state.is_chance_node()):
        state.apply_action(luck.choice(state.legal_actions()))
        steps -= 1


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
            if state.is_chance_node():
                state.apply_action(number % 3)
                continue
            legal = state.legal_actions()
            knows = state.information_state_string()
            assert known.setdefault(knows, (state.current_player(), legal)) == (state.current_player(), legal)
            state.apply_action(luck.choice(legal[:3]))
    assert len(known) > 60


def test_nobody_knows_what_only_others_have_seen() -> None:
    # What the seat has seen is the same, and luck still differs in what is hidden: one information state.
    game = load("dominion", 2, seeds=400, address=server.shared().address)
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
    ranks, returns = state.line.table.result.ranks, state.returns()
    assert sum(returns) == pytest.approx(0.0)
    assert sorted(range(4), key=lambda seat: ranks[seat]) == sorted(range(4), key=lambda seat: -returns[seat])


def test_a_game_string_takes_options_and_starts() -> None:
    game = pyspiel.load_game("gamekeeper", {"ruleset": "caylus", "options": '{"simplifiedFavors": true}', "start": "late"})
    state, plain = begun(game), begun(load("caylus", 2))
    assert "simplified_favors: 1;" in state.observation_string(0)
    assert "simplified_favors" not in plain.observation_string(plain.current_player())
    assert state.current_player() in (0, 1)


def test_actions_have_words() -> None:
    game = load("kingsburg", 2)
    assert game.new_initial_state().action_to_string(5) == "luck=5"
    state = begun(game)
    words = [state.action_to_string(action) for action in state.legal_actions()]
    assert all("=" in word for word in words) and len(set(words)) == len(words)
    assert [state.string_to_action(word) for word in words] == state.legal_actions()
    assert isinstance(state, GamekeeperState) or isinstance(state.clone(), GamekeeperState)


def test_games_that_hide_nothing_have_perfect_information(table: tuple[str, int]) -> None:
    game = load(*table)
    information = pyspiel.GameType.Information
    hides = table[0] not in ("caylus", "terra_mystica")
    assert game.get_type().information == (information.IMPERFECT_INFORMATION if hides else information.PERFECT_INFORMATION)
    state = begun(game)
    assert state.get_game().get_type().information == game.get_type().information


def doors() -> list[dict[str, Any]]:
    return [{}, {"address": server.shared().address}] if has_native() else [{}]


def test_luck_has_no_other_outcomes() -> None:
    for door in doors():
        game = load("kingsburg", 2, seeds=256, **door)
        state = game.new_initial_state()
        for outcome in (-2, 256, 10**6):
            with pytest.raises(ValueError, match="outcomes 0 to 255"):
                state.apply_action(outcome)
        assert state.is_chance_node() and state.history() == []
        state.apply_action(255)
        assert not state.is_chance_node()


def same_state(one: Any, other: Any) -> bool:
    return (
        one.history() == other.history()
        and one.to_json() == other.to_json()
        and all(one.information_state_string(player) == other.information_state_string(player) for player in range(2))
    )


def test_actions_can_be_taken_back() -> None:
    for door in doors():
        for name in ("dominion", "kingsburg"):
            game, luck = load(name, 2, seeds=7, **door), random.Random(3)
            state, earlier = game.new_initial_state(), []
            for _ in range(14):
                earlier.append((state.clone(), state.current_player(), luck.choice(state.legal_actions())))
                state.apply_action(earlier[-1][2])
            _, player, action = earlier[-1]
            for wrong in ((player, action + 1), (player + 1, action)):
                with pytest.raises(ValueError, match="the last action"):
                    state.undo_action(*wrong)
            for before, player, action in reversed(earlier):
                state.undo_action(player, action)
                assert same_state(state, before) and state.move_number() == before.move_number()
                assert state.current_player() == player and same_state(state.clone(), before)
            with pytest.raises(ValueError, match="no action"):
                state.undo_action(player, action)
            # It goes on as if nothing had been taken back.
            for _, _, action in earlier:
                state.apply_action(action)
            assert state.history() == [action for _, _, action in earlier]
            assert state.history_str() == ", ".join(str(action) for _, _, action in earlier)
            assert [(one.player, one.action) for one in state.full_history()] == [(player, action) for _, player, action in earlier]


def test_a_state_is_json() -> None:
    import json

    for door in doors():
        game = load("kingsburg", 2, seeds=7, **door)
        state = game.new_initial_state()
        assert json.loads(state.to_json())["legal_actions"] == list(range(7))
        play(state, random.Random(5), 20)
        found = json.loads(state.to_json())
        assert found == state.to_dict()
        assert (found["ruleset"], found["players"], found["current_player"]) == ("kingsburg", 2, state.current_player())
        assert found["history"] == state.history() and found["legal_actions"] == state.legal_actions()
        assert found["returns"] == [0.0, 0.0] and not found["is_terminal"]
        again = game.new_initial_state()
        for action in found["history"]:
            again.apply_action(action)
        assert again.to_json() == state.to_json()
        assert (found["table"] is None) == (bool(door) or not has_native())


@pytest.mark.parametrize("text", ["ruleset=chess", "players=9", "seeds=0", "max_versions=1", "start=end", "reward=score"])
def test_bad_parameters(text: str) -> None:
    with pytest.raises((ValueError, RuntimeError)):
        pyspiel.load_game(f"gamekeeper({text})")


def test_is_registered() -> None:
    assert gamekeeper.spiel.GAME_TYPE.short_name in pyspiel.registered_names()


needs_native = pytest.mark.skipif(not has_native(), reason="the module for games in this process is not installed")


def observer(game: Any, public: bool, private: Any, recall: bool = False) -> Any:
    return game.make_py_observer(pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private))


@needs_native
def test_observers_show_what_they_are_made_for() -> None:
    game = load("dominion", 2)
    state = begun(game)
    kinds = pyspiel.PrivateInfoType

    def hands(public: bool, private: Any, player: int = 0) -> set[str]:
        seen = observer(game, public, private)
        seen.set_from(state, player)
        cells = [game.door.cells[at] for at in np.flatnonzero(seen.tensor)]
        return {cell.partition("]")[0] for cell in cells if "hand.cards" in cell}

    assert hands(True, kinds.SINGLE_PLAYER) == hands(False, kinds.SINGLE_PLAYER) == {"players[own"}
    assert hands(True, kinds.NONE) == hands(False, kinds.NONE) == set()
    assert hands(True, kinds.ALL_PLAYERS) == {"players[own", "players[left 1"}
    private, own = observer(game, False, kinds.SINGLE_PLAYER), observer(game, True, kinds.SINGLE_PLAYER)
    public = observer(game, True, kinds.NONE)
    for each in (private, own, public):
        each.set_from(state, 0)
    assert 0 < np.count_nonzero(private.tensor) < np.count_nonzero(own.tensor)
    assert np.array_equal(np.where(private.tensor != 0, private.tensor, public.tensor)[private.tensor != 0], own.tensor[private.tensor != 0])
    with pytest.raises(ValueError, match="perfect recall"):
        observer(game, True, kinds.NONE, recall=True)


@needs_native
def test_worlds_are_what_a_player_knows() -> None:
    game = load("dominion", 2)
    state, luck = begun(game), random.Random(2)
    play(state, luck, 60)
    player = state.current_player()
    worlds = [state.resample_from_infostate(player, luck.random) for _ in range(8)]
    for world in worlds:
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.legal_actions() == state.legal_actions()
        play(world, luck, 20)
    for world in worlds:
        record = world.full_history()
        while len(record) > len(state.full_history()):
            world.undo_action(record[-1].player, record[-1].action)
            record = world.full_history()
        assert world.information_state_string(player) == state.information_state_string(player)
        with pytest.raises(ValueError, match="begins here"):
            world.undo_action(record[-1].player, record[-1].action)
    others = {world.information_state_string(1 - player) for world in (state.resample_from_infostate(player, luck.random) for _ in range(8))}
    assert len(others) > 1, "what others have is drawn anew"


@needs_native
def test_luck_is_drawn_when_an_action_needs_it() -> None:
    game = load("kingsburg", 3, seeds=20)
    state = begun(game)
    play(state, random.Random(1), 3)
    # Dice are rolled again after the next summer: until then nobody draws, and then what was rolled is known to nobody.
    while not state.is_chance_node():
        before = state.clone()
        state.apply_action(state.legal_actions()[-1])
    assert state.move_number() == before.move_number() + 1
    assert [outcome for outcome, _ in state.chance_outcomes()] == list(range(20))
    assert state.observation_string(0).split("; said")[0] == before.observation_string(0).split("; said")[0]
    rolls = {state.child(outcome).observation_string(0) for outcome in range(20)}
    assert len(rolls) > 10
    assert str(state.child(3)) == str(state.child(3)) != str(state.child(4))
    for outcome in (3, 4):
        import pickle

        read = pickle.loads(pickle.dumps(state.line))
        assert read.is_chance
        read.draw(outcome)
        assert read.table.save() == state.child(outcome).line.table.save()


@needs_native
def test_ismcts_plays() -> None:
    import numpy.random

    from open_spiel.python.algorithms import ismcts, mcts

    game = load("kingsburg", 2, max_versions=60)
    evaluator = mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game=game, evaluator=evaluator, uct_c=2.0, max_simulations=8, max_world_samples=4, random_state=numpy.random.RandomState(1))
    state = begun(game)
    decisions = 0
    while decisions < 3:
        if state.is_chance_node():
            state.apply_action(5)
            continue
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        decisions += 1


@needs_native
def test_worlds_can_be_stored() -> None:
    game = load("dominion", 2)
    state = begun(game)
    play(state, random.Random(3), 30)
    world = state.resample_from_infostate(state.current_player(), random.Random(4).random)
    for each in (state, world):
        import pickle

        read = pickle.loads(pickle.dumps(each.line))
        assert read.table.save() == each.line.table.save() and read.words == each.line.words
        assert read.luck == each.line.luck
    assert state.line.luck != world.line.luck
