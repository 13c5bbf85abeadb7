"""Steps a second of environments: this package beside PettingZoo's classics and OpenSpiel's Python games.

    python steps.py --seconds 5 --rounds 3

All play random legal actions and start again after each game. Needs `pettingzoo[classic]` and `open_spiel`; with
`gamekeeper_native` games are also played in this process. `--only TEXT` measures what has the text in its name.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel

import gamekeeper.spiel  # noqa: F401, registers the game
from gamekeeper import gamekeeper_env, server
from gamekeeper.batch import Batch
from gamekeeper.contract import rulesets
from gamekeeper.door import has_native

CLASSICS = ["tictactoe_v3", "connect_four_v3", "texas_holdem_v4", "texas_holdem_no_limit_v6", "chess_v6"]
SPIEL = ["python_kuhn_poker", "python_tic_tac_toe", "python_liars_poker", "python_block_dominoes", "python_team_dominoes"]

# Runs for some seconds and gives the number of steps.
Run = Callable[[float], int]


def pettingzoo(make: Callable[[], Any]) -> Run:
    """An agent looks, and takes an action."""
    env = make()

    def run(seconds: float) -> int:
        rng, steps, end = random.Random(1), 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            env.reset(seed=rng.randrange(2**31) if steps == 0 else None)
            for _ in env.agent_iter(10**9):
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated or time.perf_counter() > end:
                    break
                mask = observation.get("action_mask") if isinstance(observation, dict) else None
                mask = info.get("action_mask") if mask is None else mask
                env.step(rng.choice(np.flatnonzero(mask).tolist()))
                steps += 1
        return steps

    return run


def vector(name: str, games: int, kind: Any = np.float32) -> Run:
    """In each of many games in this process an agent looks, and takes an action. On one thread."""
    import gamekeeper_native as native

    space = native.Space(name, 2)
    table = native.Vector(space, games)
    to = SimpleNamespace(
        observations=np.zeros((games, space.size), kind),
        masks=np.zeros((games, len(space.words)), np.int8),
        seats=np.zeros(games, np.int64),
        rewards=np.zeros((games, space.players), np.float32),
        dones=np.zeros(games, np.int8),
    )
    table.begin(to, bytes(32))

    def run(seconds: float) -> int:
        steps, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            table.step(table.sample(steps), to)
            steps += games
        return steps

    return run


def clones(name: str) -> Run:
    """A state of OpenSpiel is cloned, and the clone takes an action: a step of a search."""
    game = pyspiel.load_game(f"gamekeeper(ruleset={name})")

    def run(seconds: float) -> int:
        rng, steps, end = random.Random(1), 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            state = game.new_initial_state()
            state.apply_action(rng.randrange(1_000))
            while not state.is_terminal() and time.perf_counter() < end:
                words = state.legal_actions()
                for _ in range(20):
                    state.clone().apply_action(rng.choice(words))
                    steps += 1
                state.apply_action(rng.choice(words))
        return steps

    return run


def batch(name: str, games: int, address: str | None) -> Run:
    """In each of many games an agent looks, and takes an action."""
    threads = None if address else 1
    table = Batch(name, 2, games, seed=1, address=address, threads=threads)
    rng = np.random.default_rng(1)

    def run(seconds: float) -> int:
        steps, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            table.step([rng.choice(np.flatnonzero(mask)) for mask in table.masks])
            steps += games
        return steps

    return run


def spiel(text: str, looks: bool) -> Run:
    """A player takes an action, with or without the vector of what they see."""
    game = pyspiel.load_game(text)

    def run(seconds: float) -> int:
        rng, steps, end = random.Random(1), 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            state = game.new_initial_state()
            while not state.is_terminal() and time.perf_counter() < end:
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes())
                    state.apply_action(rng.choices(outcomes, chances)[0])
                    continue
                if looks:
                    state.observation_tensor()
                state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
        return steps

    return run


def runs(games: int, others: bool) -> dict[str, Run]:
    """All that is measured, by name."""
    found: dict[str, Run] = {}
    doors: dict[str, str | None] = {"in process": None} if has_native() else {}
    doors["server"] = server.shared().address
    for name in rulesets():
        if has_native():
            found[f"{name}, in process, vector of 256"] = vector(name, 256)
            found[f"{name}, in process, vector of 256, bytes"] = vector(name, 256, np.int8)
            found[f"{name}, in process, OpenSpiel, clone and move"] = clones(name)
        for door, address in doors.items():
            parameter = f",address={address}" if address else ""
            found[f"{name}, {door}, PettingZoo"] = pettingzoo(lambda: gamekeeper_env(name, address=address))
            found[f"{name}, {door}, batch of {games}"] = batch(name, games, address)
            found[f"{name}, {door}, OpenSpiel"] = spiel(f"gamekeeper(ruleset={name}{parameter})", looks=True)
    if not others:
        return found
    for name in CLASSICS:
        module = importlib.import_module(f"pettingzoo.classic.{name}")
        found[f"PettingZoo {name}"] = pettingzoo(module.env)
    for name in SPIEL:
        importlib.import_module(f"open_spiel.python.games.{name.removeprefix('python_')}")
        game = pyspiel.load_game(name)
        found[f"OpenSpiel {name}"] = spiel(name, looks=game.get_type().provides_observation_tensor)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="time of each measurement")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each, in turns; the median counts")
    parser.add_argument("--games", type=int, default=64, help="games side by side in a batch")
    parser.add_argument("--only", default="", help="measure what has this text in its name")
    parser.add_argument("--ours", action="store_true", help="measure this package alone")
    parser.add_argument("--json", type=Path, help="file for the figures")
    args = parser.parse_args()
    measured: dict[str, list[tuple[float, float]]] = {}
    everything = {name: run for name, run in runs(args.games, not args.ours).items() if args.only in name}
    for _ in range(args.rounds):
        for name, run in everything.items():
            begun, worked = time.perf_counter(), time.process_time()
            steps = run(args.seconds)
            took, work = time.perf_counter() - begun, time.process_time() - worked
            measured.setdefault(name, []).append((steps / took, 1e6 * work / steps))
    medians = {name: [statistics.median(figures) for figures in zip(*pairs)] for name, pairs in measured.items()}
    for name, (rate, work) in medians.items():
        print(f"{name:50} {rate:10,.0f} steps/s {work:8,.0f} us of this process a step")
    if args.json:
        args.json.write_text(json.dumps(medians, indent=1))


if __name__ == "__main__":
    main()
