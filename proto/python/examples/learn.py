"""Learns a ruleset by playing against itself, with numpy alone, and draws how it fares against random players or a bot.

    python learn.py kingsburg --minutes 3 --picture learning.svg
    python learn.py kingsburg --minutes 60 --teacher greedy --against greedy search --save kingsburg.npz
    python learn.py kingsburg --minutes 0 --load kingsburg.npz --against search   # only measures what was saved
    python learn.py kingsburg --minutes 0 --load kingsburg.npz --export kingsburg.onnx   # a policy for bots of a server

The method is proximal policy optimization (PPO): a network with one hidden layer gives a probability for each word and
an estimate of the reward. All seats play with the same network; a game teaches each of its seats when it is over. With
`--teacher`, a bot has the other seats in half of the games that are played at a time.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

# One thread multiplies these matrices as fast as many, and leaves a processor to the server.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from curve import Point, draw

from gamekeeper import policies
from gamekeeper.batch import Batch, Ended, Opponent
from gamekeeper.door import has_native
from gamekeeper.tables import Policy

GAMES = 64
HIDDEN = 128
DECISIONS = 8_192  # Decisions of finished games before the network is changed.
EPOCHS = 3
MINIBATCH = 512
RATE = 1e-3
LAST_RATE = 0.1  # What is left of the rate and of the reward for entropy when the time is up.
CLIP = 0.2
TRACE = 0.97
ENTROPY = 0.01
EXPORTED = 900  # Most numbers of an observation that an exported policy looks at.
MARGIN = 10  # A lead of 10 points earns three quarters of the most.
# In this process observations come as bytes, in steps of 1/127.
SCALE = np.float32(1 / 127 if has_native() else 1)


# Which numbers of an observation: all, or these.
Used = slice | np.ndarray


class Network:
    """Observation to scores of words, and to the expected reward; trained with Adam."""

    def __init__(self, inputs: int, words: int, rng: np.random.Generator) -> None:
        def matrix(rows: int, columns: int, scale: float) -> np.ndarray:
            return (rng.standard_normal((rows, columns)) * scale).astype(np.float32)

        self.weights = {
            # Observations are sparse: the scale is that of a few hundred inputs.
            "hidden": matrix(inputs, HIDDEN, 0.1),
            "bias": np.zeros(HIDDEN, np.float32),
            "words": matrix(HIDDEN, words, 0.01),
            "value": matrix(HIDDEN, 1, 0.01),
        }
        self.moments = {name: (np.zeros_like(weight), np.zeros_like(weight)) for name, weight in self.weights.items()}
        self.steps = 0
        self.pace = 1.0  # Factor of the rate and of the reward for entropy.

    def save(self, path: Path) -> None:
        """Keeps what was learned in a file of NumPy."""
        moments = {f"{name} {nth}": moment for name, both in self.moments.items() for nth, moment in enumerate(both)}
        np.savez_compressed(path, steps=self.steps, **self.weights, **moments)

    def load(self, path: Path) -> None:
        """Goes on from such a file. Raises `ValueError` when it is that of another game."""
        with np.load(path) as saved:
            for name, weight in self.weights.items():
                if saved[name].shape != weight.shape:
                    raise ValueError(f"{path} is of another ruleset, number of players, or version of observations")
                self.weights[name] = saved[name]
                self.moments[name] = (saved[f"{name} 0"], saved[f"{name} 1"])
            self.steps = int(saved["steps"])

    def export(self, path: Path, ruleset: str, players: int) -> None:
        """Writes a policy that bots of a server play: the likeliest word. It is small: weights have 8 bits, and it looks only at
        the numbers that taught most.
        """
        layout = policies.Layout.of(ruleset, players)
        network = policies.Network(layout)
        taught = self.moments["hidden"][1].sum(axis=1)
        used = np.sort(np.argsort(-taught)[: min(EXPORTED, np.count_nonzero(taught))])
        felt = network.linear(network.take(network.cells, used), self.weights["hidden"][used], self.weights["bias"], small=True)
        hidden = network.tanh(felt)
        scores = network.linear(hidden, self.weights["words"], small=True)
        # What one seat gains the others lose.
        values = network.linear(hidden, self.weights["value"] @ np.array([[1.0, *[-1 / (players - 1)] * (players - 1)]], np.float32))
        policies.write_policy(path, layout, network.ended(scores, values), description=f"Learned by playing against itself, in {self.steps} steps")

    def __call__(self, seen: np.ndarray, masks: np.ndarray, used: Used = slice(None)) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Activations, probabilities of words, expected rewards."""
        hidden = np.tanh(seen @ self.weights["hidden"][used] + self.weights["bias"])
        scores = np.where(masks, hidden @ self.weights["words"], -np.inf)
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        return hidden, odds / odds.sum(axis=1, keepdims=True), (hidden @ self.weights["value"])[:, 0]

    def learn(
        self, seen: np.ndarray, masks: np.ndarray, said: np.ndarray, old: np.ndarray, gain: np.ndarray, aim: np.ndarray, used: Used = slice(None)
    ) -> None:
        """One step along the gradient of PPO's objective. `seen` has only the `used` numbers of the observations."""
        hidden, chances, value = self(seen, masks, used)
        rows = np.arange(len(said))
        ratio = chances[rows, said] / old
        # Where the policy has moved far enough, it gets no push.
        clipped = np.where(gain > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        push = np.where(clipped, 0.0, ratio * gain)
        slope = -chances * push[:, None]
        slope[rows, said] += push
        surprise = np.log(np.maximum(chances, 1e-9))
        entropy = -(chances * surprise).sum(axis=1, keepdims=True)
        slope -= self.pace * ENTROPY * chances * (surprise + entropy)
        error = 0.5 * (aim - value)
        inner = (slope @ self.weights["words"].T + error[:, None] * self.weights["value"][:, 0]) * (1 - hidden**2)
        self._climb(
            {
                "hidden": seen.T @ inner,
                "bias": inner.sum(axis=0),
                "words": hidden.T @ slope,
                "value": hidden.T @ error[:, None],
            },
            len(said),
            used,
        )

    def _climb(self, slopes: dict[str, np.ndarray], count: int, used: Used) -> None:
        self.steps += 1
        rate = self.pace * RATE * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for name, slope in slopes.items():
            rows = used if name == "hidden" else slice(None)
            first, second = (moment[rows] for moment in self.moments[name])
            slope = slope / count
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            self.weights[name][rows] += rate * first / (np.sqrt(second) + 1e-7)
            # What is chosen by numbers is a copy.
            for moment, changed in zip(self.moments[name], (first, second)):
                moment[rows] = changed


class Trajectory:
    """The decisions of one seat in one game. What it saw are rows of what all games of a step saw."""

    def __init__(self) -> None:
        self.seen: list[np.ndarray] = []
        self.masks: list[np.ndarray] = []
        self.said: list[int] = []
        self.chances: list[float] = []
        self.values: list[float] = []

    def lessons(self, reward: float) -> Iterator[tuple[np.ndarray, np.ndarray, int, float, float, float]]:
        """Every decision with its advantage and what the estimate should have been."""
        values, trace = np.array([*self.values, reward]), 0.0
        gains = np.zeros(len(self.said))
        for at in reversed(range(len(self.said))):
            trace = values[at + 1] - values[at] + TRACE * trace
            gains[at] = trace
        return zip(self.seen, self.masks, self.said, self.chances, gains, gains + values[:-1])


def pick(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One word for each row, by its probabilities."""
    edges = chances.cumsum(axis=1)
    # The largest edge is not exactly 1; a word without a chance is never picked.
    return (edges > rng.random((len(edges), 1)) * edges[:, -1:]).argmax(axis=1)


class Learner:
    """Plays, and learns from every game that is over."""

    def __init__(self, ruleset: str, players: int, seed: int, teacher: Policy | None = None) -> None:
        self.rng = np.random.default_rng(seed)
        self.batches = [Batch(ruleset, players, GAMES, seed=seed, compact=has_native())]
        if teacher:
            bots = [teacher] * (players - 1)
            self.batches.append(Batch(ruleset, players, GAMES, seed=seed + 1, opponents=bots, take_turns=True, compact=True))
        inputs, words = (array.shape[1] for array in (self.batches[0].observations, self.batches[0].masks))
        self.network = Network(inputs, words, self.rng)
        self.used = np.zeros(inputs, bool)
        self.open: defaultdict[tuple[Batch, int, int], Trajectory] = defaultdict(Trajectory)
        self.games = 0

    def round(self) -> None:
        """Plays until there is enough to learn, and learns."""
        lessons: list[tuple[np.ndarray, np.ndarray, int, float, float, float]] = []
        while len(lessons) < DECISIONS:
            for batch in self.batches:
                for ended in self.step(batch):
                    self.games += 1
                    for seat, reward in enumerate(rewards(ended)):
                        lessons += self.open.pop((batch, ended.slot, seat), Trajectory()).lessons(reward)
        columns = [np.array(column) for column in zip(*lessons)]
        used = np.flatnonzero(self.used)
        columns[0] = columns[0][:, used]
        gains = columns[4]
        columns[4] = (gains - gains.mean()) / (gains.std() + 1e-6)
        columns[3:] = [column.astype(np.float32) for column in columns[3:]]
        for _ in range(EPOCHS):
            order = self.rng.permutation(len(lessons))
            for begin in range(0, len(order) - MINIBATCH + 1, MINIBATCH):
                some = order[begin : begin + MINIBATCH]
                seen, *others = (column[some] for column in columns)
                self.network.learn(seen * SCALE, *others, used)

    def step(self, batch: Batch) -> list[Ended]:
        """One decision in every game."""
        # Copies, since a step writes these anew.
        seen, masks = batch.observations.copy(), batch.masks.astype(bool)
        # Most numbers of an observation are always zero, and teach nothing.
        self.used |= seen.any(axis=0)
        used = np.flatnonzero(self.used)
        _, chances, values = self.network(seen[:, used] * SCALE, masks, used)
        said = pick(chances, self.rng)
        for slot in range(GAMES):
            trajectory = self.open[batch, slot, int(batch.seats[slot])]
            trajectory.seen.append(seen[slot])
            trajectory.masks.append(masks[slot])
            trajectory.said.append(int(said[slot]))
            trajectory.chances.append(float(chances[slot, said[slot]]))
            trajectory.values.append(float(values[slot]))
        return batch.step(said)


def rewards(ended: Ended) -> list[float]:
    """Returns the reward of each seat: half for its rank, and half for its lead over the best of the others, which says more."""
    if not ended.scores:
        return list(ended.rewards)
    leads = [own - max(ended.scores[:seat] + ended.scores[seat + 1 :]) for seat, own in enumerate(ended.scores)]
    return [float(rank + np.tanh(lead / MARGIN)) / 2 for rank, lead in zip(ended.rewards, leads)]


def measure(network: Network, ruleset: str, players: int, games: int, seed: int, opponent: Opponent = "random") -> float:
    """Plays the likeliest words against bots, in each seat equally often: the share of games won, a shared win counting by
    part."""
    rng = np.random.default_rng(seed)
    won: list[float] = []
    for seat in range(players):
        # One game in each slot, so that short games do not count more often.
        waiting = set(range(games // players))
        # Random players need no bots, and play at a server too.
        bots = [opponent] * (players - 1) if opponent != "random" else []
        batch = Batch(ruleset, players, len(waiting), seed=1_000_000 + seed * players + seat, seat=seat, opponents=bots)
        while waiting:
            learned = batch.seats == seat
            chances = batch.masks / batch.masks.sum(axis=1, keepdims=True)
            if learned.any():
                likely = network(batch.observations[learned], batch.masks[learned])[1].argmax(axis=1)
                chances[learned] = np.eye(chances.shape[1])[likely]
            for ended in batch.step(pick(chances, rng)):
                if ended.slot in waiting:
                    waiting.remove(ended.slot)
                    best = max(ended.rewards)
                    won.append((ended.rewards[seat] == best) / ended.rewards.count(best))
        batch.close()
    return sum(won) / len(won)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=3.0, help="minutes of a processor to learn; measuring is extra")
    parser.add_argument("--every", type=int, default=2, help="rounds of learning between measurements")
    parser.add_argument("--games", type=int, default=200, help="games of a measurement; four times as many at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", type=Path, help="SVG file for the learning curve")
    parser.add_argument("--save", type=Path, help="file for what was learned, written at every measurement")
    parser.add_argument("--load", type=Path, help="file to go on from")
    parser.add_argument("--export", type=Path, help="file for a policy that bots of a server play, with its manifest beside it")
    parser.add_argument("--teacher", metavar="POLICY", help="bot that has the other seats in half of the games at a time")
    parser.add_argument("--rival", metavar="POLICY", default="random", help="bot to measure against on the way")
    parser.add_argument("--against", nargs="*", default=[], metavar="POLICY", help="bots to play against at the end, such as greedy and search")
    args = parser.parse_args()

    learner = Learner(args.ruleset, args.players, args.seed, args.teacher)
    if args.load:
        learner.network.load(args.load)
    spent, worked, rounds = 0.0, 0.0, 0
    points: list[Point] = []

    against = "against random players" if args.rival == "random" else f"against {args.rival}"

    def look(games: int) -> None:
        share = measure(learner.network, args.ruleset, args.players, games, rounds, args.rival)
        points.append(Point(learner.games, share, games))
        learned = f"{learner.games:6} games in {spent:4.0f} s (processor {worked:4.0f} s)"
        print(f"{learned}: {share:6.1%} of {games} games won {against}", flush=True)

    look(args.games)
    while worked < 60 * args.minutes:
        begun = time.monotonic(), time.process_time()
        learner.network.pace = 1 - (1 - LAST_RATE) * worked / (60 * args.minutes)
        learner.round()
        spent += time.monotonic() - begun[0]
        worked += time.process_time() - begun[1]
        rounds += 1
        if rounds % args.every == 0:
            look(args.games)
            if args.save:
                learner.network.save(args.save)
    look(4 * args.games)
    if args.save:
        learner.network.save(args.save)
    if args.export:
        learner.network.export(args.export, args.ruleset, args.players)
    for opponent in args.against:
        share = measure(learner.network, args.ruleset, args.players, args.games, rounds, opponent)
        print(f"{share:6.1%} of {args.games} games won against {opponent}", flush=True)
    if args.picture:
        title = f"{args.ruleset.replace('_', ' ').title()}, {args.players} players: share of games won {against}"
        args.picture.write_text(draw(points, title, 1 / args.players))


if __name__ == "__main__":
    main()
