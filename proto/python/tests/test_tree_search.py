"""Searches say what they found out: `search` about actions, and tree search with an evaluator about words."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from forking import REFUSED, SERVED, outcome_in_fork

from gamekeeper import server
from gamekeeper.batch import Batch

native = pytest.importorskip("gamekeeper_native")


def seed(number: int) -> bytes:
    return number.to_bytes(32, "little")


def begun(space: Any, number: int = 1, decisions: int = 0) -> Any:
    """A game in which some words are said at random."""
    game, rng = native.Game(space), np.random.default_rng(number)
    game.begin(seed(number))
    for _ in range(decisions):
        game.say(int(rng.choice(game.words)))
    return game


def rows(space: Any, games: int) -> Any:
    return SimpleNamespace(
        observations=np.full((games, space.size), 9, np.float32),
        masks=np.full((games, len(space.words)), 9, np.int8),
        seats=np.full(games, 9, np.int64),
        rewards=np.full((games, space.players), 9, np.float32),
        dones=np.full(games, 9, np.int8),
    )


def hunch(space: Any) -> Any:
    """An evaluator that has learned nothing: its answers follow from what it sees."""
    rng = np.random.default_rng(7)
    liking, hope = rng.standard_normal((space.size, 16)), rng.standard_normal((16, space.players))
    words = rng.random((16, len(space.words)))

    def evaluate(seen: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        assert seen.dtype == np.float32 and masks.dtype == np.int8 and len(seen) == len(masks) == len(seats)
        # Row by row, since products of matrices of other sizes are rounded differently.
        felt = np.stack([np.abs(row @ liking) for row in seen])
        return np.stack([row @ words for row in felt]), np.stack([np.tanh(row @ hope / 16) for row in felt])

    return evaluate


def told(ratings: Any) -> list[list[tuple[int, float, int, float, float]]]:
    return [[(one.word, one.prior, one.count, one.value, one.error) for one in each] for each in ratings]


@pytest.mark.parametrize("ruleset", native.rulesets())
def test_the_first_action_is_what_search_chooses(ruleset: str) -> None:
    space = native.Space(ruleset)
    game, compared = begun(space), 0
    for number in range(6):
        rated = game.rate(seed(number), 24)
        assert rated[0].words == game.choose("search", seed(number), 24)
        legal = [space.sentence(action) for action in game.actions()]
        assert all(one.words in legal for one in rated) and len({tuple(one.words) for one in rated}) == len(rated)
        assert sum(one.count for one in rated) <= 24
        assert any(one.lead == one.error == 0.0 for one in rated), "the favorite is compared with itself"
        for one in rated:
            assert one.error >= 0.0 and (one.count > 0 or one.value == one.lead == 0.0)
        compared += sum(one.count > 0 for one in rated)
        game.play("random", seed(number))
    assert compared >= 6
    assert native.Game(space).rate(seed(1)) == []


@pytest.mark.parametrize("ruleset", native.rulesets())
def test_a_tree_tries_the_legal_words_and_repeats_itself(ruleset: str) -> None:
    space, evaluate = native.Space(ruleset), hunch(native.Space(ruleset))
    games = [begun(space, number, 2 * number) for number in range(1, 6)]
    before, seeds = [game.snapshot() for game in games], [seed(number) for number in range(5)]
    search = native.TreeSearch(space, simulations=24)
    found = told(search.rate(games, evaluate, seeds))
    for game, ratings in zip(games, found):
        words, priors, counts, values, _ = zip(*ratings)
        assert list(words) == game.words and sum(counts) == 24
        assert sum(priors) == pytest.approx(1.0, abs=1e-3) and np.abs(values).max() <= 1.0
    assert [game.snapshot() for game in games] == before
    assert told(search.rate(games, evaluate, seeds)) == found
    # Neither threads nor the other games matter.
    assert told(native.TreeSearch(space, simulations=24, threads=2).rate(games, evaluate, seeds)) == found
    assert [told(search.rate([game], evaluate, [one]))[0] for game, one in zip(games, seeds)] == found
    assert told(search.rate(games, evaluate, seeds[::-1])) != found or not space.hidden_information


@pytest.mark.parametrize("ruleset", native.rulesets())
def test_a_tree_knows_what_its_seat_knows(ruleset: str) -> None:
    space, evaluate = native.Space(ruleset, 3), hunch(native.Space(ruleset, 3))
    search = native.TreeSearch(space, simulations=16)
    for number in range(4):
        game = begun(space, number, 3 * number)
        worlds = [game.world(game.seat, seed(luck)) for luck in range(3)]
        game_and_worlds = told(search.rate([game, *worlds], evaluate, [seed(9)] * 4))
        assert game_and_worlds == game_and_worlds[:1] * 4


@pytest.mark.parametrize("margin", [0, 10])
def test_the_value_of_an_end_is_its_result(margin: int) -> None:
    space, rng, ends = native.Space("terra_mystica"), np.random.default_rng(1), 0
    search = native.TreeSearch(space, simulations=40, exploration=100.0, margin=margin)
    for number in range(3):
        game = begun(space, number)
        while game.seat is not None:
            after = {word: game.copy() for word in game.words}
            for word, child in after.items():
                child.say(word)
            over = {word: child for word, child in after.items() if child.seat is None}
            if over:
                for rating in search.rate([game], hunch(space), [seed(1)])[0]:
                    if rating.word in over and rating.count:
                        end, ends = over[rating.word], ends + 1
                        lead = end.rewards("margin")[game.seat]
                        expected = end.rewards()[game.seat]
                        if margin:
                            expected = (expected + lead / (abs(lead) + margin)) / 2
                        assert rating.value == pytest.approx(expected, abs=1e-4) and rating.error < 1e-4
            game.say(int(rng.choice(game.words)))
    assert ends


def test_an_evaluator_gets_the_table_as_its_seats_see_it() -> None:
    space, calls = native.Space("dominion", 3), []
    games = [begun(space, number, 4) for number in range(3)]

    def evaluate(seen: Any, masks: Any, seats: Any) -> Any:
        calls.append((seen.copy(), masks.copy(), seats.copy()))
        # The last word of all, and a certain win for the seat to move.
        last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return masks + 1e3 * np.eye(masks.shape[1])[last], [[1.0, -0.5, -0.5]] * len(seats)

    rated = native.TreeSearch(space, simulations=0).rate(games, evaluate, [seed(1)] * 3)
    to = rows(space, 3)
    native.observe_many(games, to)
    assert len(calls) == 1 and all(np.array_equal(one, other) for one, other in zip(calls[0], (to.observations, to.masks, to.seats)))
    assert all(one.count == 0 and one.value == 0.0 for ratings in rated for one in ratings)
    for ratings in native.TreeSearch(space, simulations=8).rate(games, evaluate, [seed(1)] * 3):
        assert max(ratings, key=lambda one: one.prior) is ratings[-1]
        assert ratings[-1].count == max(one.count for one in ratings)
    for seen, masks, _ in calls:
        assert np.abs(seen).max() <= 1.0 and set(np.unique(masks)) == {0, 1}


def test_noise_is_a_part_of_the_priors_of_the_root() -> None:
    space, evaluate = native.Space("kingsburg"), hunch(native.Space("kingsburg"))
    game = begun(space, 3)

    def priors(noise: float, luck: int) -> np.ndarray:
        search = native.TreeSearch(space, simulations=0, noise=noise)
        return np.array([one.prior for one in search.rate([game], evaluate, [seed(luck)])[0]])

    plain, drawn = priors(0.0, 1), priors(1.0, 1)
    assert np.array_equal(plain, priors(0.0, 2)) and not np.array_equal(drawn, priors(1.0, 2))
    assert np.abs(priors(0.25, 1) - (0.75 * plain + 0.25 * drawn)).max() < 1e-4


def test_observations_of_many_games_are_those_of_each() -> None:
    space = native.Space("kingsburg", 3)
    over = begun(space)
    while over.play("random", seed(1)):
        pass
    games, to = [begun(space, 1), over, begun(space, 2, 7)], rows(space, 3)
    for kind in (np.float32, np.int8):
        to.observations = np.full((3, space.size), 9, kind)
        native.observe_many(games, to)
        for place, game in enumerate(games):
            if game.seat is None:
                assert not to.observations[place].any() and not to.masks[place].any() and to.seats[place] == -1
                continue
            cells, mask = np.zeros(space.size, kind), np.zeros(len(space.words), np.int8)
            game.observe(game.seat, cells)
            game.allow(mask)
            assert np.array_equal(to.observations[place], cells) and np.array_equal(to.masks[place], mask) and to.seats[place] == game.seat
    with pytest.raises(ValueError, match="a game of dominion with 3 players is not one of kingsburg with 3 players"):
        native.observe_many([begun(space), begun(native.Space("dominion", 3))], rows(space, 2))
    with pytest.raises(ValueError, match="wrong size"):
        native.observe_many(games, rows(space, 2))


def test_a_game_that_is_put_into_a_slot_is_played_there() -> None:
    space = native.Space("kingsburg")
    batch, twin = (Batch("kingsburg", games=3, seed=5) for _ in range(2))
    other = begun(space, 4, 9)
    assert batch.put(1, other) == []
    to, games = rows(space, 3), twin.games()
    native.observe_many([games[0], other, games[2]], to)
    assert np.array_equal(batch.observations, to.observations) and np.array_equal(batch.masks, to.masks)
    assert np.array_equal(batch.seats, to.seats)
    mine, second = [], None
    while not mine or second is None:
        words, said = batch.masks.argmax(axis=1), twin.masks.argmax(axis=1)
        ended, others = batch.step(words), twin.step(said)
        assert [one for one in ended if one.slot != 1] == [one for one in others if one.slot != 1]
        assert np.array_equal(batch.observations[[0, 2]], twin.observations[[0, 2]])
        if other.seat is not None:
            other.say(int(words[1]))
        if not mine:
            mine, following = [one for one in ended if one.slot == 1], batch.observations[1].copy()
        if second is None and any(one.slot == 1 for one in others):
            second = twin.observations[1].copy()
    assert mine[0].scores == tuple(score for _, score in other.standings)
    assert np.array_equal(following, second), "the next game is the slot's own"
    before = batch.observations.copy()
    for slot, game, error, text in (
        (3, begun(space), IndexError, "no game 3"),
        (0, native.Game(space), ValueError, "in game 0 nobody has anything to decide"),
        (0, begun(native.Space("kingsburg", 3)), ValueError, "kingsburg with 3 players is not one of kingsburg with 2 players"),
    ):
        with pytest.raises(error, match=text):
            batch.put(slot, game)
    assert np.array_equal(batch.observations, before)
    with pytest.raises(RuntimeError, match="not begun"):
        native.Vector(space, 1).put(0, begun(space), rows(space, 1))


def test_bots_play_on_in_a_game_that_is_put_into_a_slot() -> None:
    space = native.Space("kingsburg")
    game = begun(space)
    while game.seat != 1:
        game.say(game.words[0])
    batch = Batch("kingsburg", games=2, seed=1, opponents=["greedy"])
    assert batch.put(0, game) == [] and batch.seats[0] == 0
    assert batch.games()[0].version > game.version


@pytest.mark.parametrize(
    ("answer", "error", "text"),
    [
        (lambda seen, masks: None, TypeError, "returns priors and values, not NoneType"),
        (lambda seen, masks: (masks,), TypeError, "not 1 things"),
        (lambda seen, masks: (masks[:, 1:], np.zeros((2, 2))), ValueError, "priors have the wrong shape"),
        (lambda seen, masks: (masks, np.zeros(2)), ValueError, "values have the wrong shape"),
        (lambda seen, masks: (masks * -1.0, np.zeros((2, 2))), ValueError, "the prior -1; priors are numbers from 0 on"),
        (lambda seen, masks: (masks, np.full((2, 2), np.nan)), ValueError, "the value NaN"),
        (lambda seen, masks: ("a", masks), ValueError, "could not convert"),
        (lambda seen, masks: 1 / 0, ZeroDivisionError, "division"),
    ],
)
def test_a_wrong_answer_of_an_evaluator_is_named(answer: Any, error: Any, text: str) -> None:
    space = native.Space("kingsburg")
    games = [begun(space), begun(space, 2)]
    before = [game.snapshot() for game in games]
    with pytest.raises(error, match=text):
        native.TreeSearch(space).rate(games, lambda seen, masks, seats: answer(seen, masks), [seed(1)] * 2)
    assert [game.snapshot() for game in games] == before


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda space, search: native.TreeSearch(space, simulations=100_001), "too many"),
        (lambda space, search: native.TreeSearch(space, threads=257), "too many"),
        (lambda space, search: native.TreeSearch(space, noise=1.5), "noise is 1.5; it is a share from 0 to 1"),
        (lambda space, search: native.TreeSearch(space, exploration=float("nan")), "exploration is NaN"),
        (lambda space, search: search.rate([begun(space)], hunch(space), []), "seeds has 0 numbers, not 1"),
        (lambda space, search: search.rate([native.Game(space)], hunch(space), [seed(1)]), "in game 0 nobody has anything to decide"),
        (lambda space, search: search.rate([begun(native.Space("kingsburg", 3))], hunch(space), [seed(1)]), "is not one of kingsburg with 2 players"),
        (lambda space, search: begun(space).rate(seed(1), 1_000_001), "too many"),
    ],
)
def test_a_wrong_search_is_refused(call: Any, text: str) -> None:
    space = native.Space("kingsburg")
    with pytest.raises(ValueError, match=text):
        call(space, native.TreeSearch(space))


def test_a_search_belongs_to_its_process() -> None:
    space, evaluate = native.Space("kingsburg"), hunch(native.Space("kingsburg"))
    games = [begun(space, number) for number in range(2)]
    assert native.TreeSearch(space).rate([], evaluate, []) == []
    for threads in (1, 2):
        search = native.TreeSearch(space, simulations=4, threads=threads)
        search.rate(games, evaluate, [seed(1)] * 2)
        expected = SERVED if threads == 1 else REFUSED
        assert outcome_in_fork(lambda: search.rate(games, evaluate, [seed(1)] * 2)) == expected
        with pytest.raises(TypeError, match="neither pickled nor copied"):
            pickle.dumps(search)


def test_games_are_searched_only_in_this_process() -> None:
    batch = Batch("kingsburg", games=1, address=server.shared().address)
    with pytest.raises(ValueError, match="only where they are played in this process"):
        batch.games()
    with pytest.raises(ValueError, match="only where they are played in this process"):
        batch.put(0, begun(native.Space("kingsburg")))
    batch.close()
