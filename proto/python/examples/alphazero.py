"""Learns a ruleset by playing and then by searching, as AlphaZero does, over sampled worlds and with numpy alone.

    python alphazero.py --minutes 60 --save kingsburg-az.npz --export kingsburg-az.onnx
    python alphazero.py --minutes 0 --load kingsburg-az.npz --games 400   # only plays with what was saved

A network gives a probability for each word and an estimate of the result. First it practices as `learn.py` does, without a
search: twenty times as many games in the same time teach what is plain. Then a tree search plays, for each decision, worlds
that the seat thinks possible, guided by both (`gamekeeper_native.TreeSearch`); the network learns how often the search tried
each word, and what came of the game. All seats play with the same network. Minutes are those of a processor, summed over
threads. At the end the search plays against a bot.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

# One thread multiplies these matrices as fast as many.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gamekeeper_native as native
import numpy as np
from curve import Point
from learn import Learner as Practice
from learn import Network, Used, measure

from gamekeeper.batch import Batch, Ended, Opponent
from gamekeeper.inside import native_space

GAMES = 64
ROUND = 64  # Decisions of each game before the network is changed.
KEPT = 60_000  # Decisions from which the network learns: the latest.
MINIBATCH = 512
PASSES = 4  # How often a decision is learned from, on average.
PRACTICE = 0.7  # Share of the time in which it learns without a search.
FIRST_RATE = 0.3  # The rate with a search begins with this share: what was practiced is refined, not learned anew.
LAST_RATE = 0.1  # What is left of a rate when its time is up.
MARGIN = 10  # A lead of 10 points is worth half of the most that a lead is worth.
EXPLORATION = 0.4
NOISE = 0.1  # Practice has tried what is unlikely.
VALUE = 0.5  # Weight of the estimate against the words.
STEP = np.float32(1 / 127)  # Observations that are kept are bytes.


class Student(Network):
    """The network of `learn.py`, which here learns from a search."""

    def imitate(self, seen: np.ndarray, masks: np.ndarray, shares: np.ndarray, aim: np.ndarray, used: Used = slice(None)) -> None:
        """One step towards the words that were searched most, and the values that came of it."""
        hidden, chances, value = self(seen, masks, used)
        slope = shares - chances
        error = VALUE * (aim - value)
        inner = (slope @ self.weights["words"].T + error[:, None] * self.weights["value"][:, 0]) * (1 - hidden**2)
        slopes = {"hidden": seen.T @ inner, "bias": inner.sum(axis=0), "words": hidden.T @ slope, "value": hidden.T @ error[:, None]}
        self._climb(slopes, len(seen), used)


class Player:
    """A network that thinks: it searches before it says a word."""

    def __init__(self, space: native.Space, network: Student, simulations: int, threads: int, seed: int) -> None:
        self.space, self.network, self.seed = space, network, seed
        # Which numbers of an observation were ever other than zero: only these have taught.
        self.used = network.moments["hidden"][1].any(axis=1)
        self.decisions = 0
        self.search, self.noisy = (
            native.TreeSearch(space, simulations=simulations, exploration=EXPLORATION, noise=noise, margin=MARGIN, threads=threads)
            for noise in (0.0, NOISE)
        )

    def evaluate(self, seen: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Priors of words, and values of seats, counted from the one that looks."""
        used = np.flatnonzero(self.used)
        _, chances, value = self.network(seen[:, used], masks.astype(bool), used)
        others = self.space.players - 1
        # What one seat gains the others lose.
        return chances, np.stack([value] + [-value / others] * others, axis=1)

    def think(self, games: Sequence[native.Game], *, noisy: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """How often the search tried each word, as shares, and the value that it found, for each game."""
        self.decisions += 1
        search = self.noisy if noisy else self.search
        rated = search.rate(games, self.evaluate, [self._luck(place) for place in range(len(games))])
        shares, values = np.zeros((len(games), len(self.space.words)), np.float32), np.zeros(len(games), np.float32)
        for row, ratings in enumerate(rated):
            counts = np.array([rating.count for rating in ratings])
            words = [rating.word for rating in ratings]
            shares[row, words] = counts / counts.sum()
            values[row] = counts @ [rating.value for rating in ratings] / counts.sum()
        return shares, values

    def _luck(self, place: int) -> bytes:
        return hashlib.sha256(f"{self.seed} {self.decisions} {place}".encode()).digest()


class Memory:
    """The latest decisions: what was seen, which words could be said, how often each was searched, and what came of it."""

    def __init__(self, inputs: int, words: int, size: int) -> None:
        self.seen = np.zeros((size, inputs), np.int8)
        self.masks = np.zeros((size, words), np.int8)
        self.shares = np.zeros((size, words), np.float16)
        self.aims = np.zeros(size, np.float32)
        self.written = 0

    def __len__(self) -> int:
        return min(self.written, len(self.aims))

    def add(self, seen: np.ndarray, mask: np.ndarray, shares: np.ndarray, aim: float) -> None:
        """Keeps a decision in the place of the oldest."""
        at = self.written % len(self.aims)
        self.seen[at], self.masks[at], self.shares[at], self.aims[at] = seen, mask, shares, aim
        self.written += 1


class Learner:
    """Plays against itself, and learns from every game that is over."""

    def __init__(self, ruleset: str, players: int | None, seed: int, simulations: int, threads: int, load: Path | None = None) -> None:
        self.rng = np.random.default_rng(seed)
        self.batch = Batch(ruleset, players, GAMES, seed=seed, compact=True, threads=threads)
        inputs, words = self.batch.observations.shape[1], self.batch.masks.shape[1]
        self.network = Student(inputs, words, self.rng)
        if load:
            self.network.load(load)
        self.player = Player(native_space(ruleset, players), self.network, simulations, threads, seed)
        self.memory = Memory(inputs, words, KEPT)
        self.open: defaultdict[tuple[int, int], list[tuple[np.ndarray, np.ndarray, np.ndarray, float]]] = defaultdict(list)
        self.games = 0

    def round(self) -> None:
        """Plays some decisions in each game, and learns."""
        before = self.memory.written
        for _ in range(ROUND):
            self.step()
        used = np.flatnonzero(self.player.used)
        for _ in range(PASSES * (self.memory.written - before) // MINIBATCH):
            some = self.rng.integers(0, len(self.memory), MINIBATCH)
            seen = self.memory.seen[some][:, used] * STEP
            self.network.imitate(seen, self.memory.masks[some].astype(bool), self.memory.shares[some].astype(np.float32), self.memory.aims[some], used)

    def step(self) -> None:
        """One decision in every game."""
        batch = self.batch
        seen, masks = batch.observations.copy(), batch.masks.copy()
        self.player.used |= seen.any(axis=0)
        shares, values = self.player.think(batch.games(), noisy=True)
        for slot in range(len(batch)):
            self.open[slot, int(batch.seats[slot])].append((seen[slot], masks[slot], shares[slot], float(values[slot])))
        edges = shares.cumsum(axis=1)
        said = (edges > self.rng.random((len(batch), 1)) * edges[:, -1:]).argmax(axis=1)
        for ended in batch.step(said):
            self.games += 1
            for seat, result in enumerate(results(ended)):
                for row, mask, searched, value in self.open.pop((ended.slot, seat), []):
                    # The result is true and depends on luck; the search is steadier.
                    self.memory.add(row, mask, searched, (result + value) / 2)


def results(ended: Ended) -> list[float]:
    """The result of each seat, as the search values the ends of games: half for its rank, half for its lead."""
    if not ended.scores:
        return list(ended.rewards)
    leads = [own - max(ended.scores[:seat] + ended.scores[seat + 1 :]) for seat, own in enumerate(ended.scores)]
    return [(rank + lead / (abs(lead) + MARGIN)) / 2 for rank, lead in zip(ended.rewards, leads)]


def match(player: Player, opponent: Opponent, games: int, seed: int) -> Point:
    """Plays against bots, in each seat equally often: the share of games won, a shared win counting by part."""
    players, won = player.space.players, 0.0
    for seat in range(players):
        waiting = set(range(games // players))
        luck = 1_000_000 + seed * players + seat
        batch = Batch(player.space.ruleset, players, len(waiting), seed=luck, seat=seat, opponents=[opponent] * (players - 1))
        while waiting:
            said = batch.masks.argmax(axis=1)  # of no interest where the only game of a slot is over
            slots = sorted(waiting)
            all_games = batch.games()
            said[slots] = player.think([all_games[slot] for slot in slots])[0].argmax(axis=1)
            for ended in batch.step(said):
                if ended.slot in waiting:
                    waiting.remove(ended.slot)
                    best = max(ended.rewards)
                    won += (ended.rewards[seat] == best) / ended.rewards.count(best)
        batch.close()
    played = games // players * players
    return Point(0, won / played, played)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ruleset", default="kingsburg")
    parser.add_argument("--players", type=int)
    parser.add_argument("--minutes", type=float, default=10.0, help="minutes of a processor to learn; playing is extra")
    parser.add_argument("--practice", type=float, default=PRACTICE, help="share of the minutes without a search")
    parser.add_argument("--teacher", default="greedy", metavar="POLICY", help="bot that has the other seats in half of the games of practice")
    parser.add_argument("--simulations", type=int, default=32, help="worlds of a word while it learns")
    parser.add_argument("--thought", type=int, default=192, help="worlds of a word at the end; the usual ones think about as long as search")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=int, default=20, help="rounds of learning between looks at the network without a search")
    parser.add_argument("--rival", default="search", help="bot to play against at the end, with its usual playouts: 64 in most rulesets")
    parser.add_argument("--games", type=int, default=200, help="games at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="file for what was learned")
    parser.add_argument("--load", type=Path, help="file to go on from")
    parser.add_argument("--export", type=Path, help="file for a policy that bots of a server play, with its manifest beside it")
    args = parser.parse_args()
    if min(args.simulations, args.thought, args.threads) < 1:
        parser.error("simulations, thought and threads are at least 1")

    learner = Learner(args.ruleset, args.players, args.seed, args.simulations, args.threads, args.load)
    space, network, worked, rounds = learner.player.space, learner.network, 0.0, 0
    if args.games < space.players:
        parser.error(f"every seat plays at least one game: --games is {space.players} or more")
    practice = Practice(args.ruleset, space.players, args.seed, args.teacher)
    practice.network = network

    def learn(seconds: float, rate: float, learn_round: Callable[[], None]) -> None:
        """Learns for this time of the processor, with a rate that falls, and looks now and then."""
        nonlocal worked, rounds
        begun, end = worked, worked + seconds
        while worked < end:
            at = time.process_time()
            network.pace = rate * (1 - (1 - LAST_RATE) * (worked - begun) / seconds)
            learn_round()
            worked += time.process_time() - at
            rounds += 1
            if rounds % args.every == 0:
                share = measure(network, args.ruleset, space.players, 100, rounds, "greedy")
                games = f"{practice.games:6} games of practice, {learner.games} with a search (processor {worked:4.0f} s)"
                print(f"{games}: {share:6.1%} of 100 games won against greedy without a search", flush=True)
                if args.save:
                    network.save(args.save)

    learn(60 * args.minutes * args.practice, 1.0, practice.round)
    learner.player.used |= practice.used
    if args.save and practice.games:
        network.save(args.save.with_stem(f"{args.save.stem}-practice"))
    learn(60 * args.minutes * (1 - args.practice), FIRST_RATE, learner.round)
    if args.save:
        network.save(args.save)
    if args.export:
        network.export(args.export, args.ruleset, space.players)
    thinker = Player(space, network, args.thought, args.threads, args.seed)
    fared = match(thinker, args.rival, args.games, args.seed)
    low, high = fared.interval()
    learned = f"{practice.games} games of practice, {learner.games} with a search, processor {worked:.0f} s"
    print(f"{learned}: {fared.share:.1%} ({low:.1%} to {high:.1%}) of {fared.games} games won against {args.rival}", flush=True)


if __name__ == "__main__":
    main()
