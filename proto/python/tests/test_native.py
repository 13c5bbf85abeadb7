"""Games in this process: the module `gamekeeper_native` does what its stub says."""

from __future__ import annotations

import copy
import pickle
import threading
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from forking import REFUSED, SERVED, outcome_in_fork

native = pytest.importorskip("gamekeeper_native")

Size = tuple[str, int]


def seed(number: int) -> bytes:
    return number.to_bytes(32, "little")


def begun(space: Any, number: int = 1, **settings: Any) -> Any:
    game = native.Game(space, native.Settings(**settings))
    game.begin(seed(number))
    return game


def observed(game: Any, space: Any, who: Any) -> Any:
    cells = np.full(space.size, 9.0, np.float32)
    game.observe(who, cells)
    return cells


def arrays(space: Any, games: int, kind: Any = np.float32) -> Any:
    return SimpleNamespace(
        observations=np.full((games, space.size), 9, kind),
        masks=np.full((games, len(space.words)), 9, np.int8),
        seats=np.full(games, 9, np.int64),
        rewards=np.full((games, space.players), 9, np.float32),
        dones=np.full(games, 9, np.int8),
    )


def same(one: Any, other: Any) -> bool:
    return all(np.array_equal(value, getattr(other, name)) for name, value in vars(one).items())


def test_a_space_names_every_number_and_every_word(table: Size) -> None:
    space = native.Space(*table)
    assert (space.ruleset, space.players) == table and space.ruleset in native.rulesets()
    assert space.size == len(space.cells) == len(set(space.cells))
    assert len(space.words) == len(set(space.words))
    assert space.cells is space.cells
    other = pickle.loads(pickle.dumps(space))
    assert other.version == space.version and other.cells == space.cells
    assert space.version != native.Space("goofspiel" if table[0] != "goofspiel" else "kingsburg", table[1] if table[1] < 4 else 2).version


def test_a_game_is_played_word_by_word(table: Size) -> None:
    space = native.Space(*table)
    game, rng, said_something = begun(space), np.random.default_rng(1), 0
    mask = np.full(len(space.words), 9, np.int8)
    while (seat := game.seat) is not None:
        game.allow(mask)
        assert np.flatnonzero(mask).tolist() == game.words and mask.max() == 1
        cells = observed(game, space, seat)
        assert np.abs(cells).max() <= 1.0
        said = [space.cells[at] for at in np.flatnonzero(cells) if space.cells[at].startswith("said ")]
        assert set(said) == {f"said {space.words[word]}" for word in game.said}
        said_something += bool(said)
        assert game.standings is None and game.rewards() == [0.0] * space.players
        version = game.version
        assert game.say(int(rng.choice(game.words))) == (game.version > version)
    ranks = [rank for rank, _ in game.standings]
    assert len(ranks) == space.players and min(ranks) == 1
    assert abs(sum(game.rewards())) < 1e-5 and abs(sum(game.rewards("win"))) < 1e-5
    assert game.rewards("score") == [score for _, score in game.standings]
    assert said_something


def test_an_illegal_word_changes_nothing() -> None:
    space = native.Space("dominion", 3)
    game = begun(space)
    before = game.snapshot()
    for word in (-1, 10**6, next(word for word in range(len(space.words)) if word not in game.words)):
        with pytest.raises(native.IllegalActionError, match="not legal"):
            game.say(word)
    assert game.snapshot() == before
    assert issubclass(native.IllegalActionError, ValueError)


def test_copies_and_snapshots_go_their_own_way(table: Size) -> None:
    space, rng = native.Space(*table), np.random.default_rng(2)
    settings = native.Settings(recall=True)
    game = native.Game(space, settings)
    game.begin(seed(2))
    for _ in range(10 if table[0] == "goofspiel" else 30):
        game.say(int(rng.choice(game.words)))
    before = game.snapshot()
    others = [game.copy(), copy.copy(game), copy.deepcopy(game), native.Game.restored(space, before, settings)]
    for _ in range(20):
        if game.seat is None:
            break
        word = int(rng.choice(game.words))
        for each in (game, *others):
            each.say(word)
        for other in others:
            assert other.words == game.words and other.version == game.version
            assert [other.memory(seat) for seat in range(space.players)] == [game.memory(seat) for seat in range(space.players)]
            assert np.array_equal(observed(other, space, 0), observed(game, space, 0))
    assert others[0].snapshot() == game.snapshot() != before


