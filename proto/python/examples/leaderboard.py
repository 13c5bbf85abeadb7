"""A leaderboard: agents against bots, with several seeds and every number of players, as a table with 95% intervals.

    python leaderboard.py --results results.json                      # the published cells; goes on where it was stopped
    python leaderboard.py --results results.json --table              # only the table of what is there
    python leaderboard.py --results results.json --rulesets caylus --players 2 --pairs strong/medium search:256/greedy

A pair is an agent and its rival, which plays all other seats; the agent takes every seat equally often. Each is a bot, such as
`greedy`, `strong` or `bm-smithy1`, and its playouts if not the usual ones. Agents can also be `learn`, which `learn.py` teaches
for a number of rounds with each seed, and keeps in `--agents`; and `ppo`, `dqn` and `ismcts`, which the scripts beside this one
measure against `random`, with the libraries that they name.

Each result names what it belongs to: the version of the space, the revision of the rules, the versions of the packages, and the
SHA-256 of a learned agent. What belongs to others is kept, and measured again. Needs `gamekeeper-native` and `gamekeeperd`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import gamekeeper_native as native
import learn
import numpy as np
from curve import Point

from gamekeeper import Client, __version__, server
from gamekeeper.inside import Inside, native_space, settings
from gamekeeper.luck import luck, seed_of_game
from gamekeeper.space import space
from gamekeeper.tables import MAX_VERSIONS

PUBLISHED = ("greedy/random", "search/greedy", "learn/random", "learn/greedy")

# Scripts that learn and measure in one, and what they take beside ruleset, players, games and seed.
SCRIPTS = {"ppo": ("foreign.py", "--minutes=4"), "dqn": ("spiel_dqn.py", "--minutes=4"), "ismcts": ("spiel_ismcts.py", "--simulations=8")}
SHARE = re.compile(r"([\d.]+)% of (\d+) games won against random players")


@dataclass(frozen=True)
class Cell:
    """The facts that a result belongs to. Another of any of these is another result."""

    ruleset: str
    players: int
    agent: str
    rival: str
    seed: int
    games: int
    revision: int
    """The revision of the rules."""
    space: str
    """The version of observations and words, in digits."""
    package: str
    native: str
    sha256: str = ""
    """Of the file of a learned agent."""
    rounds: int = 0
    """The rounds that it has learned."""


Results = dict[Cell, float]
"""The share of games won for each cell; a shared win counts by part."""


def read(path: Path) -> Results:
    """Reads results. Raises `ValueError` when the file has something else."""
    if not path.exists():
        return {}
    try:
        return {Cell(**{name: value for name, value in one.items() if name != "share"}): float(one["share"]) for one in json.loads(path.read_text())}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} has no results of a leaderboard: {error}") from error


def write(path: Path, results: Results) -> None:
    """Writes results, whole or not at all."""
    lines = ",\n".join(json.dumps(asdict(cell) | {"share": share}) for cell, share in results.items())
    beside = path.with_name(path.name + ".new")
    beside.write_text(f"[\n{lines}\n]\n")
    os.replace(beside, path)


def bot(name: str) -> tuple[str, int | None]:
    """Returns the policy and the playouts of a bot. Raises `ValueError` when the playouts are no number from 1."""
    policy, colon, playouts = name.partition(":")
    if colon and not re.fullmatch("[1-9][0-9]{0,8}", playouts):
        raise ValueError(f"playouts are a number from 1, as in search:256, not {name!r}")
    return policy, int(playouts) if colon else None


def duel(ruleset: str, players: int, agent: str, rival: str, seed: int, games: int) -> float:
    """Plays a bot against others."""
    room, how = native_space(ruleset, players), settings(ruleset, None, MAX_VERSIONS)

    def game(number: int) -> float:
        table, own = native.Game(room, how), number % players
        table.begin(seed_of_game(luck(seed), number + 1))
        while table.seat is not None:
            policy, playouts = bot(agent if table.seat == own else rival)
            choice = f"leaderboard {seed} {number} {table.version} {table.seat}"
            table.play(policy, hashlib.sha256(choice.encode()).digest(), playouts)
        earned = table.rewards()
        return (earned[own] == max(earned)) / earned.count(max(earned))

    # The bots think without the lock of the interpreter.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(game, range(games))) / games


def taught(path: Path, ruleset: str, players: int, seed: int, rounds: int) -> None:
    """Keeps an agent that has learned for some rounds, unless there is one. The same seed learns the same."""
    if path.exists():
        return
    learner = learn.Learner(ruleset, players, seed, "greedy")
    for done in range(rounds):
        learner.network.pace = 1 - (1 - learn.LAST_RATE) * done / rounds
        learner.round()
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"new-{path.name}")
    learner.network.save(beside)
    os.replace(beside, path)


def learned(path: Path, ruleset: str, players: int, rival: str, seed: int, games: int) -> float:
    """Plays a learned agent against bots."""
    room = native_space(ruleset, players)
    network = learn.Network(room.size, len(room.words), np.random.default_rng(seed))
    network.load(path)
    return learn.measure(network, ruleset, players, games, seed, "random" if rival == "random" else bot(rival))


def script(ruleset: str, players: int, agent: str, seed: int, games: int) -> float:
    """Lets a script learn and measure. Raises `RuntimeError` when it ends without a share."""
    file, how = SCRIPTS[agent]
    call = [sys.executable, str(Path(__file__).with_name(file)), ruleset, f"--players={players}", f"--games={games}", f"--seed={seed}", how]
    ran = subprocess.run(call, stdout=subprocess.PIPE, text=True)
    shares = SHARE.findall(ran.stdout)
    if ran.returncode or not shares:
        raise RuntimeError(f"{file} {ruleset} has measured nothing")
    return float(shares[-1][0]) / 100


class Plan:
    """The cells that are asked for, in the order in which they are measured."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.pairs = [pair(one) for one in args.pairs]
        with Client(server.shared().address) as client:
            served = {found.id: found for found in client.rulesets()}
        for name in args.rulesets or ():
            if name not in served:
                raise ValueError(f"no ruleset {name!r}; there are {', '.join(served)}")
        self.rulesets = [served[name] for name in args.rulesets or served]
        if min(args.seeds, args.games) < 1 or args.rounds < 0:
            raise ValueError("seeds and games are numbers from 1, rounds from 0")
        for ruleset in (found.id for found in self.rulesets):
            if not self.players(ruleset):
                raise ValueError(f"{ruleset} is not played by {' or '.join(map(str, args.players))} players")
            for name in {name for pair in self.pairs for name in pair} - {"learn", *SCRIPTS}:
                Inside(ruleset, self.players(ruleset)[0]).bot(bot(name)[0])

    def players(self, ruleset: str) -> list[int]:
        """Returns the numbers of players."""
        found = next(one for one in self.rulesets if one.id == ruleset)
        return [number for number in range(found.min_seats, found.max_seats + 1) if not self.args.players or number in self.args.players]

    def file(self, ruleset: str, players: int, seed: int) -> Path:
        """Returns where the learned agent is kept."""
        return Path(self.args.agents) / f"{ruleset}-{players}-{seed}-{self.args.rounds}.npz"

    def cells(self, learn_now: bool) -> Iterator[Cell]:
        """Goes through all cells, seed by seed. Learned agents that are not there are taught, or left out."""
        for seed in range(1, self.args.seeds + 1):
            for ruleset in self.rulesets:
                for players in self.players(ruleset.id):
                    for agent, rival in self.pairs:
                        cell = self._cell(ruleset.id, ruleset.rules_revision, players, (agent, rival), seed)
                        if agent != "learn":
                            yield cell
                            continue
                        path = self.file(ruleset.id, players, seed)
                        if learn_now:
                            taught(path, ruleset.id, players, seed, self.args.rounds)
                        if path.exists():
                            digest = hashlib.sha256(path.read_bytes()).hexdigest()
                            yield Cell(**asdict(cell) | {"sha256": digest, "rounds": self.args.rounds})

    def _cell(self, ruleset: str, revision: int, players: int, pair: tuple[str, str], seed: int) -> Cell:
        version = native_space(ruleset, players).version
        if space(ruleset, players).version != version:
            raise ValueError(f"gamekeeperd and gamekeeper-native are of different versions: numbers of {ruleset} mean something else")
        games = max(1, self.args.games // players) * players  # every seat equally often
        return Cell(ruleset, players, *pair, seed, games, revision, str(version), __version__, native.__version__)

    def measure(self, cell: Cell) -> float:
        """Plays the games of a cell."""
        if cell.agent == "learn":
            path = self.file(cell.ruleset, cell.players, cell.seed)
            return learned(path, cell.ruleset, cell.players, cell.rival, cell.seed, cell.games)
        if cell.agent in SCRIPTS:
            return script(cell.ruleset, cell.players, cell.agent, cell.seed, cell.games)
        return duel(cell.ruleset, cell.players, cell.agent, cell.rival, cell.seed, cell.games)


def pair(text: str) -> tuple[str, str]:
    """Returns agent and rival. Raises `ValueError` when they are no pair that can be measured."""
    agent, slash, rival = text.partition("/")
    if not slash or not agent or not rival or rival in ("learn", *SCRIPTS):
        raise ValueError(f"a pair is an agent and a bot, such as greedy/random, not {text!r}")
    if agent in SCRIPTS and rival != "random":
        raise ValueError(f"{agent} is measured against random only")
    return agent, rival


def shown(cells: list[tuple[Cell, float]], seeds: int) -> str:
    """Returns what a table says of the seeds of a cell: the share of all games with its interval, and the least and most of a
    seed."""
    if not cells:
        return ""
    games = sum(cell.games for cell, _ in cells)
    share = sum(cell.games * won for cell, won in cells) / games
    low, high = Point(0, share, games).interval()
    missing = f", {len(cells)} of {seeds} seeds" if len(cells) < seeds else ""
    spread = f"; seeds {100 * min(won for _, won in cells):.0f} to {100 * max(won for _, won in cells):.0f}" if len(cells) > 1 else ""
    return f"{share:.1%} ({100 * low:.1f} to {100 * high:.1f}) of {games}{spread}{missing}"


def table(plan: Plan, results: Results) -> str:
    """Returns a table for each pair: rulesets, and numbers of players."""
    known = [(cell, results[cell]) for cell in plan.cells(learn_now=False) if cell in results]
    columns = sorted({players for ruleset in plan.rulesets for players in plan.players(ruleset.id)})
    lines: list[str] = []
    for agent, rival in plan.pairs:
        lines += [f"{agent} against {rival}", "", f"| ruleset | {' | '.join(f'{players} players' for players in columns)} |", "|---" * (len(columns) + 1) + "|"]
        for ruleset in plan.rulesets:
            of = [[one for one in known if (one[0].ruleset, one[0].players, one[0].agent, one[0].rival) == (ruleset.id, players, agent, rival)] for players in columns]
            lines.append(f"| {ruleset.title} | {' | '.join(shown(cells, plan.args.seeds) for cells in of)} |")
        lines.append("")
    return "\n".join(lines)


def run(arguments: Iterable[str] | None = None) -> str:
    """Measures what is missing, and returns the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--results", type=Path, required=True, help="file of results, JSON; read, and written after each cell")
    parser.add_argument("--agents", type=Path, default=Path("agents"), help="folder of learned agents")
    parser.add_argument("--rulesets", nargs="+", help="all that are served unless given")
    parser.add_argument("--players", nargs="+", type=int, help="all numbers of the ruleset unless given")
    parser.add_argument("--pairs", nargs="+", default=PUBLISHED, help="agents and their rivals")
    parser.add_argument("--seeds", type=int, default=5, help="seeds 1 to this one")
    parser.add_argument("--games", type=int, default=60, help="games of each cell and seed")
    parser.add_argument("--rounds", type=int, default=60, help="rounds of learning")
    parser.add_argument("--table", action="store_true", help="play nothing, and print what is there")
    args = parser.parse_args(None if arguments is None else list(arguments))
    results, plan = read(args.results), Plan(args)
    if not args.table:
        for cell in plan.cells(learn_now=True):
            if cell not in results:
                results[cell] = plan.measure(cell)
                write(args.results, results)
                print(f"{cell.ruleset} {cell.players} {cell.agent}/{cell.rival} seed {cell.seed}: {results[cell]:.1%} of {cell.games}", file=sys.stderr)
    return table(plan, results)


if __name__ == "__main__":
    try:
        print(run())
    except (RuntimeError, ValueError) as error:
        sys.exit(f"error: {error}")