def test_everybody_knows_less_than_a_seat_and_everything_more() -> None:
    space = native.Space("dominion", 2)
    game = begun(space)
    hands = {
        who: {space.cells[at].partition("]")[0] for at in np.flatnonzero(observed(game, space, who)) if "hand.cards" in space.cells[at]}
        for who in ("everybody", 0, 1, "everything")
    }
    assert hands == {"everybody": set(), 0: {"players[own"}, 1: {"players[own"}, "everything": {"players[own", "players[left 1"}}
    # Everybody can count who owns what, although nobody sees a deck.
    assert observed(game, space, 0)[space.cells.index("counted[own][copper] (small)")] == pytest.approx(7 / 10)


def test_observations_as_bytes_are_the_numbers_in_steps() -> None:
    space = native.Space("terra_mystica", 3)
    game = begun(space, 5)
    numbers, steps = observed(game, space, 0), np.full(space.size, 9, np.int8)
    game.observe(0, steps)
    assert np.abs(steps / 127 - numbers).max() <= 1 / 127
    assert np.array_equal(steps != 0, numbers != 0)


def test_worlds_look_the_same_to_the_seat() -> None:
    space, rng = native.Space("dominion", 3), np.random.default_rng(4)
    game = begun(space, recall=True)
    for number in range(60):
        seat = game.seat
        world = game.world(seat, seed(number))
        assert np.array_equal(observed(world, space, seat), observed(game, space, seat))
        assert (world.words, world.memory(seat)) == (game.words, game.memory(seat))
        assert world.world(seat, seed(number)).snapshot() == world.snapshot()
        game.say(int(rng.choice(game.words)))
    worlds = {game.world(game.seat, seed(number)).view("everything") for number in range(8)}
    assert len(worlds) > 1


def test_bots_choose_what_is_legal() -> None:
    for policy in ("random", "kinds", "greedy", "search"):
        game = begun(native.Space("kingsburg", 2))
        for number in range(12):
            sentence = game.choose(policy, seed(number), 4)
            assert sentence == game.choose(policy, seed(number), 4)
            assert sentence[: len(game.said)] == game.said and sentence[len(game.said)] in game.words
            assert game.play(policy, seed(number), 4)
    space = native.Space("kingsburg", 2)
    game, number = begun(space), 0
    while game.play("greedy", seed(number)):
        number += 1
    assert game.standings and game.seat is None and game.choose("greedy", seed(1)) == []


def test_views_events_and_actions_are_messages_of_the_contract() -> None:
    from gamekeeper.dominion.v1 import action_pb2, event_pb2, view_pb2

    space, rng = native.Space("dominion", 2), np.random.default_rng(1)
    game, seen = begun(space, 3), 0
    for _ in range(200):
        seat = game.seat
        view = view_pb2.View.FromString(game.view(seat))
        assert {player.seat for player in view.players if player.HasField("hand")} == {seat + 1}
        assert len(game.actions()) > 1 and all(action_pb2.Action.FromString(action).WhichOneof("kind") for action in game.actions())
        seen += len([event_pb2.Event.FromString(event) for event in game.events(seat)])
        game.say(int(rng.choice(game.words)))
    assert seen > 50
    assert "Player 1" in game.board(0) and "\x1b" not in game.board(0) and "\x1b" in game.board(0, colored=True)


def play(vector: Any, to: Any, steps: int) -> list[Any]:
    ended = []
    for luck in range(steps):
        ended += vector.step(vector.sample(luck), to)
    return ended


@pytest.mark.parametrize("kind", [np.float32, np.int8])
def test_a_vector_is_the_same_on_any_number_of_threads(kind: Any) -> None:
    space, ends, found = native.Space("kingsburg", 3), [], []
    for threads in (1, 3):
        vector = native.Vector(space, 7, native.Settings(max_versions=100), threads=threads, reward="win")
        to = arrays(space, len(vector), kind)
        vector.begin(to, seed(1))
        assert not to.rewards.any() and not to.dones.any() and [vector.number(slot) for slot in range(7)] == list(range(1, 8))
        ends.append(play(vector, to, 150))
        found.append(to)
        for slot in range(7):
            # A row is what the seat to move knows, and nothing is left of earlier games.
            game, cells = vector.game(slot), np.zeros(space.size, kind)
            assert game.seat == to.seats[slot]
            game.observe(game.seat, cells)
            assert np.array_equal(cells, to.observations[slot])
            assert np.flatnonzero(to.masks[slot]).tolist() == game.words
    assert ends[0] == ends[1] and len(ends[0]) > 3 and same(*found)


def test_a_vector_says_who_earned_what() -> None:
    space = native.Space("kingsburg", 2)
    vector = native.Vector(space, 3, reward="margin")
    to = arrays(space, 3)
    vector.begin(to, seed(1))
    finished = 0
    for luck in range(4_000):
        ended = {slot: standings for slot, _, standings in vector.step(vector.sample(luck), to)}
        for slot in range(3):
            standings = ended.get(slot)
            assert to.dones[slot] == (1 if standings else 0)
            expected = [standings[0][1] - standings[1][1], standings[1][1] - standings[0][1]] if standings else [0, 0]
            assert to.rewards[slot].tolist() == expected
        finished += len(ended)
        if finished > 6:
            return
    raise AssertionError("games should have ended")


def test_games_that_are_cut_off_earn_nothing() -> None:
    space = native.Space("caylus", 2)
    vector = native.Vector(space, 2, native.Settings(max_versions=10))
    to = arrays(space, 2)
    vector.begin(to, seed(1))
    assert vector.last(0) is None
    cut = 0
    for luck in range(60):
        for slot, version, standings in vector.step(vector.sample(luck), to):
            assert (version, standings, to.dones[slot]) == (10, None, 2) and not to.rewards.any()
            assert vector.last(slot).version == 10 and vector.last(slot).seat is None
            cut += 1
    assert cut > 2


def test_opponents_play_their_seats() -> None:
    space = native.Space("kingsburg", 3)
    for take_turns in (False, True):
        vector = native.Vector(space, 4, opponents=[("greedy", 0), None, ("random", 0)], take_turns=take_turns)
        to = arrays(space, 4)
        vector.begin(to, seed(1))
        for luck in range(200):
            expected = [(1 + (vector.number(slot) - 1) * take_turns) % 3 for slot in range(4)]
            assert to.seats.tolist() == expected
            vector.step(vector.sample(luck), to)


def test_bad_arguments_change_nothing() -> None:
    space = native.Space("kingsburg", 2)
    vector = native.Vector(space, 2)
    to = arrays(space, 2)
    with pytest.raises(RuntimeError, match="not begun"):
        vector.step(np.zeros(2, np.int64), to)
    vector.begin(to, seed(1))
    before = copy.deepcopy(to)
    legal = vector.sample(1)
    with pytest.raises(native.IllegalActionError, match="in game 1"):
        vector.step(np.array([legal[0], 60_000]), to)
    with pytest.raises(ValueError, match="words"):
        vector.step(legal[:1], to)
    for name in vars(to):
        short = copy.copy(to)
        setattr(short, name, getattr(to, name)[:1].copy())
        with pytest.raises(ValueError, match="wrong size"):
            vector.step(legal, short)
    for name, bad, error in (
        ("masks", np.zeros((2, len(space.words))), "masks is an array of float64 with 2 dimensions; it must be an array of int8 with 2"),
        ("observations", np.zeros((2, space.size)), "observations is an array of float64 .* of float32 or int8 with 2"),
        ("observations", [[0.0]], "observations is of the type list"),
        ("rewards", np.zeros(4, np.float32), "rewards is an array of float32 with 1 dimensions; .* with 2"),
        ("seats", to.seats[::-1], "contiguous"),
    ):
        other = copy.copy(to)
        setattr(other, name, bad)
        with pytest.raises((TypeError, ValueError), match=error):
            vector.step(legal, other)
    fixed = copy.copy(to)
    fixed.masks = to.masks.copy()
    fixed.masks.setflags(write=False)
    with pytest.raises(ValueError, match="masks cannot be written"):
        vector.step(legal, fixed)
    with pytest.raises(TypeError, match="words is an array of float64"):
        vector.step(legal.astype(float), to)
    with pytest.raises(TypeError, match="observation is an array of float64"):
        vector.game(0).observe(0, np.zeros(space.size))
    with pytest.raises(TypeError, match="mask is an array of bool"):
        vector.game(0).allow(np.zeros(len(space.words), bool))
    for one, error in ((vector, "where it is used"), (vector.game(0), "snapshot")):
        with pytest.raises(TypeError, match=error):
            pickle.dumps(one)
    assert same(before, to)
    with pytest.raises(IndexError):
        vector.game(2)
    with pytest.raises(IndexError):
        vector.number(2)
    with pytest.raises(IndexError):
        vector.last(2)


def test_a_forked_vector_with_threads_says_so() -> None:
    space = native.Space("kingsburg", 2)
    for threads in (1, 2):
        vector, to = native.Vector(space, 4, threads=threads), arrays(space, 4)
        vector.begin(to, seed(1))
        expected = SERVED if threads == 1 else REFUSED
        assert outcome_in_fork(lambda: vector.step(vector.sample(1), to)) == expected
        vector.step(vector.sample(1), to)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda space: native.Space("chess", 2), "no ruleset"),
        (lambda space: native.Space("kingsburg", 9), "players"),
        (lambda space: native.Settings(start="end"), "no start"),
        (lambda space: native.Settings(detail="all"), "no detail"),
        (lambda space: native.Game(space, native.Settings(options=b"\xff")), "options"),
        (lambda space: native.Game.restored(space, b"nothing"), "no snapshot"),
        (lambda space: native.Vector(space, 65_537), "too many"),
        (lambda space: native.Vector(space, 1, threads=257), "too many"),
        (lambda space: native.Vector(space, 1, opponents=[None] * 3), "opponents"),
        (lambda space: native.Vector(space, 1, opponents=[("genius", 1)]), "no policy"),
        (lambda space: native.Vector(space, 1, opponents=[("bm0", 1)]), "no policy .* for kingsburg; there are random"),
        (lambda space: native.Vector(space, 1, opponents=[("search", 1_000_001)]), "too many"),
        (lambda space: native.Vector(space, 1, reward="fame"), "no reward"),
        (lambda space: begun(space).begin(bytes(31)), "32"),
        (lambda space: begun(space).observe(2, np.zeros(space.size, np.float32)), "no player 2"),
        (lambda space: begun(space).observe("nobody", np.zeros(space.size, np.float32)), "nobody"),
        (lambda space: begun(space).observe(0, np.zeros(5, np.float32)), "wrong size"),
        (lambda space: begun(space).allow(np.zeros(5, np.int8)), "wrong size"),
        (lambda space: begun(space).board(0, 1_001), "too many"),
        (lambda space: begun(space).world(2, bytes(32)), "no player"),
    ],
)
def test_what_is_not_there_is_refused(make: Any, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        make(native.Space("kingsburg", 2))


def test_a_game_that_has_not_begun_has_nothing() -> None:
    space = native.Space("kingsburg", 2)
    game = native.Game(space)
    assert (game.seat, game.words, game.version, game.standings) == (None, [], 0, None)
    with pytest.raises(RuntimeError, match="not begun"):
        game.snapshot()
    with pytest.raises(native.IllegalActionError):
        game.say(0)
    with pytest.raises(RuntimeError, match="anything to decide"):
        native.Vector(space, 1, native.Settings(max_versions=1)).begin(arrays(space, 1), seed(1))


def test_other_threads_go_on_while_games_are_played() -> None:
    space = native.Space("kingsburg", 2)
    vector = native.Vector(space, 32, opponents=[None, ("search", 8)])
    to, ticks, done = arrays(space, 32), list[float](), threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    vector.begin(to, seed(1))
    other = threading.Thread(target=tick)
    other.start()
    steps = []
    for luck in range(8):
        words, begun_at = vector.sample(luck), time.perf_counter()
        vector.step(words, to)
        steps.append((begun_at, time.perf_counter() - begun_at))
    done.set()
    other.join()
    # A thread that had to wait would tick when the step is over, and not in the middle of it.
    long = [(begun_at, took) for begun_at, took in steps if took > 0.03]
    assert long
    for begun_at, took in long:
        assert any(begun_at + 0.1 * took < tick < begun_at + 0.7 * took for tick in ticks)
